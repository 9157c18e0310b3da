"""Values that a chapter's address may give: how they are read, checked and written in a link to a view.

scale = number(3.0, 0.1, 1000)
scale.write(7.5), scale.read("7.5")
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Field:
    """One value that a link may give: its default, how it is read and written, and what is expected of it."""

    default: Any
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    expected: str


def number(default: float, low: int | float, high: int | float) -> Field:
    """A number within bounds."""
    return Field(
        default, lambda text: _require_range(float(text), low, high), _short, f"a number from {low:g} to {high:g}"
    )


def whole_number(default: int, low: int, high: int) -> Field:
    """A whole number within bounds."""
    return Field(
        default, lambda text: _require_range(int(text), low, high), str, f"a whole number from {low} to {high}"
    )


def points(default: list[list[float]], *, most: int, extent: int | float) -> Field:
    """Points, written as 1,0.6;-0.4,1.2.

    >>> field = points([[0.0, 0.0]], most=3, extent=2)
    >>> field.read("1,0.6;-0.4,1.2"), field.write([[1.0, 0.6]])
    ([[1.0, 0.6], [-0.4, 1.2]], '1,0.6')
    """
    width = len(default[0])

    def read(text: str) -> list[list[float]]:
        rows = [[_require_range(float(part), -extent, extent) for part in row.split(",")] for row in text.split(";")]
        if len(rows) > most or any(len(row) != width for row in rows):
            raise ValueError(text)
        return rows

    def write(rows: list[list[float]]) -> str:
        return ";".join(",".join(map(_short, row)) for row in rows)

    some = "one point" if most == 1 else f"1 to {most} points"
    return Field(default, read, write, f"{some} as x,y with numbers from {-extent:g} to {extent:g}, ; between points")


def _require_range(value: Any, low: int | float, high: int | float) -> Any:
    if not (math.isfinite(value) and low <= value <= high):
        raise ValueError(value)
    return value


def _short(value: int | float) -> str:
    """The number in four digits after the point at most.

    >>> _short(0.1), _short(3.0), _short(-0.00001)
    ('0.1', '3', '0')
    """
    return f"{round(value, 4) + 0.0:.10g}"
