"""Laws of single letters do not make them independent; what holds only of independent ones needs the word."""

import pytest

from regard.claims.check import check
from regard.claims.verdict.dependence import gives_independence


def test_single_covariances_say_nothing_of_two_keys(unchecked):
    found = check("Σ_i = αI ⇒ Cov(k_a, k_b) = 0", setting="noisy-keys")
    assert found.verdict == "fails"
    assert found.reason.startswith("Σ_i says nothing of two keys at once; with the same noise in all of them, at n = 2")
    assert check("Σ_i = αI ⇒ Var(k_a^T q) = α ‖q‖^2", setting="noisy-keys").verdict == "holds"


def test_the_law_of_each_key_says_nothing_of_two(unchecked):
    found = check("k_i ~ N(μ_i, αI) ⇒ Cov(k_a, k_b) = 0")
    assert found.verdict == "fails"
    assert found.reason.startswith("the law of each key says nothing of two keys at once")
    assert check("k_i ~ N(μ_i, αI) independent ⇒ Cov(k_a, k_b) = 0").verdict == "holds"


@pytest.mark.parametrize(
    "claim",
    [
        "X, Y ~ N(0,1) ⇒ X + Y ~ N(0,2)",
        "X ~ N(μ, σ²), Y ~ N(ν, τ²) ⇒ X − Y ~ N(μ − ν, σ² + τ²)",
        "x ~ N(0, Σ), y ~ N(0, Σ) ⇒ x + y ~ N(0, 2Σ)",
        "X, Y ~ N(0,1) ⇒ E[XY] = 0",
        "X, Y, Z ~ N(0,1), X ⫫ Y ⇒ Var(X + Y + Z) = 3",
        "X, Y ~ N(0,1), Cov(X, Y) = ρ ⇒ Var(X + Y) = 2",
        "X, Y ~ N(0,1), Cov(X, Y) = 0 ⇒ X + Y ~ N(0,2)",
        "X, Y ~ N(0,1), Cov(X, Y) = 0 ⇒ X ⫫ Y",
        "Let X and Y be standard normal variables. Then X + Y has variance 2.",
    ],
)
def test_it_fails_where_nothing_says_independent(claim, unchecked):
    assert check(claim).verdict == "fails"


@pytest.mark.parametrize(
    "claim",
    [
        "X, Y i.i.d. ~ N(0,1) ⇒ X + Y ~ N(0,2)",
        "X ~ N(0,1), Y ~ N(0,1) independent ⇒ X + Y ~ N(0,2)",
        "X ~ N(0,1), Y ~ N(0,1), X ⊥ Y ⇒ X + Y ~ N(0,2)",
        r"X \perp Y, X \sim N(0,1), Y \sim N(0,1) \Rightarrow X - Y \sim N(0,2)",
        "X, Y, Z ~ N(0,1), X ⫫ Y ⇒ Var(X + Y) = 2",
        "X, Y ~ N(0,1) ⇒ E[X + Y] = 0",
        "X, Y ~ N(0,1), Cov(X, Y) = ρ ⇒ Var(X + Y) = 2 + 2ρ",
        "X, Y ~ N(0,1), Cov(X, Y) = 1/2 ⇒ Var(X + Y) = 3",
        "X, Y ~ N(0,1), Cov(X, Y) = 0 ⇒ Var(X + Y) = 2",
        "X, Y ~ N(0,1) jointly Gaussian, Cov(X, Y) = 0 ⇒ X + Y ~ N(0,2)",
        "X, Y ~ N(0,1) jointly normal, Cov(X, Y) = 0 ⇒ X ⫫ Y",
        "The sum of two independent standard normal variables has variance 2.",
        "Let X and Y be independent standard normal variables. Then X + Y has variance 2.",
    ],
)
def test_it_holds_where_independence_is_said_or_not_needed(claim, unchecked):
    assert check(claim).verdict == "holds"


def test_a_correlation_is_shown(unchecked):
    found = check("X ~ N(0, 1), Y ~ N(0, 1) ⇒ Var(X + Y) = 2")
    assert found.reason.startswith("nothing says that X and Y are independent; where they depend on each other, ")
    assert found.counterexample.symbols == {"Corr(X, Y)": 1.0}
    assert found.counterexample.left == 4.0


def test_noise_is_independent_of_all_else(unchecked):
    found = check("X ~ N(0,1), Z ~ N(0,1), Y = ρX + √(1-ρ²) Z ⇒ Cov(X, Y) = ρ")
    assert found.verdict == "holds"
    assert "noise is independent of all else: Z" in found.notes
    assert check("ε_i ~ N(0, σ²) ⇒ Var(\\frac{1}{n} \\sum_i ε_i) = σ²/n").verdict == "holds"


@pytest.mark.parametrize(
    "claim",
    ["q, k ~ N(0, I_d) ⇒ Var(q^T k) = d", "x_i ~ N(0,1) ⇒ Var(\\sum_i x_i) = n", "X, Y ~ N(0,1) ⇒ P(X > Y) = 1/2"],
)
def test_what_everybody_means_to_be_independent_is_left_open(claim, unchecked):
    found = check(claim)
    assert found.verdict == "undecided"
    assert "are independent, which nothing says; otherwise, " in found.reason


def test_independence_that_is_claimed_or_denied_is_not_given():
    assert gives_independence("X + Y ~ N(0, 2) for independent X, Y ~ N(0, 1)")
    assert gives_independence("X ~ N(0, 1), Y ~ N(0, 1) => Var(X + Y) = 2 if X and Y are independent")
    assert not gives_independence("If Cov(X, Y) = 0 then X and Y are independent")
    assert not gives_independence("X and Y need not be independent")
    assert not gives_independence("linearly independent columns")
