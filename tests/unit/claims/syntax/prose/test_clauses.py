"""Clauses and what stands behind them."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("tr(A) = 0 if A is antisymmetric.", ("Let A is antisymmetric. Then tr(A) = 0",)),
        ("x is zero if and only if ‖x‖ = 0.", ("x = 0 iff ‖x‖ = 0",)),
        ("D = 0 holds only if p = q.", ("Let D = 0. Then p = q",)),
        ("‖x + y‖ ≤ ‖x‖ + ‖y‖ with equality iff x = 0.", ("‖x + y‖ ≤ ‖x‖ + ‖y‖", "‖x + y‖ = ‖x‖ + ‖y‖ iff x = 0")),
        ("x > 0 unless x = 0.", ("Let x ≠ 0. Then x > 0",)),
        ("u and v are orthogonal.", ("u^T v = 0",)),
        ("X and X² are uncorrelated.", ("Cov(X, X²) = 0",)),
        ("A and B commute.", ("A B = B A",)),
        ("softmax(x) and softmax(x - max_i x_i) are the same vector.", ("softmax(x) = softmax(x - max_i x_i)",)),
        ("The fourth moment is E[X⁴] = 3.", ("E[X⁴] = 3",)),
        ("x = c y for some scalar c.", ("x = c y for some c",)),
        ("x·y tends to 0 for every x ≠ y.", ("x·y → 0 for all x ≠ y",)),
        ("x·y is positive at every x ≠ 0.", ("Let x ≠ 0. Then x·y > 0",)),
        ("the cross-entropy can be computed as H = 1.", ("H = 1",)),
        ("x ≥ 0 (x ∈ ℝ).", ("Let x ∈ ℝ. Then x ≥ 0",)),
        ("the derivative of x is 1, no matter how large x is.", ("∂/∂x (x) = 1",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_point_on_the_sphere_is_a_direction_of_a_normal_vector():
    found = read_prose("Let x be uniformly distributed on the unit sphere of ℝ^d. Then x·y has mean zero.").claims[0]
    assert found.startswith("Let u ~ N(0, I_d). Let x = u/‖u‖. Then ")


def test_unless_is_read_with_an_equation_only():
    assert read_prose("x > 0 unless x ≤ 0.") is None


def test_what_exists_is_not_given():
    assert read_prose("The norm of x is c for some c > 0.") is None
    assert read_prose("The norm of some vector x is one.") is None
