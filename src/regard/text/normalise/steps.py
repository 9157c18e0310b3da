"""Words and punctuation apart, as the Penn Treebank has them.

He said, "I can't."        He said , " I ca n't . "
the dogs' $1,250           the dogs ' $ 1,250
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from regard.text.normalise.alignment import Edit
from regard.text.sentences import CLOSING, is_abbreviation

_APART = re.compile(
    r"""\.{2,}|-{2,}|…|—|''|``|["“”«»()\[\]{};?!$%]|\#(?=\d)"""  # dots and dashes in a row are one word
    r"""|,(?!\d)|(?<!\d),|:(?!\d)|(?<!\d):"""  # not within 1,250 and 12:30
)
_FULL_STOP = re.compile(rf"(?<![.\s])\.(?={CLOSING}*+[^\S\n\r]*+(?:\Z|[\n\r]|(?<=\s)(\S)))")
_ENDING = re.compile(
    r"(?<=[^\W\d_])(?=n['’]t\b)"  # do|n't
    r"|(?<=\w)(?=['’](?:s|m|d|ll|re|ve)\b)"  # it|'s
    r"|(?<=\w)(?=['’](?!\w))"  # dogs|'
    r"|(?<=\bcan)(?=not\b)",
    re.IGNORECASE,
)
_OPENING_QUOTE = re.compile(
    r"""(?<![^\s(\[{"“])['‘](?=\w)(?!(?:s|m|d|ll|re|ve|t|em|tis|twas|n|\d0s)\b)""",  # not the one of 'tis or '80s
    re.IGNORECASE,
)
_PUNCTUATION = re.compile(r"(?<!\S)(?![$&#']++(?!\S))[^\w\s]++(?!\S)[^\S\n\r]?")


def split_words(text: str) -> Iterator[Edit]:
    """A space wherever punctuation touches a word, and before n't, 's and their like."""
    for place in sorted(_places(text)):
        if 0 < place < len(text) and not text[place - 1].isspace() and not text[place].isspace():
            yield place, place, " "


def drop_punctuation(text: str) -> Iterator[Edit]:
    """Words without letters and digits vanish, each with one space after it; $ & # ' stay, as in Mikolov's Treebank."""
    return ((*found.span(), "") for found in _PUNCTUATION.finditer(text))


def _places(text: str) -> set[int]:
    """Where words begin and end beside those that white space shows."""
    places = {place for found in _APART.finditer(text) for place in found.span()}
    places |= {found.start() for found in _ENDING.finditer(text)}
    places |= {found.end() for found in _OPENING_QUOTE.finditer(text)}
    return places | set(_full_stops(text))


def _full_stops(text: str) -> Iterator[int]:
    """The ends of sentences and lines, by the same signs as `split_lines` has."""
    has_upper = text != text.lower()
    for found in _FULL_STOP.finditer(text):
        goes_on = has_upper and (found.group(1) or "").islower()
        if not goes_on and not is_abbreviation(text, found.start()):
            yield found.start()
