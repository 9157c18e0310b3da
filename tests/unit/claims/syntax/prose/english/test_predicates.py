"""What is said of a thing."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("x is never larger than 1.", ("x ≤ 1",)),
        ("x cannot be smaller than 1.", ("x ≥ 1",)),
        ("x is strictly less than y.", ("x < y",)),
        ("x exceeds 1.", ("x > 1",)),
        ("x lies between 0 and 1.", ("0 ≤ x ≤ 1",)),
        ("x is strictly between 0 and 1.", ("0 < x < 1",)),
        ("A is symmetric and positive semidefinite.", ("A is symmetric", "A is positive semidefinite")),
        ("A is singular.", ("det(A) = 0",)),
        ("A is not symmetric.", ("A is symmetric does not hold",)),
        ("The KL divergence is symmetric.", ("KL(p || q) = KL(q || p)",)),
        ("P has rank one and trace 1.", ("rank(P) = 1", "tr(P) = 1")),
        ("AᵀA has the same rank as A.", ("rank(AᵀA) = rank(A)",)),
        ("x·y has mean zero and variance d.", ("E[x·y] = 0", "Var(x·y) = d")),
        ("Ax + b is distributed as N(0, I).", ("Ax + b ~ N(0, I)",)),
        ("each row of A sums to zero.", ("(A 1)_i = 0",)),
        ("U has orthonormal columns.", ("U^T U = I",)),
        ("U has trace equal to its rank.", ("tr(U) = rank(U)",)),
        ("U has positive diagonal entries.", ("diag(U) > 0",)),
        ("det(Q) is either 1 or −1.", ("det(Q) = 1 or det(Q) = −1",)),
        ("A projection satisfies P² = P.", ("Let P is a projection. Then P² = P",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize("sentence", ["x can be negative.", "x may be zero.", "A is a matrix."])
def test_what_says_less_or_nothing_is_not_read(sentence):
    assert read_prose(sentence) is None


def test_signs_are_named_without_being_defined():
    assert read_prose("σ(0) = 1/2, where σ is the logistic sigmoid.").claims == ("σ(0) = 1/2",)


def test_how_many_entries_a_vector_has_is_given_where_it_is_a_number():
    assert read_prose("Let z have two entries. Then z_1 = 1.").claims == ("Let z ∈ R^2. Then z_1 = 1",)
    assert read_prose("Let z have n entries. Then z_1 = 1.").claims == ("z_1 = 1",)


def test_a_vector_is_orthogonal_only_to_another():
    assert read_prose("Q is orthogonal.").claims == ("Q is orthogonal",)
    assert read_prose("x is orthogonal.") is None


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("x turns out to be y.", ("x = y",)),
        ("x stays below y.", ("x < y",)),
        ("x is identical with y.", ("x = y",)),
        ("The query q yields c = v.", ("c = v",)),
    ],
)
def test_verbs(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    ("claim", "is_true"),
    [
        ("Pick any unit vector u. The matrix I − 2uuᵀ is its own inverse.", True),
        ("Pick any unit vector u. The matrix I − uuᵀ is its own inverse.", False),
        ("Any matrix of the form AᵀA has no negative eigenvalues.", True),
    ],
)
def test_of_a_matrix(claim, is_true):
    assert check(claim).is_true is is_true


def test_two_things_that_add_up_are_no_entries():
    assert read_prose("Two projections P and Q add up to P + Q.") is None
