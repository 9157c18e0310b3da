"""From a text to a neural bigram model, in one call: by counts or by small steps, with its history and its measure."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from regard.errors import ValueRangeError
from regard.evaluation.perplexity import perplexity
from regard.models.bigram import BigramModel
from regard.models.folder_writer import ModelFolder, save
from regard.progress import Progress, show_progress, silent
from regard.records import ALONE, TrainingStep, Workers
from regard.shapes import Float
from regard.studies.training.glove import VectorSource, find_vectors
from regard.studies.training.run import (
    Stopwatch,
    TextParts,
    TrainingResult,
    make_config,
    measure_validation,
    open_folder,
    split_text,
)
from regard.text.corpora.corpus import TextSource
from regard.text.vectors.word_vectors import WordVectors
from regard.training.bigram.choice import make_constant
from regard.training.bigram.counts_trainer import CountsStep
from regard.training.bigram.sgd import read_state, state_files
from regard.training.bigram.train import (
    BigramConfig,
    BigramTask,
    bigram_task,
    search_form,
    train_by_counts,
    train_by_sgd,
)

STEPS_AVERAGED = 250
"""The loss of a single batch is noisy: the history has the mean over this many."""


def train_bigram(
    text: TextSource,
    *,
    vectors: VectorSource | None = None,
    fix_vectors: bool = False,
    out: Path | str | None = None,
    force: bool = False,
    resume: bool = False,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | bool = True,
    **settings: Any,
) -> BigramModel:
    """Train a network that predicts each word from the one before it; with `out`, also write it to that folder.

    `text` is a corpus name, a path, or a text with a line break in it. `vectors` are word vectors to start from, by
    name, path or themselves; with `fix_vectors` they do not learn. Further settings are those of `BigramConfig`:
    unit, vocabulary, trainer, hidden, width, activation, iterations, beside_counts, stop_early, seed. The bigrams are
    counted by `workers`, processes of this machine, or those of a Dask `scheduler`; the model is the same.

    >>> model = train_bigram("to be or not to be\\n" * 9, hidden=4, iterations=5)
    >>> model.tokeniser.unit
    'word'
    """
    if fix_vectors and vectors is None:
        raise ValueRangeError("fix_vectors does nothing by itself: give the vectors as well")
    if resume and (out is None or settings.get("trainer") != "sgd"):
        raise ValueRangeError("resume needs the folder of the run, out=…, and trainer='sgd'")
    config = make_config(BigramConfig, {**settings, "vectors": "fixed" if fix_vectors else "tuned"})
    with show_progress(progress) as report, open_folder(out, kind="bigram", force=force, resume=resume) as place:
        parts = split_text(text, valid=0)
        given = None if vectors is None else find_vectors(vectors, note=warnings.warn)
        group = Workers(workers, scheduler)
        return run(parts, config, vectors=given, place=place, workers=group, progress=report).model


def run(
    parts: TextParts,
    config: BigramConfig,
    *,
    vectors: WordVectors | None = None,
    place: ModelFolder | None = None,
    workers: Workers = ALONE,
    progress: Progress = silent,
) -> TrainingResult[BigramModel]:
    """Train, save and measure."""
    watch = Stopwatch()
    progress(None, "counting words")
    task = bigram_task(parts.chunks, config, vectors=vectors, workers=workers)
    train = _train_by_sgd if config.trainer == "sgd" else _train_by_counts
    model, history = train(task, parts, place, progress)
    seconds = watch.seconds()
    progress(None, "measuring")
    found = {} if task.is_given is None else {"words_with_vectors": int(task.is_given.sum())}
    sizes = {"vocabulary": task.vocab, "iterations": history[-1].iteration if history else 0}
    facts = {**sizes, **found, **seconds, **measure_validation(model, parts)}
    notes = model.background.notes.get("chosen", {}).get("notes", [])
    simpler = compare_with_frequencies(model, task, parts, found=facts.get("valid_perplexity"))
    facts["warnings"] = [*notes, *simpler, *facts.get("warnings", [])]
    return TrainingResult(model, facts, history)


def compare_with_frequencies(
    model: BigramModel, task: BigramTask, parts: TextParts, *, found: float | None
) -> list[str]:
    """A line where a model of perplexity `found` predicts the validation text worse than word frequencies alone."""
    if parts.valid is None or found is None:
        return []
    frequencies = make_constant(model.network, task.with_unknown(task.counts), "unigram")
    simpler = perplexity(BigramModel(frequencies, task.background).score(parts.valid).log_probs_nats)
    if found <= simpler * (1 + 1e-6):  # a form that is chosen to be these very frequencies is as good
        return []
    return [
        f"word frequencies alone have perplexity {simpler:.4g} on {parts.valid_name}, and the network's {found:.4g} is "
        "worse: the word before does not help it here"
    ]


def _train_by_counts(
    task: BigramTask, parts: TextParts, place: ModelFolder | None, progress: Progress
) -> tuple[BigramModel, list[TrainingStep]]:
    """Train on the counts of bigrams; the history has every iteration, its end the perplexity of validation lines."""
    history: list[TrainingStep] = []
    progress(None, "choosing on a tenth of the lines")
    choice = search_form(task)

    def on_step(step: CountsStep) -> None:
        validation_perplexity = None if step.validation_nats is None else math.exp(step.validation_nats)
        history.append(TrainingStep(step.iteration, step.objective_nats, validation_perplexity))
        progress(step.iteration / task.n_iterations, "training")

    model = train_by_counts(task, choice=choice, on_step=on_step)
    if place is not None:
        save(model, place)
    return model, history


def _train_by_sgd(
    task: BigramTask, parts: TextParts, place: ModelFolder | None, progress: Progress
) -> tuple[BigramModel, list[TrainingStep]]:
    """Train by stochastic gradient descent; at every checkpoint the model, and how to go on, is saved."""
    found = read_state(place.shown, task) if place is not None and place.goes_on else None
    start, history = found or (None, [])
    model = None if start is None else BigramModel(start.network, task.background)
    progress(0.0 if start is None else start.iteration / task.n_iterations, "training")
    for checkpoint, model in train_by_sgd(task, start):
        valid = None if parts.valid is None else perplexity(model.score(parts.valid).log_probs_nats)
        history += history_steps(checkpoint.losses, since=history[-1].iteration if history else 0, valid=valid)
        if place is not None:
            is_complete = checkpoint.iteration >= task.n_iterations
            save(model, place, beside=state_files(checkpoint, task, history), is_complete=is_complete)
        progress(checkpoint.iteration / task.n_iterations, "training")
    assert model is not None  # a run has at least one checkpoint, its last
    return model, history


def history_steps(losses: Float[np.ndarray, " iteration"], *, since: int, valid: float | None) -> list[TrainingStep]:
    """The history from iteration `since` to the last, whose network has perplexity `valid`."""
    ends = [*range(since + STEPS_AVERAGED, len(losses), STEPS_AVERAGED), len(losses)]
    means = [float(np.mean(losses[a:b], dtype=np.float64)) for a, b in zip([since, *ends[:-1]], ends, strict=True)]
    until = [TrainingStep(end, mean) for end, mean in zip(ends, means, strict=True)]
    return [*until[:-1], TrainingStep(ends[-1], means[-1], valid)]
