"""Softmax and log-sum-exp over the last axis: with masks, for logits of any size.

Only differences of logits matter. Taken from the largest logit of the row, the top, no power can overflow:

    αᵢ = e^(sᵢ − top) / Σⱼ e^(sⱼ − top)

The limits are those of finite logits: a logit of −∞ weighs nothing, logits of +∞ share the weight equally.
"""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias, get_args

from regard.arrays.namespace import as_numpy, constant, floating, narrow, quiet, widen
from regard.errors import MaskedRowError, ShapeError, ValueRangeError
from regard.shapes import Array, Bool, Float

Empty: TypeAlias = Literal["error", "zeros"]
"""What becomes of a row that may read no key: an error, or weights of zero."""


def masked_softmax(
    logits: Float[Array, "*batch key"],
    *,
    allowed: Bool[Array, "*mask"] | None = None,
    empty: Empty = "error",
) -> Float[Array, "*batch key"]:
    """Weights e^sᵢ / Σⱼ e^sⱼ over the allowed keys; the others weigh exactly zero.

    `allowed` broadcasts against the logits. What stands at a key that is not allowed is never read.

    >>> import numpy as np
    >>> masked_softmax(np.array([0.0, 0.0, 9.0]), allowed=np.array([True, True, False]))
    array([0.5, 0.5, 0. ])

    Raises MaskedRowError for a row without any key, unless `empty="zeros"`; ValueRangeError for NaN.
    """
    check_empty(empty)
    xp, [given] = floating(logits=logits, allowed=allowed)
    [logits] = widen(xp, given)
    logits = mask_logits(xp, logits, allowed)
    top = largest_logit(xp, logits)
    require_no_nan(xp, top)
    if empty == "error":
        require_a_key(xp, top)
    with quiet():
        exponentials = exp_below(xp, logits, top)
        weights = exponentials / replace_zeros(xp, xp.sum(exponentials, axis=-1, keepdims=True))
    return narrow(xp, weights, given)


def log_sum_exp(
    logits: Float[Array, "*batch key"], *, allowed: Bool[Array, "*mask"] | None = None
) -> Float[Array, "*batch"]:
    """ln Σᵢ e^sᵢ over the allowed keys, −∞ where there are none.

    >>> import numpy as np
    >>> float(log_sum_exp(np.array([1e308, -1e308])))
    1e+308

    Raises ValueRangeError for NaN.
    """
    xp, [given] = floating(logits=logits, allowed=allowed)
    [logits] = widen(xp, given)
    logits = mask_logits(xp, logits, allowed)
    top = largest_logit(xp, logits)
    require_no_nan(xp, top)
    with quiet():
        total = xp.sum(exp_below(xp, logits, top), axis=-1, keepdims=True)
        value = xp.where(xp.isfinite(top), top + xp.log(replace_zeros(xp, total)), top)
    return narrow(xp, xp.squeeze(value, axis=-1), given)


def mask_logits(xp: Any, logits: Float[Array, "*batch key"], allowed: Array | None) -> Float[Array, "*batch key"]:
    """The logits, −∞ where a key is not allowed."""
    if logits.ndim == 0:
        raise ShapeError("logits need at least one axis, the keys; got a single number")
    if allowed is None:
        return logits
    require_broadcast(allowed, tuple(logits.shape))
    return xp.where(allowed, logits, -math.inf)


def largest_logit(xp: Any, logits: Float[Array, "*batch key"]) -> Float[Array, "*batch 1"]:
    """The largest logit of each row: −∞ where there is none, NaN where one is NaN.

    A constant for gradients: softmax does not depend on what is subtracted.
    """
    if logits.shape[-1] == 0:
        return xp.full((*logits.shape[:-1], 1), -math.inf, dtype=logits.dtype, device=logits.device)
    return xp.max(constant(logits), axis=-1, keepdims=True)


def exp_below(
    xp: Any, logits: Float[Array, "*batch key"], top: Float[Array, "*batch 1"], *, out: Array | None = None
) -> Float[Array, "*batch key"]:
    """e^(s − top), continued to infinite tops: all zero below −∞; below +∞, one for each +∞.

    `out` may hold the result, and may be `logits` itself.
    """
    if bool(xp.all(xp.isfinite(top))):
        return xp.exp(xp.subtract(logits, top, out=out), out=out)
    below_infinity = xp.where(logits == math.inf, xp.zeros_like(logits), -math.inf)
    below = logits - xp.where(xp.isfinite(top), top, xp.zeros_like(top))
    return xp.exp(xp.where(top == math.inf, below_infinity, below), out=out)


def replace_zeros(xp: Any, total: Float[Array, "*batch 1"]) -> Float[Array, "*batch 1"]:
    """The total, one where it is zero: 0/1 is the zero row that 0/0 would spoil, and so are its gradients."""
    return xp.where(total == 0, xp.ones_like(total), total)


def check_empty(empty: str) -> None:
    """Refuse any other word than those of `Empty`."""
    if empty not in get_args(Empty):
        raise ValueRangeError(f"empty must be one of {', '.join(map(repr, get_args(Empty)))}; got {empty!r}")


def require_broadcast(allowed: Array, shape: tuple[int, ...]) -> None:
    """Refuse a mask that does not broadcast to exactly `shape`."""
    padded = (1,) * (len(shape) - allowed.ndim) + tuple(allowed.shape)
    if (
        allowed.ndim == 0
        or len(padded) != len(shape)
        or any(own not in (1, size) for own, size in zip(padded, shape, strict=True))
    ):
        raise ShapeError(
            f"allowed must broadcast to the logits, of shape {shape} with the keys last; got {tuple(allowed.shape)}"
        )


def require_no_nan(xp: Any, top: Float[Array, "*batch 1"]) -> None:
    """Refuse rows whose largest logit is NaN, which is the case when any of them is."""
    bad = xp.isnan(top)
    if bool(xp.any(bad)):
        raise ValueRangeError(f"the logits{first_row(bad)} hold NaN: remove it, or mask its key with `allowed`")


def require_a_key(xp: Any, top: Float[Array, "*batch 1"]) -> None:
    """Refuse rows whose largest logit is −∞: nothing to read."""
    bad = top == -math.inf
    if bool(xp.any(bad)):
        raise MaskedRowError(
            f"no key may be read{first_row(bad)}: each one is masked or has a logit of −∞; "
            "allow at least one, or ask for zeros with empty='zeros'"
        )


def first_row(bad: Bool[Array, "*batch 1"]) -> str:
    """Name the row of the first True, as in ' in row (0, 2)'; an empty text where there is only one row."""
    index = tuple(int(axis[0]) for axis in as_numpy(bad[..., 0]).nonzero()) if bad.ndim > 1 else ()
    if not index:
        return ""
    return f" in row {index[0]}" if len(index) == 1 else f" in row {index}"
