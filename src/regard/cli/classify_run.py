"""What `regard classify` does: read texts, ask a classifier, show its answers and why."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from regard.cli.familiarity import print_missing, print_warnings, unusual_marks
from regard.cli.output import Cell, at_work, print_facts, print_json, print_table, require_outputs, tracked
from regard.cli.text_input import STANDARD_INPUT, read_standard_input
from regard.display import one_line
from regard.files import write_output
from regard.records import Decision, ExplainedText, LabelledTexts
from regard.shapes import Float

if TYPE_CHECKING:
    from regard.models.classifier.base import Classifier
    from regard.models.classifier.familiarity import Familiarity

AT_ONCE = 2000
"""Texts in a batch: enough to be fast, few enough for a progress bar to move."""
MOST_EXPLAINED = 100


@dataclass(frozen=True)
class ClassifyOptions:
    """What was asked for on the command line, apart from model and texts."""

    explain: bool
    method: str | None
    seed: int
    html: Path | None
    top: int
    columns: tuple[str | None, str | None]
    as_json: bool

    @property
    def is_explaining(self) -> bool:
        """Whether each word's share is asked for."""
        return self.explain or self.html is not None


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


def run(model: str, texts: list[str], file: str | None, options: ClassifyOptions) -> None:
    """Classify texts, or the texts of a file, and print or write what came of it."""
    from regard.models.checkpoint import load_classifier

    require_outputs(options.html, inputs=(model, file))
    classifier = load_classifier(Path(model))
    given = read_file(file, classifier.labels, columns=options.columns) if file is not None else read_texts(texts)
    log_probs = answered(classifier, given.texts)
    answers = Answers(given, classifier.labels, log_probs, classifier.familiarity(given.texts, log_probs))
    explained = explanations(classifier, answers, options) if options.is_explaining else []
    if options.html is not None:
        save_page(explained, options.html, title=f"{model}: {file or 'texts'}", top=options.top)
    if options.as_json:
        print_record(model, answers, explained, options)
        return
    if options.explain:
        print_explained(explained, top=options.top)
    else:
        print_answers(answers)
    print_warnings(answers.familiarity or ())
    print_missing(answers.familiarity)
    if given.labelled is not None:
        print()
        print_facts(measures(answers))
    if options.html is not None:
        print(f"\nsaved {options.html}")


def read_texts(texts: list[str]) -> GivenTexts:
    """The texts as they were typed; a dash stands for the lines of the standard input."""
    return GivenTexts(tuple(line for text in texts for line in (_input_lines() if text == STANDARD_INPUT else [text])))


def read_file(file: str, labels: tuple[str, ...], *, columns: tuple[str | None, str | None]) -> GivenTexts:
    """Labelled texts where the file (folder, name) has labels, all of them known to the classifier; else its lines."""
    from regard.text.corpora.reader import read_text
    from regard.text.labelled.source import has_labels, read_column, read_labelled
    from regard.text.labelled.split import align_labels
    from regard.text.labelled.tables import is_table

    if file == STANDARD_INPUT:
        return GivenTexts(tuple(_input_lines()))
    path, (text_column, label_column) = Path(file), columns
    with at_work(f"reading {file}"):
        if path.exists() and not path.is_dir() and not is_table(path):
            return GivenTexts(tuple(read_text(path).removesuffix("\n").split("\n")))
        if path.is_file() and label_column is None and not has_labels(path):
            return GivenTexts(read_column(path, text_column=text_column))
        data = read_labelled(file, text_column=text_column, label_column=label_column)
        data = align_labels(data, labels, name=file, whose="the model")
    return GivenTexts(data.texts, data)


def answered(classifier: Classifier, texts: tuple[str, ...]) -> Float[np.ndarray, "batch label"]:
    """ln p(label | text) of all texts, a batch at a time."""
    batches = [texts[start : start + AT_ONCE] for start in range(0, len(texts), AT_ONCE)]
    return np.concatenate([classifier.log_probs(batch) for batch in tracked(batches, "classifying")])


def measures(answers: Answers) -> dict[str, Cell]:
    """How often the answers are right, what the true labels cost, and how honest the probabilities are."""
    from regard.evaluation.accuracy import evaluate
    from regard.text.labelled.split import majority_share

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


def explanations(classifier: Classifier, answers: Answers, options: ClassifyOptions) -> list[ExplainedText]:
    """Each text with what its words did, up to as many as a person looks at."""
    n_texts = len(answers.given.texts)
    if n_texts > MOST_EXPLAINED:
        print(f"regard: of {n_texts:,} texts the first {MOST_EXPLAINED} are explained", file=sys.stderr)
    places = tracked(range(min(n_texts, MOST_EXPLAINED)), "explaining")
    return [explanation(classifier, answers, i, options) for i in places]


def explanation(classifier: Classifier, answers: Answers, i: int, options: ClassifyOptions) -> ExplainedText:
    """One text with what its words did, set against the true label where that is another, else the runner-up."""
    from regard.evaluation.attribution import explain

    data = answers.given.labelled
    truth = None if data is None else int(data.label_ids[i])
    found = explain(classifier, answers.given.texts[i], truth=truth, method=options.method, seed=options.seed)
    return replace(found, place=i)


def print_answers(answers: Answers) -> None:
    """One line a text: its label, the label's probability, and how it begins."""
    has_truth = answers.given.labelled is not None
    marks = unusual_marks(answers.familiarity or ())
    columns = ["label", "probability", *(["true label"] if has_truth else []), *(["unusual"] if marks else []), "text"]
    taken = max(map(len, answers.labels)) * (1 + has_truth) + 25 + max((len(mark) + 2 for mark in marks), default=0)
    width = max(20, shutil.get_terminal_size().columns - taken)
    rows: list[list[Cell]] = []
    for i in range(len(answers.given.texts)):
        found = answers.decision(i)
        truth = [str(found.true_label)] if has_truth else []
        rows.append([found.label, found.probability, *truth, *marks[i : i + 1], shortened(found.text, width)])
    print_table(columns, rows, digits=4)


def shortened(text: str, width: int) -> str:
    """The beginning of a text in one line, without characters that could steer a terminal.

    >>> shortened("not  half\\nbad", 10)
    'not half …'
    """
    return one_line(" ".join(text[: 4 * width].split()), max_length=width)


def print_explained(explained: list[ExplainedText], *, top: int) -> None:
    """Each text with its words coloured (in a pipe: marked) by their share, and those that decided."""
    from regard.cli.explanation import print_decided, print_words
    from regard.report.attributed_text import headline

    for i, each in enumerate(explained):
        print("\n" if i else "", end="")
        print(headline(each))
        print_words(each)
        print_decided(each, top=top)


def save_page(explained: list[ExplainedText], path: Path, *, title: str, top: int) -> None:
    """The coloured texts as a page of HTML."""
    from regard.report.attributed_text import explained_page

    write_output(path, explained_page(explained, title=title, max_words=top).encode("utf-8", "replace"))


def print_record(model: str, answers: Answers, explained: list[ExplainedText], options: ClassifyOptions) -> None:
    """Everything as one JSON object."""
    from regard.cli.explanation import decision_json

    others = [answers.decision(i) for i in range(len(explained), len(answers.given.texts))]
    records = [decision_json(each, top=options.top) for each in (*explained, *others)]
    for record, familiarity in zip(records, answers.familiarity or (), strict=False):
        record.update(familiarity.record())
    measured = {} if answers.given.labelled is None else measures(answers)
    page = {} if options.html is None else {"html": options.html}
    facts = {name.replace(" ", "_"): fact for name, fact in measured.items() if name != "texts"}
    print_json({"model": model, "labels": answers.labels, "texts": records, **facts, **page})


def _input_lines() -> list[str]:
    return read_standard_input().removesuffix("\n").split("\n")
