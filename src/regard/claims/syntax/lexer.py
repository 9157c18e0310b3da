"""What tokens mean together: which ends of lines part statements, which commas stand in a list, which d is a ∂."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from regard.claims.syntax.letters import (
    ACCENTS,
    FILLERS,
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
    plain_letter,
)
from regard.claims.syntax.limits import MAX_DECIMAL_EXPONENT, MAX_DIGITS
from regard.errors import NotUnderstood

Kind = Literal["number", "letters", "word", "name", "sign", "accent", "relation", "separator", "line", "end"]
NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
COMMAND = re.compile(r"\\([A-Za-z]+\*?|.|\n|$)", re.DOTALL)
WORDED = frozenset({"operatorname", "operatorname*", "mathrm", "text", "textrm", "mbox", "mathcal", "mathbb", "mathsf"})
WITH_ARGUMENT = frozenset({"begin", "end", "label", "tag"})
BRACED = re.compile(r"\s*\{([^{}\\]*)\}")
ENDS_LINE = re.compile(r"[\s$.]*(?:\n|\\[\])]|$)")
TRANSPOSED = re.compile(r"\.T(?![A-Za-z])")


class Token(NamedTuple):
    """text[start:end], and what it is; `spaced` where something invisible stands before it."""

    kind: Kind
    value: str
    start: int
    end: int
    spaced: bool = False


def tokenise(text: str) -> tuple[list[Token], list[str]]:
    """The tokens of a text, ending with one of kind "end", and what is to be told of how its letters were read.

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
        """Raised or lowered characters, q₁ or A⁻¹, as the same in braces: q_{1}, A^{-1}."""
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
        self.add("separator" if run in FILLERS else "letters", run, start, self.at)

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
        elif name == "not" and (equals := re.match(r"\s*=", self.text[end:])):
            self.add("relation", "≠", start, end + equals.end())
        elif name in ACCENTS:
            self.add("accent", ACCENTS[name], start, end)
        elif name == "forall":
            self.add("separator", "all", start, end)
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
        if not found or all(word in FILLERS for word in found):
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


OPENING, CLOSING = "([{⟨", ")]}⟩"


def arrange(tokens: list[Token]) -> list[Token]:
    """The tokens as the grammar wants them."""
    return _mark_differentials(_drop_soft_lines(tokens))


def _drop_soft_lines(tokens: list[Token]) -> list[Token]:
    """Ends of lines part statements, unless a bracket is open or the formula plainly goes on."""
    kept: list[Token] = []
    depth, is_soft = 0, False
    for token, following in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        if token.kind == "line":
            is_soft = depth > 0 or _goes_on(kept[-1] if kept else None, following)
            if not is_soft:
                kept.append(token._replace(kind="separator", value="\n"))
            continue
        if token.kind == "sign":
            depth += (token.value in OPENING) - (token.value in CLOSING)
        is_listed = token.value == "," and depth > 0
        kept.append(token._replace(kind="sign" if is_listed else token.kind, spaced=token.spaced or is_soft))
        is_soft = False
    return kept


def _goes_on(before: Token | None, after: Token) -> bool:
    """Whether a formula runs on past the end of its line."""
    if before is None or before.kind in ("relation", "separator"):
        return True
    wants_more = before.kind == "sign" and before.value in "+-*·∘/^_"
    return wants_more or after.kind == "relation" or (after.kind == "sign" and after.value in "+-*·∘/^_'{")


def _mark_differentials(tokens: list[Token]) -> list[Token]:
    """dJ/dx and \\frac{dJ}{dx} written with ∂; any other d is a letter."""
    kept = list(tokens)
    for i in range(len(tokens) - 1, -1, -1):
        if kept[i].value == "/" and _starts_with_d(kept, i + 1):
            top = max(_previous_operand(kept, i), 0)
            if _starts_with_d(kept, top):
                _mark(kept, i + 1)
                _mark(kept, top)
        elif kept[i].value == "}" and _starts_with_d(kept, i + 2) and kept[i + 1].value == "{":
            top = _previous_operand(kept, i)
            if top > 1 and kept[top - 2].value == "frac" and _starts_with_d(kept, top):
                _mark(kept, i + 2)
                _mark(kept, top)
    return kept


def _starts_with_d(tokens: list[Token], i: int) -> bool:
    """dx, or d right before a name or an accent."""
    if i >= len(tokens) - 1 or tokens[i].kind != "letters" or tokens[i].value[0] != "d":
        return False
    rest, follows = tokens[i].value[1:], tokens[i + 1]
    if rest:
        return len(rest) <= 2 or rest in WORDS
    return follows.kind in ("name", "accent", "letters", "word") and not follows.spaced


def _previous_operand(tokens: list[Token], end: int) -> int:
    """Where a name with its subscripts, ending before `end`, begins: the d of dJ_1."""
    i = end - 1
    while i > 0 and not _starts_with_d(tokens, i) and tokens[i].kind in ("letters", "name", "number", "word", "accent"):
        i -= 1
        i -= tokens[i].value == "_"
    return i


def _mark(tokens: list[Token], i: int) -> None:
    """Turn the leading d into ∂."""
    token = tokens[i]
    sign = token._replace(kind="sign", value="∂", end=token.start + 1)
    rest = token._replace(value=token.value[1:], start=token.start + 1, spaced=False)
    tokens[i : i + 1] = [sign, rest] if rest.value else [sign]
