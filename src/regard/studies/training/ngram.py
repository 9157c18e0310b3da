"""From a text to a model that counts n-grams, in one call."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Literal, TypeVar

from regard.models.checkpoint import load_model
from regard.models.folder_writer import ModelFolder, save, writing
from regard.models.ngram.model import NgramConfig, NgramModel, fit_ngram
from regard.progress import Progress, show_progress, silent
from regard.records import ALONE, Workers
from regard.studies.training.run import (
    Stopwatch,
    TextParts,
    TrainingResult,
    measure_validation,
    open_folder,
    split_text,
)
from regard.text.corpora.corpus import TextSource
from regard.text.corpora.reader import MAX_BYTES
from regard.training.ngram_on_disk import DiskNgramModel, train_on_disk

Model = TypeVar("Model", NgramModel, DiskNgramModel)

BYTES_PER_NGRAM = 50
"""Measured at the peak of training: 540 bytes a character at order 10 of a million of them, less of more."""
MAX_VALID = 1 << 22
"""Characters that a model of a text longer than is read at once is measured on, where a fraction is asked for."""


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
    on_disk: bool = False,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | bool = True,
) -> NgramModel:
    """Train a model that counts the n-grams of a text; with `out`, also write it to that folder.

    `text` is a corpus name, a path, or a text with a line break in it. `order` is that of the longest n-gram; without
    one, the best of its kind. `vocabulary` is how many words are known. A `config` may stand for all of these. A text
    that memory cannot count is sorted `on_disk`; the model of it has to fit into memory when it is returned. With
    `workers`, processes of this machine, or a Dask `scheduler`, others do the sorting; the model is the same.

    >>> train_ngram("to be or not to be\\n" * 9, order=3).order
    3
    """
    config = config or NgramConfig(unit=unit, order=order, method=method, vocabulary=vocabulary)
    parts, group = split_text(text, valid=0), Workers(workers, scheduler)
    with show_progress(progress) as report:
        if not on_disk and group.are_here and fits_memory(parts, config):
            with open_folder(out, kind="ngram", force=force) as place:
                return run_in_memory(parts, config, place=place, progress=report).model
        with tempfile.TemporaryDirectory(prefix="regard-") as folder:
            target = folder if out is None else out
            with writing(target, kind="ngram", force=force, keep_work=True) as place:
                run_on_disk(parts, config, place=place, workers=group, progress=report)
            model = load_model(target)
    assert isinstance(model, NgramModel)
    return model


def run(
    parts: TextParts,
    config: NgramConfig,
    *,
    place: ModelFolder | None = None,
    on_disk: bool = False,
    workers: Workers = ALONE,
    progress: Progress = silent,
) -> TrainingResult[NgramModel | DiskNgramModel]:
    """Count, save and measure: in memory, or `on_disk` where that is asked for or there is no other way."""
    if place is not None and (on_disk or not workers.are_here or not fits_memory(parts, config)):
        return run_on_disk(parts, config, place=place, workers=workers, progress=progress)
    return run_in_memory(parts, config, place=place, progress=progress)


def run_in_memory(
    parts: TextParts, config: NgramConfig, *, place: ModelFolder | None = None, progress: Progress = silent
) -> TrainingResult[NgramModel]:
    """Count, save and measure a text that memory holds."""
    watch = Stopwatch()
    if place is not None:
        place.place.remove_work()
    progress(None, "counting")
    model = fit_ngram(parts.train, config)
    if place is not None:
        save(model, place)
    return _measure(model, parts, watch, progress)


def run_on_disk(
    parts: TextParts,
    config: NgramConfig,
    *,
    place: ModelFolder,
    workers: Workers = ALONE,
    progress: Progress = silent,
) -> TrainingResult[DiskNgramModel]:
    """Count, save and measure a text of any length, with what memory does not hold in the folder of the model."""
    watch, measured = Stopwatch(), parts.valid is not None
    with place.place.work_folder(keep=True) as work:
        model = train_on_disk(parts.chunks, config, work, measured=measured, workers=workers, progress=progress)
        progress(None, "writing the model")
        tensors = work / "model.part"
        model.write_tensors(tensors)
        save(model, place, tensors=tensors)
        return _measure(model, parts, watch, progress, ngrams=model.counts.n_ngrams, on_disk=True)


def _measure(
    model: Model, parts: TextParts, watch: Stopwatch, progress: Progress, **details: Any
) -> TrainingResult[Model]:
    seconds = watch.seconds()
    progress(None, "measuring")
    sizes = {"vocabulary": len(model.tokeniser.vocabulary), "order": model.order, **details}
    return TrainingResult(model, {**sizes, **seconds, **measure_validation(model, parts)})


def fits_memory(parts: TextParts, config: NgramConfig) -> bool:
    """Whether a text is short enough to be read at once, and its n-grams few enough for this machine's memory."""
    n_characters = parts.length_up_to(MAX_BYTES)
    if n_characters > MAX_BYTES:
        return False
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # a system that does not tell
        return True
    n_tokens = n_characters / (1 if config.unit in ("char", "byte") else 5)
    return BYTES_PER_NGRAM * config.chosen_order * n_tokens <= 0.8 * memory
