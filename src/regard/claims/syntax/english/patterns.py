"""Patterns of English: a space in a phrase stands for any white space, and letters are named symbols."""

from __future__ import annotations

import re

WORD = r"[A-Za-zé][A-Za-zé'’–-]*"
SYMBOL = r"\$?(?:\\[A-Za-z]+|[A-Za-zα-ωΑ-Ω])(?:_(?:\w|\{\w+\}))?\$?"
"""x, k_i or \\alpha, between dollar signs or not."""
END = r"(?=\s*(?:[.;,:)]|$))"
"""Where a phrase of its own ends."""


def phrase(pattern: str) -> re.Pattern[str]:
    """The pattern of a phrase, in which each space stands for any white space.

    >>> bool(phrase("sum to (?:one|1)").search("weights sum  to one"))
    True
    """
    return re.compile(pattern.replace(" ", r"\s+"))


SYMBOLS = phrase(rf"{SYMBOL}(?:\s*,\s*{SYMBOL})*(?:\s*,? and {SYMBOL})?").pattern
"""x; x and y; x, y and z."""
