"""The classifiers of chapter 8: trained once, then kept; their mistakes looked for once."""

import numpy as np
import pytest
from tests.support.classifiers import film_critic
from tests.support.reviews import labelled_reviews

from regard.errors import CorpusError
from regard.lab.chapters.reviews import classifiers
from regard.lab.jobs import JobProgress, WorkStopped
from regard.records import LabelledTexts
from regard.text.labelled.source import Splits

pytest.importorskip("torch", reason="there is no PyTorch: pip install 'regard[models]'")
from regard.training.averaging.config import AveragingConfig


@pytest.fixture
def little(monkeypatch, tmp_path):
    """Sixty reviews in the place of thousands, and a cache of its own."""
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path))
    monkeypatch.setattr(classifiers, "find_corpus", lambda name, progress: None)
    splits = Splits(labelled_reviews(60), labelled_reviews(30, seed=1))
    monkeypatch.setattr(classifiers, "read_splits", lambda name: splits)
    small = AveragingConfig(form="strong", epochs=16, bits=10, width=8)
    monkeypatch.setattr(classifiers, "averaging_config", lambda data, form: small)


def never(*_, **__):
    raise AssertionError("this was to be read, not made again")


def test_a_classifier_is_trained_once_and_kept(little, monkeypatch):
    assert classifiers.cached_classifier("movie-snippets", "strong") is None
    progress = JobProgress(lambda: None)
    classifier = classifiers.train_classifier("movie-snippets", "strong", progress)
    assert classifier.notes["config"]["form"] == "strong"
    assert progress.message.startswith(f"round {len(progress.points)} of at most 16: ")
    assert [place for place, _ in progress.points] == list(range(1, len(progress.points) + 1))
    assert [place for place, _ in progress.validation] == [place for place, _ in progress.points]
    monkeypatch.setattr(classifiers, "_train", never)  # nothing is trained again
    assert classifiers.train_classifier("movie-snippets", "strong", progress) is classifier
    assert classifiers.cached_classifier("movie-snippets", "strong") is classifier


def test_the_one_that_ships_needs_no_training(monkeypatch):
    monkeypatch.setattr(classifiers, "_train", never)
    shipped = classifiers.cached_classifier(*classifiers.SHIPPED)
    assert shipped is classifiers.train_classifier(*classifiers.SHIPPED, JobProgress(lambda: None))
    assert shipped.labels == ("negative", "positive")


def test_training_can_be_stopped_between_rounds(little):
    reports = []

    def stop():
        reports.append(1)
        if len(reports) > 4:
            raise WorkStopped

    with pytest.raises(WorkStopped):
        classifiers.train_classifier("movie-snippets", "strong", JobProgress(stop))
    assert classifiers.cached_classifier("movie-snippets", "strong") is None


def test_a_cache_that_cannot_be_written_to_costs_no_visit(little, monkeypatch):
    def refuse(classifier, folder, **settings):
        raise OSError("read-only")

    monkeypatch.setattr(classifiers, "save", refuse)
    classifier = classifiers.train_classifier("movie-snippets", "strong", JobProgress(lambda: None))
    assert classifier.labels == ("negative", "positive")
    assert classifiers.cached_classifier("movie-snippets", "strong") is None


def test_mistakes_are_looked_for_once(little, monkeypatch):
    data = LabelledTexts(("the film is good", "awful film", "great", "not bad"), np.array([1, 0, 1, 1]), ("neg", "pos"))
    monkeypatch.setattr(classifiers, "read_splits", lambda name: Splits(data, data))
    progress = JobProgress(lambda: None)
    study = classifiers.find_mistakes("movie-snippets", "strong", film_critic(), progress)
    assert [error.text for error in study.worst] == ["not bad"]  # the only positive one with words of dislike alone
    assert study.result.accuracy == 0.75
    assert progress.message == "reading text 0 of 4"
    monkeypatch.setattr(classifiers, "_study_mistakes", never)
    assert classifiers.find_mistakes("movie-snippets", "strong", film_critic(), progress) is study


def test_only_so_many_reviews_are_read_for_mistakes(monkeypatch):
    monkeypatch.setattr(classifiers, "MAX_STUDIED", 10)
    chosen = classifiers.test_texts(Splits(labelled_reviews(20), labelled_reviews(40, seed=1)))
    assert len(chosen) == 10
    assert chosen.label_ids.sum() == 5
    few = labelled_reviews(8)
    assert classifiers.test_texts(Splits(labelled_reviews(20), few)) is few


def test_reviews_that_are_not_here_are_told(monkeypatch):
    monkeypatch.delenv("REGARD_DATA", raising=False)
    assert not classifiers.is_at_hand("imdb")
    monkeypatch.setenv("REGARD_DATA", "/there/is/no/such/folder")
    assert not classifiers.is_at_hand("imdb")
    assert classifiers.is_at_hand("movie-snippets")
    assert "put imdb.parquet into a folder, set REGARD_DATA" in classifiers.SOURCES["imdb"].needs


def test_fetching_is_told_and_its_failure_too(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path))
    progress = JobProgress(lambda: None)

    def fetch(name, progress):
        progress(0.5, "fetching movie-snippets: 1.0 of 2.0 MB")
        raise CorpusError("/home/somebody/.cache: there is no network")

    monkeypatch.setattr(classifiers, "find_corpus", fetch)
    with pytest.raises(CorpusError, match=r"could not be fetched .* The classifier of this page needs nothing$"):
        classifiers.train_classifier("movie-snippets", "strong", progress)
    assert progress.message == "fetching movie-snippets: 1.0 of 2.0 MB"
