"""Sentences of this kind, and what becomes of them; what is half understood stays as it is."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite

ROWS = [
    (
        "H(softmax(x/T)) → 0 as T → 0 for every x with a unique maximum",
        "H(softmax(x/T)) → 0 as T → 0 for every x uniquemax",
    ),
    ("H(p) ≤ log K for every distribution p over K classes", "H(p) ≤ log n for every distribution p"),
    ("If q is the uniform distribution over n outcomes, H(q) = log n", "if q_i = 1/n, H(q) = log n"),
    (
        "If class k has the largest logit, softmax(z/T)_k → 1 as T → 0",
        "if z_k > z_j for all j ≠ k, softmax(z/T)_k → 1 as T → 0",
    ),
    ("As the temperature T → ∞, softmax(z/T)_i → 1/n", "As T → ∞, softmax(z/T)_i → 1/n"),
]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected
