"""Spelling costs are those of a proper distribution over words."""

import itertools
import math

import numpy as np
import pytest

from regard.models.background import Speller, count_unknown_words, words_to_learn
from regard.text.tokenise.tokenisers import fit_tokeniser


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


def test_unknown_words_are_counted() -> None:
    text = "a a b c b a\nb zoo zoo\n"
    tokeniser = fit_tokeniser(text, unit="word", vocabulary=4)
    assert count_unknown_words(text, tokeniser.encode(text), tokeniser) == {"zoo": 2, "c": 1}


def test_of_very_many_words_some_are_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regard.models.background.MAX_WORDS", 10)
    learnt = words_to_learn({"often": 90, "seldom": 10}, ["known"])
    assert learnt == ["often"] * 9 + ["seldom", "known"]
    many = {f"word{i}": 1 for i in range(95)}
    assert len(words_to_learn(many, [])) == 10
