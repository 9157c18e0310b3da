"""The classifiers of chapter 8: one ships with the package, others are trained when asked for, then kept.

Also what they get wrong in texts that none of them was trained on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard import __version__
from regard.errors import CheckpointError, CorpusError, InputFileError
from regard.lab.chapters.reviews.page_classifier import shipped_classifier
from regard.lab.jobs import JobProgress
from regard.lab.model_cache import load_cached, load_or_train, load_torch, one_at_a_time
from regard.models.checkpoint import load_classifier
from regard.models.classifier.base import Classifier
from regard.models.folder_writer import save
from regard.records import ErrorStudy, LabelledTexts
from regard.studies import errors
from regard.text.corpora.corpus import find_corpus, find_local_corpus
from regard.text.corpora.sources import SOURCES as CORPORA
from regard.text.labelled.source import Splits, read_splits
from regard.text.labelled.split import split_texts

if TYPE_CHECKING:
    from regard.training.averaging.train import AveragingConfig

FORMS = ("classic", "strong")
"""Words alone; words, and pairs and triples of neighbours."""
MAX_STUDIED = 2_500
"""Validation texts that are searched for mistakes: enough for a picture, in seconds, not minutes."""
N_MISTAKES = 5


@dataclass(frozen=True)
class ReviewSource:
    """Reviews to learn from: rounds of training at most, and about how long it takes, in seconds by form.

    `can_be_fetched`: from the Python package registry; `needs` says what a visitor must do where they are not
    available.
    """

    what: str
    epochs: int
    seconds: dict[str, int]
    can_be_fetched: bool
    needs: str


SOURCES = {
    "movie-snippets": ReviewSource(
        what="sentences of film reviews",
        epochs=16,
        seconds={"classic": 10, "strong": 10},
        can_be_fetched=True,
        needs="the sentences of movie-snippets are not on this machine, and could not be fetched from the Python"
        " package registry; try again with a network. The classifier of this page needs nothing.",
    ),
    "imdb": ReviewSource(
        what="whole film reviews, IMDb",
        epochs=6,
        seconds={"classic": 25, "strong": 60},
        can_be_fetched=False,
        needs=f"the IMDb reviews are not on this machine: they are {CORPORA['imdb/train'].obtain}; put imdb.parquet"
        " into a folder, set REGARD_DATA to that folder, and start the lab again.",
    ),
}
"""Reviews by the name of their corpus. Seconds are those of two shared cores, PyTorch's start included."""

SHIPPED = ("movie-snippets", "classic")
"""Reviews and form of the classifier that ships with the package."""

_STUDIES: dict[str, ErrorStudy] = {}


def is_at_hand(data: str) -> bool:
    """Whether these reviews are here, or can be fetched."""
    try:
        return SOURCES[data].can_be_fetched or find_local_corpus(data) is not None
    except CorpusError:  # REGARD_DATA names no folder
        return SOURCES[data].can_be_fetched


def averaging_config(data: str, form: str) -> AveragingConfig:
    """What a classifier is trained with; asking loads PyTorch."""
    from regard.training.averaging.train import AveragingConfig

    return AveragingConfig(form=form, epochs=SOURCES[data].epochs)  # type: ignore[arg-type]


def cached_classifier(data: str, form: str) -> Classifier | None:
    """The classifier, if it ships with the package or is kept; else None."""
    if (data, form) == SHIPPED:
        return shipped_classifier()
    try:
        return load_cached(_key(data, form), load_classifier)
    except CheckpointError:
        return None


def train_classifier(data: str, form: str, progress: JobProgress) -> Classifier:
    """The classifier that ships or is kept, or else one that is trained now, and kept."""
    if (data, form) == SHIPPED:
        return shipped_classifier()
    train = partial(_train, data, form)
    return load_or_train(_key(data, form), progress, load=load_classifier, train=train, save=_save)


def find_mistakes(data: str, form: str, classifier: Classifier, progress: JobProgress) -> ErrorStudy:
    """What the classifier gets wrong in validation texts, and what often accompanies its mistakes; computed once."""
    key = _key(data, form)
    with one_at_a_time(f"mistakes {key}", progress):
        if key not in _STUDIES:
            _STUDIES[key] = _study_mistakes(data, form, classifier, progress)
    return _STUDIES[key]


def test_texts(splits: Splits) -> LabelledTexts:
    """The texts that are read for mistakes: the test part, or as much of it as is read in seconds."""
    assert splits.test is not None  # each of our sources has one
    if len(splits.test) <= MAX_STUDIED:
        return splits.test
    return split_texts(splits.test, share=MAX_STUDIED / len(splits.test))[1]


def _train(data: str, form: str, progress: JobProgress) -> Classifier:
    splits = _read_reviews(data, progress)
    load_torch(progress)
    config = averaging_config(data, form)
    from regard.training.averaging.train import train_averaging

    progress(None, f"counting the words of {len(splits.train):,} reviews")

    def report_round(done: Any) -> None:
        share = f"{100 * done.valid_accuracy:.1f} % of validation reviews are right"
        progress(done.epoch / config.epochs, f"round {done.epoch} of at most {config.epochs}: {share}")
        progress.add_point(done.epoch, done.train_nats)
        progress.add_validation_point(done.epoch, done.valid_nats)

    classifier: Classifier = train_averaging(splits.train, config, on_round=report_round)
    return classifier


def _save(classifier: Classifier, folder: Path) -> None:
    save(classifier, folder, force=True)


def _study_mistakes(data: str, form: str, classifier: Classifier, progress: JobProgress) -> ErrorStudy:
    splits = _read_reviews(data, progress)
    texts = test_texts(splits)

    config = errors.Config(n=N_MISTAKES, model=f"the {form} form", data=f"test reviews of {data}")
    return errors.run(classifier, texts, config, training_texts=splits.train.texts, progress=progress)


def _read_reviews(data: str, progress: JobProgress) -> Splits:
    """The reviews; where they cannot be had, CorpusError says what to do, and names no file of the machine."""
    progress(None, f"reading {data}")
    try:
        find_corpus(data, progress=progress)
        return read_splits(data)
    except (CorpusError, InputFileError) as error:
        raise CorpusError(SOURCES[data].needs.removesuffix(".")) from error


def _key(data: str, form: str) -> str:
    return f"reviews/{data}-{form}-{__version__}"
