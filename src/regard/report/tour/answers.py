"""What an answer of the tour is made of: sentences, numbers with their origin, tables, drawings, tried claims.

All of it is plain data, so that an answer is kept as JSON and read again without loss.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from regard.display import short_repr


@dataclass(frozen=True)
class Question:
    """One question of the exercise; its part is the letter that its identifier begins with."""

    identifier: str
    title: str
    text: str

    @property
    def part(self) -> str:
        """The letter of its part.

        >>> Question("A3", "Noisy keys", "Which query …?").part
        'A'
        """
        return self.identifier[0]


@dataclass(frozen=True)
class Number:
    """A number that was computed in the run, and all that it takes to compute it again.

    `error` is what it may be off by, where that is known: a bound for exact figures, a standard error where `how` says
    so. `data` names the text or the labelled texts it was measured on, `digest` is their sha256.
    """

    name: str
    value: float
    error: float | None = None
    how: str = ""
    seed: int = 0
    data: str = ""
    digest: str = ""
    version: str = ""


@dataclass(frozen=True)
class Table:
    """Named columns and rows of plain cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Drawing:
    """A figure as SVG, and what it shows in words."""

    caption: str
    svg: str


@dataclass(frozen=True)
class Sample:
    """A text that a model wrote or read, and what it is."""

    caption: str
    text: str


@dataclass(frozen=True)
class TriedClaim:
    """A claim, right or commonly mistaken for right, with the verdict of `regard check` on it."""

    claim: str
    setting: str
    goal: str
    verdict: str
    reason: str
    nearest: str = ""

    @property
    def is_true(self) -> bool:
        """Whether it holds, always or in the limit."""
        return self.verdict in ("holds", "holds-in-limit")


@short_repr
@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer to one question; where it could not be found, `failure` says why and all else is empty.

    `notes` say what the reader should know of the evidence, such as which text was used instead of another. `link` is
    the address of a chapter of the lab with these numbers, below the lab's own. `fingerprint` is a digest of all
    settings and data that the answer depends on: with another one, it would have to be computed again.
    """

    question: Question
    sentences: tuple[str, ...] = ()
    numbers: tuple[Number, ...] = ()
    tables: tuple[Table, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    samples: tuple[Sample, ...] = ()
    claims: tuple[TriedClaim, ...] = ()
    command: str = ""
    python: str = ""
    link: str = ""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    failure: str = ""
    fingerprint: str = ""

    def number(self, name: str) -> Number:
        """The number of this name; KeyError where there is none."""
        for each in self.numbers:
            if each.name == name:
                return each
        raise KeyError(name)


@dataclass(frozen=True)
class Tour:
    """All answers of a run in the order of the exercise, and the settings they were found with."""

    answers: tuple[Answer, ...]
    seed: int
    quick: bool
    version: str

    def as_json(self, *, drawings: bool = False) -> dict[str, Any]:
        """Plain data; without drawings, unless they are asked for."""
        record = dataclasses.asdict(self)
        for answer in record["answers"]:
            if not drawings:
                del answer["drawings"]
        return record


NESTED = {
    "numbers": Number,
    "tables": Table,
    "drawings": Drawing,
    "samples": Sample,
    "claims": TriedClaim,
}
"""Fields of an answer that hold records, and the records they hold."""


def read_answer(record: dict[str, Any]) -> Answer:
    """An answer from plain data, as `dataclasses.asdict` or JSON has it; KeyError or TypeError where it is none.

    >>> kept = dataclasses.asdict(Answer(question=Question("A1", "Copy", "When?"), sentences=("Always.",)))
    >>> read_answer(kept).sentences
    ('Always.',)
    """
    fields: dict[str, Any] = {"question": Question(**record["question"])}
    for name, value in record.items():
        if name in NESTED:
            fields[name] = tuple(NESTED[name](**_with_tuples(each)) for each in value)
        elif name != "question":
            fields[name] = _as_tuple(value)
    return Answer(**fields)


def _with_tuples(record: dict[str, Any]) -> dict[str, Any]:
    return {name: _as_tuple(value) for name, value in record.items()}


def _as_tuple(value: Any) -> Any:
    """Tuples in place of the lists that JSON has, at any depth."""
    return tuple(map(_as_tuple, value)) if isinstance(value, list | tuple) else value
