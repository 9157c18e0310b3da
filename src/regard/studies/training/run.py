"""What every training run has in common: its two texts, its folder, its time, how it is measured and stopped."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Generic, TypeVar

from regard.display import short_repr
from regard.errors import ArgumentError, NothingScoredError, ValueRangeError
from regard.evaluation.perplexity import evaluate
from regard.models.base import LanguageModel
from regard.models.folder_writer import ModelFolder, writing
from regard.text.corpora.corpus import Corpus, TextSource, find_text
from regard.text.corpora.reader import MAX_BYTES

Model_co = TypeVar("Model_co", covariant=True)
Config = TypeVar("Config")


@dataclass(frozen=True)
class TextParts:
    """The text to learn from, in pieces at every call of `chunks`, and the validation text, if there is one."""

    name: str
    chunks: Callable[[], Iterator[str]]
    valid: str | None
    valid_name: str

    @property
    def train(self) -> str:
        """The text to learn from as a whole; an error where it is too long for that."""
        pieces, n_characters = [], 0
        for piece in self.chunks():
            n_characters += len(piece)
            if n_characters > MAX_BYTES:
                raise ValueRangeError(
                    f"{self.name} holds more than {MAX_BYTES:,} characters, the most that such a model is trained on; "
                    "give a smaller text, or use 'regard train bigram', which counts any length"
                )
            pieces.append(piece)
        return "".join(pieces)

    def length_up_to(self, limit: int) -> int:
        """How many characters there are to learn from; no more is read once there are more than `limit`."""
        n_characters = 0
        for piece in self.chunks():
            n_characters += len(piece)
            if n_characters > limit:
                break
        return n_characters

    def __repr__(self) -> str:
        n_valid = "none" if self.valid is None else f"{len(self.valid):,} characters, {self.valid_name}"
        return f"TextParts({self.name}, valid: {n_valid})"


def split_text(
    text: TextSource,
    *,
    valid: float | int | TextSource = 0.1,
    at_line_ends: bool = True,
    max_valid: int | None = None,
) -> TextParts:
    """A text to learn from, and one to measure on: the last part of it, as `valid` says, or another text; 0: none.

    The cut is made after a whole line, unless `at_line_ends` is False. Of a text longer than is read at once, the part
    to measure on has at most `max_valid` characters, and its name says so. `text` may be given in all the ways that
    `find_text` lists.

    >>> parts = split_text("to be\\nor not\\nto be\\n", valid=0.4)
    >>> parts.train, parts.valid
    ('to be\\nor not\\n', 'to be\\n')
    """
    corpus = find_text(text)
    chunks = _chunks(corpus)
    if not isinstance(valid, int | float):
        other = find_text(valid)
        return TextParts(corpus.name, chunks, other.text, other.name)
    if not 0 <= valid < 1:
        raise ValueRangeError(f"valid must be a fraction from 0 to below 1, or a text; got {valid:g}")
    if valid == 0:
        return TextParts(corpus.name, chunks, None, "none")
    n_characters = sum(map(len, chunks()))
    wanted, part = int((1 - valid) * n_characters), f"{valid:g}"
    if max_valid is not None and n_characters > MAX_BYTES and n_characters - wanted > max_valid:
        wanted, part = n_characters - max_valid, f"{max_valid:,} characters"
    cut = cut_place(chunks(), wanted, at_line_ends=at_line_ends)
    if not 0 < cut < n_characters:
        raise NothingScoredError(
            f"a text of {n_characters} characters cannot be cut to keep {valid:g} of it for validation; "
            "give a longer text, or 0 for no validation"
        )
    rest = "".join(slice_chunks(chunks(), cut, n_characters))
    return TextParts(corpus.name, lambda: slice_chunks(chunks(), 0, cut), rest, f"last {part} of {corpus.name}")


def _chunks(corpus: Corpus) -> Callable[[], Iterator[str]]:
    """The text in pieces, from its beginning at every call; a pipe, which gives its text but once, is kept whole."""
    is_repeatable = corpus.path is None or corpus.path.is_file()
    return corpus.chunks if is_repeatable else lambda: iter([corpus.text])


def cut_place(chunks: Iterator[str], wanted: int, *, at_line_ends: bool) -> int:
    """Where to cut a text: at the character `wanted`, or after the first line break from there on, if there is one.

    >>> cut_place(iter(["to be\\nor ", "not\\nto be"]), 7, at_line_ends=True)
    13
    """
    if not at_line_ends:
        return wanted
    start = 0
    for piece in chunks:
        found = piece.find("\n", max(wanted - start, 0))
        if found >= 0:
            return start + found + 1
        start += len(piece)
    return wanted


def slice_chunks(chunks: Iterator[str], start: int, end: int) -> Iterator[str]:
    """The characters from `start` to `end` of a text that comes in pieces.

    >>> list(slice_chunks(iter(["abc", "def"]), 2, 5))
    ['c', 'de']
    """
    place = 0
    for piece in chunks:
        part = piece[max(start - place, 0) : max(end - place, 0)]
        place += len(piece)
        if part:
            yield part
        if place >= end:
            return


@short_repr
@dataclass(frozen=True)
class TrainingResult(Generic[Model_co]):
    """A trained model, `facts` of it by name, the steps of its history, and notes for its user."""

    model: Model_co
    facts: dict[str, Any]
    history: list[Any] = field(default_factory=list)
    notes: tuple[str, ...] = ()


class TrainingStopped(KeyboardInterrupt):
    """Training was interrupted; the message says what has been kept."""


@contextmanager
def open_folder(
    out: Path | str | None, *, kind: str, force: bool = False, resume: bool = False
) -> Iterator[ModelFolder | None]:
    """The folder that a model of this kind is written to; None where it is not to be kept."""
    if out is None:
        yield None
        return
    with writing(out, kind=kind, force=force, resume=resume) as place:
        yield place


class Stopwatch:
    """Seconds of the clock and of the processor since it was made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def seconds(self) -> dict[str, float]:
        """Both, with the names that results have."""
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return {"seconds": round(wall, 3), "cpu_seconds": round(cpu, 3)}


def measure_validation(model: LanguageModel, parts: TextParts) -> dict[str, Any]:
    """Perplexity on the validation text, per token and per character of the original; nothing where there is none."""
    if parts.valid is None:
        return {}
    result = evaluate(model, parts.valid, name=parts.valid_name)
    return {
        "valid_tokens": result.tokens,
        "valid_unknown_share": result.unknown_share,
        "valid_perplexity": result.perplexity,
        "valid_nats_per_character": result.nats_per_character,
        "valid_bits_per_character": result.nats_per_character / math.log(2),
        "warnings": list(result.warnings),
    }


def make_config(kind: type[Config], settings: Mapping[str, Any]) -> Config:
    """The configuration with these settings; an error that lists the known names for one that does not exist."""
    known = [each.name for each in fields(kind)]  # type: ignore[arg-type]
    for name in settings:
        if name not in known:
            raise ArgumentError(f"there is no setting {name!r}; choose from {', '.join(known)}")
    return kind(**settings)
