"""Random keys and the other keys."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "Keys k_i ~ N(μ_i, αI) with μ_i orthonormal. Then each logit k_iᵀq has variance α‖q‖².",
            ("Let k_i ~ N(μ_i, αI). Let μ_i orthonormal. Then Var(k_iᵀq) = α‖q‖²",),
        ),
        (
            "The keys are k_i = μ_i except k_a = (1+g)μ_a with random g. Then c = v_a.",
            ("Let k_a = (1+t)μ_a. Let k_i = μ_i for all i ≠ a. Then c = v_a",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_other_keys_than_which_is_not_plain():
    assert read_prose("All other keys are k_i = μ_i. Then c = v_a.") is None


@pytest.mark.parametrize(
    "others",
    [
        "all other keys noise-free",
        "the other keys are fixed at their means",
        "every other key equals its mean",
        "the remaining keys stay at their means",
        "all other keys being deterministic",
    ],
)
def test_other_keys_are_their_means(others):
    reading = read_prose(f"If k_a = (1+g)μ_a with g ~ N(0, 1), {others} and q = C μ_a, then E[α_a] ≥ 1/2.")
    assert "Let k_i = μ_i for all i ≠ a. " in reading.claims[0]


@pytest.mark.parametrize("others", ["the other keys are noisy", "the other keys are near their means"])
def test_other_keys_that_are_not_their_means(others):
    assert read_prose(f"If k_a = (1+g)μ_a with g ~ N(0, 1), {others} and q = C μ_a, then E[α_a] ≥ 1/2.") is None


def test_other_keys_at_orthonormal_means():
    sentence = "Let k_a = (1+g)μ_a, g ~ N(0, 1), the other keys fixed at their orthonormal means. Then Var(α_a) < 1."
    given = "Let k_a = (1+g)μ_a. Let g ~ N(0, 1). Let k_i = μ_i for all i ≠ a. Let μ_i orthonormal. "
    assert read_prose(sentence).claims == (f"{given}Then Var(α_a) < 1",)


def test_independent_keys_are_of_one_family():
    sentence = "For {}keys k_a ~ N(μ_a, αI), k_b ~ N(μ_b, {}), the variance of k_aᵀq − k_bᵀq is 2α‖q‖²."
    claims = ("Let a ≠ b. Let k_i ~ N(μ_i, αI) independent. Then Var(k_aᵀq − k_bᵀq) = 2α‖q‖²",)
    assert read_prose(sentence.format("independent ", "αI")).claims == claims
    assert read_prose(sentence.format("independent ", "2αI")) is None
    assert read_prose(sentence.format("", "αI")) is None


def test_key_with_noise_along_its_mean_is_any_vector():
    law = "Let k_a ~ N(μ_a, εI + ½ μ_a μ_aᵀ) with ‖μ_a‖ = 1 and q = Cμ_a. Then "
    given = "Let ‖m‖ = 1. Let k ~ N(m, εI + ½ m mᵀ). Let q = C m. "
    assert read_prose(f"{law}k_aᵀq has variance C²(ε + ½).").claims == (f"{given}Then Var(kᵀq) = C²(ε + ½)",)
    assert "k_a ~" in read_prose(f"{law}α_a > α_b.").claims[0]  # a weight is of all keys


def test_sign_of_noise_is_that_of_any_number():
    given = "Suppose k_a = (1+g)μ_a with g ~ N(0, 1) and all other keys are noise-free. Then "
    plain = "Let k_a = (1+t)μ_a. Let k_i = μ_i for all i ≠ a. "
    assert read_prose(f"{given}α_a > α_b iff g > 0.").claims == (f"{plain}Then α_a > α_b iff t > 0",)
    assert "g ~ N(0, 1)" in read_prose(f"{given}E[α_a] > 0.").claims[0]


def test_one_random_key_for_two_queries():
    sentence = "For the same random key {} the scores kᵀq₁ and kᵀq₂ are uncorrelated if q₁ᵀ Σ q₂ = 0."
    claims = ("Let k ~ N(μ, Σ). Let q₁ᵀ Σ q₂ = 0. Then Cov(kᵀq₁, kᵀq₂) = 0",)
    assert read_prose(sentence.format("k ~ N(μ, Σ)")).claims == claims
    assert read_prose(sentence.format("k = μ")) is None


def test_independence_that_is_given():
    sentence = "{} k_i ~ N(μ_i, Σ_i) {} i ≠ j. Then the scores k_iᵀq and k_jᵀq are {}."
    found = read_prose(sentence.format("Let", "be independent keys and let", "uncorrelated"))
    assert found.claims == ("Let k_i ~ N(μ_i, Σ_i) independent. Let i ≠ j. Then Cov(k_iᵀq, k_jᵀq) = 0",)
    found = read_prose(sentence.format("Let", "and", "independent"))
    assert found.claims == ("Let k_i ~ N(μ_i, Σ_i). Let i ≠ j. Then k_iᵀq ⫫ k_jᵀq",)
    text = "Let k_i ~ N(μ_i, Σ_i) be independent. Then the scores k_iᵀq and k_jᵀq are uncorrelated iff Σ_i = Σ_j."
    assert read_prose(text) is None
