"""Which n-grams the texts have, as a sparse matrix: what naive Bayes counts in and a regression learns from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from regard.models.classifier.ngrams import END_SHARE, distinct_rows, endings
from regard.shapes import Bool, Int
from regard.text.bags.word_bags import WordBags

COUNT_GROUPS = 10
"""N-grams that 2, 4, 8 … texts have begin a new group; from 512 on all are in the last one."""


@dataclass(frozen=True, eq=False)
class NgramTexts:
    """How much each n-gram counts in each text; a column for each n-gram.

    1/√n where a text has an n-gram, n being how many of that order it has; and more where its last words have it.
    `rows` says where in the classifier's table a column is, `groups` how long its n-gram is and how common.
    """

    matrix: sparse.csr_array
    rows: Int[np.ndarray, " ngram"]
    groups: Int[np.ndarray, " ngram"]

    def has(self) -> sparse.csr_array:
        """The same with ones."""
        return with_data(self.matrix, np.ones_like(self.matrix.data))


def ngram_texts(bags: WordBags, *, order: int, bits: int, least: int) -> NgramTexts:
    """The n-grams of up to `order` words that at least so many texts have; others say nothing that could be learnt."""
    found = [_of_order(bags, n, bits=bits, least=least) for n in range(1, order + 1)]
    matrix = sparse.hstack([texts.matrix for texts in found], format="csr")
    rows, groups = (np.concatenate([getattr(texts, name) for texts in found]) for name in ("rows", "groups"))
    return NgramTexts(matrix, rows, groups)


def _of_order(bags: WordBags, n: int, *, bits: int, least: int) -> NgramTexts:
    found, bounds = distinct_rows(bags, n, bits=bits)
    n_texts = np.bincount(found, minlength=1 << bits)
    is_kept = n_texts >= least
    rows = np.flatnonzero(is_kept)
    matrix = _weights(found, bounds, is_kept) + END_SHARE * _weights(
        *distinct_rows(endings(bags), n, bits=bits), is_kept
    )
    common = np.minimum(np.log2(np.maximum(n_texts[rows], 1)).astype(np.int64), COUNT_GROUPS - 1)
    return NgramTexts(matrix, rows, (n - 1) * COUNT_GROUPS + common)


def _weights(
    found: Int[np.ndarray, " ngram"], bounds: Int[np.ndarray, " bound"], is_kept: Bool[np.ndarray, " bucket"]
) -> sparse.csr_array:
    """1/√n where a text has an n-gram; the root counts all n-grams of a text, kept or not, as prediction does."""
    columns, kept = np.cumsum(is_kept, dtype=np.int32) - 1, is_kept[found]
    kept_bounds = np.concatenate([[0], np.cumsum(kept)])[bounds]
    weights = np.repeat(1 / np.sqrt(np.maximum(np.diff(bounds), 1)), np.diff(kept_bounds)).astype(np.float32)
    parts = weights, columns[found[kept]], kept_bounds.astype(np.int32)
    return sparse.csr_array(parts, shape=(len(bounds) - 1, int(is_kept.sum())))


def with_data(matrix: sparse.csr_array, data: np.ndarray) -> sparse.csr_array:
    """The matrix with other numbers in the same places."""
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def counts_by_fold(
    has: sparse.csr_array, chosen: Bool[np.ndarray, " batch"], folds: Int[np.ndarray, " batch"], n_folds: int
) -> np.ndarray:
    """In how many of the chosen texts of each fold each n-gram occurs: [fold ngram]."""
    ones = np.ones(int(chosen.sum()), np.float32)
    picks = sparse.csr_array((ones, (folds[chosen], np.flatnonzero(chosen))), shape=(n_folds, len(folds)))
    counts: np.ndarray = (picks @ has).toarray()
    return counts
