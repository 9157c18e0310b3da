"""What stands behind a clause."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("tr(A) = 0 if A is antisymmetric.", ("Let A is antisymmetric. Then tr(A) = 0",)),
        ("x is zero if and only if ‖x‖ = 0.", ("x = 0 iff ‖x‖ = 0",)),
        ("D = 0 holds only if p = q.", ("Let D = 0. Then p = q",)),
        ("‖x + y‖ ≤ ‖x‖ + ‖y‖ with equality iff x = 0.", ("‖x + y‖ ≤ ‖x‖ + ‖y‖", "‖x + y‖ = ‖x‖ + ‖y‖ iff x = 0")),
        ("x > 0 unless x = 0.", ("Let x ≠ 0. Then x > 0",)),
        ("x = c y for some scalar c.", ("x = c y for some c",)),
        ("x·y tends to 0 for every x ≠ y.", ("x·y → 0 for all x ≠ y",)),
        ("x·y is positive at every x ≠ 0.", ("Let x ≠ 0. Then x·y > 0",)),
        ("x ≥ 0 (x ∈ ℝ).", ("Let x ∈ ℝ. Then x ≥ 0",)),
        ("the derivative of x is 1, no matter how large x is.", ("∂/∂x (x) = 1",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_unless_is_read_with_an_equation_only():
    assert read_prose("x > 0 unless x ≤ 0.") is None


def test_what_the_output_is_stands_behind_no_for():
    reading = read_prose("If q = 0, then α_i = 1/n for all i and the attention output is the mean of v_1, …, v_n.")
    assert reading.claims == ("Let q = 0. Then α_i = 1/n for all i", "Let q = 0. Then c = (1/n) \\sum_i v_i")


def test_even_if():
    assert read_prose("x² ≥ 0, even if x is negative.").claims == ("x² ≥ 0", "x² ≥ 0 if x < 0")
    assert read_prose("tr(A) ≥ 0, even though A need not be symmetric.").claims == ("tr(A) ≥ 0",)
    assert read_prose("x ≥ 0, even though x is not positive.") is None


@pytest.mark.parametrize(
    ("claim", "is_true"),
    [
        ("Even when Σ_i y_i = 2, the gradient of −Σ_i y_i log softmax(z)_i is softmax(z) − y.", False),
        ("Even when Σ_i y_i = 2, the gradient of −Σ_i y_i log softmax(z)_i is 2 softmax(z) − y.", False),
        ("Given q ⊥ k_i for all i, we have α_i = 1/n.", True),
        ("If k_i = k for all i, then α_i = 1/n irrespective of q.", True),
        ("If k_i = k for all i, then α_i = 2/n irrespective of q.", False),
    ],
)
def test_what_a_concession_and_a_quantifier_say(claim, is_true):
    verdict = check(claim)
    assert (verdict.verdict, verdict.is_true) == ("holds" if is_true else "fails", is_true)
