"""A text of a few tokens whose probabilities are numbers."""

import pytest

from regard.claims.syntax.prose.information.token_values import read_values
from regard.claims.syntax.prose.reading import read_prose
from regard.claims.syntax.prose.tokens import tokenise_sentence


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("With N = 2 tokens of probability 1/2 and 1/8 the perplexity equals 4.", "((1/2) (1/8))^{-1/2} = 4"),
        (
            "A model gives the three tokens of a text the probabilities 1/2, 1/4 and 1/8. Its cross-entropy is 2 bits.",
            "(-log((1/2) (1/4) (1/8))/3) = (2 log(2))",
        ),
    ],
)
def test_sentences(sentence, claim):
    assert read_prose(sentence).claims == (claim,)


@pytest.mark.parametrize(
    "sentence",
    [
        "With 3 tokens of probability 1/2 and 1/8 the perplexity equals 4.",
        "With 2 tokens of probability 1/2 and 1/8 the vocabulary has N words.",
    ],
)
def test_what_does_not_fit_is_not_read(sentence):
    assert read_prose(sentence) is None


def test_one_number_is_no_list():
    assert read_values(tokenise_sentence("1/2 is small"), 0) == []
