"""Moments of a logistic function of a normal variable: attention with a single noisy key.

If only s_a is random, α_a = sig(x + sd·g) with g ~ N(0, 1) and x = m_a − ln Σ_{i≠a} e^{m_i}; all other weights share
1 − α_a in fixed proportions, so the output lies on a segment.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit, ndtr

STEP_Z, REACH_Z = 0.25, 9.5
STEP_W, REACH_W, FAR_W = 0.25, 42.0, 160.0  # sig(−160) = 3e-70


@dataclass(frozen=True)
class LogisticNormal:
    """Mean, the mean's distance from one, and variance of sig(x + sd·g); each to its own relative precision."""

    mean: float
    lack: float
    variance: float


def logistic_normal(x: float, sd: float) -> LogisticNormal:
    """Moments of sig(x + sd·g), g ~ N(0, 1), for any x and sd.

    >>> round(logistic_normal(0.0, 10 / 2**0.5).variance, 12)      # the classic exercise at C = 10, n = 2
    0.19532065485
    """
    if x > 0:  # sig(−y) = 1 − sig(y): work on the side where the value is small
        mirrored = logistic_normal(-x, sd)
        return LogisticNormal(mean=mirrored.lack, lack=mirrored.mean, variance=mirrored.variance)
    mean, variance = _narrow(x, sd) if sd <= 1 else _wide(x, sd)
    return LogisticNormal(mean=mean, lack=1.0 - mean, variance=variance)


def _narrow(x: float, sd: float) -> tuple[float, float]:
    """Trapezoid rule over g for sig(x + sd·g) − sig(x) = sig(x) (e^{sd·g} − 1) sig(−x − sd·g)."""
    g = np.arange(-REACH_Z, REACH_Z + STEP_Z / 2, STEP_Z)
    mass = np.exp(-(g**2) / 2) * STEP_Z / math.sqrt(2 * math.pi)
    # expm1 keeps the difference exact to the last bit however small sd is.
    change = expit(x) * np.expm1(sd * g) * expit(-(x + sd * g))
    first = float(mass @ change)
    return float(expit(x)) + first, float(mass @ change**2) - first**2


def _wide(x: float, sd: float) -> tuple[float, float]:
    """E sig = ∫ sig′(w) Φ((x−w)/sd) dw and E sig² = ∫ 2 sig sig′ Φ((x−w)/sd) dw: the step has moved into sig′."""
    w = np.arange(max(x - REACH_W, -FAR_W), REACH_W + STEP_W / 2, STEP_W)
    slope = np.exp(log_expit(w) + log_expit(-w))
    above = ndtr((x - w) / sd) * STEP_W
    mean = float(slope @ above)
    return mean, float((2 * expit(w) * slope) @ above) - mean**2
