"""The models of chapter 7: trained once, kept by text and settings, and the same when they are read again."""

import contextlib

import numpy as np
import pytest

from regard.errors import CorpusError, RegardError
from regard.lab import model_cache, texts
from regard.lab.chapters.perplexity import models
from regard.lab.jobs import JobProgress, WorkStopped
from regard.models.checkpoint import load_model
from regard.progress import silent
from regard.text.corpora.corpus import find_corpus

TEXT = "the cat sat on the mat\nthe dog sat on the cat\na cat is not a dog\n" * 12


@pytest.fixture
def little(monkeypatch, tmp_path):
    """A short text in the place of the manual, and a cache of its own."""
    path = tmp_path / "little.txt"
    path.write_text(TEXT)
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(texts, "find_corpus", lambda name, progress=None: find_corpus(path))
    models._digest.cache_clear()
    yield path
    models._digest.cache_clear()


def kept_models(text_name):
    """All models of this text, where they are kept and can be read."""
    with contextlib.suppress(RegardError):
        return {
            name: model_cache.load_cached(models._key(text_name, spec), load_model)
            for name, spec in models.MODELS.items()
        }
    return None


def never(*_, **__):
    raise AssertionError("this was to be read, not made again")


def folder_of(text_name, spec):
    return model_cache.model_folder(models._key(text_name, spec))


def test_models_are_trained_once_and_kept(little, monkeypatch):
    assert kept_models("python-manual") is None
    reports = []
    progress = JobProgress(lambda: reports.append(1))
    found = models.train_models("python-manual", progress)
    assert list(found) == list(models.MODELS)
    assert progress.share == 1.0
    assert progress.message == "5 models have learnt from the manual of Python"
    monkeypatch.setattr(models, "train_model", never)  # nothing is trained again
    assert models.train_models("python-manual", progress) == found
    assert kept_models("python-manual")["words"] is found["words"]  # one for all visitors


def test_what_is_kept_is_what_was_trained(little):
    spec = models.MODELS["few words"]
    fresh = models.train_model(TEXT, spec.config, silent)
    models.train_models("python-manual", JobProgress(lambda: None))
    kept = load_model(folder_of("python-manual", spec))
    np.testing.assert_array_equal(kept.score(TEXT[:60]).log_probs_nats, fresh.score(TEXT[:60]).log_probs_nats)


def test_another_text_makes_other_models(little):
    before = folder_of("python-manual", models.MODELS["words"])
    little.write_text(TEXT + "!")
    models._digest.cache_clear()
    assert folder_of("python-manual", models.MODELS["words"]) != before


def test_a_damaged_model_is_trained_again(little):
    models.train_models("python-manual", JobProgress(lambda: None))
    model_cache._load.cache_clear()
    broken = folder_of("python-manual", models.MODELS["letters"]) / "model.safetensors"
    broken.write_bytes(broken.read_bytes()[:100])
    assert kept_models("python-manual") is None
    found = models.train_models("python-manual", JobProgress(lambda: None))
    assert found["letters"].score("the").log_probs_nats.shape == (3,)


def test_a_cache_that_cannot_be_written_to_costs_no_visit(little, monkeypatch):
    def refuse(model, folder, **settings):
        raise OSError("read-only")

    monkeypatch.setattr(models, "save", refuse)
    assert len(models.train_models("python-manual", JobProgress(lambda: None))) == 5
    assert kept_models("python-manual") is None


def test_training_can_be_stopped(little):
    n_told = iter(range(100))

    def stop_at_the_network():
        if next(n_told) > 7:
            raise WorkStopped

    with pytest.raises(WorkStopped):
        models.train_models("python-manual", JobProgress(stop_at_the_network))
    assert kept_models("python-manual") is None


def test_a_text_that_cannot_be_had_is_told_without_a_folder(monkeypatch):
    monkeypatch.setenv("REGARD_DATA", "/there/is/no/such/folder")
    with pytest.raises(CorpusError) as told:
        models.train_models("shakespeare", JobProgress(lambda: None))
    assert str(told.value) == (
        "the plays of Shakespeare cannot be found or fetched; choose the manual of Python, which every Python carries"
    )
