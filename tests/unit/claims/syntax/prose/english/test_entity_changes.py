"""Changes of a thing that has no letter."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Doubling a random variable quadruples its variance.", ("Var((2 X)) = 4 (Var(X))",)),
        ("Adding a constant to a random variable leaves its mean unchanged.", ("E[(X + t)] = E[X]",)),
        (
            "Transposing a square matrix does not change its determinant.",
            ("Let A is a matrix. Let A is square. Then det((A^T)) = det(A)",),
        ),
        (
            "Projecting a vector onto a subspace never makes it longer.",
            ("Let x is a vector. Let A is a projection. Then ‖(A x)‖ ≤ ‖x‖",),
        ),
        (
            "Doubling the query has the same effect on the weights as doubling all the keys.",
            ("exp(k_i^T ((2) q)) / \\sum_j exp(k_j^T ((2) q)) = exp(((2) k_i)^T q) / \\sum_j exp(((2) k_j)^T q)",),
        ),
        (
            "Scaling all values by a constant scales the output by the same constant.",
            (
                "\\sum_i (exp(k_i^T q) / \\sum_j exp(k_j^T q)) ((t) v_i) = "
                "(t) (\\sum_i (exp(k_i^T q) / \\sum_j exp(k_j^T q)) v_i)",
            ),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_number_is_no_vector():
    assert read_prose("Rotating a number does not change its length.") is None
