"""Losses, gradients and the layout of vectors in words."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "Let ŷ = softmax(hW + b) and let J be the cross-entropy with a one-hot y. Then ∂J/∂W = hᵀ(ŷ − y).",
            ("Let y is onehot. Let ŷ = softmax(hW + b). Let J = (-\\sum_i y_i log ŷ_i). Then ∂J/∂W = hᵀ(ŷ − y)",),
        ),
        (
            "With row vectors, ŷ = softmax(hW + b) and cross-entropy loss L against t, we get ∂L/∂b = ŷ − t.",
            ("Let ŷ = softmax(hW + b). Let L = (-\\sum_i t_i log ŷ_i). Then ∂L/∂b = ŷ − t",),
        ),
        (
            "Row vectors, h = tanh(xW), J the cross-entropy of h with y. Then ∂J/∂x = hWᵀ.",
            ("Let h = tanh(xW). Let J = (-\\sum_i y_i log h_i). Then ∂J/∂x = hWᵀ",),
        ),
        (
            "Let L = aᵀh. The gradient of L with respect to h, in the shape of h, is a.",
            ("Let L = aᵀh. Then ∂/∂h (L) = a",),
        ),
        (
            "Let z = Wx and let δ be the gradient of the loss with respect to z. The gradient passed down to x is Wᵀδ.",
            ("Let z = Wx. Let δ = ∂/∂z (L). Then ∂/∂x (L) = Wᵀδ",),
        ),
        (
            "Let z = Wx and let δ denote the column gradient ∂L/∂z. Then ∂L/∂W, written in the same "
            "shape as W, is δxᵀ.",
            ("Let z = Wx. Let δ = ∂L/∂z. Then ∂L/∂W = δxᵀ",),
        ),
        (
            "For the loss L = −log σ(uᵀv) the gradient with respect to u is (σ(uᵀv) − 1) v.",
            ("Let L = −log σ(uᵀv). Then ∂/∂u (L) = (σ(uᵀv) − 1) v",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "The loss of a person is 1.",
        "The loss is at least 2.",
        "Let J be the cross-entropy of a fair die. Then J = 1.",
    ],
)
def test_what_says_something_else_is_not_understood(sentence):
    reading = read_prose(sentence)
    assert reading is None or reading.unread
