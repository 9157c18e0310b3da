"""What `regard study averaging` does: read labelled texts, compare classifiers of them, show what came of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.cli.output import print_json, print_table, progress_bar, require_outputs
from regard.cli.study_models import set_right
from regard.cli.train_averaging import chosen_vectors, rounds_for
from regard.cli.training_data import read_data
from regard.errors import ValueRangeError
from regard.files import write_output
from regard.records import StudyTable

if TYPE_CHECKING:
    from regard.models.classifier.base import Classifier


@dataclass(frozen=True)
class AveragingStudyOptions:
    """What was asked for on the command line, apart from where results go."""

    test: str
    only: str
    vectors: str | None
    settings: dict[str, Any]
    seeds: int
    seed: int
    columns: tuple[str | None, str | None]


def run(
    data: str,
    options: AveragingStudyOptions,
    *,
    out: Path | None,
    force: bool,
    figure: Path | None,
    csv: Path | None,
    as_json: bool,
) -> None:
    """Compare, save what is to be saved, print."""
    from regard.cli.train_network import require_torch
    from regard.models import checkpoint
    from regard.models.folder_writer import writing

    require_torch()
    require_outputs(figure, csv, inputs=(data, options.test, options.vectors), model_folder=out)
    with nullcontext() if out is None else writing(out, kind="averaging", force=force) as place:
        table, best = compare(data, options)
        if place is not None:
            checkpoint.save(best, place)
    save(table, csv=csv, figure=figure)
    show(table, as_json=as_json)
    if not as_json:
        for path in (figure, csv, out):
            if path is not None:
                print(f"\nsaved {path}")


def compare(data: str, options: AveragingStudyOptions) -> tuple[StudyTable, Classifier]:
    """The comparison, with a bar on the terminal; and the best classifier of it."""
    from regard.studies import averaging

    only = tuple(name.strip() for name in options.only.split(",")) if options.only else ()
    name, vectors = chosen_vectors(options.vectors)
    parts = read_data(data, options.test, text_column=options.columns[0], label_column=options.columns[1])
    if parts.test is None:
        raise ValueRangeError(f"classifiers are compared on texts to measure on; got --test {options.test}")
    settings = {"epochs": rounds_for(len(parts.train)), **options.settings}
    config = averaging.Config(data, only, name, settings, options.seeds, options.seed)
    best: list[Classifier] = []
    with progress_bar() as progress:
        table = averaging.run(parts.train, parts.test, config, vectors=vectors, progress=progress, on_best=best.append)
    return table, best[-1]


def save(table: StudyTable, *, csv: Path | None, figure: Path | None) -> None:
    """Those files that were asked for."""
    from regard.report.averaging_comparison import draw_averaging_comparison
    from regard.report.figure_file import save_figure
    from regard.report.tables import to_csv

    if csv is not None:
        write_output(csv, to_csv(table).encode())
    if figure is not None:
        save_figure(draw_averaging_comparison(table), figure)


def show(table: StudyTable, *, as_json: bool) -> None:
    """Everything that was found: for programs, or for people."""
    if as_json:
        print_json({"title": table.title, "config": table.config, "rows": table.records(), "notes": table.notes})
        return
    print(f"{table.title}\n")
    columns = [[heading, *(form(row) for row in table.records())] for heading, form in COLUMNS.items()]
    lines = list(zip(*columns[:2], *map(set_right, columns[2:]), strict=True))
    print_table(lines[0], lines[1:])
    print("\nWhat the figures say:")
    for note in table.notes:
        print(f"- {note}")


def _error(row: dict[str, Any]) -> str:
    """The error of the accuracy, or its spread over seeds where there are several."""
    return f"± {100 * (row['standard_error'] if row['spread'] is None else row['spread']):.2f}"


def _against(row: dict[str, Any]) -> str:
    return "-" if row["question"] == "usual" else f"{100 * row['difference']:+.2f}"


def _pair(row: dict[str, Any]) -> str:
    return "-" if row["question"] == "usual" else f"{row['only_this']}:{row['only_usual']}"


def _p_value(row: dict[str, Any]) -> str:
    return "-" if row["question"] == "usual" else f"{row['p_value']:.2g}"


COLUMNS: dict[str, Callable[[dict[str, Any]], str]] = {
    "question": lambda row: str(row["question"]),
    "variant": lambda row: str(row["variant"]),
    "% right": lambda row: f"{100 * row['accuracy']:.2f}",
    "": _error,
    "points": _against,
    "pairs": _pair,
    "p": _p_value,
    "in training": lambda row: f"{100 * row['train_accuracy']:.1f}",
    "parameters": lambda row: f"{row['parameters']:,}",
    "CPU s": lambda row: f"{row['cpu_seconds']:.1f}",
}
"""What people see of each row; --json and --csv have all of it. Pairs: texts that only this one, only the usual one
gets right."""
