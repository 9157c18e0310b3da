"""Short texts with a rating each, as lines of identifier, rating and text with tabs between."""

from __future__ import annotations

import math
from dataclasses import dataclass

from regard.errors import InputFileError


@dataclass(frozen=True)
class RatedText:
    """A text and how well people thought of it; the sign says for or against."""

    identifier: str
    rating: float
    text: str


def parse_rated(table: str, *, label: str) -> tuple[RatedText, ...]:
    """One rated text a line. `label` is what messages call the table.

    >>> parse_rated("7\\t-0.5\\ttoo long\\n", label="reviews")
    (RatedText(identifier='7', rating=-0.5, text='too long'),)
    """
    lines = table.removesuffix("\n").split("\n")
    return tuple(_parse_line(line, f"{label}, line {number}") for number, line in enumerate(lines, start=1))


def _parse_line(line: str, place: str) -> RatedText:
    parts = line.split("\t", maxsplit=2)
    if len(parts) != 3:
        raise InputFileError(f"{place}: expected identifier, rating and text with tabs between; got {line[:60]!r}")
    identifier, rating, text = parts
    try:
        number = float(rating)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputFileError(f"{place}: expected a number as rating; got {rating[:60]!r}")
    return RatedText(identifier, number, text.strip())
