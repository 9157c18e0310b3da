"""Words of a text and their hashes: readings by hand, hashes that models on disk rely on."""

import numpy as np
import pytest
from tests.support.word_oracle import hash_of

from regard.text.word_bags import hashes_of_bytes, plain_bytes, word_bytes, word_hash, word_hashes, word_spans


def words_in(text):
    words = word_bytes([text])
    return [words.content[a:b].decode("utf-8", "surrogatepass") for a, b in zip(words.starts, words.ends, strict=True)]


READINGS = {
    "": [],
    " \t\r\n\x00\x1f\x7f": [],
    "A film": ["a", "film"],
    "don't": ["don't"],
    "rock'n'roll": ["rock'n'roll"],
    "'tis the dogs' ''x": ["'", "tis", "the", "dogs", "'", "'", "'", "x"],
    "it’s ‘so’": ["it's", "'", "so", "'"],
    "“well”—yes…": ['"', "well", '"', "-", "yes", "."],
    "it\x92s good\x85 no\x96": ["it's", "good", ".", "no", "-"],
    "a\xa0b": ["a", "b"],
    "10/10, 7.5!": ["10", "/", "10", ",", "7", ".", "5", "!"],
    "snake_case": ["snake", "_", "case"],
    "Amélie ÉTÉ": ["amélie", "été"],
    "ΟΔΟΣ": ["οδοσ"],
    "good<br /><br />bad": ["good", "bad"],
    "</p>a<P CLASS='x'>b": ["a", "b"],
    "3 < 4 > 2": ["3", "<", "4", ">", "2"],
    "a <b c": ["a", "<", "b", "c"],
    "<b<i>x": ["<", "b", "x"],
    "<3 you>": ["<", "3", "you", ">"],
    "<>": ["<", ">"],
    "a\x00b": ["a", "b"],
    "\ud800 \udfffx": ["\ud800", "\udfffx"],
}


@pytest.mark.parametrize("text", READINGS, ids=ascii)
def test_words_of_a_text(text):
    assert words_in(text) == READINGS[text]


def test_a_tag_has_at_most_60_bytes():
    assert words_in("<" + 58 * "a" + ">") == []
    assert words_in("<" + 59 * "a" + ">") == ["<", 59 * "a", ">"]


def test_a_known_hash():
    """Kept in models on disk: may not change."""
    assert word_hash("a") == 0x930A55B3AFC12D0E
    assert word_hash("extraordinary") == 0xD1EA316F1F55F828


def test_length_tells_long_words_apart():
    assert len({word_hash("a" * n) for n in range(200)}) == 200
    assert word_hash("a" * 64 + "b") == word_hash("a" * 64 + "c")


def test_a_vocabulary_has_the_hashes_of_its_words():
    words = ["Film", "n't", "", "été", "\ud800", "x" * 70, "two words"]
    assert word_hashes(words).tolist() == [word_hash(word) for word in words]
    assert word_hashes([]).tolist() == []


def test_spans_are_in_characters_of_the_text_as_given():
    text = "İİ saw “Amélie”<br />\ud800 DON’T 😀!"
    starts, ends = word_spans(text)
    spans = [text[a:b] for a, b in zip(starts, ends, strict=True)]
    assert spans == ["İİ", "saw", "“", "Amélie", "”", "\ud800", "DON’T", "😀", "!"]


@pytest.mark.parametrize("text", ["", "   ", "<br />"])
def test_no_words_have_no_spans(text):
    starts, ends = word_spans(text)
    assert len(starts) == len(ends) == 0


def test_plain_bytes_are_lower_case_with_plain_marks():
    assert plain_bytes("DON'T") == b"don't"
    assert plain_bytes("“Ça” – DON’T…") == '"ça" - don\'t.'.encode()
    assert plain_bytes("\ud800") == b"\xed\xa0\x80"


def test_hashes_of_bytes_are_those_of_an_independent_loop():
    words = [b"a", b"extraordinary", b"", b"x" * 100]
    lengths = np.array([len(word) for word in words])
    content = b"".join(words) + bytes(16)
    found = hashes_of_bytes(content, np.cumsum(lengths) - lengths, lengths)
    assert found.tolist() == [hash_of(word) for word in words]
