"""How large a query must be: the scale C at which a wanted error is met.

Softmax weights depend on logit differences alone. If m wanted keys share the top logit and the other n − m
lie exactly C below it, the weight that leaks outside is

    error = (n − m) / (m e^C + n − m),     so     C = ln((n − m)(1 − error) / (m error)).

With wider gaps the leak is smaller. Scales are never negative: where no query at all already meets the error,
the scale is 0.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import expit

from regard.arrays.namespace import finite_number, float64_array, quiet, real_number, whole_number
from regard.arrays.softmax import log_sum_exp, masked_softmax
from regard.design.inputs import check_error
from regard.errors import ShapeError, ValueRangeError
from regard.shapes import Float


def average_scale(n_keys: int, n_chosen: int, error: float) -> float:
    """The scale at which q = C Σ kᵢ over the chosen of n orthonormal keys leaks `error` outside them.

    >>> round(average_scale(10, 2, 1e-3), 6)
    8.293049
    """
    n_others, log_odds = _n_others(n_keys, n_chosen), _log_odds(error)
    return max(0.0, math.log(n_others) - math.log(n_chosen) - log_odds) if n_others else 0.0


def logit_gap(n_keys: int, error: float) -> float:
    """How far one logit must stand above each of the n − 1 others to be sure of weight 1 − error."""
    return average_scale(n_keys, 1, error)


def copy_scale(n_keys: int, error: float, *, coherence: float = 0.0) -> float:
    """The scale at which q = C k_j reads key j of n unit keys with weight 1 − error, or more.

    C = ln((n − 1)(1 − error) / error) / (1 − coherence), where `coherence` is the largest k_i·k_j of two keys:
    all gaps are at least C (1 − coherence). For orthonormal keys, coherence 0, the error is met with equality.

    >>> round(copy_scale(2, 0.01), 6)
    4.59512
    """
    if not -1 <= real_number(coherence, name="coherence") < 1:
        raise ValueRangeError(
            f"coherence is the largest k_i·k_j of two unit keys and must lie in [-1, 1); got {coherence}"
        )
    return logit_gap(n_keys, error) / (1 - coherence)


def outside_weight(n_keys: int, n_chosen: int, scale: float) -> float:
    """The weight left outside the chosen keys at this scale: the inverse of `average_scale`.

    The unscaled query q = k_j copies badly even from ten orthonormal keys:

    >>> round(1 - outside_weight(10, 1, 1.0), 6)
    0.231969
    """
    n_others = _n_others(n_keys, n_chosen)
    scale = finite_number(scale, name="scale")
    return float(expit(math.log(n_others) - math.log(n_chosen) - scale)) if n_others else 0.0


def smallest_scale(offsets: Float[np.ndarray, " key"], gaps: Float[np.ndarray, " key"], *, error: float) -> float:
    """The least C ≥ 0 at which other keys with logits offset − C·gap hold no more than `error` of the weight.

    Logits are counted from ln Σ exp of the wanted ones, so the condition reads

        ln Σ exp(offset − C·gap) ≤ ln(error / (1 − error)).

    The left side is convex and falls with C: Newton's steps from below near the root and never pass it.

    >>> round(smallest_scale(np.zeros(9), np.ones(9), error=0.01), 6), round(copy_scale(10, 0.01), 6)
    (6.792344, 6.792344)
    """
    offsets, gaps = float64_array(offsets, name="offsets"), float64_array(gaps, name="gaps")
    if offsets.ndim != 1 or offsets.shape != gaps.shape:
        raise ShapeError(f"each offset needs one gap; got shapes {offsets.shape} and {gaps.shape}")
    if not (np.isfinite(offsets).all() and np.isfinite(gaps).all()):
        raise ValueRangeError("offsets and gaps must be finite; there is NaN or infinity")
    if len(offsets) == 0:
        return 0.0
    if not gaps.min() > 0:
        raise ValueRangeError(f"gaps must be positive, or no scale is large enough; the smallest is {gaps.min():.3g}")
    target, scale = _log_odds(error), 0.0
    for _ in range(200):
        with quiet():
            logits = offsets - scale * gaps
            step = float((log_sum_exp(logits) - target) / (masked_softmax(logits) @ gaps))
        if step <= 4 * np.finfo(float).eps * scale:
            break
        scale += step
        if not math.isfinite(scale):
            raise ValueRangeError(f"gaps as small as {gaps.min():.3g} need a scale beyond float64; make them larger")
    return scale


def _n_others(n_keys: int, n_chosen: int) -> int:
    n_keys, n_chosen = whole_number(n_keys, name="n_keys"), whole_number(n_chosen, name="n_chosen")
    if not 1 <= n_chosen <= n_keys:
        raise ValueRangeError(f"expected 1 ≤ n_chosen ≤ n_keys; got {n_chosen} chosen of {n_keys} keys")
    return n_keys - n_chosen


def _log_odds(error: float) -> float:
    """ln(error / (1 − error)), for errors as small as 1e-300."""
    share = check_error(error)
    return math.log(share) - math.log1p(-share)
