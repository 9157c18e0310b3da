"""Claims found in a document: formulas in Markdown or TeX, rows of a TOML or CSV file.

Markdown and TeX: every formula ($…$, $$…$$, \\(…\\), \\[…\\], an equation, align or a fenced math block) that holds a
relation is a claim. A heading names the question of what follows. A comment says the rest, until the next one does:

    <!-- setting: two-subspaces -->        in Markdown
    % setting: two-subspaces               in TeX; likewise question, student and goal

TOML: tables [[claim]] with claim, and where wanted setting, question, student, goal. CSV: columns of these names.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from regard.claims.syntax.grammar import format_claim
from regard.claims.syntax.letters import RELATION_COMMANDS, RELATIONS
from regard.claims.syntax.lexer import tokenise
from regard.claims.verdict import VERDICT_NAMES, Verdict
from regard.errors import InputFileError, NotUnderstood


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
    wrong = [answer for answer in answers if not answer.is_true]
    mistakes = Counter(mistake(answer) for answer in wrong)
    commonest, times = mistakes.most_common(1)[0] if mistakes else ("", 0)
    nearest = next((answer.verdict.nearest for answer in wrong if mistake(answer) == commonest), None)
    counted: dict[str, int] = {outcome: outcomes[outcome] for outcome in VERDICT_NAMES}
    return QuestionTotals(question, len(answers), counted, commonest, times, nearest)


def mistake(answer: Answer) -> str:
    """What was claimed, in one notation, so that A^T, A.T and Aᵀ are one mistake."""
    return format_claim(answer.found.text)


MAX_BYTES = 5_000_000
MAX_CLAIMS = 20_000
FIELDS = ("setting", "question", "student", "goal")
MARK = re.compile(
    r"\\\$|\$\$|\$|\\\\|\\\(|\\\[|\\begin\{((?:equation|align|gather|multline|eqnarray|displaymath|math)\*?)\}"
    r"|^```math\b|^```|`+|<!--|^#{1,6} [^\n]*|\\(?:sub){0,2}section\*?\{[^{}\n]{0,200}\}|%[^\n]*",
    re.MULTILINE,
)
DIRECTIVE = re.compile(r"(setting|question|student|goal)\s*:\s*([^\n]{1,400})")
FORMULA_CLOSERS = {"$$": "$$", "$": "$", "\\(": "\\)", "\\[": "\\]", "```math": "```"}


@dataclass(frozen=True)
class FoundClaim:
    """A claim, where it stands, and what the document says of it; an empty text where it says nothing."""

    text: str
    line: int
    setting: str = ""
    question: str = ""
    student: str = ""
    goal: str = ""


def read_claims(path: Path) -> list[FoundClaim]:
    """All claims of a file, in its order.

    Raises: InputFileError, where the file cannot be read, is too large, or holds no claim at all.
    """
    if path.suffix.lower() not in READERS:
        raise InputFileError(f"{path}: expected a name that ends in {', '.join(READERS)}")
    return find_claims(_contents(path), path, kind=path.suffix.lower())


def find_claims(text: str, path: Path, *, kind: str = ".md") -> list[FoundClaim]:
    """All claims of a text that is written as files with the ending `kind` are; errors call it `path`."""
    found = []
    for claim in READERS[kind](text, path):
        found.append(claim)
        if len(found) > MAX_CLAIMS:
            raise InputFileError(f"{path}: more than {MAX_CLAIMS} claims; split the file")
    if not found:
        raise InputFileError(f"{path}: no claim found; expected {EXPECTED[kind]}")
    return found


def _contents(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputFileError(f"cannot read {path}: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise InputFileError(f"{path}: larger than {MAX_BYTES:,} bytes; split the file")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputFileError(f"{path}: not UTF-8 text: {error.reason} at byte {error.start}") from error


def _in_markdown(text: str, path: Path) -> Iterator[FoundClaim]:
    return _Scan(text, is_tex=False).claims()


def _in_tex(text: str, path: Path) -> Iterator[FoundClaim]:
    return _Scan(text, is_tex=True).claims()


class _Scan:
    """One pass over a document, from mark to mark; whatever is opened is looked for once."""

    def __init__(self, text: str, *, is_tex: bool) -> None:
        self.text, self.is_tex = text, is_tex
        self.line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.missing: set[str] = set()  # closers that do not come any more
        self.known = FoundClaim("", 0)

    def claims(self) -> Iterator[FoundClaim]:
        at = 0
        while (mark := MARK.search(self.text, at)) is not None:
            at = mark.end()
            closer = f"\\end{{{mark[1]}}}" if mark[1] else FORMULA_CLOSERS.get(mark[0], "")
            if closer:
                end = self.find(closer, at)
                if end >= 0 and not (mark[0] == "$" and "\n\n" in self.text[at:end]):
                    yield from self.formula(at, end)
                    at = end + len(closer)
            else:
                at = self.other(mark[0], at)

    def find(self, closer: str, at: int) -> int:
        """Where the closer stands; a failed search is not repeated, so that the pass stays linear."""
        end = -1 if closer in self.missing else self.text.find(closer, at)
        while end > 0 and closer == "$" and self.text[end - 1] == "\\":
            end = self.text.find(closer, end + 1)
        if end < 0:
            self.missing.add(closer)
        return end

    def other(self, mark: str, at: int) -> int:
        """A heading, a comment or code: what it says is kept, and the scan goes on behind it."""
        if mark.startswith("#") and not self.is_tex:
            self.known = replace(self.known, question=mark.lstrip("#").strip())
        elif mark.startswith("\\") and mark.endswith("}"):
            self.known = replace(self.known, question=mark[mark.index("{") + 1 : -1].strip())
        elif mark.startswith("%") and self.is_tex:
            self.note(mark)
        elif mark == "<!--" or (mark.startswith("`") and not self.is_tex):
            closer = "-->" if mark == "<!--" else mark
            end = self.find(closer, at)
            if mark == "<!--":
                self.note(self.text[at : end if end >= 0 else at])
            return end + len(closer) if end >= 0 else at
        return at

    def note(self, comment: str) -> None:
        for name, value in DIRECTIVE.findall(comment):
            self.known = replace(self.known, **{name: value.strip()})

    def formula(self, start: int, end: int) -> Iterator[FoundClaim]:
        text = self.text[start:end]
        text = (re.sub(r"(?<!\\)%[^\n]*", "", text) if self.is_tex else text).strip()
        if has_relation(text):
            yield replace(self.known, text=text, line=bisect_right(self.line_starts, start))


def has_relation(text: str) -> bool:
    """Whether a formula says something; $q$ alone does not. What cannot be read is kept, to be complained of."""
    try:
        tokens, _ = tokenise(text[:5000])
    except NotUnderstood:
        commands = re.findall(r"\\([A-Za-z]+)", text)
        return any(sign in text for sign in RELATIONS) or any(name in RELATION_COMMANDS for name in commands)
    return any(token.kind == "relation" for token in tokens)


def _in_toml(text: str, path: Path) -> Iterator[FoundClaim]:
    try:
        data = tomllib.loads(text)
    except ValueError as error:  # tomllib's own error is a ValueError, and so is a number of too many digits
        raise InputFileError(f"{path}: not TOML: {error}") from error
    except RecursionError as error:
        raise InputFileError(f"{path}: lists or tables are nested too deeply; write them flatter") from error
    rows = data.get("claim", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputFileError(f"{path}: expected tables [[claim]]")
    for number, row in enumerate(rows, start=1):
        yield _row(row, number, f"{path}: claim {number}")


def _in_csv(text: str, path: Path) -> Iterator[FoundClaim]:
    reader = csv.DictReader(io.StringIO(text), strict=True)
    try:
        names = {name: (name or "").strip().lower() for name in reader.fieldnames or ()}
        for raw in reader:
            row = {names[name]: value for name, value in raw.items() if name in names and value is not None}
            if any(row.values()):
                yield _row(row, reader.line_num, f"{path}: line {reader.line_num}")
    except csv.Error as error:
        raise InputFileError(f"{path}: not CSV after line {reader.line_num}: {error}") from error


def _row(row: Mapping[str, Any], line: int, place: str) -> FoundClaim:
    fields = {name: row.get(name, "") for name in ("claim", *FIELDS)}
    wrong = [name for name, value in fields.items() if not isinstance(value, str)]
    if wrong or not fields["claim"]:
        raise InputFileError(f"{place}: expected a text under {', '.join(wrong) or 'claim'}; it has {', '.join(row)}")
    text = fields.pop("claim")
    return FoundClaim(text, line, **{name: value.strip() for name, value in fields.items()})


READERS: dict[str, Callable[[str, Path], Iterator[FoundClaim]]] = {
    ".md": _in_markdown,
    ".tex": _in_tex,
    ".toml": _in_toml,
    ".csv": _in_csv,
}
EXPECTED = {
    ".md": "formulas with a relation between dollar signs",
    ".tex": "formulas with a relation between dollar signs or in equations",
    ".toml": "tables [[claim]] with claim = '...'",
    ".csv": "a column 'claim'",
}
