"""Every claim of a document, tried: a verdict for each, and for each question which mistake was most common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regard.claims.check import check
from regard.claims.sheets.documents import (
    Answer,
    FoundClaim,
    QuestionTotals,
    find_claims,
    read_claims,
    total_by_question,
)
from regard.claims.meaning.setting import Setting, builtin_settings, find_setting
from regard.claims.syntax.grammar import format_claim
from regard.claims.syntax.printer import make_visible
from regard.claims.verdict import VERDICT_NAMES, VERDICT_WORDS, Verdict
from regard.errors import InputFileError
from regard.progress import Progress, silent, track
from regard.records import StudyTable


@dataclass(frozen=True)
class Config:
    """What holds for claims that do not say it themselves; without a setting, one is found that knows the letters."""

    setting: str = ""
    goal: str = ""


def check_document(path: Path, config: Config | None = None, *, progress: Progress = silent) -> list[Answer]:
    """All claims of a .md, .tex, .toml or .csv file with their verdicts, in its order.

    Raises: InputFileError where the file cannot be read, or names a setting that does not exist, with its line.
    """
    return _check_in(path, read_claims(path), config, progress)


def check_text(text: str, name: str, config: Config | None = None, *, progress: Progress = silent) -> list[Answer]:
    """All claims of a text in Markdown with their verdicts; errors call the text `name`."""
    return _check_in(Path(name), find_claims(text, Path(name)), config, progress)


def _check_in(path: Path, found: list[FoundClaim], config: Config | None, progress: Progress) -> list[Answer]:
    try:
        return check_claims(found, config, progress=progress)
    except _UnknownSetting as error:
        raise InputFileError(f"{path}: {error}") from error


class _UnknownSetting(InputFileError):
    """A setting that is named in a document and does not exist."""


def check_claims(
    found: Sequence[FoundClaim], config: Config | None = None, *, progress: Progress = silent
) -> list[Answer]:
    """Claims with their verdicts; a claim that several people make is tried once."""
    config = config or Config()
    chosen = find_setting(config.setting) if config.setting else None
    settings = [_setting_of(claim, chosen) for claim in found]
    known: dict[tuple[str, str, str], Verdict] = {}
    answers = []
    pairs = list(zip(found, settings, strict=True))
    for claim, setting in track(pairs, progress=progress, message="claims"):
        asked = (claim.text, setting.name if setting else "", claim.goal or config.goal)
        if asked not in known:
            known[asked] = check(claim.text, setting=setting, goal=asked[2])
        answers.append(Answer(claim, known[asked]))
    return answers


def _setting_of(claim: FoundClaim, chosen: Setting | None) -> Setting | None:
    """The setting that a document names must be one of Regard's own: a document cannot have files read."""
    if not claim.setting or (chosen and claim.setting == chosen.name):
        return chosen
    settings = builtin_settings()
    if claim.setting not in settings:
        raise _UnknownSetting(f"line {claim.line}: no setting {claim.setting!r}; there are {', '.join(settings)}")
    return settings[claim.setting]


def answers_table(answers: Sequence[Answer]) -> StudyTable:
    """One row a claim: where it stands, whose it is, its verdict, and why."""
    columns = ("line", "question", "student", "verdict", "claim", "why")
    return StudyTable("Claims", columns, tuple(_answer_row(answer) for answer in answers))


def _answer_row(answer: Answer) -> tuple[Any, ...]:
    found, verdict = answer.found, answer.verdict
    place = (found.line, make_visible(found.question), make_visible(found.student))
    return (*place, VERDICT_WORDS[verdict.verdict], format_claim(found.text), verdict.reason)


def totals_table(answers: Sequence[Answer]) -> StudyTable:
    """One row a question: how many answers came to which verdict, and the most common mistake."""
    outcomes = (VERDICT_WORDS[name] for name in VERDICT_NAMES)
    columns = ("question", "answers", *outcomes, "most common mistake", "times")
    return StudyTable("Claims by question", columns, tuple(_total_row(total) for total in total_by_question(answers)))


def _total_row(total: QuestionTotals) -> tuple[Any, ...]:
    counts = (total.outcomes[outcome] for outcome in VERDICT_NAMES)
    return (make_visible(total.question), total.answers, *counts, total.mistake, total.times)
