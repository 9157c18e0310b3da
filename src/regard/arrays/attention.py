"""Attention: logits → weights → mixed values.

    s = scale · Q Kᵀ        α = softmax(s)        c = α V

`scale` is 1 unless another number is given; `scale="sqrt"` stands for 1/√width, as in Transformers.
`attention_weights` is the formula. `attend` gives α V and never holds all of α: it reads a block of keys at a time and
keeps, for each query, the largest logit so far (top), the sum of e^(s − top) and the sum of e^(s − top) v. When a
larger logit turns up, both sums shrink with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

from regard.arrays.namespace import allocate_workspace, finite_number, floating, narrow, quiet, whole_number, widen
from regard.arrays.softmax import (
    Empty,
    check_empty,
    exp_below,
    first_row,
    largest_logit,
    mask_logits,
    masked_softmax,
    replace_zeros,
    require_a_key,
    require_broadcast,
)
from regard.errors import ShapeError, ValueRangeError
from regard.shapes import Array, Bool, Float

Scale: TypeAlias = float | Literal["sqrt"]
"""What the dot products are multiplied by: a number, or "sqrt" for 1/√width."""

LOGITS_AT_ONCE = 2**21
"""16 MiB in float64: little memory, yet few blocks, as threads wait for each other several times in each."""

KEYS_AT_ONCE = 2048
"""A block takes this many keys before it takes more queries, so that rescaling the sums costs little."""


class BlockShape(NamedTuple):
    """How much of each axis `attend` takes at once."""

    batch: int
    query: int
    key: int


def attention_weights(
    queries: Float[Array, "*batch query width"],
    keys: Float[Array, "*batch key width"],
    *,
    scale: Scale = 1.0,
    allowed: Bool[Array, "*mask"] | None = None,
    causal: bool = False,
    empty: Empty = "error",
) -> Float[Array, "*batch query key"]:
    """How strongly each query reads each key: softmax(scale · Q Kᵀ) over the allowed keys.

    `allowed` broadcasts against "*batch query key"; True lets the query read the key. With `causal`, query i may
    read the keys up to i only, and there must be one key for each query.

    >>> import numpy as np
    >>> attention_weights(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [3.0, 0.0]])).round(4)
    array([[0.1192, 0.8808]])

    Raises MaskedRowError for a query that may read no key, unless `empty="zeros"`, and ValueRangeError where
    logits overflow or are NaN.
    """
    check_empty(empty)
    xp, [given, keys] = floating(queries=queries, keys=keys, allowed=allowed)
    _require_fit(given, keys)
    queries, keys = widen(xp, given, keys)
    allowed = _with_causal(xp, allowed, queries, keys) if causal else allowed
    with quiet():
        logits = mask_logits(xp, _scale_queries(queries, scale) @ keys.mT, allowed)
    _require_sound(xp, largest_logit(xp, logits), queries, keys, allowed=allowed, empty=empty)
    return narrow(xp, masked_softmax(logits, empty="zeros"), given)


def attend(
    queries: Float[Array, "*batch query width"],
    keys: Float[Array, "*batch key width"],
    values: Float[Array, "*batch key value_width"],
    *,
    scale: Scale = 1.0,
    allowed: Bool[Array, "*mask"] | None = None,
    causal: bool = False,
    empty: Empty = "error",
    block: int | None = None,
) -> Float[Array, "*batch query value_width"]:
    """What each query reads: softmax(scale · Q Kᵀ) V, the values mixed with the attention weights.

    No more than `block` logits are held at once, by default a few megabytes of them, unless gradients are
    wanted, which need them all. Where no key may be read and `empty="zeros"`, the output is zero. `allowed` and
    `causal` are those of `attention_weights`; keys that come after all queries of a block are not even read.

    >>> import numpy as np
    >>> attend(np.zeros((1, 2)), np.zeros((2, 2)), np.array([[1.0, 0.0], [0.0, 1.0]]))
    array([[0.5, 0.5]])

    Raises what `attention_weights` raises, and ValueRangeError where the output is NaN or infinite.
    """
    check_empty(empty)
    xp, [given, keys, values] = floating(queries=queries, keys=keys, values=values, allowed=allowed)
    _require_fit(given, keys, values)
    queries, keys, values = widen(xp, given, keys, values)
    *batch, n_query, _ = queries.shape
    mask = None if allowed is None else _merge_mask_axes(xp, allowed, (*batch, n_query, keys.shape[-2]))
    if causal:
        require_as_many_keys(n_query, keys.shape[-2])
    with quiet():
        flat = [_merge_batch_axes(xp, array) for array in (_scale_queries(queries, scale), keys, values)]
        mixed, top = _attend_in_blocks(xp, *flat, mask=mask, causal=causal, block=block)
    top = xp.reshape(top, (*batch, n_query, 1))
    if causal and not bool(xp.all(xp.isfinite(top))):  # the whole mask is needed to say what is wrong, and only then
        allowed = _with_causal(xp, allowed, queries, keys)
    _require_sound(xp, top, queries, keys, allowed=allowed, empty=empty)
    _require_finite_output(xp, mixed, values)
    return narrow(xp, xp.reshape(mixed, (*batch, n_query, values.shape[-1])), given)


def block_shape(*, n_batch: int, n_query: int, n_key: int, n_logits: int = LOGITS_AT_ONCE) -> BlockShape:
    """The block that `attend` takes at once, of at most `n_logits` logits.

    Keys come first, then queries, then whole batches; what these leave unused goes to the keys again.

    >>> block_shape(n_batch=1, n_query=1000, n_key=1_000_000)
    BlockShape(batch=1, query=1000, key=2097)
    """
    key = max(1, min(n_key, KEYS_AT_ONCE, n_logits))
    query = max(1, min(n_query, n_logits // key))
    batch = max(1, min(n_batch, n_logits // (key * query)))
    return BlockShape(batch, query, max(1, min(n_key, n_logits // (batch * query))))


def resolve_scale(scale: Scale, width: int) -> float:
    """The factor of the dot products: the number given, or 1/√width for "sqrt".

    >>> resolve_scale("sqrt", 4), resolve_scale(0.1, 4)
    (0.5, 0.1)
    """
    if isinstance(scale, str):
        if scale != "sqrt":
            raise ValueRangeError(f"scale must be a finite number, or 'sqrt' for 1/√width; got {scale!r}")
        if width == 0:
            raise ShapeError("scale='sqrt' is 1/√width: queries and keys need at least one number")
        return 1 / math.sqrt(width)
    return finite_number(scale, name="scale")


def causal_mask(xp: Any, queries: Array, keys: Array) -> Bool[Array, "query key"]:
    """True where a query may read a key: at its own position and before.

    >>> import numpy as np
    >>> causal_mask(np, np.zeros((2, 1)), np.zeros((2, 1)))
    array([[ True, False],
           [ True,  True]])
    """
    n_query, n_key = queries.shape[-2], keys.shape[-2]
    require_as_many_keys(n_query, n_key)
    return _causal_block(xp, queries, slice(0, n_query), slice(0, n_key))


def require_as_many_keys(n_query: int, n_key: int) -> None:
    """Refuse a causal mask where positions of queries and keys do not correspond."""
    if n_query != n_key:
        raise ShapeError(f"causal needs one key for each query; got {n_query} queries and {n_key} keys")


def _causal_block(xp: Any, like: Array, queries: slice, keys: slice) -> Bool[Array, "query key"]:
    """The causal mask of some queries and some keys, on the device of another array."""
    rows = xp.arange(queries.start, queries.stop, device=like.device)
    columns = xp.arange(keys.start, keys.stop, device=like.device)
    return rows[:, None] >= columns[None, :]


def _with_causal(xp: Any, allowed: Array | None, queries: Array, keys: Array) -> Bool[Array, "*mask"]:
    """What a mask and the order of positions both allow."""
    causal = causal_mask(xp, queries, keys)
    if allowed is None:
        return causal
    require_broadcast(allowed, (*queries.shape[:-1], keys.shape[-2]))
    return allowed & causal


def _scale_queries(queries: Float[Array, "*batch query width"], scale: Scale) -> Float[Array, "*batch query width"]:
    """scale · Q, which makes scale · Q Kᵀ at the price of a few numbers instead of one for each pair."""
    return resolve_scale(scale, queries.shape[-1]) * queries


def _attend_in_blocks(
    xp: Any,
    queries: Float[Array, "batch query width"],
    keys: Float[Array, "batch key width"],
    values: Float[Array, "batch key value_width"],
    *,
    mask: Bool[Array, "#batch #query #key"] | None,
    causal: bool,
    block: int | None,
) -> tuple[Float[Array, "batch query value_width"], Float[Array, "batch query 1"]]:
    """The output and the largest logit of each query, block by block."""
    if block is not None and whole_number(block, name="block") < 1:
        raise ValueRangeError(f"block, the number of logits held at once, must be at least 1; got {block}")
    n_batch, n_query, _ = queries.shape
    n_logits = LOGITS_AT_ONCE if block is None else block
    shape = block_shape(n_batch=n_batch, n_query=n_query, n_key=keys.shape[1], n_logits=n_logits)
    rows = []
    for b in _slices(n_batch, shape.batch):
        k, v = keys[b, :, :], values[b, :, :]
        parts = [
            _attend_over_keys(
                xp,
                queries[b, q, :],
                k,
                v,
                mask=_mask_of_block(mask, b, q),
                n_key=shape.key,
                first_query=q.start if causal else None,
            )
            for q in _slices(n_query, shape.query)
        ]
        rows.append(_concatenate_pairs(xp, parts, axis=1))
    return _concatenate_pairs(xp, rows, axis=0)


def _concatenate_pairs(xp: Any, pairs: list[tuple[Array, Array]], *, axis: int) -> tuple[Array, Array]:
    first, second = zip(*pairs, strict=True)
    return xp.concat(list(first), axis=axis), xp.concat(list(second), axis=axis)


def _attend_over_keys(
    xp: Any,
    queries: Float[Array, "batch query width"],
    keys: Float[Array, "batch key width"],
    values: Float[Array, "batch key value_width"],
    *,
    mask: Bool[Array, "#batch #query #key"] | None,
    n_key: int,
    first_query: int | None,
) -> tuple[Float[Array, "batch query value_width"], Float[Array, "batch query 1"]]:
    """The output and the largest logit of each query, reading `n_key` keys at a time.

    `first_query` is the position of the first of these queries where they may read no later keys, else None.
    """
    top = largest_logit(xp, queries[..., :0])  # −∞: no key has been read
    total = mixed = xp.zeros_like(top)
    memory = allocate_workspace(xp, (*queries.shape[:2], min(n_key, keys.shape[1])), queries, keys, values)
    rows = None if first_query is None else slice(first_query, first_query + queries.shape[1])
    for k in _slices(keys.shape[1] if rows is None else rows.stop, n_key):
        some_keys = keys[:, k, :]
        out = None if memory is None else memory[:, :, : some_keys.shape[1]]
        logits = xp.matmul(queries, some_keys.mT, out=out)
        logits = mask_logits(xp, logits, _mask_of_block(mask, slice(None), slice(None), k))
        if rows is not None:
            columns = slice(k.start, k.start + some_keys.shape[1])
            logits = mask_logits(xp, logits, _causal_block(xp, queries, rows, columns))
        higher = xp.maximum(top, largest_logit(xp, logits))
        shrink = exp_below(xp, top, higher)
        exponentials = exp_below(xp, logits, higher, out=out)
        total = shrink * total + xp.sum(exponentials, axis=-1, keepdims=True)
        mixed = shrink * mixed + exponentials @ values[:, k, :]
        top = higher
    return mixed / replace_zeros(xp, total), top


def _slices(size: int, step: int) -> Iterator[slice]:
    """Consecutive slices that cover an axis; a single empty one for an axis without elements."""
    return (slice(start, start + step) for start in range(0, max(size, 1), step))


def _mask_of_block(mask: Array | None, *slices: slice) -> Array | None:
    """The mask of a block: axes of length one stand for every index and are left whole."""
    if mask is None:
        return None
    return mask[tuple(s if size > 1 else slice(None) for s, size in zip(slices, mask.shape, strict=False))]


def _merge_batch_axes(xp: Any, array: Array) -> Array:
    """The array with one batch axis in place of any number of them."""
    return xp.reshape(array, (math.prod(array.shape[:-2]), *array.shape[-2:]))


def _merge_mask_axes(xp: Any, allowed: Bool[Array, "*mask"], shape: tuple[int, ...]) -> Bool[Array, "batch query key"]:
    """The mask with one batch axis; axes of length one stand for every index and stay so, to cost nothing."""
    require_broadcast(allowed, shape)
    padded = xp.reshape(allowed, (1,) * (len(shape) - allowed.ndim) + tuple(allowed.shape))
    if math.prod(padded.shape[:-2]) > 1:
        padded = xp.broadcast_to(padded, (*shape[:-2], *padded.shape[-2:]))
    return _merge_batch_axes(xp, padded)


def _require_fit(queries: Array, keys: Array, values: Array | None = None) -> None:
    arrays = {"queries": queries, "keys": keys} | ({} if values is None else {"values": values})
    shapes = ", ".join(f"{name} {tuple(array.shape)}" for name, array in arrays.items())
    if any(array.ndim < 2 for array in arrays.values()):
        raise ShapeError(f"each array needs two axes, rows and width, after any batch axes; got {shapes}")
    if len({tuple(array.shape[:-2]) for array in arrays.values()}) > 1:
        raise ShapeError(f"all arrays need the same batch axes, those before the last two; got {shapes}")
    if queries.shape[-1] != keys.shape[-1]:
        raise ShapeError(f"queries and keys need the same width, their last axis; got {shapes}")
    if values is not None and keys.shape[-2] != values.shape[-2]:
        raise ShapeError(f"each key needs one value row; got {shapes}")


def _require_sound(
    xp: Any,
    top: Float[Array, "*batch query 1"],
    queries: Array,
    keys: Array,
    *,
    allowed: Array | None,
    empty: Empty,
) -> None:
    """Refuse logits that are NaN or overflow; unless zeros are wanted, also queries that may read no key.

    Finite queries and keys have a logit of ±∞ only by overflow, and beyond that no two can be compared.
    """
    if bool(xp.all(xp.isfinite(top))):
        return
    bad = ~xp.isfinite(top) & _has_readable_key(xp, top, keys, allowed)
    if bool(xp.any(bad)):
        _require_finite(xp, "queries", queries)
        _require_finite(xp, "keys", keys)
        raise ValueRangeError(
            f"the logits{first_row(bad)} are beyond the range of {top.dtype}: make queries, keys or scale smaller"
        )
    if empty == "error":
        require_a_key(xp, top)


def _has_readable_key(xp: Any, top: Array, keys: Array, allowed: Array | None) -> Bool[Array, "*mask"]:
    """Whether there is any key that the query may read; broadcasts against "*batch query 1"."""
    if allowed is None or keys.shape[-2] == 0:
        return xp.full_like(top, keys.shape[-2] > 0, dtype=xp.bool)
    return xp.any(allowed, axis=-1, keepdims=True)


def _require_finite_output(xp: Any, mixed: Array, values: Array) -> None:
    if not bool(xp.all(xp.isfinite(mixed))):
        _require_finite(xp, "values", values)
        raise ValueRangeError(f"the sum of weighted values is beyond the range of {mixed.dtype}: make values smaller")


def _require_finite(xp: Any, name: str, array: Array) -> None:
    bad = xp.any(~xp.isfinite(array), axis=-1, keepdims=True)
    if bool(xp.any(bad)):
        raise ValueRangeError(f"{name} must be finite; there is NaN or infinity{first_row(bad)}")
