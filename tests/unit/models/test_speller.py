"""Spelling costs are those of a proper distribution over words."""

import itertools
import math

import numpy as np
import pytest

from regard.models.speller import Speller, words_to_learn
from regard.text.tokenisers import fit_tokeniser


def test_a_speller_of_nothing_is_uniform_over_bytes_and_the_end() -> None:
    costs = Speller.fit([]).nats(["", "a", "ō"])
    np.testing.assert_allclose(costs, [1 * math.log(257), 2 * math.log(257), 3 * math.log(257)], rtol=1e-12)


def test_cost_is_the_sum_over_bytes_and_the_end() -> None:
    speller = Speller.fit(["sea", "seas", "ship"], order=3)
    reader, nats = [257], 0.0
    for symbol in [*b"seap", 256]:
        nats -= speller.bytes_model.next_log_probs(np.array(reader[-2:]))[symbol]
        reader.append(symbol)
    assert speller.nats(["seap"])[0] == pytest.approx(nats, rel=1e-12)


def test_probabilities_of_all_short_words_stay_below_one() -> None:
    speller = Speller.fit(["ab", "ba", "a"], order=3)
    short = ["".join(letters) for n in range(5) for letters in itertools.product("ab", repeat=n)]
    total = np.exp(-speller.nats(short)).sum()
    assert 0.5 < total < 1


def test_words_like_those_learnt_cost_less_and_none_is_impossible() -> None:
    speller = Speller.fit(["nation", "station", "ration", "motion"])
    likely, unlikely, strange = speller.nats(["lotion", "noitol", "\U0001f600\ud800"])
    assert likely < unlikely < strange < np.inf
    assert len(speller.nats([])) == 0


def test_it_learns_the_words_that_the_vocabulary_leaves_out_and_the_others_once() -> None:
    text = "a a b c b a\nb zoo zoo\n"
    tokeniser = fit_tokeniser(text, unit="word", vocabulary=4)
    assert words_to_learn(text, tokeniser.encode(text), tokeniser) == ["c", "zoo", "zoo", "a", "b"]


def test_where_none_is_left_out_it_learns_each_word_once() -> None:
    letters = fit_tokeniser("aabb", unit="char")
    assert words_to_learn("aabb", letters.encode("aabb"), letters) == ["a", "b"]


def test_of_very_many_words_it_learns_some_from_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regard.models.speller.MOST_WORDS", 10)
    text = " ".join(f"word{i}" for i in range(95))
    tokeniser = fit_tokeniser(text, unit="word", vocabulary=2)
    learnt = words_to_learn(text, tokeniser.encode(text), tokeniser)
    assert learnt == [f"word{i}" for i in range(0, 95, 10)]
