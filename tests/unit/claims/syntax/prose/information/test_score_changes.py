"""Scores before and after a change."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Lowering the loss by one nat halves the perplexity.", ("exp((CE - (1))) = (exp(CE))/2",)),
        ("If the loss drops by one bit, the perplexity is halved.", ("exp((CE - ((1 log(2))))) = (exp(CE))/2",)),
        (
            "If a model gives each token twice the probability, its perplexity falls by a factor of 2.",
            ("exp(-(1/N) \\sum_i log(((2) p_i))) = (exp(-(1/N) \\sum_i log(p_i)))/(2)",),
        ),
        ("Halving the perplexity lowers the cross-entropy by one bit.", ("log(((1/2) PP)) = log(PP) - ((1 log(2)))",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    ("sentence", "is_true"),
    [
        ("Reducing the loss by one nat divides the perplexity by e.", True),
        ("Reducing the loss by one nat divides the perplexity by 2.", False),
        ("A decrease of the average loss by one bit halves the perplexity.", True),
        ("Doubling the probability of each token halves the perplexity.", True),
        ("Halving the cross-entropy per token halves the perplexity.", False),
    ],
)
def test_verdicts(sentence, is_true):
    assert check(sentence).is_true is is_true


def test_other_changes_are_not_understood():
    assert read_prose("Doubling the length of each token halves the perplexity.") is None
