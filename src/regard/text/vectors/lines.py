"""Lines of word vectors: which form the lines of a file have, and a block of them parsed into words and numbers.

Polars parses a block at once where every line is a word and its numbers between single spaces. All other blocks are
parsed line by line, which defines what counts as a word with its vector and gives the reason why a line does not; so is
everything where polars is not installed. Both ways give the same bits.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from regard.errors import InputFileError
from regard.shapes import Float

_CONTROL_CHARACTER = re.compile(r"[\x00-\x1f]")
"""Some are white space, which is no part of a word at its ends: a word with one is read by itself."""
N_FIRST_LINES = 100


class BadLineError(ValueError):
    """Raised for a line that is not a word with its numbers; the message gives the reason."""


@dataclass(frozen=True)
class LineFormat:
    """The form of a file's lines: numbers a line, words that its header announces, and what `clean` replaces."""

    width: int
    n_announced: int | None = None
    replaced: tuple[tuple[bytes, bytes], ...] = ()

    def clean(self, block: bytes) -> bytes:
        """Replace tabs, spaces at line ends and Windows line ends, if the file's first block has any."""
        for old, new in self.replaced:
            block = block.replace(old, new)
        return block


@dataclass(frozen=True, eq=False)
class ParsedLines:
    """The vectors in a block of lines: line `places[k]` gave word k and row k. Broken lines come with the reason."""

    words: list[str]
    rows: Float[np.ndarray, "line width"]
    places: Sequence[int]
    n_lines: int
    broken: list[tuple[int, str]]


def parse_lines(block: bytes, *, width: int) -> ParsedLines:
    """Parse all lines of a block at once where each of them is regular, else one by one."""
    parsed = parse_block(block, width=width)
    if parsed is None:
        return parse_line_by_line(block, width=width)
    words, rows = parsed
    return ParsedLines(words, rows, range(len(words)), len(words), [])


_TAKEN_BY_POLARS = (codecs.BOM_UTF8, b"\x1f\x8b", b"x\x01", b"x^", b"x\x9c", b"x\xda", b"\x28\xb5\x2f\xfd")
"""Bytes of a first word that polars takes for more: a mark that it drops, and packed data, which it unpacks."""


def parse_block(block: bytes, *, width: int) -> tuple[list[str], Float[np.ndarray, "line width"]] | None:
    """Parse a block by polars; None where polars is not installed, or a line has another form or says no number.

    >>> parse_block(b"the 0.5 -0.25\\nof 15e-1 2.0\\n", width=2)
    (['the', 'of'], array([[ 0.5 , -0.25],
           [ 1.5 ,  2.  ]], dtype=float32))
    """
    polars = _load_polars()
    if polars is None or not block or block.startswith(_TAKEN_BY_POLARS):
        return None
    # As float64 first: rounding twice is what reading one by one does.
    schema = {"word": polars.String} | {f"{k}": polars.Float64 for k in range(width)}
    try:
        table = polars.read_csv(block, separator=" ", has_header=False, quote_char=None, schema=schema)
    except polars.exceptions.PolarsError:
        return None
    with np.errstate(over="ignore"):
        numbers = table.drop("word").to_numpy(order="c").astype(np.float32)
    if len(table) < block.count(b"\n") or table["word"].has_nulls() or not np.isfinite(numbers).all():
        return None
    words = table["word"].to_list()
    return None if _CONTROL_CHARACTER.search("".join(words)) else (words, numbers)


def _load_polars() -> Any:
    """The package polars; None where it is not installed."""
    try:
        return import_module("polars")
    except ImportError:
        return None


def parse_line_by_line(block: bytes, *, width: int) -> ParsedLines:
    """Parse the lines of a block one by one: this defines what counts as a word with its vector."""
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
    return ParsedLines(words, np.array(rows, np.float32).reshape(len(rows), width), places, len(lines), broken)


def parse_line(line: bytes, *, width: int) -> tuple[str, Float[np.ndarray, " width"]]:
    """Parse a word and its numbers, counted from the right: a word may hold spaces. BadLineError says what is wrong.

    >>> parse_line(b". . . 0.5 1", width=2)
    ('. . .', array([0.5, 1. ], dtype=float32))
    """
    first, *fields = line.rsplit(None, width) or [b""]
    if len(fields) < width:
        n_fields = len(line.split())
        raise BadLineError(f"a word and {width} numbers expected, {n_fields} fields found" if n_fields else "empty")
    numbers = _parse_numbers(fields)
    return _parse_word(first.strip(), width), numbers


def _parse_numbers(fields: list[bytes]) -> Float[np.ndarray, " width"]:
    try:
        with np.errstate(over="ignore"):
            numbers = np.array([float(field) for field in fields]).astype(np.float32)
        if np.isfinite(numbers).all() and not any(b"_" in field for field in fields):
            return numbers
    except ValueError:
        pass
    raise BadLineError(f"{_show(next(field for field in fields if not _is_number(field)))} is not a finite number")


def _parse_word(word: bytes, width: int) -> str:
    if b" " in word and _is_number(word.rsplit(None, 1)[-1]):
        raise BadLineError(f"more than {width} numbers")
    try:
        return word.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadLineError(f"byte 0x{word[error.start]:02x} in the word is not UTF-8") from None


def _is_number(field: bytes) -> bool:
    """True for a finite float32, written in any usual way; Python alone would take 1_000 too."""
    try:
        with np.errstate(over="ignore"):
            return b"_" not in field and bool(np.isfinite(np.float32(float(field))))
    except ValueError:
        return False


def _show(part: bytes) -> str:
    text = part[:20].decode("utf-8", "backslashreplace")
    return repr(text + "…" if len(part) > 20 else text)


def find_format(block: bytes, path: Path) -> LineFormat:
    """Find the form of the lines from a file's first block; InputFileError if they are not word vectors."""
    replaced = _find_replaced(block)
    lines = block.split(b"\n")[: N_FIRST_LINES + 1]
    if not lines[-1]:
        lines.pop()
    announced = _parse_header(lines[0].split())
    body = lines[1:] if announced else lines
    width = Counter(len(line.split()) for line in body).most_common(1)[0][0] - 1 if body else 0
    if announced and body and announced[1] != width:
        announced, body = None, lines
    _refuse_other_text(body, width, path, first_line=len(lines) - len(body) + 1)
    return LineFormat(width, announced[0] if announced else None, replaced)


def _find_replaced(block: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """What has to be replaced in a block, in this order: Windows line ends, tabs, spaces at line ends."""
    found = []
    for old, new in ((b"\r\n", b"\n"), (b"\t", b" "), (b" \n", b"\n")):
        if old in block:
            found.append((old, new))
            block = block.replace(old, new)
    return tuple(found)


def _parse_header(fields: list[bytes]) -> tuple[int, int] | None:
    """The number of words and of numbers a word, if the first line has them as word2vec writes them."""
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
    if 2 * len(reasons) > len(lines) or width < 1:
        reason = reasons[0] if reasons else "most lines have no numbers"
        raise InputFileError(
            f"{path} does not hold word vectors as GloVe writes them, a word and its numbers on each line: {reason}"
        )
