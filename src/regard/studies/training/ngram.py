"""From a text to a model that counts n-grams, in one call."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from regard.errors import ValueRangeError
from regard.models.checkpoint import save
from regard.models.folder_writer import ModelFolder
from regard.models.ngram.model import NgramModel
from regard.progress import Progress, show_progress, silent
from regard.studies.sources import TextParts, TextSource, split_text
from regard.studies.training.result import Stopwatch, TrainingResult, measure_validation, open_folder
from regard.training import ngram as training
from regard.training.ngram import NgramConfig

BYTES_PER_NGRAM = 50
"""Measured at the peak of training: 540 bytes a character at order 10 of a million of them, less of more."""


def train_ngram(
    text: TextSource,
    config: NgramConfig | None = None,
    *,
    unit: Literal["char", "byte", "word", "course"] = "char",
    method: Literal["mixing", "kneser-ney"] = "mixing",
    order: int | None = None,
    vocabulary: int | None = None,
    out: Path | str | None = None,
    force: bool = False,
    progress: Progress | bool = True,
) -> NgramModel:
    """Train a model that counts the n-grams of a text; with `out`, also write it to that folder.

    `text` is a corpus name, a path, or a text with a line break in it. `order` is that of the longest n-gram; without
    one, the best of its kind. `vocabulary` is how many words are known. A `config` may stand for all of these.

    >>> train_ngram("to be or not to be\\n" * 9, order=3).order
    3
    """
    config = config or NgramConfig(unit=unit, order=order, method=method, vocabulary=vocabulary)
    with show_progress(progress) as report, open_folder(out, kind="ngram", force=force) as place:
        return run(split_text(text, valid=0), config, place=place, progress=report).model


def run(
    parts: TextParts, config: NgramConfig, *, place: ModelFolder | None = None, progress: Progress = silent
) -> TrainingResult[NgramModel]:
    """Count, save and measure."""
    text = parts.train
    require_memory(len(text), order=config.chosen_order, unit=config.unit)
    watch = Stopwatch()
    progress(None, "counting")
    model = training.train_ngram(text, config)
    if place is not None:
        save(model, place)
    seconds = watch.seconds()
    progress(None, "measuring")
    sizes = {"vocabulary": len(model.tokeniser.vocabulary), "order": model.order}
    return TrainingResult(model, {**sizes, **seconds, **measure_validation(model, parts)})


def require_memory(n_characters: int, *, order: int, unit: str) -> None:
    """Refuse a text whose n-grams would not fit into this machine's memory, which would then stand still."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # a system that does not tell
        return
    n_tokens = n_characters / (1 if unit in ("char", "byte") else 5)
    needed = BYTES_PER_NGRAM * order * n_tokens
    if needed > 0.8 * memory:
        raise ValueRangeError(
            f"counting {n_characters:,} characters at order {order} takes about {needed / 1e9:,.0f} GB of memory, this "
            f"machine has {memory / 1e9:.0f} GB; lower --order, or give a smaller text"
        )
