"""What a page may send: a frozen dataclass whose fields say what they take, checked before anything is computed.

@dataclass(frozen=True)
class MixInput:
    shares: list[float] = numbers(0, 10, most=8)
    error: float = number(1e-6, 0.5)

read_input(MixInput, {"shares": [1, 1, 0], "error": 0.01})
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, TypeVar

from regard.errors import ValueRangeError

T = TypeVar("T")
Check = Callable[[Any], Any]
"""Returns the value in the type that is computed with; raises ValueError or TypeError where it does not fit."""


def read_input(kind: type[T], sent: Any) -> T:
    """What was sent as a record of this kind; ValueRangeError with one line on what is wrong.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Point:
    ...     x: float = number(0, 1)
    >>> read_input(Point, {"x": 2})
    Traceback (most recent call last):
    regard.errors.ValueRangeError: x should be a number from 0 to 1, not 2
    """
    fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    if not isinstance(sent, dict) or set(sent) != set(fields):
        raise ValueRangeError(f"expected an object with {', '.join(fields)}")
    values = {}
    for name, field in fields.items():
        try:
            values[name] = field.metadata["check"](sent[name])
        except (TypeError, ValueError, OverflowError):
            raise ValueRangeError(f"{name} should be {field.metadata['expected']}, not {_short(sent[name])}") from None
    return kind(**values)


def number(low: int | float, high: int | float) -> Any:
    """A number within bounds."""
    return _field(lambda value: _check_number(value, low, high), f"a number from {low:g} to {high:g}")


def whole_number(low: int, high: int) -> Any:
    """A whole number within bounds."""

    def check(value: Any) -> int:
        if int(_check_number(value, low, high)) != value:
            raise ValueError(value)
        return int(value)

    return _field(check, f"a whole number from {low} to {high}")


def numbers(low: int | float, high: int | float, *, most: int, least: int = 1) -> Any:
    """Several numbers within bounds."""

    def check(value: Any) -> tuple[float, ...]:
        return tuple(_check_number(part, low, high) for part in _check_list(value, least, most))

    return _field(check, f"{least} to {most} numbers from {low:g} to {high:g}")


def points(extent: int | float, *, most: int, width: int = 2, least: int = 1) -> Any:
    """Several points, each a list of `width` numbers from −extent to extent."""

    def check(value: Any) -> tuple[tuple[float, ...], ...]:
        rows = [_check_list(row, width, width) for row in _check_list(value, least, most)]
        return tuple(tuple(_check_number(part, -extent, extent) for part in row) for row in rows)

    return _field(check, f"{least} to {most} lists of {width} numbers from {-extent:g} to {extent:g}")


def point_lists(extent: int | float, *, most_lists: int, most: int) -> Any:
    """Several lists of points of the plane, each with at least one point."""

    def check(value: Any) -> tuple[tuple[tuple[float, ...], ...], ...]:
        lists = [_check_list(part, 1, most) for part in _check_list(value, 1, most_lists)]
        rows = [[_check_list(row, 2, 2) for row in part] for part in lists]
        return tuple(tuple(tuple(_check_number(one, -extent, extent) for one in row) for row in part) for part in rows)

    return _field(
        check, f"1 to {most_lists} lists of 1 to {most} points as [x, y] with numbers from {-extent:g} to {extent:g}"
    )


def matrix(extent: int | float, *, most_rows: int, most_columns: int) -> Any:
    """Rows of numbers from −extent to extent, all of one length; there may be none."""

    def check(value: Any) -> tuple[tuple[float, ...], ...]:
        rows = [_check_list(row, 1, most_columns) for row in _check_list(value, 0, most_rows)]
        if len({len(row) for row in rows}) > 1:
            raise ValueError(value)
        return tuple(tuple(_check_number(part, -extent, extent) for part in row) for row in rows)

    size = f"up to {most_rows} rows of up to {most_columns} numbers"
    return _field(check, f"{size} from {-extent:g} to {extent:g}, all of one length")


def choice(*options: str | int) -> Any:
    """One of some words or numbers."""

    def check(value: Any) -> Any:
        if isinstance(value, bool) or value not in options:
            raise ValueError(value)
        return value

    return _field(check, f"one of {', '.join(map(str, options))}")


def some_of(*options: str) -> Any:
    """Some of these words, in their order; there may be none."""

    def check(value: Any) -> tuple[str, ...]:
        chosen = _check_list(value, 0, len(options))
        if not all(isinstance(word, str) and word in options for word in chosen):
            raise ValueError(value)
        return tuple(option for option in options if option in chosen)

    return _field(check, f"some of {', '.join(options)}")


def text(*, most: int, least: int = 1) -> Any:
    """A text of `least` to `most` characters, none of which is half of a surrogate pair."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or not least <= len(value) <= most:
            raise ValueError(value)
        value.encode()  # a UnicodeEncodeError is a ValueError
        return value

    return _field(check, f"a text of {least} to {most} characters")


def _field(check: Check, expected: str) -> Any:
    return dataclasses.field(metadata={"check": check, "expected": expected})


def _check_number(value: Any, low: int | float, high: int | float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    if not (math.isfinite(value) and low <= value <= high):
        raise ValueError(value)
    return float(value)


def _check_list(value: Any, least: int, most: int) -> list[Any]:
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise ValueError(value)
    return value


def _short(value: Any) -> str:
    """The value in at most 40 characters; of a long list or text only its beginning is looked at."""
    if isinstance(value, str):
        value = value[:60]
    if isinstance(value, list | dict):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    text = ascii(value)
    return text if len(text) <= 40 else text[:40] + "…"
