"""Sentences of this kind, and what becomes of them; what is half understood stays as it is."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.english.rewriting import rewrite

ROWS = [
    ("The KL divergence is never negative.", "KL(p || q) >= 0."),
    ("The derivative of tanh is at most 1.", "tanh'(x) ≤ 1."),
    ("The derivative of the sigmoid is largest at 0, where it is 1/4.", "σ'(x) ≤ σ'(0); σ'(0) = 1/4"),
    ("The loss −log p_k is positive", "−log p_k is positive"),
    (
        "Lowering the temperature reduces the entropy",
        "if 0 < T and T < S then H(softmax(z/T)) <= H(softmax(z/S))",
    ),
]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected


def test_words_are_no_product_of_letters():
    assert check("If every sum is the same vector, α_i = 1/n").verdict == "not-understood"
