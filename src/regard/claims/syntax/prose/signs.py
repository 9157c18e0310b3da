"""Formulas as text: the letters in them, one letter put for another, and whether they say where something goes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.tokens import RELATION, words


def is_limit(relation: str) -> bool:
    """Whether a relation sends something to a limit: T → 0."""
    return re.search(r"[→↓↑]|->|\\(?:to|rightarrow|longrightarrow|downarrow|uparrow)(?![a-z])", relation) is not None


def checked_limit(relation: str) -> str:
    """The relation, if it sends something to a limit.

    Raises: Unreadable for any other.
    """
    if not is_limit(relation):
        raise Unreadable
    return relation


_SMALL = re.compile(r"(?:→|->|\\to)\s*0")


def together(first: str, second: str) -> tuple[str, str]:
    """Two limits at once.

    Raises: Unreadable where one letter grows and one vanishes: which does so faster may decide.
    """
    checked_limit(second)
    if (_SMALL.search(first) is None) != (_SMALL.search(second) is None):
        raise Unreadable
    return first, second


def has_relation(formula: str) -> bool:
    """Whether a formula says something, outside of brackets.

    >>> has_relation("p = softmax(z)"), has_relation("P(X > 1)")
    (True, False)
    """
    return RELATION.search(without_brackets(formula)) is not None


def without_brackets(formula: str) -> str:
    """The formula with blanks for all that stands in brackets."""
    kept, depth = [], 0
    for sign in formula:
        depth -= sign in ")]}"
        kept.append(sign if depth <= 0 else " ")
        depth += sign in "([{"
    return "".join(kept)


_RUN = re.compile(r"\\[A-Za-z]+|[A-Za-z]{2,}(?=[(_])|[A-Za-z]+|[α-ωΑ-Ω]")
_WORDS = words(
    "log ln exp tr det diag tanh sin cos sqrt max min softmax sum rank Var Cov Std Corr KL eigmax eigmin proj "
    "logsumexp PP CE eigreal eigimag eigmoduli eigprod singularvalues"
)


def substitute(signs: str, name: str, new: str) -> str:
    """An expression with another one for a letter; Ax is a product of two.

    >>> substitute("‖Ax - b‖ + exp(x)", "x", "(2 x)")
    '‖A(2 x) - b‖ + exp((2 x))'

    Raises: Unreadable where the letter does not stand in it.
    """
    if len(name) > 1 and not name.startswith("\\"):
        if name not in signs:
            raise Unreadable
        return signs.replace(name, new)

    def put(found: re.Match[str]) -> str:
        run = found.group()
        if run == name:
            return new
        if (
            run.startswith("\\")
            or run in _WORDS
            or (len(run) > 1 and signs[found.end() : found.end() + 1] in ("(", "_"))
        ):
            return run
        return "".join(new if letter == name else letter for letter in run)

    changed = _RUN.sub(put, signs)
    if changed == signs and new != name:
        raise Unreadable
    if new == name and name not in symbols_in(signs):
        raise Unreadable
    return changed


_PLACES = re.compile(r"⟨[^⟨⟩]*⟩")


def symbols_in(signs: str) -> list[str]:
    """The letters of an expression, in their order."""
    signs = _PLACES.sub(lambda place: " " * len(place.group()), signs)
    found: list[str] = []
    for run in _RUN.finditer(signs):
        text = run.group()
        is_called = len(text) > 1 and signs[run.end() : run.end() + 1] in ("(", "_")
        if text in _WORDS or (is_called and not text.startswith("\\")):
            continue
        found += [text] if text.startswith("\\") else list(text)
    return found


def letters_of(texts: Sequence[str]) -> set[str]:
    """The letters of texts that are no words: single ones, and those of short runs such as ABC."""
    runs = [run for text in texts for run in re.findall(r"(?<![A-Za-z\\])[A-Za-z]{1,4}(?![A-Za-z])", text)]
    return {letter for run in runs if len(run) == 1 or not run[1:].islower() for letter in run}
