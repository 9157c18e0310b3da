"""Steps that look at single characters and numbers: case, accents, digits, spaces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from regard.text.normalise.alignment import Edit

_TO_ASCII = {
    **dict.fromkeys("‘’‚‛′´ʼ‹›", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–−", "-"),
    **dict.fromkeys("—―", "--"),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),  # seen by nobody: zero width, soft hyphen
    **dict.fromkeys("\x85\u2028", "\n"),
    "\u2029": "\n\n",
    "⁄": "/",
    "×": "x",
    **dict(zip("æÆœŒß", ["ae", "AE", "oe", "OE", "ss"], strict=True)),
    **dict(zip("øØłŁđĐ", "oOlLdD", strict=True)),
}
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_WORD = re.compile(r"\S+")
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT_OR_SEPARATOR = re.compile(r"\d|(?<=\d),(?=\d)")
_NUMBER = re.compile(r"\.?\d+(?:[.,:/]\d+)*")
_SPACES = re.compile(r"[^\S\n\r]+")


def lower(text: str) -> Iterator[Edit]:
    """Lower case; a few capitals become two characters."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return ((i, i + 1, new) for i, (old, new) in enumerate(zip(text, lowered, strict=True)) if old != new)
    return ((i, i + 1, c.lower()) for i, c in enumerate(text) if c != c.lower())


def fold_unicode(text: str) -> Iterator[Edit]:
    """Characters for which there is an ASCII spelling; combining marks vanish where their letter is ASCII by then."""
    is_ascii_before = 0  # the character before this place is ASCII, or has just become so
    for match in _NOT_ASCII.finditer(text):
        i, c = match.start(), match.group()
        ascii_spelling = _ascii_spelling(c)
        if unicodedata.combining(c):
            has_plain_letter = i == is_ascii_before or text[i - 1].isascii()
            ascii_spelling = "" if has_plain_letter else None
        if ascii_spelling is not None:
            yield i, i + 1, ascii_spelling
            is_ascii_before = i + 1


@lru_cache(maxsize=4096)
def _ascii_spelling(character: str) -> str | None:
    """How ASCII writes a character; None where it cannot."""
    if character in _TO_ASCII:
        return _TO_ASCII[character]
    parts = unicodedata.normalize("NFKD", character)
    if parts[0] == " " and len(parts) > 1:  # an accent that stands alone, on a space
        return None
    spelling = "".join(_TO_ASCII.get(c, c) for c in parts if not unicodedata.combining(c))
    return spelling if spelling.isascii() else None


def digits(text: str) -> Iterator[Edit]:
    """Each digit of a word without letters becomes DG, commas between digits vanish."""
    for word in _words_without_letters(text):
        for found in _DIGIT_OR_SEPARATOR.finditer(text, *word.span()):
            yield *found.span(), "" if found.group() == "," else "DG"


def digits_n(text: str) -> Iterator[Edit]:
    """Each number in a word without letters becomes N."""
    for word in _words_without_letters(text):
        for found in _NUMBER.finditer(text, *word.span()):
            yield *found.span(), "N"


def squeeze_spaces(text: str) -> Iterator[Edit]:
    """Spaces, tabs and their like: one space where there are several, none at the start and end of a line."""
    for found in _SPACES.finditer(text):
        start, end = found.span()
        if start == 0 or end == len(text) or text[start - 1] in "\n\r" or text[end] in "\n\r":
            yield start, end, ""
        elif text[start] != " ":
            yield start, end, " "
        elif end > start + 1:
            yield start + 1, end, ""


def _words_without_letters(text: str) -> Iterator[re.Match[str]]:
    return (word for word in _WORD.finditer(text) if not _LETTER.search(word.group()))
