"""Bounds of P(α_a > t) that need no integral, for events too rare to be drawn.

D(z) = ln Σ e^{s_j} − s_a − odds is a convex function of independent standard normal numbers z, and α_a > t where D < 0.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import logsumexp, ndtr, softmax, wrightomega

from regard.noise.one_weight.event import EPS, TINY, Estimate, WeightEvent
from regard.shapes import Float

N_BISECTIONS = 60
TIGHT = 1e-13


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
    low, high = -60.0, 60.0  # ln λ
    if _excess(event, odds, 0.0) <= 0:
        return 1.0
    for _ in range(N_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if _excess(event, odds, math.exp(middle)) > 0 else (low, middle)
    return min(_tangent(event, odds, math.exp(edge)) for edge in (low, high))


def lower_bound(event: WeightEvent, odds: float) -> float:
    """1 − P(D ≥ 0), bounded by concentration round the mean and by the chances of each key to exceed its share."""
    return max(0.0, 1 - min(_concentration(event, odds), _union(event, odds)))


def _logits(event: WeightEvent, odds: float, multiplier: float) -> tuple[float, Float[np.ndarray, " other"]]:
    """Own logit and the others' at the likeliest point for this multiplier λ."""
    own = multiplier * event.own_sd**2
    pull = np.log(multiplier) + 2 * np.log(event.sd) + event.mean - own - odds
    return own, event.mean - np.real(wrightomega(pull))


def _excess(event: WeightEvent, odds: float, multiplier: float) -> float:
    """D at that point."""
    own, others = (0.0, event.mean) if multiplier == 0 else _logits(event, odds, multiplier)
    return float(logsumexp(np.append(others, event.certain))) - own - odds


def _tangent(event: WeightEvent, odds: float, multiplier: float) -> float:
    """P(D(z*) + ∇D(z*)·(z − z*) < 0)."""
    own, others = _logits(event, odds, multiplier)
    log_sum = float(logsumexp(np.append(others, event.certain)))
    slopes = np.exp(others - log_sum) * event.sd
    steepness = math.sqrt(event.own_sd**2 + float((slopes**2).sum()))
    along = float((slopes * (others - event.mean) / event.sd).sum()) - own
    distance = log_sum - own - odds - along
    if steepness == 0:
        return float(distance <= 0)
    return float(ndtr(-distance / steepness))


def _concentration(event: WeightEvent, odds: float) -> float:
    """exp(−(E D)²/2L²): no slope of D exceeds L, and E ln Σ eˢ ≤ ln Σ E eˢ."""
    largest = float(logsumexp(np.append(event.mean + event.sd**2 / 2, event.certain)))
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
