"""What changes nothing, as an equation."""

import pytest

from regard.claims.syntax.sentence.invariance import state_invariance


@pytest.mark.parametrize(
    ("text", "equation"),
    [
        ("Adding a constant to every logit does not change the softmax", "softmax(s + t)_i = softmax(s)_i"),
        ("the softmax is invariant under adding a constant to all logits", "softmax(s + t)_i = softmax(s)_i"),
        (
            "Scaling the query by C leaves the weights unchanged",
            "exp(k_i^T (C q)) / sum_j exp(k_j^T (C q)) = exp(k_i^T q) / sum_j exp(k_j^T q)",
        ),
        (
            "Shifting all logits by a constant leaves the output unchanged",
            "sum_i (softmax(s + t)_i) v_i = sum_i (softmax(s)_i) v_i",
        ),
        (
            "The output does not change if the same vector is added to every value",
            "sum_i (exp(k_i^T q) / sum_j exp(k_j^T q)) (v_i + u) = sum_i (exp(k_i^T q) / sum_j exp(k_j^T q)) v_i",
        ),
    ],
)
def test_the_equation(text, equation):
    assert state_invariance(text) == equation


@pytest.mark.parametrize(
    "text", ["c = v_a", "Adding a vector to key a does not change the weights", "the weights change"]
)
def test_anything_else_stays(text):
    assert state_invariance(text) == text
