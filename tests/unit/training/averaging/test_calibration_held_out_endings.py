import numpy as np
import pytest

from regard.text.word_bags import WordBags, word_bags
from regard.training.averaging.calibration import cut_endings, ending_lengths, hide_words


@pytest.mark.parametrize(("longest", "expected"), [(4.0, []), (5.0, [4]), (32.0, [4, 8, 16]), (33.0, [4, 8, 16, 32])])
def test_lengths_are_powers_of_two_within_the_bound(longest: float, expected: list[int]) -> None:
    assert ending_lengths(longest) == expected


def test_endings_by_a_loop() -> None:
    bags = word_bags(["one two three four five", "six", "seven eight nine"])
    found = cut_endings(bags, 2)
    assert found.text.tolist() == [0, 2]
    expected = word_bags(["four five", "eight nine"])
    np.testing.assert_array_equal(found.bags.hashes, expected.hashes)
    np.testing.assert_array_equal(found.bags.offsets, expected.offsets)


def test_hidden_words_are_about_as_many_as_asked_and_unknown() -> None:
    bags = WordBags(np.arange(10_000, dtype=np.uint64), np.array([0, 10_000]))
    hidden = hide_words(bags, 0.3, np.random.default_rng(0))
    is_hidden = hidden.hashes != bags.hashes
    assert abs(is_hidden.mean() - 0.3) < 0.03
    assert not np.isin(hidden.hashes[is_hidden], bags.hashes).any()
