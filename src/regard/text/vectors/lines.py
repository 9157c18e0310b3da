"""Lines of word vectors: what form they have, a whole block of them at once, and one by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from regard.errors import InputFileError
from regard.shapes import Float
from regard.text.vector_numbers import number, parse_block

LINES_LOOKED_AT = 100


class BadLineError(ValueError):
    """A line that is no word with its numbers; the message is the reason."""


@dataclass(frozen=True)
class Layout:
    """The form of a file's lines: how many numbers, how many words a header promises, what is made plain first."""

    width: int
    n_announced: int | None = None
    replaced: tuple[tuple[bytes, bytes], ...] = ()

    def plain(self, block: bytes) -> bytes:
        """The block with single spaces and plain line ends, as far as the file's first block shows a need for it."""
        for old, new in self.replaced:
            block = block.replace(old, new)
        return block


@dataclass(frozen=True, eq=False)
class ParsedLines:
    """The vectors in some lines: of line `places[k]` the word and the row k. Broken lines come with the reason."""

    words: list[str]
    rows: Float[np.ndarray, "line width"]
    places: Sequence[int]
    n_lines: int
    broken: list[tuple[int, str]]


def parse_lines(block: bytes, *, width: int) -> ParsedLines:
    """All lines of a block at once where each of them is regular, else one by one."""
    parsed = parse_block(block, width=width)
    if parsed is not None:
        try:
            words = [word.decode("utf-8") for word in parsed[0]]
            return ParsedLines(words, parsed[1], range(len(words)), len(words), [])
        except UnicodeDecodeError:
            pass
    return parse_line_by_line(block, width=width)


def parse_line_by_line(block: bytes, *, width: int) -> ParsedLines:
    """The same, slowly: this is what counts as a word with its vector."""
    words, rows, places, broken = [], [], [], []
    lines = block.split(b"\n")[:-1]
    for place, line in enumerate(lines):
        try:
            word, row = parse_line(line, width=width)
        except BadLineError as error:
            broken.append((place, str(error)))
        else:
            words.append(word)
            rows.append(row)
            places.append(place)
    return ParsedLines(words, np.array(rows, np.float32).reshape(-1, width), places, len(lines), broken)


def parse_line(line: bytes, *, width: int) -> tuple[str, Float[np.ndarray, " width"]]:
    """The word and its numbers, counted from the right: a word may hold spaces. BadLineError says what is wrong.

    >>> parse_line(b". . . 0.5 1", width=2)
    ('. . .', array([0.5, 1. ], dtype=float32))
    """
    first, *fields = line.rsplit(None, width) or [b""]
    if len(fields) < width:
        n_fields = len(line.split())
        raise BadLineError(f"a word and {width} numbers expected, {n_fields} fields found" if n_fields else "empty")
    numbers = np.empty(width, np.float32)
    for k, part in enumerate(fields):
        numbers[k] = _number(part)
    return _word(first.strip(), width), numbers


def _number(part: bytes) -> np.float32:
    try:
        return number(part)
    except ValueError:
        raise BadLineError(f"{_shown(part)} is not a finite number") from None


def _word(word: bytes, width: int) -> str:
    if b" " in word and _is_number(word.rsplit(None, 1)[-1]):
        raise BadLineError(f"more than {width} numbers")
    try:
        return word.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadLineError(f"byte 0x{word[error.start]:02x} in the word is not UTF-8") from None


def _is_number(part: bytes) -> bool:
    try:
        number(part)
    except ValueError:
        return False
    return True


def _shown(part: bytes) -> str:
    text = part[:20].decode("utf-8", "backslashreplace")
    return repr(text + "…" if len(part) > 20 else text)


def find_layout(block: bytes, path: Path) -> Layout:
    """The form of the lines, from a file's first block; InputFileError if they are no word vectors."""
    replaced = tuple((old, new) for old, new in ((b"\r\n", b"\n"), (b"\t", b" "), (b" \n", b"\n")) if old in block)
    lines = block.split(b"\n")[: LINES_LOOKED_AT + 1]
    if not lines[-1]:
        lines.pop()
    announced = _header(lines[0].split())
    body = lines[1:] if announced else lines
    width = Counter(len(line.split()) for line in body).most_common(1)[0][0] - 1 if body else 0
    if announced and body and announced[1] != width:
        announced, body = None, lines
    _refuse_other_text(body, width, path, first_line=len(lines) - len(body) + 1)
    return Layout(width, announced[0] if announced else None, replaced)


def _header(fields: list[bytes]) -> tuple[int, int] | None:
    """The number of words and of numbers a word, as word2vec writes them on the first line."""
    return (int(fields[0]), int(fields[1])) if len(fields) == 2 and all(field.isdigit() for field in fields) else None


def _refuse_other_text(lines: list[bytes], width: int, path: Path, *, first_line: int) -> None:
    if not lines:
        raise InputFileError(f"{path} has a header and no vectors after it; is it whole?")
    reasons = []
    for line, text in enumerate(lines, first_line):
        try:
            parse_line(text, width=max(width, 1))
        except BadLineError as error:
            reasons.append(f"line {line}: {error}")
    if 2 * len(reasons) > len(lines):
        raise InputFileError(
            f"{path} does not hold word vectors as GloVe writes them, a word and its numbers on each line: {reasons[0]}"
        )
