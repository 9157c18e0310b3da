"""Subspaces without letters, and what projecting onto them does."""

import pytest

from regard.claims.syntax.prose.reading import read_prose

ONE = "Let x is a vector. Let A is a projection. Then "
TWO = "Let A is a projection. Let B is a projection. Let A B = 0. "


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Projecting a vector onto a subspace never increases its norm.", (f"{ONE}‖(A x)‖ ≤ ‖x‖",)),
        ("Projecting a vector onto a subspace twice is the same as projecting it once.", (f"{ONE}A A x = A x",)),
        (
            "If two subspaces are orthogonal, projecting onto the first and then onto the second gives zero.",
            (f"{TWO}Let x is a vector. Then B A x = 0",),
        ),
        (
            "If two subspaces are orthogonal, the projector onto the first sends every vector of the second to zero.",
            (f"{TWO}Let x is a vector. Then A (B x) = 0",),
        ),
        (
            "Two subspaces that intersect only in zero are orthogonal.",
            ("Let A is a projection. Let B is a projection. Let rank(A + B) = rank(A) + rank(B). Then A B = 0",),
        ),
        (
            "The orthogonal complement of a subspace has the same dimension as the subspace.",
            ("Let A is a projection. Then rank((I - A)) = rank((A))",),
        ),
        (
            "A vector minus its projection onto a subspace is orthogonal to that subspace.",
            ("Let x is a vector. Let B is a projection. Let y is a vector. Then (B y)^T (x - B x) = 0",),
        ),
        (
            "The sum of the projections onto two orthogonal subspaces is a projection.",
            (f"{TWO}Then (A + B) is a projection",),
        ),
    ],
)
def test_sentences(sentence, claims):
    found = read_prose(sentence)
    assert found.claims == claims


def test_its_norm_is_that_of_the_vector_and_not_of_its_norm():
    found = read_prose(
        "The squared norm of a vector is the sum of the squared norms of its projections onto a subspace and onto its "
        "orthogonal complement."
    )
    assert found.claims == (f"{ONE}‖x‖² = (‖(A x)‖²) + (‖((I - A) x)‖²)",)


def test_a_subspace_that_was_not_named_is_not_understood():
    assert read_prose("Projecting a vector onto that subspace leaves it unchanged.") is None
