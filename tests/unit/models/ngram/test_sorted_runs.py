"""N-grams sorted piece by piece: against a plain count of all of them."""

from collections import Counter

import numpy as np
import pytest

from regard.models.ngram import sorted_runs
from regard.models.ngram.sorted_runs import Packing, SortedRuns, pack_ngrams, sort_rows


def padded_ngrams(ids, order, mark=None):
    """The n-gram that begins at each position, as a loop finds it."""
    for start in range(len(ids)):
        found = [int(ids[start])]
        for symbol in ids[start + 1 : start + order]:
            if symbol == mark:
                break
            found.append(int(symbol))
        yield tuple(s + 1 for s in found) + (0,) * (order - len(found))


@pytest.mark.parametrize(("n_symbols", "order"), [(3, 2), (70, 10), (120, 10), (200_000, 5), (300, 1), (257, 9)])
def test_packed_numbers_sort_as_ngrams_do_and_unpack(n_symbols, order):
    rng = np.random.default_rng(0)
    packing = Packing(n_symbols, order)
    digits = [rng.integers(0, n_symbols + 1, 50) for _ in range(order)]
    columns = packing.pack(digits)
    assert sum(packing.widths) == order
    assert all(
        column.min() >= 0 and column.max() < radix for column, radix in zip(columns, packing.radices, strict=True)
    )
    assert all(radix < 2**63 for radix in packing.radices)
    assert [d.tolist() for d in packing.unpack(columns)] == [d.tolist() for d in digits]
    ngrams = list(zip(*(d.tolist() for d in digits), strict=True))
    rows = list(zip(*(c.tolist() for c in columns), strict=True))
    assert sorted(range(50), key=rows.__getitem__) == sorted(range(50), key=ngrams.__getitem__)


@pytest.mark.parametrize(
    ("n_symbols", "order", "mark"), [(4, 3, None), (5, 4, 4), (90, 10, None), (100_000, 5, 99_999)]
)
def test_runs_of_any_cut_hold_what_a_loop_counts(tmp_path, monkeypatch, n_symbols, order, mark):
    monkeypatch.setattr(sorted_runs, "FAN_IN", 3)
    monkeypatch.setattr(sorted_runs, "PIECE_POSITIONS", 40)
    rng = np.random.default_rng(1)
    ids = rng.integers(0, min(n_symbols, 6), 700)
    if mark is not None:
        ids[rng.random(700) < 0.1] = mark
    packing, runs = Packing(n_symbols, order), SortedRuns(tmp_path, Packing(n_symbols, order))
    for columns in pack_ngrams(np.array_split(ids, 13), packing=packing, start_id=mark, size=40):
        runs.add(columns)
    rows = [
        (ngram, int(count))
        for columns, counts in runs.merge()
        for ngram, count in zip(zip(*(d.tolist() for d in packing.unpack(columns)), strict=True), counts, strict=True)
    ]
    assert rows == sorted(Counter(padded_ngrams(ids, order, mark)).items())
    runs.remove({})
    assert [path.name for path in tmp_path.iterdir()] == ["journal.part"]


def test_pieces_that_others_have_sorted_are_merged(tmp_path):
    packing, runs = Packing(3, 2), SortedRuns(tmp_path, Packing(3, 2))
    first, second = np.array([0, 1, 2, 0]), np.array([1, 2, 2])
    runs.add_rows(sort_rows(first, second, packing=packing, start_id=None))
    runs.add_rows(sort_rows(second, second[:0], packing=packing, start_id=None))
    ((columns, counts),) = runs.merge()
    assert [d.tolist() for d in packing.unpack(columns)] == [[1, 2, 3, 3, 3], [2, 3, 0, 1, 3]]
    assert counts.tolist() == [2, 2, 1, 1, 1]


def test_nothing_gives_nothing():
    assert list(pack_ngrams([], packing=Packing(3, 2), start_id=None)) == []
