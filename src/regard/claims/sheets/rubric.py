"""Points for answers: a TOML file says what each question is worth, and which forms are accepted.

    [[question]]
    name = "1b"                          as the sheet's heading, or a part of it
    points = 2
    setting = "two-subspaces"            where wanted; likewise goal
    accepted = ["M = A A^T"]             where wanted: forms that are right whatever the checker says

A question's points are given for an answer that holds, or that is one of the accepted forms in another notation; where
several answers stand under one question, the share that holds is what counts; reasons ("because …") are tried, and not
counted. What was not understood, not decided or
not found waits for a person in the review queue; nothing is failed silently.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regard.claims.sheets.totals import Answer
from regard.claims.syntax.grammar import format_claim
from regard.errors import InputFileError

MAX_RUBRIC_BYTES = 1_000_000
FIELDS = {"name": str, "points": (int, float), "setting": str, "goal": str, "accepted": list}


@dataclass(frozen=True)
class Question:
    """What one question is worth, and how its answers are read."""

    name: str
    points: float
    setting: str = ""
    goal: str = ""
    accepted: tuple[str, ...] = ()


@dataclass(frozen=True)
class Grade:
    """One question of one sheet: the points that are sure, the points at stake, and what a person has to look at."""

    sheet: str
    student: str
    question: str
    points: float
    of: float
    review: tuple[str, ...]

    @property
    def is_settled(self) -> bool:
        """Whether no person has to look at it."""
        return not self.review


def read_rubric(path: Path) -> list[Question]:
    """The questions of a rubric file.

    Raises: InputFileError where it cannot be read, or a question lacks its name or its points.
    """
    try:
        content = path.read_bytes()
        if len(content) > MAX_RUBRIC_BYTES:
            raise InputFileError(f"{path}: larger than {MAX_RUBRIC_BYTES:,} bytes; expected a short list of questions")
        data = tomllib.loads(content.decode("utf-8-sig"))
    except OSError as error:
        raise InputFileError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise InputFileError(f"{path}: not TOML: {error}") from error
    rows = data.get("question", [])
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise InputFileError(f"{path}: expected tables [[question]] with name and points")
    return [_question(row, f"{path}: question {number}") for number, row in enumerate(rows, start=1)]


def _question(row: dict[str, Any], place: str) -> Question:
    for name, value in row.items():
        if name not in FIELDS:
            raise InputFileError(f"{place}: {name!r} is not known; expected {', '.join(FIELDS)}")
        if not isinstance(value, FIELDS[name]) or isinstance(value, bool):  # type: ignore[arg-type]
            raise InputFileError(f"{place}: {name} is {value!r}; expected {_expectation(name)}")
    missing = [name for name in ("name", "points") if name not in row]
    if missing:
        raise InputFileError(f"{place}: {' and '.join(missing)} missing; expected at least name and points")
    if not row["points"] >= 0 or row["points"] > 1e6:
        raise InputFileError(f"{place}: points is {row['points']}; expected a number from 0 to a million")
    if not all(isinstance(form, str) for form in row.get("accepted", [])):
        raise InputFileError(f"{place}: accepted holds what is no text; expected forms such as 'M = A A^T'")
    return Question(**{**row, "points": float(row["points"]), "accepted": tuple(row.get("accepted", ()))})


def _expectation(name: str) -> str:
    return {"points": "a number", "accepted": "a list of texts"}.get(name, "a text")


def find_question(rubric: Sequence[Question], heading: str) -> Question | None:
    """The question that a heading names: the same name, or else the longest name that is a word of the heading."""
    words = heading.lower().replace(":", " ").replace("(", " ").replace(")", " ").replace(".", " ").split()
    same = [question for question in rubric if question.name.lower() == heading.strip().lower()]
    inside = [question for question in rubric if question.name.lower() in words]
    return next(iter(same), None) or max(inside, key=lambda question: len(question.name), default=None)


def grade(answers: Sequence[Answer], rubric: Sequence[Question]) -> list[Grade]:
    """Every question of the rubric for every sheet, in the order of the sheets."""
    sheets: dict[tuple[str, str], list[Answer]] = {}
    for answer in answers:
        sheets.setdefault((answer.found.sheet, answer.found.student), []).append(answer)
    return [
        _grade(*who, question, [each for each in given if find_question(rubric, each.found.question) is question])
        for who, given in sheets.items()
        for question in rubric
    ]


def _grade(sheet: str, student: str, question: Question, answers: list[Answer]) -> Grade:
    answers = [answer for answer in answers if answer.found.role == "answer"]
    accepted = {format_claim(form) for form in question.accepted}
    right = [answer for answer in answers if answer.is_true or format_claim(answer.found.text) in accepted]
    wrong = [answer for answer in answers if answer not in right and answer.verdict.verdict in ("fails", "ill-formed")]
    open_ = [answer for answer in answers if answer not in right and answer not in wrong]
    review = tuple(f"line {answer.found.line}: {format_claim(answer.found.text)}" for answer in open_)
    if not answers:
        review = ("no formula was found under this question",)
    share = len(right) / (len(right) + len(wrong)) if right or wrong else 0.0
    return Grade(sheet, student, question.name, round(question.points * share, 2), question.points, review)
