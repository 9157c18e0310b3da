"""Word models whose vocabulary holds every word of their text: what was never unknown is yet to be expected."""

import itertools
import math

import numpy as np
import pytest
from tests.support.texts import VERSE

from regard.evaluation.perplexity import evaluate
from regard.models.ngram.model import NgramConfig, fit_ngram

SEEN_ONCE = ["".join(letters) for letters in itertools.product("abcdefghij", "aeiou", "b")]
RARE = "".join(f"the {word} sings and the sailor sings of {word}s\n" for word in SEEN_ONCE[:40])
NEW = "the kraken sings and the sailor sings of narwhals\nthe squid sings and the sailor sings of orcas\n" * 5


@pytest.mark.parametrize("unit", ["word", "course"])
@pytest.mark.parametrize("method", ["mixing", "kneser-ney"])
def test_unknown_words_are_expected_where_every_word_has_its_own_id(unit: str, method: str) -> None:
    every = fit_ngram(RARE, NgramConfig(unit=unit, method=method, vocabulary=10_000))
    assert every.tokeniser.unknown not in every.tokeniser.encode(RARE).ids
    after_the = np.exp(every.next_log_probs("the "))
    # each line begins with "the" and a new word, which is counted once as itself and once as unknown
    assert after_the[every.tokeniser.unknown] == pytest.approx(1 / 2, abs=0.1)
    assert after_the.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("method", ["mixing", "kneser-ney"])
def test_a_larger_vocabulary_costs_little_on_new_words(method: str) -> None:
    few, every = (
        evaluate(fit_ngram(RARE, NgramConfig(unit="word", method=method, vocabulary=n)), NEW, name="new")
        for n in (None, 10_000)
    )
    assert math.log(every.perplexity / few.perplexity) < 1


@pytest.mark.parametrize("method", ["mixing", "kneser-ney"])
def test_where_words_seen_once_are_unknown_already_a_larger_vocabulary_changes_nothing(method: str) -> None:
    n_twice = len(fit_ngram(VERSE, NgramConfig(unit="word", method=method)).tokeniser.vocabulary)
    default, same = (
        fit_ngram(VERSE, NgramConfig(unit="word", method=method, vocabulary=n)).arrays() for n in (None, n_twice)
    )
    for name, array in default.items():
        np.testing.assert_array_equal(array, same[name])
