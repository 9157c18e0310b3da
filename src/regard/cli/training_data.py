"""What a classifier is trained on and measured on: a source's own parts, two sources, or one cut in two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.output import Cell, at_work, print_table
from regard.errors import ValueRangeError

if TYPE_CHECKING:
    from regard.records import LabelledTexts

Data = Annotated[
    str,
    typer.Option(
        "--data",
        metavar="NAME|FILE|FOLDER",
        help="Labelled texts: movie-snippets, imdb, .csv, .tsv, .jsonl, .parquet, or a folder for each label.",
    ),
]
TextColumn = Annotated[
    str | None, typer.Option("--text-column", metavar="NAME", help="Of a table. [default: by its usual names]")
]
LabelColumn = Annotated[
    str | None, typer.Option("--label-column", metavar="NAME", help="Of a table. [default: by its usual names]")
]
DEFAULT_SHARE = 0.1
"""Set aside to measure on, where a source has no test part and nothing was said."""


@dataclass(frozen=True)
class DataParts:
    """What to learn from, and what to measure on, if anything, with the same labels."""

    name: str
    train: LabelledTexts
    test: LabelledTexts | None
    test_name: str


def read_data(data: str, test: str | None, *, text_column: str | None, label_column: str | None) -> DataParts:
    """Both parts. A fraction of `test` is of what there is to learn from; the source's own test part is left alone."""
    from regard.text.labelled.source import read_splits, read_test_texts
    from regard.text.labelled.split import align_labels, split_texts

    columns = {"text_column": text_column, "label_column": label_column}
    with at_work(f"reading {data}"):
        splits = read_splits(data, **columns)
        if test is None and splits.test is not None:
            return DataParts(data, splits.train, splits.test, f"test part of {data}")
        share = DEFAULT_SHARE if test is None else _fraction(test)
        if share == 0:
            return DataParts(data, splits.train, None, "none")
        if share is not None:
            train, part = split_texts(splits.train, share=share)
            return DataParts(data, train, part, f"{share:g} of {data}")
        assert test is not None
        other = align_labels(read_test_texts(test, **columns), splits.train.labels, name=test, whose=data)
    return DataParts(data, splits.train, other, test)


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


def class_facts(parts: DataParts) -> dict[str, Any]:
    """The same for programs."""
    from regard.text.labelled.split import class_counts

    test = {} if parts.test is None else {"test_classes": class_counts(parts.test)}
    return {"classes": class_counts(parts.train), **test}


def _fraction(test: str) -> float | None:
    """The number that was typed, if it is one."""
    try:
        share = float(test)
    except ValueError:
        return None
    if not 0 <= share < 1:
        raise ValueRangeError(f"--test is a fraction from 0 to below 1, or labelled texts; got {test}")
    return share
