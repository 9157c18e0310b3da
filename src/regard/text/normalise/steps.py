"""The steps that prepare a text, each a function from a text to the edits that it makes.

Characters    lower case, ASCII spellings, digits as DG, numbers as N, single spaces
Lines         breaks within a paragraph joined; each sentence on a line of its own
Words         punctuation and endings apart, as in the Penn Treebank; punctuation dropped:

    He said, "I can't."        He said , " I ca n't . "
    the dogs' $1,250           the dogs ' $ 1,250
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

Edit = tuple[int, int, str]
"""Characters start to end of a text become these."""

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
    """Put all letters into lower case; a few capitals become two characters."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return ((i, i + 1, new) for i, (old, new) in enumerate(zip(text, lowered, strict=True)) if old != new)
    return ((i, i + 1, c.lower()) for i, c in enumerate(text) if c != c.lower())


def fold_unicode(text: str) -> Iterator[Edit]:
    """Write characters in ASCII where they have such a spelling; combining marks vanish after an ASCII letter."""
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


_BREAK_IN_PARAGRAPH = re.compile(r"(?<=\S)[^\S\n\r]*(?:\r\n?|\n)[^\S\n\r]*(?=\S)")
CLOSING = r"""["'”’»)\]}]"""
OPENING = r"""["'“‘«(\[{`]"""
# Possessive quantifiers (++, *+) give nothing back, so that long runs of marks or spaces cost no more than one look.
_SENTENCE_END = re.compile(rf"(?<![.!?…])[.!?…]++(?: ''|{CLOSING}*+)([^\S\n\r]++)(?={OPENING}*+(\S))")
_LAST_WORD = re.compile(r"\w[\w.&'’-]*\Z")
_INNER_STOP = re.compile(r"[^\W\d_]\.[^\W\d_]\Z")
_SHORT = (
    "adm apr aug ave bros capt cf co col corp dec dept dr e.g ed eds est etc ex feb fig figs gen gov hon i.e inc "
    "jan jr jul jun lt ltd maj mar mr mrs ms mt no nos nov oct op p pp prof rep rev sec sen sep sept sgt sr st v "
    "viz vol vols vs"
)
ABBREVIATIONS = frozenset(_SHORT.split())


def join_lines(text: str) -> Iterator[Edit]:
    """A single line break between two words becomes a space; blank lines stay, and so do the text's ends."""
    return ((*found.span(), " ") for found in _BREAK_IN_PARAGRAPH.finditer(text))


def split_lines(text: str) -> Iterator[Edit]:
    """The space after a sentence becomes a line break.

    A sentence ends at . ! ? unless a lower-case letter follows, or the full stop belongs to an abbreviation or an
    initial. In a text all in lower case, what follows says nothing.
    """
    has_upper = text != text.lower()
    for found in _SENTENCE_END.finditer(text):
        goes_on = has_upper and found.group(2).islower()
        if not goes_on and not is_abbreviation(text, found.start()):
            yield *found.span(1), "\n"


def is_abbreviation(text: str, stop: int) -> bool:
    """True where the mark at `stop` is the full stop of an abbreviation or an initial: Mr. U.S. J."""
    if text[stop] != ".":
        return False
    found = _LAST_WORD.search(text, max(0, stop - 24), stop)
    word = found.group().lower() if found else ""
    is_initial = len(word) == 1 and word.isalpha() and word != "i"
    return is_initial or word in ABBREVIATIONS or _INNER_STOP.search(word) is not None


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
    """Remove words without letters and digits, with one space after each; $ & # ' stay, as in Mikolov's Treebank."""
    return ((*found.span(), "") for found in _PUNCTUATION.finditer(text))


def _places(text: str) -> set[int]:
    """Where words begin and end beside those that white space shows."""
    places = {place for found in _APART.finditer(text) for place in found.span()}
    places |= {found.start() for found in _ENDING.finditer(text)}
    places |= {found.end() for found in _OPENING_QUOTE.finditer(text)}
    return places | set(_full_stops(text))


def _full_stops(text: str) -> Iterator[int]:
    """Where full stops end sentences and lines, by the rules of `split_lines`."""
    has_upper = text != text.lower()
    for found in _FULL_STOP.finditer(text):
        goes_on = has_upper and (found.group(1) or "").islower()
        if not goes_on and not is_abbreviation(text, found.start()):
            yield found.start()
