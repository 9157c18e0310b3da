"""What a model is trained on and validated on: two texts, or one text in two parts."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.output import at_work, print_facts, print_json
from regard.errors import NothingScoredError, ValueRangeError

if TYPE_CHECKING:
    from regard.models.base import LanguageModel

Text = Annotated[
    str,
    typer.Option(
        "--text", metavar="NAME|FILE", help="What to learn from: a file, - for a pipe, or as in `regard data list`."
    ),
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder that the model is written to.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the model that is in DIR, once the new one is complete.")]
Valid = Annotated[
    str,
    typer.Option(
        "--valid",
        metavar="FRACTION|NAME|FILE",
        help="What to measure on: the text's last part, or another text; 0: none.",
    ),
]


def require_one(*, resume: bool, force: bool) -> None:
    """Wrong usage where a run is both to go on and to be replaced."""
    if resume and force:
        raise typer.BadParameter("expected --resume, to go on, or --force, to begin anew; not both")


BYTES_PER_NGRAM = 50
"""Measured at the peak of training: 540 bytes a character at order 10 of a million of them, less of more."""


@dataclass(frozen=True)
class TextParts:
    """The text to learn from, in pieces at every call of `chunks`, and the text to measure on, if there is one."""

    name: str
    chunks: Callable[[], Iterator[str]]
    valid: str | None
    valid_name: str

    @property
    def train(self) -> str:
        """The text to learn from as a whole; an error where it is too long for that."""
        from regard.text.corpora.reader import MAX_BYTES

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


def read_parts(text: str, valid: str, *, at_line_ends: bool) -> TextParts:
    """The two texts; a fraction is cut from the end, for word models after a whole line."""
    from regard.cli.text_input import find_text, reading

    with reading(text, valid):
        corpus, fraction = find_text(text), _fraction(valid)
        # A pipe gives its text but once.
        is_repeatable = corpus.path is None or corpus.path.is_file()
        chunks: Callable[[], Iterator[str]] = corpus.chunks if is_repeatable else lambda: iter([corpus.text])
        if fraction is None:
            other = find_text(valid)
            return TextParts(corpus.name, chunks, other.text, other.name)
        if fraction == 0:
            return TextParts(corpus.name, chunks, None, "none")
        n_characters = sum(map(len, chunks()))
        cut = cut_place(chunks(), int((1 - fraction) * n_characters), at_line_ends=at_line_ends)
        if not 0 < cut < n_characters:
            raise NothingScoredError(
                f"a text of {n_characters} characters cannot be cut for --valid {valid}; "
                "give a longer text, or --valid 0"
            )
        rest = "".join(between(chunks(), cut, n_characters))
    return TextParts(corpus.name, lambda: between(chunks(), 0, cut), rest, f"last {fraction:g} of {corpus.name}")


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


def between(chunks: Iterator[str], start: int, end: int) -> Iterator[str]:
    """The characters from `start` to `end` of a text that comes in pieces.

    >>> list(between(iter(["abc", "def"]), 2, 5))
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


def _fraction(valid: str) -> float | None:
    """The number that was typed, if it is one."""
    try:
        fraction = float(valid)
    except ValueError:
        return None
    if not 0 <= fraction < 1:
        raise ValueRangeError(f"--valid is a fraction from 0 to below 1, or a text; got {valid}")
    return fraction


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


@dataclass
class Stopwatch:
    """Seconds of the clock and of the processor since it was made."""

    def __post_init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def seconds(self) -> dict[str, float]:
        """Both, with the names that results have."""
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return {"seconds": round(wall, 3), "cpu_seconds": round(cpu, 3)}


def measured(model: LanguageModel, parts: TextParts) -> dict[str, Any]:
    """Perplexity on the text to measure on, per token and per character of the original text."""
    if parts.valid is None:
        return {}
    from regard.evaluation.perplexity import evaluate

    with at_work("measuring"):
        result = evaluate(model, parts.valid, name=parts.valid_name)
    return {
        "valid_tokens": result.tokens,
        "valid_unknown_share": result.unknown_share,
        "valid_perplexity": result.perplexity,
        "valid_nats_per_character": result.nats_per_character,
        "valid_bits_per_character": result.nats_per_character / math.log(2),
        "warnings": list(result.warnings),
    }


def report(facts: dict[str, Any], *, as_json: bool) -> None:
    """What came of a training run."""
    if as_json:
        print_json(facts)
        return
    warnings = facts.pop("warnings", [])
    print_facts({name.replace("_", " "): fact for name, fact in facts.items()})
    for warning in warnings:
        print(f"be wary: {warning}")
