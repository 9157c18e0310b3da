"""Premises that are approached: ≫ as a growing gap, ≈ and → as limits."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("s_a ≫ s_i for all i ≠ a ⇒ α_a ≈ 1", "holds-in-limit"),
        ("s_a ≫ s_i for all i ≠ a ⇒ α_a ≈ 1/2", "fails"),
        ("α_a ≈ 1 ⇒ c ≈ v_a", "holds-in-limit"),
        ("α_a ≈ 1/2 ⇒ c ≈ v_a", "fails"),
        ("s_a - s_i → ∞ for all i ≠ a ⇒ c → v_a", "holds-in-limit"),
    ],
)
def test_paths(claim, verdict, unchecked):
    assert check(claim, setting="attention").verdict == verdict
