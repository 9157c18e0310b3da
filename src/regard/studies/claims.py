"""Every claim of a document, or of a folder of answer sheets, tried: verdicts, and the most common mistakes.

Several processes share the sheets of a folder; what is finished is kept, so that a run can go on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from regard import __version__
from regard.claims.check import check
from regard.claims.meaning.recognition import choose_setting
from regard.claims.meaning.setting import Setting, builtin_settings, find_setting
from regard.claims.sheets.context import answers_with_context, judge_in_context, relevant
from regard.claims.sheets.documents import READERS, find_claims, read_claims
from regard.claims.sheets.formulas import FoundClaim
from regard.claims.sheets.rubric import Grade, Question, find_question
from regard.claims.sheets.totals import Answer, QuestionTotals, answer_from_record, answer_record, total_by_question
from regard.claims.syntax.grammar import format_claim
from regard.claims.syntax.printer import make_visible
from regard.claims.verdict.records import VERDICT_NAMES, VERDICT_WORDS, Verdict
from regard.cluster import map_batches
from regard.errors import CorpusError, InputFileError, RegardError
from regard.files import cache_folder, sha256, write_output
from regard.progress import Progress, silent, track
from regard.records import Workers
from regard.tables import StudyTable


@dataclass(frozen=True)
class Config:
    """What holds for claims that do not say it themselves; without a setting, one is found that knows the letters.

    A rubric says what its questions are read in, and what they are worth.
    """

    setting: str = ""
    goal: str = ""
    rubric: tuple[Question, ...] = ()


def check_document(path: Path, config: Config | None = None, *, progress: Progress = silent) -> list[Answer]:
    """All claims of a file with their verdicts, in its order; its ending says how it is read (`READERS`).

    Raises: InputFileError where the file cannot be read, or names a setting that does not exist, with its line.
    """
    return _check_in(path, read_claims(path), config, progress)


def check_text(text: str, name: str, config: Config | None = None, *, progress: Progress = silent) -> list[Answer]:
    """All claims of a text in Markdown with their verdicts; errors call the text `name`."""
    return _check_in(Path(name), find_claims(text, Path(name)), config, progress)


def _check_in(path: Path, found: list[FoundClaim], config: Config | None, progress: Progress) -> list[Answer]:
    try:
        return check_claims([replace(claim, sheet=path.name) for claim in found], config, progress=progress)
    except _UnknownSetting as error:
        raise InputFileError(f"{path}: {error}") from error


class _UnknownSetting(InputFileError):
    """A setting that is named in a document and does not exist."""


def check_claims(
    found: Sequence[FoundClaim], config: Config | None = None, *, progress: Progress = silent
) -> list[Answer]:
    """Claims with their verdicts, each under what its sheet takes as given; the same claim is tried once."""
    config = config or Config()
    claims = answers_with_context(found)
    settings = _settings_of(claims, config)
    known: dict[tuple[str, tuple[str, ...], str, str], Verdict] = {}
    answers = []
    claims = [_add_relevant(claim, setting) for claim, setting in zip(claims, settings, strict=True)]
    pairs = list(zip(claims, settings, strict=True))
    for claim, setting in track(pairs, progress=progress, message="claims"):
        goal = claim.goal or _question_of(claim, config).goal or config.goal
        asked = (claim.text, claim.given, setting.name if setting else "", goal)
        if asked not in known:
            known[asked] = judge_in_context(claim, partial(check, setting=setting, goal=goal))
        answers.append(Answer(claim, known[asked]))
    return answers


def _add_relevant(claim: FoundClaim, setting: Setting | None) -> FoundClaim:
    """The claim with those of the givens that concern it in its setting."""
    open_letters = [spec.name.partition("_")[0] for spec in setting.symbols if spec.open] if setting else []
    return replace(claim, given=relevant(claim.text, claim.given, open_letters)) if claim.given else claim


def _question_of(claim: FoundClaim, config: Config) -> Question:
    return find_question(config.rubric, claim.question) or Question("", 0.0)


def _settings_of(claims: Sequence[FoundClaim], config: Config) -> list[Setting | None]:
    """The setting of each claim: the one that it or its question names; else one that knows its question's letters."""
    chosen = find_setting(config.setting) if config.setting else None
    by_question: dict[tuple[str, str], str] = {}
    for claim in claims:
        place = (claim.sheet, claim.question)
        by_question[place] = "; ".join(filter(None, [by_question.get(place, ""), claim.text, *claim.given]))
    return [
        _setting_of(claim, _question_of(claim, config).setting, chosen)
        or (choose_setting(by_question[claim.sheet, claim.question]) if claim.sentence else None)
        for claim in claims
    ]


def _setting_of(claim: FoundClaim, from_rubric: str, chosen: Setting | None) -> Setting | None:
    """The setting that a document names must be one of Regard's own: a document cannot have files read."""
    if not claim.setting or (chosen and claim.setting == chosen.name):
        return find_setting(from_rubric) if from_rubric else chosen
    settings = builtin_settings()
    if claim.setting not in settings:
        raise _UnknownSetting(f"line {claim.line}: no setting {claim.setting!r}; there are {', '.join(settings)}")
    return settings[claim.setting]


def answers_table(answers: Sequence[Answer]) -> StudyTable:
    """One row a claim: where it stands, whose it is, its verdict, and why."""
    columns = ("sheet", "line", "question", "student", "verdict", "claim", "taken as given", "why")
    return StudyTable("Claims", columns, tuple(_answer_row(answer) for answer in answers))


def _answer_row(answer: Answer) -> tuple[Any, ...]:
    found, verdict = answer.found, answer.verdict
    place = (found.sheet, found.line, make_visible(found.question), make_visible(found.student))
    given = "; ".join(format_claim(each) for each in found.given)
    return (*place, VERDICT_WORDS[verdict.verdict], format_claim(found.text), given, verdict.reason)


def grades_table(grades: Sequence[Grade]) -> StudyTable:
    """One row a question of a sheet: its points, what they are out of, and what a person has to look at."""
    columns = ("sheet", "student", "question", "points", "of", "to be looked at")
    rows = [
        (grade.sheet, make_visible(grade.student), grade.question, grade.points, grade.of, "; ".join(grade.review))
        for grade in grades
    ]
    return StudyTable("Points", columns, tuple(rows))


def totals_table(answers: Sequence[Answer]) -> StudyTable:
    """One row a question: how many answers came to which verdict, and the most common mistake."""
    outcomes = (VERDICT_WORDS[name] for name in VERDICT_NAMES)
    columns = ("question", "answers", *outcomes, "most common mistake", "times")
    return StudyTable("Claims by question", columns, tuple(_total_row(total) for total in total_by_question(answers)))


def _total_row(total: QuestionTotals) -> tuple[Any, ...]:
    counts = (total.outcomes[outcome] for outcome in VERDICT_NAMES)
    return (make_visible(total.question), total.answers, *counts, total.mistake, total.times)


def check_folder(
    folder: Path,
    config: Config | None = None,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress = silent,
) -> list[Answer]:
    """All claims of all sheets in a folder, in the order of their names; each sheet is worked on by one process.

    What is finished is kept in the cache folder, so that a run which was ended goes on where it stopped: a sheet is
    tried again only if it, the settings or the version has changed. Workers of a `scheduler` have to see the folder.

    Raises: InputFileError where the folder holds no sheet, or a sheet cannot be read; the others are finished first.
    """
    sheets = sorted(path for path in folder.iterdir() if path.suffix.lower() in READERS and path.is_file())
    if not sheets:
        raise InputFileError(f"{folder}: no sheet found; expected files that end in {', '.join(READERS)}")
    config = config or Config()
    batches = [(str(sheet.absolute()), sheet.name, config, _fingerprint(sheet, config)) for sheet in sheets]
    group = Workers(min(workers, len(sheets)), scheduler)
    done = map_batches(check_sheet, batches, workers=group, total=len(sheets), progress=progress, message="sheets")
    found = [json.loads(result) for result in done]
    if errors := sorted(each["error"] for each in found if "error" in each):
        raise InputFileError("; ".join(errors))
    return [answer_from_record(record) for each in found for record in each["answers"]]


def check_sheet(path: str, name: str, config: Config, fingerprint: str) -> bytes:
    """The answers of a sheet as JSON, or the error that it has: kept from an earlier run, or else new, and kept."""
    kept: Path | None = None
    with suppress(OSError, ValueError, KeyError, TypeError, CorpusError):
        kept = cache_folder() / "claims" / f"{fingerprint}.answers"
        checksum, _, content = kept.read_bytes().partition(b"\n")
        if checksum.decode("ascii", "replace") == sha256(content):
            records = json.loads(content)
            [answer_from_record(record) for record in records]  # it is of this version
            return _as_bytes(answers=records)
    try:
        records = [answer_record(answer) for answer in check_document(Path(path), config)]
    except RegardError as error:
        return _as_bytes(error=str(error))
    if kept is not None:
        with suppress(OSError):  # a full disk: the answers are there all the same
            kept.parent.mkdir(parents=True, exist_ok=True)
            content = json.dumps(records).encode()
            write_output(kept, sha256(content).encode() + b"\n" + content)
    return _as_bytes(answers=records)


def _fingerprint(sheet: Path, config: Config) -> str:
    """What the answers depend on, as a checksum."""
    own = Path(config.setting).read_bytes() if Path(config.setting).is_file() else b""
    try:
        content = sheet.read_bytes()
    except OSError:  # `check_document` says why
        content = b""
    return sha256(repr((__version__, sheet.name, config)).encode() + own + content)


def _as_bytes(**record: Any) -> bytes:
    return json.dumps(record).encode()
