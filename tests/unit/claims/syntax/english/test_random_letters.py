"""Random letters in words, and what becomes of them."""

import pytest

from regard.claims.syntax.english.random_letters import write_random_letters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X_1, …, X_n i.i.d. ~ N(0, 1) with mean X̄", "X_1, …, X_n  ~ N(0, 1), X̄ = (1/n) sum_{i=1}^n X_i"),
        ("Cov(X, Y) = 0 ⇒ X, Y independent", "Cov(X, Y) = 0 ⇒ X ⫫ Y"),
        ("a^T x and b^T x are independent iff a^T b = 0", "a^T x ⫫ b^T x iff a^T b = 0"),
        ("X and Y are uncorrelated iff they are independent", "Cov(X, Y) = 0 iff X ⫫ Y"),
        ("if X and Y have unit variance", "if Var(X) = 1 and Var(Y) = 1"),
        ("if X and Y have the same mean", "if E[X] = E[Y]"),
        (
            "if X, Y are jointly Gaussian with means 0 and correlation ρ",
            "if E[X] = 0 and E[Y] = 0 and Corr(X, Y) = ρ",
        ),
        ("E[XY] = 0 if X and Y are independent", "E[XY] = 0 if X and Y are independent"),
    ],
)
def test_becomes(text, expected):
    assert write_random_letters(text) == expected
