"""Noise of keys in words."""

import pytest

from regard.claims.syntax.prose.attention.key_noise import keep_independence
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "If the covariance of each key is α times the identity, then the variance of each score is α‖q‖².",
            ("Let k_i ~ N(μ_i, α I). Then Var(k_i^T q) = α‖q‖²",),
        ),
        (
            "If a key is its unit mean vector times one plus a centred Gaussian number of variance one half, then the "
            "expected squared length of the key is one.",
            ("Let k_a = (1 + g) μ_a. Let g ~ N(0, 1/2). Let ‖μ_a‖ = 1. Then E[‖k_a‖²] = 1",),
        ),
        (
            "If k_a = (1+g)μ_a with g ~ N(0, 1/2), then k_a never points in the direction opposite to μ_a.",
            ("Let k_a = (1+g)μ_a. Let g ~ N(0, 1/2). Then P(k_a^T μ_a < 0) = 0",),
        ),
        (
            "If the keys are Gaussian, then the scores are Gaussian.",
            ("Let k_i ~ N(μ_i, Σ_i). Then k_i^T q ~ N(μ_i^T q, q^T Σ_i q)",),
        ),
        (
            "Let k ~ N(μ, Σ) and let q, q' satisfy q^T Σ q' = 0. Then k^T q and k^T q' are independent.",
            ("Let k ~ N(μ, Σ). Let q^T Σ u = 0. Then k^T q ⫫ k^T u",),
        ),
    ],
)
def test_claims(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize("sentence", ["The scores are Gaussian.", "k_a never points in the direction opposite to μ_a."])
def test_law_of_the_key_is_not_said(sentence):
    assert read_prose(sentence) is None


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("Let k_i ~ N(μ_i, Σ_i) be independent. Then A.", True),
        ("Let k_i ~ N(μ_i, Σ_i). Then A is independent of B.", False),
        ("Let k_i ~ N(μ_i, Σ_i), not necessarily independent. Then A.", False),
    ],
)
def test_independence_of_keys(text, is_kept):
    written = keep_independence("Let k_i ~ N(μ_i, Σ_i). Then A", text)
    assert written == f"Let k_i ~ N(μ_i, Σ_i){' independent' if is_kept else ''}. Then A"
