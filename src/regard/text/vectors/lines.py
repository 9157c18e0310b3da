"""Lines of word vectors: what form they have, a whole block of them at once, and one by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from regard.errors import InputFileError
from regard.shapes import Bool, Float, Int

SPACE, NEWLINE, MINUS, POINT, ZERO = b" \n-.0"
_MOST_DECIMALS = 8
_ALL_ZEROS = np.uint64(0x3030303030303030)
_TO_TOP_BIT = np.uint64(0x7676767676767676)  # a byte above 9 reaches its top bit
_TOP_BITS = np.uint64(0x8080808080808080)
_JOINS = ((1, np.uint64(0x00FF00FF00FF00FF)), (2, np.uint64(0x0000FFFF0000FFFF)), (4, np.uint64(0x00000000FFFFFFFF)))


def parse_block(block: bytes, *, width: int) -> tuple[list[bytes], Float[np.ndarray, "line width"]] | None:
    """The first field of every line and the numbers after it; None where a line has another form.

    >>> parse_block(b"the 0.5 -0.25\\nof 15e-1 2.0\\n", width=2)
    ([b'the', b'of'], array([[ 0.5 , -0.25],
           [ 1.5 ,  2.  ]], dtype=float32))
    """
    ends = field_ends(block, width=width)
    if ends is None:
        return None
    number_starts, number_ends = (ends[:, :-1] + 1).ravel(), ends[:, 1:].ravel()
    values, is_plain = plain_decimals(block, number_starts, number_ends)
    try:
        for k in np.flatnonzero(~is_plain):
            values[k] = number(block[number_starts[k] : number_ends[k]])
    except ValueError:
        return None
    line_starts = [0, *(ends[:-1, -1] + 1).tolist()]
    words = [block[start:end] for start, end in zip(line_starts, ends[:, 0].tolist(), strict=True)]
    return (words, values.reshape(-1, width)) if all(words) else None


def number(field: bytes) -> np.float32:
    """One finite float32, written in any usual way; ValueError for anything else."""
    if b"_" in field:  # Python would take 1_000
        raise ValueError("not a number")
    with np.errstate(over="ignore"):
        value = np.float32(float(field))
    if not np.isfinite(value):
        raise ValueError("not finite")
    return value


def field_ends(block: bytes, *, width: int) -> Int[np.ndarray, "line field"] | None:
    """Where each field ends, if every line has width + 1 of them between single spaces."""
    text = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(text <= SPACE)
    if len(ends) == 0 or len(ends) % (width + 1) or ends[-1] != len(text) - 1:
        return None
    separators = text[ends].reshape(-1, width + 1)
    is_regular = (separators[:, :-1] == SPACE).all() and (separators[:, -1] == NEWLINE).all()
    return ends.reshape(-1, width + 1) if is_regular else None


def plain_decimals(
    block: bytes, starts: Int[np.ndarray, " number"], ends: Int[np.ndarray, " number"]
) -> tuple[Float[np.ndarray, " number"], Bool[np.ndarray, " number"]]:
    """The numbers between these places, and which of them are plain; the values of the others mean nothing."""
    padded = b"0" * _MOST_DECIMALS + block + b"\n"  # 8 bytes before any end, and a second one after any start
    text = np.frombuffer(padded, np.uint8)[_MOST_DECIMALS:]
    is_negative = text[starts] == MINUS
    points = starts + is_negative
    wholes = text[points] - ZERO  # modulo 256: what is no digit becomes more than 9
    is_plain = wholes <= 9
    points += 1
    is_plain &= text[points] == POINT
    n_decimals = (ends - points).view(np.uint64)
    n_decimals -= np.uint64(1)
    is_plain &= n_decimals - np.uint64(1) < _MOST_DECIMALS  # modulo 2⁶⁴: none at all is too many as well

    # One byte a decimal, the first one lowest. What stood before it is shifted out, zeros come in behind the last one.
    digits = np.ndarray(len(block) + 1, "<u8", padded, strides=(1,))[ends]
    digits ^= _ALL_ZEROS
    digits >>= np.uint64(64) - (n_decimals << np.uint64(3))
    is_plain &= ((digits + _TO_TOP_BIT) | digits) & _TOP_BITS == 0

    hundred_millionths = eight_digits(digits)
    hundred_millionths += wholes * np.uint64(10**8)
    values = (hundred_millionths.view(np.int64) / 1e8).astype(np.float32)
    values.view(np.uint32)[...] |= is_negative.astype(np.uint32) << np.uint32(31)
    return values, is_plain


def eight_digits(digits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The integers whose eight decimal digits stand in the bytes of `digits`, the first digit in the lowest byte.

    Neighbours are joined: 8 digits to 4 pairs, to 2 fours, to one eight.

    >>> eight_digits(np.array([0x0000000000030201], np.uint64))
    array([12300000], dtype=uint64)
    """
    joined = digits
    for n_digits, kept in _JOINS:
        later = joined >> np.uint64(8 * n_digits)
        joined = joined * np.uint64(10**n_digits)
        joined += later
        joined &= kept
    return joined


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
