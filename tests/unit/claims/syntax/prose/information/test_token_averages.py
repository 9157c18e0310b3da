"""Means of token probabilities."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "Perplexity is the geometric mean of the inverse token probabilities.",
            ("PP = ((\\prod_i 1/p_i)^{1/N})",),
        ),
        (
            "The perplexity is at most the arithmetic mean of the inverse probabilities 1/p_i over the tokens.",
            ("PP ≤ ((1/N) \\sum_i 1/p_i)",),
        ),
        (
            "The perplexity is the reciprocal of the geometric mean of the probabilities that the model "
            "gave to its tokens.",
            ("PP = 1/(((\\prod_i p_i)^{1/N}))",),
        ),
    ],
)
def test_means(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_mean_of_something_else_is_not_understood():
    assert read_prose("The perplexity is the geometric mean of the inverse word lengths.") is None
    assert read_prose("For token probabilities r_i the perplexity is the geometric mean of 1/r_i.") is None
