"""What people want to know of attention weights: how spread out they are, and what is read most.

Weights are non-negative and sum to one over their last axis, the keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from regard.arrays.namespace import as_numpy, floating, narrow, quiet, real_number, whole_number, widen
from regard.arrays.softmax import first_row
from regard.errors import ShapeError, ValueRangeError
from regard.shapes import Array, Bool, Float, Int

SUM_TOLERANCE = 1e-3
"""Wide enough for weights typed with three digits, narrow enough to notice logits."""


@dataclass(frozen=True, eq=False)
class Top:
    """The largest weights of each row and the keys they belong to, in falling order."""

    indices: Int[Array, "*batch rank"]
    weights: Float[Array, "*batch rank"]


def entropy(weights: Float[Array, "*batch key"]) -> Float[Array, "*batch"]:
    """−Σᵢ αᵢ ln αᵢ in nats: 0 when a single key is read, ln n when n keys are read alike."""
    xp, given = _check(weights)
    return narrow(xp, _entropy(xp, given), given)


def effective_count(weights: Float[Array, "*batch key"]) -> Float[Array, "*batch"]:
    """How many keys, read alike, would be as spread out: e^entropy, between 1 and the number of keys.

    >>> import numpy as np
    >>> float(effective_count(np.array([0.25, 0.25, 0.25, 0.25])))
    4.0
    """
    xp, given = _check(weights)
    return narrow(xp, xp.exp(_entropy(xp, given)), given)


def top(weights: Float[Array, "*batch key"], *, count: int = 5) -> Top:
    """The `count` keys that are read most, or all where there are fewer; equal ones in the order of the keys.

    >>> import numpy as np
    >>> top(np.array([0.2, 0.7, 0.1]), count=2)
    Top(indices=array([1, 0]), weights=array([0.7, 0.2]))
    """
    if whole_number(count, name="count") < 1:
        raise ValueRangeError(f"count must be at least 1; got {count}")
    xp, weights = _check(weights)
    indices = xp.argsort(weights, axis=-1, descending=True, stable=True)[..., :count]
    return Top(indices=indices, weights=xp.take_along_axis(weights, indices, axis=-1))


def is_copying(weights: Float[Array, "*batch key"], *, tolerance: float = 0.01) -> Bool[Array, "*batch"]:
    """Whether a single key has all the weight but `tolerance`: maxᵢ αᵢ ≥ 1 − tolerance.

    >>> import numpy as np
    >>> is_copying(np.array([[0.995, 0.005], [0.9, 0.1]]))
    array([ True, False])
    """
    if not 0 <= real_number(tolerance, name="tolerance") < 1:
        raise ValueRangeError(f"tolerance must be at least 0 and below 1; got {tolerance}")
    xp, weights = _check(weights)
    return xp.max(weights, axis=-1) >= 1 - tolerance


def _entropy(xp: Any, weights: Float[Array, "*batch key"]) -> Float[Array, "*batch"]:
    [weights] = widen(xp, weights)
    log_weights = xp.log(xp.where(weights > 0, weights, xp.ones_like(weights)))  # 0 ln 0 = 0
    return 0.0 - xp.sum(weights * log_weights, axis=-1)  # not −0 for a single key


def _sum_tolerance(xp: Any, weights: Float[Array, "*batch key"]) -> float:
    """How far from one the sum may be: `SUM_TOLERANCE`, or rounding of the weights themselves in half precision."""
    info = xp.finfo(weights.dtype)
    spacing = float(info.smallest_normal) * float(info.eps)  # of the smallest numbers, which many equal weights may be
    return max(SUM_TOLERANCE, float(info.eps), weights.shape[-1] * spacing)


def _check(weights: Float[Array, "*batch key"]) -> tuple[Any, Float[Array, "*batch key"]]:
    """The array namespace of the weights and the weights as floats, once they are known to be weights."""
    xp, [weights] = floating(weights=weights)
    if weights.ndim == 0 or weights.shape[-1] == 0:
        raise ShapeError(f"weights need a last axis with at least one key; got shape {tuple(weights.shape)}")
    with quiet():
        total = xp.sum(widen(xp, weights)[0], axis=-1, keepdims=True)
    negative = xp.any(weights < 0, axis=-1, keepdims=True)
    bad = negative | ~(xp.abs(total - 1) <= _sum_tolerance(xp, weights))  # written so that NaN is bad
    if bool(xp.any(bad)):
        first = as_numpy(total)[as_numpy(bad)][0]
        raise ValueRangeError(
            f"weights must be non-negative and sum to one over the last axis; those{first_row(bad)} sum to "
            f"{first:.6g}{', with a negative one' if bool(xp.any(negative)) else ''}: "
            "take the softmax of logits, and leave out rows that may read no key"
        )
    return xp, weights
