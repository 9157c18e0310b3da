from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize

from regard.training.averaging.config import AveragingConfig
from regard.training.averaging.ngrams import NgramTexts, cross_fit, fit_logistic, fit_regression, fit_regressions

CONFIG = AveragingConfig(folds=4, parts=2, penalty=1e-3, iterations=50)


def random_texts(n: int = 40, n_ngrams: int = 12) -> tuple[NgramTexts, np.ndarray]:
    rng = np.random.default_rng(0)
    has = rng.random((n, n_ngrams)) < 0.4
    is_label = has[:, 0] ^ (rng.random(n) < 0.2)
    matrix = sparse.csr_array((has / np.sqrt(np.maximum(has.sum(axis=1), 1))[:, None]).astype(np.float32))
    return NgramTexts(matrix, np.arange(n_ngrams), np.arange(n_ngrams) % 2), is_label


def test_the_regression_is_that_of_another_minimiser() -> None:
    texts, is_label = random_texts()
    offset = np.linspace(-1, 1, len(is_label)).astype(np.float32)
    weights, bias = fit_logistic(texts.matrix, is_label, penalty=0.01, iterations=200, offset=offset)
    dense, sign = texts.matrix.toarray().astype(float), np.where(is_label, 1, -1)

    def objective(point: np.ndarray) -> float:
        scores = dense @ point[1:] + point[0] + offset
        return float(np.logaddexp(0, -sign * scores).mean() + 0.005 * point[1:] @ point[1:])

    expected = minimize(objective, np.zeros(13), method="BFGS", options={"gtol": 1e-9}).x
    np.testing.assert_allclose(np.r_[bias, weights], expected, atol=2e-3)


def test_an_honest_score_does_not_know_the_own_label() -> None:
    texts, is_label = random_texts()
    folds = np.arange(40) * 4 // 40
    before = cross_fit(texts, is_label, folds, CONFIG)
    changed = is_label.copy()
    changed[3] = ~changed[3]  # in the first half, which the second model alone has seen
    after = cross_fit(texts, changed, folds, CONFIG)
    np.testing.assert_array_equal(after.out_of_fold[:, :20], before.out_of_fold[:, :20])
    assert (np.abs(after.out_of_fold[:, 20:] - before.out_of_fold[:, 20:]).max(axis=1) > 1e-3).all()


def test_a_part_is_told_by_numbers_of_the_other_parts() -> None:
    texts, is_label = random_texts()
    folds = np.arange(40) * 4 // 40
    found = cross_fit(texts, is_label, folds, CONFIG)
    expected, n_texts = np.zeros(12), texts.has().toarray().sum(axis=0)
    for half in (slice(0, 20), slice(20, 40)):
        rarity = np.log(40 / n_texts)
        rare = sparse.csr_array((texts.matrix.toarray()[half] * rarity).astype(np.float32))
        weights, bias = fit_logistic(rare, is_label[half], penalty=1e-5, iterations=15)
        others = np.setdiff1d(np.arange(40), np.arange(40)[half])
        out_of_fold = texts.matrix.toarray()[others] @ (weights * rarity) + bias
        np.testing.assert_allclose(found.out_of_fold[1, others], out_of_fold, rtol=2e-2, atol=2e-2)
        expected += weights * rarity / 2
    np.testing.assert_allclose(found.numbers[1], expected, rtol=2e-2, atol=2e-2)


def test_both_regressions_are_added_into_one() -> None:
    texts, is_label = random_texts(n=200)
    folds = np.arange(200) * 4 // 200
    both, found = cross_fit(texts, is_label, folds, CONFIG), fit_regression(texts, is_label, folds, CONFIG)
    factors = np.linalg.lstsq(both.out_of_fold.T, found.out_of_fold, rcond=None)[0]
    assert (factors > 0).all()
    np.testing.assert_allclose(factors @ both.numbers, found.numbers, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(factors @ both.biases, found.bias, rtol=1e-3, atol=1e-3)
    assert -np.log1p(np.exp(-np.where(is_label, 1, -1) * found.out_of_fold)).mean() > max(
        -np.log1p(np.exp(-np.where(is_label, 1, -1) * each)).mean() for each in both.out_of_fold
    )


def test_honest_scores_tell_the_label() -> None:
    texts, is_label = random_texts(n=200)
    found = fit_regression(texts, is_label, np.arange(200) * 4 // 200, CONFIG)
    assert ((found.out_of_fold > 0) == is_label).mean() > 0.7
    assert found.numbers[0] == found.numbers.max()


def test_a_strong_penalty_leaves_the_ratios_in_proportion() -> None:
    texts, is_label = random_texts(n=200)
    one_group = replace(texts, groups=np.zeros(12, np.int64))
    config = replace(CONFIG, penalty=1e5)
    found = fit_regression(one_group, is_label, np.arange(200) * 4 // 200, config)
    has = texts.has().toarray().astype(bool)
    p, q = has[is_label].sum(axis=0) + 1, has[~is_label].sum(axis=0) + 1
    ratios = np.log(p / p.sum()) - np.log(q / q.sum())
    assert np.corrcoef(found.numbers, ratios)[0, 1] > 0.98


@pytest.mark.parametrize(("n_labels", "n_regressions"), [(2, 1), (3, 3)])
def test_two_labels_need_one_regression(n_labels: int, n_regressions: int) -> None:
    texts, _ = random_texts()
    label_ids = np.arange(40) % n_labels
    assert len(fit_regressions(texts, label_ids, n_labels, CONFIG)) == n_regressions
