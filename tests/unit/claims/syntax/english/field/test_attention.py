"""Sentences of this kind, and what becomes of them; what is half understood stays as it is."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite

ROWS = [
    ("If q is orthogonal to every key, every attention weight is 1/n", "if K q = 0, α_i is 1/n"),
    ("Let $k_1, \\dots, k_n$ be orthonormal. Then α_a = 1", "Let the keys be orthonormal; Then α_a = 1"),
    ("The attention output lies in the convex hull of the values.", "u^T (\\sum_i α_i v_i) <= max_i u^T v_i."),
    ("For every query there is an i with α_i > 1/n", "max_i α_i > 1/n"),
    ("The largest attention weight is at least 1/n.", "max_i α_i ≥ 1/n."),
    ("With a causal mask, a sequence of n tokens has n^2/2 nonzero weights.", "(n)*((n) + 1)/2 = n^2/2"),
    (
        "If q is multiplied by β, then α_a → 1 as β → ∞",
        "(exp(β k_a^T q) / \\sum_j exp(β k_j^T q)) → 1 as β → ∞",
    ),
]
LEFT = ["The key point of the query language is speed"]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected


@pytest.mark.parametrize("text", LEFT)
def test_what_is_half_understood_stays(text):
    assert rewrite(text)[0] == text
