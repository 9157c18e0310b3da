"""`regard train ngram`: a model that counts."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from regard.cli.app import Debug, Force, Json, Out, Scheduler, Text, Valid, WorkerCount, read_parts
from regard.cli.output import print_training, progress_bar

Unit = Annotated[
    Literal["char", "byte", "word", "course"],
    typer.Option("--unit", help="What to count; course: words in lower case, digits as DG."),
]
Method = Annotated[
    Literal["mixing", "kneser-ney"],
    typer.Option("--method", help="mixing: weigh all orders by how often each was seen; or modified Kneser–Ney."),
]
Order = Annotated[
    int | None,
    typer.Option(
        "--order", min=1, max=10, help="Length of the longest n-gram. [default: the best for the unit and method]"
    ),
]
Vocabulary = Annotated[
    int | None,
    typer.Option(
        "--vocabulary", min=2, help="Know this many words; others are unknown. [default: all seen at least twice]"
    ),
]
OnDisk = Annotated[
    bool,
    typer.Option(
        "--on-disk",
        help="Count on the disk, in at most 1 GiB of memory; a text too long for memory is always counted this way.",
    ),
]


def train_ngram(
    text: Text,
    out: Out,
    valid: Valid = "0.1",
    unit: Unit = "char",
    method: Method = "mixing",
    order: Order = None,
    vocabulary: Vocabulary = None,
    on_disk: OnDisk = False,
    workers: WorkerCount = 1,
    scheduler: Scheduler = None,
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Count the n-grams of a text, write the model to a folder, and print its perplexity on validation text."""
    from regard.models.folder_writer import writing
    from regard.models.ngram.model import NgramConfig
    from regard.records import Workers
    from regard.studies.training.ngram import MAX_VALID, run

    group = Workers(workers, scheduler)
    with writing(out, kind="ngram", force=force, keep_work=True) as place:
        parts = read_parts(text, valid, at_line_ends=unit in ("word", "course"), max_valid=MAX_VALID)
        config = NgramConfig(unit=unit, order=order, method=method, vocabulary=vocabulary)
        with progress_bar() as progress:
            result = run(parts, config, place=place, on_disk=on_disk, workers=group, progress=progress)
    print_training({"out": str(out), **result.facts}, as_json=as_json)
