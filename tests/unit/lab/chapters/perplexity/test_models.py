"""The models of chapter 7: trained once, kept by text and settings, and the same when they are read again."""

import numpy as np
import pytest

from regard.errors import CorpusError
from regard.lab.chapters.perplexity import models
from regard.lab.jobs import Report, WorkStopped
from regard.models.checkpoint import load_model
from regard.text.corpora.corpus import find_corpus, find_local_corpus

TEXT = "the cat sat on the mat\nthe dog sat on the cat\na cat is not a dog\n" * 12


@pytest.fixture
def little(monkeypatch, tmp_path):
    """A short text in the place of the manual, and a cache of its own."""
    path = tmp_path / "little.txt"
    path.write_text(TEXT)
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(models, "find_corpus", lambda name, progress=None: find_corpus(path))
    monkeypatch.setattr(models, "find_local_corpus", lambda name: find_local_corpus(str(path)))
    models._digest.cache_clear()
    yield path
    models._digest.cache_clear()


def test_models_are_trained_once_and_kept(little, monkeypatch):
    assert models.cached_models("python-manual") is None
    reports = []
    report = Report(lambda: reports.append(1))
    found = models.train_models("python-manual", report)
    assert list(found) == list(models.MODELS)
    assert report.share == 1.0
    assert report.line == f"5 models of the manual of Python, {len(TEXT):,} characters of it"
    monkeypatch.setattr(models, "trained", None)  # nothing is trained again
    assert models.train_models("python-manual", report) == found
    assert models.cached_models("python-manual")["words"] is found["words"]  # one for all visitors


def test_what_is_kept_is_what_was_trained(little):
    spec = models.MODELS["few words"]
    fresh = models.trained(TEXT, spec.config, lambda share: None)
    models.train_models("python-manual", Report(lambda: None))
    kept = load_model(models._folder("python-manual", spec))
    np.testing.assert_array_equal(kept.score(TEXT[:60]).log_probs_nats, fresh.score(TEXT[:60]).log_probs_nats)


def test_another_text_makes_other_models(little):
    before = models._folder("python-manual", models.MODELS["words"])
    little.write_text(TEXT + "!")
    models._digest.cache_clear()
    assert models._folder("python-manual", models.MODELS["words"]) != before


def test_a_damaged_model_is_trained_again(little):
    models.train_models("python-manual", Report(lambda: None))
    models._loaded.cache_clear()
    broken = models._folder("python-manual", models.MODELS["letters"]) / "model.safetensors"
    broken.write_bytes(broken.read_bytes()[:100])
    assert models.cached_models("python-manual") is None
    found = models.train_models("python-manual", Report(lambda: None))
    assert found["letters"].score("the").log_probs_nats.shape == (3,)


def test_a_cache_that_cannot_be_written_to_costs_no_visit(little, monkeypatch):
    def refuse(model, folder, **settings):
        raise OSError("read-only")

    monkeypatch.setattr(models, "save", refuse)
    assert len(models.train_models("python-manual", Report(lambda: None))) == 5
    assert models.cached_models("python-manual") is None


def test_training_can_be_stopped(little):
    n_told = iter(range(100))

    def stop_at_the_network():
        if next(n_told) > 7:
            raise WorkStopped

    with pytest.raises(WorkStopped):
        models.train_models("python-manual", Report(stop_at_the_network))
    assert models.cached_models("python-manual") is None


def test_a_wrong_folder_of_data_is_told_by_training(monkeypatch):
    monkeypatch.setenv("REGARD_DATA", "/there/is/no/such/folder")
    assert models.cached_models("shakespeare") is None
    with pytest.raises(CorpusError, match="REGARD_DATA should name a folder"):
        models.train_models("shakespeare", Report(lambda: None))


def test_fetching_is_told(monkeypatch):
    report = Report(lambda: None)

    def fetch(name, progress):
        progress(0.25, "fetching shakespeare: 1.5 of 6.0 MB")
        raise CorpusError("there is no network")

    monkeypatch.setattr(models, "find_corpus", fetch)
    with pytest.raises(CorpusError, match="there is no network"):
        models.learnt_text("shakespeare", report)
    assert (report.share, report.line) == (0.25, "fetching shakespeare: 1.5 of 6.0 MB")
