"""One key against all others: the event α_a > t, and the cases in which a single normal variable decides it.

Logits are taken relative to the mean of the asked key's, which changes no weight. With odds = ln((1 − t)/t),

    α_a > t   ⟺   sd_a z + odds > ln(e^certain + Σ_j e^{s_j}),     z ~ N(0, 1)

where j runs over the other noisy keys and `certain` collects those without noise. For events too rare to be drawn there
are bounds that need no integral: D(z) = ln Σ e^{s_j} − s_a − odds is a convex function of independent standard normal
numbers z, and α_a > t where D < 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import logsumexp, ndtr, softmax, wrightomega

from regard.shapes import Float

EPS = float(np.finfo(float).eps)
TINY = 1e-300  # what underflows
MAX_FLOAT = float(np.finfo(float).max)
PEAK = 1 / math.sqrt(2 * math.pi)
"""Of the standard normal density."""
REACH = 38.5
"""In standard deviations: the normal density is below 1e-322 beyond."""
NEGLIGIBLE = 1e-20


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
class WeightEvent:
    """One key's logit and those against it, all relative to its mean.

    `mean` and `sd` belong to the other noisy keys. `certain` = ln Σ eˢ of the keys without noise, −∞ where there are
    none; `certain_size` is the size of the numbers it was computed from. The difference of two logits is known up to
    `shift`.
    """

    own_sd: float
    mean: Float[np.ndarray, " other"]
    sd: Float[np.ndarray, " other"]
    certain: float
    certain_size: float
    shift: float = 0.0

    def rounding(self, odds: float) -> float:
        """By how much the odds may seem shifted: as known, and because such logits are added in double precision."""
        return self.shift + 4 * EPS * max(abs(odds), self.certain_size, float(np.abs(self.mean).max(initial=0.0)))

    def room(self, odds: float) -> float:
        """ln(e^odds − e^certain): what certain keys leave to the noisy ones; −∞ if nothing."""
        return float(log_difference(odds, self.certain))

    def max_slope(self, odds: float) -> float:
        """A bound of the slope of P(α_a > t) at these odds and at larger ones; infinite where none is known.

        The own noise alone keeps it below 1/(√2π sd_a). So do n other noisy logits that fill the share f of the sum:
        averaged over them with weights that sum to one, the slope is at most n/(√2π f · smallest sd).
        """
        low = odds - REACH * self.own_sd
        filled = math.exp(min(self.room(low) - low, 0.0)) if low > self.certain else 0.0
        spread = max(self.own_sd, filled * float(self.sd.min(initial=math.inf)) / len(self.sd) if len(self.sd) else 0.0)
        return PEAK / spread if spread > TINY else math.inf

    def rounding_error(self, odds: float, *, density: bool) -> float:
        """How far P(α_a > t), or its derivative in the odds, may be off because the odds seem shifted."""
        shift = self.rounding(odds)
        if shift == 0:
            return 0.0
        slope = self.max_slope(odds - shift)
        return min(2 * shift * slope * slope, slope) if density else min(shift * slope, 1.0)


def weight_event(
    mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"], key: int, *, shift: float = 0.0
) -> WeightEvent:
    """The key's logit apart from the others', and those sorted into noisy and certain.

    Noise that is nothing beside the widest is added to the `shift`.
    """
    others = np.arange(len(mean)) != key
    is_noisy = sd > NEGLIGIBLE * sd.max()
    noisy, certain = others & is_noisy, others & ~is_noisy
    relative = mean - mean[key]
    log_sum, size = _log_sum(relative[certain])
    shift = shift + 2 * REACH * float(sd[~is_noisy].max(initial=0.0))
    return WeightEvent(float(sd[key]) if is_noisy[key] else 0.0, relative[noisy], sd[noisy], log_sum, size, shift)


def _log_sum(logits: Float[np.ndarray, " key"]) -> tuple[float, float]:
    """ln Σ eˢ, and the size of the numbers whose rounding enters it: it may itself be much smaller."""
    if len(logits) == 0:
        return -math.inf, 0.0
    if len(logits) == 1:
        return float(logits[0]), abs(float(logits[0]))
    return float(logsumexp(logits)), 1.0 + float(softmax(logits) @ np.abs(logits))


def log_difference(
    larger: float | Float[np.ndarray, "*larger"], smaller: float | Float[np.ndarray, "*smaller"]
) -> Float[np.ndarray, "*both"]:
    """ln(e^larger − e^smaller); −∞ where that is not positive."""
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = np.where(np.isneginf(larger), 0.0, np.minimum(smaller - larger, 0.0))
        return np.asarray(larger + np.log(-np.expm1(gap)))


def closed_form(event: WeightEvent, odds: float, *, density: bool) -> Estimate | None:
    """P(α_a > t), or its derivative in the odds, where one normal variable decides; None where it takes more."""
    if len(event.mean) == 0:
        return _decide_by_one_normal(odds - event.certain, event.own_sd, event.rounding(odds), density)
    if len(event.mean) == 1 and event.certain == -math.inf:
        spread = math.hypot(event.own_sd, float(event.sd[0]))
        return _decide_by_one_normal(odds - float(event.mean[0]), spread, event.rounding(odds), density)
    if len(event.mean) == 1 and event.own_sd == 0:
        return _decide_by_one_other(event, odds, density)
    return None


def _decide_by_one_normal(gap: float, sd: float, rounding: float, density: bool) -> Estimate:
    """Φ(gap/sd) or its derivative, and how far it moves while the gap moves within its rounding.

    The density is largest where the gap is zero, which may lie within the rounding.
    """
    if math.isinf(gap):  # no other key is there
        return Estimate(float(not density), "logistic-normal", TINY)
    reach = rounding + 4 * EPS * abs(gap)
    shifts = 0.0, -reach, reach, min(max(-gap, -reach), reach)
    return _estimate_with_change(
        [normal_cdf_or_density(gap + shift, sd, density) for shift in shifts], "logistic-normal"
    )


def _decide_by_one_other(event: WeightEvent, odds: float, density: bool) -> Estimate:
    """One other key alone is noisy and must stay in the room that the certain ones leave."""
    rounding, mean, sd = event.rounding(odds), float(event.mean[0]), float(event.sd[0])
    room, low, high = (event.room(odds + shift) for shift in (0.0, -rounding, rounding))
    rooms = [room, low, high]
    if density:  # it is largest between the mean and mean − sd²
        peaks = np.linspace(mean - sd**2 - sd, mean + sd, 33)
        rooms += np.clip(peaks, low, high).tolist()

    def value(room: float) -> float:
        if room == -math.inf:
            return 0.0
        slope = math.exp(min(np.logaddexp(room, event.certain) - room, 700.0)) if density else 1.0
        return slope * normal_cdf_or_density(room - mean, sd, density)

    exponent = min(abs(room), 700.0) + abs(odds)
    return _estimate_with_change([value(each) for each in rooms], "closed form", exponent)


def _estimate_with_change(values: list[float], method: str, exponent: float = 0.0) -> Estimate:
    """The first value, a multiple of e^exponent, with how far the others lie from it as its error."""
    return Estimate(values[0], method, largest_change(values) + 4 * EPS * (1 + exponent) * abs(values[0]) + TINY)


def largest_change(values: list[float]) -> float:
    """How far the later values lie from the first."""
    return max(abs(value - values[0]) for value in values[1:]) if math.isfinite(sum(values)) else math.inf


def normal_cdf_or_density(gap: float, sd: float, density: bool) -> float:
    """Φ(gap/sd), or its derivative in gap."""
    if sd == 0:
        return 0.0 if density else float(gap > 0)
    z = gap / sd
    if not density:
        return float(ndtr(z))
    if abs(z) < 37:
        return min(PEAK * math.exp(-z * z / 2) / sd, MAX_FLOAT)
    return PEAK * math.exp(-z * z / 2 - math.log(sd))  # exp(−z²/2) alone would underflow


TIGHT = 1e-13
LOWEST_LOG, HIGHEST_LOG = -60.0, 60.0
"""Between which ln λ is looked for."""


def tight_bounds(event: WeightEvent, odds: float) -> Estimate | None:
    """The middle between both bounds, where they all but meet; None elsewhere."""
    rounding = event.rounding(odds)
    low, high = lower_bound(event, odds - rounding), upper_bound(event, odds + rounding)
    middle, half = (low + high) / 2, (high - low) / 2
    return Estimate(middle, "bound", half + EPS * middle + TINY) if half < TIGHT else None


def upper_bound(event: WeightEvent, odds: float) -> float:
    """Φ of a half-space that holds {D < 0}: a convex function lies above each of its tangents.

    The best tangent touches at the likeliest point of the event, at which
    s_a = λ sd_a² and s_j + λ sd_j² e^{s_j − top} = m_j for some λ; any λ gives a bound.
    """
    start = _log_sum_with(event.mean, event.certain) - odds
    if start <= 0:
        return 1.0
    pull = 2 * np.log(event.sd) + event.mean - odds

    def excess(log_multiplier: float) -> float:
        own = math.exp(log_multiplier) * event.own_sd**2
        others = event.mean - wrightomega(pull + (log_multiplier - own))
        return _log_sum_with(others, event.certain) - own - odds

    return _tangent(event, odds, math.exp(_find_multiplier(excess, start, event.own_sd)))


def _find_multiplier(excess: Callable[[float], float], start: float, own_sd: float) -> float:
    """The ln λ at which D falls to zero, from `start` at λ = 0; the last that is tried where it does not.

    D ≤ start − λ sd_a², so that it is zero at start/sd_a² at the latest.
    """
    high = min(math.log(start) - 2 * math.log(own_sd), HIGHEST_LOG) if own_sd > 0 else HIGHEST_LOG
    if excess(high) > 0:
        return high
    width = 1.0
    while high - width > LOWEST_LOG and excess(high - width) <= 0:
        width *= 3
    low = max(high - width, LOWEST_LOG)
    return float(brentq(excess, low, high)) if excess(low) > 0 else low


def lower_bound(event: WeightEvent, odds: float) -> float:
    """1 − P(D ≥ 0), bounded by concentration round the mean and by the chances of each key to exceed its share."""
    return max(0.0, 1 - min(_concentration(event, odds), _union(event, odds)))


def _log_sum_with(logits: Float[np.ndarray, " key"], more: float) -> float:
    """ln(Σ eˢ + e^more), for a few logits: scipy's logsumexp takes far longer, most of it to check its arguments."""
    largest = max(float(logits.max(initial=-math.inf)), more)
    if math.isinf(largest):
        return largest
    return largest + math.log(float(np.exp(logits - largest).sum()) + math.exp(more - largest))


def _tangent(event: WeightEvent, odds: float, multiplier: float) -> float:
    """P(D(z*) + ∇D(z*)·(z − z*) < 0) at the likeliest point z* for this multiplier λ."""
    own = multiplier * event.own_sd**2
    pull = np.log(multiplier) + 2 * np.log(event.sd) + event.mean - own - odds
    others = event.mean - wrightomega(pull)
    log_sum = _log_sum_with(others, event.certain)
    slopes = np.exp(others - log_sum) * event.sd
    steepness = math.sqrt(event.own_sd**2 + float((slopes**2).sum()))
    along = float((slopes * (others - event.mean) / event.sd).sum()) - own
    distance = log_sum - own - odds - along
    if steepness == 0:
        return float(distance <= 0)
    return float(ndtr(-distance / steepness))


def _concentration(event: WeightEvent, odds: float) -> float:
    """exp(−(E D)²/2L²): no slope of D exceeds L, and E ln Σ eˢ ≤ ln Σ E eˢ."""
    largest = _log_sum_with(event.mean + event.sd**2 / 2, event.certain)
    distance = odds - largest
    slope = math.hypot(event.own_sd, float(event.sd.max()))
    return math.exp(-(min(distance / slope, 1e3) ** 2) / 2) if distance > 0 else 1.0


def _union(event: WeightEvent, odds: float) -> float:
    """Shares that sum to one are set for the keys; D ≥ 0 only if one of them exceeds its share."""
    mean = np.append(event.mean, event.certain)
    sd = np.hypot(np.append(event.sd, 0.0), event.own_sd)
    present = np.isfinite(mean)
    mean, sd = mean[present], sd[present]
    share = (softmax(mean) + 1 / len(mean)) / 2
    gap = odds + np.log(share) - mean
    z = np.divide(gap, sd, out=np.where(gap > 0, np.inf, -np.inf), where=sd > 0)
    return float(ndtr(-z).sum())
