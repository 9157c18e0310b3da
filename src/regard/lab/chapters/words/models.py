"""The word model of chapter 5: a neural bigram model, trained from the counts of a text once, then kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from regard.errors import CheckpointError
from regard.files import sha256
from regard.lab.jobs import JobProgress
from regard.lab.model_cache import load_or_train
from regard.lab.texts import EMBEDDED, LabText, read_text_or_manual
from regard.models.bigram import BigramModel
from regard.models.checkpoint import restore_language_model
from regard.models.folder import MODEL_FILES, read_snapshot
from regard.models.folder_writer import save
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.progress import Progress
from regard.text.normalise.prepare import prepare
from regard.text.tokenise.tokens import LINE_END, UNKNOWN
from regard.training.bigram.counts_trainer import CountsStep
from regard.training.bigram.train import BigramConfig, bigram_task, train_by_counts

STEPS = ("fold-unicode", "join-lines", "split-lines", "split-words", "lower", "squeeze-spaces")
MARKUP = str.maketrans("", "", '"*`')
"""Quotation and emphasis, which stand between words and their neighbours."""
PIECE = 60_000
VOCABULARY, ITERATIONS = 1000, 40
VALIDATION_SHARE = 0.1
HISTORY = "history.json"
HIDDEN = (5, 10, 20, 50, 100, 200)


@dataclass(frozen=True)
class Settings:
    """Which model: the text, the hidden units (and numbers a word), the seed of its start."""

    text: str = EMBEDDED
    hidden: int = 50
    seed: int = 0


@dataclass(frozen=True)
class WordModel:
    """A trained model, the loss at each step, and its perplexity, and that of counts, on validation lines.

    `text` is the name of the text that it has learnt from: the manual where the one that was wanted could not be had.
    """

    text: str
    model: BigramModel
    curve: tuple[tuple[int, float], ...]
    perplexity: float
    counts_perplexity: float
    note: str

    @property
    def words(self) -> tuple[str, ...]:
        """The vocabulary without its marks."""
        return tuple(word for word in self.model.tokeniser.vocabulary if word not in (UNKNOWN, LINE_END))


@dataclass(frozen=True, eq=False)
class TrainedBigram:
    """What is kept of a training: the model, and its history as JSON (curve, perplexity, counts)."""

    model: BigramModel
    history: dict[str, Any]


def word_model(settings: Settings, progress: JobProgress, *, anew: bool = False) -> WordModel:
    """The model of these settings: the saved one; at the first visit or with `anew`, one trained and saved now."""
    given = read_text_or_manual(settings.text, progress)
    found = load_or_train(
        f"words-{sha256(given.text)[:12]}-{settings.hidden}-{settings.seed}",
        progress,
        load=_read,
        train=lambda progress: _train(settings, given, progress),
        save=_write,
        is_current=lambda: not anew,
    )
    curve = tuple((int(iteration), float(nats)) for iteration, nats in found.history["curve"])
    if not progress.points:  # it was kept: show how it was trained
        for point in curve:
            progress.add_point(*point)
    perplexity, counts_perplexity = found.history["perplexity"], found.history["counts"]
    return WordModel(given.name, found.model, curve, perplexity, counts_perplexity, given.note)


def prepare_text(text: str, progress: Progress) -> str:
    """The words of a text in lower case, a sentence a line, punctuation apart.

    It is worked through in pieces that end between paragraphs, which changes nothing, but can be stopped.
    """
    parts = []
    for place, piece in _paragraphs(text.translate(MARKUP)):
        parts.append(prepare(piece, STEPS).text)
        progress(0.5 * place / len(text), "splitting the text into words and sentences")
    return "".join(parts)


def _train(settings: Settings, given: LabText, progress: JobProgress) -> TrainedBigram:
    lines = prepare_text(given.text, progress).splitlines(keepends=True)
    n_validation = int(VALIDATION_SHARE * len(lines))
    learn, valid = "".join(lines[: len(lines) - n_validation]), "".join(lines[len(lines) - n_validation :])
    progress(0.5, "counting pairs of words")
    config = BigramConfig(vocabulary=VOCABULARY, hidden=settings.hidden, iterations=ITERATIONS, seed=settings.seed)
    task, curve = bigram_task(learn, config), []

    def on_step(step: CountsStep) -> None:
        curve.append((step.iteration, step.objective_nats))
        message = f"step {step.iteration} of {ITERATIONS}: {step.objective_nats:.3f} nats per word"
        progress(0.5 + 0.5 * step.iteration / ITERATIONS, message)
        progress.add_point(*curve[-1])

    model = train_by_counts(task, on_step=on_step)
    counted = fit_ngram(learn, NgramConfig(unit="word", order=2, method="kneser-ney", vocabulary=VOCABULARY))
    history = {"curve": curve, "perplexity": _perplexity(model, valid), "counts": _perplexity(counted, valid)}
    return TrainedBigram(model, history)


def _write(found: TrainedBigram, folder: Path) -> None:
    save(found.model, folder, beside={HISTORY: json.dumps(found.history).encode()}, force=True)


def _read(folder: Path) -> TrainedBigram:
    found = read_snapshot(folder, (*MODEL_FILES, HISTORY))
    model = restore_language_model(found)
    if not isinstance(model, BigramModel):
        raise CheckpointError(f"a kept model should be of kind bigram; there is one of kind {model.kind}")
    return TrainedBigram(model, found.json(HISTORY))


def _perplexity(model: Any, text: str) -> float:
    return float(np.exp(-model.score(text).log_probs_nats.mean()))


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Pieces of a text that end after a blank line where there is one, and where each ends."""
    start = 0
    while start < len(text):
        blank = text.find("\n\n", start + PIECE)
        end = len(text) if blank < 0 else blank + 2
        yield end, text[start:end]
        start = end
