"""What every training run has in common: its folder, its time, how it is measured, and how settings are named."""

import math
import time
from dataclasses import dataclass

import pytest
from tests.support.tiny_model import Unigram

from regard.errors import ArgumentError, CheckpointError
from regard.studies.training.run import (
    Stopwatch,
    TextParts,
    TrainingResult,
    make_config,
    measure_validation,
    open_folder,
)
from regard.text.tokenise.tokens import CharacterTokeniser


@dataclass(frozen=True)
class Settings:
    order: int = 2
    unit: str = "word"


def test_a_config_is_made_of_known_settings():
    assert make_config(Settings, {}) == Settings()
    assert make_config(Settings, {"order": 3}) == Settings(order=3)
    with pytest.raises(ArgumentError, match="there is no setting 'depth'; choose from order, unit"):
        make_config(Settings, {"order": 3, "depth": 1})


def test_a_model_that_is_not_kept_has_no_folder(tmp_path):
    with open_folder(None, kind="ngram") as place:
        assert place is None
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "mine.txt").write_text("x", encoding="utf-8")
    with pytest.raises(CheckpointError), open_folder(tmp_path / "model", kind="ngram"):
        pass
    with open_folder(tmp_path / "new", kind="ngram") as place:
        assert place is not None


def test_a_stopwatch_tells_the_clock_and_the_processor_apart(monkeypatch):
    clock = {"wall": 5.0, "cpu": 1.0}
    monkeypatch.setattr(time, "perf_counter", lambda: clock["wall"])
    monkeypatch.setattr(time, "process_time", lambda: clock["cpu"])
    watch = Stopwatch()
    clock.update(wall=7.50049, cpu=1.25)
    assert watch.seconds() == {"seconds": 2.5, "cpu_seconds": 0.25}


def test_without_a_validation_text_nothing_is_measured():
    parts = TextParts("t", lambda: iter(["abab"]), None, "none")
    model = Unigram.fit(parts.train, CharacterTokeniser.fit(parts.train))
    assert measure_validation(model, parts) == {}


def test_validation_is_measured_per_token_and_per_character():
    parts = TextParts("t", lambda: iter(["ab" * 40]), "ab" * 10, "v")
    model = Unigram.fit(parts.train, CharacterTokeniser.fit(parts.train))
    found = measure_validation(model, parts)
    # a and b are equally likely, and every token is a character.
    nats = -model.token_log_probs(model.tokeniser.encode("a").ids[:1])[0]
    assert (found["valid_tokens"], found["valid_unknown_share"]) == (20, 0)
    assert found["valid_perplexity"] == pytest.approx(math.exp(nats))
    assert found["valid_nats_per_character"] == pytest.approx(nats)
    assert found["valid_bits_per_character"] == pytest.approx(nats / math.log(2))
    assert isinstance(found["warnings"], list)


def test_a_result_has_no_history_or_notes_unless_given():
    first, second = TrainingResult("model", {}), TrainingResult("model", {})
    assert (first.history, first.notes) == ([], ())
    assert first.history is not second.history


def test_a_result_is_shown_in_one_line():
    result = TrainingResult("model", {"order": 2}, history=list(range(1000)))
    assert repr(result) == "TrainingResult(model='model', facts={order: 2}, history=[1000 items], notes=[])"
    assert "<th>history</th><td>[1000 items]</td>" in result._repr_html_()
