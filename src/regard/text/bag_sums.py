"""Sums of the rows that each bag names: words of a text, without padding.

Two ways, of which `bag_sums` takes the quicker; measured on IMDb, 267 words a review, one thread:

    row of numbers        gather, then np.add.reduceat     sparse product
    4 float32, 2²¹ rows   3.7 µs a review                  6.4 µs
    100 float32           56 µs                            9.8 µs       nothing is stored in between

A narrow table may be kept as float16 or int8, smaller on disk and in the cache: rows are widened once gathered, and
what scales them back (one factor a column, say) is applied to the sums.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from regard.shapes import Float, Int

_NARROW = 16
_Table = Float[np.ndarray, "vocab width"] | Int[np.ndarray, "vocab width"]


def bag_sums(
    table: _Table,
    ids: Int[np.ndarray, " word"],
    offsets: Int[np.ndarray, " bound"],
    *,
    weights: Float[np.ndarray, " word"] | None = None,
) -> Float[np.ndarray, "batch width"]:
    """Of each bag b the sum of the rows ids[offsets[b]:offsets[b + 1]], each times its weight; an empty bag's is 0.

    The offsets run from 0 to len(ids). Sums are float32, or float64 for a table of float64.

    >>> bag_sums(np.array([[1.0], [10.0]]), np.array([0, 1, 1]), np.array([0, 3, 3]))
    array([[21.],
           [ 0.]])
    """
    sum_up = _gathered_sums if table.shape[1] <= _NARROW else _product_sums
    return sum_up(table, ids, offsets, weights, np.promote_types(np.float32, table.dtype))


def _gathered_sums(
    table: _Table,
    ids: Int[np.ndarray, " word"],
    offsets: Int[np.ndarray, " bound"],
    weights: Float[np.ndarray, " word"] | None,
    dtype: np.dtype,
) -> Float[np.ndarray, "batch width"]:
    rows = table.take(ids, axis=0).astype(dtype, copy=False)
    if weights is not None:
        rows *= weights[:, None]
    sums = np.zeros((len(offsets) - 1, table.shape[1]), dtype)
    filled = np.flatnonzero(np.diff(offsets))  # reduceat gives an empty stretch the row that follows it
    if len(filled):
        sums[filled] = np.add.reduceat(rows, offsets[filled])
    return sums


def _product_sums(
    table: _Table,
    ids: Int[np.ndarray, " word"],
    offsets: Int[np.ndarray, " bound"],
    weights: Float[np.ndarray, " word"] | None,
    dtype: np.dtype,
) -> Float[np.ndarray, "batch width"]:
    factors = np.ones(len(ids), dtype) if weights is None else weights.astype(dtype, copy=False)
    bags = csr_array((factors, ids, offsets), shape=(len(offsets) - 1, len(table)))
    return bags @ table.astype(dtype, copy=False)
