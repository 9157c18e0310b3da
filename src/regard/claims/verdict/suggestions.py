"""True statements near a false one, each tried before it is suggested.

a factor        the sides differ by the same number, size or letter everywhere: "the left side is 2 times the right"
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
from regard.claims.meaning.setting import Setting
from regard.claims.meaning.shapes import IllFormed, UnknownName
from regard.claims.meaning.statements import GoalMissed, Task, interpret_claim
from regard.claims.meaning.terms import Combine, FreeScalar, Ref, Statement
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.tree import Claim, ReadingPath
from regard.claims.trial.arithmetic.numbers import FLOATS, CannotEvaluate
from regard.claims.trial.comparison import Sides
from regard.claims.trial.instances.draws import GENERIC_DRAWS, DrawBatch
from regard.claims.trial.limit import LimitFound, find_limit
from regard.claims.trial.moments import NeedsSampling
from regard.claims.trial.trials import Trials, draws_for
from regard.claims.verdict.search import search_everywhere

SAME = 1e-9
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
            return _factor(trials, statement) or _limit(trials, statement)
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
            return _factor_text(float(rest[0]), name, power)
    return None


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
    found = find_limit(trials, replace(statement, comparison="≈"), with_rates=False)
    return f"≈ instead of =: it holds as {found.limit.words}" if isinstance(found, LimitFound) else None


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
    found = find_limit(trials_with, replace(statement, comparison="≈"))
    if not isinstance(found, LimitFound):
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
    if trials.names_indices():
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
        if search_everywhere(trials, replace(statement, comparison="=")).against is None:
            return f"{_as_text(goal)} holds"
        if statement.comparison == "≈" and trials.limits_of(statement):
            found = find_limit(trials, statement, with_rates=False)
            return f"{_as_text(goal)} holds as {found.limit.words}" if isinstance(found, LimitFound) else None
    except (NeedsSampling, CannotEvaluate):
        return None
    return None


def _answer(setting: Setting) -> str | None:
    return f"{_as_text(setting.answer)} reaches the goal" if setting.answer else None


def _as_text(claim: str) -> str:
    from regard.claims.syntax.printer import as_plain

    return as_plain(parse(claim))
