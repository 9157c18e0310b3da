"""Texts as bytes, and where in them the words are: the one reading behind bags of words, hashes and explanations.

A text is read in lower case, as UTF-8. Each byte is of a kind, which the bytes about it may change:

    letters, digits, bytes from 0x80     part of a word
    white space, control characters      between words
    ' between two bytes of a word        part of it (don't); elsewhere a word of its own
    <br />, </p>, …                      a tag: between words
    . , ! ? " ( ) …                      each a word of its own

    text     W e ' l l · s e e < b r / > ( t h e · ' 8 0 s ) !
    words   [we'll    ] [see ]          [][the ] [][80s  ][][]

Typographic quotes, dashes and dots are read as their plain forms, also where Windows-1252 was taken for Latin-1 (U+0091
to U+0097), which is common in texts from the web.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regard.shapes import Int, UInt

LONGEST_TAG = 60
"""Bytes from < to >, both counted; a longer stretch is no tag but a text that uses the two marks."""

_BETWEEN, _WORD, _MARK, _APOSTROPHE, _OPEN, _CLOSE, _TEXT_END = range(7)
_SEPARATOR = b"\xff"  # in UTF-8 no byte is 0xFF, so that no text can hold it
_PADDING = 16  # whole 8-byte loads may begin at any byte of a text
_PLAIN_MARKS = {
    "'": "‘’´\x91\x92",
    '"': "“”„«»\x84\x93\x94",
    "-": "–—\x96\x97",
    ".": "…\x85",
    " ": "\xa0",
    "σ": "ς",  # which of the two str.lower writes depends on what follows, so that a word alone could read otherwise
}


def _kinds() -> bytes:
    kinds = bytearray([_BETWEEN] * 33 + [_MARK] * 94 + [_BETWEEN] + [_WORD] * 128)
    for byte in b"abcdefghijklmnopqrstuvwxyz0123456789":
        kinds[byte] = _WORD
    for byte, kind in zip(b"'<>\xff", (_APOSTROPHE, _OPEN, _CLOSE, _TEXT_END), strict=True):
        kinds[byte] = kind
    return bytes(kinds)


_KINDS = _kinds()


@dataclass(frozen=True)
class WordBytes:
    """Word i is the bytes content[starts[i]:ends[i]]; text t has the words from offsets[t] up to offsets[t + 1].

    `content` has room for loads of eight bytes at every place of a word.
    """

    content: bytes
    starts: Int[np.ndarray, " word"]
    ends: Int[np.ndarray, " word"]
    offsets: Int[np.ndarray, " bound"]


def plain_bytes(text: str) -> bytes:
    """The text as it is read: lower case, plain quotes and dashes, UTF-8 (a lone surrogate as three bytes).

    >>> plain_bytes("Don’t — É")
    b"don't - \\xc3\\xa9"
    """
    if text.isascii():
        return text.encode().lower()  # many times quicker than str.lower, and the same where all is ASCII
    text = text.lower()
    for plain, typographic in _PLAIN_MARKS.items():
        for character in typographic:  # 20 replacements take a hundredth of the time of one str.translate
            text = text.replace(character, plain)
    return text.encode("utf-8", "surrogatepass")


def word_bytes(texts: Sequence[str]) -> WordBytes:
    """Where the words of the texts are, in the bytes of all of them."""
    parts = [plain_bytes(text) for text in texts]
    content = b"".join((_SEPARATOR, _SEPARATOR.join(parts), _SEPARATOR * _PADDING))
    kinds = _settled_kinds(content)
    is_word, is_mark = kinds == _WORD, kinds == _MARK
    begins, stops = is_mark.copy(), is_mark
    begins[1:] |= is_word[1:] & ~is_word[:-1]
    stops[:-1] |= is_word[:-1] & ~is_word[1:]
    starts, ends = np.flatnonzero(begins), np.flatnonzero(stops) + 1
    text_ends = np.cumsum([0, *(len(part) + 1 for part in parts)])
    return WordBytes(content, starts, ends, np.searchsorted(starts, text_ends))


def _settled_kinds(content: bytes) -> UInt[np.ndarray, " character"]:
    """Of each byte: between words, part of a word, or a word of its own."""
    kinds = np.frombuffer(bytearray(content.translate(_KINDS)), np.uint8)
    special = np.flatnonzero(kinds >= _APOSTROPHE)
    kind = kinds[special]
    apostrophes = special[kind == _APOSTROPHE]
    is_inside = (kinds[apostrophes - 1] == _WORD) & (kinds[apostrophes + 1] == _WORD)
    kinds[apostrophes] = np.where(is_inside, _WORD, _MARK)
    angles, kind = special[kind > _APOSTROPHE], kind[kind > _APOSTROPHE]
    kinds[angles] = np.where(kind == _TEXT_END, _BETWEEN, _MARK)
    kinds[_inside_tags(content, angles, kind)] = _BETWEEN
    return kinds


def _inside_tags(
    content: bytes, angles: Int[np.ndarray, " entry"], kind: UInt[np.ndarray, " entry"]
) -> Int[np.ndarray, " character"]:
    """The places of all bytes of tags: < and a letter or /, then > before any other < or end of a text."""
    first = np.frombuffer(content, np.uint8)[angles[:-1] + 1]
    is_tag = (kind[:-1] == _OPEN) & (kind[1:] == _CLOSE) & (angles[1:] - angles[:-1] < LONGEST_TAG)
    is_tag &= ((first >= ord("a")) & (first <= ord("z"))) | (first == ord("/"))
    opens, lengths = angles[:-1][is_tag], (angles[1:] - angles[:-1])[is_tag] + 1
    before = np.cumsum(lengths) - lengths
    return np.repeat(opens - before, lengths) + np.arange(lengths.sum())
