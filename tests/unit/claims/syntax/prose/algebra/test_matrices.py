"""Numbers of a matrix, what is preserved, sizes."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "The trace of a square matrix is the sum of its eigenvalues.",
            ("Let A is a matrix. Let A is square. Then tr(A) = sum(eigreal(A))",),
        ),
        (
            "The spectral norm of any square matrix equals the largest absolute value of its eigenvalues.",
            ("Let A is a matrix. Let A is square. Then sqrt(eigmax(A^T A)) = max(eigmoduli(A))",),
        ),
        (
            "An orthogonal matrix preserves lengths.",
            ("Let A is a matrix. Let A is orthogonal. Then ‖A x‖ = ‖x‖",),
        ),
        (
            "Multiplying a vector by an orthogonal matrix does not change its length.",
            ("Let x is a vector. Let A is a matrix. Let A is orthogonal. Then ‖(A x)‖ = ‖x‖",),
        ),
        ("det(cA) = c det(A), A an n×n matrix.", ("Let A is square. Then det(cA) = c det(A)",)),
        ("det(cA) = c^n det(A) where A is n×n.", ("Let A ∈ R^{n×n}. Then det(cA) = c^n det(A)",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "The trace is at most one.",
        "Multiplying x does not change its length.",
    ],
)
def test_what_says_less_or_nothing_is_not_read(sentence):
    assert read_prose(sentence) is None
