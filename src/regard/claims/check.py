"""A written claim in, a verdict out.

parse → read in the setting, in every way that types allow → try each statement → the first that fails decides
"""

from __future__ import annotations

import time
from dataclasses import replace

from regard.claims.meaning.definitions import CompiledSetting, compile_setting
from regard.claims.meaning.setting import Setting, choose_setting, find_setting
from regard.claims.meaning.statements import GoalMissed, Task, interpret_claim
from regard.claims.meaning.terms import IllFormed, UnknownName
from regard.claims.suggestions import nearest_statement, nearest_true
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.tree import Claim, ReadingPath, Span
from regard.claims.trial.judge import judge_statement
from regard.claims.trial.trials import MAX_SECONDS, Trials
from regard.claims.verdict import StatementVerdict, Verdict
from regard.errors import ArgumentError, NotUnderstood

MAX_PATHS = 96
MAX_READINGS = 4


def check(claim: str, *, setting: str | Setting | None = None, goal: str | None = None) -> Verdict:
    """Whether a claim holds, holds in the limit, or fails, and why: what `regard check` does for one claim.

    `setting` is a name out of `builtin_settings()`, the path of a TOML file, or a `Setting`; without one, the setting
    that knows most of the letters is taken, and a note says which. A claim that only defines something is judged by
    `goal`, or without one by the goal of its setting.

    >>> check("M = A A^T", setting="two-subspaces")
    Verdict('M = A A^T' holds in two-subspaces: true of all 32 instances tried)
    >>> check("M = A^T", setting="two-subspaces").verdict
    'fails'

    Raises: InputFileError for a setting that does not exist or does not work; ArgumentError where the claim is no text.
    """
    if not isinstance(claim, str):
        raise ArgumentError(f"expected a claim as text, such as 'c = v_a'; got {type(claim).__name__}")
    if setting:
        return _check_in(claim, find_setting(setting) if isinstance(setting, str) else setting, goal or None)
    chosen = choose_setting(claim)
    verdict = _check_in(claim, chosen, goal or None)
    if verdict.verdict == "not-understood":
        return verdict
    note = f"no setting was named, so this was read in {chosen.name}"
    return replace(verdict, notes=(*verdict.notes, note))


def _check_in(claim: str, chosen: Setting, goal: str | None) -> Verdict:
    """The verdict on a claim in a setting; on each reading where they differ."""
    ready = compile_setting(chosen)
    try:
        tree = parse(claim)
    except NotUnderstood as error:
        return Verdict(claim, chosen.name, "not-understood", str(error), where=Span(*error.span))
    try:
        wanted = goal if goal is not None else chosen.goal
        goal_tree = parse(wanted) if wanted is not None else None
    except NotUnderstood as error:  # the place is one in the goal, not in the claim
        return Verdict(claim, chosen.name, "not-understood", f"of the goal, {error}")
    deadline = time.thread_time() + MAX_SECONDS
    tasks, errors = _readings(tree, ready, goal_tree, insist=goal is not None)
    if not tasks:
        return _refuse(tree, chosen, errors, deadline)
    verdicts = _judge_readings(tree, tasks[:MAX_READINGS], deadline)
    if len({verdict.verdict for verdict in verdicts}) == 1:
        return verdicts[0]
    return replace(
        verdicts[0], readings=tuple(verdicts), notes=(*verdicts[0].notes, "this can be read in more than one way")
    )


def _readings(
    tree: Claim, ready: CompiledSetting, goal: Claim | None, *, insist: bool
) -> tuple[list[Task], list[Exception]]:
    """Every different way to read the claim in which shapes fit, and what was wrong with the others."""
    tasks: dict[str, Task] = {}
    errors: list[Exception] = []
    path: ReadingPath | None = ReadingPath()
    for _ in range(MAX_PATHS):
        if path is None:
            break
        path.at = 0
        try:
            task = interpret_claim(tree, ready, goal, path, insist=insist)
            tasks.setdefault(_fingerprint(task), task)
        except (IllFormed, UnknownName, GoalMissed) as error:
            errors.append(error)
        path = path.next()
    return list(tasks.values()), errors


def _fingerprint(task: Task) -> str:
    """What a reading says, so that two that say the same count as one."""
    own = {name: one for name, one in task.definitions.items() if task.compiled.definitions.get(name) is not one}
    return repr((task.statements, own))


def _refuse(tree: Claim, setting: Setting, errors: list[Exception], deadline: float) -> Verdict:
    """What was wrong with every reading: shapes before names, since names can only be guessed at."""
    missed = next((error for error in errors if isinstance(error, GoalMissed)), None)
    if missed is not None:
        nearest = nearest_true(setting, tree, deadline)
        return Verdict(
            tree.text, setting.name, "fails", str(missed), how="shapes alone", nearest=nearest, notes=tree.notes
        )
    ill = next((error for error in errors if isinstance(error, IllFormed)), None)
    if ill is not None:
        return Verdict(
            tree.text, setting.name, "ill-formed", str(ill), how="shapes alone", where=ill.span, notes=tree.notes
        )
    [first, *_] = errors
    assert isinstance(first, UnknownName)
    return Verdict(tree.text, setting.name, "not-understood", str(first), where=first.span, notes=tree.notes)


def _judge_readings(tree: Claim, tasks: list[Task], deadline: float) -> list[Verdict]:
    """A verdict for each reading; covariance matrices that are equal have equal traces, which need no trial."""
    first = _judge_reading(tree, tasks[0], deadline)
    is_equation = all(statement.comparison in ("=", "≈", "→") for statement in tasks[0].statements)
    settles = first.verdict in ("holds", "holds-in-limit") and is_equation and tasks[0].spread == 0
    others = [task for task in tasks[1:] if not (settles and task.spread)]
    return [first, *(_judge_reading(tree, task, deadline, with_nearest=False) for task in others)]


def _judge_reading(tree: Claim, task: Task, deadline: float, *, with_nearest: bool = True) -> Verdict:
    """All statements must hold; the first that does not decides."""
    trials = Trials(task, deadline=deadline)
    results: list[StatementVerdict] = []
    for statement in task.statements:
        found = judge_statement(trials, statement)
        results.append(found)
        if found.verdict not in ("holds", "holds-in-limit"):
            break
    last = results[-1]
    nearest = None
    if last.verdict == "fails" and with_nearest:
        nearest = nearest_statement(trials, task.statements[len(results) - 1], tree)
    deciding = next((one for one in results if one.verdict == "holds-in-limit"), last) if _stands(last) else last
    return Verdict(
        claim=tree.text,
        setting=task.setting.name,
        verdict=deciding.verdict,
        reason=deciding.reason,
        how="; ".join(dict.fromkeys(one.how for one in results if one.how)) if _stands(last) else last.how,
        counterexample=last.counterexample,
        rates=tuple(rate for one in results for rate in one.rates),
        where=None if _stands(last) else last.span,
        nearest=nearest,
        notes=(*tree.notes, *task.notes, *(word for one in results for word in one.notes)),
    )


def _stands(result: StatementVerdict) -> bool:
    return result.verdict in ("holds", "holds-in-limit")
