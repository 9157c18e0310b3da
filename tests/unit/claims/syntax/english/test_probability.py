"""Random letters in words become laws, definitions by noise and statements about moments."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.english import probability


@pytest.mark.parametrize(
    ("rewriter", "text", "expected"),
    [
        (probability.drop_dollars, "$x$ and \\(y\\)", "x and y"),
        (
            probability.declare_pairs,
            "If (X, Y) is bivariate normal with unit variances and covariance c, then Var(X) = 1",
            "Let ξ ~ N(0, 1), ζ ~ N(0, 1), X = m_X + ξ, Y = m_Y + (c/(1 * 1)) ξ + √(1 - (c/(1 * 1))^2) ζ; Var(X) = 1",
        ),
        (
            probability.declare_pairs,
            "(X, Y) jointly Gaussian with a secret: Var(X) = 1",
            "(X, Y) jointly Gaussian with a secret: Var(X) = 1",
        ),
        (
            probability.declare_entries,
            "Let x and y have independent entries with mean zero and variance σ^2.",
            "Let x, y ~ N(0, σ^2 I).",
        ),
        (probability.declare_entries, "x and y are independent", "x and y are independent"),
        (
            probability.declare_laws,
            "If X is log-normal with parameters μ and σ², then E[X] = 1",
            "If ξ ~ N(μ, σ²), X = exp(ξ), then E[X] = 1",
        ),
        (
            probability.claim_laws,
            "As C → ∞ the weight α_a converges in distribution to a Bernoulli(1/3).",
            "As C → ∞ the weight E[α_a] → 1/3 and Var(α_a) → (1/3)(1 - (1/3)).",
        ),
        (
            probability.name_probabilities,
            "For X ~ N(0, 1) the probability that X > 0 is 1/2",
            "For X ~ N(0, 1), P(X > 0) = 1/2",
        ),
    ],
)
def test_text(rewriter, text, expected):
    assert rewriter(text) == expected


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("(X, Y) jointly Gaussian with mean zero, unit variances and correlation ρ: Var(Y | X = x) = 1 − ρ^2", "holds"),
        ("(X, Y) jointly Gaussian with mean zero, unit variances and correlation ρ: Var(Y | X = x) = 1 − ρ", "fails"),
        ("If Z ~ N(0, I_n) then ‖Z‖^2 is chi-square with n - 1 degrees of freedom.", "fails"),
        ("For any positive random variable X, E[log X] ≤ log E[X].", "holds"),
    ],
)
def test_verdict(claim, verdict, unchecked):
    assert check(claim).verdict == verdict
