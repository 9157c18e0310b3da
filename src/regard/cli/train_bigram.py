"""What `regard train bigram` does: read, train by one of two trainers, keep the history, measure."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.cli.output import Cell, at_work, counting, print_json, print_table
from regard.cli.training_text import Stopwatch, TextParts, measured
from regard.errors import CorpusError
from regard.evaluation.perplexity import perplexity
from regard.files import cache_folder
from regard.models.bigram.model import BigramModel
from regard.models.checkpoint import save
from regard.models.folder_writer import ModelFolder
from regard.records import TrainingStep
from regard.shapes import Float
from regard.text.corpora.corpus import find_corpus
from regard.text.vectors.cache import open_vectors
from regard.text.vectors.word_vectors import WordVectors
from regard.training.bigram.choice import make_constant
from regard.training.bigram.counts import CountsStep
from regard.training.bigram.gradient_check import check_random
from regard.training.bigram.state import read_state, state_files
from regard.training.bigram.train import (
    BigramConfig,
    BigramTask,
    bigram_task,
    search_form,
    train_by_counts,
    train_by_sgd,
)

N_TOGETHER = 250
"""The loss of a single batch is noisy: the history has the mean over so many."""


@dataclass(frozen=True)
class Outcome:
    """The trained model, how it got there, and what to print."""

    model: BigramModel
    history: list[TrainingStep]
    facts: dict[str, Any]

    @property
    def checkpoints(self) -> list[TrainingStep]:
        """Those steps of the history at which held-out text was measured."""
        return [step for step in self.history if step.valid_perplexity is not None]


def run(parts: TextParts, place: ModelFolder, config: BigramConfig, *, vectors: str | None) -> Outcome:
    """Train, save and measure."""
    given = None if vectors is None else read_vectors(vectors)
    watch = Stopwatch()
    with at_work("counting words"):
        task = bigram_task(parts.chunks, config, vectors=given)
    train = _by_sgd if config.trainer == "sgd" else _by_counts
    model, history = train(task, parts, place)
    seconds = watch.seconds()
    found = {} if task.is_given is None else {"words_with_vectors": int(task.is_given.sum())}
    sizes = {"vocabulary": task.vocab, "iterations": history[-1].iteration if history else 0}
    facts = {"out": str(place.shown), **sizes, **found, **seconds, **measured(model, parts)}
    notes = model.background.notes.get("chosen", {}).get("notes", [])
    simpler = compare_with_frequencies(model, task, parts, found=facts.get("valid_perplexity"))
    return Outcome(model, history, facts | {"warnings": [*notes, *simpler, *facts.get("warnings", [])]})


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


def read_vectors(name: str) -> WordVectors:
    """The word vectors of this name or in this file, from the cache where they have been read before."""
    path = find_corpus(name).path
    if path is None:
        raise CorpusError(f"{name} is a text; expected a file of word vectors")
    with at_work(f"reading {name}"):
        found = open_vectors(path, cache=cache_folder())
    if found.report is not None and (found.report.n_skipped or found.report.n_duplicates):
        print(f"regard: {path}: {found.report}", file=sys.stderr)
    return found


def _by_counts(task: BigramTask, parts: TextParts, place: ModelFolder) -> tuple[BigramModel, list[TrainingStep]]:
    """Train on the counts of bigrams; the history has every iteration, its end the perplexity of held-out text."""
    history: list[TrainingStep] = []
    with at_work("choosing on a tenth of the lines"):
        choice = search_form(task)
    with counting("training", task.n_iterations) as advance:

        def on_step(step: CountsStep) -> None:
            held_out = None if step.validation_nats is None else math.exp(step.validation_nats)
            history.append(TrainingStep(step.iteration, step.objective_nats, held_out))
            advance(step.iteration)

        model = train_by_counts(task, choice=choice, on_step=on_step)
    save(model, place)
    return model, history


def _by_sgd(task: BigramTask, parts: TextParts, place: ModelFolder) -> tuple[BigramModel, list[TrainingStep]]:
    """Train by stochastic gradient descent; at every checkpoint the model, and how to go on, is saved."""
    found = read_state(place.shown, task) if place.goes_on else None
    start, history = found or (None, [])
    model = None if start is None else BigramModel(start.network, task.background)
    with counting("training", task.n_iterations) as advance:
        if start is not None:
            advance(start.iteration)
        for checkpoint, model in train_by_sgd(task, start):
            valid = None if parts.valid is None else perplexity(model.score(parts.valid).log_probs_nats)
            history += steps(checkpoint.losses, since=history[-1].iteration if history else 0, valid=valid)
            is_complete = checkpoint.iteration >= task.n_iterations
            save(model, place, beside=state_files(checkpoint, task, history), is_complete=is_complete)
            advance(checkpoint.iteration)
    assert model is not None  # a run has at least one checkpoint, its last
    return model, history


def steps(losses: Float[np.ndarray, " iteration"], *, since: int, valid: float | None) -> list[TrainingStep]:
    """The history from iteration `since` to the last, whose network has perplexity `valid`."""
    ends = [*range(since + N_TOGETHER, len(losses), N_TOGETHER), len(losses)]
    means = [float(np.mean(losses[a:b], dtype=np.float64)) for a, b in zip([since, *ends[:-1]], ends, strict=True)]
    until = [TrainingStep(end, mean) for end, mean in zip(ends, means, strict=True)]
    return [*until[:-1], TrainingStep(ends[-1], means[-1], valid)]


def print_checkpoints(steps: list[TrainingStep]) -> None:
    """How loss and perplexity fell; nothing where nothing was measured on the way."""
    if steps:
        rows: list[list[Cell]] = [[step.iteration, step.train_nats, step.valid_perplexity or 0.0] for step in steps]
        print_table(["iteration", "loss", "perplexity of held-out text"], rows)
        print()


def print_gradients(*, activation: str, seed: int, as_json: bool) -> int:
    """The table of derivatives against differences and complex steps; 0 if all hold, else 1."""
    rows = check_random(np.random.default_rng(seed), activation=activation)  # type: ignore[arg-type]
    if as_json:
        print_json({"activation": activation, "rows": list(rows), "holds": all(row.holds for row in rows)})
    else:
        columns = ["derivative by", "entries", "largest", "off central difference", "off complex step", "holds"]
        table: list[list[Cell]] = [
            [r.parameter, r.n_tried, r.largest_derivative, r.central_difference, r.complex_step, r.holds] for r in rows
        ]
        print_table(columns, table, digits=3)
    return 0 if all(row.holds for row in rows) else 1
