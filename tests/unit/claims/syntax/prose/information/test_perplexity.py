"""What a language model gives its tokens, and what it scores."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.information.perplexity import speaks_of_perplexity
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "A language model that assigns probability 1/|V| to every token has perplexity V on any text.",
            ("Let p_i = 1/V. Then PP = V",),
        ),
        ("A model that guesses uniformly among 50 words has a perplexity of 50.", ("Let p_i = 1/50. Then PP = 50",)),
        (
            "If a model gives the same probability to each of the V words, its perplexity is V.",
            ("Let p_i = 1/V. Then PP = V",),
        ),
        (
            "If a model assigns probability zero to one word of the text, its perplexity is infinite.",
            ("Let p_j → 0. Then PP → ∞",),
        ),
        ("A language model over a vocabulary of V words cannot have a perplexity above V.", ("PP ≤ V",)),
        ("The perplexity of a text of T tokens is at least 1/T.", ("PP ≥ 1/N",)),
        ("If each token gets probability p, the perplexity is 1/p.", ("Let p_i = c. Then PP = 1/c",)),
        ("If the average loss is L nats per token, the perplexity is e^L.", ("Let CE = L. Then PP = e^L",)),
        ("If the average loss per token is L nats, the perplexity is 2^L.", ("Let CE = L. Then PP = 2^L",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "A model that sometimes guesses has perplexity 3.",
        "A model that gives most of the V words the same probability 1/V has perplexity V.",
        "If the average loss per token is L, the perplexity is 2^L.",  # in bits, or false?
        "If a model assigns probability 1/2 to one word of the text, its perplexity is 2.",
    ],
)
def test_what_may_mean_another_thing_is_not_understood(sentence):
    assert read_prose(sentence) is None


def test_only_texts_on_language_models_are_about_perplexity():
    assert speaks_of_perplexity("A bigram model has perplexity 12.")
    assert not speaks_of_perplexity("The cross-entropy loss has the gradient p − y.")


def test_verdicts():
    assert check("A language model with perplexity 10 has an average loss of ln 10 nats per token.").is_true
    assert check("A language model with perplexity 10 has an average loss of ln 10 bits per token.").verdict == "fails"
