"""Formulas in running text, each with its sentence and with what it is there for.

Markdown and TeX: $…$, $$…$$, \\(…\\), \\[…\\], an equation, align or a fenced math block. Plain text, such as that of a
PDF, marks none: there a formula is a run of letters, numbers and signs with a relation among them. A heading names the
question of what follows. A comment says the rest, until the next one does:

    <!-- setting: two-subspaces -->        in Markdown
    % setting: two-subspaces               in TeX; likewise question, student and goal

What a formula is there for is its role. The last of these words before it decides, within its sentence and after the
formula before it; formulas that follow one another with nothing but a comma or "and" between them share their role:

    definition    let, define, denote, write, call, where
    given         if, when, suppose, assume, given, provided, for, with, under, as long as
    requirement   need, want, require, must, should, goal, find, such that
    reason        since, because, as, recall
    answer        then, so, thus, hence, therefore, get, choose, take, use

Without such a word it is an answer, unless it looks like a condition (i ≠ j, C ≫ 0, x ∈ ℝᵈ, ε ∼ N(0, 1)) or defines by
:= or ≡. "So c > 0" is an answer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias

from regard.claims.syntax.letters import GREEK, RELATION_COMMANDS, RELATIONS, WORDS
from regard.claims.syntax.lexer import tokenise
from regard.errors import NotUnderstood

FIELDS = ("setting", "question", "student", "goal")
HEADING = "\x1e"
"""Stands round a heading in text that was taken out of a web page."""
MARK = re.compile(
    r"\\\$|\$\$|\$|\\\\|\\\(|\\\[|\\begin\{((?:equation|align|gather|multline|eqnarray|displaymath|math)\*?)\}"
    r"|^```math\b|^```|`+|<!--|^#{1,6} [^\n]*|\x1e[^\x1e\n]*\x1e|\\(?:sub){0,2}section\*?\{[^{}\n]{0,200}\}|%[^\n]*",
    re.MULTILINE,
)
DIRECTIVE = re.compile(r"(setting|question|student|goal)\s*:\s*([^\n]{1,400})")
FORMULA_CLOSERS = {"$$": "$$", "$": "$", "\\(": "\\)", "\\[": "\\]", "```math": "```"}
SENTENCE_END = re.compile(
    r"[.!?](?=\s+(?:[A-Z\x01$\\(]|$))|\n[ \t]*\n|\n(?=[ \t]*(?:[-*•] |\(?\w{1,3}[.)] |#{1,6} ))"
    r"|^#{1,6} [^\n]*\n|-->|\x1e[^\x1e\n]*\x1e|\\(?:sub){0,2}section\*?\{[^{}\n]{0,200}\}"
    r"|%\s*(?:setting|question|student|goal)\s*:[^\n]*\n",
    re.MULTILINE,
)
"""Full stops, empty lines, items of a list; headings and comments, which belong to no sentence."""
MASK = "\x01"
"""Stands for every character of a formula while sentences are looked for."""
LABEL = re.compile(
    r"(?:question|exercise|problem|answer|part|aufgabe)?\s*\(?(\d{1,2}\s*\(?[a-z]?\)?|[a-z])[.):]\s", re.I
)
MAX_SENTENCE = 600
MAX_WORDS_BEFORE = 300
"""Characters before a formula in which its role is looked for."""


@dataclass(frozen=True)
class FoundClaim:
    """A formula, where it stands, what the document says of it (empty where it says nothing), and what it is there for.

    `given` are the formulas under which the document states it; `stands` says whether it is itself given to all that
    follow in its question.
    """

    text: str
    line: int
    setting: str = ""
    question: str = ""
    student: str = ""
    goal: str = ""
    sentence: str = ""
    role: Role = "answer"
    stands: bool = False
    given: tuple[str, ...] = ()
    sheet: str = ""


@dataclass(frozen=True)
class Place:
    """A formula in a text: from where to where, marks included; its content; and what is known of it."""

    start: int
    end: int
    content: str
    known: FoundClaim


def find_formulas(text: str, *, is_tex: bool) -> list[FoundClaim]:
    """The formulas with a relation that Markdown or TeX holds, each with its sentence and its role."""
    return _with_sentences(text, list(_Scan(text, is_tex=is_tex).places()))


def find_plain_formulas(text: str) -> list[FoundClaim]:
    """The formulas of a text that marks none; the beginning of a line such as "2b)" names the question."""
    if "$" in text or "\\(" in text:
        return find_formulas(text, is_tex=False)
    return _with_sentences(text, list(_plain_places(text)))


def has_relation(text: str) -> bool:
    """Whether a formula says something; $q$ alone does not. What cannot be read is kept, to be complained of."""
    try:
        tokens, _ = tokenise(text[:5000])
    except NotUnderstood:
        commands = re.findall(r"\\([A-Za-z]+)", text)
        return any(sign in text for sign in RELATIONS) or any(name in RELATION_COMMANDS for name in commands)
    return any(token.kind == "relation" for token in tokens)


def _with_sentences(text: str, places: list[Place]) -> list[FoundClaim]:
    """Each place that holds a relation as a claim, with its sentence, its role, and its line."""
    masked = _mask(text, places)
    ends = [0, *(found.end() for found in SENTENCE_END.finditer(masked)), len(text)]
    lines = [0, *(found.end() for found in re.finditer("\n", text))]
    found: list[FoundClaim] = []
    before: tuple[int, int, tuple[Role, bool] | None] = (-1, 0, None)  # sentence, end and role of the last formula
    for place in places:
        number = bisect_right(ends, place.start) - 1
        is_same = before[0] == number
        words = text[max(before[1] if is_same else ends[number], place.start - MAX_WORDS_BEFORE) : place.start]
        role = role_of(place.content, words, before[2] if is_same else None)
        if has_relation(place.content):
            sentence = _one_line(text[ends[number] : ends[min(number + 1, len(ends) - 1)]])
            line = bisect_right(lines, place.start)
            known = replace(place.known, text=place.content, line=line, sentence=sentence)
            found.append(replace(known, role=role[0], stands=role[1]))
            before = (number, place.end, role)
        else:
            before = (number, before[1] if is_same else ends[number], before[2] if is_same else None)
    return found


def _mask(text: str, places: list[Place]) -> str:
    """The text with every formula blotted out, so that a full stop inside one ends no sentence."""
    parts, at = [], 0
    for place in places:
        parts += [text[at : place.start], MASK * (place.end - place.start)]
        at = place.end
    return "".join([*parts, text[at:]])


def _one_line(sentence: str) -> str:
    short = " ".join(sentence.split()).strip(HEADING)
    return short if len(short) <= MAX_SENTENCE else f"{short[:MAX_SENTENCE]}…"


class _Scan:
    """One pass over a document, from mark to mark; whatever is opened is looked for once."""

    def __init__(self, text: str, *, is_tex: bool) -> None:
        self.text, self.is_tex = text, is_tex
        self.missing: set[str] = set()  # closers that do not come any more
        self.known = FoundClaim("", 0)

    def places(self) -> Iterator[Place]:
        at = 0
        while (mark := MARK.search(self.text, at)) is not None:
            at = mark.end()
            closer = f"\\end{{{mark[1]}}}" if mark[1] else FORMULA_CLOSERS.get(mark[0], "")
            if closer:
                end = self.find(closer, at)
                if end >= 0 and not (mark[0] == "$" and "\n\n" in self.text[at:end]):
                    yield Place(mark.start(), end + len(closer), self.content(at, end), self.known)
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
        if mark.startswith(("#", HEADING)) and not self.is_tex:
            self.known = replace(self.known, question=mark.strip(f"#{HEADING}").strip())
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

    def content(self, start: int, end: int) -> str:
        text = self.text[start:end]
        return (re.sub(r"(?<!\\)%[^\n]*", "", text) if self.is_tex else text).strip()


_PIECE = re.compile(r"\S+")
_SIGNS = set("=+-*/^_()[]{}|<>≤≥≠≈∝→∈∼~·×√∑Σ∏∫∂∇‖⊥⇒⇔≫≪±ᵀ⊤'½¼²³") | set(GREEK)


def _plain_places(text: str) -> Iterator[Place]:
    """Runs of formula-like pieces that hold a relation, in text without marks."""
    known, offset = FoundClaim("", 0), 0
    for line in text.splitlines(keepends=True):
        label = LABEL.match(line.lstrip())
        if label:
            known = replace(known, question=label[0].strip(" \t\n.:()"))
        skip = len(line) - len(line.lstrip()) + label.end() if label else 0
        pieces = [(found.start(), found.end()) for found in _PIECE.finditer(line, skip)]
        for start, end in _runs(line, pieces):
            content = line[start:end].rstrip(".,;:")
            if has_relation(content) and len(content) > 2:
                yield Place(offset + start, offset + start + len(content), content, known)
        offset += len(line)


def _runs(line: str, pieces: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Stretches of neighbouring pieces that look like parts of a formula; a comma at a piece's end closes one."""
    cuts = [i for i, (start, end) in enumerate(pieces) if not _is_formula_piece(line[start:end])]
    for left, right in pairwise([-1, *cuts, len(pieces)]):
        begin = left + 1
        for i in range(left + 1, right):
            if line[pieces[i][1] - 1] in ",;" or i == right - 1:
                yield pieces[begin][0], pieces[i][1]
                begin = i + 1


def _is_formula_piece(piece: str) -> bool:
    """A sign, a number, a single letter, a letter with an index, a known function; not an English word."""
    bare = piece.strip(".,;:!?")
    if not bare or (bare in ("a", "I", "A") and piece == bare and len(bare) == 1 and bare == "a"):
        return False
    words = re.findall(r"[A-Za-z]{2,}", re.sub(r"\\[A-Za-z]+", "", bare))
    if any(word not in WORDS and word.lower() not in _FUNCTIONS and len(word) > 2 for word in words):
        return False
    return bool(set(bare) & _SIGNS) or bare.isdigit() or len(bare) == 1 or bare in WORDS or bare.lower() in _FUNCTIONS


_FUNCTIONS = frozenset({"softmax", "exp", "log", "ln", "max", "min", "var", "cov", "tanh", "relu", "tr", "det", "rank"})


Role: TypeAlias = Literal["answer", "reason", "definition", "given", "requirement"]

CUES: dict[Role, tuple[str, ...]] = {
    "definition": ("let", "define", "defined", "denote", "denotes", "denoted", "write", "call", "where"),
    "given": (
        "if", "when", "whenever", "suppose", "assume", "assumed", "assuming", "given", "provided", "for", "with",
        "under", "as long as", "unless", "in case", "knowing", "we know", "we are told", "while", "iff",
    ),
    "requirement": (
        "need", "needs", "needed", "want", "wanted", "require", "requires", "required", "must", "should", "goal", "aim",
        "find", "seek", "such that", "so that", "to show", "show that", "prove that", "would like", "desired",
    ),
    "reason": ("since", "because", "as", "recall", "note that"),
    "answer": (
        "then", "so", "thus", "hence", "therefore", "get", "gives", "yields", "obtain", "obtains", "implies", "follows",
        "choose", "take", "use", "pick", "setting", "becomes", "is", "have", "has", "holds",
        "set", "answer", "equals", "means",
    ),
}  # fmt: skip
"""The words that say what the next formula is there for."""
STANDING = (
    "let", "suppose", "assume", "assumed", "define", "defined", "denote", "denotes", "denoted", "write", "call",
    "choose", "take", "use", "pick", "set",
)  # fmt: skip
"""Words whose formula is given to the rest of the answer, be it an answer itself; what follows the others is not."""
_ROLE_OF: dict[str, Role] = {cue: role for role, cues in CUES.items() for cue in cues}
_CUE = re.compile(rf"\b({'|'.join(sorted(map(re.escape, _ROLE_OF), key=len, reverse=True))})\b", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:,|;|and|,\s*and|or|&)?\s*", re.IGNORECASE)
_DEFINES = re.compile(r":=|≔|\\coloneqq|\\triangleq|≜|\\equiv|≡")
_CONDITION = re.compile(r"≫|≪|\\gg\b|\\ll\b|>>|<<|∈|\\in\b|∼|\\sim\b|~")
_INDEX = r"\s*(?:[a-zA-Z]|\\[a-z]+|\d+(?:\.\d+)?|∞|\\infty)\s*"
_SIMPLE_CONDITION = re.compile(rf"(?:{_INDEX}(?:≠|\\neq?\b|!=|[<>≤≥]|\\leq?\b|\\geq?\b|<=|>=|→|\\to\b))+{_INDEX}")


def role_of(formula: str, words_before: str, previous: tuple[Role, bool] | None) -> tuple[Role, bool]:
    """The role of a formula, and whether it stands for the rest of the answer.

    `words_before` are those of its sentence since the formula before it, whose role and standing are `previous`.

    >>> role_of("q = k_a", "Let ", None), role_of("i \\\\neq j", "for all ", None), role_of("c = v_a", "Then ", None)
    (('definition', True), ('given', False), ('answer', False))
    """
    if previous is not None and _JOINED.fullmatch(words_before) and previous[0] != "answer":
        return previous
    cues = [found[1].lower() for found in _CUE.finditer(words_before)]
    if _DEFINES.search(formula):
        return "definition", True
    concludes = bool(cues) and _ROLE_OF[cues[-1]] == "answer"
    if is_condition(formula) and not (concludes and _SIMPLE_CONDITION.fullmatch(formula)):
        return "given", bool(cues) and cues[-1] in STANDING
    return (_ROLE_OF[cues[-1]], cues[-1] in STANDING) if cues else ("answer", False)


def is_condition(formula: str) -> bool:
    """Whether a formula by itself reads as a condition: an order of single letters, ≫, membership, or a law.

    >>> is_condition("i ≠ j"), is_condition("C \\\\gg 0"), is_condition("q = k_a")
    (True, True, False)
    """
    return bool(_CONDITION.search(formula) or _SIMPLE_CONDITION.fullmatch(formula))
