"""One statement, one verdict: everywhere, within one per cent, in a limit, much smaller, normal."""

import pytest
from tests.support.claim_trials import ready

from regard.claims.check import check
from regard.claims.verdict.judge import judge_statement


@pytest.mark.parametrize(
    ("text", "setting", "verdict", "reason"),
    [
        (r"\sum_i α_i = 1", "attention", "holds", "true of all 40 instances tried"),
        ("α_i > 1", "attention", "fails", "at n = 2, d = 1 the left side is 0.268941 and the right side 1"),
        ("α_a → 1; q = C k_a", "orthonormal-keys", "holds-in-limit", "the gap vanishes as C → ∞, like e^(−C)"),
        (
            "α_a ≈ 1/2; q = C k_a",
            "orthonormal-keys",
            "fails",
            "the two sides do not meet as C → ∞: they still differ by 50 %",
        ),
        ("α_b ≪ α_a; q = C k_a", "orthonormal-keys", "holds-in-limit", "the smaller over the larger side: "),
        ("log(-1) = 0", "attention", "fails", "one side is not defined on any instance"),
    ],
)
def test_verdict_and_reason(text, setting, verdict, reason, unchecked):
    found = judge_statement(*ready(text, setting))
    assert found.verdict == verdict
    assert found.reason.startswith(reason)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("x/x = 1 for all x", "undecided"),
        ("log(x²) = 2 log x for all real x", "undecided"),
        ("log(x²) = 2 log x for all x > 0", "holds"),
        ("x/x = 1 for x ≠ 0", "holds"),
        ("x/x = 1", "holds"),
        ("‖x/‖x‖‖ = 1 for all x", "undecided"),
        ("σ(-x) = 1 - σ(x) for all x", "holds"),
        ("Let P = A(A^TA)^{-1}A^T. Then Px = x for every x = A y", "holds"),
    ],
)
def test_all_numbers_are_meant_where_a_claim_says_so(claim, verdict, unchecked):
    assert check(claim).verdict == verdict


def test_a_condition_on_drawn_letters_changes_their_law(unchecked):
    found = check("ε ~ N(0, 1), x + y = ε ⇒ Var(x) = 0")
    assert found.verdict == "not-understood"
    assert found.reason.startswith("what is given is said of random letters as they are drawn")
