"""How often each token follows each other token: all that a bigram model needs to know of a text.

    text      a b </s> a </s>                V = 3 tokens; the first token of a line follows the start mark, id V
    contexts  V a b    V a

The counts of a text of any length take no more room than the pairs that occur in it, and those of several texts are
added up.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from scipy.sparse import coo_array, csr_array

from regard.cluster import map_batches
from regard.errors import ValueRangeError, VocabularyError
from regard.records import ALONE, Workers
from regard.shapes import Bool, Int
from regard.text.tokenise.layout import text_pieces
from regard.text.tokenise.tokenisers import restore_from_json
from regard.text.tokenise.words import WordTokeniser

Choice: TypeAlias = Callable[[np.ndarray], np.ndarray]
"""Given the next ids of a sequence: True for each that is chosen."""

PIECE_CHARACTERS = 1 << 22
"""What a worker counts at once."""
_BATCH = 1 << 21
"""Pairs gathered before they are sorted and added to the counts."""


@dataclass(frozen=True)
class BigramCounts:
    """matrix[c, v]: how often token v followed context c; the last row is that of the start mark."""

    matrix: csr_array

    @property
    def vocab_size(self) -> int:
        """How many tokens there are; contexts are one more."""
        return int(self.matrix.shape[1])

    @property
    def total(self) -> int:
        """How many tokens were counted."""
        return int(self.matrix.sum())

    def dense(self) -> Int[np.ndarray, "context vocab"]:
        """The counts as one array; for vocabularies of a few thousand tokens."""
        return self.matrix.toarray()

    def unigrams(self) -> Int[np.ndarray, " vocab"]:
        """How often each token was seen."""
        return np.asarray(self.matrix.sum(axis=0))


@runtime_checkable
class StreamingTokeniser(Protocol):
    """What counting needs of a tokeniser; all tokenisers of `regard.text.tokenise.tokenisers` have it."""

    @property
    def vocabulary(self) -> Sequence[str]:
        """What each id stands for."""
        ...

    @property
    def line_end(self) -> int | None:
        """The id after which a new context begins."""
        ...

    def stream(self, chunks: Iterable[str]) -> Iterator[Int[np.ndarray, " position"]]:
        """The ids of a text that comes in chunks."""
        ...


def count_bigrams(ids: Int[np.ndarray, " position"], *, vocab_size: int, line_end: int | None) -> BigramCounts:
    """The bigrams of one sequence of ids, which begins at the start of a line.

    >>> count_bigrams(np.array([2, 1, 2, 1]), vocab_size=3, line_end=1).dense()
    array([[0, 0, 0],
           [0, 0, 0],
           [0, 2, 0],
           [0, 0, 2]])
    """
    return count_stream([ids], vocab_size=vocab_size, line_end=line_end)


def count_text(chunks: Iterable[str], tokeniser: StreamingTokeniser, *, workers: Workers = ALONE) -> BigramCounts:
    """The bigrams of a text that comes in chunks, wherever it was cut; of lines, `workers` count some each."""
    if not workers.are_here and isinstance(tokeniser, WordTokeniser):
        settings = json.dumps(tokeniser.settings())
        pieces = text_pieces(chunks, size=PIECE_CHARACTERS, at_line_ends=True)
        counted = map_batches(count_piece, ((text, settings) for text in pieces), workers=workers)
        nothing = csr_array((len(tokeniser.vocabulary) + 1, len(tokeniser.vocabulary)), dtype=np.int64)
        return BigramCounts(sum(map(unpack_matrix, counted), start=nothing))
    ids = tokeniser.stream(chunks)
    return count_stream(ids, vocab_size=len(tokeniser.vocabulary), line_end=tokeniser.line_end)


def count_piece(text: str, settings: str) -> bytes:
    """What a worker does: the bigrams of some lines, as a packed matrix."""
    tokeniser = restore_from_json(settings)
    return pack_matrix(count_text([text] if text.strip() else [], tokeniser).matrix)


def pack_matrix(matrix: csr_array) -> bytes:
    """A sparse matrix as bytes; `unpack_matrix` restores it bit for bit."""
    file = io.BytesIO()
    np.savez(file, data=matrix.data, indices=matrix.indices, indptr=matrix.indptr, shape=np.array(matrix.shape))
    return file.getvalue()


def unpack_matrix(content: bytes) -> csr_array:
    """The matrix that `pack_matrix` packed."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        parts = arrays["data"], arrays["indices"], arrays["indptr"]
        return csr_array(parts, shape=tuple(arrays["shape"].tolist()))


def count_stream(
    parts: Iterable[Int[np.ndarray, " _"]], *, vocab_size: int, line_end: int | None, chosen: Choice | None = None
) -> BigramCounts:
    """The bigrams of one sequence of ids that comes in parts: each part's first token follows the last one before.

    `chosen` is asked of each part, in order, which of its tokens count; the others are read but not counted.
    """
    counts = csr_array((vocab_size + 1, vocab_size), dtype=np.int64)
    waiting, n_waiting = [np.zeros(0, np.int64)], 0
    for pairs in _pairs(parts, vocab_size=vocab_size, line_end=line_end, chosen=chosen):
        waiting.append(pairs)
        n_waiting += len(pairs)
        if n_waiting >= _BATCH:
            counts = counts + _tally(np.concatenate(waiting), vocab_size)
            waiting, n_waiting = [], 0
    return BigramCounts(counts + _tally(np.concatenate(waiting), vocab_size) if waiting else counts)


def merge(parts: Iterable[BigramCounts]) -> BigramCounts:
    """Add the counts of several texts, each of which begins at the start of a line."""
    matrices = [part.matrix for part in parts]
    shapes = {matrix.shape for matrix in matrices}
    if len(shapes) != 1:
        sizes = ", ".join(str(shape[1]) for shape in sorted(shapes)) or "nothing"
        raise ValueRangeError(f"counts to be merged must be of one vocabulary; got counts of size {sizes}")
    return BigramCounts(sum(matrices[1:], start=matrices[0]))


def pairs_as_unknown(counts: csr_array, is_new: Bool[np.ndarray, " vocab"], *, unknown: int) -> csr_array:
    """The counts of pairs with a token of `is_new`, where the unknown token stands in for each such token.

    >>> pairs = count_bigrams(np.array([2, 1, 2, 1]), vocab_size=3, line_end=1).matrix
    >>> pairs_as_unknown(pairs, np.array([False, False, True]), unknown=0).toarray()
    array([[0, 2, 0],
           [0, 0, 0],
           [0, 0, 0],
           [2, 0, 0]])
    """
    pairs, is_new_context = counts.tocoo(), np.append(is_new, False)  # the start mark is never new
    touched = is_new_context[pairs.row] | is_new[pairs.col]
    rows = np.where(is_new_context[pairs.row], unknown, pairs.row)[touched]
    columns = np.where(is_new[pairs.col], unknown, pairs.col)[touched]
    return csr_array(coo_array((pairs.data[touched], (rows, columns)), shape=counts.shape))


def add_unknown_pairs(counts: csr_array, *, unknown: int | None, line_end: int | None) -> csr_array:
    """Add every pair with a token that was seen once a second time, as a pair of the unknown token.

    A token seen once was new when it came. In a vocabulary that holds such tokens, the unknown one would otherwise be
    seen too rarely, or never, and a model would take it to be impossible; in new text it is frequent. Where all tokens
    of the vocabulary were seen more often, nothing changes.
    """
    if unknown is None:
        return counts
    is_new = _is_word(counts.shape[1], unknown, line_end) & (counts.sum(axis=0) == 1)
    return csr_array(counts + pairs_as_unknown(counts, is_new, unknown=unknown))


def replace_new_tokens(
    counts: csr_array, *, trained: csr_array, unknown: int | None, line_end: int | None
) -> csr_array:
    """Count tokens that the training counts `trained` do not have as the unknown token, as a trained model would."""
    if unknown is None:
        return counts
    is_new = _is_word(counts.shape[1], unknown, line_end) & (trained.sum(axis=0) == 0)
    unchanged = csr_array(counts.multiply(~np.append(is_new, False)[:, None]).multiply(~is_new))
    return csr_array(unchanged + pairs_as_unknown(counts, is_new, unknown=unknown))


def _is_word(vocab_size: int, unknown: int, line_end: int | None) -> Bool[np.ndarray, " vocab"]:
    """True for each id but those of the marks."""
    is_word = np.ones(vocab_size, bool)
    is_word[[unknown, unknown if line_end is None else line_end]] = False
    return is_word


def _pairs(
    parts: Iterable[Int[np.ndarray, " _"]], *, vocab_size: int, line_end: int | None, chosen: Choice | None
) -> Iterator[Int[np.ndarray, " position"]]:
    """Context and token as one number, context · V + token."""
    start = context = vocab_size
    for ids in parts:
        if not len(ids):
            continue
        if ids.min() < 0 or ids.max() >= vocab_size:
            outside = ids[(ids < 0) | (ids >= vocab_size)][0]
            raise VocabularyError(f"ids must be between 0 and {vocab_size - 1}, the vocabulary's last; got {outside}")
        contexts = np.concatenate([[context], ids[:-1]]).astype(np.int64)
        if line_end is not None:
            contexts[contexts == line_end] = start
        pairs = contexts * vocab_size + ids
        yield pairs if chosen is None else pairs[chosen(ids)]
        context = int(ids[-1])


def _tally(pairs: Int[np.ndarray, " position"], vocab_size: int) -> csr_array:
    """How often each number occurs, as a matrix: sorted, equal numbers stand side by side."""
    ordered = np.sort(pairs)
    is_first = np.ones(len(ordered), bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    places = np.flatnonzero(is_first)
    counts = np.diff(places, append=len(ordered))
    seen = ordered[places]
    rows = np.searchsorted(seen, np.arange(vocab_size + 2) * vocab_size)
    return csr_array((counts, seen % vocab_size, rows), shape=(vocab_size + 1, vocab_size))
