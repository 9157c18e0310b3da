"""A text as bytes, one a character, and where its words and lines stand in it.

    text      M r .   \\n   Ω
    bytes     8 9 7   1 0 255        0 white space, 1 line break, 2 … 127 plain characters, 255 all others

Upper and lower case may share a byte. Only words of plain characters can be recognised by their bytes alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from regard.shapes import Int

BLOCK = 1 << 17
"""Characters looked at in one go: few enough to stay in the processor's cache."""

LINE_BREAKS = "\n\r"
WHITE_SPACE = "".join(chr(c) for c in range(0x3001) if chr(c).isspace())
"""All of it; the ideographic space U+3000 is the last."""

_WHITE_SPACE = re.compile(r"\s")


def blocks(text: str, *, size: int = BLOCK) -> Iterator[str]:
    """The text in pieces of about `size` characters, cut before white space: no word is cut."""
    start = 0
    while start < len(text):
        space = _WHITE_SPACE.search(text, start + size)
        end = space.start() if space else len(text)
        yield text[start:end]
        start = end


def whole_words(chunks: Iterable[str]) -> Iterator[str]:
    """Cut the chunks of a text elsewhere, before white space, so that no word is cut.

    >>> list(whole_words(["to b", "e or", " not"]))
    ['to', ' be', ' or', ' not']
    """
    unfinished: list[str] = []
    for chunk in chunks:
        end = _last_space(chunk)
        if end < 0:
            unfinished.append(chunk)
            continue
        yield "".join([*unfinished, chunk[:end]])
        unfinished = [chunk[end:]]
    yield "".join(unfinished)


def text_pieces(chunks: Iterable[str], *, size: int, at_line_ends: bool) -> Iterator[str]:
    """Cut a text into pieces of at least `size` characters, the last one shorter, each a whole number of lines.

    >>> list(text_pieces(["to be\\nor no", "t\\nto be"], size=3, at_line_ends=True))
    ['to be\\n', 'or not\\n', 'to be']
    """
    rest = ""
    for chunk in chunks:
        rest += chunk
        while len(rest) >= size:
            cut = rest.find("\n", size - 1) + 1 if at_line_ends else size
            if cut == 0:
                break
            yield rest[:cut]
            rest = rest[cut:]
    if rest:
        yield rest


def _last_space(text: str) -> int:
    """The place of the last white space of a text; −1 where there is none."""
    return next((i for i in reversed(range(len(text))) if text[i].isspace()), -1)


_SPACE, _BREAK, _FIRST_PLAIN, OTHER = 0, 1, 2, 255
_MAX_PLAIN = 128 - _FIRST_PLAIN


class Alphabet:
    """A byte for each character. `taken_for` names the plain characters, and what each is taken for: A for a, say."""

    def __init__(self, taken_for: Mapping[str, str]) -> None:
        self._taken_for = taken_for
        kept = {c: i for i, c in enumerate(dict.fromkeys(taken_for.values()), start=_FIRST_PLAIN)}
        assert len(kept) <= _MAX_PLAIN, "more plain characters than bytes"
        table = np.full(max(map(ord, [*taken_for, *WHITE_SPACE])) + 2, OTHER, np.uint8)
        for c, plain in taken_for.items():
            table[ord(c)] = kept[plain]
        for c in WHITE_SPACE:
            table[ord(c)] = _BREAK if c in LINE_BREAKS else _SPACE
        self._bytes, self._latin = table, table[:256].tobytes()

    def narrow(self, text: str) -> bytes:
        """One byte a character."""
        try:
            return text.encode("latin-1").translate(self._latin)
        except UnicodeEncodeError:
            codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
            return self._bytes[np.minimum(codes, len(self._bytes) - 1)].tobytes()

    def identifies(self, word: str) -> bool:
        """True where no other word has the bytes of this one."""
        return all(self._taken_for.get(c) == c for c in word)


@dataclass(frozen=True)
class Layout:
    """Where the words of a text stand, and where its lines end.

    Line end k is at character breaks[k], after word `after[k]`; −1 where no word stands before it. A line without
    words is no line: of several breaks between two words only the first counts.
    """

    narrow: bytes
    starts: Int[np.ndarray, " word"]
    ends: Int[np.ndarray, " word"]
    breaks: Int[np.ndarray, " line"]
    after: Int[np.ndarray, " line"]


def find_layout(text: str, *, alphabet: Alphabet) -> Layout:
    """Find the words and line ends of a text.

    >>> found = find_layout(" to be \\n\\n or", alphabet=Alphabet({}))
    >>> found.starts, found.ends, found.breaks, found.after
    (array([ 1,  4, 10]), array([ 3,  6, 12]), array([7]), array([1]))
    """
    narrow = alphabet.narrow(text)
    kinds = np.frombuffer(narrow, np.uint8)
    in_word = np.zeros(len(kinds) + 2, bool)
    np.greater(kinds, _BREAK, out=in_word[1:-1])
    edges = np.flatnonzero(in_word[1:] != in_word[:-1])
    starts, ends = edges[::2], edges[1::2]
    breaks = np.flatnonzero(kinds == _BREAK)
    after = np.searchsorted(starts, breaks) - 1
    is_first = np.ones(len(breaks), bool)
    is_first[1:] = after[1:] != after[:-1]
    return Layout(narrow, starts, ends, breaks[is_first], after[is_first])


def frequent_characters(words: Iterable[str]) -> list[str]:
    """The most frequent characters of these words, as many as can be plain."""
    return [c for c, _ in Counter("".join(words)).most_common(_MAX_PLAIN)]
