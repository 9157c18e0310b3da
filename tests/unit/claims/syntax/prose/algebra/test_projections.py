"""Orthogonal projections in words."""

import pytest

from regard.claims.syntax.prose.reading import read_prose

ANY = "Let A is a projection. Then "


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Applying an orthogonal projection a second time changes nothing.", (f"{ANY}A A = A",)),
        ("Projecting twice is the same as projecting once.", (f"{ANY}A A = A",)),
        ("An orthogonal projection never makes a vector longer.", (f"{ANY}‖A x‖ ≤ ‖x‖",)),
        (
            "The only possible eigenvalues of a projection matrix are zero and one.",
            (f"{ANY}eigreal(A) ∘ (1 - eigreal(A)) = 0", f"{ANY}eigimag(A) = 0"),
        ),
        (
            "What is left over after an orthogonal projection is perpendicular to the projected vector.",
            ("Let A is a projection. Let x is a vector. Then (A x)^T (x - A x) = 0",),
        ),
        (
            "The orthogonal projection P onto an m-dimensional subspace of R^d has trace d − m.",
            ("Let P is a projection. Let P ∈ R^{d×d}. Let rank(P) = m. Then tr(P) = d − m",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_vector_is_not_applied():
    assert read_prose("Applying x twice changes nothing.") is None
