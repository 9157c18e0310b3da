"""Counts of n-grams against a dictionary of tuples."""

from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from tests.support.ngram_oracle import DictionaryCounts, segments

from regard.errors import InputFileError, ValueRangeError
from regard.models.ngram import counts as counts_module
from regard.models.ngram.counts import NgramCounts
from regard.models.ngram.kneser_ney import continuations

MARKS = [None, 0, 4]


def symbols_of(counts, order):
    """Every n-gram of one order as a tuple, by rank: contexts are followed down the tables."""
    table = counts.tables[order - 1]
    last = (table.keys % table.n_symbols).tolist()
    if order == 1:
        return [(w,) for w in last]
    below = symbols_of(counts, order - 1)
    return [(*below[c], w) for c, w in zip(table.contexts, last, strict=True)]


def as_dictionary(counts, order, numbers=None):
    numbers = counts.tables[order - 1].counts if numbers is None else numbers
    return {gram: n for gram, n in zip(symbols_of(counts, order), numbers.tolist(), strict=True) if n}


def random_ids(seed, *, size=200, vocab_size=4, start_id=None):
    rng = np.random.default_rng(seed)
    ids = rng.integers(0, vocab_size, size)
    if start_id is not None:
        ids[rng.random(size) < 0.2] = start_id
    return ids


def test_a_case_counted_by_hand():
    counts = NgramCounts.count(np.array([0, 1, 0, 1, 1]), vocab_size=2, order=3)
    assert as_dictionary(counts, 1) == {(0,): 2, (1,): 3}
    assert as_dictionary(counts, 2) == {(0, 1): 2, (1, 0): 1, (1, 1): 1}
    assert as_dictionary(counts, 3) == {(0, 1, 0): 1, (1, 0, 1): 1, (0, 1, 1): 1}
    single, double = continuations(counts)
    assert as_dictionary(counts, 1, single) == {(0,): 2, (1,): 2}  # 0 opens the text and follows 1; 1 follows 0 and 1
    assert as_dictionary(counts, 2, double) == {(0, 1): 2, (1, 0): 1, (1, 1): 1}


def test_contexts_do_not_reach_across_a_start_mark_which_is_not_counted_itself():
    counts = NgramCounts.count(np.array([2, 0, 1, 2, 0, 0]), vocab_size=2, order=3, start_id=2)
    assert as_dictionary(counts, 1) == {(0,): 3, (1,): 1}
    assert as_dictionary(counts, 2) == {(2, 0): 2, (0, 1): 1, (0, 0): 1}
    assert as_dictionary(counts, 3) == {(2, 0, 1): 1, (2, 0, 0): 1}
    single, double = continuations(counts)
    assert as_dictionary(counts, 1, single) == {(0,): 2, (1,): 1}
    assert as_dictionary(counts, 2, double) == {(2, 0): 2, (0, 1): 1, (0, 0): 1}  # with a mark in front, counts stay


@pytest.mark.parametrize("start_id", MARKS)
@pytest.mark.parametrize("seed", range(3))
def test_counts_and_continuations_are_those_of_a_dictionary(seed, start_id):
    ids = random_ids(seed, start_id=start_id)
    counts = NgramCounts.count(ids, vocab_size=4, order=5, start_id=start_id)
    oracle = DictionaryCounts(segments(ids, start_id), order=5, start_id=start_id)
    found = Counter()
    for order in range(1, 6):
        found.update(as_dictionary(counts, order))
    assert found == oracle.plain
    continued = {}
    for order, numbers in enumerate(continuations(counts), start=1):
        continued |= as_dictionary(counts, order, numbers)
    assert continued == oracle.continued


def test_suffixes_drop_the_first_symbol():
    counts = NgramCounts.count(random_ids(0), vocab_size=4, order=4)
    for order in range(2, 5):
        below, table = symbols_of(counts, order - 1), counts.tables[order - 1]
        assert [below[rank] for rank in table.suffixes] == [gram[1:] for gram in symbols_of(counts, order)]


def test_keys_do_not_overflow_where_powers_of_the_vocabulary_would():
    rng = np.random.default_rng(0)
    ids = np.tile(rng.integers(0, 100_000, 40), 3)  # 100,000 to the tenth has 166 bits
    counts = NgramCounts.count(ids, vocab_size=100_000, order=10)
    expected = Counter(tuple(ids[i : i + 10].tolist()) for i in range(len(ids) - 9))
    assert sorted(counts.tables[-1].counts.tolist()) == sorted(expected.values())
    assert counts.occurrences(ids).ngrams[-1, -1] >= 0


@pytest.mark.parametrize("start_id", MARKS)
def test_occurrences_name_the_ngrams_of_another_text(start_id):
    counts = NgramCounts.count(random_ids(1, start_id=start_id), vocab_size=4, order=5, start_id=start_id)
    ids = random_ids(2, size=60, start_id=start_id)
    seen = counts.occurrences(ids)
    position = -1
    for part in segments(ids, start_id):
        for end, symbol in enumerate(part):
            position += 1
            for order in range(1, 6):
                grams, begin = symbols_of(counts, order), end + 1 - order
                gram = tuple(part[begin : end + 1])
                known = begin >= 0 and symbol != start_id and (order == 1 or gram in grams)
                assert seen.ngrams[order - 1, position] == (grams.index(gram) if known else -1)
                context_known = symbol != start_id and (
                    order == 1 or (begin >= 0 and gram[:-1] in symbols_of(counts, order - 1))
                )
                assert (seen.contexts[order - 1, position] >= 0) == context_known


@pytest.mark.parametrize("start_id", MARKS)
def test_context_ranks_are_the_contexts_of_the_next_symbol(start_id):
    counts = NgramCounts.count(random_ids(1, start_id=start_id), vocab_size=4, order=5, start_id=start_id)
    ids = np.append(random_ids(3, size=40, start_id=start_id), 1)
    contexts = [ids[:t] for t in range(len(ids))]
    ranks = counts.context_ranks(contexts)
    scored = ~counts.is_mark(ids)
    assert_array_equal(ranks[:, scored], counts.occurrences(ids).contexts[:, scored])
    assert counts.context_ranks([]).shape == (5, 0)


@pytest.mark.parametrize("start_id", MARKS)
def test_extending_counts_is_counting_both_texts(start_id):
    first, second = random_ids(4, start_id=start_id), random_ids(5, size=90, start_id=start_id)
    extended, seen = NgramCounts.count(first, vocab_size=4, order=5, start_id=start_id).read(second)
    oracle = DictionaryCounts([*segments(first, start_id), *segments(second, start_id)], order=5, start_id=start_id)
    found = Counter()
    for order in range(1, 6):
        found.update(as_dictionary(extended, order))
    assert found == oracle.plain
    assert_array_equal(seen.ngrams, extended.occurrences(second).ngrams)
    assert_array_equal(seen.contexts, extended.occurrences(second).contexts)


def test_taking_occurrences_out_gives_the_counts_before_them():
    first, second = random_ids(6), random_ids(7, size=90)
    counts = NgramCounts.count(first, vocab_size=4, order=4)
    extended, seen = counts.read(second)
    before = extended.without(seen)
    for order in range(1, 5):
        assert as_dictionary(before, order) == as_dictionary(counts, order)
    for order, (left, right) in enumerate(zip(continuations(before), continuations(counts), strict=True), start=1):
        assert as_dictionary(before, order, left) == as_dictionary(counts, order, right)


@pytest.mark.parametrize("start_id", MARKS)
def test_a_long_text_is_read_piece_by_piece_to_the_same_end(monkeypatch, start_id):
    first, second = random_ids(8, start_id=start_id), random_ids(9, size=50, start_id=start_id)
    counts = NgramCounts.count(first, vocab_size=4, order=4, start_id=start_id)
    whole, seen = counts.read(second)
    monkeypatch.setattr(counts_module, "PIECE", 7)
    *_, (extended, _) = counts.readings(second)
    for order in range(1, 5):
        assert as_dictionary(extended, order) == as_dictionary(whole, order)
    pieces = np.concatenate([piece.ngrams for piece in whole.pieces(second)], axis=1)
    assert_array_equal(pieces, seen.ngrams)


def test_texts_shorter_than_the_order_and_no_text_at_all():
    counts = NgramCounts.count(np.zeros(0, dtype=np.int64), vocab_size=3, order=4)
    assert [len(table.keys) for table in counts.tables] == [3, 0, 0, 0]
    assert list(counts.pieces(np.zeros(0, dtype=np.int64))) == []
    counts = NgramCounts.count(np.array([2]), vocab_size=3, order=4)
    assert as_dictionary(counts, 1) == {(2,): 1}
    assert counts.occurrences(np.array([2, 2])).ngrams[1].tolist() == [-1, -1]


@pytest.mark.parametrize("start_id", MARKS)
def test_arrays_and_back(start_id):
    counts = NgramCounts.count(random_ids(0, start_id=start_id), vocab_size=4, order=4, start_id=start_id)
    again = NgramCounts.from_arrays(counts.to_arrays())
    assert (again.vocab_size, again.order, again.start_id) == (4, 4, start_id)
    for left, right in zip(counts.tables, again.tables, strict=True):
        for name in ("keys", "counts", "suffixes"):
            assert_array_equal(getattr(left, name), getattr(right, name))


def test_a_damaged_file_is_told():
    arrays = NgramCounts.count(random_ids(0), vocab_size=4, order=3).to_arrays()
    with pytest.raises(InputFileError, match=r"^the n-gram counts have no array 'ngram.header'; the file is truncated"):
        NgramCounts.from_arrays({})
    missing = {name: array for name, array in arrays.items() if name != "ngram.2.counts"}
    with pytest.raises(
        InputFileError, match=r"have no array 'ngram.2.counts'; the file is truncated or of another kind$"
    ):
        NgramCounts.from_arrays(missing)
    with pytest.raises(InputFileError, match=r"'ngram.3.counts' should be \d+ integers; got int64 of shape \(1,\)$"):
        NgramCounts.from_arrays(arrays | {"ngram.3.counts": np.array([1])})
    with pytest.raises(InputFileError, match=r"'ngram.3.keys' should be integers; got float64 of shape \(2,\)$"):
        NgramCounts.from_arrays(arrays | {"ngram.3.keys": np.zeros(2)})
    with pytest.raises(InputFileError, match=r"header is damaged: the order of an n-gram model is at least 1; got 0$"):
        NgramCounts.from_arrays(arrays | {"ngram.header": np.array([4, 0, -1])})
    for name, array in {
        "ngram.2.keys": arrays["ngram.2.keys"][::-1],
        "ngram.3.keys": arrays["ngram.3.keys"] + 10_000,
        "ngram.3.suffixes": arrays["ngram.3.suffixes"] - 10_000,
        "ngram.2.counts": -arrays["ngram.2.counts"],
        "ngram.1.keys": arrays["ngram.1.keys"] + 1,
    }.items():
        with pytest.raises(InputFileError, match=rf"^the n-gram counts of order {name[6]} contradict themselves"):
            NgramCounts.from_arrays(arrays | {name: array})
    fewer = {f"ngram.1.{name}": arrays[f"ngram.1.{name}"][:3] for name in ("keys", "counts", "suffixes")}
    with pytest.raises(
        InputFileError, match=r"^the n-gram counts of order 1 contradict themselves; the file is damaged$"
    ):
        NgramCounts.from_arrays(arrays | fewer)


def test_wrong_sizes_and_ids_are_told():
    with pytest.raises(ValueRangeError, match=r"^the order of an n-gram model is at least 1; got 0$"):
        NgramCounts.empty(vocab_size=3, order=0)
    with pytest.raises(ValueRangeError, match=r"^the start id lies between 0 and the vocabulary size 3; got 4$"):
        NgramCounts.empty(vocab_size=3, order=2, start_id=4)
    with pytest.raises(ValueRangeError, match=r"^a vocabulary needs an id that can be predicted; got size 1, start 0$"):
        NgramCounts.empty(vocab_size=1, order=2, start_id=0)
    for wrong in (-1, 3):
        with pytest.raises(
            ValueRangeError, match=rf"^ids run from 0 to 2; got {wrong}: use the model's own tokeniser$"
        ):
            NgramCounts.count(np.array([0, wrong]), vocab_size=3, order=2)
