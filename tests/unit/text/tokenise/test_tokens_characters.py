"""Characters and bytes as tokens: what each covers, and what becomes of ids that nobody should have."""

import numpy as np
import pytest

from regard.errors import VocabularyError
from regard.text.tokenise.tokens import ByteTokeniser, CharacterTokeniser, Tokens, check_ids, covered_texts


def test_characters_are_sorted_and_cover_themselves():
    tokeniser = CharacterTokeniser.fit("hello")
    assert tokeniser.vocabulary == ("<unk>", "e", "h", "l", "o")
    tokens = tokeniser.encode("hé😀l")
    assert tokens.ids.tolist() == [2, 0, 0, 3]
    assert tokens.starts.tolist() == [0, 1, 2, 3]
    assert tokens.ends.tolist() == [1, 2, 3, 4]
    assert tokeniser.decode(np.array([2, 0, 3])) == "h\ufffdl"
    assert tokeniser.pieces("hé", tokeniser.encode("hé")) == ["h", "é"]
    assert len(tokeniser.encode("")) == 0


def test_the_first_byte_of_a_character_covers_it():
    tokeniser = ByteTokeniser()
    tokens = tokeniser.encode("aé€b")
    assert tokens.ids.tolist() == [0x61, 0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0x62]
    assert tokens.starts.tolist() == [0, 1, 2, 2, 3, 3, 3]
    assert tokens.ends.tolist() == [1, 2, 2, 3, 3, 3, 4]
    assert tokeniser.pieces("aé€b", tokens) == ["a", "é", "", "€", "", "", "b"]
    assert tokeniser.vocabulary[0x61] == "a"
    assert tokeniser.vocabulary[0xC3] == "<0xC3>"
    assert tokeniser.decode(np.array([0xC3, 0x61])) == "\ufffda"


@pytest.mark.parametrize("tokeniser", [CharacterTokeniser.fit("aé€ \n"), ByteTokeniser()])
def test_a_text_in_chunks_has_the_ids_of_the_whole(tokeniser):
    text = "a€ é\na"
    chunks = np.concatenate(list(tokeniser.stream([text[:2], "", text[2:]])))
    assert chunks.tolist() == tokeniser.encode(text).ids.tolist()
    assert tokeniser.decode(chunks) == text


def test_only_characters_can_be_unknown():
    assert (CharacterTokeniser.fit("a").unknown, ByteTokeniser().unknown) == (0, None)
    assert (CharacterTokeniser.fit("a").line_end, ByteTokeniser().line_end) == (None, None)


def test_a_token_covers_the_characters_between_its_places():
    tokens = Tokens(np.array([5, 6, 7]), np.array([0, 2, 2]), np.array([2, 2, 3]))
    assert covered_texts("abc", tokens) == ["ab", "", "c"]


def test_ids_are_checked_against_the_size():
    assert check_ids(np.array([0, 2]), 3) == [0, 2]
    assert check_ids(np.array([], np.int64), 3) == []
    with pytest.raises(VocabularyError, match="ids must be between 0 and 2, the vocabulary's last; got 3"):
        check_ids(np.array([0, 3]), 3)
