"""Short claims about softmax: invariance, equal logits, temperatures, gradients without a letter."""

from __future__ import annotations

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("softmax is invariant to adding a constant to all inputs", "holds"),
        ("softmax is invariant to multiplying all inputs by a positive constant", "fails"),
        ("the softmax is shift invariant", "holds"),
        ("softmax is scale invariant", "fails"),
        ("softmax is not scale invariant", "holds"),
        ("softmax is unaffected by scaling its inputs", "fails"),
        ("you can subtract the maximum from all logits without changing the softmax", "holds"),
        ("you can divide all logits by 2 without changing the softmax", "fails"),
        ("the softmax of equal logits is uniform", "holds"),
        ("the softmax of equal logits is one-hot", "fails"),
        ("equal logits give equal probabilities", "holds"),
        ("softmax of equal inputs gives 1/n for each entry", "holds"),
        ("softmax of equal inputs gives 1 for each entry", "fails"),
        ("softmax(x/T) → uniform as T → ∞", "holds-in-limit"),
        ("softmax(x/T) → uniform as T → 0", "fails"),
        ("as T → 0, softmax(x/T) becomes one-hot at the largest x_i", "holds-in-limit"),
        ("a high temperature makes the softmax more uniform", "holds"),
        ("a low temperature makes the softmax more uniform", "fails"),
        ("lowering the temperature makes the distribution less uniform", "holds"),
        ("the Hessian of CE is diag(ŷ) − ŷŷᵀ", "holds"),
        ("the Hessian of CE is ŷŷᵀ - diag(ŷ)", "fails"),
        ("the Hessian of the cross-entropy is PSD", "holds"),
        ("the Hessian of CE is positive definite", "fails"),
        ("the gradient of softmax cross-entropy is ŷ − y", "holds"),
        ("the gradient of softmax cross-entropy is y − ŷ", "fails"),
        ("CE is convex in θ", "holds"),
        ("CE is strictly convex in θ", "fails"),
        ("the cross-entropy is a convex function of the logits", "holds"),
        ("the cross-entropy is a concave function of the logits", "fails"),
        ("the maximum of σ'(x) is 1/4, attained at x = 0", "holds"),
        ("the maximum of σ'(x) is 1/2, attained at x = 0", "fails"),
        ("the maximum of the derivative of the sigmoid is 1/4", "holds"),
        ("the sigmoid derivative is at most 0.25", "holds"),
        ("the sigmoid derivative is at most 0.2", "fails"),
        ("the derivative of the sigmoid is largest at 0", "holds"),
        ("the derivative of the sigmoid is largest at 1", "fails"),
        ("the gradient of CE vanishes when ŷ = y", "holds"),
        ("softmax outputs lie strictly between 0 and 1", "holds"),
        ("softmax never outputs exactly 0", "holds"),
        ("softmax outputs can be 0", "fails"),
        ("the sigmoid can reach 1", "fails"),
        ("the sigmoid is strictly increasing", "holds"),
        ("the sigmoid is decreasing", "fails"),
        ("softmax is not linear", "holds"),
        ("softmax is a linear function", "fails"),
        ("softmax is order preserving", "holds"),
        ("Two different logit vectors can never lead to the same softmax probabilities.", "fails"),
        ("the sum of the softmax outputs is 1", "holds"),
        ("The gradient of the log-sum-exp function is the softmax of its argument.", "holds"),
        ("The derivative of the sigmoid attains its maximal value, one quarter, at the origin.", "holds"),
        ("The derivative of the sigmoid attains its maximal value, one half, at the origin.", "fails"),
        ("with two classes, softmax is a sigmoid of the logit difference", "holds"),
    ],
)
def test_short_claims_about_softmax(text: str, verdict: str) -> None:
    assert check(text).verdict == verdict


@pytest.mark.parametrize(
    "text",
    [
        "the gradient of the cross-entropy is −y/ŷ",  # by the prediction
        "the cross-entropy is convex in W",
        "the trace is shift invariant",
        "h(1−h) is the derivative of the sigmoid",
        "the maximum of x^2 is 1/4",
        "the maximum of σ'(x) is 1/4, attained at x = 1",
    ],
)
def test_what_may_mean_something_else_is_not_read(text: str) -> None:
    assert read_prose(text) is None
