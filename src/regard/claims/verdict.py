"""What comes of a claim: one of five verdicts, why, and what shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from regard.claims.syntax.tree import Span

VerdictName: TypeAlias = Literal["holds", "holds-in-limit", "fails", "ill-formed", "not-understood"]
"""`holds` and `fails` are only said where they are certain, or wrong with a probability of at most 1e-6.

What can be read but not decided is `not-understood` too, never `holds` or `fails`: its reason begins with "not decided"
(samples that leave both open) or says that it takes too long; a person has to look at it.
"""


@dataclass(frozen=True)
class Rate:
    """How fast two sides meet: their relative gap goes like scale^-power or exp(-power·scale).

    It is below 1 % from `one_percent_at` on.
    """

    scale: str
    form: Literal["power", "exponential"]
    power: float
    one_percent_at: float


@dataclass(frozen=True)
class Counterexample:
    """The smallest and simplest instance found on which the two sides differ."""

    sizes: dict[str, int]
    symbols: dict[str, Any]
    left: Any
    right: Any
    gap: float


@dataclass(frozen=True)
class StatementVerdict:
    """The verdict on one statement of a claim; see `Verdict`."""

    verdict: VerdictName
    reason: str
    how: str = ""
    counterexample: Counterexample | None = None
    rates: tuple[Rate, ...] = ()
    notes: tuple[str, ...] = ()
    span: Span | None = None


@dataclass(frozen=True)
class Verdict:
    """The answer to one claim in one setting.

    `reason` is one sentence for the student. `how` says what was tried: instances, precision, exact law or a test with
    its probability of error. `where` is the place in the text that a complaint is about. `nearest` is a true statement
    close to a false one, where one is known; `notes` are what else the reader should know, such as how a letter was
    understood. `readings` are the verdicts for each way to read an ambiguous claim.
    """

    claim: str
    setting: str
    verdict: VerdictName
    reason: str
    how: str = ""
    counterexample: Counterexample | None = None
    rates: tuple[Rate, ...] = ()
    where: Span | None = None
    nearest: str | None = None
    notes: tuple[str, ...] = ()
    readings: tuple[Verdict, ...] = ()
