"""Where in a text its words are, in characters of the text as it was given."""

from __future__ import annotations

import numpy as np

from regard.shapes import Int
from regard.text.word_bytes import word_bytes


def word_spans(text: str) -> tuple[Int[np.ndarray, " word"], Int[np.ndarray, " word"]]:
    """Starts and ends of the words that `word_bags` reads, so that word i is text[starts[i]:ends[i]].

    >>> word_spans("Don't!")
    (array([0, 5]), array([5, 6]))
    """
    words = word_bytes([text])
    content = np.frombuffer(words.content, np.uint8)
    is_first_byte = (content & 0xC0) != 0x80
    is_first_byte[0] = False  # the separator before the text
    # Character of the lower-case text that each byte belongs to; an end is the character of its last byte, plus one.
    character = np.cumsum(is_first_byte) - 1
    source = _sources(text)
    return source[character[words.starts]], source[character[words.ends - 1]] + 1


def _sources(text: str) -> Int[np.ndarray, " character"]:
    """Of each character of the lower-case text, the one that it came from; İ becomes two."""
    if len(text.lower()) == len(text):
        return np.arange(len(text))
    return np.repeat(np.arange(len(text)), [len(c.lower()) for c in text])
