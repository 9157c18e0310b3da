"""Where words and lines stand in a text, and the bytes by which characters are told apart."""

from regard.text.tokenise.layout import (
    OTHER,
    WHITE_SPACE,
    Alphabet,
    blocks,
    find_layout,
    frequent_characters,
    whole_words,
)


def test_white_space_is_what_python_takes_for_it():
    assert sorted(WHITE_SPACE) == [chr(c) for c in range(0x110000) if chr(c).isspace()]
    assert WHITE_SPACE.split() == []


def test_chunks_are_cut_anew_between_words():
    assert list(whole_words(["ab", "c d", "", "e\n", "f"])) == ["abc", " de", "\nf"]
    assert list(whole_words([])) == [""]


def test_blocks_are_cut_before_white_space():
    assert list(blocks("to be or not", size=4)) == ["to be", " or not"]
    assert list(blocks("tobeornot", size=4)) == ["tobeornot"]
    assert list(blocks("")) == []


def test_an_alphabet_has_a_byte_for_each_character():
    alphabet = Alphabet({"a": "a", "A": "a", "b": "b"})
    assert list(alphabet.narrow("aAb \nx")) == [2, 2, 3, 0, 1, OTHER]
    assert list(alphabet.narrow("a\u3000Ω😀")) == [2, 0, OTHER, OTHER]


def test_bytes_identify_only_words_of_plain_characters_that_stand_for_themselves():
    alphabet = Alphabet({"a": "a", "A": "a"})
    assert [alphabet.identifies(word) for word in ("a", "aa", "Aa", "ab")] == [True, True, False, False]


def test_of_several_line_breaks_between_two_words_the_first_counts():
    found = find_layout("\na b\r\n\nc\n", alphabet=Alphabet({}))
    assert found.starts.tolist() == [1, 3, 7]
    assert found.ends.tolist() == [2, 4, 8]
    assert found.breaks.tolist() == [0, 4, 8]
    assert found.after.tolist() == [-1, 1, 2]


def test_a_text_without_words():
    found = find_layout("", alphabet=Alphabet({}))
    assert (found.starts.tolist(), found.breaks.tolist(), found.narrow) == ([], [], b"")


def test_as_many_characters_are_plain_as_there_are_bytes():
    assert frequent_characters(["abb", "b"]) == ["b", "a"]
    assert len(frequent_characters([chr(0x4E00 + i) for i in range(300)])) == 126
