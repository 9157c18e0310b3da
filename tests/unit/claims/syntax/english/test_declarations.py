"""Sentences of this kind, and what becomes of them."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("H(p) ≤ log K for every distribution p over K outcomes", "H(p) ≤ log n for every distribution p"),
        ("det(A^T) = det(A) for every n×n matrix A", "det(A^T) = det(A) for every A ∈ R^{n×n}"),
        ("if |z_i| ≤ B for all i = 1..n then z_i ≤ B", "if |z_i| ≤ B for all i then z_i ≤ B"),
        ("As the temperature T → ∞ the weight α_a → 1/n", "As T → ∞, α_a → 1/n"),
        ("the keys k_1, …, k_n are orthonormal", "the keys are orthonormal"),
        ("K is a matrix with m rows", "K is a matrix with m rows"),
    ],
)
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected
