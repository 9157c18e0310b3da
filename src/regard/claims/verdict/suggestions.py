"""True statements near a false one, each tried before it is suggested, and confirmed by the second evaluation.

a factor        the sides differ by the same number, size or letter everywhere: "the left side is 2 times the right"
a property      what would have to be said of a letter: "it holds if A has orthonormal columns"
a limit         = is false but ≈ is true
a large factor  with C before what the claim defines the goal is reached in the limit
another goal    what the definition does reach, out of the setting's `others`: "M s = c holds"
the answer      a definition that is known to reach the goal: the setting's `answer`
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from regard.claims.meaning.definitions import compile_setting
from regard.claims.meaning.setting import Setting, SymbolSpec
from regard.claims.meaning.shapes import IllFormed, UnknownName
from regard.claims.meaning.statements import GoalMissed, Task, interpret_claim
from regard.claims.meaning.terms import (
    Combine,
    Constant,
    FreeScalar,
    Moment,
    Ref,
    SizeOf,
    Statement,
    Term,
    contains,
)
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.tree import Claim, ReadingPath
from regard.claims.trial.arithmetic.numbers import FLOATS, CannotEvaluate
from regard.claims.trial.comparison import Sides
from regard.claims.trial.instances.draws import GENERIC_DRAWS, DrawBatch
from regard.claims.trial.limit import SCALES as LIMIT_SCALES
from regard.claims.trial.limit import Limit, LimitFound, find_limit
from regard.claims.trial.moments import NeedsSampling
from regard.claims.trial.trials import Trials, draws_for
from regard.claims.verdict.sampled_moments import sample_truth
from regard.claims.verdict.search import search_everywhere

SAME = 1e-9
EQUAL, FAR_GAP = 1e-7, 1e-2
"""How near to each other the second evaluation must find two sides: equal ones, and those that are so in a limit."""
N_CONFIRMED = 2
MAX_LETTERS = 3
SIMPLE_DENOMINATOR = 12
FACTOR = "C"


def nearest_true(setting: Setting, claim: Claim, deadline: float) -> str | None:
    """What holds instead of a goal that definitions miss by their shape already, and what would reach it."""
    return _join(_other_goal(setting, claim, deadline), _answer(setting))


def nearest_statement(trials: Trials, statement: Statement, claim: Claim) -> str | None:
    """A true statement near one that fails."""
    try:
        if trials.task.is_goal:
            return _near_goal(trials, statement, claim)
        if statement.comparison in ("≈", "→"):
            return None if trials.task.scalars else _large_factor(trials, statement)
        if statement.comparison == "=":
            return _factor(trials, statement) or _limit(trials, statement) or _property(trials, statement)
    except (NeedsSampling, CannotEvaluate):
        return None
    return None


def _join(*sentences: str | None) -> str | None:
    return "; ".join(sentence for sentence in sentences if sentence) or None


def _near_goal(trials: Trials, statement: Statement, claim: Claim) -> str | None:
    """For definitions: what they reach instead, whether a large factor would help, and what reaches the goal."""
    other = _other_goal(trials.task.setting, claim, trials.deadline)
    large = None if trials.task.scalars else _large_factor(trials, statement)
    return _join(large, other) if large else _join(other, _answer(trials.task.setting))


# The second evaluation


def _is_confirmed(trials: Trials, statement: Statement, limit: Limit | None = None) -> bool:
    """Whether the second evaluation, too, finds the sides equal; in a limit, near to each other far out.

    It knows no moments: of those, samples must not say otherwise.
    """
    try:
        batch = next(trials.batches(draws_for(trials, statement), only_small=True)).only(slice(0, N_CONFIRMED))
        draws = [batch.only([place]) for place in range(len(batch))]
        if contains(statement.left, Moment) or contains(statement.right, Moment):
            rng = np.random.default_rng(3)
            return limit is not None or sample_truth(trials, statement, draws[0], rng, n_looks=2).answer != "no"
        draws = draws if limit is None else [limit.at(draw, LIMIT_SCALES[-1]) for draw in draws]
        from regard.claims.verdict.second_opinion import largest_gap  # mpmath: only what fails needs it

        gaps = [largest_gap(trials.task, statement, draw, trials.assignments(draw)) for draw in draws]
    except (NeedsSampling, CannotEvaluate):
        return False
    known = [gap for gap in gaps if gap is not None]
    return bool(known) and max(known) <= (EQUAL if limit is None else FAR_GAP)


# A property of a letter


def _property(trials: Trials, statement: Statement) -> str | None:
    """What would have to be true of one matrix or vector of the claim, so that the statement holds."""
    setting = trials.task.setting
    letters = [spec for spec in setting.symbols if spec.law == "normal" and spec.over is None and spec.shape != (1, 1)]
    if not setting.broadcasts or trials.task.premises or not 0 < len(letters) <= MAX_LETTERS:
        return None
    for spec in letters:
        for law, words in _properties(spec):
            changed = _with_law(trials, spec, law)
            search = search_everywhere(changed, statement, with_hunt=False)
            if search.against is None and not search.all_undefined and _is_confirmed(changed, statement):
                return f"it holds if {spec.name} {words}"
    return None


def _properties(spec: SymbolSpec) -> list[tuple[str, str]]:
    if spec.shape[1] == 1:
        return [("orthonormal", "has length 1")]
    symmetric = [("symmetric", "is symmetric")] if spec.shape[0] == spec.shape[1] else []
    return [("orthonormal", "has orthonormal columns"), *symmetric]


def _with_law(trials: Trials, spec: SymbolSpec, law: str) -> Trials:
    """Trials in which a letter has another law; with at least as many rows as columns where these are orthonormal."""
    task = trials.task
    rows, columns = (str(size) for size in spec.shape)
    sizes = task.setting.sizes
    if columns in sizes[0]:
        sizes = tuple({**row, rows: max(row[rows], row[columns])} for row in sizes)
    symbols = tuple(replace(one, law=law) if one is spec else one for one in task.setting.symbols)
    compiled = replace(task.compiled, setting=replace(task.setting, symbols=symbols, sizes=sizes))
    return Trials(replace(task, compiled=compiled), deadline=trials.deadline)


# A factor


def _factor(trials: Trials, statement: Statement) -> str | None:
    """The factor by which the sides differ on every instance, a number or a letter."""
    ratios, letters = [], []
    for every in trials.batches(draws_for(trials, statement), only_small=True):
        batch = every.only(slice(0, GENERIC_DRAWS))
        for sides in trials.sides(statement, batch):
            ratio = _ratios(sides)
            if ratio is None:
                return None
            ratios.append(ratio)
            letters.append(_letters(trials, batch))
    ratio = np.concatenate(ratios)
    for name, power in [("", 0), *((name, power) for name in letters[0] for power in (1, -1, 2, -2))]:
        known = np.concatenate([one[name] ** power for one in letters]) if name else 1.0
        rest = ratio / known
        if np.abs(rest - rest[0]).max() <= SAME * abs(rest[0]):
            is_true = _is_confirmed(trials, _times(statement, float(rest[0]), name, power, trials))
            return _factor_text(float(rest[0]), name, power) if is_true else None
    return None


def _times(statement: Statement, number: float, name: str, power: int, trials: Trials) -> Statement:
    """The statement with its right side multiplied by a number and a power of a letter or size."""
    simple = Fraction(number).limit_denominator(SIMPLE_DENOMINATOR)
    factor: Term = Constant(simple if abs(float(simple) - number) <= SAME * abs(number) else Fraction(number))
    if name:
        letter = SizeOf(name) if name in trials.task.setting.size_names else Ref(name)
        factor = Combine("*", factor, Combine("^", letter, Constant(Fraction(power))))
    return replace(statement, right=Combine("*", factor, statement.right))


def _ratios(sides: Sides) -> np.ndarray | None:
    """left / right for each draw, where they are multiples of each other."""
    left, right = (np.asarray(side, dtype=float).reshape(len(side), -1) for side in (sides.left, sides.right))
    with np.errstate(all="ignore"):
        ratio = (left * right).sum(axis=1) / (right * right).sum(axis=1)
        is_multiple = np.abs(left - ratio[:, None] * right).max(axis=1) <= SAME * np.abs(left).max(axis=1)
    if not (np.isfinite(ratio).all() and is_multiple.all() and (ratio != 0).all()):
        return None
    return ratio


def _letters(trials: Trials, batch: DrawBatch) -> dict[str, np.ndarray]:
    """The numbers that a factor may be made of: sizes, free letters, and what a limit is taken in."""
    found = {name: np.full(len(batch), float(size)) for name, size in batch.sizes.items()}
    names = [*trials.task.scalars, *(spec.name for spec in trials.task.setting.symbols if spec.limit)]
    return found | {name: batch.raw[name].reshape(-1) for name in names if name in batch.raw}


def _factor_text(number: float, name: str, power: int) -> str | None:
    fraction = Fraction(number).limit_denominator(SIMPLE_DENOMINATOR)
    is_simple = abs(float(fraction) - number) <= SAME * abs(number)
    if not is_simple and not name:
        return f"the left side is {number:.6g} times the right side, on every instance"
    if not is_simple or (fraction == 1 and not name):
        return None
    if fraction == -1 and not name:
        return "the sign is wrong: the left side is minus the right side"
    letter = {1: name, -1: f"1/{name}", 2: f"{name}²", -2: f"1/{name}²"}.get(power, "")
    words = " · ".join(word for word in (str(fraction) if fraction != 1 else "", letter) if word)
    return f"a factor is missing: the left side is {words} times the right side"


# A limit


def _limit(trials: Trials, statement: Statement) -> str | None:
    if not trials.limits_of(statement):
        return None
    near = replace(statement, comparison="≈")
    found = find_limit(trials, near, with_rates=False)
    if not isinstance(found, LimitFound) or not _is_confirmed(trials, near, found.limit):
        return None
    return f"≈ instead of =: it holds as {found.limit.words}"


def _large_factor(trials: Trials, statement: Statement) -> str | None:
    """Whether a large number before what is defined would reach the goal."""
    task = trials.task
    names = [name for name in task.definitions if name not in task.compiled.definitions and name in _open(task)]
    if not names or not task.setting.free_large or FACTOR in task.definitions:
        return None
    changed = {
        name: replace(task.definitions[name], body=Combine("*", Ref(FACTOR), task.definitions[name].body))
        for name in names
    }
    scaled = replace(task, definitions={**task.definitions, **changed}, scalars={FACTOR: FreeScalar(FACTOR, "large")})
    trials_with = Trials(scaled, deadline=trials.deadline)
    if not trials_with.limits_of(statement):
        return None
    near = replace(statement, comparison="≈")
    found = find_limit(trials_with, near)
    if not isinstance(found, LimitFound) or not _is_confirmed(trials_with, near, found.limit):
        return None
    percent = f", within 1 % from {FACTOR} = {found.rates[0].one_percent_at:.3g} on" if found.rates else ""
    which = " and ".join(names)
    words = f"with {FACTOR} before it, it holds as {found.limit.words}{percent}"
    return f"{_weighs(trials)}{which} needs a large factor: {words}"


def _open(task: Task) -> set[str]:
    return {spec.name for spec in task.setting.symbols if spec.open}


def _weighs(trials: Trials) -> str:
    """How much weight a has now, in numbers."""
    task = trials.task
    if len(task.setting.weights) != 1 or "a" not in task.setting.marked:
        return ""
    batch = list(trials.batches(GENERIC_DRAWS))[-1].only(slice(0, 1))
    still = {spec.name: np.zeros_like(batch.raw[spec.name]) for spec in task.setting.symbols if spec.random}
    world = trials.world(batch.having(**still), FLOATS)
    if trials.names_indices:
        return ""
    weights = world.value(task.setting.weights[0][0]).reshape(-1)
    count = task.setting.counts
    return f"as it is, key a weighs {weights[batch.marked['a']]:.2g} at {count} = {batch.sizes[count]}: "


# Other goals and answers


def _other_goal(setting: Setting, claim: Claim, deadline: float) -> str | None:
    """Another statement of the setting that the same definitions make true."""
    for text in setting.others:
        found = _holds(setting, claim, text, deadline)
        if found:
            return f"instead {found}"
    return None


def _holds(setting: Setting, claim: Claim, goal: str, deadline: float) -> str | None:
    try:
        task = interpret_claim(claim, compile_setting(setting), parse(goal), ReadingPath())
    except (IllFormed, UnknownName, GoalMissed):
        return None
    trials = Trials(task, deadline=deadline)
    [statement] = task.statements[-1:]
    try:
        exact = replace(statement, comparison="=")
        if search_everywhere(trials, exact).against is None:
            return f"{_as_text(goal)} holds" if _is_confirmed(trials, exact) else None
        if statement.comparison == "≈" and trials.limits_of(statement):
            found = find_limit(trials, statement, with_rates=False)
            is_true = isinstance(found, LimitFound) and _is_confirmed(trials, statement, found.limit)
            return f"{_as_text(goal)} holds as {found.limit.words}" if is_true else None
    except (NeedsSampling, CannotEvaluate):
        return None
    return None


def _answer(setting: Setting) -> str | None:
    return f"{_as_text(setting.answer)} reaches the goal" if setting.answer else None


def _as_text(claim: str) -> str:
    from regard.claims.syntax.printer import as_plain

    return as_plain(parse(claim))
