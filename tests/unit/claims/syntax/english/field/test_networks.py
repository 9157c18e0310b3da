"""Sentences of this kind, and what becomes of them; what is half understood stays as it is."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite

ROWS = [
    ("An embedding table for V words with d dimensions has Vd parameters.", "(V)*(d) = Vd"),
    (
        "A network with d inputs, one hidden layer of h units and k outputs, with biases, has dh + hk parameters.",
        "(d)*(h) + (h)*(k) + (h) + (k) = dh + hk",
    ),
    ("The number of weights of a linear layer from 3 inputs to 4 outputs is 12.", "(3)*(4) = 12"),
    (
        "With row vectors, p = softmax(xW) and cross-entropy loss L against y, ∂L/∂W = xᵀ(p − y).",
        "p = softmax(xW) and L = -sum_i y_i log p_i, ∂L/∂W = xᵀ(p − y).",
    ),
    ("Let h = tanh(Wx) and g = ∂L/∂h. Then ∂L/∂x = Wᵀg", "let h = tanh(Wx) and L = g^T h; Then ∂L/∂x = Wᵀg"),
]
LEFT = [
    "A network with d inputs, h hidden units and k outputs has dh + hk parameters.",
    "A recurrent network with d inputs, h hidden units and k outputs without biases has dh + hk weights.",
]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected


@pytest.mark.parametrize("text", LEFT)
def test_what_is_half_understood_stays(text):
    assert rewrite(text)[0] == text
