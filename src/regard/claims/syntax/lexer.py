"""From characters to tokens: `tokenise` reads LaTeX, plain text and Unicode into the same ones."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from regard.claims.syntax.letters import (
    ACCENTS,
    GREEK,
    LOOK_ALIKES,
    MARKS,
    NAME_COMMANDS,
    OPERATOR_COMMANDS,
    OPERATORS,
    RELATION_COMMANDS,
    RELATIONS,
    SEPARATOR_COMMANDS,
    SEPARATORS,
    SKIPPED_COMMANDS,
    WORDS,
)
from regard.claims.syntax.sentence.vocabulary import ALL_WORDS
from regard.claims.syntax.tree import MAX_DECIMAL_EXPONENT, MAX_DIGITS
from regard.errors import NotUnderstood


def split_run(run: str) -> list[str]:
    """Letters written together as names: known words where there are some, otherwise letter by letter.

    >>> split_run("AA"), split_run("Calpha"), split_run("xlog")
    (['A', 'A'], ['C', 'alpha'], ['x', 'log'])
    """
    pieces = []
    while run:
        lengths = (length for length in range(min(len(run), 9), 1, -1) if run[:length] in WORDS)
        length = next(lengths, 1)
        pieces.append(run[:length])
        run = run[length:]
    return pieces


def plain_letter(character: str) -> tuple[str, str] | None:
    """The Latin or Greek letter that a character stands for, and the mark above it; None where it is no letter."""
    parts = unicodedata.normalize("NFKD", character)
    letter, marks = parts[:1], parts[1:]
    letter = LOOK_ALIKES.get(letter, letter)
    if not (letter.isascii() and letter.isalpha()) and letter not in GREEK:
        return None
    if any(mark not in MARKS for mark in marks):
        return None
    return letter, "".join(MARKS[mark] for mark in marks[:1])


Kind = Literal["number", "letters", "word", "name", "sign", "accent", "relation", "separator", "line", "end"]

NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

COMMAND = re.compile(r"\\([A-Za-z]+\*?|.|\n|$)", re.DOTALL)

WORDED = frozenset({"operatorname", "operatorname*", "mathrm", "text", "textrm", "mbox", "mathcal", "mathbb", "mathsf"})

WITH_ARGUMENT = frozenset({"begin", "end", "label", "tag"})

BRACED = re.compile(r"\s*\{([^{}\\]*)\}")

ENDS_LINE = re.compile(r"[\s$.]*(?:\n|\\[\])]|$)")

TRANSPOSED = re.compile(r"\.T(?![A-Za-z])")


CROSSED: dict[str, tuple[Kind, str]] = {
    "=": ("relation", "≠"),
    r"\approx": ("relation", "≉"),
    r"\Rightarrow": ("separator", "⇏"),
    r"\implies": ("separator", "⇏"),
}
"""What \\not makes of a sign."""


class Token(NamedTuple):
    """text[start:end], and what it is; `spaced` where something invisible stands before it."""

    kind: Kind
    value: str
    start: int
    end: int
    spaced: bool = False


def tokenise(text: str) -> tuple[list[Token], list[str]]:
    """The tokens of a text, ending with one of kind "end", and notes on how its letters were read.

    Raises: NotUnderstood, at a character or command that means nothing here.
    """
    lexer = _Lexer(text)
    while lexer.at < len(text):
        lexer.step()
    lexer.add("end", "", len(text), len(text))
    return lexer.tokens, list(dict.fromkeys(lexer.notes))


@dataclass
class _Lexer:
    text: str
    at: int = 0
    spaced: bool = False
    tokens: list[Token] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, kind: Kind, value: str, start: int, end: int) -> None:
        self.tokens.append(Token(kind, value, start, end, self.spaced))
        self.at, self.spaced = end, False

    def skip(self, end: int) -> None:
        self.at, self.spaced = end, True

    def step(self) -> None:
        """Read one token, or skip what is none."""
        sign = self.text[self.at]
        if sign == "\\":
            self.command()
        elif sign == "\n":
            self.add("line", "", self.at, self.at + 1)
        elif sign in "\t\r$&" or unicodedata.category(sign) == "Zs":
            self.skip(self.at + 1)
        elif found := NUMBER.match(self.text, self.at):
            self.number(found)
        elif unicodedata.decomposition(sign).startswith(("<super>", "<sub>")):
            self.scripts()
        elif plain_letter(sign) is not None:
            self.letters()
        else:
            self.sign()

    def number(self, found: re.Match[str]) -> None:
        digits, _, exponent = found[0].lower().partition("e")
        if len(digits) > MAX_DIGITS or abs(int(exponent[:6] or 0)) > MAX_DECIMAL_EXPONENT:
            raise self.complaint(f"a number of at most {MAX_DIGITS} digits below 1e{MAX_DECIMAL_EXPONENT}", found.end())
        self.add("number", found[0], found.start(), found.end())

    def scripts(self) -> None:
        """Raised or lowered characters, q₁ or A⁻¹, as if in braces: q_{1}, A^{-1}."""
        start = self.at
        kind = unicodedata.decomposition(self.text[start]).split()[0]
        end = start
        while end < len(self.text) and unicodedata.decomposition(self.text[end]).startswith(kind):
            end += 1
        inner = unicodedata.normalize("NFKC", self.text[start:end]).replace("−", "-")
        self.add("sign", "^" if kind == "<super>" else "_", start, end)
        self.add("sign", "{", start, end)
        for part in re.findall(r"\d+|[^\W\d]+|.", inner):
            letters = [plain_letter(letter) for letter in part]
            if part.isdecimal() and part.isascii() and len(part) <= MAX_DIGITS:
                self.add("number", part, start, end)
            elif part in GREEK:
                self.add("name", GREEK[part], start, end)
            elif all(letter is not None and letter[0].isascii() for letter in letters):
                self.add("letters", part, start, end)
            else:
                self.add("sign", part, start, end)
        self.add("sign", "}", start, end)

    def letters(self) -> None:
        """A run of Latin letters, or one letter that is a name by itself: Greek, or with something above it."""
        start, run = self.at, ""
        while self.at < len(self.text):
            letter = self.letter_at(self.at)
            if letter is None or (run and (letter[1] or letter[0] in GREEK)):
                break
            self.at = letter[2]
            if letter[1] or letter[0] in GREEK:
                name = GREEK.get(letter[0], letter[0])
                self.add("name", f"{name}_{letter[1]}" if letter[1] else name, start, self.at)
                return
            run += letter[0]
        self.run(run, start)

    def run(self, run: str, start: int) -> None:
        is_word = run in ALL_WORDS and not self.is_below()
        self.add("separator" if is_word else "letters", run, start, self.at)

    def is_below(self) -> bool:
        """Whether a subscript is being read, in which words are names: c_{true}."""
        depth = 0
        for place in range(len(self.tokens) - 1, -1, -1):
            value = self.tokens[place].value
            depth += (value == "}") - (value == "{")
            if value == "_" and (depth < 0 or place == len(self.tokens) - 1):
                return True
            if depth < 0:
                return place > 0 and self.tokens[place - 1].value == "_"
        return False

    def letter_at(self, at: int) -> tuple[str, str, int] | None:
        """The letter here, the mark above it, and where it ends; a mark may follow as a character of its own."""
        sign = self.text[at]
        found = None if unicodedata.decomposition(sign).startswith(("<super>", "<sub>")) else plain_letter(sign)
        if found is None:
            return None
        if sign in LOOK_ALIKES:
            self.notes.append(f"{unicodedata.name(sign)} was read as the Latin {LOOK_ALIKES[sign]}")
        following = self.text[at + 1 : at + 2]
        if following and following in MARKS:
            return found[0], MARKS[following], at + 2
        return *found, at + 1

    def sign(self) -> None:
        for length in (3, 2, 1):
            part = self.text[self.at : self.at + length]
            for kind, table in (("relation", RELATIONS), ("sign", OPERATORS)):
                if part in table:
                    self.add(kind, table[part], self.at, self.at + len(part))  # type: ignore[arg-type]
                    return
            if part in SEPARATORS:
                self.add("separator", part, self.at, self.at + len(part))
                return
        self.rare_sign()

    def rare_sign(self) -> None:
        sign = self.text[self.at]
        fraction = unicodedata.normalize("NFKC", sign)
        if sign == "𝟏":
            self.add("name", "ones", self.at, self.at + 1)
        elif re.fullmatch(r"[0-9]+⁄[0-9]+|[0-9]+", fraction):
            self.add("number", fraction.replace("⁄", "/"), self.at, self.at + 1)
        elif sign == "″":
            self.add("sign", "'", self.at, self.at)
            self.add("sign", "'", self.at, self.at + 1)
        elif TRANSPOSED.match(self.text, self.at):
            self.add("sign", "'", self.at, self.at + 2)
        elif sign == "." and ENDS_LINE.match(self.text, self.at):
            self.skip(self.at + 1)
        else:
            raise self.complaint("a letter, a number or a sign that is known here", self.at + 1)

    def command(self) -> None:
        """A LaTeX command, by the tables of letters.py."""
        found = COMMAND.match(self.text, self.at)
        assert found is not None
        name, end = found[1], found.end()
        if name == "\\":
            self.add("line", "", self.at, end)
        elif name in WITH_ARGUMENT and (argument := BRACED.match(self.text, end)):
            self.skip(argument.end())
        elif name in WORDED and (argument := BRACED.match(self.text, end)):
            self.words(name, argument)
        elif name in ("mathbf", "boldsymbol", "bm", "mathbb") and (one := re.match(r"\s*(?:1|\{1\})", self.text[end:])):
            self.add("name", "ones", self.at, end + one.end())
        elif name in ("left", "right") and self.text[end : end + 1] == ".":
            self.skip(end + 1)
        elif name in ("left", "right") and (bar := re.match(r"\s*(\\\||\||\\[lr]?[vV]ert)", self.text[end:])):
            double = bar[1] == "\\|" or "V" in bar[1]
            self.add("sign", ("‖" if double else "|") + ("(" if name == "left" else ")"), self.at, end + bar.end())
        elif name in SKIPPED_COMMANDS:
            self.skip(end)
        else:
            self.meaning(name, end)

    def meaning(self, name: str, end: int) -> None:
        start = self.at
        if name in NAME_COMMANDS:
            self.add("name", NAME_COMMANDS[name], start, end)
        elif name in OPERATOR_COMMANDS:
            self.add("sign", OPERATOR_COMMANDS[name], start, end)
        elif name in RELATION_COMMANDS:
            self.add("relation", RELATION_COMMANDS[name], start, end)
        elif name == "not" and (crossed := re.match(r"\s*(=|\\approx|\\Rightarrow|\\implies)", self.text[end:])):
            kind, value = CROSSED[crossed[1]]
            self.add(kind, value, start, end + crossed.end())
        elif name in ACCENTS:
            self.add("accent", ACCENTS[name], start, end)
        elif name in ("forall", "exists"):
            self.add("separator", {"forall": "∀", "exists": "∃"}[name], start, end)
        elif name in SEPARATOR_COMMANDS:
            self.add("separator", name, start, end)
        elif name in WORDS:
            self.add("word", name, start, end)
        else:
            raise self.complaint("a LaTeX command that is known here", end)

    def words(self, command: str, argument: re.Match[str]) -> None:
        """\\mathrm{softmax} is one word; \\text{ for all } parts statements; \\mathbb{E} is the expectation."""
        start, end = self.at, argument.end()
        found = argument[1].replace(",", " ").replace(".", " ").split()
        if not found or (all(word in ALL_WORDS for word in found) and not self.is_below()):
            for word in found or [";"]:
                self.add("separator", word, start, end)
        elif found == ["1"]:
            self.add("name", "ones", start, end)
        elif command == "mathbb" and found == ["E"]:
            self.add("word", "E", start, end)
        elif len(found) == 1 and found[0].isascii() and found[0].isalpha():
            self.add("word", found[0], start, end)
        elif command in ("mathrm", "mathsf"):
            self.skip(argument.start() + argument[0].index("{"))
        else:
            raise self.complaint("formulas; of words only those that part them, as 'for' and 'with'", end)

    def complaint(self, expected: str, end: int) -> NotUnderstood:
        part = self.text[self.at : min(end, self.at + 20)]
        name = f", {unicodedata.name(part, 'a character without a name')}" if len(part) == 1 and part > "~" else ""
        message = f"{part!r}{name} is not understood; expected {expected}"
        return NotUnderstood(message, span=(self.at, end), expected=expected)
