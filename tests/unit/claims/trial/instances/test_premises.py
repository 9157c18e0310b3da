"""Instances that satisfy what is given."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("k_a = k_b ⇒ α_a = α_b", "holds"),
        ("α_a = α_b ⇒ k_a = k_b", "fails"),
        ("v_i = v_j for all i, j ⇒ c = v_a", "holds"),
        ("k_a^T q > k_b^T q ⇒ α_a > α_b", "holds"),
        ("k_a^T q > k_j^T q for all j ≠ a ⇒ α_a > 1/n", "holds"),
        ("k_a^T q > k_j^T q for all j ≠ a ⇒ α_a > 1/2", "fails"),
    ],
)
def test_premises_hold_on_every_instance(claim, verdict, unchecked):
    assert check(claim, setting="attention").verdict == verdict


def test_too_few_instances_are_no_failure(unchecked):
    found = check("α_a > 2 ⇒ c = v_a", setting="attention")
    assert found.verdict == "not-understood"
    assert found.reason.startswith("what is given was true of 0 instances that could be found; 3 are needed")


def test_equations_are_met_to_many_digits(unchecked):
    assert check("‖x‖ = 1 ⇒ (I - 2 x x^T)^2 = I").verdict == "holds"


def test_what_is_drawn_near_stands_beside_equations(unchecked):
    verdict = check("Let t > 0. Let x = y. Let ‖x‖ = 1. Let t → 0. Then ‖x + t y‖ → 1").verdict
    assert verdict == "holds-in-limit"
