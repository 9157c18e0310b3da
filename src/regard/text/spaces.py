"""White space, and how to cut a text so that no word is cut.

White space is what str.split takes for it; words are what stands between. A line ends at \\n or \\r, so that \\r\\n
ends one line too; other separators, such as U+2028, are white space and no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

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
    """The same text cut elsewhere: before white space, so that no word is cut.

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


def _last_space(text: str) -> int:
    """Where the last white space of a text stands; −1 where there is none."""
    return next((i for i in reversed(range(len(text))) if text[i].isspace()), -1)
