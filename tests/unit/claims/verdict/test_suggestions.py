"""What is near a false statement: a factor, a sign, a limit, a large factor, another goal."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "setting", "nearest"),
    [
        ("2 s = V c", "attention", None),
        ("s = 2 K q", "attention", "a factor is missing: the left side is 1/2 times the right side"),
        ("s = -K q", "attention", "the sign is wrong: the left side is minus the right side"),
        ("q = C k_a; c = v_a", "orthonormal-keys", "≈ instead of =: it holds as C → ∞"),
        ("P^2 = P with P = AA^T", None, "it holds if A has orthonormal columns"),
        ("P = u u^T ⇒ P² = P", None, "it holds if u has length 1"),
        ("A x = A^T x", None, "it holds if A is symmetric"),
        ("X ~ N(0, 1) ⇒ E[X⁴] = 6", None, "a factor is missing: the left side is 1/2 times the right side"),
        ("M = A^T", "two-subspaces", "instead M s = c holds; M = A Aᵀ reaches the goal"),
    ],
)
def test_nearest(claim, setting, nearest, unchecked):
    found = check(claim, setting=setting)
    assert found.verdict == "fails"
    assert found.nearest == nearest


@pytest.mark.parametrize("claim", ["s = 2 K q", "q = C k_a; c = v_a"])
def test_what_a_second_evaluation_does_not_confirm_is_not_told(claim, monkeypatch, unchecked):
    setting = "attention" if claim.startswith("s") else "orthonormal-keys"
    monkeypatch.setattr("regard.claims.verdict.second_opinion.largest_gap", lambda *_: 0.5)
    assert check(claim, setting=setting).nearest is None
