"""Phrases that say no more than a plainer one."""

import pytest

from regard.claims.syntax.prose.english.paraphrases import PARAPHRASES, paraphrase
from regard.claims.syntax.prose.reading import read_prose
from regard.claims.syntax.prose.tokens import Token


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("softmax(z + 1) is nothing but softmax(z).", ("softmax(z + 1) = softmax(z)",)),
        ("tanh(x) gets closer and closer to 1 as x → ∞.", ("Let x → ∞. Then tanh(x) → 1",)),
        ("x is below or at 1.", ("x ≤ 1",)),
        ("x = 0 exactly when y = 0.", ("x = 0 iff y = 0",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_formulas_are_no_words():
    tokens = [Token("if", "formula"), Token("and", "word"), Token("only", "word"), Token("if", "word")]
    assert paraphrase(tokens) == tokens


def test_no_row_is_about_a_denial():
    serious = {"not", "no", "never", "only"}
    assert not [row for row in PARAPHRASES if serious & set(row[0].split()) and row[1] != "iff"]
