"""Eigenvalues and eigenvectors."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("If all eigenvalues of S are zero, then S = 0.", ("Let eigreal(S) = 0. Let eigimag(S) = 0. Then S = 0",)),
        (
            "The eigenvalues of a projection are 0 or 1.",
            (
                "Let A is a projection. Then (eigreal(A) - 0) ∘ (eigreal(A) - 1) = 0",
                "Let A is a projection. Then eigimag(A) = 0",
            ),
        ),
        ("All eigenvalues of S have modulus smaller than one.", ("max(eigmoduli(S)) < 1",)),
        ("The eigenvalues of S are purely imaginary.", ("eigreal(S) + 0 eigimag(S) = 0",)),
        (
            "If v is an eigenvector of A with eigenvalue λ, then v is an eigenvector of A^2 with eigenvalue λ^2.",
            ("Let v is nonzero. Let A v = λ v. Then (A^2) v = (λ^2) v",),
        ),
        ("0 is not an eigenvalue of A.", ("det(A - 0 I) ≠ 0",)),
        (
            "Adding cI to a square matrix shifts all its eigenvalues by c.",
            (
                "Let A is a matrix. Let A is square. Then eigreal(A + c I) = eigreal(A) + c",
                "Let A is a matrix. Let A is square. Then eigimag(A + c I) = eigimag(A)",
            ),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "All eigenvalues are positive.",
        "The singular values of A are real and imaginary.",
        "All eigenvalues of A are distinct.",
        "Some eigenvalue of A is positive.",
        "An eigenvalue of A is positive.",
        "Adding c to a square matrix shifts all its eigenvalues by c.",
    ],
)
def test_what_says_less_or_nothing_is_not_read(sentence):
    assert read_prose(sentence) is None


def test_what_all_eigenvalues_satisfy():
    reading = read_prose("If all eigenvalues of A satisfy |λ| < 1, then ‖A^k‖ → 0 as k → ∞.")
    assert reading.claims == ("Let max(eigmoduli(A)) < 1. Let k → ∞. Then ‖A^k‖ → 0",)
    assert read_prose("If all eigenvalues of A satisfy x < 1, then ‖A^k‖ → 0 as k → ∞.") is None
