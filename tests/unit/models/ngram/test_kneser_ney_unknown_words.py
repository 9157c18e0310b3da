"""Words seen once, counted a second time as unknown: by a loop over positions, and where there are none."""

from collections import Counter

import numpy as np
import pytest

from regard.models.ngram.counts import NgramCounts
from regard.models.ngram.kneser_ney import UnknownWords

UNK, END, MARK = 0, 1, 7
WORDS = UnknownWords(unknown=UNK, line_end=END)
LINES = np.array([MARK, 2, 3, 2, 4, 2, 3, END, MARK, 5, 3, 2, END, MARK, 2, 3, END])  # 4 and 5 are seen once, 6 never


def counted(ids: np.ndarray, order: int) -> NgramCounts:
    return NgramCounts.count(ids, vocab_size=7, order=order, start_id=MARK)


def by_loop(ids: np.ndarray, order: int) -> list[Counter[tuple[int, ...]]]:
    """All n-grams, and again those that end within reach of a word seen once, with that word unknown."""
    lines = [line.tolist() for line in np.split(ids, np.flatnonzero(ids == MARK))[1:]]
    once = {word for word, n in Counter(ids.tolist()).items() if n == 1} - {UNK, END, MARK}
    found: list[Counter[tuple[int, ...]]] = [Counter() for _ in range(order)]
    for line in lines:
        changed = [UNK if word in once else word for word in line]
        for end in range(1, len(line)):
            is_near = any(word in once for word in line[max(0, end - order + 1) : end + 1])
            for n in range(1, min(order, end + 1) + 1):
                found[n - 1][tuple(line[end - n + 1 : end + 1])] += 1
                if is_near:
                    found[n - 1][tuple(changed[end - n + 1 : end + 1])] += 1
    return found


@pytest.mark.parametrize("order", [1, 2, 3, 5, 8])
def test_counts_are_those_of_a_loop(order: int) -> None:
    counts = WORDS.count_again(counted(LINES, order), LINES)
    for table, expected in zip(counts.tables, by_loop(LINES, order), strict=True):
        assert sorted(table.counts[table.counts > 0].tolist()) == sorted(expected.values())
    assert counts.tables[0].counts[[UNK, 4, 5]].tolist() == [2, 1, 1]


def test_every_count_is_that_of_its_continuations_and_line_starts() -> None:
    counts = WORDS.count_again(counted(LINES, 3), LINES)
    for table, longer in zip(counts.tables[:-1], counts.tables[1:], strict=True):
        assert (np.bincount(longer.suffixes, weights=longer.counts, minlength=len(table.keys)) <= table.counts).all()


def test_without_words_seen_once_nothing_changes() -> None:
    ids = np.concatenate([LINES, LINES])
    counts = counted(ids, 3)
    assert WORDS.count_again(counts, ids) is counts
    assert not WORDS.are_in(counts)


def test_a_single_line_end_is_no_unknown_word() -> None:
    ids = np.array([MARK, 2, 2, END])
    assert not WORDS.are_in(counted(ids, 2))


def test_words_never_counted_are_met_as_unknown() -> None:
    np.testing.assert_array_equal(WORDS.meet(np.array([MARK, 2, 6, END]), counted(LINES, 2)), [MARK, 2, UNK, END])
