"""What vectors say about words of which the training texts say little.

    correction(w) = (1 − share)·(β·x(w) − number(w))        share = N_w / (N_w + 1000)

N_w training texts have the word w, number(w) is what the regressions found for it (0 if they do not know it), x(w) its
vector, and β the ridge regression of numbers on vectors in which a word counts by its share. With the correction added,
a word of ten texts is taken for what words like it are, and one of ten thousand for itself. Texts of the kind that was
trained on do not need it. Elsewhere it matters: "camera" is blame in a film review, but not in that of a camera.
"""

from __future__ import annotations

import numpy as np

from regard.models.classifier.ngrams import NgramAverage
from regard.shapes import Float
from regard.text.bags.word_bags import buckets
from regard.text.bags.word_hashes import word_hashes
from regard.text.vectors.word_vectors import WordVectors
from regard.training.ngram_texts import COUNT_GROUPS, NgramTexts

HALF_TEXTS = 1000
"""So many texts make a word's own number count one half."""
RIDGE = 3.0
MAX_BITS = 22


def correct_rare_words(
    texts: NgramTexts, numbers: Float[np.ndarray, "ngram label"], vectors: WordVectors, *, bits: int
) -> NgramAverage:
    """The correction of every word that has a vector, as a table to be read like that of the n-grams."""
    hashes = word_hashes(vectors.words)
    words = np.flatnonzero(texts.groups < COUNT_GROUPS)  # n-grams of one word come first, in the order of their rows
    rows, sought = texts.rows[words], buckets(hashes, bits)
    column = np.searchsorted(rows, sought)
    column[np.append(rows, -1)[column] != sought] = -1  # of a word without a number: the zeros that are added last
    n_texts = np.append(np.bincount(texts.matrix.indices, minlength=len(numbers)), 0)[column]
    learnt = np.concatenate([numbers, np.zeros((1, numbers.shape[1]), np.float32)])[column]
    corrections = corrections_by_vectors(learnt, n_texts / (n_texts + HALF_TEXTS), vectors.vectors)
    few = min(bits, MAX_BITS)
    none = np.zeros(numbers.shape[1], np.float32)
    return NgramAverage.of_rows(buckets(hashes, few), corrections, bits=few, orders=(1,), bias=none)


def corrections_by_vectors(
    numbers: Float[np.ndarray, "word label"],
    share: Float[np.ndarray, " word"],
    vectors: Float[np.ndarray, "word width"],
) -> Float[np.ndarray, "word label"]:
    """(1 − share)·(β·x − number) of each word; a one stands beside each vector."""
    x = np.concatenate([vectors, np.ones((len(vectors), 1))], axis=1).astype(np.float64)
    weighted = x * share[:, None]
    beta = np.linalg.solve(weighted.T @ x + RIDGE * np.eye(x.shape[1]), weighted.T @ numbers)
    return ((1 - share)[:, None] * (x @ beta - numbers)).astype(np.float32)
