"""`regard study models`: models of characters and of words side by side on the same text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.app import (
    Csv,
    Debug,
    Figure,
    Json,
    Scheduler,
    Seed,
    WorkerCount,
    find_text,
    show_reading,
    use_one_thread,
)
from regard.cli.output import align_right, print_json, print_table, progress_bar, require_outputs
from regard.display import percent
from regard.files import write_output

if TYPE_CHECKING:
    from regard.tables import StudyTable

# Written out, for the table they stand in loads what help pages can do without.
MODEL_NAMES = (
    "ngram-char, ngram-byte, ngram-word, bigram-char, bigram-word, recurrent-char, recurrent-word, transformer-char"
)
SHOWN = 300
"""Characters of each sample that are printed; --json has all of them."""


Text = Annotated[str, typer.Option(metavar="NAME|FILE", help="Train on this text and measure on its last tenth.")]
Names = Annotated[
    str,
    typer.Option(
        "--models", metavar="NAME,NAME,…", help=f"Compare these, out of {MODEL_NAMES}. [default: all but bytes]"
    ),
]
Minutes = Annotated[float, typer.Option(help="Processor minutes for each recurrent network and Transformer.")]
Length = Annotated[int, typer.Option(min=1, max=1_000_000, help="Draw this many characters from each model.")]


def study_models(
    text: Text = "python-manual",
    names: Names = "",
    minutes: Minutes = 0.25,
    length: Length = 2000,
    figure: Figure = None,
    csv: Csv = None,
    workers: WorkerCount = 1,
    scheduler: Scheduler = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Compare models of characters and of words on one text: quality, unknown words, size and speed."""
    use_one_thread()
    require_outputs(figure, csv, inputs=(text,))
    from regard.records import Workers
    from regard.studies.model_trainers import DEFAULT_MODELS
    from regard.studies.models import Config, compare_models

    chosen = tuple(name.strip() for name in names.split(",")) if names else DEFAULT_MODELS
    config = Config(text=text, models=chosen, minutes=minutes, n_drawn=length, seed=seed)
    with show_reading(text):
        corpus = find_text(text)
    with progress_bar() as progress:
        table = compare_models(corpus, config, workers=Workers(workers, scheduler), progress=progress)
    save(table, csv=csv, figure=figure)
    show(table, as_json=as_json)
    if not as_json:
        for path in (figure, csv):
            if path is not None:
                print(f"\nsaved {path}")


def save(table: StudyTable, *, csv: Path | None, figure: Path | None) -> None:
    """Save the files that were asked for; samples, which have line breaks in them, are left out of the CSV."""
    from regard.report.comparisons import draw_model_comparison
    from regard.report.figures import save_figure

    if csv is not None:
        plain = replace(table, columns=table.columns[:-1], rows=tuple(row[:-1] for row in table.rows))
        write_output(csv, plain.as_csv().encode())
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
        lines = list(zip(names, *map(align_right, numbers), strict=True))
        print_table(lines[0], lines[1:])
    print("\nWhat the figures say:")
    for note in table.notes:
        print(f"- {note}")
    print("\nWhat they write:")
    for row in table.records():
        print(f"--- {row['model']} ---\n{row['sample'][:SHOWN].strip()}")


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
