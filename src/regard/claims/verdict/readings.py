"""The verdict on a claim in one setting: read in every way that types allow, each reading tried, the kindest first."""

from __future__ import annotations

import re
import time
from collections.abc import Set
from dataclasses import replace
from typing import Any

from regard.claims.meaning.definitions import CompiledSetting, compile_setting
from regard.claims.meaning.inference import extend_setting
from regard.claims.meaning.letter_laws import draw_keys_as_given
from regard.claims.meaning.recognition import SCALES
from regard.claims.meaning.setting import Setting
from regard.claims.meaning.shapes import IllFormed, UnknownName
from regard.claims.meaning.statements import GoalMissed, Task, interpret_claim, with_every_place, with_fixed_indices
from regard.claims.meaning.terms import (
    PartialDerivative,
    Statement,
    subterms,
    symbols_in,
    with_dependencies,
)
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.letters import CONSTANT_NAMES, GREEK
from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.tree import Claim, ReadingPath, Span, Symbol, walk
from regard.claims.trial.arithmetic.numbers import CannotEvaluate
from regard.claims.trial.moments import NeedsSampling
from regard.claims.trial.trials import MAX_SECONDS, Trials
from regard.claims.verdict.dependence import judge_dependent
from regard.claims.verdict.judge import judge_statement
from regard.claims.verdict.records import StatementVerdict, Verdict
from regard.claims.verdict.sizes_of_one import judge_at_one
from regard.claims.verdict.suggestions import nearest_statement, nearest_true
from regard.errors import InputFileError, NotUnderstood

DEVIATION = "read as a standard deviation"
MAX_PATHS = 96
MAX_READINGS = 4
SATISFYING_DRAWS = 8


def check_in(claim: str, chosen: Setting, goal: str | None, *, tree: Claim | None = None) -> Verdict:
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
    parts = [draw_keys_as_given(one) if chosen.has_noisy_keys else one for one in (tree, *tree.more)]
    verdicts = [_check_part(one, ready, goal_tree, deadline, insist=goal is not None) for one in parts]
    return verdicts[0] if len(verdicts) == 1 else _join(verdicts, (tree, *tree.more))


def _check_part(tree: Claim, ready: CompiledSetting, goal: Claim | None, deadline: float, *, insist: bool) -> Verdict:
    """The verdict on statements with common conditions, in each way that they can be read."""
    tasks, errors = _readings(tree, ready, goal, insist=insist)
    extended = None if tasks or ready.setting.broadcasts else extend_setting(tree, ready)
    if extended is not None:
        own = [spec for spec in extended.symbols if spec not in ready.setting.symbols]
        tasks, errors_of_own = _readings(
            tree, compile_setting(extended), goal, {one.name for one in own}, insist=insist
        )
        errors = [one for one in errors_of_own if _IS_FUNCTION in str(one)] or errors
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
        try:
            extended = extend_setting(tree, compile_setting(without))
        except InputFileError:  # another letter of the setting follows from this one
            continue
        tasks = _readings(tree, compile_setting(extended), None, insist=False)[0] if extended is not None else []
        found = _judge_reading(tree, tasks[0], deadline, with_nearest=False) if tasks else None
        if found is not None and found.is_true:
            return replace(found, notes=(*found.notes, f"{spec.name} was taken as a letter of the claim's own"))
    return None


_PREFERENCE = ("holds", "holds-in-limit", "undecided", "fails", "ill-formed", "not-understood")
"""Of readings that differ the one in which the claim is true is told first: nobody is accused of what they may not
have meant."""


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
    tree: Claim, ready: CompiledSetting, goal: Claim | None, own: Set[str] = frozenset(), *, insist: bool
) -> tuple[list[Task], list[Exception]]:
    """Every different way to read the claim in which shapes fit, and what was wrong with the others.

    `own`: letters of the claim's own among those of the setting.
    """
    tasks: dict[str, Task] = {}
    errors: list[Exception] = []
    path: ReadingPath | None = ReadingPath()
    for _ in range(MAX_PATHS):
        if path is None:
            break
        path.at = 0
        try:
            task = interpret_claim(tree, ready, goal, path, insist=insist)
            _refuse_functions(tree, own | set(task.scalars))
            tasks.setdefault(_fingerprint(task), task)
        except (IllFormed, UnknownName, GoalMissed) as error:
            errors.append(error)
        path = path.next()
    return list(tasks.values()), errors


def _refuse_functions(tree: Claim, letters: Set[str]) -> None:
    """No letter that stands for any number is a function: f of f(2x) = 2 f(x).

    Raises: UnknownName.
    """
    unknown = undefined_function(tree, letters)
    if unknown is not None:
        raise UnknownName(f"what function {unknown} {_IS_FUNCTION}", tree.span)


_IS_FUNCTION = "is, the claim does not say"
_FUNCTION = re.compile(r"(?<![A-Za-z\\_^{])(?P<name>[fgFGφψ]|h(?=\s*\([A-Z]\))|\\(?:var)?phi|\\psi)\s*(?:\\left\s*)?\(")
_MAYBE_FUNCTION = re.compile(
    r"(?<![A-Za-z\\_^{])(?P<name>[JLNσΦ]|\\sigma|\\Phi)(?![A-Za-z])(?P<call>\s*(?:\\left\s*)?\()?"
)
"""Letters for functions and for other things: a function where a bracket follows each time."""


def undefined_function(tree: Claim, letters: Set[str]) -> str | None:
    """A letter that everybody reads as a function, f of f(x), where the claim does not say which; else None.

    Read as a product, f(x + y) = f(x) + f(y) would hold. `letters`: those that are read as a factor.
    """
    sides = [side for one in tree.relations for side in (one.left, one.right)]
    names = {node.name for side in sides for node in walk(side) if isinstance(node, Symbol)} & letters
    alone = {one.left.name for one in tree.relations if isinstance(one.left, Symbol)}
    maybe = list(_MAYBE_FUNCTION.finditer(tree.text))
    bare = {found["name"] for found in maybe if not found["call"]}
    for found in (*_FUNCTION.finditer(tree.text), *(one for one in maybe if one["name"] not in bare)):
        name = GREEK.get(found["name"], found["name"].lstrip("\\").removeprefix("var"))
        if name in names and name not in alone:
            return found["name"]
    return None


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
    guessed = _own_letter(tree, setting)
    if ill is not None and guessed is not None:
        reason = f"no meaning of {guessed} was found in which shapes fit: {ill}"
        return Verdict(tree.text, setting.name, "not-understood", reason, where=ill.span, notes=tree.notes)
    if ill is not None:
        return Verdict(
            tree.text, setting.name, "ill-formed", str(ill), how="shapes alone", where=ill.span, notes=tree.notes
        )
    [first, *_] = errors
    assert isinstance(first, UnknownName)
    return Verdict(tree.text, setting.name, "not-understood", str(first), where=first.span, notes=tree.notes)


def _own_letter(tree: Claim, setting: Setting) -> str | None:
    """A letter that neither the setting has nor the claim says anything of, as u of k_i + u; a scale is none."""
    known = {*setting.size_names, *CONSTANT_NAMES, *SCALES, "delta"}
    known |= {name.split("_")[0] for spec in setting.symbols for name in spec.spellings}
    relations = [one for part in (tree, *tree.more) for one in part.relations]
    known |= {one.left.name for one in relations if isinstance(one.left, Symbol)}
    known |= {node.name for node in _premise_symbols(tree)}
    symbols = [node for one in relations for node in walk(one) if isinstance(node, Symbol)]
    indices = {word for node in symbols for word in node.subscripts}
    letters = [node.name for node in symbols if node.name not in known | indices and len(node.name) == 1]
    return letters[0] if letters else None


def _judge_readings(tree: Claim, tasks: list[Task], deadline: float) -> list[Verdict]:
    """A verdict for each reading; covariance matrices that are equal have equal traces, which need no trial."""
    first = _judge_reading(tree, tasks[0], deadline)
    is_equation = all(statement.comparison in ("=", "≈", "→") for statement in tasks[0].statements)
    settles = first.verdict in ("holds", "holds-in-limit") and is_equation and tasks[0].spread == 0
    others = [task for task in tasks[1:] if not (settles and task.spread)]
    return [first, *(_judge_reading(tree, task, deadline, with_nearest=False) for task in others)]


def _judge_reading(tree: Claim, task: Task, deadline: float, *, with_nearest: bool = True) -> Verdict:
    """The verdict on a reading; an index that only what is given has is one place, or if that fails every place."""
    found = _judge_statements(tree, task, deadline, with_nearest=with_nearest)
    everywhere = with_every_place(task) if found.verdict == "fails" else None
    again = _judge_statements(tree, everywhere, deadline, with_nearest=False) if everywhere is not None else found
    if everywhere is None or not again.is_true:
        return found
    names = ", ".join(name for name in task.free_indices if name not in everywhere.free_indices)
    return replace(again, notes=(*again.notes, f"what is given was taken to hold for all {names}"))


def _judge_statements(tree: Claim, task: Task, deadline: float, *, with_nearest: bool) -> Verdict:
    """All statements must hold; the first that does not decides."""
    fixed = with_fixed_indices(task, tree.universal)
    trials = Trials(task, deadline=deadline)
    is_weaker = fixed is not None and not _is_satisfiable(trials)
    if fixed is not None and is_weaker:
        task, trials = fixed, Trials(fixed, deadline=deadline)
    results: list[StatementVerdict] = []
    for statement in task.statements:
        found = judge_dependent(trials, statement, tree, judge_statement(trials, statement))
        found = judge_at_one(trials, statement, tree, found)
        if is_weaker and found.verdict == "fails":
            found = StatementVerdict("not-understood", _ONE_PLACE, found.how, span=found.span)
        if found.verdict == "fails" and _has_identity_given(task, statement):
            found = StatementVerdict("not-understood", _ONE_POINT, found.how, span=found.span)
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
        how=_join_ways([one.how for one in results if one.how]) if _stands(last) else last.how,
        counterexample=last.counterexample,
        rates=tuple(rate for one in results for rate in one.rates),
        where=None if _stands(last) else last.span,
        nearest=nearest,
        notes=(*tree.notes, *task.notes, *(word for one in results for word in one.notes)),
    )


_ONE_POINT = "a derivative is given for all values of its letter; it was tried at one of them, which is not enough"


def _has_identity_given(task: Task, statement: Statement) -> bool:
    """Whether ∇_x (xᵀ A x) = 2 A x is given, and what is claimed of A has no x: it is given for all x."""
    about = with_dependencies(symbols_in(statement.left) | symbols_in(statement.right), task.definitions)
    sides = [side for one in task.premises for side in (one.statement.left, one.statement.right)]
    return any(not _letters_derived_by(side) <= about for side in sides)


def _letters_derived_by(term: Any) -> set[str]:
    own = symbols_in(term.by) if isinstance(term, PartialDerivative) else set()
    return own.union(*(_letters_derived_by(child) for child in subterms(term)))


_ONE_PLACE = "no instance was found that satisfies what is given at all places; at one place alone it is not enough"


def _join_ways(ways: list[str]) -> str:
    """What was tried for each statement of a claim, numbered where it differs."""
    if len(set(ways)) <= 1:
        return "".join(ways[:1])
    return "; ".join(f"({place}) {way}" for place, way in enumerate(ways, start=1))


def _is_satisfiable(trials: Trials) -> bool:
    """Whether some instance satisfies what is given."""
    if not trials.has_premises():
        return True
    try:
        return any(len(batch) for batch in trials.batches(SATISFYING_DRAWS))
    except CannotEvaluate:
        return False
    except NeedsSampling:
        return True  # which the judge finds out, and tells


def _premise_symbols(tree: Claim) -> list[Symbol]:
    return [node for relation in tree.premises for node in walk(relation) if isinstance(node, Symbol)]


def _stands(result: StatementVerdict) -> bool:
    return result.verdict in ("holds", "holds-in-limit")
