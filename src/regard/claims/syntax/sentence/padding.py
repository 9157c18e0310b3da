"""Formulas over the words that say them, padded with spaces so that all other places in the text stay the same."""

from __future__ import annotations

import re
from collections.abc import Callable

Formula = str | Callable[[re.Match[str]], str]


def write_over(pattern: re.Pattern[str], formula: Formula, text: str) -> str:
    """The text with a formula over every match; a formula that depends on the match is a function of it.

    >>> write_over(re.compile("tends to"), "→", "x tends to 0")
    'x →        0'
    """

    def write(found: re.Match[str]) -> str:
        return pad(formula if isinstance(formula, str) else formula(found), found)

    return pattern.sub(write, text)


def blank(pattern: re.Pattern[str], text: str) -> str:
    """The text with spaces over every match."""
    return write_over(pattern, "", text)


def pad(formula: str, found: re.Match[str], *, at_end: bool = False) -> str:
    """The formula with spaces after it up to the length of what was found; with `at_end`, before it.

    At the end it stands close to a full stop that follows. A formula that is longer makes the text longer.
    """
    return formula.rjust(len(found[0])) if at_end else formula.ljust(len(found[0]))


def pad_if_room(formula: str, found: re.Match[str]) -> str:
    """The formula at the end of what was found; that itself where the formula is longer, and nothing is understood."""
    return pad(formula, found, at_end=True) if len(formula) <= len(found[0]) else found[0]
