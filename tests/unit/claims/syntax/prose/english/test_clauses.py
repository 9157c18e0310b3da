"""What is said of one thing, of two, of letters."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("u and v are orthogonal.", ("u^T v = 0",)),
        ("X and X² are uncorrelated.", ("Cov(X, X²) = 0",)),
        ("A and B commute.", ("A B = B A",)),
        ("softmax(x) and softmax(x - max_i x_i) are the same vector.", ("softmax(x) = softmax(x - max_i x_i)",)),
        ("The fourth moment is E[X⁴] = 3.", ("E[X⁴] = 3",)),
        ("the cross-entropy can be computed as H = 1.", ("H = 1",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_point_on_the_sphere_is_a_direction_of_a_normal_vector():
    found = read_prose("Let x be uniformly distributed on the unit sphere of ℝ^d. Then x·y has mean zero.").claims[0]
    assert found.startswith("Let u ~ N(0, I_d). Let x = u/‖u‖. Then ")


def test_what_exists_is_not_given():
    assert read_prose("The norm of x is c for some c > 0.") is None
    assert read_prose("The norm of some vector x is one.") is None


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("If x is orthogonal to y and z, then x = 0.", ("Let x^T y = 0. Let x^T z = 0. Then x = 0",)),
        ("If x is orthogonal to y, then x = 0.", ("Let x^T y = 0. Then x = 0",)),
        (
            "If X and Y are independent, the variance of X + Y is the sum of their variances.",
            ("Let X ⫫ Y. Then Var(X + Y) = (Var(X) + Var(Y))",),
        ),
    ],
)
def test_what_is_said_beside_others(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Each of x and y is at most 1.", ("x ≤ 1", "y ≤ 1")),
        ("Neither x nor y is positive.", ("x > 0 does not hold", "y > 0 does not hold")),
        ("The vector x has ‖x‖ = 1 as well.", ("Let x is a vector. Then ‖x‖ = 1",)),
    ],
)
def test_what_is_said_of_each(sentence, claims):
    assert read_prose(sentence).claims == claims
