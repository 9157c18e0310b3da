"""Costs token by token: what is spelled, what is restored, and where each word stands in the original."""

import numpy as np
import pytest
from tests.support.tiny_model import Unigram

from regard.evaluation.costs import text_costs
from regard.evaluation.restoration import cut_at, restoration_nats
from regard.text.normalise.prepare import prepare
from regard.text.tokenise.tokenisers import CharacterTokeniser, CourseWordTokeniser

TRAINING = "the cat saw 10 mice and the cat saw 20 mice\n"
MODEL = Unigram.fit(TRAINING, CourseWordTokeniser.fit(TRAINING))


def test_unknown_words_are_spelled_and_known_ones_restored():
    costs = text_costs(MODEL, prepare("The Yeti  saw 99\n", ()))
    assert costs.pieces == ["the ", "Yeti ", "saw ", "DGDG", "\n"]
    assert costs.spelled.tolist() == [0, *MODEL.background.speller.nats(["Yeti"]), 0, 0, 0]
    originals = ["The ", "Yeti  ", "saw ", "99", "\n"]
    is_spelled = np.array([False, True, False, False, False])
    expected = restoration_nats(costs.pieces, originals, is_spelled=is_spelled)
    assert costs.tokens_restored.tolist() == expected.tolist()
    assert costs.tokens_restored.sum() < restoration_nats(costs.pieces, originals).sum()
    assert costs.is_line_end.tolist() == [False, False, False, False, True]
    assert costs.text_restored.tolist() == []


def test_words_of_the_prepared_text_are_led_back_to_the_original():
    text = "It’s 1,250 o’clock…\nNow!"
    costs = text_costs(MODEL, prepare(text, ("fold-unicode", "split-words", "lower", "digits")))
    assert cut_at(text, costs.word_bounds.tolist()) == ["It", "’s ", "1,250 ", "o’clock", "…\n", "Now", "!"]
    assert len(costs.text_restored) == 7


def test_preparation_is_restored_for_models_that_lose_nothing_themselves():
    model = Unigram.fit(TRAINING, CharacterTokeniser.fit(TRAINING))
    costs = text_costs(model, prepare("The cat\n", ("lower",)))
    assert costs.tokens_restored.sum() == 0
    assert costs.text_restored.sum() == pytest.approx(restoration_nats(["the ", "cat\n"], ["The ", "cat\n"]).sum())


def test_what_a_word_costs_lies_on_its_own_characters():
    costs = text_costs(MODEL, prepare("The “cat”\n", ("fold-unicode", "split-words", "lower")))
    per_character = costs.per_character
    tokens = costs.spelled + costs.tokens_restored - costs.scored.log_probs_nats
    assert per_character[:4].sum() == pytest.approx(tokens[0] + costs.text_restored[0])
    assert per_character.sum() == pytest.approx(tokens.sum() + costs.text_restored.sum())
