"""Verbs and numbers in words, and what becomes of them."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("H(p) cannot exceed log n", "H(p) ≤ log n"),
        ("σ'(x) is bounded above by one quarter", "σ'(x) ≤ 1/4"),
        ("KL(p‖q) can never be less than zero", "KL(p‖q) ≥ 0"),
        ("max_i α_i tends to one half as C → ∞", "max_i α_i tends to 1/2 as C → ∞"),
        ("log x diverges as x → 0", "log x → ∞ as x → 0"),
        ("A symmetric matrix A satisfies A = A^T", "A symmetric matrix A satisfies A = A^T"),
        ("The KL divergence of two target distributions satisfies KL(p‖q) ≥ 0", "KL(p‖q) ≥ 0"),
    ],
)
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected
