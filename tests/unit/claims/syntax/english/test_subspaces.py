"""Subspaces are read as the projectors onto them."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.english import subspaces


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x ⊥ y", "x ⊥ y"),
        (
            "The null space of A is the orthogonal complement of the row space of A",
            "(I - proj((A)^T)) = (I - proj((A)^T))",
        ),
        (
            "If U ⊆ W then dim U ≤ dim W",
            "Let U be a projection and W be a projection. If (W) (U) = U then rank(U) ≤ rank(W)",
        ),
        ("Let P be the orthogonal projector onto the column space of A. Then PA = A", "Let P = proj(A). Then PA = A"),
        ("some subspaces are nice", "some subspaces are nice"),
    ],
)
def test_text(text, expected):
    assert subspaces.write_subspaces(text) == expected


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("dim(U + W) = dim U + dim W - dim(U ∩ W)", "holds"),
        ("dim(U + W) = dim U + dim W + dim(U ∩ W)", "fails"),
        ("For any two subspaces U, W of ℝⁿ, (U + W)^⊥ = U^⊥ ∩ W^⊥.", "holds"),
        ("If two subspaces meet only in the zero vector, then they are orthogonal to each other.", "fails"),
        ("Let P and Q be orthogonal projectors. PQ is an orthogonal projector if and only if PQ = QP.", "holds"),
    ],
)
def test_verdict(claim, verdict, unchecked):
    assert check(claim).verdict == verdict
