"""What `regard train glove` does: count, fit, write, and show a word's neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from regard.cli.output import Cell, print_json, print_table, progress_bar
from regard.cli.text_input import find_text, reading
from regard.cli.training_text import Stopwatch, report
from regard.text.cooccurrence import count_cooccurrences
from regard.text.tokenise.tokenisers import fit_tokeniser
from regard.text.vectors.word_vectors import WordVectors, write_vectors
from regard.training.glove import GloveConfig, train_glove

N_NEAR = 8


@dataclass(frozen=True)
class Outcome:
    """The vectors, and what to print."""

    vectors: WordVectors
    facts: dict[str, Any]


def run(
    text: str, out: Path, config: GloveConfig, *, unit: Literal["word", "course"], vocabulary: int | None, seed: int
) -> Outcome:
    """Count which words stand near each other, fit vectors, and write them."""
    with reading(text):
        whole = find_text(text).text
        watch = Stopwatch()
        tokeniser = fit_tokeniser(whole, unit=unit, vocabulary=vocabulary)
        ids, words = tokeniser.encode(whole).ids, tokeniser.vocabulary
        lines = np.split(ids, np.flatnonzero(ids == tokeniser.line_end) + 1)
        counts = count_cooccurrences(lines, n_words=len(words), window=config.window)
    with progress_bar() as progress:
        vectors, history = train_glove(counts, words, config, np.random.default_rng(seed), progress=progress)
    write_vectors(vectors, out)
    facts = {"out": str(out), "words": len(words), "width": config.width, **watch.seconds()}
    return Outcome(vectors, facts | {"loss_first": history[0].loss, "loss_last": history[-1].loss})


def print_outcome(outcome: Outcome, near: list[str], *, as_json: bool) -> None:
    """What came of it, and the nearest words of those asked for."""
    neighbours = {word: outcome.vectors.nearest(word, N_NEAR) for word in near}
    if as_json:
        print_json(outcome.facts | {"nearest": neighbours})
        return
    report(outcome.facts, as_json=False)
    for word, found in neighbours.items():
        rows: list[list[Cell]] = [[other, cosine] for other, cosine in found]
        print()
        print_table([f"nearest to {word}", "cosine"], rows, digits=3)
