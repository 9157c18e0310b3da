"""Scores of one text that go up and down together."""

from __future__ import annotations

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("minimizing the cross-entropy is the same as minimizing the perplexity", "holds"),
        ("minimizing the cross-entropy is the same as maximizing the perplexity", "fails"),
        ("minimising the perplexity is equivalent to maximising the likelihood", "holds"),
        ("maximizing the perplexity is equivalent to maximizing the likelihood", "fails"),
        ("minimizing the cross-entropy is the same as minimizing the KL divergence", "holds"),
        ("minimizing the cross-entropy is the same as maximizing the KL divergence", "fails"),
        ("a model that minimizes cross-entropy also minimizes perplexity", "holds"),
        ("lower cross-entropy means lower perplexity", "holds"),
        ("a lower loss gives a higher perplexity", "fails"),
        ("the lower the cross-entropy, the lower the perplexity", "holds"),
        ("if the cross-entropy decreases, the perplexity decreases", "holds"),
        ("the perplexity increases when the cross-entropy decreases", "fails"),
        ("perplexity is an increasing function of the cross-entropy", "holds"),
        ("the perplexity decreases only when the cross-entropy decreases", "holds"),
        ("the perplexity decreases only when the cross-entropy increases", "fails"),
        ("a perplexity of 100 is at least 7 bits per word", "fails"),
        ("a perplexity of 100 is less than 7 bits per word", "holds"),
        ("perplexity is a decreasing function of the cross-entropy", "fails"),
    ],
)
def test_orders_of_scores(text: str, verdict: str) -> None:
    assert check(text).verdict == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("perplexity is e to the cross-entropy", "holds"),
        ("the perplexity is the exponential of the entropy", "holds"),
        ("perplexity is two to the entropy in bits", "holds"),
        ("perplexity is e to the entropy in bits", "fails"),
        ("the perplexity is two to the cross-entropy in bits", "holds"),
        ("the perplexity is e to the cross-entropy in bits", "fails"),
        ("perplexity is the inverse of the geometric mean of the probabilities", "holds"),
        ("perplexity is the inverse of the arithmetic mean of the probabilities", "fails"),
        ("perplexity is the geometric mean of the probabilities", "fails"),
        ("if the cross-entropy doubles, the perplexity squares", "holds"),
        ("if the cross-entropy doubles, the perplexity doubles", "fails"),
        ("each extra bit of cross-entropy doubles the perplexity", "holds"),
        ("each extra nat of cross-entropy doubles the perplexity", "fails"),
        ("a model that assigns 1/V to every word has perplexity V", "holds"),
        ("a model that assigns 1/V to every word has perplexity log V", "fails"),
        ("the perplexity can exceed the vocabulary size", "holds"),
    ],
)
def test_what_a_perplexity_is(text: str, verdict: str) -> None:
    assert check(text).verdict == verdict


@pytest.mark.parametrize(
    "text",
    [
        "a lower perplexity per character means a lower perplexity per word",  # of which models?
        "a lower perplexity means a better model",
        "lower cross-entropy does not mean lower perplexity",
        "if the entropy decreases, the trace decreases",
        "bits per word = bits per character",
        "the perplexity is larger than the entropy",  # of which distribution?
    ],
)
def test_other_orders_are_not_read(text: str) -> None:
    assert read_prose(text) is None
