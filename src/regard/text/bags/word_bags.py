"""Texts as bags of words and n-grams, each a hash, found by passes over bytes without a loop over words.

bags = word_bags(texts)                    the hash of each word, texts one after another
pairs, offsets = ngram_hashes(bags, 2)     of each two neighbours within a text
buckets(pairs, bits=20)                    rows of a table with 2²⁰ rows
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from regard.errors import ValueRangeError
from regard.shapes import Float, Int, UInt
from regard.text.bags.word_hashes import hashes_of_bytes, word_bytes

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
    sum_up = _gather_sums if table.shape[1] <= _NARROW else _product_sums
    return sum_up(table, ids, offsets, weights, np.promote_types(np.float32, table.dtype))


def _gather_sums(
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


_CHARACTERS_AT_ONCE = 1 << 19
_NEXT_WORD = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True)
class WordBags:
    """The words of some texts: those of text t are hashes[offsets[t]:offsets[t + 1]], in their order."""

    hashes: UInt[np.ndarray, " word"]
    offsets: Int[np.ndarray, " bound"]

    def __len__(self) -> int:
        return len(self.offsets) - 1


def word_bags(texts: Sequence[str]) -> WordBags:
    """The hash of each word of each text.

    >>> bags = word_bags(["Good. Good!", "", "<br />good"])
    >>> bags.offsets, bool(bags.hashes[0] == bags.hashes[2] == bags.hashes[4])
    (array([0, 4, 4, 5]), True)
    """
    parts = [_hash_batch(part) for part in text_batches(texts)]
    counts = [np.diff(part.offsets) for part in parts]
    hashes = np.concatenate([np.empty(0, np.uint64), *(part.hashes for part in parts)])
    return WordBags(hashes, np.cumsum(np.concatenate([np.zeros(1, np.int64), *counts])))


def ngram_hashes(bags: WordBags, n: int) -> tuple[UInt[np.ndarray, " ngram"], Int[np.ndarray, " bound"]]:
    """The hash of each n words in a row of the same text, and where each text's begin.

    hash(w₁ … wₙ) = hash(w₁ … wₙ₋₁)·C + hash(wₙ)  modulo 2⁶⁴
    """
    if n < 1:
        raise ValueRangeError(f"an n-gram has at least one word; got n = {n}")
    hashes = bags.hashes
    for more in range(1, n):
        hashes = hashes[: len(hashes) - 1] * _NEXT_WORD + bags.hashes[more:]
    counts = np.maximum(np.diff(bags.offsets) - (n - 1), 0)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    starts = np.repeat(bags.offsets[:-1] - offsets[:-1], counts) + np.arange(offsets[-1])
    return hashes[starts], offsets


def buckets(hashes: UInt[np.ndarray, " ngram"], bits: int) -> Int[np.ndarray, " ngram"]:
    """The row of each hash in a table of 2^bits rows: its top bits."""
    if not 1 <= bits <= 31:
        raise ValueRangeError(f"a table has from 2 to 2³¹ rows, bits 1 to 31; got bits = {bits}")
    return (hashes >> np.uint64(64 - bits)).astype(np.int32)


def text_batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Group the texts into batches of half a million characters: few calls, and each stays in the processor's cache."""
    begin = n_characters = 0
    for i, text in enumerate(texts):
        n_characters += len(text)
        if n_characters >= _CHARACTERS_AT_ONCE:
            yield texts[begin : i + 1]
            begin, n_characters = i + 1, 0
    if begin < len(texts):
        yield texts[begin:]


def _hash_batch(texts: Sequence[str]) -> WordBags:
    words = word_bytes(texts)
    return WordBags(hashes_of_bytes(words.content, words.starts, words.ends - words.starts), words.offsets)
