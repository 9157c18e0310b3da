"""Subspaces as projections."""

import pytest

from regard.claims.syntax.prose.algebra.subspaces import space_relation
from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        (
            "dim(U + W) = dim U + dim W − dim(U ∩ W)",
            "rank(proj(U + W)) = rank(U) + rank(W) - rank((I - proj((I - U) + (I - W))))",
        ),
        ("(U + W)^⊥ = U^⊥ ∩ W^⊥", "(I - proj(U + W)) = (I - proj((I - (I - U)) + (I - (I - W))))"),
        ("U ∩ W ⊆ W", "W (I - proj((I - U) + (I - W))) = (I - proj((I - U) + (I - W)))"),
    ],
)
def test_relations_of_subspaces(relation, said):
    clause = space_relation(relation)
    assert clause.claims == (said,)
    assert set(clause.given) == {"U is a projection", "W is a projection"}


@pytest.mark.parametrize("relation", ["A = B", "dim U = dim W = 2", "U ∩ 3 = W", "dim(A x) = 2", "U ∩ W ≤ W"])
def test_other_relations_are_refused(relation):
    with pytest.raises(Unreadable):
        space_relation(relation)


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "The null space of A is the orthogonal complement of the row space of A.",
            ("((I - proj(A^T))) = ((I - proj(A^T)))",),
        ),
        ("The column space of AB is contained in the column space of A.", ("proj(A) proj(AB) = proj(AB)",)),
        ("The column spaces of A and B are orthogonal.", ("proj(A) proj(B) = 0",)),
        ("The dimension of the null space of A is at most 1.", ("rank((I - proj(A^T))) ≤ 1",)),
        (
            "If the columns of A are an orthonormal basis of a subspace, then AAᵀ = I.",
            ("Let A^T A = I. Then AAᵀ = I",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_subspace_of_nothing_is_not_read():
    assert read_prose("The null space is the orthogonal complement of the row space.") is None
