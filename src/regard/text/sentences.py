"""Steps that look at lines and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from regard.text.normalise.alignment import Edit

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
