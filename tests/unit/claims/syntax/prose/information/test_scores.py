"""Nats and bits, words and characters."""

import pytest

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.information.scores import name_scores
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("A perplexity of 8 means 3 bits per token.", ("Let PP = 8. Then CE = (3 log(2))",)),
        (
            "With 5 characters per word, a perplexity of 32 per word corresponds to a perplexity of 2 per character.",
            ("Let PP = 32. Then PP^{1/5} = 2",),
        ),
        ("To convert from nats to bits, divide by ln 2.", ("1/(ln 2) = 1/log(2)",)),
        ("To convert from nats to bits you multiply by ln 2.", ("(ln 2) = 1/log(2)",)),
        ("To go from bits to nats, multiply by ln 2.", ("(ln 2) = log(2)",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_perplexity_per_character_needs_the_length_of_words():
    assert read_prose("A perplexity of 32 per word corresponds to a perplexity of 2 per character.") is None


def test_letters_of_the_text_make_room_for_those_of_the_setting():
    assert name_scores("Let ⟨token⟩_i = p. Then PP = 1/p", "") == "Let p_i = c. Then PP = 1/c"
    assert name_scores("Let ⟨tokens⟩ = T. Then PP ≤ T", "") == "PP ≤ N"
    with pytest.raises(Unreadable):
        name_scores("Let ⟨tokens⟩ = T. Then PP ≤ T + N", "at most T + N")
