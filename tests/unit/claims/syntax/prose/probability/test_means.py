"""Means of positive numbers."""

import pytest

from regard.claims.syntax.prose.reading import read_prose

GEOMETRIC = "exp((1/n) \\sum_{j=1}^n log(x_j))"
ARITHMETIC = "(1/n) \\sum_{j=1}^n x_j"


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "The geometric mean of positive numbers never exceeds their arithmetic mean.",
            (f"Let x > 0. Then {GEOMETRIC} ≤ {ARITHMETIC}",),
        ),
        (
            "The harmonic mean of two positive numbers a, b is at least their geometric mean.",
            ("Let a > 0. Let b > 0. Then 2/(1/a + 1/b) ≥ sqrt(a b)",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_mean_of_nothing_is_not_read():
    assert read_prose("The geometric mean never exceeds the arithmetic mean.") is None
