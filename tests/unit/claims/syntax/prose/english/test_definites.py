"""The vector: the one that was named before."""

import pytest

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.english.definites import name_definites
from regard.claims.syntax.prose.reading import read_prose


def test_the_vector_is_the_one_before():
    sentence = "The norm of the projection of a vector onto a subspace is at most the norm of the vector."
    assert read_prose(sentence).claims == ("Let x is a vector. Let A is a projection. Then ‖A x‖ ≤ ‖x‖",)


def test_the_matrix_is_the_letter_before():
    found = read_prose("Let A be an orthogonal matrix. Then the matrix has determinant 1.")
    assert found.claims == ("Let A is a matrix. Let A is orthogonal. Then det(A) = 1",)


def test_one_of_two_is_not_chosen():
    with pytest.raises(Unreadable):
        name_definites("Let ⟨vector:1⟩ is a vector. Let ⟨vector:2⟩ is a vector. Then ⟨the vector:3⟩ = 0")
