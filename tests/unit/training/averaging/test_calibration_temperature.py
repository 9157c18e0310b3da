from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax
from tests.support.averaging import TWO, trained

from regard.models.classifier.averaging import LengthFactors
from regard.text.word_bags import word_bags
from regard.training.averaging.calibration import fit_factors, fit_length_factors

RNG = np.random.default_rng(0)


def drawn(logits: np.ndarray) -> np.ndarray:
    """Labels drawn from the softmax of each row."""
    return np.array([RNG.choice(len(row), p=row) for row in np.exp(log_softmax(logits, axis=1))])


def test_the_temperature_that_labels_were_drawn_with_is_found() -> None:
    logits = 2 * RNG.standard_normal((4000, 3))
    assert fit_factors([3 * logits], drawn(logits)) == pytest.approx([1 / 3], rel=0.05)


def test_parts_are_trusted_as_they_deserve() -> None:
    first, second, noise = 2 * RNG.standard_normal((3, 4000, 2))
    found = fit_factors([first, second, noise], drawn(first + second / 2))
    assert found[:2] == pytest.approx([1, 0.5], rel=0.1)
    assert found[2] < 0.05


def test_no_better_factor_is_near() -> None:
    logits = RNG.standard_normal((500, 2))
    label_ids = drawn(logits)
    [factor] = fit_factors([logits], label_ids)

    def nats(s: float) -> float:
        return float(-log_softmax(s * logits, axis=1)[np.arange(500), label_ids].mean() + np.log(s) ** 2 / 1000)

    assert nats(factor) <= min(nats(factor * 1.01), nats(factor / 1.01))


def test_a_few_texts_told_right_do_not_make_it_sure_of_all() -> None:
    [factor] = fit_factors([np.array([[1.0, 0.0]] * 5)], np.zeros(5, np.int64))
    assert 1 < factor < 5


@pytest.mark.parametrize("given", [False, True])
def test_short_texts_get_the_factors_with_which_endings_are_told_best(given: bool) -> None:
    before = trained("strong", given=given)
    whole = replace(before, factors=LengthFactors.constant(*before.factors.full))
    label_ids = np.where(np.arange(len(TWO)) % 4 == 1, 1 - TWO.label_ids, TWO.label_ids)  # else it is sure of all
    found = fit_length_factors(whole, word_bags(TWO.texts), label_ids, shortest=6.0)
    assert (found.lengths, found.full) == ((4.0, 6.0), whole.factors.full)  # all of their words are known
    endings = word_bags([" ".join(whole.words(text).word(i) for i in range(-4, 0)) for text in TWO.texts])
    words, ngrams, rare_words = whole.part_logits(endings)

    def nats(logs: np.ndarray) -> float:
        first, second = np.exp(logs) * whole.factors.full[:2]
        told = log_softmax(first * words + second * (ngrams + rare_words), axis=1)
        return float(-told[np.arange(len(told)), label_ids].sum() + logs @ logs / 2)

    best = np.exp(minimize(nats, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-9}).x)
    first, second, third = found.factors[0]
    np.testing.assert_allclose([first, second], best * whole.factors.full[:2], rtol=1e-2)
    assert third == second


def test_where_no_text_is_longer_than_the_shortest_ending_factors_stay() -> None:
    classifier = trained("linear")
    found = fit_length_factors(classifier, word_bags(["good", "bad"]), np.array([1, 0]), shortest=1.0)
    assert found == LengthFactors((1.0,), (classifier.factors.full,))
