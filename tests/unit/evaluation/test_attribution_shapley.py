"""Shapley values of small games that can be worked out on paper."""

import numpy as np
import pytest

from regard.evaluation import attribution as shapley
from regard.evaluation.attribution import sample_shapley_values, shapley_values


def pair_of_gloves(kept):
    """One if word 0 is there and one of words 1 and 2: worth 2/3 to the first, 1/6 to each of the others."""
    return (kept[:, 0] & (kept[:, 1] | kept[:, 2]))[:, None] * 1.0


def test_a_pair_of_gloves():
    np.testing.assert_allclose(shapley_values(pair_of_gloves, 3)[:, 0], [2 / 3, 1 / 6, 1 / 6])


def test_a_number_that_all_earn_together_is_divided_in_equal_parts():
    np.testing.assert_allclose(shapley_values(lambda kept: kept.all(axis=1)[:, None] * 6.0, 3)[:, 0], [2, 2, 2])


def test_no_words_no_shares():
    assert shapley_values(lambda kept: np.zeros((len(kept), 2)), 0).shape == (0, 2)


def test_every_sampled_order_adds_up():
    samples = sample_shapley_values(pair_of_gloves, 3, np.random.default_rng(0), n_pairs=300)
    np.testing.assert_allclose(samples.sum(axis=1), 1)
    np.testing.assert_allclose(samples.mean(axis=0)[:, 0], [2 / 3, 1 / 6, 1 / 6], atol=0.05)


@pytest.mark.parametrize("n_words", [3, 9])
def test_asked_in_pieces_it_is_the_same(monkeypatch, n_words):
    def value(kept):
        asked.append(len(kept))
        return np.sin(kept @ np.arange(1.0, n_words + 1))[:, None]

    asked = []
    whole = shapley_values(value, n_words)
    assert asked == [2**n_words]
    monkeypatch.setattr(shapley, "ORDERS_AT_ONCE", 4 * n_words)
    np.testing.assert_array_equal(shapley_values(value, n_words), whole)
    assert max(asked[1:]) == 4
