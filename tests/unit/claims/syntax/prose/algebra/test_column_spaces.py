"""Columns that are a basis, and vectors in or beside the space that they span."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.algebra.column_spaces import in_coordinates, number_vectors
from regard.claims.syntax.prose.reading import read_prose

ORTHONORMAL = "Let A^T A = I. "


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "Let the columns of A be an orthonormal basis of a subspace that contains v, and let w be orthogonal to "
            "this subspace. Then A Aᵀ (v + w) = v.",
            (f"{ORTHONORMAL}Let v = A c. Let A^T w = 0. Then A Aᵀ (v + w) = v",),
        ),
        (
            "If A has orthonormal columns, v ∈ col(A) and w ⊥ col(A), then v^T w = 0.",
            (f"{ORTHONORMAL}Let v = A c. Let A^T w = 0. Then v^T w = 0",),
        ),
        (
            "Let A (d × m, m < d) have orthonormal columns. Then A A^T = I.",
            ("Let A ∈ R^{d×m}. Let m < d. Let A^T A = I. Then A A^T = I",),
        ),
        (
            "Let A and B hold orthonormal bases (as columns) of two orthogonal subspaces. Then B^T A = 0.",
            (f"{ORTHONORMAL}Let B^T B = I. Let A^T B = 0. Then B^T A = 0",),
        ),
        ("M = Aᵀ gives M A = I.", ("Let M = Aᵀ. Then M A = I",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "Let v be orthogonal to this subspace. Then A v = 0.",
        "Let A, B and C hold orthonormal bases of two orthogonal subspaces. Then A^T B = 0.",
        "x < 1 gives M A = I.",
    ],
)
def test_what_is_not_read(sentence):
    assert read_prose(sentence) is None


def test_only_vectors_have_coordinates():
    assert in_coordinates("proj(A) v = 0") == "A^T v = 0"
    assert in_coordinates("proj(A) B = B") == "proj(A) B = B"


def test_vectors_of_one_letter_are_numbered_only_where_they_are_no_family():
    assert number_vectors("v_a = A ⟨coordinates:0⟩. v_b").endswith("v_2")
    assert number_vectors("v_a = A ⟨coordinates:0⟩. v_i").endswith("v_i")


def test_verdicts():
    given = "Let A and B have orthonormal columns, v_a in span(A) and v_b in span(B). "
    assert check(f"{given}Then A A^T (v_a + v_b) = v_a.").verdict == "fails"
    assert check(f"{given}Then A A^T v_a = v_a.").verdict == "holds"
