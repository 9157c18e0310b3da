"""Preparation: gains in costs of the original text, and an honest choice."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
from tests.support.tiny_model import Unigram

from regard.evaluation.perplexity import best_steps, charge_choice, evaluate, evaluate_step_by_step, gain_table
from regard.text.normalise.prepare import STEPS
from regard.text.tokenise.tokenisers import CharacterTokeniser, WordTokeniser

TRAINING = 'a man said "no" and a man said "yes" to the man who said it\n' * 20
MODEL = Unigram.fit(TRAINING, WordTokeniser.fit(TRAINING))


def test_steps_one_after_another():
    text = "A man said “no” and The man said “yes”\n" * 5
    results = evaluate_step_by_step(MODEL, text, name="text", steps=("lower", "fold-unicode"))
    table = gain_table(results)
    assert [result.prepare for result in results] == [(), ("lower",), ("lower", "fold-unicode")]
    assert table.column("prepare") == ["as it is", "+ lower", "+ fold-unicode"]
    bits = table.column("bits_per_character")
    assert bits == [result.bits_per_character for result in results]
    assert table.column("gained") == pytest.approx([0, bits[0] - bits[1], bits[1] - bits[2]])
    assert table.column("unknown") == sorted(table.column("unknown"), reverse=True)
    assert table.notes == ("costs are those of the original text, 195 characters, what was erased restored",)


def test_the_choice_takes_what_helps_and_nothing_else():
    text = "A man said “no” and The man said “yes” to Who said it\n" * 4
    assert {"lower", "fold-unicode"} <= set(best_steps(MODEL, text)) <= {"lower", "fold-unicode", "join-lines"}
    assert best_steps(MODEL, TRAINING[:120]) == ()


def test_the_choice_is_the_best_of_all_single_steps():
    text = "THE MAN SAID IT\n" * 10
    chosen = best_steps(MODEL, text)
    best = evaluate(MODEL, text, name="text", steps=chosen).nats
    assert all(best <= evaluate(MODEL, text, name="text", steps=steps).nats for steps in [(), *((s,) for s in STEPS)])


def test_steps_that_help_only_together_are_found(monkeypatch):
    """Commas that stand apart cost more, and dropping does nothing while they are attached; together they gain."""
    nats = {(): 10.0, ("split-words",): 11.0, ("drop-punctuation",): 10.0, ("split-words", "drop-punctuation"): 8.0}
    nothing = np.zeros(1)

    def costs(model, prepared, *, adaptive):
        scored = SimpleNamespace(log_probs_nats=-np.array([nats.get(prepared.steps, 12.0)]))
        return SimpleNamespace(scored=scored, spelled=nothing, tokens_restored=nothing, text_restored=nothing)

    monkeypatch.setattr("regard.evaluation.perplexity.text_costs", costs)
    assert best_steps(MODEL, "a man, said; it\n") == ("split-words", "drop-punctuation")


def test_random_capitals_are_not_worth_forgetting():
    """To a character model that knows both cases, lower case gains nothing once the capitals are paid for."""
    text = "".join(c.upper() if flag else c for c, flag in zip("abcd" * 100, itertools.cycle([1, 0, 0]), strict=False))
    model = Unigram.fit(text, CharacterTokeniser.fit(text))
    assert "lower" not in best_steps(model, text[:200])


def test_the_choice_is_paid_for():
    result = evaluate(MODEL, "A man\n", name="text")
    charged = charge_choice(result)
    assert charged.choice_nats == pytest.approx(len(STEPS) * math.log(2))
    assert charged.nats == pytest.approx(result.nats + charged.choice_nats)
    assert charged.surprise.nats.sum() == pytest.approx(charged.nats)
    notes = gain_table([result], chosen=True).notes
    assert notes[1] == (
        f"the steps were chosen on this very text: {len(STEPS)} bits are added for telling which of the "
        f"{2 ** len(STEPS)} sets of steps it was, 1.5 bits per character"
    )
