"""One key against all others: the event α_a > t, and the cases in which a single normal variable decides it.

With odds = ln((1 − t)/t),

    α_a > t   ⟺   s_a + odds > ln(e^certain + Σ_j e^{s_j})

where j runs over the other noisy keys and `certain` collects those without noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp, ndtr

from regard.shapes import Float

EPS = float(np.finfo(float).eps)
TINY = 1e-300  # what underflows


@dataclass(frozen=True)
class Estimate:
    """A number, how it was computed, and how far off it may be.

    `error` of a deterministic method (`logistic-normal`, `closed form`, `quadrature`, `bound`, `inversion`) is a bound,
    made of what was measured while computing: the change when the step is halved, and rounding. With the method
    `sampling` it is the half-width of a confidence interval of 99.9999 %: Student's t over 16 independent replicates,
    and where the mean rests on few draws, as much as rarer ones may add that would have been missed with that chance.
    """

    value: float
    method: str
    error: float


@dataclass(frozen=True)
class Contest:
    """The logit of one key and those against it: `mean` and `sd` of the noisy ones, `certain` = ln Σ eˢ of the rest.

    `certain` is −∞ where every other key is noisy.
    """

    own_mean: float
    own_sd: float
    mean: Float[np.ndarray, " other"]
    sd: Float[np.ndarray, " other"]
    certain: float

    def rounding(self, odds: float) -> float:
        """By how much the odds may seem shifted because logits of this size are added in double precision."""
        sizes = [abs(self.own_mean), abs(odds), *np.abs(self.mean).tolist()]
        if math.isfinite(self.certain):
            sizes.append(abs(self.certain))
        return 4 * EPS * max(sizes)

    def room(self, odds: float) -> float:
        """ln(e^top − e^certain), top = own mean + odds: what certain keys leave to the noisy ones; −∞ if nothing."""
        return float(log_difference(self.own_mean + odds, self.certain))


def contest_of(mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"], key: int) -> Contest:
    """The key's logit apart from the others', and those sorted into noisy and certain."""
    others = np.arange(len(mean)) != key
    noisy, certain = others & (sd > 0), others & (sd == 0)
    log_sum = float(logsumexp(mean[certain])) if certain.any() else -math.inf
    return Contest(float(mean[key]), float(sd[key]), mean[noisy], sd[noisy], log_sum)


def log_difference(
    larger: float | Float[np.ndarray, "*larger"], smaller: float | Float[np.ndarray, "*smaller"]
) -> Float[np.ndarray, "*both"]:
    """ln(e^larger − e^smaller); −∞ where that is not positive."""
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = np.where(np.isneginf(larger), 0.0, np.minimum(smaller - larger, 0.0))
        return np.asarray(larger + np.log(-np.expm1(gap)))


def closed_form(contest: Contest, odds: float, *, density: bool) -> Estimate | None:
    """P(α_a > t), or its derivative in the odds, where one normal variable decides; None where it takes more."""
    if len(contest.mean) == 0:
        gap = contest.own_mean + odds - contest.certain
        return _one_normal(gap, contest.own_sd, contest.rounding(odds), density, "logistic-normal")
    if len(contest.mean) == 1 and contest.certain == -math.inf:
        gap = contest.own_mean - float(contest.mean[0]) + odds
        spread = math.hypot(contest.own_sd, float(contest.sd[0]))
        return _one_normal(gap, spread, contest.rounding(odds), density, "logistic-normal")
    if len(contest.mean) == 1 and contest.own_sd == 0:
        return _last_noisy(contest, odds, density)
    return None


def _last_noisy(contest: Contest, odds: float, density: bool) -> Estimate:
    """One other key alone is noisy and must stay in the room that the certain ones leave."""
    rounding = contest.rounding(odds)

    def value(shifted: float) -> float:
        room = contest.room(shifted)
        if room == -math.inf:
            return 0.0
        slope = math.exp(min(contest.own_mean + shifted - room, 700.0)) if density else 1.0
        return slope * normal(room - float(contest.mean[0]), float(contest.sd[0]), density)

    found = [value(odds + shift) for shift in (0.0, -rounding, rounding)]
    return Estimate(found[0], "closed form", change_of(found) + 4 * EPS * abs(found[0]) + TINY)


def _one_normal(gap: float, sd: float, rounding: float, density: bool, method: str) -> Estimate:
    found = [normal(gap + shift, sd, density) for shift in (0.0, -rounding, rounding)]
    return Estimate(found[0], method, change_of(found) + 4 * EPS * abs(found[0]) + TINY)


def change_of(values: list[float]) -> float:
    """How far the later values lie from the first."""
    return max(abs(value - values[0]) for value in values[1:])


def normal(gap: float, sd: float, density: bool) -> float:
    """Φ(gap/sd), or its derivative in gap."""
    if sd == 0:
        return 0.0 if density else float(gap > 0)
    z = gap / sd
    if density:
        return math.exp(-(z**2) / 2) / (sd * math.sqrt(2 * math.pi)) if abs(z) < 39 else 0.0
    return float(ndtr(z))
