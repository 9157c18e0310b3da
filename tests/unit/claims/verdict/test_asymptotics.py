"""Limits in a size."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("x ~ N(0, I_d) ⇒ E‖x‖/√d → 1 as d → ∞", "holds-in-limit"),
        ("x ~ N(0, I_d) ⇒ E‖x‖²/d → 2 as d → ∞", "fails"),
        ("Let the keys be orthonormal. Let q = (ln n) k_1. Let n → ∞. Then α_1 → 1/2", "holds-in-limit"),
        ("Let the keys be orthonormal. Let q = k_j. Let n → ∞. Then α_j → 1/e", "fails"),
        ("x ~ N(0, I_d) ⇒ E‖x‖²/d + 1/d → 1.01 as d → ∞", "undecided"),
    ],
)
def test_verdict(claim, verdict):
    assert check(claim).verdict == verdict


def test_vectors_that_would_be_drawn_anew_are_not_followed():
    found = check("Σ_{i=1}^n x_i → 0 as n → ∞")
    assert found.verdict == "not-understood"
    assert "how x goes on" in found.reason
