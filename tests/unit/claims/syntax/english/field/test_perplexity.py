"""Sentences of this kind, and what becomes of them; what is half understood stays as it is."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite

ROWS = [
    ("A model that gives each of the V words the same probability has perplexity V.", "if p_i = 1/V then PP = V"),
    ("If the average loss per token is L nats then the perplexity is e^L.", "exp(L) = e^L."),
    ("If the cross-entropy is 3 bits per word, the perplexity is 8.", "2^{3} = 8."),
    ("A model with a vocabulary of V words cannot have a perplexity above V.", "PP <= V"),
    ("The perplexity is never less than 1.", "PP >= 1"),
    ("Perplexity is the geometric mean of the inverse token probabilities.", "PP is (\\prod_i 1/p_i)^{1/N}."),
]
LEFT = ["If the average loss per token is L then it is small."]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected


@pytest.mark.parametrize("text", LEFT)
def test_what_is_half_understood_stays(text):
    assert rewrite(text)[0] == text
