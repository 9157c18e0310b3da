"""What is said of a thing."""

import pytest

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
        ("softmax(z/T) does not depend on T.", ("∂/∂T (softmax(z/T)) = 0",)),
        ("x² grows quadratically with x.", ("∂/∂x ((x²)/x^{2}) = 0",)),
        ("The sigmoid is strictly increasing in x.", ("∂/∂x (σ(x)) > 0",)),
        ("x² is minimal at x = 0.", ("x² ≥ (0)²",)),
        (
            "p(1 - p) is maximised when p = 1/2, where it equals 1/4.",
            ("p(1 - p) ≤ (1/2)(1 - (1/2))", "(1/2)(1 - (1/2)) = 1/4"),
        ),
        ("Ax + b is distributed as N(0, I).", ("Ax + b ~ N(0, I)",)),
        ("each row of A sums to zero.", ("(A 1)_i = 0",)),
        ("U has orthonormal columns.", ("U^T U = I",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence", ["x can be negative.", "x may be zero.", "A is a matrix.", "x² does not depend on y."]
)
def test_what_says_less_or_nothing_is_not_read(sentence):
    assert read_prose(sentence) is None


def test_convex_functions_lie_below_their_chords():
    assert read_prose("x² is convex in x.").claims == ("((x + y)/2)² ≤ (x² + y²)/2",)
    assert read_prose("x² is strictly convex in x.").claims == ("∂²(x²)/∂x² is positive definite",)


def test_signs_are_named_without_being_defined():
    assert read_prose("σ(0) = 1/2, where σ is the logistic sigmoid.").claims == ("σ(0) = 1/2",)
