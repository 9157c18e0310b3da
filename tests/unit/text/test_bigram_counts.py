"""Bigram counts against a plain loop, in parts and merged."""

from collections import Counter

import numpy as np
import pytest

import regard.text.bigram_counts as counting
from regard.errors import ValueRangeError, VocabularyError
from regard.text.bigram_counts import (
    add_unknown_pairs,
    count_bigrams,
    count_stream,
    count_text,
    merge,
    replace_new_tokens,
)
from regard.text.tokenise.tokens import CharacterTokeniser
from regard.text.tokenise.words import WordTokeniser


def loop_counts(ids, vocab_size, line_end):
    expected, context = np.zeros((vocab_size + 1, vocab_size), int), vocab_size
    for i in ids:
        expected[context, i] += 1
        context = vocab_size if i == line_end else i
    return expected


@pytest.mark.parametrize("line_end", [None, 1])
@pytest.mark.parametrize("dtype", [np.int64, np.int32])
def test_equal_to_a_plain_loop_however_it_comes(monkeypatch, line_end, dtype):
    ids = np.random.default_rng(0).integers(0, 5, 200).astype(dtype)
    expected = loop_counts(ids.tolist(), 5, line_end)
    counts = count_bigrams(ids, vocab_size=5, line_end=line_end)
    np.testing.assert_array_equal(counts.dense(), expected)
    np.testing.assert_array_equal(counts.unigrams(), np.bincount(ids, minlength=5))
    assert (counts.total, counts.vocab_size) == (200, 5)
    monkeypatch.setattr(counting, "_BATCH", 30)
    parts = np.split(ids, [0, 10, 10, 30, 60, 61, 150])
    np.testing.assert_array_equal(count_stream(parts, vocab_size=5, line_end=line_end).dense(), expected)


def test_nothing_is_counted_in_nothing():
    assert count_bigrams(np.zeros(0, np.int64), vocab_size=3, line_end=1).total == 0


def test_counts_of_text():
    tokeniser = WordTokeniser(["<unk>", "</s>", "a", "b"])
    counts = count_text(["a b", "b a\n", "\na"], tokeniser).dense()
    pairs = Counter({(4, 2): 2, (2, 0): 1, (0, 2): 1, (2, 1): 2})
    assert {pair: int(counts[pair]) for pair in zip(*np.nonzero(counts), strict=True)} == pairs
    letters = count_text(["ab", "b"], CharacterTokeniser(["<unk>", "a", "b"])).dense()
    assert letters.tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 1], [0, 1, 0]]


def test_texts_are_merged():
    tokeniser = WordTokeniser(["<unk>", "</s>", "a", "b"])
    texts = ["a b\n", "b\na a\n", "b"]
    merged = merge(count_text([text], tokeniser) for text in texts)
    np.testing.assert_array_equal(merged.dense(), count_text(texts, tokeniser).dense())


def test_what_cannot_be_counted():
    with pytest.raises(VocabularyError, match="ids must be between 0 and 2, the vocabulary's last; got 3"):
        count_bigrams(np.array([0, 3]), vocab_size=3, line_end=None)
    two, three = (count_bigrams(np.array([0]), vocab_size=size, line_end=None) for size in (2, 3))
    with pytest.raises(ValueRangeError, match="must be of one vocabulary; got counts of size 2, 3"):
        merge([two, three])
    with pytest.raises(ValueRangeError, match="got counts of size nothing"):
        merge([])


def renamed_loop(ids, new, *, unknown=0, line_end=1):
    """Every pair of which a token is new, with the unknown token in its place, by a plain loop."""
    expected = np.zeros((7, 6), int)
    for before, token in zip([line_end, *ids[:-1]], ids, strict=True):
        context = 6 if before == line_end else before
        if context in new or token in new:
            expected[unknown if context in new else context, unknown if token in new else token] += 1
    return expected


IDS = [2, 3, 1, 2, 4, 5, 1, 3, 2, 0, 1]  # 4 and 5 are seen once


def test_a_token_seen_once_is_counted_again_as_unknown():
    counts = count_bigrams(np.array(IDS), vocab_size=6, line_end=1)
    found = add_unknown_pairs(counts.matrix, unknown=0, line_end=1)
    np.testing.assert_array_equal(found.toarray(), counts.dense() + renamed_loop(IDS, {4, 5}))
    assert add_unknown_pairs(counts.matrix, unknown=None, line_end=1) is counts.matrix
    np.testing.assert_array_equal(counts.dense(), count_bigrams(np.array(IDS), vocab_size=6, line_end=1).dense())


def test_marks_that_were_seen_once_are_not_new():
    once = count_bigrams(np.array([2, 2, 0, 1]), vocab_size=6, line_end=1).matrix
    np.testing.assert_array_equal(add_unknown_pairs(once, unknown=0, line_end=1).toarray(), once.toarray())


def test_further_text_is_met_with_what_was_not_seen_as_unknown():
    trained = count_bigrams(np.array([2, 3, 2, 1]), vocab_size=6, line_end=1).matrix
    further = count_bigrams(np.array(IDS), vocab_size=6, line_end=1).matrix
    renamed = np.array([0 if i in (4, 5) else i for i in IDS])
    expected = count_bigrams(renamed, vocab_size=6, line_end=1).dense()
    np.testing.assert_array_equal(
        replace_new_tokens(further, trained=trained, unknown=0, line_end=1).toarray(), expected
    )
    assert replace_new_tokens(further, trained=trained, unknown=None, line_end=1) is further
