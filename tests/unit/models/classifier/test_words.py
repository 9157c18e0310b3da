import numpy as np

from regard.models.classifier.words import WordRows


def test_rows_are_those_of_a_dictionary() -> None:
    rng = np.random.default_rng(0)
    hashes = np.unique(rng.integers(0, 2**64, 3000, dtype=np.uint64))
    asked = rng.permutation(
        np.concatenate([hashes, hashes + np.uint64(1), rng.integers(0, 2**64, 50, dtype=np.uint64)])
    )
    row_of = {int(each): row for row, each in enumerate(hashes)}
    expected = [row_of.get(int(each), -1) for each in asked]
    np.testing.assert_array_equal(WordRows(hashes).rows(asked), expected)


def test_words_that_share_a_slot_are_told_apart() -> None:
    hashes = np.arange(5, dtype=np.uint64)  # their top bits are all zero
    np.testing.assert_array_equal(WordRows(hashes).rows(np.array([4, 9, 0, 2], np.uint64)), [4, -1, 0, 2])


def test_no_vocabulary() -> None:
    assert WordRows(np.empty(0, np.uint64)).rows(np.array([1], np.uint64)).tolist() == [-1]
