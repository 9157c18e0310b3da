"""Laws of tokenisers, counts and preparation, for any text."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.text.bigram_counts import count_text
from regard.text.normalise.prepare import STEPS, prepare
from regard.text.tokenise.tokenisers import fit_tokeniser, normal_form, restore_tokeniser, spell_out
from regard.text.tokenise.tokens import count_words, is_storable

calm = settings(deadline=None, max_examples=60)
UNITS = ("char", "byte", "word", "course")
telling = st.sampled_from(list("aab  \n\r\t.,'’\"n tsDGdg10 AΣσİé中😀$-()\x85\u2028\u3000\u0301\0"))
characters = st.one_of(telling, telling, telling, st.characters(exclude_categories=()))
texts = st.text(characters, max_size=60)
units = st.sampled_from(UNITS)


@st.composite
def chunked_texts(draw):
    """A text, and the same text in chunks."""
    text = draw(texts)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    bounds = [0, *cuts, len(text)]
    return text, [text[a:b] for a, b in itertools.pairwise(bounds)]


def loop_words(text):
    """Words and line ends with their spans, one character at a time."""
    tokens, word, start = [], "", 0
    for i, c in enumerate(text + " "):
        if not c.isspace():
            start = start if word else i
            word += c
            continue
        if word:
            tokens.append((word, start))
            word = ""
        if c in "\n\r" and tokens and tokens[-1][0] is not None:
            tokens.append((None, i))
    if text and (not tokens or tokens[-1][0] is not None):
        tokens.append((None, len(text)))
    starts = [0, *(start for _, start in tokens[1:])]
    return [word for word, _ in tokens], starts[: len(tokens)], [*starts[1:], len(text)][: len(tokens)]


@calm
@given(texts, texts, units)
def test_spans_tile_the_text_and_ids_are_valid(training, text, unit):
    tokeniser = fit_tokeniser(training, unit=unit)
    tokens = tokeniser.encode(text)
    assert len(tokens.ids) == len(tokens.starts) == len(tokens.ends)
    assert (len(tokens) == 0) == (text == "")
    np.testing.assert_array_equal(np.append(tokens.starts, len(text)), np.insert(tokens.ends, 0, 0))
    assert (tokens.ends >= tokens.starts).all()
    assert ((tokens.ids >= 0) & (tokens.ids < len(tokeniser.vocabulary))).all()


@calm
@given(texts, texts, st.integers(2, 12), st.sampled_from(["", " aa" * 60]))
@pytest.mark.parametrize(("unit", "form"), [("word", str), ("course", normal_form)])
def test_words_equal_a_plain_loop(unit, form, training, text, size, many):
    """Plain words are looked up together where there are many of them."""
    text += many
    tokeniser = fit_tokeniser(training, unit=unit, vocabulary=size)
    words, starts, ends = loop_words(text)
    known = {word: i for i, word in enumerate(tokeniser.vocabulary) if i > 1}
    tokens = tokeniser.encode(text)
    assert tokens.ids.tolist() == [1 if word is None else known.get(form(word), 0) for word in words]
    assert tokens.starts.tolist() == starts
    assert tokens.ends.tolist() == ends


@calm
@given(texts, texts, units)
def test_what_is_known_comes_back(training, text, unit):
    tokeniser = fit_tokeniser(training, unit=unit)
    tokens = tokeniser.encode(text)
    pieces = tokeniser.pieces(text, tokens)
    assert len(pieces) == len(tokens)
    if tokeniser.is_lossless:
        assert "".join(pieces) == text
    if tokeniser.unknown is None or tokeniser.unknown not in tokens.ids:
        decoded = tokeniser.decode(tokens.ids)
        assert decoded == "".join(pieces)
        np.testing.assert_array_equal(tokeniser.encode(decoded).ids, tokens.ids)
        if tokeniser.is_lossless:
            assert decoded == text
        if is_storable(text):
            assert "".join(spell_out(tokeniser, tokens.ids.tolist())) == decoded


@calm
@given(texts, texts, units)
def test_settings_give_the_same_tokeniser(training, text, unit):
    tokeniser = fit_tokeniser(training, unit=unit)
    again = restore_tokeniser(tokeniser.settings())
    np.testing.assert_array_equal(again.encode(text).ids, tokeniser.encode(text).ids)


@calm
@given(texts)
def test_a_normal_form_is_its_own(text):
    for word in text.split():
        assert normal_form(normal_form(word)) == normal_form(word)
        assert normal_form(word).split() == [normal_form(word)]


@calm
@given(texts, chunked_texts(), units)
def test_it_does_not_matter_where_a_text_is_cut(training, case, unit):
    text, chunks = case
    tokeniser = fit_tokeniser(training, unit=unit)
    ids = np.concatenate([np.zeros(0, np.int64), *tokeniser.stream(chunks)])
    np.testing.assert_array_equal(ids, tokeniser.encode(text).ids)
    np.testing.assert_array_equal(count_text(chunks, tokeniser).dense(), count_text([text], tokeniser).dense())
    assert dict(count_words(chunks).counts) == dict(count_words([text]).counts)


@calm
@given(texts, st.lists(st.sampled_from(list(STEPS)), max_size=5))
def test_prepared_text_and_original_are_cut_alike(text, steps):
    prepared = prepare(text, steps)
    old, new = prepared.original_bounds, prepared.text_bounds
    assert len(old) == len(new)
    assert old[0] == new[0] == 0
    assert (old[-1], new[-1]) == (len(text), len(prepared.text))
    assert ((np.diff(old) >= 0) & (np.diff(new) >= 0) & (np.diff(old) + np.diff(new) > 0)).all()
    for before, after in prepared.segments():
        assert before == after or len(before) <= 1 or len(steps) > 1 or steps[0] not in ("lower", "fold-unicode")
    places = prepared.original_places(np.arange(len(prepared.text) + 1))
    assert (np.diff(places) >= 0).all()
    assert places[-1] == len(text)


@calm
@given(texts, st.lists(st.sampled_from(list(STEPS)), max_size=3), st.lists(st.sampled_from(list(STEPS)), max_size=3))
def test_steps_compose(text, first, second):
    between = prepare(text, first)
    assert prepare(text, first + second).text == prepare(between.text, second).text


@calm
@given(texts, st.sampled_from(list(STEPS)))
def test_a_step_done_twice_is_done_once(text, step):
    once = prepare(text, [step])
    twice = prepare(text, [step, step])
    assert twice.text == once.text
    assert twice.text_bounds.tolist() == once.text_bounds.tolist()
    assert twice.original_bounds.tolist() == once.original_bounds.tolist()
