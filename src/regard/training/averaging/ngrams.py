"""The n-grams' numbers: two logistic regressions, one on top of naive-Bayes ratios, out of fold throughout.

    score(text) = Σ_g number(g) / √n + b        number(g) = s₁·r(g)·(c + u_g) + s₂·ln(N/N_g)·v_g

c is one factor for all n-grams of the same length that are about as common; then every n-gram has its correction u,
pulled to zero by a penalty. Both learn from ratios r that were counted without the text's own fold. The second
regression knows no ratios, only how rare an n-gram is: N_g of N texts have it. It is weaker, and wrong elsewhere.

This is done several times, each time without one part of the texts. The means of the numbers are the model, still one
sum over n-grams. The model that had not seen a text gives its out-of-fold score; s₁ and s₂ are fitted to these scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from regard.models.classifier.averaging import by_label
from regard.models.classifier.ngrams import END_SHARE, NgramAverage, distinct_rows, endings
from regard.shapes import Bool, Float, Int
from regard.text.labelled.split import stretch_folds
from regard.text.vectors.word_vectors import WordVectors
from regard.text.word_bags import WordBags, buckets, word_hashes
from regard.training.averaging.calibration import fit_factors
from regard.training.averaging.config import AveragingConfig
from regard.training.lbfgs import minimise


def fit_logistic(
    matrix: sparse.csr_array,
    is_label: Bool[np.ndarray, " batch"],
    *,
    penalty: float,
    iterations: int,
    offset: Float[np.ndarray, " batch"] | None = None,
) -> tuple[Float[np.ndarray, " ngram"], float]:
    """Weights w and bias b that make least   mean ln(1 + e^(−y·score)) + penalty/2·|w|²,   score = offset + X w + b.

    y is 1 for texts of the label and −1 for others.
    """
    sign = np.where(is_label, 1, -1).astype(np.float32)
    base = np.zeros_like(sign) if offset is None else offset.astype(np.float32)
    n, columns = len(sign), matrix.T

    def objective(point: np.ndarray) -> tuple[float, np.ndarray]:
        weights = point[1:]
        margin = sign * (matrix @ weights + point[0] + base)
        small = np.exp(-np.abs(margin))  # never above 1, whatever the margin
        wrong = np.where(margin > 0, small, 1) / (1 + small)
        pull = (-sign * wrong / n).astype(np.float32)
        gradient = np.empty_like(point)
        gradient[0], gradient[1:] = pull.sum(), columns @ pull + np.float32(penalty) * weights
        loss = (np.log1p(small) + np.maximum(-margin, 0)).mean(dtype=np.float64)
        return float(loss + penalty / 2 * (weights @ weights)), gradient

    point = minimise(objective, np.zeros(matrix.shape[1] + 1, np.float32), max_iterations=iterations).point
    return point[1:], float(point[0])


def log_ratios(
    inside: Float[np.ndarray, "*fold ngram"], outside: Float[np.ndarray, "*fold ngram"], *, smoothing: float
) -> Float[np.ndarray, "*fold ngram"]:
    """r of each n-gram; 0 where it was never met.

    >>> log_ratios(np.array([1.0, 0.0]), np.array([0.0, 0.0]), smoothing=1.0).round(3)
    array([0.288, 0.   ])
    """
    p, q = inside + smoothing, outside + smoothing
    ratios = np.log(p / q)
    ratios += np.log(q.sum(axis=-1, keepdims=True) / p.sum(axis=-1, keepdims=True))
    ratios[inside + outside == 0] = 0
    return ratios


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
        """Which n-grams each text has: 1 for each of them, however often."""
        return replace_data(self.matrix, np.ones_like(self.matrix.data))


def build_ngram_texts(bags: WordBags, *, order: int, bits: int, least: int) -> NgramTexts:
    """The n-grams of up to `order` words that at least this many texts have; others teach nothing."""
    found = [_build_order(bags, n, bits=bits, least=least) for n in range(1, order + 1)]
    matrix = sparse.hstack([texts.matrix for texts in found], format="csr")
    rows, groups = (np.concatenate([getattr(texts, name) for texts in found]) for name in ("rows", "groups"))
    return NgramTexts(matrix, rows, groups)


def _build_order(bags: WordBags, n: int, *, bits: int, least: int) -> NgramTexts:
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


def replace_data(matrix: sparse.csr_array, data: np.ndarray) -> sparse.csr_array:
    """The matrix with other numbers in its places."""
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def count_by_fold(
    has: sparse.csr_array, chosen: Bool[np.ndarray, " batch"], folds: Int[np.ndarray, " batch"], n_folds: int
) -> np.ndarray:
    """In how many of the chosen texts of each fold each n-gram occurs: [fold ngram]."""
    ones = np.ones(int(chosen.sum()), np.float32)
    picks = sparse.csr_array((ones, (folds[chosen], np.flatnonzero(chosen))), shape=(n_folds, len(folds)))
    counts: np.ndarray = (picks @ has).toarray()
    return counts


HALF_TEXTS = 1000
"""A word in this many texts: its own number counts one half."""
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
    corrections = fit_vector_corrections(learnt, n_texts / (n_texts + HALF_TEXTS), vectors.vectors)
    few = min(bits, MAX_BITS)
    none = np.zeros(numbers.shape[1], np.float32)
    return NgramAverage.of_rows(buckets(hashes, few), corrections, bits=few, orders=(1,), bias=none)


def fit_vector_corrections(
    numbers: Float[np.ndarray, "word label"],
    share: Float[np.ndarray, " word"],
    vectors: Float[np.ndarray, "word width"],
) -> Float[np.ndarray, "word label"]:
    """(1 − share)·(β·x − number) of each word; a one stands beside each vector."""
    x = np.concatenate([vectors, np.ones((len(vectors), 1))], axis=1).astype(np.float64)
    weighted = x * share[:, None]
    beta = np.linalg.solve(weighted.T @ x + RIDGE * np.eye(x.shape[1]), weighted.T @ numbers)
    return ((1 - share)[:, None] * (x @ beta - numbers)).astype(np.float32)


GROUP_PENALTY, GROUP_ITERATIONS = 1e-3, 30
"""Of the common factors: there are a few dozen of them, hence hardly any regularisation."""
PLAIN_PENALTY, PLAIN_ITERATIONS = 1e-5, 15
"""Of the regression without ratios."""


@dataclass(frozen=True, eq=False)
class Regression:
    """A number for each n-gram, a bias, and for each text the score that the n-grams get without having seen it."""

    numbers: Float[np.ndarray, " ngram"]
    bias: float
    out_of_fold: Float[np.ndarray, " batch"]


def fit_regressions(
    texts: NgramTexts, label_ids: Int[np.ndarray, " batch"], n_labels: int, config: AveragingConfig
) -> list[Regression]:
    """One for each label against all others; of two labels, one for the second."""
    folds = stretch_folds(label_ids, config.folds)
    labels = [1] if n_labels == 2 else range(n_labels)
    return [fit_regression(texts, label_ids == label, folds, config) for label in labels]


def fit_regression(
    texts: NgramTexts, is_label: Bool[np.ndarray, " batch"], folds: Int[np.ndarray, " batch"], config: AveragingConfig
) -> Regression:
    """Both regressions, each times the factor with which validation texts are predicted best."""
    numbers, biases, out_of_fold = cross_fit(texts, is_label, folds, config)
    found = fit_factors([by_label(scores[:, None]) for scores in out_of_fold], is_label.astype(np.int64))
    factors = np.array(found, np.float32)
    return Regression(factors @ numbers, float(factors @ biases), factors @ out_of_fold)


class Fits(NamedTuple):
    """The numbers, the bias and the out-of-fold scores of each regression, on ratios and on rarity."""

    numbers: Float[np.ndarray, "kind ngram"]
    biases: Float[np.ndarray, " kind"]
    out_of_fold: Float[np.ndarray, "kind batch"]


def cross_fit(
    texts: NgramTexts, is_label: Bool[np.ndarray, " batch"], folds: Int[np.ndarray, " batch"], config: AveragingConfig
) -> Fits:
    """The mean of `parts` fits of each regression; each leaves out this many neighbouring folds."""
    has = texts.has()
    inside, outside = (count_by_fold(has, chosen, folds, config.folds) for chosen in (is_label, ~is_label))
    rarity = np.log(len(is_label) / np.maximum((inside + outside).sum(axis=0), 1)).astype(np.float32)
    part_of_fold = np.arange(config.folds) * config.parts // config.folds
    n_texts, n_ngrams = texts.matrix.shape
    sums = Fits(*(np.zeros(shape, np.float32) for shape in ((2, n_ngrams), 2, (2, n_texts))))
    for part in range(config.parts):
        is_used = part_of_fold != part
        members, others = np.flatnonzero(is_used[folds]), np.flatnonzero(~is_used[folds])
        by_fold, ratios = _ratios(inside, outside, is_used, smoothing=config.smoothing)
        matrix = texts.matrix[members]
        fold_of_entry = np.repeat((np.cumsum(is_used) - 1)[folds[members]], np.diff(matrix.indptr))
        weighted = replace_data(matrix, matrix.data * by_fold[fold_of_entry, matrix.indices])
        rare = replace_data(matrix, matrix.data * rarity[matrix.indices])
        first, first_bias = fit_corrections(weighted, texts.groups, is_label[members], config)
        second, second_bias = fit_logistic(rare, is_label[members], penalty=PLAIN_PENALTY, iterations=PLAIN_ITERATIONS)
        numbers, biases = np.stack([first * ratios, second * rarity]), np.array([first_bias, second_bias], np.float32)
        sums.out_of_fold[:, others] = (texts.matrix[others] @ numbers.T + biases).T
        sums.numbers[:] += numbers
        sums.biases[:] += biases
    return Fits(sums.numbers / config.parts, sums.biases / config.parts, sums.out_of_fold)


def _ratios(
    inside: Float[np.ndarray, "fold ngram"],
    outside: Float[np.ndarray, "fold ngram"],
    is_used: Bool[np.ndarray, " fold"],
    *,
    smoothing: float,
) -> tuple[Float[np.ndarray, "used ngram"], Float[np.ndarray, " ngram"]]:
    """r for the texts of each fold in use, counted in the other ones, and r counted in all of those."""
    p, q = inside[is_used].sum(axis=0), outside[is_used].sum(axis=0)
    pairs = zip(inside[is_used], outside[is_used], strict=True)
    by_fold = np.stack([log_ratios(p - here, q - there, smoothing=smoothing) for here, there in pairs])
    return by_fold, log_ratios(p, q, smoothing=smoothing)


def fit_corrections(
    weighted: sparse.csr_array,
    groups: Int[np.ndarray, " ngram"],
    is_label: Bool[np.ndarray, " batch"],
    config: AveragingConfig,
) -> tuple[Float[np.ndarray, " ngram"], float]:
    """c + u_g for each n-gram, and b."""
    of_group = sparse.csr_array((np.ones(len(groups), np.float32), (np.arange(len(groups)), groups)))
    sums = (weighted @ of_group).toarray()
    size = np.sqrt((sums**2).mean(axis=0)) + np.float32(1e-6)  # columns of one size, so that few steps are enough
    scaled = sparse.csr_array(sums / size)
    common, common_bias = fit_logistic(scaled, is_label, penalty=GROUP_PENALTY, iterations=GROUP_ITERATIONS)
    common /= size
    offset = sums @ common + np.float32(common_bias)
    own, bias = fit_logistic(weighted, is_label, penalty=config.penalty, iterations=config.iterations, offset=offset)
    return common[groups] + own, common_bias + bias
