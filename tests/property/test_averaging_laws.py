"""What averaging cannot see: the order of words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import lists, permutations, sampled_from
from tests.support.averaging import trained

WORDS = ("good", "bad", "film", "not", "at", "all", "but", "dull", "zyzzyva", "!", ".")
SENTENCES = lists(sampled_from(WORDS), min_size=1, max_size=12)


@pytest.mark.parametrize("make", ["linear", "one-layer", "three-layers-tanh", "attention"])
@given(pair=SENTENCES.flatmap(lambda words: permutations(words).map(lambda other: (words, other))))
@settings(max_examples=20, deadline=None)
def test_words_in_any_order_get_the_same_answer(make: str, pair: tuple[list[str], list[str]]) -> None:
    given_order, other_order = trained(make).log_probs([" ".join(words) for words in pair])
    np.testing.assert_array_equal(given_order, other_order)


def test_ngrams_do_see_it() -> None:
    first, second = trained("strong").log_probs(["not bad at all good", "all bad not good at"])
    assert abs(first - second).max() > 0.01
