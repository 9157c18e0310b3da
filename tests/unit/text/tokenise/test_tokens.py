"""Tokens: how many there are, and which of them a vocabulary knows."""

import numpy as np
import pytest

from regard.text.tokenise.tokens import ByteTokeniser, CharacterTokeniser, Tokeniser, Tokens, known_tokens
from regard.text.tokenise.words import WordTokeniser


def test_tokens_are_as_many_as_their_ids():
    assert len(Tokens(np.array([3, 1]), np.array([0, 1]), np.array([1, 2]))) == 2


def test_a_token_is_known_unless_it_has_the_unknown_id():
    words = WordTokeniser(["<unk>", "</s>", "cat"])
    assert known_tokens(words.encode("the cat"), words).tolist() == [False, True, True]
    letters = CharacterTokeniser.fit("act")
    assert known_tokens(letters.encode("cat!"), letters).tolist() == [True, True, True, False]


def test_every_byte_is_known():
    assert known_tokens(ByteTokeniser().encode("né"), ByteTokeniser()).tolist() == [True, True, True]


@pytest.mark.parametrize("tokeniser", [ByteTokeniser(), CharacterTokeniser.fit("a"), WordTokeniser.fit("a")])
def test_tokenisers_keep_the_protocol(tokeniser):
    assert isinstance(tokeniser, Tokeniser)
    assert not isinstance("a", Tokeniser)
