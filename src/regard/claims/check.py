"""A written claim in, a verdict out.

parse → read in the setting, in every way that types allow → try each statement → the first that fails decides
"""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import replace
from itertools import islice

from regard.claims.meaning.definitions import CompiledSetting, compile_setting
from regard.claims.meaning.inference import NAME as GENERAL
from regard.claims.meaning.inference import extend_setting, infer_settings, tall_letters
from regard.claims.meaning.setting import Setting, find_setting, recognise_setting, redefinitions, settings_knowing
from regard.claims.meaning.shapes import IllFormed, UnknownName
from regard.claims.meaning.statements import GoalMissed, Task, interpret_claim, with_fixed_indices
from regard.claims.meaning.terms import Statement
from regard.claims.meaning.unstated_laws import with_unstated_laws
from regard.claims.meaning.usage import CONSTANTS, SIZE_LETTERS
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.letters import GREEK
from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.tree import Claim, ReadingPath, Span, Symbol, walk
from regard.claims.trial.arithmetic.numbers import CannotEvaluate
from regard.claims.trial.trials import MAX_SECONDS, Trials
from regard.claims.verdict.independence import may_rest_on_independence, with_common_noise
from regard.claims.verdict.judge import judge_statement
from regard.claims.verdict.records import VERDICT_WORDS, StatementVerdict, Verdict
from regard.claims.verdict.suggestions import nearest_statement, nearest_true
from regard.errors import ArgumentError, NotUnderstood

DEVIATION = "read as a standard deviation"
MAX_PATHS = 96
MAX_READINGS = 4
MAX_MEANINGS = 3
MAX_EXTRA_COST = 1
"""How much less usual another meaning of the letters may be that speaks for a claim that fails."""
SATISFYING_DRAWS = 8
SECONDS_FOR_DOUBT = 0.5
"""Processor time after which no further setting is tried for a claim that named none."""


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
    return _check_anywhere(claim, goal or None)


def _check_anywhere(claim: str, goal: str | None) -> Verdict:
    """The verdict where no setting was named: in the setting that knows the letters, or by what they are used as."""
    chosen, is_sure, own = recognise_setting(claim)
    is_sure = is_sure and all(_check_in(as_plain(one), chosen, None).is_true for one in own)
    found = _check_where_it_belongs(claim, goal, chosen, is_sure=is_sure)
    if found.verdict not in ("fails", "ill-formed") or goal is not None:
        return found
    return _doubt_setting(claim, found)


def _doubt_setting(claim: str, found: Verdict) -> Verdict:
    """What fails where nobody named the setting, and holds in another that knows all of its letters, is left open."""
    ends = time.thread_time() + SECONDS_FOR_DOUBT
    for setting in settings_knowing(claim):
        if time.thread_time() > ends:
            break
        own = redefinitions(setting, parse(claim))
        if not all(_check_in(as_plain(one), setting, None).is_true for one in own):
            continue  # the claim means another thing by a letter of this setting
        other = _check_in(claim, setting, None) if setting.name != found.setting else found
        if other.is_true:
            where = "with letters as they are used" if found.setting == GENERAL else f"in {found.setting}"
            reason = (
                f"no setting was named: it {VERDICT_WORDS[other.verdict]} in {setting.name}; {where}, {found.reason}"
            )
            return replace(
                found, verdict="undecided", reason=reason, counterexample=None, where=None, readings=(found, other)
            )
    return found


def _check_where_it_belongs(claim: str, goal: str | None, chosen: Setting, *, is_sure: bool) -> Verdict:
    inferred = None if is_sure else _check_inferred(claim, goal)
    if inferred is not None and inferred.verdict not in ("not-understood", "undecided"):
        return inferred
    named = _check_in(claim, chosen, goal)
    named = named if named.verdict == "not-understood" else _with_note(named, chosen.name)
    if inferred is not None:
        return named if named.is_true else inferred
    if not is_sure or named.is_true:
        return named
    inferred = _check_inferred(claim, goal)
    if named.verdict in ("fails", "ill-formed"):  # nobody named the setting in which it does
        return inferred if inferred is not None and inferred.is_true else named
    return named if inferred is None or inferred.verdict not in _DECIDED else inferred


_DECIDED = ("holds", "holds-in-limit", "fails")


def _with_note(verdict: Verdict, name: str) -> Verdict:
    return replace(verdict, notes=(*verdict.notes, f"no setting was named, so this was read in {name}"))


def _check_inferred(claim: str, goal: str | None) -> Verdict | None:
    """The verdict by what the letters are used as; of several meanings the first in which the claim holds."""
    try:
        tree = parse(claim)
    except NotUnderstood:
        return None
    random = _check_with_unstated_laws(claim, tree, goal)
    if random is not None:
        return random
    found = islice(infer_settings(tree), MAX_MEANINGS)
    first = next(found, None)
    if first is None:
        return None
    unknown = _undefined_function(tree)
    if unknown is not None:
        return Verdict(claim, first[1].name, "not-understood", f"what function {unknown} is, the claim does not say")
    cost, setting = first
    verdict = _with_meanings(_check_in(claim, setting, goal), setting)
    if verdict.verdict not in ("fails", "ill-formed"):
        return verdict
    for other_cost, other in found:
        if other_cost > cost + MAX_EXTRA_COST:
            break
        again = _with_meanings(_check_in(claim, other, goal), other)
        if again.is_true:
            return _leave_open(verdict, again)
    unknown = _unexplained(tree)
    if unknown is not None and verdict.verdict == "fails":
        reason = f"what {unknown} is, the claim does not say, so that nothing can be said of it"
        return replace(verdict, verdict="not-understood", reason=reason, counterexample=None, where=None, nearest=None)
    is_guessed = any(not spec.hidden for spec in setting.symbols)
    return _doubt_shapes(verdict) if is_guessed and not tall_letters(tree) else verdict


_FUNCTION = re.compile(r"(?<![A-Za-z\\_^{])(?P<name>[fgFGφψ]|h(?=\s*\([A-Z]\))|\\(?:var)?phi|\\psi)\s*(?:\\left\s*)?\(")


def _undefined_function(tree: Claim) -> str | None:
    """A letter that everybody reads as a function, f of f(x), where the claim does not say which; else None.

    Read as a product, f(x + y) = f(x) + f(y) would hold.
    """
    sides = [side for one in tree.relations for side in (one.left, one.right)]
    names = {node.name for side in sides for node in walk(side) if isinstance(node, Symbol)}
    alone = {one.left.name for one in tree.relations if isinstance(one.left, Symbol)}
    for found in _FUNCTION.finditer(tree.text):
        name = GREEK.get(found["name"], found["name"].lstrip("\\").removeprefix("var"))
        if name in names and name not in alone:
            return found["name"]
    return None


def _check_with_unstated_laws(claim: str, tree: Claim, goal: str | None) -> Verdict | None:
    """The verdict where letters that only stand in E, Var and Cov are random; None where there are none."""
    for as_vectors in (False, True):
        random = with_unstated_laws(tree, as_vectors=as_vectors)
        if random is None:
            return None
        first = next(infer_settings(random), None)
        found = _check_in(claim, first[1], goal, tree=random) if first is not None else None
        if found is not None and found.verdict in _DECIDED:
            return found
    reason = "what law the random letters have is not said, and no meaning of them was found that fits"
    return Verdict(claim, GENERAL, "not-understood", reason)


def _unexplained(tree: Claim) -> str | None:
    """A letter that one side of a claimed equation is, and that stands nowhere else: it is named, not spoken of."""
    relations = [relation for part in (tree, *tree.more) for relation in part.relations]
    symbols = [node for one in relations for node in walk(one) if isinstance(node, Symbol)]
    counts = Counter(word for node in symbols for word in (node.name, *node.subscripts))
    for one in [relation for part in (tree, *tree.more) for relation in part.statements]:
        for side in (one.left, one.right):
            is_lone = (
                isinstance(side, Symbol) and counts[side.name] == 1 and side.name not in CONSTANTS | {*SIZE_LETTERS}
            )
            if is_lone and one.comparison in ("=", "≈", "→") and isinstance(side, Symbol):
                return as_plain(side)
    return None


def _doubt_shapes(verdict: Verdict) -> Verdict:
    """Shapes of guessed letters that do not fit within one side say more of the guess than of the claim."""
    if verdict.verdict != "ill-formed" or verdict.reason.startswith(("the left side", "of ")):
        return verdict
    reason = f"no meaning of the letters was found in which shapes fit: {verdict.reason}"
    return replace(verdict, verdict="not-understood", reason=reason)


def _leave_open(verdict: Verdict, again: Verdict) -> Verdict:
    """What fails for one meaning of the letters and holds for another that is as usual is not decided."""
    reason = f"it depends on what the letters are ({again.notes[-1]}: it {again.verdict}); else: {verdict.reason}"
    return replace(
        verdict, verdict="undecided", reason=reason, counterexample=None, where=None, readings=(verdict, again)
    )


def _with_meanings(verdict: Verdict, setting: Setting) -> Verdict:
    """The verdict with what each letter was taken for."""
    words = ", ".join(f"{spec.name} {spec.meaning}" for spec in setting.symbols if not spec.hidden)
    return replace(verdict, notes=(*verdict.notes, f"letters as they are used: {words}")) if words else verdict


def _check_in(claim: str, chosen: Setting, goal: str | None, *, tree: Claim | None = None) -> Verdict:
    """The verdict on a claim in a setting; on each reading where they differ. `tree`: the claim as it was read."""
    ready = compile_setting(chosen)
    try:
        tree = parse(claim) if tree is None else tree
    except NotUnderstood as error:
        return Verdict(claim, chosen.name, "not-understood", str(error), where=Span(*error.span))
    try:
        wanted = goal if goal is not None else chosen.goal
        goal_tree = parse(wanted) if wanted is not None else None
    except NotUnderstood as error:  # the place is one in the goal, not in the claim
        return Verdict(claim, chosen.name, "not-understood", f"of the goal, {error}")
    deadline = time.thread_time() + MAX_SECONDS
    verdicts = [_check_part(one, ready, goal_tree, deadline, insist=goal is not None) for one in (tree, *tree.more)]
    return verdicts[0] if len(verdicts) == 1 else _join(verdicts, (tree, *tree.more))


def _check_part(tree: Claim, ready: CompiledSetting, goal: Claim | None, deadline: float, *, insist: bool) -> Verdict:
    """The verdict on statements with common conditions, in each way that they can be read."""
    tasks, errors = _readings(tree, ready, goal, insist=insist)
    extended = None if tasks or ready.setting.broadcasts else extend_setting(tree, ready)
    if extended is not None:
        tasks, _ = _readings(tree, compile_setting(extended), goal, insist=insist)
        own = [spec for spec in extended.symbols if spec not in ready.setting.symbols]
        words = ", ".join(f"{spec.name} {spec.meaning}" for spec in own)
        tree = replace(tree, notes=(*tree.notes, f"letters of the claim as they are used: {words}"))
    if not tasks:
        by_own_letter = _check_with_own_letter(tree, ready, deadline)
        return by_own_letter if by_own_letter is not None else _refuse(tree, ready.setting, errors, deadline)
    verdicts = _judge_readings(tree, tasks[:MAX_READINGS], deadline)
    if tree.negated:
        verdicts = [_deny(verdict) for verdict in verdicts]
    if len({verdict.verdict for verdict in verdicts}) == 1:
        return verdicts[0]
    note = "this can be read in more than one way"
    best = min(verdicts, key=lambda verdict: _PREFERENCE.index(verdict.verdict))
    if best.is_true and verdicts[0].verdict == "fails" and any(one.endswith(DEVIATION) for one in best.notes):
        reason = f"it {best.verdict} if the second number of N(·, ·) is a standard deviation; as a variance it fails"
        return replace(verdicts[0], verdict="undecided", reason=reason, counterexample=None, readings=tuple(verdicts))
    return replace(best, readings=tuple(verdicts), notes=(*best.notes, note))


def _check_with_own_letter(tree: Claim, ready: CompiledSetting, deadline: float) -> Verdict | None:
    """The verdict where a letter that follows from others in the setting is the claim's own; None unless it holds.

    In q = Σ_i c_i k_i, the c_i are no entries of the output c.
    """
    given = {node.name for one in tree.premises for node in walk(one) if isinstance(node, Symbol) and node.subscripts}
    others = " ".join(spec.definition or "" for spec in ready.setting.symbols)
    for spec in ready.setting.symbols:
        follows = spec.definition is not None and not spec.open and spec.over is None
        if not follows or spec.name not in given or re.search(rf"\b{spec.name}(?![A-Za-z])", others):
            continue
        without = replace(ready.setting, symbols=tuple(one for one in ready.setting.symbols if one is not spec))
        extended = extend_setting(tree, compile_setting(without))
        tasks = _readings(tree, compile_setting(extended), None, insist=False)[0] if extended is not None else []
        found = _judge_reading(tree, tasks[0], deadline, with_nearest=False) if tasks else None
        if found is not None and found.is_true:
            return replace(found, notes=(*found.notes, f"{spec.name} was taken as a letter of the claim's own"))
    return None


_PREFERENCE = ("holds", "holds-in-limit", "undecided", "fails", "ill-formed", "not-understood")
"""Of readings that differ the kindest is told first: nobody is accused of what they may not have meant."""


def _join(verdicts: list[Verdict], parts: tuple[Claim, ...]) -> Verdict:
    """One verdict for claims with conditions of their own: what fails decides, then what was not understood."""
    order = ("fails", "ill-formed", "not-understood", "undecided", "holds-in-limit", "holds")
    place = min(range(len(verdicts)), key=lambda at: order.index(verdicts[at].verdict))
    found = verdicts[place]
    words = as_plain(replace(parts[place], more=()))
    return found if found.is_true else replace(found, reason=f"of {words}: {found.reason}")


def _deny(verdict: Verdict) -> Verdict:
    """The verdict on a claim that something does not hold."""
    if verdict.verdict == "fails":
        return replace(
            verdict, verdict="holds", reason=f"indeed it does not: {verdict.reason}", where=None, nearest=None
        )
    if verdict.is_true:
        return replace(verdict, verdict="fails", reason=f"but it does hold: {verdict.reason}", rates=())
    return verdict


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
    fixed = with_fixed_indices(task, tree.universal)
    trials = Trials(task, deadline=deadline)
    if fixed is not None and not _is_satisfiable(trials):
        task, trials = fixed, Trials(fixed, deadline=deadline)
    results: list[StatementVerdict] = []
    for statement in task.statements:
        found = _without_independence(trials, statement, tree, judge_statement(trials, statement))
        found = _beyond_one(trials, statement, found)
        if found.verdict == "fails" and statement.moment:
            found = replace(found, reason=f"the {statement.moment} differs: {found.reason}")
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


def _beyond_one(trials: Trials, statement: Statement, found: StatementVerdict) -> StatementVerdict:
    """The verdict for sizes above 1, where a counterexample has a vector of one entry only: nobody means those."""
    sizes = trials.task.setting.sizes
    shown = found.counterexample.sizes if found.verdict == "fails" and found.counterexample is not None else {}
    rows = tuple(row for row in trials.task.rows if min(sizes[row].values()) > 1)
    if 1 not in shown.values() or not rows or not trials.task.setting.broadcasts:
        return found
    again = judge_statement(Trials(replace(trials.task, rows=rows), deadline=trials.deadline), statement)
    if again.verdict not in ("holds", "holds-in-limit"):
        return found
    words = ", ".join(f"{name} = {size}" for name, size in shown.items() if size == 1)
    return replace(again, notes=(*again.notes, f"for {words} it fails, which was not taken to be meant"))


def _is_satisfiable(trials: Trials) -> bool:
    """Whether some instance satisfies what is given."""
    if not trials.has_premises():
        return True
    try:
        return any(len(batch) for batch in trials.batches(SATISFYING_DRAWS))
    except CannotEvaluate:
        return False


def _without_independence(
    trials: Trials, statement: Statement, tree: Claim, found: StatementVerdict
) -> StatementVerdict:
    """The verdict, or its opposite where covariances of single keys were given but independence is needed too."""
    needs_look = tree.premises and found.verdict == "holds" and may_rest_on_independence(statement)
    is_stated = "independen" in tree.text or re.search(r"\bi\.?i\.?d\b", tree.text)
    if not needs_look or is_stated or trials.task.setting.broadcasts:
        return found
    if not any(node == Symbol("Sigma", node.subscripts) for node in _premise_symbols(tree)):
        return found
    together = with_common_noise(trials.task)
    if together is None:
        return found
    again = judge_statement(Trials(together, deadline=trials.deadline), statement)
    if again.verdict != "fails":
        return found
    return replace(
        again, reason=f"Σ_i says nothing of two keys at once; with the same noise in all of them, {again.reason}"
    )


def _premise_symbols(tree: Claim) -> list[Symbol]:
    return [node for relation in tree.premises for node in walk(relation) if isinstance(node, Symbol)]


def _stands(result: StatementVerdict) -> bool:
    return result.verdict in ("holds", "holds-in-limit")
