"""The distribution of one weight by randomised quasi-Monte Carlo, for any number of keys and any spread.

Both P(α_a > t) and the density are means over sixteen independent replicates of evenly spread draws; how far the
replicates differ gives a confidence interval.

Probability (`sample_probability`). α_a > t where the other keys fit into the room e^{s_a + odds}. They are drawn one
after the other, each from its law given that it fits into the room that those before leave, and the chance that it does
is a factor of the result:

    P = E Π_j Φ((room_j − m_j)/sd_j),        room_{j+1} = ln(e^{room_j} − e^{s_j}).

The widest comes last, and is not drawn at all. The own logit comes first, from cells between which the product with
room_j = s_a + odds, an upper bound, is known: rare events are drawn as often as common ones.

Density (`sample_density`). Given all logits but one, the left-out logit has to take a single value for α_a = t, and its
normal density there, divided by the slope, is the density given the others. Each noisy logit is left out in turn, and
the results are averaged with weights in proportion to slope⁴, so that no draw counts for much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import log_ndtr, logsumexp, ndtr, ndtri, ndtri_exp, stdtrit

from regard.noise.one_weight.event import (
    EPS,
    MAX_FLOAT,
    PEAK,
    TINY,
    WeightEvent,
    log_difference,
    lower_bound,
    upper_bound,
)
from regard.shapes import Float, Int

MAX_LEFT_OUT, MANY_KEYS = 16, 2**12


@dataclass(frozen=True)
class Sums:
    """Over the draws of one replicate, for each of the odds and each logit left out: of the values and their squares.

    `peak` is the largest value that any draw would have had with the logit left out at its mean.
    """

    value: Float[np.ndarray, "point left"]
    square: Float[np.ndarray, "point left"]
    peak: Float[np.ndarray, "point left"]


def sample_density(
    event: WeightEvent, odds: Float[np.ndarray, " point"], rng: np.random.Generator
) -> tuple[Float[np.ndarray, " point"], Float[np.ndarray, " point"]]:
    """The derivative of P(α_a > t) in the odds at each of them, and the half-widths of its confidence intervals."""
    order = np.argsort(-event.sd, kind="stable")  # the widest take the most even dimensions
    event = replace(event, mean=event.mean[order], sd=event.sd[order])
    left_out = _choose_left_out(event)
    n_points = n_points_for((len(event.mean) + 1) * max(4, len(odds) // 2))
    with np.errstate(over="ignore"):  # squares, where all logits are narrower than 1e-150
        sums = [_sum_one_replicate(event, odds, left_out, rng, n_points) for _ in range(N_REPLICATES)]
    means = np.stack([each.value.sum(axis=1) for each in sums]) / n_points
    value = means.mean(axis=0)
    spread = T_QUANTILE * means.std(axis=0, ddof=1) / math.sqrt(N_REPLICATES)
    rounding = np.array([event.rounding_error(float(each), density=True) for each in odds])
    return value, spread + _bound_of_unseen(sums, n_points) + rounding + 1e-12 * value + TINY


def _bound_of_unseen(sums: list[Sums], n_points: int) -> Float[np.ndarray, " point"]:
    """What draws too rare to be seen may add: the peak of each logit left out whose mean rests on few draws."""
    total, square = sum(each.value for each in sums), sum(each.square for each in sums)
    with np.errstate(over="ignore"):
        effective = np.divide(total**2, square, out=np.zeros(np.shape(total)), where=(square > 0) & np.isfinite(square))
    peak = np.max([each.peak for each in sums], axis=0)
    missed = np.where(effective < MIN_EFFECTIVE_DRAWS, peak, 0.0).sum(axis=1)
    return np.asarray(missed * UNSEEN_DRAWS / (N_REPLICATES * n_points))


def _choose_left_out(event: WeightEvent) -> Int[np.ndarray, " other"]:
    """Which keys to leave out in turn: all, or of many the widest and those with the largest slopes at the means."""
    n_keys = len(event.mean)
    if n_keys <= MAX_LEFT_OUT:
        return np.arange(n_keys)
    slope = event.mean + np.log(event.sd)
    n_each = MAX_LEFT_OUT // 2 if n_keys <= MANY_KEYS else 1
    return np.union1d(np.argsort(-event.sd)[:n_each], np.argsort(-slope)[:n_each])


def _sum_one_replicate(
    event: WeightEvent,
    odds: Float[np.ndarray, " point"],
    left_out: Int[np.ndarray, " left"],
    rng: np.random.Generator,
    n_points: int,
) -> Sums:
    normal = ndtri(uniform_points(rng, n_points, len(event.mean) + 1))
    own = event.own_sd * normal[:, -1]
    others = event.mean + event.sd * normal[:, :-1]
    columns = [_sum_without_own(event, odds, others, left_out)] if event.own_sd > 0 else []
    columns += [_sum_without_other(event, odds, own, others, left_out, place) for place in range(len(left_out))]
    return Sums(*(np.stack(each, axis=1) for each in zip(*columns, strict=True)))


def _sum_without_own(
    event: WeightEvent,
    odds: Float[np.ndarray, " point"],
    others: Float[np.ndarray, "draw other"],
    left_out: Int[np.ndarray, " left"],
) -> tuple[Float[np.ndarray, " point"], ...]:
    log_sum = logsumexp(np.column_stack([others, np.full(len(others), event.certain)]), axis=1)
    slopes = np.exp(others[:, left_out] - log_sum[:, None]) * event.sd[left_out]
    peak = _value_at_mean(np.full(len(others), event.own_sd), slopes)
    z = np.clip((log_sum - odds[:, None]) / event.own_sd, -40, 40)
    values = peak * np.exp(-(z**2) / 2)
    return values.sum(axis=1), (values**2).sum(axis=1), np.full(len(odds), peak.max())


def _value_at_mean(
    slope: Float[np.ndarray, " draw"], others: Float[np.ndarray, "draw slope"]
) -> Float[np.ndarray, " draw"]:
    """ω φ(0)/slope = slope³/(√2π Σ slope⁴) of each draw, by ratios of slopes: their powers may underflow."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        share = 1 + ((others / slope[:, None]) ** 4).sum(axis=1)
        return np.where(slope > 0, np.minimum(PEAK / (slope * share), MAX_FLOAT), 0.0)


def _largest_possible_value(event: WeightEvent, odds: float) -> float:
    """A bound of the values of another logit left out: slope³/Σ slope⁴ < 0.57/sd_a, or n over the least slope."""
    if event.own_sd > 0:
        return 0.57 * PEAK / event.own_sd
    filled = math.exp(event.room(odds) - odds)
    return len(event.mean) * PEAK / (filled * float(event.sd.min())) if filled > 0 else 0.0


def _sum_without_other(
    event: WeightEvent,
    odds: Float[np.ndarray, " point"],
    own: Float[np.ndarray, " draw"],
    others: Float[np.ndarray, "draw other"],
    left_out: Int[np.ndarray, " left"],
    place: int,
) -> tuple[Float[np.ndarray, " point"], ...]:
    key = left_out[place]
    filled = logsumexp(np.column_stack([np.delete(others, key, axis=1), np.full(len(own), event.certain)]), axis=1)
    beside = np.delete(left_out, place)
    found = []
    for each in odds:
        top = own + each
        room = log_difference(top, filled)
        slope = np.exp(room - top) * event.sd[key]
        slopes = np.exp(np.minimum(others[:, beside] - top[:, None], 0.0)) * event.sd[beside]
        peak = _value_at_mean(slope, np.column_stack([slopes, np.full(len(own), event.own_sd)]))
        z = np.clip((room - event.mean[key]) / event.sd[key], -40, 40)
        values = peak * np.exp(-(z**2) / 2)
        is_seen = np.isfinite(room).mean() > 0.5  # else too few draws leave any room to judge by
        found.append(
            (values.sum(), (values**2).sum(), peak.max() if is_seen else _largest_possible_value(event, float(each)))
        )
    return tuple(np.array(found).T)


N_REPLICATES, MAX_POINTS, MIN_POINTS = 16, 2**12, 4
MAX_NUMBERS = 2**25  # drawn for one answer
MAX_SEQUENTIAL = 64
MISS_CHANCE = 1e-6
T_QUANTILE = float(stdtrit(N_REPLICATES - 1, 1 - MISS_CHANCE / 2))
UNSEEN_DRAWS = -math.log(MISS_CHANCE)
"""An event of probability UNSEEN_DRAWS/n escapes n draws with a chance of MISS_CHANCE."""
MIN_EFFECTIVE_DRAWS = 2048
"""A mean that rests on fewer draws than this may miss rare ones that matter."""


@dataclass(frozen=True)
class Cells:
    """The own logit's range in cells: edges in standard deviations, chance, ln of the product at the right edge."""

    left: Float[np.ndarray, " cell"]
    right: Float[np.ndarray, " cell"]
    mass: Float[np.ndarray, " cell"]
    log_top: Float[np.ndarray, " cell"]

    @property
    def bound(self) -> float:
        """An upper bound of P, since the product grows with the own logit."""
        return float(self.mass @ np.exp(self.log_top))


@dataclass(frozen=True)
class Totals:
    """Sums over the draws of one replicate: of the values v, of v², of 1 − v and of (1 − v)²."""

    value: float
    square: float
    rest: float
    rest_square: float


def sample_probability(event: WeightEvent, odds: float, rng: np.random.Generator) -> tuple[float, float]:
    """P(α_a > t), and the half-width of its confidence interval."""
    order = np.argsort(event.sd, kind="stable")
    bulk, widest = order[:-MAX_SEQUENTIAL], order[-MAX_SEQUENTIAL:]
    cells = _divide_into_cells(event, odds, widest)
    if cells.bound == 0:
        return 0.0, _divide_into_cells(event, odds + event.rounding(odds), widest).bound + TINY
    n_axes = len(event.mean)
    n_points = n_points_for(n_axes)
    totals = [
        _sum_draws(_shares_of_bound(event, odds, cells, bulk, widest, uniform_points(rng, n_points, n_axes)))
        for _ in range(N_REPLICATES)
    ]
    means = cells.bound * np.array([total.value for total in totals]) / n_points
    value, spread = float(means.mean()), T_QUANTILE * float(means.std(ddof=1)) / math.sqrt(N_REPLICATES)
    unseen = cells.bound * UNSEEN_DRAWS / (N_REPLICATES * n_points)
    rounding = event.rounding_error(odds, density=False) + 1e-13 * value
    above = spread + rounding + (0.0 if _has_many_effective_draws(totals, "value", "square") else unseen)
    below = spread + rounding + (0.0 if _has_many_effective_draws(totals, "rest", "rest_square") else unseen)
    high = min(value + above, cells.bound, upper_bound(event, odds)) + rounding
    low = max(value - below, lower_bound(event, odds)) - rounding
    value = min(max(value, low), high)
    return value, max(high - value, value - low, EPS)


def n_points_for(n_axes: int) -> int:
    """How many draws one replicate takes, so that all of them stay within `MAX_NUMBERS`."""
    affordable = MAX_NUMBERS // (N_REPLICATES * max(n_axes, 1))
    return 2 ** int(math.log2(min(MAX_POINTS, max(MIN_POINTS, affordable))))


def _has_many_effective_draws(totals: list[Totals], first: str, second: str) -> bool:
    """Whether the effective number of draws behind a mean, (Σ v)²/Σ v², is large."""
    total = sum(getattr(each, first) for each in totals)
    square = sum(getattr(each, second) for each in totals)
    return square > 0 and total**2 / square >= MIN_EFFECTIVE_DRAWS


def _sum_draws(fractions: Float[np.ndarray, " draw"]) -> Totals:
    """The sums that a mean and its effective number of draws need."""
    rest = 1 - fractions
    return Totals(*(float(each.sum()) for each in (fractions, fractions**2, rest, rest**2)))


def uniform_points(rng: np.random.Generator, n_points: int, n_axes: int) -> Float[np.ndarray, "draw axis"]:
    """Scrambled Sobol' points, which fill the cube evenly; pseudo-random in further dimensions, where it is slow."""
    from scipy.stats import qmc  # slow to load, and the exact laws do without it

    n_even = min(n_axes, MAX_SEQUENTIAL)
    even = qmc.Sobol(n_even, scramble=True, bits=52, rng=rng).random(n_points)
    return np.clip(np.hstack([even, rng.random((n_points, n_axes - n_even))]), 1e-16, 1 - 1e-16)


def _divide_into_cells(event: WeightEvent, odds: float, widest: np.ndarray) -> Cells:
    """Cells of a tenth of a standard deviation, and narrower ones where a key's chance to fit turns."""
    if event.own_sd == 0:
        left = right = np.zeros(1)
        mass = np.ones(1)
    else:
        turns = event.mean[widest] + event.sd[widest] * np.linspace(-6, 6, 13)[:, None]
        beyond = event.certain + np.append(0.0, np.geomspace(1e-4, 40, 24))
        turns = np.concatenate([turns.reshape(-1), beyond[np.isfinite(beyond)]])
        edges = np.concatenate([np.arange(-380, 381) / 10, np.clip((turns - odds) / event.own_sd, -38, 38)])
        edges = np.unique(edges)
        left, right = edges[:-1], edges[1:]
        mass = np.where(left < 0, ndtr(right) - ndtr(left), ndtr(-left) - ndtr(-right))
    room = log_difference(odds + event.own_sd * right, event.certain)
    z = (room[:, None] - event.mean[widest]) / event.sd[widest]
    return Cells(left, right, mass, log_ndtr(z).sum(axis=1))


def _shares_of_bound(
    event: WeightEvent, odds: float, cells: Cells, bulk: np.ndarray, widest: np.ndarray, points: np.ndarray
) -> Float[np.ndarray, " draw"]:
    """For each draw the product of chances over its upper bound, between 0 and 1."""
    own, log_value = _draw_own(cells, points[:, 0])
    room = log_difference(odds + event.own_sd * own, event.certain)
    if len(bulk):
        others = event.mean[bulk] + event.sd[bulk] * ndtri(points[:, len(widest) :])
        room = log_difference(room, logsumexp(others, axis=1))
    for place, key in enumerate(widest, start=1):
        mean, sd = event.mean[key], event.sd[key]
        log_chance = log_ndtr((room - mean) / sd)
        log_value = log_value + log_chance
        if place < len(widest):
            logit = mean + sd * ndtri_exp(np.log(points[:, place]) + log_chance)
            room = log_difference(room, logit)
    return np.exp(np.minimum(log_value, 0.0))


def _draw_own(cells: Cells, uniform: Float[np.ndarray, " draw"]) -> tuple[np.ndarray, np.ndarray]:
    """The own logit in standard deviations, from cells in proportion to their bounds; minus ln of the product there."""
    share = np.cumsum(cells.mass * np.exp(cells.log_top))
    place = np.minimum(np.searchsorted(share / share[-1], uniform), len(share) - 1)
    begin = np.append(0.0, share[:-1])[place] / share[-1]
    within = np.clip((uniform - begin) / np.maximum(share[place] / share[-1] - begin, 1e-300), 0.0, 1.0)
    if cells.left[0] == cells.right[0]:  # the own logit is certain
        return np.zeros(len(uniform)), -cells.log_top[place]
    left, right, mass = cells.left[place], cells.right[place], cells.mass[place]
    lower = ndtri(np.where(left < 0, ndtr(left) + within * mass, 0.5))
    upper = -ndtri(np.where(left < 0, 0.5, ndtr(-right) + (1 - within) * mass))
    return np.clip(np.where(left < 0, lower, upper), left, right), -cells.log_top[place]
