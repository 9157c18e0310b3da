"""Sentences of this kind, and what becomes of them; what is half understood stays as it is."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite

ROWS = [
    ("Adding the same constant to all logits does not change the softmax.", "softmax((z + t))_i = softmax(z)_i"),
    ("Flipping the sign of all logits changes the softmax", "softmax((-z))_i ≠ softmax(z)_i"),
    ("If all logits are multiplied by 2, the softmax is squared.", "softmax((2 z))_i = (softmax(z)_i)^2"),
    (
        "Permuting the keys and values alike does not change the output.",
        "(P V)^T softmax(P K q) = V^T softmax(K q) if P is a permutation",
    ),
]
LEFT = ["Adding the same constant to all logits changes the softmax and the weather", "Doubling all keys helps"]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected


@pytest.mark.parametrize("text", LEFT)
def test_what_is_half_understood_stays(text):
    assert rewrite(text)[0] == text
