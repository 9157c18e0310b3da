"""Every claim of a document, tried: a verdict for each, and for each question which mistake was most common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from regard.claims.check import check
from regard.claims.documents import (
    VERDICT_NAMES,
    VERDICT_WORDS,
    Answer,
    FoundClaim,
    QuestionTotals,
    find_claims,
    read_claims,
    total_by_question,
)
from regard.claims.meaning.setting import Setting, builtin_settings, find_setting
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import choose_reading
from regard.claims.syntax.tree import Node, OneOf, Relation, Symbol, children
from regard.claims.verdict import Verdict
from regard.errors import InputFileError, NotUnderstood
from regard.records import StudyTable

Track = Callable[[Sequence[Any], str], Iterable[Any]]
"""Hands on the items of a sequence one by one; a caller may show how far it has come."""


@dataclass(frozen=True)
class Config:
    """What holds for claims that do not say it themselves; without a setting, one is found that knows the letters."""

    setting: str = ""
    goal: str = ""


def check_document(path: Path, config: Config | None = None, *, track: Track | None = None) -> list[Answer]:
    """All claims of a .md, .tex, .toml or .csv file with their verdicts, in its order.

    Raises: InputFileError where the file cannot be read, or names a setting that does not exist, with its line.
    """
    return _check_in(path, read_claims(path), config, track)


def check_text(text: str, name: str, config: Config | None = None, *, track: Track | None = None) -> list[Answer]:
    """All claims of a text in Markdown with their verdicts; errors call the text `name`."""
    return _check_in(Path(name), find_claims(text, Path(name)), config, track)


def _check_in(path: Path, found: list[FoundClaim], config: Config | None, track: Track | None) -> list[Answer]:
    try:
        return check_claims(found, config, track=track)
    except _UnknownSetting as error:
        raise InputFileError(f"{path}: {error}") from error


class _UnknownSetting(InputFileError):
    """A setting that is named in a document and does not exist."""


def check_claims(
    found: Sequence[FoundClaim], config: Config | None = None, *, track: Track | None = None
) -> list[Answer]:
    """Claims with their verdicts; a claim that several people make is tried once."""
    config = config or Config()
    chosen = find_setting(config.setting) if config.setting else None
    settings = [_setting_of(claim, chosen) for claim in found]
    known: dict[tuple[str, str, str], Verdict] = {}
    answers = []
    pairs = list(zip(found, settings, strict=True))
    for claim, setting in track(pairs, "claims") if track else pairs:
        asked = (claim.text, setting.name if setting else "", claim.goal or config.goal)
        if asked not in known:
            known[asked] = verdict_of(claim.text, setting=setting, goal=asked[2])
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


def verdict_of(text: str, *, setting: Setting | None = None, goal: str = "") -> Verdict:
    """The verdict in a setting; without one, in the setting that knows most of the letters, which is then told."""
    chosen = setting or choose_setting(text)
    verdict = check(text, setting=chosen, goal=goal or None)
    if setting is not None or verdict.verdict == "not-understood":
        return verdict
    note = f"no setting was named, so this was read in {chosen.name}"
    return replace(verdict, notes=(*verdict.notes, note))


def choose_setting(text: str) -> Setting:
    """The first of Regard's settings in which the fewest letters of a claim are unknown."""
    try:
        letters = set(_letters(parse(text).statements))
    except NotUnderstood:
        letters = set()
    return min(builtin_settings().values(), key=lambda setting: len(letters - _known_letters(setting)))


def _letters(nodes: Sequence[Node | Relation]) -> Iterator[str]:
    """The names in a claim, in the reading that would be shown."""
    for node in nodes:
        if isinstance(node, Symbol):
            yield _key(node)
        else:
            yield from _letters([choose_reading(node)] if isinstance(node, OneOf) else children(node))


def _key(symbol: Symbol) -> str:
    """A name, and a number below it: q_1 is another letter than q, but k_a is one of the k."""
    return "_".join([symbol.name, *filter(str.isdecimal, symbol.subscripts)])


@cache
def _known_letters(setting: Setting) -> frozenset[str]:
    return frozenset(_key(parse_symbol(name)) for spec in setting.symbols for name in spec.spellings)


def parse_symbol(spelling: str) -> Symbol:
    """A symbol from how a setting spells it: W_1, alpha, y_hat, score."""
    left = parse(f"{spelling} = 0").statements[0].left
    node = left.readings[0] if isinstance(left, OneOf) else left
    return node if isinstance(node, Symbol) else Symbol(spelling)


def totals_table(answers: Sequence[Answer]) -> StudyTable:
    """One row a question: how many answers came to which verdict, and the most common mistake."""
    outcomes = (VERDICT_WORDS.get(outcome, outcome) for outcome in VERDICT_NAMES)
    columns = ("question", "answers", *outcomes, "most common mistake", "times")
    return StudyTable("Claims by question", columns, tuple(_row(total) for total in total_by_question(answers)))


def _row(total: QuestionTotals) -> tuple[Any, ...]:
    counts = (total.outcomes[outcome] for outcome in VERDICT_NAMES)
    return (total.question, total.answers, *counts, total.mistake, total.times)
