"""`regard train averaging`: a classifier that averages the words of a text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from regard.cli.app import (
    Data,
    Debug,
    Force,
    Json,
    LabelColumn,
    Out,
    Seed,
    TextColumn,
    fraction_or_name,
    refuse_resume_with_force,
    use_one_thread,
)
from regard.cli.output import Stopped, print_json, print_note, print_table, print_training, show_activity
from regard.display import Cell

if TYPE_CHECKING:
    from regard.studies.training.data import DataParts
    from regard.training.averaging.words import Round


Test = Annotated[
    str | None,
    typer.Option(
        "--test",
        metavar="FRACTION|NAME|FILE",
        help="Measure on this: a fraction of the data, or other data; 0: nothing. [default: the test part, or 0.1]",
    ),
]
Form = Annotated[
    Literal["classic", "strong"],
    typer.Option("--form", help="classic: words alone; strong: also n-grams of up to three words."),
]
Vectors = Annotated[
    str | None,
    typer.Option(
        "--vectors",
        metavar="NAME|FILE|none",
        help="Start from these word vectors, in GloVe's text format. [default: glove if available, else none]",
    ),
]
Width = Annotated[
    int | None, typer.Option("--width", min=1, help="Length of a word vector, if none are given. [default: 100]")
]
Order = Annotated[
    int | None,
    typer.Option("--order", min=1, max=5, help="Length of the longest n-gram in the strong form. [default: 3]"),
]
Layers = Annotated[
    int | None, typer.Option("--layers", min=0, max=3, help="Number of hidden layers; 0: linear. [default: 1]")
]
Hidden = Annotated[int | None, typer.Option("--hidden", min=1, help="Units in each hidden layer. [default: 32]")]
Activation = Annotated[
    Literal["relu", "tanh", "sigmoid", "gelu", "linear"] | None,
    typer.Option("--activation", help="Activation of the hidden units. [default: relu]"),
]
Dropout = Annotated[
    float | None, typer.Option("--dropout", help="Fraction of units left out in training. [default: 0.2]")
]
WordDropout = Annotated[
    float | None, typer.Option("--word-dropout", help="Fraction of words left out in training. [default: 0.5]")
]
Attention = Annotated[bool, typer.Option("--attention", help="Weigh words by one learnt query instead of equally.")]
Epochs = Annotated[
    int | None, typer.Option("--epochs", min=1, help="Go through the data at most this many times. [default: 6 to 20]")
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue the interrupted run for DIR, if there is one.")]


def train_averaging(
    out: Out,
    data: Data = "movie-snippets",
    test: Test = None,
    form: Form = "strong",
    vectors: Vectors = None,
    fix_vectors: Annotated[bool, typer.Option("--fix-vectors", help="Do not train the given vectors.")] = False,
    width: Width = None,
    order: Order = None,
    layers: Layers = None,
    hidden: Hidden = None,
    activation: Activation = None,
    dropout: Dropout = None,
    word_dropout: WordDropout = None,
    attention: Attention = False,
    epochs: Epochs = None,
    text_column: TextColumn = None,
    label_column: LabelColumn = None,
    resume: Resume = False,
    force: Force = False,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Train a deep averaging network (attention whose query is zero) to predict the labels of texts."""
    use_one_thread()  # the steps are so small that threads would only wait for each other
    given: dict[str, Any] = {
        "width": width,
        "order": order,
        "layers": layers,
        "hidden": hidden,
        "activation": activation,
        "dropout": dropout,
        "word_dropout": word_dropout,
        "epochs": epochs,
    }
    settings = {name: value for name, value in given.items() if value is not None}
    settings |= {"form": form, "attention": attention, "fine_tune": not fix_vectors, "seed": seed}
    source = {"data": data, "test": test, "text_column": text_column, "label_column": label_column}
    refuse_resume_with_force(resume=resume, force=force)
    _train(settings, source, vectors, out=out, resume=resume, force=force, as_json=as_json)


def _train(
    settings: dict[str, Any],
    source: dict[str, Any],
    vectors: str | None,
    *,
    out: Path,
    resume: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Train a classifier on labelled texts, or go on; it goes to a folder, what came of it is printed."""
    from regard.studies.training.averaging import choose_config, open_shared_folder, run
    from regard.studies.training.data import class_facts
    from regard.studies.training.glove import find_start_vectors
    from regard.studies.training.network import require_torch
    from regard.studies.training.run import TrainingStopped
    from regard.training.averaging.config import AveragingConfig

    require_torch()
    AveragingConfig(**settings)  # refuses what cannot be before anything is read
    with open_shared_folder(out, force=force, resume=resume) as place:
        parts = _read_data(**source)
        if not as_json and place is not None:
            print_classes(parts)
        config = choose_config(settings, n_texts=len(parts.train))
        with show_activity("reading word vectors"):
            name, start = find_start_vectors(vectors, note=print_note)
        try:
            resumed = out if resume else None
            result = run(parts, config, vectors=start, place=place, resumed=resumed, on_round=print_round)
        except TrainingStopped as stop:
            raise Stopped(str(stop)) from None
    if not result.facts:
        return
    facts = {"out": str(out), "form": config.form, "vectors": name, **result.facts}
    if as_json:
        print_json(facts | class_facts(parts))
        return
    print_training(facts, as_json=False)


def _read_data(data: str, test: str | None, *, text_column: str | None, label_column: str | None) -> DataParts:
    from regard.studies.training.data import split_data

    with show_activity(f"reading {data}"):
        other = None if test is None else fraction_or_name(test)
        return split_data(data, other, text_column=text_column, label_column=label_column)


def print_classes(parts: DataParts) -> None:
    """How many texts each class has, to learn from and to measure on; and what to be wary of."""
    from regard.text.labelled.split import class_counts, class_notes

    columns = {"train": class_counts(parts.train)}
    if parts.test is not None:
        columns["test"] = class_counts(parts.test)
    rows: list[list[Cell]] = [[label, *(counts[label] for counts in columns.values())] for label in parts.train.labels]
    print_table(["class", *columns], rows)
    for note in class_notes(parts.train):
        print(f"be wary: {note}")
    print(flush=True)  # progress, on the other stream, is to come after it


def print_round(done: Round) -> None:
    """One line a round, at once, beside what is printed in the end."""
    line = f"{done.train_nats:.4f} nats, validation {done.valid_nats:.4f}, accuracy there {done.valid_accuracy:.4f}"
    print(f"epoch {done.epoch}: {line}", file=sys.stderr, flush=True)
