"""Answers and their totals: how many came to which verdict, and the mistake that was made most often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from regard.claims.sheets.formulas import FoundClaim
from regard.claims.syntax.grammar import format_claim
from regard.claims.syntax.tree import Span
from regard.claims.verdict.records import VERDICT_NAMES, Counterexample, Rate, Verdict


@dataclass(frozen=True)
class Answer:
    """A claim that was found in a document, and what became of it."""

    found: FoundClaim
    verdict: Verdict

    @property
    def is_true(self) -> bool:
        """Whether it holds, be it in the limit."""
        return self.verdict.is_true


@dataclass(frozen=True)
class QuestionTotals:
    """One question: how many answers came to which verdict; the most common mistake, and how often it was made."""

    question: str
    answers: int
    outcomes: dict[str, int]
    mistake: str
    times: int
    nearest: str | None


def total_by_question(answers: Sequence[Answer]) -> list[QuestionTotals]:
    """The totals of each question, in the order in which questions first appear."""
    by_question: dict[str, list[Answer]] = {}
    for answer in answers:
        by_question.setdefault(answer.found.question, []).append(answer)
    return [_total(question, group) for question, group in by_question.items()]


def _total(question: str, answers: list[Answer]) -> QuestionTotals:
    outcomes = Counter(answer.verdict.verdict for answer in answers)
    wrong = [answer for answer in answers if answer.verdict.verdict in ("fails", "ill-formed")]
    mistakes = Counter(mistake(answer) for answer in wrong)
    commonest, times = mistakes.most_common(1)[0] if mistakes else ("", 0)
    nearest = next((answer.verdict.nearest for answer in wrong if mistake(answer) == commonest), None)
    counted: dict[str, int] = {outcome: outcomes[outcome] for outcome in VERDICT_NAMES}
    return QuestionTotals(question, len(answers), counted, commonest, times, nearest)


def mistake(answer: Answer) -> str:
    """What was claimed, in one notation, so that A^T, A.T and Aᵀ are one mistake."""
    return format_claim(answer.found.text)


def answer_record(answer: Answer) -> dict[str, Any]:
    """An answer as plain values, for JSON."""
    record = asdict(answer)
    example = record["verdict"]["counterexample"]
    if example:
        example.update({name: plain_value(example[name]) for name in ("symbols", "left", "right")})
    return record


def answer_from_record(record: Mapping[str, Any]) -> Answer:
    """The answer that `answer_record` made plain values of."""
    found = {**record["found"], "given": tuple(record["found"]["given"])}
    return Answer(FoundClaim(**found), _verdict_from_record(record["verdict"]))


def _verdict_from_record(record: Mapping[str, Any]) -> Verdict:
    example, where = record["counterexample"], record["where"]
    parts = {
        "counterexample": Counterexample(**example) if example else None,
        "rates": tuple(Rate(**rate) for rate in record["rates"]),
        "where": Span(**where) if where else None,
        "notes": tuple(record["notes"]),
        "readings": tuple(_verdict_from_record(reading) for reading in record["readings"]),
    }
    return Verdict(**{**record, **parts})


def plain_value(value: Any) -> Any:
    """Arrays as lists, also inside a dictionary."""
    if isinstance(value, Mapping):
        return {name: plain_value(each) for name, each in value.items()}
    return value.tolist() if hasattr(value, "tolist") else value
