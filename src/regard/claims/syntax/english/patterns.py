"""Patterns of English: a space in a phrase stands for any white space, and letters are named symbols."""

from __future__ import annotations

import re

READ_AS = "read as:"
"""How a note begins that shows what became of a sentence."""
WORD = r"[A-Za-zé][A-Za-zé'’–-]*"
SYMBOL = r"\$?(?:\\[A-Za-z]+|[A-Za-zα-ωΑ-Ω])(?:_(?:\w|\{\w+\}))?\$?"
"""x, k_i or \\alpha, between dollar signs or not."""
END = r"(?=\s*(?:[.;,:)]|$))"
"""Where a phrase of its own ends."""


def has_words(text: str) -> bool:
    """Whether there is anything to put in signs: a word, a dollar sign, a space of vectors, 0⁺.

    >>> has_words("softmax(x + c) = softmax(x)"), has_words("x = 1 if y = 1")
    (False, True)
    """
    return _WORDS.search(text) is not None


_WORDS = re.compile(
    r"(?<![\\A-Za-z_^{])[A-Za-z]{2,}(?![A-Za-z(_^{])|[$⁺ℝ…;]|\.[.\sa-z]|0\s*\+|0\^|\+\s*(?:∞|\\infty)|\s\(|\\(?:in|forall|mathbb|[lc]?dots)\b"
)


def phrase(pattern: str) -> re.Pattern[str]:
    """The pattern of a phrase, in which each space stands for any white space.

    >>> bool(phrase("sum to (?:one|1)").search("weights sum  to one"))
    True
    """
    return re.compile(pattern.replace(" ", r"\s+"))


SYMBOLS = phrase(rf"{SYMBOL}(?:\s*,\s*{SYMBOL})*(?:\s*,? and {SYMBOL})?").pattern
"""x; x and y; x, y and z."""
