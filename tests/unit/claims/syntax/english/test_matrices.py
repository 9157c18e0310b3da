"""Matrices without names get one, and what is said of them is given."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.english import matrices


@pytest.mark.parametrize(
    ("rewriter", "text", "expected"),
    [
        (
            matrices.tidy_sizes,
            "tr(AB) = tr(BA) for n×n matrices A, B of the same size",
            "tr(AB) = tr(BA) for n×n matrices A, B",
        ),
        (
            matrices.name_subjects,
            "The trace of an antisymmetric matrix is zero.",
            "Let A be antisymmetric. The trace of A is zero.",
        ),
        (matrices.name_subjects, "If PQ is a projection matrix, then x", "If PQ is a projection matrix, then x"),
        (
            matrices.name_pairs,
            "The sum of two symmetric matrices is again symmetric.",
            "Let A be symmetric and B be symmetric. A + B is symmetric.",
        ),
        (
            matrices.repeat_property,
            "If A and B are symmetric, then so is AB.",
            "If A and B are symmetric, then AB is symmetric.",
        ),
        (matrices.state_eigenvalues, "A is singular", "det(A) = 0"),
    ],
)
def test_text(rewriter, text, expected):
    assert rewriter(text) == expected


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The rank of an orthogonal projector equals its trace.", "holds"),
        ("A real symmetric matrix is positive definite iff all of its eigenvalues are nonnegative.", "fails"),
        ("Every idempotent matrix is symmetric.", "fails"),
        ("If λ is an eigenvalue of A, then λ^2 is an eigenvalue of A^2", "holds"),
        ("The product of two symmetric matrices is symmetric.", "fails"),
        ("rank(AB) = min(rank(A), rank(B))", "fails"),
    ],
)
def test_verdict(claim, verdict, unchecked):
    assert check(claim).verdict == verdict
