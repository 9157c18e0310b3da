"""What comes of a claim: one of six verdicts, why, and what shows it; and one verdict out of several.

A text may make several statements, or be read in two ways: `join_parts` and `choose_reading` say what comes of both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from regard.claims.syntax.printer import LETTERS
from regard.claims.syntax.tree import Span
from regard.display import MAX_REPR, element, join, one_line

VerdictName: TypeAlias = Literal["holds", "holds-in-limit", "fails", "ill-formed", "undecided", "not-understood"]
"""`holds` and `fails` are only said where they are certain, or wrong with a probability of at most 1e-6.

What can be read but not decided with the effort at hand is `undecided`: samples that leave both open, a witness that
was not found, a trial that takes too long. A person has to look at it, as at what is `not-understood`.
"""
VERDICT_NAMES: tuple[VerdictName, ...] = get_args(VerdictName)
VERDICT_WORDS: dict[str, str] = {
    **{name: name for name in VERDICT_NAMES},
    "holds-in-limit": "holds in the limit",
    "not-understood": "not understood",
}
"""Each verdict in words."""


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


@dataclass(frozen=True, repr=False)
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

    @property
    def is_true(self) -> bool:
        """Whether the claim holds, be it in the limit."""
        return self.verdict in ("holds", "holds-in-limit")

    def facts(self) -> list[tuple[str, str]]:
        """What is known beside the claim itself, a name and a sentence each; a name is empty where a fact goes on."""
        facts = [("setting", self.setting), ("verdict", VERDICT_WORDS[self.verdict]), ("why", self.reason)]
        if self.nearest:
            facts.append(("nearest", self.nearest))
        if self.counterexample is not None:
            lines = format_counterexample(self.counterexample)
            facts += [("for" if i == 0 else "", line) for i, line in enumerate(lines)]
        facts += [("tried", self.how)] if self.how else []
        facts += [("note", note) for note in self.notes]
        return facts + [("reading", f"{VERDICT_WORDS[one.verdict]}: {one.reason}") for one in self.readings]

    def __repr__(self) -> str:
        words = VERDICT_WORDS[self.verdict]
        return one_line(f"Verdict({self.claim!r} {words} in {self.setting}: {self.reason})", max_length=MAX_REPR)

    def _repr_html_(self) -> str:
        rows = [("claim", self.claim), *self.facts()]
        cells = (join(element("th", name), element("td", fact)) for name, fact in rows)
        return str(element("table", *(element("tr", row) for row in cells)))


def format_counterexample(example: Counterexample) -> list[str]:
    """The instance on which the sides differ: its sizes, its symbols, then both sides."""
    sizes = [", ".join(f"{name} = {size}" for name, size in example.sizes.items())] if example.sizes else []
    symbols = [f"{format_name(name)} = {format_value(value)}" for name, value in example.symbols.items()]
    return [*sizes, *symbols, f"left  = {format_value(example.left)}", f"right = {format_value(example.right)}"]


def format_name(name: str) -> str:
    """A symbol as a claim writes it: θ for theta, λ_1 for lambda_1."""
    base, _, rest = name.partition("_")
    return LETTERS.get(base, base) + (f"_{rest}" if rest else "")


def describe_sides(example: Counterexample) -> str:
    """What both sides are on the instance, in one sentence."""
    where = ", ".join(f"{name} = {size}" for name, size in example.sizes.items())
    left, right = (_shorten(format_value(side)) for side in (example.left, example.right))
    is_equal = format_value(example.left) == format_value(example.right) and example.gap < ROUNDING
    words = f"both sides are {left}" if is_equal else f"the left side is {left} and the right side {right}"
    return f"at {where} {words}" if where else words


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_SIDE else text[: MAX_SIDE - 1] + "…"


ROUNDING = 1e-9
MAX_SIDE = 60
"""Characters of a side in a sentence; the whole of it stands below."""


def format_value(value: Any) -> str:
    """Numbers with six digits, lists in brackets."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(format_value, value))}]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


SAYS = "the sentence says:"
"""How a note begins that shows one statement of a sentence in signs."""
READ_IN_PART = "what was read of it"
"""How the reason begins where a part of the words was not understood."""
DECIDED = ("holds", "holds-in-limit", "fails")


def join_parts(claim: str, parts: Sequence[Verdict], notes: tuple[str, ...], unread: tuple[str, ...]) -> Verdict:
    """The verdict on a text by those on its statements: one that fails is enough, and all have to hold.

    Words that were not read may be another statement: without them the text can fail, but not hold.
    """
    failing = next((one for one in parts if one.verdict == "fails"), None)
    if failing is not None and _may_define(failing.claim, claim):
        reason = f"whether {failing.claim} is given or claimed is not plain ('let' says that it is given)"
        failing = replace(failing, verdict="not-understood", reason=reason, counterexample=None, nearest=None)
    first = failing or next((one for one in parts if not one.is_true), None)
    if first is not None:
        reason = first.reason if len(parts) == 1 else f"{_last_sentence(first.claim)}: {first.reason}"
        return replace(first, claim=claim, reason=reason, where=None, notes=(*notes, *first.notes))
    chosen = next((one for one in parts if one.verdict == "holds-in-limit"), parts[0])
    if unread:
        words = f"{READ_IN_PART} {VERDICT_WORDS[chosen.verdict]}, but these words were not understood: {unread[0]}"
        chosen = replace(chosen, verdict="not-understood", reason=words, how="", rates=())
    elif len(parts) > 1:
        chosen = replace(
            chosen, reason=f"each of its {len(parts)} statements {VERDICT_WORDS['holds']}; {chosen.reason}"
        )
    return replace(chosen, claim=claim, where=None, notes=(*notes, *chosen.notes))


def _may_define(statement: str, text: str) -> bool:
    """Whether a sentence before the last says no more than what one letter is: α = softmax(q/τ). Then …"""
    is_of_letter = re.match(r"\\?[A-Za-zα-ωŷ]+(?:_\w)? = ", statement) is not None
    return is_of_letter and re.search(rf"{re.escape(statement)}\.\s+\S", text) is not None


def write_statement(text: str) -> str:
    """A statement in signs, what is claimed first and behind it what is given.

    >>> write_statement("Let A is symmetric. Let c is a scalar. Then (cA)^T = cA")
    '(cA)^T = cA, given A is symmetric and c is a scalar'
    """
    *premises, claimed = re.split(r"\. (?=Let |Then )", text)
    if not premises:
        return text
    *others, last = (_write_premise(premise.removeprefix("Let ")) for premise in premises)
    given = f"{', '.join(others)} and {last}" if others else last
    return f"{claimed.removeprefix('Then ')}, given {given}"


def _write_premise(premise: str) -> str:
    """Something given, as one says it: the keys are orthonormal, x is a unit vector."""
    said = re.sub(r"(\w) be\b", lambda word: f"{word[1]} {'are' if word[1] == 's' else 'is'}", premise)
    return re.sub(r"\bis unit$", "is a unit vector", re.sub(r"\bis onehot$", "is one-hot", said))


def _last_sentence(claim: str) -> str:
    """What is claimed, without what is given."""
    return claim.rpartition("Then ")[2]


def choose_reading(sentence: Verdict, formula: Verdict) -> Verdict:
    """Of two ways to read a text the one that decides it; where both do and disagree, neither."""
    if formula.verdict not in (*DECIDED, "ill-formed") and sentence.reason.startswith(READ_IN_PART):
        return sentence
    if sentence.verdict == "undecided" and formula.verdict == "not-understood":
        return sentence
    if sentence.verdict not in DECIDED:
        return formula
    if formula.verdict not in (*DECIDED, "ill-formed"):
        return sentence
    if formula.is_true == sentence.is_true or formula.verdict == "ill-formed":
        return formula
    reason = (
        f"read in two ways, of which one {VERDICT_WORDS[sentence.verdict]} and one {VERDICT_WORDS[formula.verdict]}"
    )
    return replace(
        sentence,
        verdict="undecided",
        reason=reason,
        counterexample=None,
        nearest=None,
        readings=(sentence, formula),
    )
