"""The models of chapter 7: trained once, kept by text and settings, and the same when they are read again."""

import numpy as np
import pytest

from regard.errors import CorpusError
from regard.lab.chapters.perplexity import models as rivals
from regard.lab.jobs import Report, WorkStopped
from regard.models.checkpoint import load_model
from regard.text.corpora.corpus import find_corpus, local_corpus

TEXT = "the cat sat on the mat\nthe dog sat on the cat\na cat is not a dog\n" * 12


@pytest.fixture
def little(monkeypatch, tmp_path):
    """A short text in the place of the manual, and a cache of its own."""
    path = tmp_path / "little.txt"
    path.write_text(TEXT)
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(rivals, "find_corpus", lambda name, progress=None: find_corpus(path))
    monkeypatch.setattr(rivals, "local_corpus", lambda name: local_corpus(str(path)))
    rivals._digest.cache_clear()
    yield path
    rivals._digest.cache_clear()


def test_models_are_trained_once_and_kept(little, monkeypatch):
    assert rivals.kept_rivals("python-manual") is None
    told = []
    report = Report(lambda: told.append(1))
    models = rivals.trained_rivals("python-manual", report)
    assert list(models) == list(rivals.RIVALS)
    assert report.share == 1.0
    assert report.line == f"5 models of the manual of Python, {len(TEXT):,} characters of it"
    monkeypatch.setattr(rivals, "trained", None)  # nothing is trained again
    assert rivals.trained_rivals("python-manual", report) == models
    assert rivals.kept_rivals("python-manual")["words"] is models["words"]  # one for all visitors


def test_what_is_kept_is_what_was_trained(little):
    rival = rivals.RIVALS["few words"]
    fresh = rivals.trained(TEXT, rival.config, lambda share: None)
    rivals.trained_rivals("python-manual", Report(lambda: None))
    kept = load_model(rivals._folder("python-manual", rival))
    np.testing.assert_array_equal(kept.score(TEXT[:60]).log_probs_nats, fresh.score(TEXT[:60]).log_probs_nats)


def test_another_text_makes_other_models(little):
    before = rivals._folder("python-manual", rivals.RIVALS["words"])
    little.write_text(TEXT + "!")
    rivals._digest.cache_clear()
    assert rivals._folder("python-manual", rivals.RIVALS["words"]) != before


def test_a_damaged_model_is_trained_again(little):
    rivals.trained_rivals("python-manual", Report(lambda: None))
    rivals._loaded.cache_clear()
    broken = rivals._folder("python-manual", rivals.RIVALS["letters"]) / "model.safetensors"
    broken.write_bytes(broken.read_bytes()[:100])
    assert rivals.kept_rivals("python-manual") is None
    models = rivals.trained_rivals("python-manual", Report(lambda: None))
    assert models["letters"].score("the").log_probs_nats.shape == (3,)


def test_a_cache_that_cannot_be_written_to_costs_no_visit(little, monkeypatch):
    def refuse(model, folder, **settings):
        raise OSError("read-only")

    monkeypatch.setattr(rivals, "save_model", refuse)
    assert len(rivals.trained_rivals("python-manual", Report(lambda: None))) == 5
    assert rivals.kept_rivals("python-manual") is None


def test_training_can_be_stopped(little):
    n_told = iter(range(100))

    def stop_at_the_network():
        if next(n_told) > 7:
            raise WorkStopped

    with pytest.raises(WorkStopped):
        rivals.trained_rivals("python-manual", Report(stop_at_the_network))
    assert rivals.kept_rivals("python-manual") is None


def test_a_wrong_folder_of_data_is_told_by_training(monkeypatch):
    monkeypatch.setenv("REGARD_DATA", "/there/is/no/such/folder")
    assert rivals.kept_rivals("shakespeare") is None
    with pytest.raises(CorpusError, match="REGARD_DATA should name a folder"):
        rivals.trained_rivals("shakespeare", Report(lambda: None))


def test_fetching_is_told(monkeypatch):
    report = Report(lambda: None)

    def fetch(name, progress):
        progress(0.25, "fetching shakespeare: 1.5 of 6.0 MB")
        raise CorpusError("there is no network")

    monkeypatch.setattr(rivals, "find_corpus", fetch)
    with pytest.raises(CorpusError, match="there is no network"):
        rivals.learnt_text("shakespeare", report)
    assert (report.share, report.line) == (0.25, "fetching shakespeare: 1.5 of 6.0 MB")
