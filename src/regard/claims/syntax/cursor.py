"""The cursor with which the grammar walks along tokens: looks, takes, insists, or complains of the place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from regard.claims.syntax.lexer import Token
from regard.claims.syntax.tree import MAX_NESTING, Node, Relation, Span
from regard.errors import NotUnderstood

CLOSERS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "‖": "‖", "|": "|"}


@dataclass
class Scripts:
    """What is written below and above a base, in the order in which it is applied."""

    subscripts: list[str] = field(default_factory=list)
    superscripts: list[str | Node] = field(default_factory=list)


@dataclass
class Cursor:
    """A place in a list of tokens that ends with one of kind "end".

    `open_bars` are the norms that are not yet closed, innermost last: a bar is the same sign on both sides. `limits`
    are those written as \\lim_{C \\to \\infty}, which belong to the statement they stand in; `more_indices`
    those of a double sum, `ranges` the last letters of indices whose values the text lists: n of i = 1, …, n.
    """

    tokens: list[Token]
    at: int = 0
    depth: int = 0
    open_bars: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    limits: list[Relation] = field(default_factory=list)
    more_indices: list[str] = field(default_factory=list)
    ranges: dict[str, str] = field(default_factory=dict)

    @property
    def token(self) -> Token:
        """The token that is next."""
        return self.tokens[self.at]

    def ahead(self, steps: int) -> Token:
        """A token further on, the last one if there are not so many."""
        return self.tokens[min(self.at + steps, len(self.tokens) - 1)]

    def take(self) -> Token:
        """The next token, now behind us; the end stays where it is."""
        token = self.token
        self.at += token.kind != "end"
        return token

    def is_sign(self, *signs: str) -> bool:
        """Whether one of these signs is next."""
        return self.token.kind == "sign" and self.token.value in signs

    def takes(self, *signs: str) -> bool:
        """Take the next token if it is one of these signs; whether it was."""
        found = self.is_sign(*signs)
        self.at += found
        return found

    def insist(self, sign: str) -> Token:
        """Take this sign; complain where something else stands."""
        if not self.is_sign(sign):
            raise self.complaint(f"'{sign}'")
        return self.take()

    def split_first(self, length: int) -> None:
        """Part the next token, letters or digits, so that its first `length` characters stand alone."""
        token = self.token
        is_parted = token.kind == "letters" or (token.kind == "number" and token.value.isdecimal())
        if len(token.value) > length and is_parted:
            in_text = token.end - token.start == len(token.value)  # small raised letters share one span
            middle = token.start + length if in_text else token.end
            first = token._replace(value=token.value[:length], end=middle)
            rest = token._replace(value=token.value[length:], start=middle if in_text else token.start, spaced=False)
            self.tokens[self.at : self.at + 1] = [first, rest]

    def span_from(self, start: int) -> Span:
        """From the token number `start` to what was taken last."""
        return Span(self.tokens[start].start, max(self.tokens[start].start, self.tokens[max(self.at - 1, start)].end))

    def complaint(self, expected: str, token: Token | None = None) -> NotUnderstood:
        """An error at the next token (or another), with what could have stood there."""
        token = token or self.token
        what = "the claim ends here" if token.kind == "end" else f"{_show(token.value)!r} does not fit here"
        return NotUnderstood(f"{what}; expected {expected}", span=(token.start, token.end), expected=expected)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One bracket further in; complains where there are too many."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.complaint(f"at most {MAX_NESTING} brackets in brackets")
        yield
        self.depth -= 1


def _show(value: str) -> str:
    return "end of line" if value == "\n" else value.rstrip("()") or value
