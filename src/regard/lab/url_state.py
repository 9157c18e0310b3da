"""A view of a chapter in the address bar: a link reproduces it, and what is wrong in a link is told in the page.

A chapter lists its fields once; those at their default are left out of the address.

    FIELDS = {"scale": number(3.0, 0.1, 1000), "query": points([[1, 0]], most=1)}
    view = read_view(dict(mo.query_params()), FIELDS)       view.values["scale"], view.complaints
    write_view(mo.query_params(), {"scale": 4.0}, FIELDS)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

MOST_CHARACTERS = 8_000


@dataclass(frozen=True)
class Field:
    """One thing that a link may say: what holds without it, how it is read and written, what is expected of it."""

    default: Any
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    expected: str


@dataclass(frozen=True)
class View:
    """A value for every field, and a sentence for each that the link had wrong."""

    values: dict[str, Any]
    complaints: tuple[str, ...]


def read_view(parameters: Mapping[str, str | list[str]], fields: Mapping[str, Field]) -> View:
    """The view that these parameters of an address describe.

    >>> read_view({"n": "7"}, {"n": whole(2, 1, 5)})
    View(values={'n': 2}, complaints=("n in this link should be a whole number from 1 to 5; '7' is not: 2 stands",))
    """
    values, complaints = {}, []
    for name, field in fields.items():
        values[name] = field.default
        if name in parameters:
            given = parameters[name]
            text = given[-1] if isinstance(given, list) else given
            try:
                values[name] = field.read(text[:MOST_CHARACTERS])
            except ValueError:
                shown = text if len(text) <= 40 else text[:40] + "…"
                stands = field.write(field.default) or "nothing"
                complaints.append(f"{name} in this link should be {field.expected}; {shown!r} is not: {stands} stands")
    return View(values, tuple(complaints))


def write_view(parameters: Any, values: Mapping[str, Any], fields: Mapping[str, Field]) -> None:
    """Put the view into the address bar; `parameters` are those of marimo (`mo.query_params()`)."""
    for name, field in fields.items():
        text = field.write(values[name])
        is_default = text == field.write(field.default)
        if is_default and name in parameters:
            parameters.remove(name)
        elif not is_default and parameters.get(name) != text:
            parameters.set(name, text)


def number(default: float, low: int | float, high: int | float) -> Field:
    """A number within bounds."""
    return Field(default, lambda text: _bounded(float(text), low, high), _short, f"a number from {low:g} to {high:g}")


def whole(default: int, low: int, high: int) -> Field:
    """A whole number within bounds."""
    return Field(default, lambda text: _bounded(int(text), low, high), str, f"a whole number from {low} to {high}")


def counts(default: list[int], high: int, *, most: int) -> Field:
    """Several whole numbers from 0, written as 1,1,0."""

    def read(text: str) -> list[int]:
        numbers = [_bounded(int(part), 0, high) for part in text.split(",")]
        if not 2 <= len(numbers) <= most or not any(numbers):
            raise ValueError(text)
        return numbers

    def write(numbers: list[int]) -> str:
        return ",".join(map(str, numbers))

    return Field(default, read, write, f"2 to {most} whole numbers from 0 to {high}, not all 0, with commas between")


def choice(default: str, options: tuple[str, ...]) -> Field:
    """One of some words."""

    def read(text: str) -> str:
        if text not in options:
            raise ValueError(text)
        return text

    return Field(default, read, str, f"one of {', '.join(options)}")


def points(default: list[list[float]], *, most: int, extent: int | float) -> Field:
    """Points, written as 1,0.6;-0.4,1.2.

    >>> field = points([[0.0, 0.0]], most=3, extent=2)
    >>> field.read("1,0.6;-0.4,1.2"), field.write([[1.0, 0.6]])
    ([[1.0, 0.6], [-0.4, 1.2]], '1,0.6')
    """
    width = len(default[0])

    def read(text: str) -> list[list[float]]:
        rows = [[_bounded(float(part), -extent, extent) for part in row.split(",")] for row in text.split(";")]
        if len(rows) > most or any(len(row) != width for row in rows):
            raise ValueError(text)
        return rows

    def write(rows: list[list[float]]) -> str:
        return ";".join(",".join(map(_short, row)) for row in rows)

    some = "one point" if most == 1 else f"1 to {most} points"
    return Field(default, read, write, f"{some} as x,y with numbers from {-extent:g} to {extent:g}, ; between points")


def _bounded(value: Any, low: int | float, high: int | float) -> Any:
    if not (math.isfinite(value) and low <= value <= high):
        raise ValueError(value)
    return value


def _short(value: int | float) -> str:
    """The number in four digits after the point at most.

    >>> _short(0.1), _short(3.0), _short(-0.00001)
    ('0.1', '3', '0')
    """
    return f"{round(value, 4) + 0.0:.10g}"
