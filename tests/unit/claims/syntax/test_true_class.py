"""Formulas beside words that call an index the correct class."""

from __future__ import annotations

import pytest

from regard.claims.check import check
from regard.claims.syntax.true_class import with_target


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("CE = -log ŷ_k, where k is the true class", "CE = -log ŷ_k, where y is one-hot with y_k = 1"),
        ("CE = -log ŷ_c for the correct class c", "CE = -log ŷ_c where y is one-hot with y_c = 1"),
        ("If k is the true class, then CE = -log ŷ_k", "If y is one-hot with y_k = 1, then CE = -log ŷ_k"),
        ("Let k be the correct class. Then CE = -log ŷ_k", "Let y be one-hot with y_k = 1. Then CE = -log ŷ_k"),
        ("CE = -log ŷ_k (k is the index of the correct class)", "CE = -log ŷ_k, where y is one-hot with y_k = 1"),
        (
            "∂CE/∂θ_i = ŷ_i for i ≠ k and ŷ_k − 1 for i = k, where k is the correct class",
            "If y is one-hot with y_k = 1, then ∂CE/∂θ_i = ŷ_i for i ≠ k and ∂CE/∂θ_i = ŷ_k − 1 for i = k",
        ),
    ],
)
def test_the_target_is_one_hot_there(text: str, wanted: str) -> None:
    assert with_target(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "The loss of a batch is CE = -log ŷ_k, where k is the true class.",
        "CE = -log ŷ_k with smoothed y, where k is the true class",
        "p_k = softmax(z)_k, where k is the true class",
        "CE = -log ŷ_k, where k is the largest class",
    ],
)
def test_other_texts_are_left_alone(text: str) -> None:
    assert with_target(text) == text


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("CE(y, ŷ) = -log ŷ_k where k is the correct class", "holds"),
        ("CE(y, ŷ) = log ŷ_k where k is the correct class", "fails"),
        ("∂CE/∂θ_k = ŷ_k − 1, where k is the true class", "holds"),
        ("∂CE/∂θ_k = ŷ_k + 1, where k is the true class", "fails"),
        ("∂CE/∂θ_i = 0 for i ≠ k, where k is the true class", "fails"),
        ("∂CE/∂θ_i = ŷ_i for i ≠ k and ŷ_k − 1 for i = k, where k is the correct class", "holds"),
        ("∂CE/∂θ_i = ŷ_i for i ≠ k and ŷ_k + 1 for i = k, where k is the correct class", "fails"),
    ],
)
def test_they_are_judged(text: str, verdict: str) -> None:
    assert check(text).verdict == verdict
