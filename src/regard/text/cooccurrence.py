"""How often words stand near each other: sparse counts, gathered chunk by chunk and merge from parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.sparse import coo_array, csr_array

from regard.cluster import map_batches
from regard.errors import ShapeError, ValueRangeError, VocabularyError
from regard.records import ALONE, Workers
from regard.shapes import Int
from regard.text.bigram_counts import pack_matrix, unpack_matrix

CHUNK_TOKENS = 250_000
"""With a window of 10, its pairs take some 100 MB."""

Line: TypeAlias = Int[np.ndarray, " _"]
"""Ids in their order; each line has a length of its own."""


@dataclass(frozen=True, eq=False)
class Cooccurrence:
    """`counts[i, j]`: the sum of 1/distance over all places where word j stands within `window` of word i.

    Symmetric: both sides count. `n_tokens` words have been read.
    """

    counts: csr_array
    window: int
    n_tokens: int

    @property
    def n_words(self) -> int:
        """The size of the vocabulary."""
        return int(self.counts.shape[0])

    def __add__(self, other: Cooccurrence) -> Cooccurrence:
        """The counts of both texts together."""
        if (self.n_words, self.window) != (other.n_words, other.window):
            raise ShapeError(
                f"counts can be added over one vocabulary and one window; got {self.n_words} words, window "
                f"{self.window}, and {other.n_words} words, window {other.window}"
            )
        return Cooccurrence(csr_array(self.counts + other.counts), self.window, self.n_tokens + other.n_tokens)


def count_cooccurrences(
    lines: Iterable[Line], *, n_words: int, window: int = 10, workers: Workers = ALONE
) -> Cooccurrence:
    """Count which words stand near each other in a text, given as ids line by line; no pair goes over a line end.

    A negative id is no word: it counts in distances and has no pairs. `workers` count some lines each; as their counts
    are added up in one order, whichever worker counts, the sums are equal to the last bit.

    >>> count_cooccurrences([np.array([0, 1, 0])], n_words=2).counts.toarray()
    array([[1., 2.],
           [2., 0.]])
    """
    if window < 1 or n_words < 1:
        raise ValueRangeError(f"window and vocabulary need at least one word; got {window} and {n_words}")
    parts: list[Cooccurrence] = []
    for part in _count_chunks(lines, n_words, window, workers):
        parts.append(part)
        # As in a binary counter: each count is added up only as often as the parts double.
        while len(parts) > 1 and parts[-2].n_tokens <= 2 * parts[-1].n_tokens:
            parts[-2:] = [parts[-2] + parts[-1]]
    return merge(parts) if parts else Cooccurrence(csr_array((n_words, n_words)), window, 0)


def merge(parts: Sequence[Cooccurrence]) -> Cooccurrence:
    """Add the counts of all parts of a text, the smallest first."""
    if not parts:
        raise ValueRangeError("expected at least one part to merge; got none")
    whole, *rest = reversed(parts)
    for part in rest:
        whole = part + whole
    return whole


def _chunks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    chunk: list[Line] = []
    n_tokens = 0
    for line in lines:
        chunk.append(line)
        n_tokens += len(line)
        if n_tokens >= CHUNK_TOKENS:
            yield chunk
            chunk, n_tokens = [], 0
    if chunk:
        yield chunk


def _count_chunks(lines: Iterable[Line], n_words: int, window: int, workers: Workers) -> Iterator[Cooccurrence]:
    if workers.are_here:
        yield from (_count_chunk(chunk, n_words, window) for chunk in _chunks(lines))
        return
    batches = (
        (np.concatenate(chunk).tobytes(), np.array([len(line) for line in chunk]).tobytes(), n_words, window)
        for chunk in _chunks(line.astype(np.int64) for line in lines)
    )
    for result in map_batches(count_lines, batches, workers=workers):
        yield Cooccurrence(unpack_matrix(result[8:]), window, int.from_bytes(result[:8], "little"))


def count_lines(ids: bytes, lengths: bytes, n_words: int, window: int) -> bytes:
    """What a worker does: how many ids some lines have, in eight bytes, and their counts as a packed matrix."""
    ends = np.cumsum(np.frombuffer(lengths, np.int64))
    lines = np.split(np.frombuffer(ids, np.int64), ends[:-1])
    found = _count_chunk(lines, n_words, window)
    return found.n_tokens.to_bytes(8, "little") + pack_matrix(found.counts)


def _count_chunk(lines: list[Line], n_words: int, window: int) -> Cooccurrence:
    ids = np.concatenate(lines)
    if len(ids) and ids.max() >= n_words:
        raise VocabularyError(f"expected ids below {n_words}, the size of the vocabulary; got {ids.max()}")
    line_of = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    one_sided = _pairs(ids, line_of, n_words, window)
    return Cooccurrence(csr_array(one_sided + one_sided.T), window, len(ids))


def _pairs(
    ids: Int[np.ndarray, " position"], line_of: Int[np.ndarray, " position"], n_words: int, window: int
) -> csr_array:
    """The counts of each word with those after it."""
    firsts, seconds, weights = [], [], []
    for distance in range(1, min(window, len(ids) - 1) + 1):
        first, second = ids[:-distance], ids[distance:]
        is_pair = (line_of[:-distance] == line_of[distance:]) & (first >= 0) & (second >= 0)
        firsts.append(first[is_pair].astype(np.int32))
        seconds.append(second[is_pair].astype(np.int32))
        weights.append(np.full(len(firsts[-1]), 1 / distance))
    if not firsts:
        return csr_array((n_words, n_words))
    places = (np.concatenate(firsts), np.concatenate(seconds))
    return csr_array(coo_array((np.concatenate(weights), places), shape=(n_words, n_words)))
