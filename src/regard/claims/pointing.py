"""A place in a claim, shown: the line it is in and a caret below."""

from __future__ import annotations

from regard.claims.syntax.tree import Span

WINDOW = 76
"""Characters of a long line that are shown around the place."""


def pointed(text: str, where: Span, *, window: int = WINDOW) -> tuple[str, str]:
    """The line of the text in which the place begins, and a line of carets under it.

    Of a line longer than `window`, so many characters around the place are shown.

    >>> print("\\n".join(pointed("q = k_a + * k_b", Span(10, 11))))
    q = k_a + * k_b
              ^
    """
    start = text.rfind("\n", 0, where.start) + 1
    end = text.find("\n", where.start)
    line, at = text[start : end if end >= 0 else None], where.start - start
    first = max(0, at - window // 2) if len(line) > window else 0
    shown = visible(line[first : first + window])
    length = min(max(where.end - where.start, 1), max(len(shown) - (at - first), 1))
    return shown, " " * (at - first) + "^" * length


def visible(text: str) -> str:
    """The text on one line, with a dot for every character that cannot be seen or that would move others.

    >>> visible("a\\x1b[31m\\tb")
    'a·[31m b'
    """
    return "".join(" " if sign.isspace() else sign if sign.isprintable() else "·" for sign in text)


def shortened(text: str, most: int = 100) -> str:
    """What can be seen of a text, and no more than so many characters.

    >>> shortened("abcdef", 4)
    'abc…'
    """
    return visible(text if len(text) <= most else text[: most - 1] + "…")
