"""The n-grams' numbers: two logistic regressions, one on top of naive-Bayes ratios, out of fold throughout.

    score(text) = Σ_g number(g) / √n + b        number(g) = s₁·r(g)·(c + u_g) + s₂·ln(N/N_g)·v_g

c is one factor for all n-grams of the same length that are about as common; then every n-gram has its correction u,
pulled to zero by a penalty. Both learn from ratios r that were counted without the text's own fold. The second
regression knows no ratios, only how rare an n-gram is: N_g of N texts have it. It is weaker, and wrong elsewhere.

This is done several times, each time without one part of the texts. The means of the numbers are the model, still one
sum over n-grams; and the model that had not seen a text gives it an honest score, for whatever is to learn on top: at
first, s₁ and s₂.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from regard.models.classifier.averaging import by_label
from regard.shapes import Bool, Float, Int
from regard.training.averaging.config import AveragingConfig
from regard.training.logistic import logistic
from regard.training.naive_bayes import fold_of_each, log_ratios
from regard.training.ngram_texts import NgramTexts, counts_by_fold, with_data
from regard.training.temperature import fitted_factors

GROUP_PENALTY, GROUP_ITERATIONS = 1e-3, 30
"""Of the common factors: there are a few dozen of them, hence hardly anything to be held back."""
PLAIN_PENALTY, PLAIN_ITERATIONS = 1e-5, 15
"""Of the regression without ratios."""


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
    """Both regressions, each times the factor with which texts that it had not seen are told best."""
    numbers, biases, honest = cross_fits(texts, is_label, folds, config)
    found = fitted_factors([by_label(scores[:, None]) for scores in honest], is_label.astype(np.int64))
    factors = np.array(found, np.float32)
    return Regression(factors @ numbers, float(factors @ biases), factors @ honest)


class Fits(NamedTuple):
    """Of each regression, on ratios and on rarity, the numbers, the bias and the honest scores."""

    numbers: Float[np.ndarray, "kind ngram"]
    biases: Float[np.ndarray, " kind"]
    honest: Float[np.ndarray, "kind batch"]


def cross_fits(
    texts: NgramTexts, is_label: Bool[np.ndarray, " batch"], folds: Int[np.ndarray, " batch"], config: AveragingConfig
) -> Fits:
    """The mean of `parts` fits of each regression; each leaves out so many neighbouring folds."""
    has = texts.has()
    inside, outside = (counts_by_fold(has, chosen, folds, config.folds) for chosen in (is_label, ~is_label))
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
        weighted = with_data(matrix, matrix.data * by_fold[fold_of_entry, matrix.indices])
        rare = with_data(matrix, matrix.data * rarity[matrix.indices])
        first, first_bias = corrections(weighted, texts.groups, is_label[members], config)
        second, second_bias = logistic(rare, is_label[members], penalty=PLAIN_PENALTY, iterations=PLAIN_ITERATIONS)
        numbers, biases = np.stack([first * ratios, second * rarity]), np.array([first_bias, second_bias], np.float32)
        sums.honest[:, others] = (texts.matrix[others] @ numbers.T + biases).T
        sums.numbers[:] += numbers
        sums.biases[:] += biases
    return Fits(sums.numbers / config.parts, sums.biases / config.parts, sums.honest)


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
