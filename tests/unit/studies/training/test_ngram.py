"""The counting model in one call, and what it refuses."""

import pytest
from tests.support.texts import VERSE

from regard.errors import CheckpointError
from regard.models.checkpoint import load_model
from regard.models.folder_writer import writing
from regard.models.ngram.model import NgramConfig
from regard.studies.training import ngram as studied
from regard.studies.training import run as training_run
from regard.studies.training.ngram import fits_memory, run, train_ngram
from regard.studies.training.run import split_text


def test_one_call_gives_the_model_and_writes_it(tmp_path):
    model = train_ngram(VERSE, unit="word", order=2, out=tmp_path / "model", progress=False)
    assert (model.order, model.tokeniser.unit) == (2, "word")
    loaded = load_model(tmp_path / "model")
    assert loaded.score(VERSE).log_probs_nats.tolist() == model.score(VERSE).log_probs_nats.tolist()
    with pytest.raises(CheckpointError, match="force"):
        train_ngram(VERSE, out=tmp_path / "model", progress=False)
    train_ngram(VERSE, NgramConfig(order=3), out=tmp_path / "model", force=True, progress=False)
    assert load_model(tmp_path / "model").order == 3


def test_what_is_measured_is_the_end_of_the_text():
    told = []
    result = run(split_text(VERSE, valid=0.2), NgramConfig(order=2), progress=lambda share, what: told.append(what))
    assert result.facts["order"] == 2
    assert result.facts["valid_tokens"] == len(split_text(VERSE, valid=0.2).valid)
    assert told == ["counting", "measuring"]


def test_what_memory_cannot_count_is_counted_on_the_disk(tmp_path, monkeypatch):
    folders = tmp_path / "memory", tmp_path / "disk"
    train_ngram(VERSE, order=4, out=folders[0], progress=False)
    monkeypatch.setattr(studied, "BYTES_PER_NGRAM", 10**12)
    assert not fits_memory(split_text(VERSE, valid=0), NgramConfig())
    model = train_ngram(VERSE, order=4, out=folders[1], progress=False)
    assert model.order == 4
    assert train_ngram(VERSE, order=4, progress=False).order == 4
    for name in ("config.json", "model.safetensors", "background.safetensors", "tokeniser.json"):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
    assert sorted(path.name for path in folders[1].iterdir()) == sorted(path.name for path in folders[0].iterdir())


def test_a_model_on_the_disk_is_measured_as_one_in_memory_is(tmp_path):
    parts = split_text(VERSE, valid=0.2)
    for method in ("kneser-ney", "mixing"):
        with writing(tmp_path / method, kind="ngram") as place:
            facts = run(parts, NgramConfig(order=3, method=method), place=place, on_disk=True).facts
        expected = run(parts, NgramConfig(order=3, method=method)).facts
        assert facts["on_disk"]
        for name in ("valid_perplexity", "valid_tokens", "vocabulary"):
            assert facts[name] == expected[name]


def test_of_a_long_text_little_is_measured_and_the_name_says_so(monkeypatch):
    monkeypatch.setattr(training_run, "MAX_BYTES", 50)
    parts = split_text(VERSE, valid=0.5, max_valid=20, at_line_ends=False)
    assert (len(parts.valid), parts.valid_name) == (20, "last 20 characters of the text")
    assert parts.length_up_to(10**9) == len(VERSE) - 20
    assert len(split_text(VERSE, valid=0.5, at_line_ends=False).valid) == len(VERSE) - len(VERSE) // 2
