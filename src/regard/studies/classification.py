"""What a classifier says of many texts: labels with probabilities, how usual each text is, the words that decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from regard.evaluation.accuracy import evaluate
from regard.evaluation.attribution import explain
from regard.models.classifier.base import Classifier
from regard.models.classifier.familiarity import Familiarity
from regard.progress import Progress, silent, track
from regard.records import Decision, ExplainedText, LabelledTexts
from regard.shapes import Float
from regard.text.corpora.reader import read_text
from regard.text.labelled.source import has_labels, read_column, read_labelled
from regard.text.labelled.split import align_labels, majority_share
from regard.text.labelled.tables import is_table

BATCH_SIZE = 2000
"""Texts in a batch: enough to be fast, few enough for a progress bar to move."""


@dataclass(frozen=True)
class GivenTexts:
    """Texts to classify, and their labels where they have some."""

    texts: tuple[str, ...]
    labelled: LabelledTexts | None = None


@dataclass(frozen=True)
class Answers:
    """What a classifier says of texts."""

    given: GivenTexts
    labels: tuple[str, ...]
    log_probs: Float[np.ndarray, "batch label"]
    familiarity: tuple[Familiarity, ...] | None = None

    def decision(self, i: int) -> Decision:
        """The answer to one text."""
        return Decision(
            text=self.given.texts[i],
            label=self.labels[int(self.log_probs[i].argmax())],
            probabilities=dict(zip(self.labels, np.exp(self.log_probs[i]).tolist(), strict=True)),
            true_label=self.true_label(i),
            place=i,
        )

    def true_label(self, i: int) -> str | None:
        """The label that a text came with."""
        data = self.given.labelled
        return None if data is None else data.labels[data.label_ids[i]]


def read_texts(
    path: Path | str, labels: tuple[str, ...], *, text_column: str | None = None, label_column: str | None = None
) -> GivenTexts:
    """Labelled texts where the file (folder, corpus) has labels, all of them among `labels`; else its lines."""
    file = Path(path)
    if file.exists() and not file.is_dir() and not is_table(file):
        return GivenTexts(split_lines(read_text(file)))
    if file.is_file() and label_column is None and not has_labels(file):
        return GivenTexts(read_column(file, text_column=text_column))
    data = read_labelled(str(path), text_column=text_column, label_column=label_column)
    data = align_labels(data, labels, name=str(path), whose="the model")
    return GivenTexts(data.texts, data)


def split_lines(text: str) -> tuple[str, ...]:
    """One text a line.

    >>> split_lines("good\\nbad\\n")
    ('good', 'bad')
    """
    return tuple(text.removesuffix("\n").split("\n"))


def classify(classifier: Classifier, given: GivenTexts, *, progress: Progress = silent) -> Answers:
    """ln p(label | text) of all texts, a batch at a time, and whether each is like the training texts."""
    texts = given.texts
    batches = [texts[start : start + BATCH_SIZE] for start in range(0, len(texts), BATCH_SIZE)]
    found = [classifier.log_probs(batch) for batch in track(batches, progress=progress, message="classifying")]
    log_probs = np.concatenate(found)
    return Answers(given, classifier.labels, log_probs, classifier.familiarity(texts, log_probs))


def measure(answers: Answers) -> dict[str, Any]:
    """How often the answers to labelled texts are right, what true labels cost, how honest the probabilities are."""
    data = answers.given.labelled
    assert data is not None
    found = evaluate(answers.log_probs, data.label_ids, labels=data.labels)
    return {
        "texts": found.n,
        "accuracy": found.accuracy,
        "standard error": found.standard_error,
        "always the commonest label": majority_share(data),
        "nats": found.nats,
        "calibration error": found.calibration_error,
    }


def explain_answers(
    classifier: Classifier,
    answers: Answers,
    places: Sequence[int],
    *,
    method: str | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> list[ExplainedText]:
    """The texts at these places with what their words did, set against the true label, or else the runner-up."""
    data = answers.given.labelled
    found = []
    for i in track(places, progress=progress, message="explaining"):
        truth = None if data is None else int(data.label_ids[i])
        explained = explain(classifier, answers.given.texts[i], truth=truth, method=method, seed=seed)
        found.append(replace(explained, place=i))
    return found
