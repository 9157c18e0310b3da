"""False inequalities that random draws do not refute."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    "claim",
    ["H(p) < log n", "|x^T y| < ‖x‖ ‖y‖", "p(1 − p) < 1/4", "KL(p || q) > 0", "(a + b)/2 > √(a b) for a, b > 0"],
)
def test_strict_inequalities_fail_where_there_is_equality(claim, unchecked):
    assert check(claim).verdict == "fails"


def test_the_number_of_steps_is_told(unchecked):
    found = check("‖x + y‖ ≤ ‖x‖ + ‖y‖")
    assert found.verdict == "holds"
    assert "steps found no counterexample" in found.how
