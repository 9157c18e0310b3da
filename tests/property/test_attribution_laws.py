"""Shares of words: they add up, treat equal words alike, and give nothing to words that are not read."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis.strategies import floats, integers, lists, sampled_from
from tests.support.averaging import MAKES, trained

from regard.evaluation.attribution import (
    DEFAULTS,
    METHODS,
    attribution,
    centre_logits,
    explain,
    sample_shapley_values,
    shapley_values,
)

WORDS = ("good", "bad", "film", "not", "at", "all", "but", "dull", "superb", "awful", "zyzzyva", "!", ".")
TEXTS = lists(sampled_from(WORDS), max_size=40).map(" ".join)
ROUNDING = 2e-5
"""Nats: the classifier's means and sums are of float32 numbers."""

every_make = pytest.mark.parametrize("make", MAKES)


def difference(make, text, method=None):
    """Between the decision and what baseline and shares sum to, in nats."""
    found = attribution(trained(make), text, method=method)
    return np.abs(found.baseline + found.shares.sum(axis=0) - found.logits).max()


@pytest.mark.slow
@every_make
@settings(max_examples=40, deadline=None)
@given(text=TEXTS)
@example(text="")
@example(text="bad bad bad bad")
@example(text="zyzzyva")
def test_the_default_adds_up(make, text):
    assert difference(make, text) <= ROUNDING


@pytest.mark.parametrize("make", ["one-layer", "three-layers-tanh", "strong"])
@settings(max_examples=8, deadline=None)
@given(text=TEXTS)
@example(text=" ".join(WORDS * 2))
def test_shapley_values_add_up_though_they_are_sampled(make, text):
    assert difference(make, text, "shapley") <= ROUNDING


@pytest.mark.slow
@every_make
@settings(max_examples=20, deadline=None)
@given(word=sampled_from(WORDS), n=integers(1, 15))
def test_a_word_that_is_said_often_decides_alone_and_in_equal_parts(make, word, n):
    found = explain(trained(make), " ".join([word] * n))
    assert found.shares.sum() == pytest.approx(found.log_odds - found.baseline, abs=ROUNDING)
    if trained(make).ngrams_part is None:  # else the words at both ends are in fewer pairs than those between
        np.testing.assert_allclose(found.shares, np.full(n, found.shares.sum() / n), atol=ROUNDING)


@pytest.mark.parametrize("method", [*DEFAULTS[1:], "leave-one-out"])
@settings(max_examples=15, deadline=None)
@given(words=lists(sampled_from(WORDS), min_size=1, max_size=9))
def test_equal_words_get_equal_shares_where_order_does_not_count(method, words):
    found = attribution(trained("one-layer"), " ".join(words), method=method)
    for word in set(words):
        shares = found.shares[[i for i, each in enumerate(words) if each == word]]
        np.testing.assert_allclose(shares, shares[:1].repeat(len(shares), axis=0), atol=ROUNDING)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("make", ["linear", "one-layer", "three-layers-tanh", "attention"])
@settings(max_examples=10, deadline=None)
@given(words=lists(sampled_from(WORDS), max_size=8), place=integers(0, 8))
def test_a_word_that_is_not_read_gets_nothing(make, method, words, place):
    if method == "exact" and make != "linear":
        return
    words = [*words[:place], "zyzzyva", *words[place:]]
    found = attribution(trained(make), " ".join(words), method=method)
    np.testing.assert_allclose(found.shares[[word == "zyzzyva" for word in words]], 0, atol=1e-12)


@settings(max_examples=15, deadline=None)
@given(text=TEXTS)
def test_gradients_are_the_exact_sum_where_there_is_one(text):
    exact, gradients = (attribution(trained("linear-strong"), text, method=method) for method in DEFAULTS[:2])
    np.testing.assert_allclose(gradients.shares, exact.shares, atol=1e-12)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(words=lists(sampled_from(WORDS), min_size=1, max_size=5))
def test_shapley_values_are_the_mean_over_all_orders(words):
    classifier, text = trained("strong"), " ".join(words)
    expected = np.zeros((len(words), 2))
    for order in itertools.permutations(range(len(words))):
        texts = [" ".join(words[i] for i in sorted(order[:k])) for k in range(len(words) + 1)]
        expected[list(order)] += np.diff(centre_logits(classifier.log_probs(texts)), axis=0) / math.factorial(
            len(words)
        )
    np.testing.assert_allclose(attribution(classifier, text, method="shapley").shares, expected, atol=ROUNDING)


@settings(max_examples=20, deadline=None)
@given(says=lists(floats(-5, 5), min_size=2, max_size=8))
def test_shapley_values_of_a_mean_have_a_closed_form(says):
    """A word gets what it says, and something for the weight that it takes from the others."""
    n, total = len(says), sum(says)

    def value(kept):
        return (kept @ np.array(says) / np.maximum(kept.sum(axis=1), 1))[:, None]

    harmonic = sum(1 / k for k in range(1, n + 1))
    expected = [(harmonic * x - (harmonic - 1) * (total - x) / (n - 1)) / n for x in says]
    np.testing.assert_allclose(shapley_values(value, n)[:, 0], expected, atol=1e-9)


def test_sampled_shapley_values_are_within_their_errors():
    """Against all 2⁸ choices, for a value in which words help and hinder each other."""
    rng = np.random.default_rng(0)
    weights, pairs = rng.normal(size=(8, 2)), rng.normal(size=(8, 8, 2))

    def value(kept):
        return np.tanh(kept @ weights) + np.einsum("bi,bj,ijl->bl", kept * 1.0, kept * 1.0, pairs)

    exact = shapley_values(value, 8)
    samples = sample_shapley_values(value, 8, rng, n_pairs=400)
    errors = samples.std(axis=0, ddof=1) / math.sqrt(len(samples))
    assert np.abs((samples.mean(axis=0) - exact) / errors).max() < 4
    np.testing.assert_allclose(samples.sum(axis=1), np.broadcast_to(exact.sum(axis=0), (400, 2)), atol=1e-9)
