"""Characters or words: the same text, learnt and measured by models of both, side by side.

Each model learns from the first part of a text and is measured on its end. The cut is at the end of a line, so that
characters and words see the same text; what they say of it is compared in bits per character, never per token.
"""

from __future__ import annotations

import dataclasses
import json
import math
import platform
import time
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from regard.cluster import map_batches
from regard.errors import NothingScoredError, ValueRangeError
from regard.files import sha256
from regard.progress import Progress, part, silent
from regard.records import ALONE, Workers
from regard.report.comparisons import draw_model_comparison
from regard.studies.model_measures import ModelRow, TextSplit, measure
from regard.studies.model_notes import write_notes
from regard.studies.model_trainers import DEFAULT_MODELS, TRAINERS, Effort, load_libraries, require_models
from regard.tables import StudyTable
from regard.text.corpora.corpus import Corpus

MIN_CHARACTERS = 500
MAX_CHARACTERS = 2_000_000
"""Of a longer text only the beginning is compared on: counting and scoring all of it would take hours."""
CUT_AFTER = ("\n", " ")
"""Where a text may be cut: at the end of a line, or between words where there are no lines."""


@dataclass(frozen=True)
class Config:
    """What is compared: `models` by name, the last `measured_share` of the text to measure on.

    `minutes` of the processor are what each recurrent network and Transformer may take; `n_drawn` are the characters
    of a sample.
    """

    text: str = "the text"
    models: tuple[str, ...] = DEFAULT_MODELS
    measured_share: float = 0.1
    minutes: float = 0.25
    n_drawn: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        require_models(self.models)
        if not 0 < self.minutes < math.inf:
            raise ValueRangeError(f"minutes, for training a network, must be above 0 and finite; got {self.minutes:g}")
        if not 0 < self.measured_share <= 0.5:
            raise ValueRangeError(f"the share to measure on must be above 0 and at most 0.5; got {self.measured_share}")
        if self.n_drawn < 1:
            raise ValueRangeError(f"the length of a sample must be at least 1 character; got {self.n_drawn}")


def compare_models(
    corpus: Corpus, config: Config, *, workers: Workers = ALONE, progress: Progress = silent
) -> StudyTable:
    """The comparison on a corpus, or on its beginning where it is long, which a note then says."""
    text, is_cut = read_beginning(corpus, max_characters=MAX_CHARACTERS)
    table = run(text, config, workers=workers, progress=progress)
    if not is_cut:
        return table
    note = f"of {config.text} only the first {MAX_CHARACTERS:,} characters were taken"
    return dataclasses.replace(table, notes=(*table.notes, note))


def read_beginning(corpus: Corpus, *, max_characters: int) -> tuple[str, bool]:
    """The text, or as much of it as is asked for, and whether there is more; it is not read further."""
    pieces: list[str] = []
    n_characters = 0
    for piece in corpus.chunks():
        pieces.append(piece)
        n_characters += len(piece)
        if n_characters > max_characters:
            break
    return "".join(pieces)[:max_characters], n_characters > max_characters


def run(text: str, config: Config, *, workers: Workers = ALONE, progress: Progress = silent) -> StudyTable:
    """One row for each model, and what the figures say, in words; of several `workers`, each trains other models."""
    parts = split_text(text, share=config.measured_share, name=config.text)
    names = tuple(dict.fromkeys(config.models))
    load_libraries(names)
    if workers.are_here:
        rows = [
            train_and_measure(parts, name, config, number_messages(progress, place, len(names)))
            for place, name in enumerate(names)
        ]
    else:
        batches = [(parts.train, parts.measured, name, config) for name in names]
        done = map_batches(train_row, batches, workers=workers, total=len(names), progress=progress, message="models")
        rows = [ModelRow(**json.loads(row)) for row in done]
    return StudyTable(
        title=f"Characters or words: {config.text}, {len(parts.train):,} characters to learn from and the "
        f"{len(parts.measured):,} after them to measure on",
        columns=tuple(field.name for field in dataclasses.fields(ModelRow)),
        rows=tuple(dataclasses.astuple(row) for row in rows),
        notes=write_notes(rows, parts),
        config=dataclasses.asdict(config) | _describe_text(text),
        draw=draw_model_comparison,
    )


def train_row(train: str, measured: str, name: str, config: Config) -> bytes:
    """What a worker does: train and measure one model; its row as JSON."""
    row = train_and_measure(TextSplit(train, measured), name, config, silent)
    return json.dumps(dataclasses.asdict(row)).encode()


def number_messages(progress: Progress, place: int, total: int) -> Progress:
    """The progress of one model of several: its part of the whole, and its number after each message."""
    own = part(progress, place / total, (place + 1) / total)
    return lambda share, message="": own(share, f"{message} ({place + 1} of {total})")


def train_and_measure(parts: TextSplit, name: str, config: Config, progress: Progress) -> ModelRow:
    """One model, trained and measured."""
    progress(0.0, f"training {name}")
    start = time.process_time()
    effort = Effort(minutes=config.minutes, seed=config.seed)
    model = TRAINERS[name](parts.train, effort, lambda share, message="": progress(share, f"training {name}"))
    seconds = time.process_time() - start
    progress(1.0, f"measuring {name}")
    return measure(model, parts, name=name, training_seconds=seconds, n_drawn=config.n_drawn, seed=config.seed)


def split_text(text: str, *, share: float, name: str = "the text") -> TextSplit:
    """The text in two, cut after a line (or a word) so that about `share` of it is left to measure on.

    >>> split_text("to be or not to be\\n" * 50, share=0.1).measured
    'to be or not to be\\nto be or not to be\\nto be or not to be\\nto be or not to be\\n'
    """
    if not text.split():
        raise NothingScoredError(f"{name} has no words; expected a text with words in it")
    if len(text) < MIN_CHARACTERS:
        raise NothingScoredError(
            f"{name} has {len(text)} characters; a comparison needs at least {MIN_CHARACTERS}, better 100,000"
        )
    wanted = round((1 - share) * len(text))
    for mark in CUT_AFTER:
        for cut in (text.find(mark, wanted) + 1, text.rfind(mark, 0, wanted) + 1):
            is_near = share / 2 <= 1 - cut / len(text) <= 2 * share
            if is_near and text[:cut].split() and text[cut:].split():
                return TextSplit(text[:cut], text[cut:])
    raise NothingScoredError(
        f"{name} has no line end and no space near the place where it is to be cut, at {100 * (1 - share):g} %; "
        "expected words with white space between them"
    )


def _describe_text(text: str) -> dict[str, Any]:
    """What the figures depend on besides the settings."""
    versions = {"regard": version("regard"), "python": platform.python_version()}
    digest = sha256(text)
    return {"characters": len(text), "sha256": digest, "versions": versions}
