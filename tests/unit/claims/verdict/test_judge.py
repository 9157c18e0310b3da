"""One statement, one verdict: everywhere, within one per cent, in a limit, much smaller, normal."""

import pytest
from tests.support.claim_trials import ready

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
