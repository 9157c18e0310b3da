"""Limits: does a gap vanish as C → ∞ or α → 0, how fast, and from where on is it below one per cent?

The least that is needed is found: α → 0 alone, C → ∞ alone, then both, with α → 0 first. Scales grow geometrically; a
gap vanishes if it is as good as nothing at the last, or still falls by a steady factor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np

from regard.claims.meaning.terms import Constant, Statement, symbols_in
from regard.claims.trial.arithmetic.numbers import CannotEvaluate, TooLong
from regard.claims.trial.instances.draws import GENERIC_DRAWS, DrawBatch
from regard.claims.trial.trials import TAME, Trials, draws_for
from regard.claims.verdict.records import Rate

SCALES = (4096.0, 16384.0, 65536.0)
FINE_SCALES = tuple(2.0**j for j in range(13))
FAR_SCALES = (2.0**20, 2.0**26, 2.0**32, 2.0**38)
NEAR_SCALES = (8.0, 64.0)
MIDDLE_SCALES = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 256.0, 4096.0, 65536.0)
"""Where numbers overflow far out, the last of these at which they do not are looked at."""
LOST = 1e-100
NOTHING = 1e-7
VANISHED = 1e-200
"""What stands for a vanishing number where 0 itself would divide by zero."""
STEADY = 0.8
ONE_PERCENT = 0.01
PERCENT_SCALES = tuple(2.0 ** (j - 5) for j in range(25))
REFINEMENTS = 4
Gap: TypeAlias = Callable[[list[float]], list[float]]
"""The gaps at several scales."""


@dataclass(frozen=True)
class Limit:
    """Letters that go to their limits: the gap is watched along `moving`, with `still` already at theirs."""

    moving: tuple[str, ...]
    still: tuple[str, ...]
    directions: dict[str, str]
    vanished: float = 0.0

    def at(self, batch: DrawBatch, scale: float) -> DrawBatch:
        """The batch with the letters so far towards their limits; with several, each at its own ratio."""
        changed = {}
        for name in self.moving:
            changed[name] = _towards(self.directions[name], batch.raw[name], scale, is_alone=len(self.moving) == 1)
        for name in self.still:
            changed[name] = np.full_like(batch.raw[name], _number(self.directions[name]) + self.vanished)
        return batch.having(**changed)

    @property
    def is_from_both_sides(self) -> bool:
        """Whether some letter goes to a number from either side."""
        return any(self.directions[name].startswith("at ") for name in self.moving)

    @property
    def words(self) -> str:
        """C → ∞ and α → 0."""
        first = [f"{name} → {_target(self.directions[name])}" for name in self.still]
        then = [f"{name} → {_target(self.directions[name])}" for name in self.moving]
        return " and ".join(then + first)


def _towards(direction: str, raw: np.ndarray, scale: float, *, is_alone: bool) -> np.ndarray:
    """A letter so far on its way, several letters each at its own ratio; to a number from the side that is said.

    Without a side, some draws come from above and some from below; which do depends on their own numbers alone.
    """
    ratio = np.where((raw == 0) | is_alone, 1.0, np.abs(raw))  # from 0, nothing goes anywhere
    if direction in ("large", "minus"):
        return ratio * scale if direction == "large" else -ratio * scale
    if direction == "small":
        return ratio / scale
    side, number = direction.split()
    sides = {"above": np.ones_like(raw), "below": -np.ones_like(raw)}
    either = np.where(np.floor(np.abs(raw) * 1e6) % 2 == 0, 1.0, -1.0)
    return float(Fraction(number)) + sides.get(side, either) * ratio / scale


def _number(direction: str) -> float:
    """The number that a letter goes to."""
    return float(Fraction(direction.split()[1])) if " " in direction else 0.0


_SIGNS = {"above": "⁺", "below": "⁻"}


def _target(direction: str) -> str:
    named = {"large": "∞", "minus": "−∞", "small": "0"}.get(direction)
    side, _, number = direction.partition(" ")
    return named or f"{number}{_SIGNS.get(side, '')}"


@dataclass(frozen=True)
class LimitFound:
    """The limit in which a statement holds, its rate, and on how many instances it was watched."""

    limit: Limit
    rates: tuple[Rate, ...]
    n_instances: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class NoLimit:
    """The draw whose gap stays, and the limit that was tried."""

    limit: Limit
    against: DrawBatch
    gap: float
    is_rounded: bool = False
    """Whether far out the gap is lost to the rounding of float64."""


def find_limit(trials: Trials, statement: Statement, *, with_rates: bool = True) -> LimitFound | NoLimit:
    """The least limit in which the gap vanishes for all draws, and how fast it does."""
    failed: NoLimit | None = None
    for wanted in possible_limits(trials.limits_of(statement)):
        limit = wanted
        if wanted.still and not _is_defined(trials, statement, wanted):
            limit = replace(wanted, vanished=VANISHED)
        found = _against(trials, statement, limit)
        if isinstance(found, int):
            is_exact = not trials.needs_digits  # rates are measured with fifty digits
            rates, notes = _rates(trials, statement, limit) if with_rates and is_exact else ((), ())
            return LimitFound(limit, rates, found, notes)
        failed = found
    assert failed is not None
    return failed


def _is_defined(trials: Trials, statement: Statement, limit: Limit) -> bool:
    """Whether the small letters may simply be 0."""
    batch = next(trials.batches(draws_for(trials, statement)))
    return bool(np.isfinite(trials.gaps(statement, limit.at(batch, 4.0))).all())


def possible_limits(directions: dict[str, str]) -> Iterator[Limit]:
    """Small letters alone, large ones alone, then both, what goes to a number first."""
    small = tuple(name for name, where in directions.items() if where == "small")
    large = tuple(name for name, where in directions.items() if where != "small")
    far = tuple(name for name in large if directions[name] in ("large", "minus"))
    if small:
        yield Limit(small, (), directions)
    if large:
        yield Limit(large, (), directions)
    if small and large:
        yield Limit(large, small, directions)
    if far and len(far) < len(large):
        yield Limit(far, tuple(name for name in directions if name not in far), directions)


def _against(trials: Trials, statement: Statement, limit: Limit) -> int | NoLimit:
    """How many draws converge, if all do; else one that does not."""
    n_instances = 0
    for drawn in trials.batches(draws_for(trials, statement), only_small=trials.uses_laws(statement)):
        batch = tame_draws(drawn)
        if next(iter(trials.sides(statement, limit.at(batch, SCALES[-1]))), None) is None:
            continue  # no place satisfies what is given: nothing would be compared
        gaps = gaps_at(trials, statement, batch, [limit.at(batch, scale) for scale in SCALES])
        defined = _draws_with_numbers(trials, statement, limit.at(batch, SCALES[-1])) | (not limit.is_from_both_sides)
        if defined.any() and not defined.all():  # √x → 0 as x → 0
            batch, gaps = batch.only(np.flatnonzero(defined)), gaps[:, defined]
        for draw in np.flatnonzero(~is_vanishing(gaps)):
            one = batch.only(slice(draw, draw + 1))
            gap = _far_gap(trials, statement, limit, one)
            if gap > 0:
                return NoLimit(limit, one, gap)
        first = batch.only(slice(0, 1))
        gap = _vanishing_gap(trials, statement, limit, first)
        if gap > 0:
            return NoLimit(limit, first, gap)
        gap = _rounded_gap(trials, statement, limit, first)
        if gap > 0:
            return NoLimit(limit, first, gap, is_rounded=True)
        n_instances += len(batch)
    if not n_instances:
        raise CannotEvaluate(f"what is given is true of no place as {limit.words}")
    return n_instances


def _draws_with_numbers(trials: Trials, statement: Statement, batch: DrawBatch) -> np.ndarray:
    """The draws on which both sides are numbers, or infinite."""
    found = np.ones(len(batch), dtype=bool)
    for sides in trials.sides(statement, batch):
        for side in (sides.left, sides.right):
            found &= ~np.isnan(side).any(axis=(-2, -1))
    return found


def tame_draws(batch: DrawBatch) -> DrawBatch:
    """Draws without huge numbers, where there are some: a limit is one for each instance, however slow on some."""
    sizes = np.max([np.abs(array).reshape(len(batch), -1).max(axis=1) for array in batch.raw.values()], axis=0)
    tame = np.flatnonzero(sizes <= TAME)
    return batch.only(tame) if len(tame) >= 2 else batch


def gaps_at(trials: Trials, statement: Statement, batch: DrawBatch, scaled: list[DrawBatch]) -> np.ndarray:
    """The gaps (scale, draw) of a batch at several scales, all worked out at once."""
    raw = {name: np.concatenate([one.raw[name] for one in scaled]) for name in batch.raw}
    return trials.gaps(statement, batch.having(**raw)).reshape(len(scaled), len(batch))


def is_vanishing(gaps: np.ndarray) -> np.ndarray:
    """Whether each column, gaps at growing scales, goes to nothing."""
    before, last = gaps[-3:-1], gaps[-1]
    with np.errstate(invalid="ignore"):
        is_falling = (last < STEADY * before[1]) & (before[1] < STEADY * before[0]) & (last < 0.02)
        return (last <= NOTHING) | is_falling


def _far_gap(trials: Trials, statement: Statement, limit: Limit, draw: DrawBatch) -> float:
    """The gap at scales far out, with many digits; 0 where it vanishes after all."""
    if trials.uses_laws(statement):
        gaps = [float(trials.gaps(statement, limit.at(draw, scale))[0]) for scale in SCALES]
    else:
        gaps = [trials.exact_gap(statement, limit.at(draw, scale)) for scale in FAR_SCALES]
    if not all(map(math.isfinite, gaps)) and not trials.uses_laws(statement):
        gaps = [
            gap for scale in MIDDLE_SCALES if math.isfinite(gap := trials.exact_gap(statement, limit.at(draw, scale)))
        ]
    if len(gaps) < 3 or not all(map(math.isfinite, gaps)):
        raise TooLong(f"numbers become too large to be followed as {limit.words}")  # overflow refutes nothing
    if bool(is_vanishing(np.array(gaps)[:, None])[0]) or _vanishes_with_digits(trials, statement, limit, draw):
        return 0.0
    return max(gaps[-1], 1e-12)


MANY_DIGITS = 400
DIGIT_SCALES = (8.0, 16.0, 32.0, 64.0, 128.0)


def _vanishes_with_digits(trials: Trials, statement: Statement, limit: Limit, draw: DrawBatch) -> bool:
    """Whether the gap goes to nothing once there are digits enough: 1 − tanh x is 0 to fifty digits from x = 58 on."""
    if trials.uses_laws(statement):
        return False
    fifty, many = (
        [trials.exact_gap(statement, limit.at(draw, scale), digits=digits) for scale in DIGIT_SCALES]
        for digits in (None, MANY_DIGITS)
    )
    is_lost = any(
        abs(a - b) > NOTHING for a, b in zip(fifty, many, strict=True) if math.isfinite(a) and math.isfinite(b)
    )
    is_found = is_lost and all(map(math.isfinite, many)) and bool(is_vanishing(np.array(many)[:, None])[0])
    trials.needs_digits |= is_found
    return is_found


def _vanishing_gap(trials: Trials, statement: Statement, limit: Limit, draw: DrawBatch) -> float:
    """The gap of sides that both vanish, as in α_b ≈ 2e^−C: far out nothing is left of them."""
    if Constant(Fraction(0)) in (statement.left, statement.right) or trials.uses_laws(statement):
        return 0.0
    for sides in trials.sides(statement, limit.at(draw, SCALES[0])):
        with np.errstate(all="ignore"):
            size = max(float(np.abs(side).max()) for side in (sides.left, sides.right))
        if size < LOST:
            gaps = [trials.exact_gap(statement, limit.at(draw, scale)) for scale in NEAR_SCALES]
            return 0.0 if gaps[-1] <= NOTHING or gaps[-1] < gaps[0] / 2 else gaps[-1]
    return 0.0


ROUNDED_SCALES = (64.0, 128.0)


def _rounded_gap(trials: Trials, statement: Statement, limit: Limit, draw: DrawBatch) -> float:
    """The gap that rounding hides: e^z (1 − σ(z)) is 1 far out, and 0 to the digits of float64; else 0."""
    if trials.uses_laws(statement):
        return 0.0
    hidden = []
    for scale in ROUNDED_SCALES:
        there = limit.at(draw, scale)
        gap = trials.exact_gap(statement, there, digits=MANY_DIGITS)
        if not (float(trials.gaps(statement, there)[0]) <= NOTHING and math.isfinite(gap) and gap > ONE_PERCENT):
            return 0.0
        hidden.append(gap)
    return hidden[-1] if hidden[-1] > hidden[0] / 2 else 0.0


FIRST_ORDER_SCALES = (1e2, 1e3, 1e4)


def meets_to_first_order(trials: Trials, statement: Statement, limit: Limit) -> bool:
    """Whether ≈ holds beyond the common limit of both sides: e^x ≈ 1 + x does, e^x ≈ 1 + 2x does not.

    Asked only where a letter goes to a number and both sides are written with it: then the difference must be small
    beside how far the right side is from its limit.
    """
    letter = limit.moving[0]
    is_written = letter in symbols_in(statement.left) and letter in symbols_in(statement.right)
    if statement.comparison != "≈" or len(limit.moving) > 1 or not is_written or limit.still:
        return True
    if limit.directions[letter] in ("large", "minus") or trials.uses_laws(statement):
        return True
    batch = tame_draws(next(trials.batches(GENERIC_DRAWS)))
    ratios = []
    for scale in FIRST_ORDER_SCALES:
        here, there = limit.at(batch, scale), limit.at(batch, 1e12)
        for sides, ends in zip(trials.sides(statement, here), trials.sides(statement, there), strict=True):
            with np.errstate(all="ignore"):
                change = np.abs(sides.right - ends.right).max()
                ratios.append(float(np.abs(sides.left - sides.right).max() / change) if change > 1e-11 else 0.0)
    return not (len(ratios) >= len(FIRST_ORDER_SCALES) and min(ratios) > ONE_PERCENT)


# Rates


def _rates(trials: Trials, statement: Statement, limit: Limit) -> tuple[tuple[Rate, ...], tuple[str, ...]]:
    """How fast, on draws with nothing special of the largest size."""
    n_draws = 1 if trials.uses_laws(statement) else GENERIC_DRAWS
    batch = list(trials.batches(draws_for(trials, statement)))[-1].only(slice(0, n_draws))
    letter = limit.moving[0]
    if limit.directions[letter] not in ("large", "small"):
        return (), ()
    name = letter if limit.directions[letter] == "large" else f"1/{letter}"
    notes = _path_notes(trials, statement, limit, batch) if limit.still else ()

    def gap(scales: list[float]) -> list[float]:
        gaps = gaps_at(trials, statement, batch, [limit.at(batch, scale) for scale in scales])
        return [float(worst) for worst in gaps.max(axis=1)]

    seen = _measure_gaps(gap)
    if len(seen) < 3:
        return (), notes
    form, power = fit_rate(seen)
    return (Rate(name, form, round(power, 3), one_percent_scale(gap)),), notes


def _measure_gaps(gap: Gap) -> list[tuple[float, float]]:
    """Gaps at doubling scales, until rounding covers them."""
    pairs = list(zip(FINE_SCALES, gap(list(FINE_SCALES)), strict=True))
    ends = [place for place, (_, one) in enumerate(pairs) if not one > 1e-11]
    ends += [
        place for place in range(1, len(pairs)) if pairs[place - 1][1] < 1e-3 and pairs[place][1] > pairs[place - 1][1]
    ]
    end = min(ends, default=len(pairs))
    return [(scale, one) for scale, one in pairs[:end] if one < 0.5]


def fit_rate(seen: list[tuple[float, float]]) -> tuple[Literal["power", "exponential"], float]:
    """scale^-power or exp(−power · scale), from the last three gaps at doubling scales.

    >>> fit_rate([(8.0, 1 / 8), (16.0, 1 / 16), (32.0, 1 / 32)])
    ('power', 1.0)
    """
    (_, g1), (s2, g2), (s3, g3) = seen[-3:]
    first, second = math.log(g1 / g2), math.log(g2 / g3)
    if second > 1.5 * first and second > 1:
        return "exponential", second / (s3 - s2)
    return "power", second / math.log(s3 / s2)


def one_percent_scale(gap: Gap) -> float:
    """The scale from which on the gap is below one per cent, to four digits; infinite where that is too far out.

    >>> one_percent_scale(lambda scales: [1 / scale for scale in scales])
    100.0
    """
    scales = list(PERCENT_SCALES)
    for _ in range(REFINEMENTS):
        above = [place for place, one in enumerate(gap(scales)) if one > ONE_PERCENT]
        if above and above[-1] == len(scales) - 1:
            return math.inf
        low = scales[above[-1]] if above else scales[0]
        high = scales[above[-1] + 1] if above else scales[0]
        scales = [float(scale) for scale in np.linspace(low, high, len(scales))]
    return float(f"{high:.4g}")


def _path_notes(trials: Trials, statement: Statement, limit: Limit, batch: DrawBatch) -> tuple[str, ...]:
    """How fast the small letters must vanish beside the large ones: tried along α = C⁻¹, C⁻², C⁻³, C⁻⁴."""
    small, large = limit.still[0], limit.moving[0]
    for power in (1, 2, 3, 4):

        def at(scale: float, power: int = power) -> DrawBatch:
            one = Limit(limit.moving, (), limit.directions).at(batch, scale)
            return one.having(**{name: np.full_like(batch.raw[name], scale**-power) for name in limit.still})

        gaps = gaps_at(trials, statement, batch, [at(scale) for scale in SCALES])
        if is_vanishing(gaps).all():
            if power == 1:
                return ()
            return (
                f"{small} must vanish fast beside {large}: {small} = {large}^-{power} is enough, "
                f"{small} = {large}^-{power - 1} is not",
            )
    return (f"{small} → 0 is taken first, then {large} → ∞",)
