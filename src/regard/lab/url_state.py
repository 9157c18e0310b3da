"""What a chapter's address says: read from a link, checked, and written back when a control moves.

    FIELDS = {"scale": number(3.0, 0.1, 1000), "a": free_text("The default.", most=4_000), "steps": choices((), STEPS)}
    link = read_link(mo.query_params().to_dict(), FIELDS)
    write_link(mo.query_params(), {"scale": 7.5, ...}, FIELDS)

A value that is wrong is replaced by its default, and a sentence says so. Only short texts go into a link: a browser,
and whoever is sent the link, must be able to hold it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

MAX_CHARACTERS = 8_000


@dataclass(frozen=True)
class Field:
    """One value that a link may give: its default, how it is read and written, and what is expected of it."""

    default: Any
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    expected: str


@dataclass(frozen=True)
class LinkState:
    """A value for every field, and a sentence for each field that was wrong in the link."""

    values: dict[str, Any]
    complaints: tuple[str, ...]


def read_link(parameters: Mapping[str, str | list[str]], fields: Mapping[str, Field]) -> LinkState:
    """The values that these parameters of an address give.

    >>> read_link({"n": "7"}, {"n": whole_number(2, 1, 5)}).complaints
    ("n in this link should be a whole number from 1 to 5, not '7'; 2 is used instead",)
    """
    values, complaints = {}, []
    for name, field in fields.items():
        values[name] = field.default
        if name in parameters:
            given = parameters[name]
            text = given[-1] if isinstance(given, list) else given
            try:
                values[name] = field.read(text[:MAX_CHARACTERS])
            except ValueError:
                shortened = text if len(text) <= 40 else text[:40] + "…"
                default = field.write(field.default)
                instead = f"{default} is used instead" if default else "it is ignored"
                complaints.append(f"{name} in this link should be {field.expected}, not {shortened!r}; {instead}")
    return LinkState(values, tuple(complaints))


def write_link(parameters: Any, values: Mapping[str, Any], fields: Mapping[str, Field]) -> None:
    """Put the values into the address bar; `parameters` are those of marimo (`mo.query_params()`)."""
    for name, field in fields.items():
        text = field.write(values[name])
        is_default = text == field.write(field.default)
        if is_default and name in parameters:
            parameters.remove(name)
        elif not is_default and parameters.get(name) != text:
            parameters.set(name, text)


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


LINK_CHARACTERS = 2_000
LINK_BYTES = 12_000
"""As a link spells them: a letter outside ASCII takes up to twelve characters there."""


def free_text(default: str, *, most: int) -> Field:
    """A text of at most so many characters."""

    def read(text: str) -> str:
        if len(text) > most:
            raise ValueError(text)
        return text

    return Field(default, read, str, f"a text of at most {most:,} characters")


def choices(default: tuple[str, ...], options: tuple[str, ...]) -> Field:
    """Some of these words, in their order, written with commas between.

    >>> field = choices(("b",), ("a", "b", "c"))
    >>> field.read("c,a"), field.read(""), field.write(("a", "c"))
    (('a', 'c'), (), 'a,c')
    """

    def read(text: str) -> tuple[str, ...]:
        chosen = text.split(",") if text else []
        if not set(chosen) <= set(options):
            raise ValueError(text)
        return tuple(option for option in options if option in chosen)

    return Field(default, read, ",".join, f"some of {', '.join(options)}, with commas between")


def fits_link(*texts: str) -> bool:
    """Whether a link may carry these texts."""
    return sum(map(len, texts)) <= LINK_CHARACTERS and len(quote("".join(texts))) <= LINK_BYTES


def replace_surrogates(text: str) -> str:
    """The text as UTF-8 can hold it: halves of characters, which a browser may send, become question marks.

    >>> replace_surrogates("caf\\ud800é")
    'caf?é'
    """
    return text.encode("utf-8", "replace").decode()


def length_complaint(name: str, text: str, *, most: int) -> str | None:
    """What to say of a text that is empty or too long; None where it is neither."""
    if not text.strip():
        return f"{name} is empty: type or paste something"
    if len(text) > most:
        return f"{name} has {len(text):,} characters; at most {most:,} are taken: shorten it"
    return None
