"""Many claims with their verdicts: what each question's totals are, and which mistake was most common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from regard.claims.documents import FoundClaim
from regard.claims.pointing import shortened
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain
from regard.claims.verdict import Outcome, Verdict
from regard.errors import NotUnderstood

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
NAMES: dict[str, str] = {"holds-in-limit": "holds in the limit", "not-understood": "not understood"}
"""Verdicts in words, where they are not words already."""
TRUE: frozenset[Outcome] = frozenset({"holds", "holds-in-limit"})


@dataclass(frozen=True)
class Answer:
    """A claim that was found in a document, and what became of it."""

    found: FoundClaim
    verdict: Verdict

    @property
    def is_true(self) -> bool:
        """Whether it holds, be it in the limit."""
        return self.verdict.verdict in TRUE


@dataclass(frozen=True)
class Totals:
    """One question: how many answers came to which verdict; the most common mistake, and how often it was made."""

    question: str
    answers: int
    outcomes: dict[str, int]
    mistake: str
    times: int
    nearest: str | None


def totals(answers: Sequence[Answer]) -> list[Totals]:
    """The totals of each question, in the order in which questions first appear."""
    by_question: dict[str, list[Answer]] = {}
    for answer in answers:
        by_question.setdefault(answer.found.question, []).append(answer)
    return [_total(question, group) for question, group in by_question.items()]


def _total(question: str, answers: list[Answer]) -> Totals:
    outcomes = Counter(answer.verdict.verdict for answer in answers)
    wrong = [answer for answer in answers if not answer.is_true]
    mistakes = Counter(mistake(answer) for answer in wrong)
    commonest, times = mistakes.most_common(1)[0] if mistakes else ("", 0)
    nearest = next((answer.verdict.nearest for answer in wrong if mistake(answer) == commonest), None)
    counted: dict[str, int] = {outcome: outcomes[outcome] for outcome in OUTCOMES}
    return Totals(question, len(answers), counted, commonest, times, nearest)


def mistake(answer: Answer) -> str:
    """What was claimed, in one notation, so that A^T, A.T and Aᵀ are one mistake; as written where it is not read."""
    try:
        return as_plain(parse(answer.found.text))
    except NotUnderstood:
        return shortened(answer.found.text)
