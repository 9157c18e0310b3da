"""`regard study averaging`: averaging classifiers side by side on the same texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.app import (
    Csv,
    Data,
    Debug,
    Figure,
    Json,
    LabelColumn,
    Scheduler,
    Seed,
    TextColumn,
    WorkerCount,
    fraction_or_name,
    use_one_thread,
)
from regard.cli.output import (
    align_right,
    print_json,
    print_note,
    print_table,
    progress_bar,
    require_outputs,
    show_activity,
)
from regard.errors import ValueRangeError
from regard.files import write_output

if TYPE_CHECKING:
    from regard.models.classifier.base import Classifier
    from regard.tables import StudyTable


Test = Annotated[
    str,
    typer.Option(metavar="FRACTION|NAME|FILE", help="Measure on this: a fraction of the training data, or other data."),
]
Only = Annotated[
    str,
    typer.Option(
        metavar="NAME,NAME,…",
        help="Ask only these, out of dropout, depth, activation, vectors, weights, form. [default: all]",
    ),
]
Vectors = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE|none", help="Start from these word vectors. [default: glove if available, else none]"
    ),
]
Epochs = Annotated[
    int | None, typer.Option(min=1, help="Go through the data at most this many times. [default: 6 to 20]")
]


def study_averaging(
    data: Data = "movie-snippets",
    test: Test = "0.2",
    only: Only = "",
    vectors: Vectors = None,
    epochs: Epochs = None,
    seeds: Annotated[
        int, typer.Option(min=1, help="Train each variant this many times; means and spreads are shown.")
    ] = 1,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the best classifier to this folder.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the model in DIR.")] = False,
    figure: Figure = None,
    csv: Csv = None,
    text_column: TextColumn = None,
    label_column: LabelColumn = None,
    workers: WorkerCount = 1,
    scheduler: Scheduler = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Compare averaging classifiers on the same texts: dropout, depth, vectors, attention, n-grams."""
    use_one_thread()
    from regard.models import folder_writer
    from regard.records import Workers
    from regard.studies.averaging import Config, run
    from regard.studies.training.averaging import epochs_for
    from regard.studies.training.data import split_data
    from regard.studies.training.glove import find_start_vectors
    from regard.studies.training.network import require_torch
    from regard.studies.training.run import open_folder

    require_torch()
    require_outputs(figure, csv, inputs=(data, test, vectors), model_folder=out)
    group = Workers(workers, scheduler)
    questions = tuple(name.strip() for name in only.split(",")) if only else ()
    with open_folder(out, kind="averaging", force=force) as place:
        with show_activity("reading word vectors"):
            vectors_name, start = find_start_vectors(vectors, note=print_note)
        with show_activity(f"reading {data}"):
            parts = split_data(data, fraction_or_name(test), text_column=text_column, label_column=label_column)
        if parts.test is None:
            raise ValueRangeError(
                f"classifiers are compared on texts that none has learnt from, so --test must keep some; got {test}"
            )
        settings = {"epochs": epochs_for(len(parts.train)) if epochs is None else epochs}
        best: list[Classifier] = []
        config = Config(data, questions, vectors_name, settings, seeds, seed)
        with progress_bar() as progress:
            keep = None if place is None else best.append
            table = run(parts.train, parts.test, config, vectors=start, workers=group, progress=progress, on_best=keep)
        if place is not None:
            folder_writer.save(best[-1], place)
    save(table, csv=csv, figure=figure)
    show(table, as_json=as_json)
    if not as_json:
        for path in (figure, csv, out):
            if path is not None:
                print(f"\nsaved {path}")


def save(table: StudyTable, *, csv: Path | None, figure: Path | None) -> None:
    """Save the files that were asked for."""
    from regard.report.comparisons import draw_averaging_comparison
    from regard.report.figures import save_figure

    if csv is not None:
        write_output(csv, table.as_csv().encode())
    if figure is not None:
        save_figure(draw_averaging_comparison(table), figure)


def show(table: StudyTable, *, as_json: bool) -> None:
    """Everything that was found: for programs, or for people."""
    if as_json:
        print_json({"title": table.title, "config": table.config, "rows": table.records(), "notes": table.notes})
        return
    print(f"{table.title}\n")
    columns = [[heading, *(form(row) for row in table.records())] for heading, form in COLUMNS.items()]
    lines = list(zip(*columns[:2], *map(align_right, columns[2:]), strict=True))
    print_table(lines[0], lines[1:])
    print("\nWhat the figures say:")
    for note in table.notes:
        print(f"- {note}")


def _error(row: dict[str, Any]) -> str:
    """The error of the accuracy, or its spread over seeds where there are several."""
    return f"± {100 * (row['standard_error'] if row['spread'] is None else row['spread']):.2f}"


def _format_difference(row: dict[str, Any]) -> str:
    return "-" if row["question"] == "usual" else f"{100 * row['difference']:+.2f}"


def _format_pair(row: dict[str, Any]) -> str:
    return "-" if row["question"] == "usual" else f"{row['only_this']}:{row['only_usual']}"


def _p_value(row: dict[str, Any]) -> str:
    return "-" if row["question"] == "usual" else f"{row['p_value']:.2g}"


COLUMNS: dict[str, Callable[[dict[str, Any]], str]] = {
    "question": lambda row: str(row["question"]),
    "variant": lambda row: str(row["variant"]),
    "% right": lambda row: f"{100 * row['accuracy']:.2f}",
    "": _error,
    "points": _format_difference,
    "pairs": _format_pair,
    "p": _p_value,
    "in training": lambda row: f"{100 * row['train_accuracy']:.1f}",
    "parameters": lambda row: f"{row['parameters']:,}",
    "CPU s": lambda row: f"{row['cpu_seconds']:.1f}",
}
"""What people see of each row; --json and --csv have all of it. Pairs: texts that only this one, only the usual one
gets right."""
