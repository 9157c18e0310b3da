"""Two things in one phrase."""

import pytest

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.english.pairs import split_pair
from regard.claims.syntax.prose.phrases import Thing
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("The determinant of A + B equals the sum of their determinants.", ("det(A + B) = det(A) + det(B)",)),
        (
            "The length of a sum of two vectors is at most the sum of their lengths.",
            ("Let x is a vector. Let y is a vector. Then ‖x + y‖ ≤ ‖x‖ + ‖y‖",),
        ),
        (
            "The absolute value of a dot product is never larger than the product of the two norms.",
            ("Let x is a vector. Let y is a vector. Then |x^T y| ≤ ‖x‖ ‖y‖",),
        ),
        ("If A and B are symmetric, then they commute.", ("Let A is symmetric. Let B is symmetric. Then A B = B A",)),
        (
            "If A and B are square, the rank of the product is at most the sum of the ranks of A and B.",
            ("Let A is square. Let B is square. Then rank(A B) ≤ rank(A) + rank(B)",),
        ),
        (
            "If A and B are invertible, then (AB)^{-1} is the product of their inverses in reverse order.",
            ("Let A is invertible. Let B is invertible. Then (AB)^{-1} = (B^{-1}) (A^{-1})",),
        ),
        ("AB and BA have the same trace.", ("tr(AB) = tr(BA)",)),
        ("AᵀA and A have the same null space.", ("proj((AᵀA)^T) = proj(A^T)",)),
        ("A and B both have orthonormal columns.", ("A^T A = I", "B^T B = I")),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "The rank of the product is at most one.",
        "Their sum is at most one.",
        "If A, B and C are symmetric, their product is symmetric.",
    ],
)
def test_two_things_that_nobody_named_are_not_read(sentence):
    assert read_prose(sentence) is None


def test_a_pair_is_a_list_of_two():
    pair = split_pair(Thing("A, B", ("A is symmetric",), "matrix list"))
    assert (pair.first.signs, pair.second.signs, pair.given) == ("A", "B", ("A is symmetric",))
    for things in (Thing("A", (), "matrix"), Thing("A, B, C", (), "matrix list")):
        with pytest.raises(Unreadable):
            split_pair(things)
