"""Things that a claim introduces."""

import pytest

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.english.entities import dimension, introduce, state_moments
from regard.claims.syntax.prose.phrases import Thing
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("For every orthogonal matrix Q, Q = Q.", "Let Q is a matrix. Let Q is orthogonal."),
        (
            "For nonzero vectors x and y, x = y.",
            "Let x is a vector. Let x is nonzero. Let y is a vector. Let y is nonzero.",
        ),
        ("For a unit vector u, u = 1.", "Let u is a vector. Let u is unit."),
        ("Let P be an orthogonal projection. Then P = 1.", "Let P is a projection."),
        (
            "Let A be an m×n matrix with linearly independent columns. Then rank(A) = n.",
            "Let A ∈ R^{m×n}. Let A^T A is invertible.",
        ),
        ("For a random vector x with mean μ and covariance Σ, x = 1.", "Let E[x] = μ. Let Cov(x) = Σ."),
        ("For a standard Gaussian vector x in d dimensions, x = 1.", "Let x ~ N(0, I_d)."),
        ("For all vectors x, y ∈ ℝ^n, x = y.", "Let x ∈ ℝ^n. Let y ∈ ℝ^n. Let x is a vector. Let y is a vector."),
        ("For symmetric A and B of equal size, A = B.", "Let A is symmetric. Let B is symmetric."),
    ],
)
def test_what_is_said_of_a_thing_is_given(text, given):
    assert read_prose(text).claims[0].startswith(f"{given} Then ")


def test_numbers_may_be_positive_and_matrices_may_not():
    assert introduce(("positive",), "number", ("c",)).given == ("c is a scalar", "c > 0")
    with pytest.raises(Unreadable):
        introduce(("positive",), "matrix", ("A",))


def test_moments_are_those_of_random_things():
    assert state_moments(Thing("x", kind="random vector"), Thing("0"), Thing("I")) == ("E[x] = 0", "Cov(x) = I")
    with pytest.raises(Unreadable):
        state_moments(Thing("x"), Thing("0"), Thing("I"))


def test_the_dimension_of_a_space():
    assert dimension(Thing("ℝ^d")) == "d"
    with pytest.raises(Unreadable):
        dimension(Thing("x + y"))
