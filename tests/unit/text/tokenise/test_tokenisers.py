"""Tokenisers: cases worked by hand, the Penn Treebank's known sizes, and settings that are damaged."""

import json

import numpy as np
import pytest

from regard.errors import ValueRangeError, VocabularyError
from regard.text.tokenise.tokenisers import (
    CourseWordTokeniser,
    fit_tokeniser,
    normal_form,
    restore_tokeniser,
    spell_out,
)
from regard.text.tokenise.tokens import ByteTokeniser, CharacterTokeniser, Tokeniser
from regard.text.tokenise.words import WordTokeniser

SOME_WORDS = WordTokeniser(["<unk>", "</s>", "the", "cat", "sat"])


def test_half_a_surrogate_pair_is_never_in_a_vocabulary_but_always_covered():
    text = "a \ud800 a \ud800"
    for tokeniser in (CharacterTokeniser.fit(text), WordTokeniser.fit(text), ByteTokeniser.fit(text)):
        assert json.dumps(tokeniser.settings(), ensure_ascii=False).encode()
        assert tokeniser.encode(text).ends[-1] == len(text)
    assert ByteTokeniser().decode(ByteTokeniser().encode(text).ids) == text


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
