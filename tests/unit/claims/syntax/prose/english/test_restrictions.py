"""What restricts a thing that a claim introduces."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.english.restrictions import of_each
from regard.claims.syntax.prose.phrases import Thing
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("For matrices A and B of full column rank, A = B.", ("A^T A is invertible", "B^T B is invertible")),
        ("For A with full column rank, A = A.", ("A^T A is invertible",)),
        ("For a symmetric matrix S with trace zero, S = S.", ("S is symmetric", "tr(S) = 0")),
        ("For symmetric S with largest eigenvalue μ, S = S.", ("S is symmetric", "μ = eigmax(S)")),
        ("Every symmetric matrix whose entries are all positive is zero.", ("min(A) > 0",)),
        ("For a matrix S all of whose eigenvalues are positive, S = S.", ("eigreal(S) > 0",)),
        ("A = A, A of full column rank.", ("A^T A is invertible",)),
        ("For a projection P that is not the identity, P = P.", ("P ≠ I",)),
    ],
)
def test_restrictions_are_given(text, given):
    found = read_prose(text).claims[0]
    assert all(f"Let {one}. " in found for one in given)


@pytest.mark.parametrize(
    "text",
    [
        "For a matrix S with distinct eigenvalues, S = S.",
        "For a matrix S some of whose entries are positive, S = S.",
    ],
)
def test_others_are_not_read(text):
    assert read_prose(text) is None


def test_what_is_said_of_each_of_some_letters():
    assert of_each("{x} > 0", "{x} < 1")(Thing("a, b")) == ("a > 0", "a < 1", "b > 0", "b < 1")


@pytest.mark.parametrize(
    "words", ["that are orthogonal to each other", "whose inner product is 0", "for which x^T y = 0", "with x^T y = 0"]
)
def test_what_two_vectors_are_to_each_other(words):
    claim = f"For two vectors x and y {words}, ‖x + y‖ = {{}}."
    assert [check(claim.format(one)).is_true for one in ("‖x − y‖", "‖x‖ + ‖y‖")] == [True, False]
