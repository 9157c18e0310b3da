"""`regard train glove`: word vectors from which words stand near each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from regard.cli.options import Debug, Json, Seed, Text, writable
from regard.cli.output import Cell, print_json, print_table, print_training, progress_bar, require_outputs
from regard.cli.text_input import find_text, show_reading

N_NEAR = 8


def train_glove(
    text: Text,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE", callback=writable(), help="Written as GloVe text; .gz packs it."),
    ],
    vocabulary: Annotated[
        int | None,
        typer.Option("--vocabulary", min=3, help="So many words, the rest unknown. [default: all seen twice]"),
    ] = None,
    unit: Annotated[
        Literal["word", "course"], typer.Option("--unit", help="Words as they are, or lower case with digits as DG.")
    ] = "word",
    width: Annotated[int, typer.Option("--width", min=1, help="Numbers in a vector.")] = 50,
    window: Annotated[int, typer.Option("--window", min=1, help="Words this near count as near.")] = 10,
    sweeps: Annotated[int, typer.Option("--sweeps", min=1, help="Rounds of alternating least squares.")] = 8,
    near: Annotated[
        list[str] | None, typer.Option("--near", metavar="WORD", help="Show the words nearest to it.")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Train GloVe vectors on a text: w·w̃ + b + b̃ ≈ ln X, where X counts how often two words stand near each other."""
    from regard.studies.training.glove import run
    from regard.text.vectors.word_vectors import write_vectors
    from regard.training.glove import GloveConfig

    require_outputs(out, inputs=(text,))
    config = GloveConfig(width=width, window=window, n_sweeps=sweeps)
    with show_reading(text):
        corpus = find_text(text)
    with progress_bar() as progress:
        result = run(corpus, config, unit=unit, vocabulary=vocabulary, seed=seed, progress=progress)
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
