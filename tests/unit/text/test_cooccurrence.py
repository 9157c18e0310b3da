import numpy as np
import pytest

from regard.errors import ShapeError, ValueRangeError, VocabularyError
from regard.text import cooccurrence
from regard.text.cooccurrence import count_cooccurrences, merge


def plain_counts(lines, n_words, window):
    """The definition, pair by pair."""
    counts = np.zeros((n_words, n_words))
    for line in lines:
        for i in range(len(line)):
            for j in range(len(line)):
                if 0 < abs(i - j) <= window and line[i] >= 0 and line[j] >= 0:
                    counts[line[i], line[j]] += 1 / abs(i - j)
    return counts


def some_lines(seed=0, n_words=7, lowest=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(lowest, n_words, size) for size in (0, 1, 2, 30, 5, 0, 13, 40)]


@pytest.mark.parametrize("window", [1, 3, 10, 100])
@pytest.mark.parametrize("lowest", [0, -2])
def test_counts_are_those_of_the_definition(window, lowest):
    lines = some_lines(lowest=lowest)
    found = count_cooccurrences(lines, n_words=7, window=window)
    np.testing.assert_allclose(found.counts.toarray(), plain_counts(lines, 7, window), rtol=1e-12)
    assert found.n_tokens == 91
    assert (found.n_words, found.window) == (7, window)


def test_lines_are_far_from_each_other():
    apart = count_cooccurrences([np.array([0]), np.array([1])], n_words=2)
    assert apart.counts.nnz == 0
    together = count_cooccurrences([np.array([0, 1])], n_words=2)
    assert together.counts.toarray().tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize("chunk", [1, 20, 1000])
def test_chunks_make_no_difference(monkeypatch, chunk):
    monkeypatch.setattr(cooccurrence, "CHUNK_TOKENS", chunk)
    lines = some_lines() * 3
    found = count_cooccurrences(iter(lines), n_words=7, window=4)
    np.testing.assert_allclose(found.counts.toarray(), plain_counts(lines, 7, 4), rtol=1e-12)
    assert found.n_tokens == 273


def test_parts_of_a_text_are_merged():
    lines = some_lines()
    parts = [count_cooccurrences(some, n_words=7) for some in (lines[:4], lines[4:5], lines[5:])]
    whole = merge(parts)
    np.testing.assert_allclose(whole.counts.toarray(), plain_counts(lines, 7, 10), rtol=1e-12)
    assert whole.n_tokens == 91
    with pytest.raises(ShapeError, match="got 7 words, window 10, and 7 words, window 3"):
        parts[0] + count_cooccurrences(lines, n_words=7, window=3)
    with pytest.raises(ValueRangeError, match="at least one part"):
        merge([])


def test_counts_are_symmetric_and_nothing_is_stored_for_zero():
    counts = count_cooccurrences(some_lines(n_words=50), n_words=50).counts
    assert (abs(counts - counts.T)).max() < 1e-12
    assert (counts.data > 0).all()
    assert counts.has_canonical_format


def test_no_text_gives_no_counts():
    for lines in ([], [np.array([], np.int64)], [np.array([3])]):
        assert count_cooccurrences(lines, n_words=5).counts.nnz == 0


def test_wrong_ids_and_settings():
    with pytest.raises(VocabularyError, match="expected ids below 3, the size of the vocabulary; got 3"):
        count_cooccurrences([np.array([0, 3])], n_words=3)
    with pytest.raises(ValueRangeError, match="at least one word; got 0 and 3"):
        count_cooccurrences([np.array([0])], n_words=3, window=0)
