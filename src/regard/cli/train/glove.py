"""`regard train glove`: word vectors from which words stand near each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from regard.cli.app import Debug, Json, Scheduler, Seed, Text, WorkerCount, find_text, show_reading, writable
from regard.cli.output import print_json, print_table, print_training, progress_bar, require_outputs
from regard.display import Cell

N_NEAR = 8


Out = Annotated[
    Path,
    typer.Option(
        "--out",
        metavar="FILE",
        callback=writable(),
        help="Write the vectors here, in GloVe's text format; .gz compresses it.",
    ),
]
Vocabulary = Annotated[
    int | None,
    typer.Option(
        "--vocabulary", min=3, help="Know this many words; others are unknown. [default: all seen at least twice]"
    ),
]
Unit = Annotated[
    Literal["word", "course"],
    typer.Option("--unit", help="word: words as they are; course: lower case, digits as DG."),
]
Near = Annotated[list[str] | None, typer.Option("--near", metavar="WORD", help="Show the words nearest to this one.")]


def train_glove(
    text: Text,
    out: Out,
    vocabulary: Vocabulary = None,
    unit: Unit = "word",
    width: Annotated[int, typer.Option("--width", min=1, help="Length of a vector.")] = 50,
    window: Annotated[int, typer.Option("--window", min=1, help="Count words at most this far apart.")] = 10,
    sweeps: Annotated[int, typer.Option("--sweeps", min=1, help="Number of rounds of alternating least squares.")] = 8,
    near: Near = None,
    workers: WorkerCount = 1,
    scheduler: Scheduler = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Train GloVe vectors on a text: w·w̃ + b + b̃ ≈ ln X, where X counts how often two words stand near each other."""
    from regard.records import Workers
    from regard.studies.training.glove import run
    from regard.text.vectors.word_vectors import write_vectors
    from regard.training.glove import GloveConfig

    require_outputs(out, inputs=(text,))
    group = Workers(workers, scheduler)
    config = GloveConfig(width=width, window=window, n_sweeps=sweeps)
    with show_reading(text):
        corpus = find_text(text)
    with progress_bar() as progress:
        result = run(corpus, config, unit=unit, vocabulary=vocabulary, seed=seed, workers=group, progress=progress)
    write_vectors(result.model, out)
    facts = {"out": str(out), **result.facts}
    nearest = {word: result.model.nearest(word, N_NEAR) for word in near or []}
    if as_json:
        print_json(facts | {"nearest": nearest})
        return
    print_training(facts, as_json=False)
    for word, found in nearest.items():
        rows: list[list[Cell]] = [[other, cosine] for other, cosine in found]
        print()
        print_table([f"nearest to {word}", "cosine"], rows, digits=3)
