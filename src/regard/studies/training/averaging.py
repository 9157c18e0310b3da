"""From labelled texts to an averaging classifier, in one call: train, save, measure."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.evaluation.accuracy import evaluate
from regard.models.classifier.base import Classifier
from regard.models.folder_writer import ModelFolder, save
from regard.progress import Progress, show_progress, silent
from regard.records import LabelledTexts
from regard.studies.training.data import DataParts, LabelledSource, find_splits, source_name
from regard.studies.training.glove import VectorSource, find_start_vectors
from regard.studies.training.network import require_torch
from regard.studies.training.run import Stopwatch, TrainingResult, TrainingStopped, make_config, open_folder
from regard.text.labelled.split import majority_share
from regard.text.vectors.word_vectors import WordVectors
from regard.training.averaging.config import AveragingConfig

if TYPE_CHECKING:
    from regard.training.averaging.words import Round

MIN_EPOCHS, MAX_EPOCHS = 6, 20
STEPS = 2000
"""Fewest and most rounds by default, and the steps that they make altogether: few texts need more rounds."""


def train_averaging(
    data: LabelledSource = "movie-snippets",
    *,
    vectors: VectorSource | None = None,
    out: Path | str | None = None,
    force: bool = False,
    resume: bool = False,
    progress: Progress | bool = True,
    **settings: Any,
) -> Classifier:
    """Train a classifier that averages the words of a text; with `out`, also write it to that folder.

    `data` is the name of a corpus, a path, or pairs of text and label; of a source with a test part, the rest is learnt
    from. `vectors` are word vectors to start from, by name, path or themselves; without, GloVe's where they are at
    hand; "none": none. Further settings are those of `AveragingConfig`: form, layers, hidden, dropout, epochs, seed …
    """
    require_torch()
    make_config(AveragingConfig, settings)  # refuses what cannot be before anything is read
    where = None if out is None else Path(out)
    with show_progress(progress) as report, open_shared_folder(where, force=force, resume=resume) as place:
        report(None, "reading")
        parts = DataParts(source_name(data), find_splits(data).train, None, "none")
        _, given = find_start_vectors(vectors, note=warnings.warn)
        config = choose_config(settings, n_texts=len(parts.train))
        resumed = where if resume else None
        return run(parts, config, vectors=given, place=place, resumed=resumed, progress=report).model


@contextmanager
def open_shared_folder(out: Path | None, *, force: bool, resume: bool) -> Iterator[ModelFolder | None]:
    """The folder to write to, in the first of the processes that `torchrun` started; None in the others."""
    from regard.training.network.processes import is_first_process

    with open_folder(out if is_first_process() else None, kind="averaging", force=force, resume=resume) as place:
        yield place


def run(
    parts: DataParts,
    config: AveragingConfig,
    *,
    vectors: WordVectors | None = None,
    place: ModelFolder | None = None,
    resumed: Path | None = None,
    on_round: Callable[[Round], None] = lambda done: None,
    progress: Progress = silent,
) -> TrainingResult[Classifier]:
    """Train, save and measure; `on_round` is called after each time through the texts.

    In all but the first of several processes nothing is measured, and there are no facts.
    """
    from regard.training.averaging import train as training
    from regard.training.network.processes import join_processes

    def show(done: Round) -> None:
        on_round(done)
        progress(done.epoch / config.epochs, f"epoch {done.epoch}: accuracy {done.valid_accuracy:.4f}")

    watch = Stopwatch()
    progress(None, "training")
    with _announce_saved_run(place), join_processes() as processes:
        report = show if processes.is_first else None
        classifier = training.train_averaging(
            parts.train,
            config,
            vectors=vectors,
            on_round=report,
            place=place,
            resumed=resumed,
            processes=processes,
        )
    if not processes.is_first:
        return TrainingResult(classifier, {})
    if place is not None:
        save(classifier, place)
    seconds = watch.seconds()
    progress(None, "measuring")
    measured = {} if parts.test is None else measure_accuracy(classifier, parts.test)
    return TrainingResult(classifier, {**seconds, **measured})


def choose_config(settings: dict[str, Any], *, n_texts: int) -> AveragingConfig:
    """The settings, with as many epochs as suit the number of texts, unless it was said how many."""
    return make_config(AveragingConfig, {"epochs": epochs_for(n_texts), **settings})


def epochs_for(n_texts: int, *, batch_size: int = 64) -> int:
    """How often to go through this many texts, at most; early stopping ends it before, if nothing more is gained.

    >>> epochs_for(25_000), epochs_for(8_500), epochs_for(100)
    (6, 16, 20)
    """
    return min(MAX_EPOCHS, max(MIN_EPOCHS, -(-STEPS * batch_size // n_texts)))


def measure_accuracy(classifier: Classifier, test: LabelledTexts) -> dict[str, Any]:
    """Accuracy on the texts to measure on, with its error; what true labels cost; how honest probabilities are."""
    found = evaluate(classifier.log_probs(test.texts), test.label_ids, labels=test.labels)
    return {
        "test_texts": found.n,
        "test_accuracy": found.accuracy,
        "test_standard_error": found.standard_error,
        "always_the_commonest_class": majority_share(test),
        "test_nats": found.nats,
        "test_calibration_error": found.calibration_error,
    }


@contextmanager
def _announce_saved_run(place: ModelFolder | None) -> Iterator[None]:
    """Say, where training is interrupted, whether it can be resumed."""
    try:
        yield
    except KeyboardInterrupt:
        if place is None:
            raise
        is_begun = bool(place.place.run.names())
        kept = "the same command with --resume goes on" if is_begun else "nothing had been learnt yet"
        raise TrainingStopped(f"stopped before the end; {kept}") from None
