"""What stands beside a claim: definitions behind it, the claim again in signs, comparisons, names of signs."""

from __future__ import annotations

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "∂p_i/∂z_j = p_i p_j (i ≠ j), p = softmax(z)",
            ("Let p = softmax(z). Let i ≠ j. Then ∂p_i/∂z_j = p_i p_j",),
        ),
        (
            "p = softmax(z/T) tends to the uniform distribution, p_i → 1/n, as T → ∞.",
            (
                "Let T → ∞. Let p = softmax(z/T). Then p → 1/n",
                "Let T → ∞. Let p = softmax(z/T). Then p_i → 1/n",
            ),
        ),
        (
            "The Jacobian J = diag(p) - pp^T of p = softmax(z) satisfies J·1 = 0, where 1 is the all-ones vector.",
            ("Let J = diag(p) - pp^T. Let p = softmax(z). Then J·1 = 0",),
        ),
        (
            "Just like the sigmoid, tanh(x) goes to 0 as x -> -infinity.",
            ("Let x -> -∞. Then tanh(x) → 0", "Let x -> -∞. Then σ(x) → 0"),
        ),
        ("Unlike tanh, the sigmoid is odd.", ("σ((-x)) = -(σ(x))", "tanh((-x)) = -(tanh(x)) does not hold")),
        (
            "softmax(x + y) = softmax(x) ⊙ softmax(y), where ⊙ is the elementwise product of the two vectors.",
            ("softmax(x + y) = softmax(x) ⊙ softmax(y)",),
        ),
    ],
)
def test_what_stands_beside_a_claim(text: str, claims: tuple[str, ...]) -> None:
    reading = read_prose(text)
    assert reading is not None
    assert reading.claims == claims


@pytest.mark.parametrize(
    "text",
    [
        "z ⊙ z = ‖z‖², where ⊙ is the sum of the two vectors.",
    ],
)
def test_what_may_say_something_else_is_not_read(text: str) -> None:
    assert read_prose(text) is None


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("A temperature T > 1 makes the distribution sharper, i.e. max_i p_i = 1.", "Let T > 1."),
        ("If all logits are doubled, every probability is squared: softmax(2z)_i = softmax(z)_i^2.", "softmax"),
    ],
)
def test_words_before_the_same_in_signs_are_not_read_but_what_they_give_is(text: str, given: str) -> None:
    reading = read_prose(text)
    assert reading is not None
    assert reading.claims[0].startswith(given)
    assert reading.unread


def test_words_that_may_be_a_condition_are_not_left_out() -> None:
    assert read_prose("A convex function of a unit vector is small, i.e. max_i p_i = 1.") is None


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("vᵀJv = Σᵢ pᵢvᵢ² − (Σᵢ pᵢvᵢ)², J = diag(p) − ppᵀ, p = softmax(z)", "holds"),
        ("vᵀJv = Σᵢ pᵢvᵢ² + (Σᵢ pᵢvᵢ)², J = diag(p) − ppᵀ, p = softmax(z)", "fails"),
        ("J = diag(p) − ppᵀ, p = softmax(z), J 1 = 0", "holds"),
        ("J = diag(p) − ppᵀ, p = softmax(z), J p = 0", "fails"),
        ("∂p_i/∂z_j = −p_i p_j  (i ≠ j),  p = softmax(z)", "holds"),
        ("∂p_i/∂z_j = p_i p_j  (i ≠ j),  p = softmax(z)", "fails"),
    ],
)
def test_definitions_behind_a_claim_are_given(claim: str, verdict: str) -> None:
    assert check(claim).verdict == verdict


def test_the_same_as_another_is_not_said_of_both():
    assert read_prose("The query q + u gives the same output c as q.") is None
    assert read_prose("x³ is odd like tanh.").claims == ("(-x)³ = -(x³)", "tanh((-x)) = -(tanh(x))")
