"""Random letters that are shifted, scaled, rotated or averaged."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Adding a constant to a random variable does not change its variance.", ("Var((X + t)) = Var(X)",)),
        ("Doubling a random variable doubles its variance.", ("Var((2 X)) = 2 (Var(X))",)),
        (
            "Multiplying a random variable by a constant multiplies its variance by the square of that constant.",
            ("Var((t X)) = ((t)^2) (Var(X))",),
        ),
        (
            "Rotating a standard Gaussian vector does not change its distribution.",
            ("Let x ~ N(0, I_d). Let A is orthogonal. Then ((A x)) ~ N(0, I_d)",),
        ),
        ("Subtracting its mean from a random variable does not change its variance.", ("Var((X - E[X])) = Var(X)",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_mean_of_draws():
    (found,) = read_prose("Averaging n independent draws of variance 2 gives a variance of 2/n.").claims
    assert found.endswith("Then Var((1/n) \\sum_{i=1}^{n} X_i) = 2/n")


def test_that_constant_needs_one():
    assert read_prose("Negating a random variable multiplies its variance by that constant.") is None
