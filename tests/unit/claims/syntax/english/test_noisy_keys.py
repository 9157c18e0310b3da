"""Sentences about random keys in the letters of the settings with noisy keys."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.english.noisy_keys import write_noisy_keys


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = y", "x = y"),
        (
            "Suppose the means μ_i are orthonormal, the keys k_i ~ N(μ_i, τI).",
            "Let μ_i orthonormal. Suppose k_i ~ N(μ_i, αI).",
        ),
        (
            "Let k_a = (1+g)μ_a, all other keys k_i = μ_i, the μ's orthonormal. Then x = y",
            "Let μ_i orthonormal. Let k_a = (1+g)μ_a, k_i = μ_i for i ≠ a. Then x = y",
        ),
        ("With q = Cμ_a the expected weight on key a tends to 1.", "With q = Cμ_a E[α_a] tends to 1."),
        (
            "Two keys, k_a = g μ_a with g ~ N(1, 2); q = μ_a. Then x = y",
            "Let n = 2, k_a = g μ_a with g ~ N(1, 2), q = μ_a. Then x = y",
        ),
    ],
)
def test_text(text, expected):
    assert write_noisy_keys(text) == expected


@pytest.mark.parametrize(
    ("limit", "verdict"),
    [("1/4", "holds-in-limit"), ("1/8", "fails")],
)
def test_a_key_that_is_set_beside_keys_that_are_their_means(limit, verdict, unchecked):
    claim = (
        "Take n = 2, k_a = (1+g) μ_a with g ~ N(0, 1/2), k_b = μ_b, where μ_a, μ_b are orthonormal, and "
        f"q = C(μ_a + μ_b). Then Var(α_a) → {limit} as C → ∞."
    )
    assert check(claim).verdict == verdict


def test_one_key_keeps_its_own_law_where_the_others_are_set(unchecked):
    given = "Let k_a = (1+g)μ_a, g ~ N(0, 1/2), k_i = μ_i for i ≠ a."
    claim = f"{given} Then Var(k_a^T q) = (μ_a^T q)^2/2 and Var(k_b^T q) = 0."
    assert check(claim, setting="noisy-keys").verdict == "holds"
