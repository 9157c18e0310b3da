"""What is measured of one trained model."""

import math

import numpy as np
import pytest
from tests.support.texts import VERSE

from regard.evaluation.perplexity import evaluate
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.models.sampling import stream
from regard.studies.model_measures import TextSplit, draw_sample, measure, measure_scoring_speed

LINES = "to be or not to be\n" * 100


def test_rare_words_are_those_that_training_has_once_or_never():
    halves = TextSplit("the sea the ship\nthe sea\n", "the ship sings\nthe sea\n")
    assert "".join("x" if rare else "." for rare in halves.is_rare) == "....xxxxxxxxxx........."
    assert halves.new_share(halves.measured) == 1 / 5  # `sings`; a ship was seen
    assert halves.new_share(" ") is None


@pytest.mark.parametrize("unit", ["char", "byte", "word"])
def test_one_row(halves, unit):
    model = fit_ngram(halves.train, NgramConfig(unit=unit))
    found = measure(model, halves, name="m", training_seconds=2.5, n_drawn=20, seed=3)
    result = evaluate(model, halves.measured, name="t")
    assert (found.model, found.training_seconds, found.tokens) == ("m", 2.5, result.tokens)
    assert found.tokens_per_1000_characters == pytest.approx(
        1000 * len(model.score(halves.measured)) / len(halves.measured)
    )
    assert found.vocabulary == len(model.tokeniser.vocabulary)
    assert found.parameters == sum(np.prod(array.shape) for array in model.arrays().values())
    mean_surprise = -model.score(halves.measured).log_probs_nats.mean()
    assert found.perplexity == pytest.approx(math.exp(mean_surprise), rel=1e-12)
    parts = found.token_bits + found.spelling_bits + found.restoration_bits
    assert parts == pytest.approx(found.bits_per_character, rel=1e-12)
    assert found.bits_per_character == result.bits_per_character
    assert found.scoring_characters_per_second > 0
    assert found.sampling_characters_per_second > 0
    assert len(found.sample) >= 20


def test_familiar_and_rare_words_together_are_the_whole_text():
    halves = TextSplit(VERSE, "the sea sings to the moon.\nthe sea is the harbour,\n")
    model = fit_ngram(halves.train, NgramConfig(unit="word"))
    found = measure(model, halves, name="m", training_seconds=1.0, n_drawn=10, seed=0)
    n_rare = int(halves.is_rare.sum())
    n_all = len(halves.measured)
    together = found.rare_bits * n_rare + found.familiar_bits * (n_all - n_rare)
    assert 0 < n_rare < n_all
    assert together == pytest.approx(found.bits_per_character * n_all, rel=1e-12)
    assert found.rare_bits > found.familiar_bits


def test_where_no_word_is_rare_there_is_nothing_to_tell_of_them(by_words):
    line = VERSE.splitlines(keepends=True)[5]
    found = measure(by_words, TextSplit(VERSE, line), name="m", training_seconds=1.0, n_drawn=10, seed=0)
    assert found.rare_bits is None
    assert found.familiar_bits == pytest.approx(found.bits_per_character, rel=1e-12)


def test_what_the_training_text_has_too_is_told(halves, by_words):
    whole = measure(by_words, TextSplit(halves.train, halves.train), name="m", training_seconds=1.0, n_drawn=10, seed=0)
    assert whole.seen_share > 0.9


def test_a_sample_is_drawn_as_the_model_says(by_words):
    text, speed = draw_sample(by_words, n_characters=50, rng=np.random.default_rng(1))
    assert len(text) >= 50
    assert speed > 0
    expected = "".join(stream(by_words, np.random.default_rng(1), length=60, prompt="\n"))
    assert expected.startswith(text)
    assert text == draw_sample(by_words, n_characters=50, rng=np.random.default_rng(1))[0]
    assert draw_sample(by_words, n_characters=1, rng=np.random.default_rng(1))[0]


def test_speed_is_what_was_scored_by_the_seconds_it_took(by_words, monkeypatch):
    clock = iter(np.arange(100) * 0.02)
    monkeypatch.setattr("regard.studies.model_measures.time.process_time", lambda: next(clock))
    assert measure_scoring_speed(by_words, "the sea\n" * 10) == pytest.approx(2 * 80 / 0.06)
