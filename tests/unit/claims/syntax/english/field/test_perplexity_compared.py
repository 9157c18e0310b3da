"""Sentences of this kind, and what becomes of them; what is half understood stays as it is."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite

ROWS = [
    ("If the cross-entropy increases by 1 bit, the perplexity doubles.", "2^{b + 1} = 2·(2^{b})"),
    ("A perplexity of 8 corresponds to 3 bits per token.", "2^{3} = 8"),
    (
        "If model A's loss is one nat per token lower than model B's, its perplexity is lower than B's by exactly one.",
        "exp(b - 1) = exp(b) - 1",
    ),
    (
        "If two texts have the same length, the perplexity of the whole is the geometric mean of the two perplexities.",
        "if P ≥ 1 and Q ≥ 1 then sqrt(P Q) = sqrt(P Q)",
    ),
    ("Halving the probability of every token doubles the perplexity.", "exp(-(1/N) \\sum_i log((1/2) p_i)) = 2 PP"),
]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected
