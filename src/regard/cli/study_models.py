"""What `regard study models` does: read a text, run the comparison, show it as tables, words and samples."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from regard.cli.output import print_json, print_table, progress_bar
from regard.display import percent
from regard.files import write_output
from regard.records import StudyTable

MOST_CHARACTERS = 2_000_000
"""Of a longer text only the beginning is compared on: counting and scoring all of it would take hours."""
SHOWN = 300
"""Characters of each sample that are printed; --json has all of them."""


THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def use_one_thread() -> None:
    """Have NumPy and torch, which are yet to be loaded, calculate on one thread, unless something else was asked for.

    Threads that wait for each other spend the processor's time, by which models are compared here; and on one thread
    the figures are the same whatever the number of cores.
    """
    for name in THREADS:
        os.environ.setdefault(name, "1")


def read_beginning(name: str, *, most: int) -> tuple[str, bool]:
    """The text of this name, or as much of it as is compared on; and whether there is more. It is not read further."""
    from regard.cli.text_input import find_text, reading

    pieces: list[str] = []
    n_characters = 0
    with reading(name):
        for piece in find_text(name).chunks():
            pieces.append(piece)
            n_characters += len(piece)
            if n_characters > most:
                break
    return "".join(pieces)[:most], n_characters > most


def compare(text: str, settings: dict[str, Any]) -> StudyTable:
    """The comparison, with a bar on the terminal; a text that was cut short is told of in a note."""
    from regard.studies import models

    config = models.Config(text=text, **settings)
    content, is_cut = read_beginning(text, most=MOST_CHARACTERS)
    with progress_bar() as progress:
        table = models.run(content, config, progress=progress)
    if not is_cut:
        return table
    return replace(table, notes=(*table.notes, f"of {text} only the first {MOST_CHARACTERS:,} characters were taken"))


def save(table: StudyTable, *, csv: Path | None, figure: Path | None) -> None:
    """Those files that were asked for; samples, which have line breaks in them, are left out of the CSV."""
    from regard.report.figure_file import save_figure
    from regard.report.model_comparison import draw_model_comparison
    from regard.report.tables import to_csv

    if csv is not None:
        plain = replace(table, columns=table.columns[:-1], rows=tuple(row[:-1] for row in table.rows))
        write_output(csv, to_csv(plain).encode())
    if figure is not None:
        save_figure(draw_model_comparison(table), figure)


def show(table: StudyTable, *, as_json: bool) -> None:
    """Everything that was found: for programs, or for people."""
    if as_json:
        print_json({"title": table.title, "config": table.config, "rows": table.records(), "notes": table.notes})
        return
    print(table.title)
    for title, columns in TABLES.items():
        print(f"\n{title}:")
        cells = [[form(row) for row in table.records()] for form in columns.values()]
        names, *numbers = [[heading, *column] for heading, column in zip(columns, cells, strict=True)]
        lines = list(zip(names, *map(set_right, numbers), strict=True))
        print_table(lines[0], lines[1:])
    print("\nWhat the figures say:")
    for note in table.notes:
        print(f"- {note}")
    print("\nWhat they write:")
    for row in table.records():
        print(f"--- {row['model']} ---\n{row['sample'][:SHOWN].strip()}")


def set_right(column: list[str]) -> list[str]:
    """The cells of a column, its heading among them, ending below each other."""
    width = max(map(len, column))
    return [cell.rjust(width) for cell in column]


def _number(name: str, form: str) -> Callable[[dict[str, Any]], str]:
    """A column's number in this form; a dash where there is none."""
    return lambda row: "-" if row[name] is None else format(row[name], form)


def _percent(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda row: "-" if row[name] is None else percent(row[name], decimals=1)


def _model(row: dict[str, Any]) -> str:
    return str(row["model"])


TABLES: dict[str, dict[str, Callable[[dict[str, Any]], str]]] = {
    "Quality": {
        "model": _model,
        "tokens": lambda row: f"{row['tokens']:,} {row['unit']}s",
        "per 1,000 chars": _number("tokens_per_1000_characters", ".0f"),
        "unknown": _percent("unknown_share"),
        "(own perplexity)": lambda row: f"({row['perplexity']:.4g} per {row['unit']})",
        "bits/char": _number("bits_per_character", ".4f"),
    },
    "Where the bits go, in bits per character": {
        "model": _model,
        "tokens": _number("token_bits", ".4f"),
        "spelling": _number("spelling_bits", ".4f"),
        "restoring": _number("restoration_bits", ".4f"),
        "in familiar words": _number("familiar_bits", ".4f"),
        "in other words": _number("rare_bits", ".4f"),
    },
    "Cost": {
        "model": _model,
        "vocabulary": _number("vocabulary", ","),
        "parameters": _number("parameters", ","),
        "training s": _number("training_seconds", ".2f"),
        "scored chars/s": _number("scoring_characters_per_second", ",.0f"),
        "drawn chars/s": _number("sampling_characters_per_second", ",.0f"),
        "invented words": _percent("invented_share"),
    },
}
"""What people see of each row, in tables that fit on a terminal: --json and --csv have all digits."""
