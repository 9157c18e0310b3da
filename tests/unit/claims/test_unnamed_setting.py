"""Claims for which nobody names a setting."""

import pytest

from regard.claims.check import check
from regard.claims.unnamed_setting import check_anywhere


@pytest.mark.parametrize(
    ("claim", "verdict", "setting"),
    [
        ("tr(AB) = tr(BA)", "holds", "general"),
        ("tr(AB) = tr(A) tr(B)", "fails", "general"),
        ("PP = 2^{CE}", "fails", "perplexity"),
        ("q = C(k_a + k_b) ⇒ k_a^T q = k_b^T q for orthonormal keys", "holds", "orthonormal-keys"),
    ],
)
def test_a_claim_is_read_where_its_letters_are_known(claim, verdict, setting):
    found = check_anywhere(claim, None)
    assert (found.verdict, found.setting) == (verdict, setting)


def test_what_holds_in_another_setting_is_left_open():
    found = check_anywhere("q = C k_j ⇒ α_j = e^C/(e^C + n − 1)", None)
    assert found.verdict == "undecided"
    assert found.reason.startswith("no setting was named: it holds in orthonormal-keys; in attention, ")


def test_letters_that_differ_by_a_number_are_of_one_kind():
    found = check_anywhere("Let k ~ N(μ, Σ). Let q_1^T q_2 = 0. Then Cov(k^T q_1, k^T q_2) = 0", None)
    assert found.verdict == "fails"


def test_moments_fix_no_probability():
    found = check_anywhere("Let E[X] = 0. Let Var(X) = σ². Then P(|X| ≥ t) ≤ σ/t² for all t > 0", None)
    assert found.verdict == "not-understood"
    assert "law of the random letters is not said" in found.reason


def test_the_output_of_attention_is_no_free_number():
    means = "Let n = 2. Let ‖μ_a‖ = 1. Let ‖μ_b‖ = 1. Let μ_a^T μ_b = 0."
    keys = "Let g ~ N(0, λ). Let k_b = μ_b. Let k_a = (1+g)μ_a."
    text = f"{means} {keys} Let q = C(μ_a + μ_b). Let C is fixed. Let C is real. Then E[c] = (1/2) (v_a + v_b)"
    assert check_anywhere(text, None).verdict == "not-understood"


def test_a_setting_that_gives_more_than_the_claim_is_no_evidence(unchecked):
    found = check("v_a and v_b are linearly independent: then M = v_a v_a^T / |v_a|^2 gives M(v_a + v_b) = v_a.")
    assert found.verdict == "undecided"
    assert found.reason.endswith("where bases are orthonormal; the claim gives less")


def test_what_free_letters_deny_and_a_setting_affirms_is_left_open():
    assert check_anywhere("A A^T v_b = 0 does not hold", None).verdict == "undecided"
    assert check_anywhere("A A^T = I does not hold", None).verdict == "holds"
