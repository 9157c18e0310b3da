"""The distribution of one weight where two logits are noisy: one integral, over panels that are halved where needed.

Own logit and one other noisy:    P = ∫ φ(z) Φ((odds − ln(e^certain + e^{s(z)}))/sd_own) dz
Two others noisy, the own certain: both must fit into the room x that certain keys leave. Given one of them below
x − ln 2, the other has a room that varies smoothly; one integral for each of the two:

    P = ∫_{b < x − ln 2} p(b) Φ_c(room(b)) db + ∫_{c < x − ln 2} p(c) [Φ_b(room(c)) − Φ_b(x − ln 2)] dc

The places where an integrand turns are known, and panels begin there, so that no feature is too narrow to be seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.special import log_expit, ndtr

from regard.noise.one_weight.event import EPS, PEAK, REACH, TINY, Estimate, WeightEvent, largest_change, log_difference
from regard.shapes import Float

N_LEGENDRE = 16
MAX_HALVINGS, MAX_PANELS = 45, 20_000
TOLERANCE = 1e-15
MAX_SHIFT = 1 / 64
"""Of the odds by rounding, in units of the narrowest scale on which the density varies."""
SDS = np.array([0.0, 0.5, 1.0, 2.0, 3.0, 4.5, 6.0, 8.0, 10.0, 15.0, 25.0])
TURNS = np.concatenate([-SDS[:0:-1], SDS])
UNITS = np.concatenate([-np.geomspace(700, 0.01, 36), [0.0], np.geomspace(0.01, 700, 36)])
"""Distances at which ln(1 + eˣ) and ln(1 − eˣ) turn."""

Function = Callable[[Float[np.ndarray, "*node"]], Float[np.ndarray, "*node"]]


def integrate_two_noisy(event: WeightEvent, odds: float, *, density: bool) -> Estimate | None:
    """P(α_a > t), or its derivative in the odds, where just two logits are noisy; None where more are."""
    n_noisy = len(event.mean) + (event.own_sd > 0)
    if n_noisy != 2:
        return None
    integral = _own_and_other if event.own_sd > 0 else _two_others
    rounding = event.rounding(odds)
    found = [integral(event, odds + shift, density) for shift in (0.0, -rounding, rounding)]
    error = largest_change([value for value, _ in found]) + max(error for _, error in found)
    if density:
        error += _density_rounding(event, odds, found[0][0])
    return Estimate(found[0][0], "quadrature", error + TINY)


def _density_rounding(event: WeightEvent, odds: float, value: float) -> float:
    """What three odds do not show: each node is rounded for itself, and a density may turn between the odds."""
    rounding = event.rounding(odds)
    max_slope = event.max_slope(odds - rounding)
    narrowest = event.own_sd if event.own_sd > 0 else float(event.sd.min())
    return value * rounding / narrowest + (max_slope if rounding * max_slope > MAX_SHIFT else 0.0)


def _own_and_other(event: WeightEvent, odds: float, density: bool) -> tuple[float, float]:
    mean, sd = float(event.mean[0]), float(event.sd[0])

    def integrand(z: Float[np.ndarray, "*node"]) -> Float[np.ndarray, "*node"]:
        log_sum = np.logaddexp(event.certain, mean + sd * z)
        return _normal_density(z) * _normal((odds - log_sum) / event.own_sd, event.own_sd, density)

    wanted = odds + event.own_sd * TURNS
    turns = np.concatenate([log_difference(wanted, event.certain), event.certain + UNITS])
    return integrate(integrand, _edges((turns - mean) / sd, -REACH, REACH))


def _two_others(event: WeightEvent, odds: float, density: bool) -> tuple[float, float]:
    room = event.room(odds)
    if room == -math.inf:
        return 0.0, 0.0
    if density:
        value, error = _density_of_sum(event, room)
        slope = math.exp(min(odds - room, 700.0))
        return value * slope, error * slope
    first = _one_below_half(event, room, 0, kept=0.0)
    half = float(ndtr((room - math.log(2) - event.mean[0]) / event.sd[0]))
    second = _one_below_half(event, room, 1, kept=half)
    return first[0] + second[0], first[1] + second[1]


def _one_below_half(event: WeightEvent, room: float, one: int, *, kept: float) -> tuple[float, float]:
    """∫ p(b) [Φ_c(ln(eˣ − e^b)) − kept] db over b < x − ln 2, where b is the logit of `one`, c that of the other."""
    (mean, other_mean), (sd, other_sd) = event.mean[[one, 1 - one]].tolist(), event.sd[[one, 1 - one]].tolist()

    def integrand(z: Float[np.ndarray, "*node"]) -> Float[np.ndarray, "*node"]:
        left = log_difference(room, mean + sd * z)
        return _normal_density(z) * (ndtr((left - other_mean) / other_sd) - kept)

    end = min((room - math.log(2) - mean) / sd, REACH)
    turns = np.concatenate([log_difference(room, other_mean + other_sd * TURNS), room + UNITS])
    return integrate(integrand, _edges((turns - mean) / sd, -REACH, end)) if end > -REACH else (0.0, 0.0)


def _density_of_sum(event: WeightEvent, room: float) -> tuple[float, float]:
    """The density of ln(e^b + e^c) at x: ∫ p_b(x + ln p) p_c(x + ln(1 − p)) d logit p."""
    mean, sd = event.mean, event.sd

    def integrand(y: Float[np.ndarray, "*node"]) -> Float[np.ndarray, "*node"]:
        factors = [
            _normal((room + log_expit(sign * y) - mean[place]) / sd[place], float(sd[place]), True)
            for place, sign in ((0, 1), (1, -1))
        ]
        return factors[0] * factors[1]

    shares = [mean[place] + sd[place] * np.append(TURNS, [-REACH, REACH]) - room for place in (0, 1)]
    logits = [share - log_difference(0.0, share) for share in (one[one < 0] for one in shares)]
    turns = np.concatenate([logits[0], -logits[1], UNITS])
    return integrate(integrand, _edges(turns, float(turns.min()) - 1, float(turns.max()) + 1))


def _normal(z: Float[np.ndarray, "*node"], sd: float, density: bool) -> Float[np.ndarray, "*node"]:
    return _normal_density(z) / sd if density else ndtr(z)


def _normal_density(z: Float[np.ndarray, "*node"]) -> Float[np.ndarray, "*node"]:
    return np.exp(-(np.clip(z, -REACH, REACH) ** 2) / 2) * PEAK


def _edges(turns: Float[np.ndarray, " turn"], low: float, high: float) -> Float[np.ndarray, " edge"]:
    """The ends and all turns between them, with whole numbers in between so that no panel is wide."""
    inside = turns[(turns > low) & (turns < high)]
    whole = np.arange(math.ceil(max(low, -REACH)), min(high, REACH))
    return np.unique(np.concatenate([[low, high], inside, whole[(whole > low) & (whole < high)]]))


def integrate(function: Function, edges: Float[np.ndarray, " edge"]) -> tuple[float, float]:
    """The integral over panels between the edges, halved where halving changes the result; and its error.

    The error sums what the last halving changed in each panel, and rounding.
    """
    left, right = edges[:-1], edges[1:]
    coarse, _ = _legendre(function, left, right)
    value = error = size = 0.0
    for _ in range(MAX_HALVINGS):
        middle = (left + right) / 2
        halves = [_legendre(function, left, middle), _legendre(function, middle, right)]
        fine = halves[0][0] + halves[1][0]
        change = np.abs(fine - coarse)
        scale = TOLERANCE * max(abs(value + float(fine.sum())), 1e-280)
        done = (change <= np.maximum(scale, 4 * EPS * (halves[0][1] + halves[1][1]))) | (middle == left)
        if 2 * (~done).sum() > MAX_PANELS:
            done[:] = True
        value, error = value + float(fine[done].sum()), error + float(change[done].sum())
        size += float((halves[0][1] + halves[1][1])[done].sum())
        if done.all():
            break
        left, right = (
            np.concatenate([left[~done], middle[~done]]),
            np.concatenate([middle[~done], right[~done]]),
        )
        coarse = np.concatenate([halves[0][0][~done], halves[1][0][~done]])
    else:
        value, error = value + float(coarse.sum()), error + float(np.abs(coarse).sum())
    return value, error + 8 * EPS * size


def _legendre(
    function: Function, left: Float[np.ndarray, " panel"], right: Float[np.ndarray, " panel"]
) -> tuple[Float[np.ndarray, " panel"], Float[np.ndarray, " panel"]]:
    """Gauss–Legendre sums over each panel, of the function and of its absolute value."""
    nodes, weights = _legendre_rule()
    width = (right - left)[:, None]
    terms = function(left[:, None] + width * nodes) * (width * weights)
    return terms.sum(axis=1), np.abs(terms).sum(axis=1)


@cache
def _legendre_rule() -> tuple[Float[np.ndarray, " node"], Float[np.ndarray, " node"]]:
    """On [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(N_LEGENDRE)
    return (nodes + 1) / 2, weights / 2
