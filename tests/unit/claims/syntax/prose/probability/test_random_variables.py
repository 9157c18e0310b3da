"""Random letters in words."""

import pytest

from regard.claims.syntax.prose.reading import read_prose

JOINT = "Let ξ ~ N(0, 1). Let ζ ~ N(0, 1). Let X = "


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "Let X and Y be independent standard normal variables. Then Var(X + Y) = 2.",
            ("Let X ~ N(0, 1). Let Y ~ N(0, 1). Then Var(X + Y) = 2",),
        ),
        ("Cov(X, Y) = 0 ⇒ X and Y are independent", ("Let Cov(X, Y) = 0. Then X ⫫ Y",)),
        ("If X and Y are independent then they are uncorrelated", ("Let X ⫫ Y. Then Cov(X, Y) = 0",)),
        ("Uncorrelated random variables are independent.", ("Let Cov(X, Y) = 0. Then X ⫫ Y",)),
        ("Zero covariance does not imply independence.", ("Let Cov(X, Y) = 0. Then X ⫫ Y does not hold",)),
        (
            "for x ∼ N(μ, Σ), a^T x and b^T x are independent ⇔ a^T Σ b = 0",
            ("Let x ∼ N(μ, Σ). Then a^T x ⫫ b^T x iff a^T Σ b = 0",),
        ),
        (
            "If q and k have i.i.d. N(0, 1) entries, then E[(q^T k)^2] = d",
            ("Let q ~ N(0, I). Let k ~ N(0, I). Then E[(q^T k)^2] = d",),
        ),
        (
            "Let X and Y have correlation ρ and unit variance. Then Var(X − Y) = 2(1 − ρ).",
            ("Let Corr(X, Y) = ρ. Let Var(X) = 1. Let Var(Y) = 1. Then Var(X − Y) = 2(1 − ρ)",),
        ),
        (
            "If X is normal with mean 3 and variance 4, then (X − 3)/4 is standard normal.",
            ("Let X ~ N(3, sqrt(4)^2). Then (X − 3)/4 ~ N(0, 1)",),
        ),
        (
            "The average of n iid standard normal variables has standard deviation 1/√n.",
            (r"Let X_i ~ N(0, 1). Then Std((1/n) \sum_{i=1}^{n} X_i) = 1/√n",),
        ),
        (
            "Let $X_1, \\dots, X_n$ be i.i.d. N(μ, σ²). Then $\\mathrm{Var}(\\bar X) = \\sigma^2/n$",
            (
                r"Let X_i ~ N(μ, σ²). Let \bar X = (1/n) \sum_{j=1}^n X_j. Then "
                r"\mathrm{Var}(\bar X) = \sigma^2/n",
            ),
        ),
        (
            "Let x be a random vector with mean μ and covariance Σ. Then Cov(Ax) = A Σ A^T.",
            ("Let E[x] = μ. Let Cov(x) = Σ. Then Cov(Ax) = A Σ A^T",),
        ),
        (
            "The square of a standard normal random variable is chi-square with one degree of freedom.",
            ("Let X ~ N(0, 1). Then X^2 ~ χ²(1)",),
        ),
        ("The variance of a X + b is a^2 times the variance of X", ("Var(a X + b) = (a^2) Var(X)",)),
    ],
)
def test_texts_in_signs(text, claims):
    assert read_prose(text).claims == claims


def test_jointly_normal_numbers_share_noise():
    found = read_prose("Var(X | Y) = 1 − ρ² if X, Y are jointly Gaussian with means 0, variances 1 and correlation ρ")
    assert found.claims == (f"Let ρ^2 < 1. {JOINT} ξ. Let Y = (ρ) ξ + sqrt(1 - (ρ)^2) ζ. Then Var(X | Y) = 1 − ρ²",)


def test_numbers_that_are_normal_each_need_not_be_so_together():
    found = read_prose("If X and Y are both normally distributed and uncorrelated, then they are independent.")
    assert found.claims[0].endswith("Let Y = m_Y + s_Y ξ ζ/|ζ|. Then X ⫫ Y")


@pytest.mark.parametrize(
    "text",
    [
        "If X ~ N(0, 1) and Y ~ N(0, 1), then X and Y are independent.",  # which nothing says
        "Let X_1, …, X_n all have variance σ². Then Var(X̄) = σ²/n.",  # nor here how they hang together
        "Let X be normal. Then X and Y are jointly normal.",
        "The norm of some random vector x is one.",
        "The mean of softmax(z) is 1/n.",  # of its entries, perhaps
    ],
)
def test_what_is_not_said_is_not_read(text):
    assert read_prose(text) is None


def test_a_random_variable_and_a_positive_number():
    assert read_prose("P(X ≥ a) ≤ E[X]/a for every random variable X and a > 0").claims == (
        "Let a > 0. Then P(X ≥ a) ≤ E[X]/a",
    )
