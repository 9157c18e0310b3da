"""Tokenisers: cases worked by hand, the Penn Treebank's known sizes, and settings that are damaged."""

import functools
import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest

import regard.text.tokenise.words
from regard.errors import ValueRangeError, VocabularyError
from regard.text.tokenise.characters import ByteTokeniser, CharacterTokeniser
from regard.text.tokenise.layout import WHITE_SPACE, blocks, whole_words
from regard.text.tokenise.tokenisers import (
    CourseWordTokeniser,
    fit_tokeniser,
    normal_form,
    restore_tokeniser,
    spell_out,
)
from regard.text.tokenise.tokens import Tokeniser
from regard.text.tokenise.words import WordTokeniser

DATA = Path(os.environ.get("REGARD_DATA", Path(__file__).parents[5] / "shared" / "data"))
SOME_WORDS = WordTokeniser(["<unk>", "</s>", "the", "cat", "sat"])


def words_and_spans(tokeniser, text):
    tokens = tokeniser.encode(text)
    spans = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    return [(tokeniser.vocabulary[i], text[a:b]) for i, (a, b) in zip(tokens.ids.tolist(), spans, strict=True)]


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


def test_half_a_surrogate_pair_is_never_in_a_vocabulary_but_always_covered():
    text = "a \ud800 a \ud800"
    for tokeniser in (CharacterTokeniser.fit(text), WordTokeniser.fit(text), ByteTokeniser.fit(text)):
        assert json.dumps(tokeniser.settings(), ensure_ascii=False).encode()
        assert tokeniser.encode(text).ends[-1] == len(text)
    assert ByteTokeniser().decode(ByteTokeniser().encode(text).ids) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("the cat", [("the", "the "), ("cat", "cat"), ("</s>", "")]),
        ("the cat\n", [("the", "the "), ("cat", "cat"), ("</s>", "\n")]),
        ("\n", [("</s>", "\n")]),
        (" \t", [("</s>", " \t")]),
        ("\n the", [("the", "\n the"), ("</s>", "")]),
        ("the \r\n\n  cat", [("the", "the "), ("</s>", "\r\n\n  "), ("cat", "cat"), ("</s>", "")]),
        ("the\u2028cat\x85", [("the", "the\u2028"), ("cat", "cat\x85"), ("</s>", "")]),
        ("the\u3000dog\n", [("the", "the\u3000"), ("<unk>", "dog"), ("</s>", "\n")]),
        ("<unk> </s>\rsat", [("<unk>", "<unk> "), ("<unk>", "</s>"), ("</s>", "\r"), ("sat", "sat"), ("</s>", "")]),
        ("cat\0 cat", [("<unk>", "cat\0 "), ("cat", "cat"), ("</s>", "")]),
    ],
)
def test_words_and_the_characters_they_cover(text, expected):
    assert words_and_spans(SOME_WORDS, text) == expected


def test_blocks_leave_no_seam(monkeypatch):
    text = "the cat\n\n sat  the\r\nextraordinarily-long-word cat \n\n\nsat"
    whole = words_and_spans(SOME_WORDS, text)
    for size in range(1, 30):
        monkeypatch.setattr(regard.text.tokenise.words, "blocks", functools.partial(blocks, size=size))
        assert words_and_spans(SOME_WORDS, text) == whole


def test_what_words_say():
    text = "  the  Dog\n\nsat"
    tokens = SOME_WORDS.encode(text)
    assert SOME_WORDS.pieces(text, tokens) == ["the ", "Dog", "\n", "sat", "\n"]
    assert SOME_WORDS.decode(tokens.ids) == "the <unk>\nsat\n"
    assert SOME_WORDS.decode(tokens.ids[:2]) == "the <unk>"
    assert SOME_WORDS.decode(tokens.ids[:0]) == ""


def test_words_of_every_length_and_alphabet_are_found():
    """Up to 8 and 16 characters, and beyond, are looked up in different ways; so are rare characters."""
    rare = [chr(0x4E00 + i) * 2 for i in range(200)]
    words = [*("ab" * n for n in range(1, 20)), *("b" * n for n in range(1, 40)), "naïve", "слово", "😀", "a\0", *rare]
    tokeniser = WordTokeniser(["<unk>", "</s>", *words])
    for order in (words, words[::-1], [*words, *["ab"] * 2000]):
        assert tokeniser.decode(tokeniser.encode(" ".join(order)).ids) == " ".join(order) + "\n"
    assert tokeniser.encode("b" * 40 + " naive a ca").ids.tolist() == [0, 0, 0, 0, 1]


def test_words_that_begin_alike_are_told_apart():
    known, unknown = ([f"counting{n:04}" for n in numbers] for numbers in (range(0, 4000, 2), range(1, 4000, 2)))
    ids = WordTokeniser(["<unk>", "</s>", *known]).encode(" ".join([*known, *unknown])).ids
    assert ids.tolist() == [*range(2, 2002), *[0] * 2000, 1]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("The", "the"),
        ("1999", "DGDGDGDG"),
        ("1,250", "DGDGDGDG"),
        ("$1,250.5", "$DGDGDGDG.DG"),
        (",5,", ",DG,"),
        ("MP3", "mp3"),
        ("mid-1980s", "mid-1980s"),
        ("DGDG", "DGDG"),
        ("--", "--"),
        ("ΟΔΟΣ", "οδος"),
    ],
)
def test_the_course_form_of_a_word(word, expected):
    assert normal_form(word) == expected
    assert normal_form(expected) == expected


def test_course_words():
    tokeniser = CourseWordTokeniser.fit("The DOG the 1,999 dog 2024 ΟΔΟΣ οδος Good good, x", size=8)
    assert tokeniser.vocabulary == ("<unk>", "</s>", "the", "dog", "DGDGDGDG", "οδος", "good", "good,")
    text = "THE dog 1350 GOOD 13 ΟΔΟΣ x\n"
    tokens = tokeniser.encode(text)
    assert tokeniser.decode(tokens.ids) == "the dog DGDGDGDG good <unk> οδος <unk>\n"
    assert tokeniser.pieces(text, tokens)[2:5] == ["DGDGDGDG ", "good ", "13 "]
    assert tokeniser.n_start_marks == 2
    assert not tokeniser.is_lossless


def test_forms_that_take_a_closer_look_among_many_plain_words():
    """Most words are looked up by their bytes, in which upper and lower case are one; these must not be."""
    words = ["the", "dgdg", "DGDG", "οδοσ", "οδος", "ⓐ", "mp3", "mp4", "i̇"]
    tokeniser = CourseWordTokeniser(["<unk>", "</s>", *words])
    text = "the THE DGDG dgdg Dgdg 34 ΟΔΟΣ οδοσ Ⓐ MP3 mp4 İ mp5 " + "the " * 200
    found = " ".join(tokeniser.vocabulary[i] for i in tokeniser.encode(text).ids[:13])
    assert found == "the the DGDG dgdg dgdg DGDG οδος οδοσ <unk> mp3 mp4 i̇ <unk>"


@pytest.mark.parametrize("unit", ["char", "byte", "word", "course"])
def test_settings_make_the_same_tokeniser_again(unit):
    text = "To be, or 1,250 not to be\nthat is the naïve question \u201cto be\u201d 1,250"
    tokeniser = fit_tokeniser(text, unit=unit)
    again = restore_tokeniser(json.loads(json.dumps(tokeniser.settings())))
    assert isinstance(again, Tokeniser)
    assert type(again) is type(tokeniser)
    assert list(again.vocabulary) == list(tokeniser.vocabulary)
    assert again.encode(text).ids.tolist() == tokeniser.encode(text).ids.tolist()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "tokeniser settings name a kind, one of characters, bytes, words, course-words; got None"),
        ({"kind": ["words"]}, "tokeniser settings name a kind"),
        ({"kind": "words"}, "a tokeniser of kind 'words' needs its vocabulary; the settings have none"),
        ({"kind": "words", "vocabulary": "abc"}, "a vocabulary is a list of words; got 'abc'"),
        ({"kind": "words", "vocabulary": ["<unk>", "</s>", 3]}, "a vocabulary is a list of words; got"),
        ({"kind": "words", "vocabulary": ["a"]}, "a vocabulary begins with <unk>, </s>; this one begins with ['a']"),
        (
            {"kind": "words", "vocabulary": ["<unk>", "</s>", "a b"]},
            "entry 2 of the vocabulary cannot be a token: 'a b'",
        ),
        ({"kind": "words", "vocabulary": ["<unk>", "</s>", ""]}, "entry 2 of the vocabulary cannot be a token: ''"),
        ({"kind": "words", "vocabulary": ["<unk>", "</s>", "a", "a"]}, "'a' stands there twice"),
        ({"kind": "characters", "vocabulary": ["<unk>", "ab"]}, "entry 1 of the vocabulary cannot be a token: 'ab'"),
        ({"kind": "characters", "vocabulary": ["<unk>", "\ud800"]}, "entry 1 of the vocabulary cannot be a token"),
        ({"kind": "characters", "vocabulary": {"a": 1}}, "a vocabulary is a list of words; got {'a': 1}"),
    ],
)
@pytest.mark.usefixtures("unchecked")
def test_damaged_settings_are_refused(settings, message):
    with pytest.raises(VocabularyError) as caught:
        restore_tokeniser(settings)
    assert message in str(caught.value)


@pytest.mark.parametrize("tokeniser", [ByteTokeniser(), SOME_WORDS, CharacterTokeniser.fit("a")])
def test_ids_outside_the_vocabulary_are_refused(tokeniser):
    last = len(tokeniser.vocabulary) - 1
    for wrong in (-1, last + 1):
        with pytest.raises(VocabularyError) as caught:
            tokeniser.decode(np.array([0, wrong]))
        assert f"ids must be between 0 and {last}, the vocabulary's last; got {wrong}" in str(caught.value)


def test_units_and_sizes_that_do_not_fit():
    with pytest.raises(ValueRangeError, match="there is no unit 'phoneme'; choose from char, byte, word, course"):
        fit_tokeniser("a", unit="phoneme")
    with pytest.raises(
        ValueRangeError, match="a vocabulary size is for words; unit 'char' takes every character, got 5"
    ):
        fit_tokeniser("a", unit="char", vocabulary=5)


def test_ids_spelled_out_one_by_one():
    ids = SOME_WORDS.encode("the cat\nsat").ids.tolist()
    assert list(spell_out(SOME_WORDS, ids)) == ["the", " cat", "\n", "sat", "\n"]
    assert list(spell_out(SOME_WORDS, [4, 1], after=3)) == [" sat", "\n"]
    assert list(spell_out(ByteTokeniser(), "é€!".encode())) == ["", "é", "", "", "€", "!", ""]
    assert list(spell_out(ByteTokeniser(), [0xC3])) == ["", "\ufffd"]


def test_white_space_is_what_python_takes_for_it():
    assert sorted(WHITE_SPACE) == [chr(c) for c in range(0x110000) if chr(c).isspace()]
    assert WHITE_SPACE.split() == []


def test_chunks_are_cut_anew_between_words():
    assert list(whole_words(["ab", "c d", "", "e\n", "f"])) == ["abc", " de", "\nf"]
    assert list(whole_words([])) == [""]


def test_the_penn_treebank_has_its_known_sizes():
    folder = DATA / "ptb"
    if not folder.is_dir() and os.environ.get("CI") != "true":
        pytest.skip(f"needs the Penn Treebank in {folder}; set REGARD_DATA")
    files = {name: folder / f"ptb.{name}.txt.gz" for name in ("train", "valid", "test")}
    texts = {name: gzip.decompress(path.read_bytes()).decode() for name, path in files.items()}
    tokeniser = WordTokeniser.fit(texts["train"], size=2000)
    assert len(tokeniser.vocabulary) == 2000
    assert tokeniser.vocabulary[:5] == ("<unk>", "</s>", "the", "N", "of")
    lengths = {name: len(tokeniser.encode(text)) for name, text in texts.items()}
    assert lengths == {"train": 929_589, "valid": 73_760, "test": 82_430}
    words = texts["valid"].split()
    known = set(tokeniser.vocabulary[2:])
    ids = tokeniser.encode(texts["valid"]).ids
    assert (ids == 0).sum() == sum(word not in known for word in words)
    assert (ids == 1).sum() == texts["valid"].count("\n")
