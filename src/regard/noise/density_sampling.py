"""The density of one weight by randomised quasi-Monte Carlo.

Given all logits but one, the event D = ln Σ e^{s_j} − s_a = odds fixes that one, and the density is its normal density
times how fast it moves with the odds. Any logit may be left out; the results are averaged with weights ω that sum to
one at every point, in proportion to the fourth powers of the slopes of D, so that the logits with influence count:

    density = E Σ_l ω_l φ(z_l)/slope_l,     slope_a = sd_a,  slope_j = e^{s_j − Σ} sd_j,     ω_l = slope_l⁴ / Σ slope⁴.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logsumexp, ndtri

from regard.noise.one_weight.event import LARGEST, PEAK, TINY, Contest, log_difference
from regard.noise.one_weight.sampling import (
    MIN_EFFECTIVE_DRAWS,
    N_REPLICATES,
    T_QUANTILE,
    UNSEEN_DRAWS,
    n_points_for,
    uniform_points,
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
    contest: Contest, odds: Float[np.ndarray, " point"], rng: np.random.Generator
) -> tuple[Float[np.ndarray, " point"], Float[np.ndarray, " point"]]:
    """The density of D at each of the odds, and the half-widths of its confidence intervals."""
    order = np.argsort(-contest.sd, kind="stable")  # the widest take the most even dimensions
    contest = replace(contest, mean=contest.mean[order], sd=contest.sd[order])
    left_out = _choose_left_out(contest)
    n_points = n_points_for((len(contest.mean) + 1) * max(4, len(odds) // 2))
    with np.errstate(over="ignore"):  # squares, where all logits are narrower than 1e-150
        sums = [_sums(contest, odds, left_out, rng, n_points) for _ in range(N_REPLICATES)]
    means = np.stack([each.value.sum(axis=1) for each in sums]) / n_points
    value = means.mean(axis=0)
    spread = T_QUANTILE * means.std(axis=0, ddof=1) / math.sqrt(N_REPLICATES)
    rounding = np.array([contest.rounding_error(float(each), density=True) for each in odds])
    return value, spread + _unseen(sums, n_points) + rounding + 1e-12 * value + TINY


def _unseen(sums: list[Sums], n_points: int) -> Float[np.ndarray, " point"]:
    """What draws too rare to be seen may add: the peak of each logit left out whose mean rests on few draws."""
    total, square = sum(each.value for each in sums), sum(each.square for each in sums)
    with np.errstate(over="ignore"):
        effective = np.divide(total**2, square, out=np.zeros(np.shape(total)), where=(square > 0) & np.isfinite(square))
    peak = np.max([each.peak for each in sums], axis=0)
    missed = np.where(effective < MIN_EFFECTIVE_DRAWS, peak, 0.0).sum(axis=1)
    return np.asarray(missed * UNSEEN_DRAWS / (N_REPLICATES * n_points))


def _choose_left_out(contest: Contest) -> Int[np.ndarray, " other"]:
    """Which keys to leave out in turn: all, or of many the widest and those with the largest slopes at the means."""
    n_keys = len(contest.mean)
    if n_keys <= MAX_LEFT_OUT:
        return np.arange(n_keys)
    slope = contest.mean + np.log(contest.sd)
    n_each = MAX_LEFT_OUT // 2 if n_keys <= MANY_KEYS else 1
    return np.union1d(np.argsort(-contest.sd)[:n_each], np.argsort(-slope)[:n_each])


def _sums(
    contest: Contest,
    odds: Float[np.ndarray, " point"],
    left_out: Int[np.ndarray, " left"],
    rng: np.random.Generator,
    n_points: int,
) -> Sums:
    normal = ndtri(uniform_points(rng, n_points, len(contest.mean) + 1))
    own = contest.own_sd * normal[:, -1]
    others = contest.mean + contest.sd * normal[:, :-1]
    columns = [_sum_without_own(contest, odds, others, left_out)] if contest.own_sd > 0 else []
    columns += [_sum_without_other(contest, odds, own, others, left_out, place) for place in range(len(left_out))]
    return Sums(*(np.stack(each, axis=1) for each in zip(*columns, strict=True)))


def _sum_without_own(
    contest: Contest,
    odds: Float[np.ndarray, " point"],
    others: Float[np.ndarray, "draw other"],
    left_out: Int[np.ndarray, " left"],
) -> tuple[Float[np.ndarray, " point"], ...]:
    log_sum = logsumexp(np.column_stack([others, np.full(len(others), contest.certain)]), axis=1)
    slopes = np.exp(others[:, left_out] - log_sum[:, None]) * contest.sd[left_out]
    peak = _peak(np.full(len(others), contest.own_sd), slopes)
    z = np.clip((log_sum - odds[:, None]) / contest.own_sd, -40, 40)
    values = peak * np.exp(-(z**2) / 2)
    return values.sum(axis=1), (values**2).sum(axis=1), np.full(len(odds), peak.max())


def _peak(slope: Float[np.ndarray, " draw"], others: Float[np.ndarray, "draw slope"]) -> Float[np.ndarray, " draw"]:
    """ω φ(0)/slope = slope³/(√2π Σ slope⁴) of each draw, by ratios of slopes: their powers may underflow."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        share = 1 + ((others / slope[:, None]) ** 4).sum(axis=1)
        return np.where(slope > 0, np.minimum(PEAK / (slope * share), LARGEST), 0.0)


def _highest(contest: Contest, odds: float) -> float:
    """A bound of the values of another logit left out: slope³/Σ slope⁴ < 0.57/sd_a, or n over the least slope."""
    if contest.own_sd > 0:
        return 0.57 * PEAK / contest.own_sd
    filled = math.exp(contest.room(odds) - odds)
    return len(contest.mean) * PEAK / (filled * float(contest.sd.min())) if filled > 0 else 0.0


def _sum_without_other(
    contest: Contest,
    odds: Float[np.ndarray, " point"],
    own: Float[np.ndarray, " draw"],
    others: Float[np.ndarray, "draw other"],
    left_out: Int[np.ndarray, " left"],
    place: int,
) -> tuple[Float[np.ndarray, " point"], ...]:
    key = left_out[place]
    filled = logsumexp(np.column_stack([np.delete(others, key, axis=1), np.full(len(own), contest.certain)]), axis=1)
    beside = np.delete(left_out, place)
    found = []
    for each in odds:
        top = own + each
        room = log_difference(top, filled)
        slope = np.exp(room - top) * contest.sd[key]
        slopes = np.exp(np.minimum(others[:, beside] - top[:, None], 0.0)) * contest.sd[beside]
        peak = _peak(slope, np.column_stack([slopes, np.full(len(own), contest.own_sd)]))
        z = np.clip((room - contest.mean[key]) / contest.sd[key], -40, 40)
        values = peak * np.exp(-(z**2) / 2)
        is_seen = np.isfinite(room).mean() > 0.5  # else too few draws leave any room to judge by
        found.append((values.sum(), (values**2).sum(), peak.max() if is_seen else _highest(contest, float(each))))
    return tuple(np.array(found).T)
