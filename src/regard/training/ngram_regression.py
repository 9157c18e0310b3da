"""The n-grams' numbers: naive-Bayes ratios, corrected by a logistic regression on top of them, out of fold throughout.

    score(text) = Σ_g number(g) / √n + b        number(g) = r(g)·(c + u_g)

c is one factor for all n-grams of the same length that are about as common; then every n-gram has its correction u,
pulled to zero by a penalty. Both learn from ratios r that were counted without the text's own fold.

This is done several times, each time without one part of the texts. The means of the numbers are the model, still one
sum over n-grams; and the model that had not seen a text gives it an honest score, for whatever is to learn on top.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from regard.shapes import Bool, Float, Int
from regard.training.averaging_config import AveragingConfig
from regard.training.logistic import logistic
from regard.training.naive_bayes import fold_of_each, log_ratios
from regard.training.ngram_texts import NgramTexts, counts_by_fold, with_data

GROUP_PENALTY, GROUP_ITERATIONS = 1e-3, 30
"""Of the common factors: there are a few dozen of them, hence hardly anything to be held back."""


@dataclass(frozen=True, eq=False)
class Regression:
    """A number for each n-gram, a bias, and for each text the score that the n-grams get without having seen it."""

    numbers: Float[np.ndarray, " ngram"]
    bias: float
    honest: Float[np.ndarray, " batch"]


def ngram_regressions(
    texts: NgramTexts, label_ids: Int[np.ndarray, " batch"], n_labels: int, config: AveragingConfig
) -> list[Regression]:
    """One for each label against all others; of two labels, one for the second."""
    folds = fold_of_each(label_ids, config.folds)
    labels = [1] if n_labels == 2 else range(n_labels)
    return [cross_fitted(texts, label_ids == label, folds, config) for label in labels]


def cross_fitted(
    texts: NgramTexts, is_label: Bool[np.ndarray, " batch"], folds: Int[np.ndarray, " batch"], config: AveragingConfig
) -> Regression:
    """The mean of `parts` regressions, each of which leaves out so many neighbouring folds."""
    has = texts.has()
    inside, outside = (counts_by_fold(has, chosen, folds, config.folds) for chosen in (is_label, ~is_label))
    part_of_fold = np.arange(config.folds) * config.parts // config.folds
    numbers, bias = np.zeros(len(texts.rows), np.float32), 0.0
    honest = np.zeros(len(is_label), np.float32)
    for part in range(config.parts):
        is_used = part_of_fold != part
        members, others = np.flatnonzero(is_used[folds]), np.flatnonzero(~is_used[folds])
        by_fold, ratios = _ratios(inside, outside, is_used, smoothing=config.smoothing)
        matrix = texts.matrix[members]
        fold_of_entry = np.repeat((np.cumsum(is_used) - 1)[folds[members]], np.diff(matrix.indptr))
        weighted = with_data(matrix, matrix.data * by_fold[fold_of_entry, matrix.indices])
        factors, found_bias = corrections(weighted, texts.groups, is_label[members], config)
        honest[others] = texts.matrix[others] @ (factors * ratios) + found_bias
        numbers += factors * ratios / config.parts
        bias += found_bias / config.parts
    return Regression(numbers, bias, honest)


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


def corrections(
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
    common, common_bias = logistic(scaled, is_label, penalty=GROUP_PENALTY, iterations=GROUP_ITERATIONS)
    common /= size
    offset = sums @ common + np.float32(common_bias)
    own, bias = logistic(weighted, is_label, penalty=config.penalty, iterations=config.iterations, offset=offset)
    return common[groups] + own, common_bias + bias
