"""Events and how probable they are."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "A standard normal variable is positive with probability one half.",
            ("Let X ~ N(0, 1). Then P(X > 0) = 1/2",),
        ),
        (
            "A standard normal variable is within two standard deviations of its mean with probability at least 0.95.",
            ("Let X ~ N(0, 1). Then P(|X - E[X]| ≤ 2 Std(X)) ≥ 0.95",),
        ),
        (
            "The probability that a standard normal variable exceeds 2 is more than one tenth.",
            ("Let X ~ N(0, 1). Then P(X > 2) > 1/10",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_an_equation_is_no_event():
    assert read_prose("A standard normal variable has mean 0 with probability one half.") is None
