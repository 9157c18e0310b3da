"""Laws that a claim gives the noisy keys of a setting."""

import pytest

from regard.claims.check import check
from regard.claims.meaning.letter_laws import draw_keys_as_given
from regard.claims.syntax.grammar import parse

MAGNITUDE = "Σ_a = αI + ½ μ_a μ_aᵀ"


def test_a_law_is_written_as_mean_and_noise():
    found = draw_keys_as_given(parse("k_i ~ N(μ_i, 2αI) ⇒ Var(k_aᵀ q) = 2α‖q‖²"))
    key, law = found.premises
    assert (key.comparison, key.left.name, law.comparison, law.left.name) == ("=", "k", "~", "epsilon")
    assert key.left.subscripts == law.left.subscripts == ("i",)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("k_a ~ N(μ_a, αI + ½ μ_a μ_aᵀ) ⇒ Var(k_aᵀ μ_a) = α + ½", "holds"),
        ("k_a ~ N(μ_a, αI + ½ μ_a μ_aᵀ) ⇒ Var(k_aᵀ μ_a) = ½", "fails"),
        (f"k_a ~ N(μ_a, Σ_a), {MAGNITUDE} ⇒ Var(k_aᵀ μ_a) = α + ½", "holds"),
        (f"{MAGNITUDE} ⇒ Var(k_aᵀ q) = qᵀ Σ_a q", "holds"),
        (f"{MAGNITUDE} ⇒ Var(k_bᵀ q) = qᵀ Σ_a q", "fails"),
        ("Σ_i = 2αI ⇒ Var(k_aᵀ q) = 2α‖q‖²", "holds"),
        ("Σ_i = 2αI ⇒ Var(k_aᵀ q) = α‖q‖²", "fails"),
        ("Σ_i = 2αI ⇒ Cov(k_aᵀ q, k_bᵀ q) = 0", "fails"),  # that keys are independent is not said
        ("k_a ~ N(μ_a, αI + ½ μ_a μ_aᵀ), k_a ∈ ℝᵈ ⇒ E‖k_a‖² = 1 + dα + ½", "holds"),
        ("k_a ~ N(μ_a, αI + ½ μ_a μ_aᵀ), k_a ∈ ℝᵈ ⇒ E‖k_a‖² = 1 + α + ½", "fails"),
        (f"{MAGNITUDE} ⇒ lim_{{α→0⁺}} Var(k_aᵀ q) = ½ (μ_aᵀ q)²", "holds-in-limit"),
        (f"{MAGNITUDE}, q = C(μ_a + μ_b), α → 0 ⇒ c ≈ ½(v_a + v_b)", "fails"),
    ],
)  # fmt: skip
def test_keys_are_drawn_from_the_law_that_is_given(claim, verdict):
    assert check(claim).verdict == verdict
