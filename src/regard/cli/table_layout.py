"""Tables as lines of text: aligned by spaces, and made to fit a terminal that is too narrow for them.

What does not fit is wrapped between words, in columns of text; where not even that is enough, each row becomes a list
with a line for every column. No number is ever cut.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

GAP = "  "
LONGEST_WORD = 20
"""Longer words, as formulas and checksums are, may be broken; no number is as long."""


def aligned(rows: Sequence[Sequence[str]], is_text: Sequence[bool]) -> list[str]:
    """Lines with text set left and numbers set right, two spaces between columns.

    >>> aligned([["key", "weight"], ["3", "0.25"]], [False, False])
    ['key  weight', '  3    0.25']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [_line(row, widths, is_text) for row in rows]


def fitted(rows: Sequence[Sequence[str]], is_text: Sequence[bool], width: int) -> list[str]:
    """The same table, its heading first, in lines of at most `width` characters.

    >>> print(*fitted([["key", "what"], ["3", "the sea is deep"]], [False, True], 14), sep="\\n")
    key  what
      3  the sea
         is deep
    """
    columns = [[cell.strip() for cell in column] for column in zip(*rows, strict=True)]
    sets_left = [
        left and not _is_set_right(column) for left, column in zip(is_text, zip(*rows, strict=True), strict=True)
    ]
    widths = fitting_widths(columns, width - len(GAP) * (len(columns) - 1))
    if widths is None:
        return _listed(list(zip(*columns, strict=True)), width)
    lines: list[str] = []
    for row in zip(*columns, strict=True):
        parts = [_wrapped(cell, space) for cell, space in zip(row, widths, strict=True)]
        height = max(map(len, parts))
        padded = [part + [""] * (height - len(part)) for part in parts]
        lines += [_line(line, widths, sets_left) for line in zip(*padded, strict=True)]
    return lines


def fitting_widths(columns: Sequence[Sequence[str]], available: int) -> list[int] | None:
    """A width for each column, all together at most `available`, the widest narrowed most; None where none will do."""
    widths = [max(map(len, column)) for column in columns]
    least = [
        max(min(len(word), LONGEST_WORD) for cell in column for word in cell.split() or [""]) for column in columns
    ]
    if sum(least) > available:
        return None
    while sum(widths) > available:
        widest = max((i for i in range(len(widths)) if widths[i] > least[i]), key=lambda i: widths[i])
        widths[widest] -= 1
    return widths


def _is_set_right(column: Sequence[str]) -> bool:
    """Whether the cells were set right by whoever made them, as numbers with their units are."""
    return len(set(map(len, column))) == 1 and any(cell.startswith(" ") for cell in column)


def _wrapped(cell: str, width: int) -> list[str]:
    if len(cell) <= width:
        return [cell]
    is_broken = any(len(word) > LONGEST_WORD for word in cell.split())
    return textwrap.wrap(cell, width, break_long_words=is_broken, break_on_hyphens=False)


def _listed(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Each row as a list of its columns' names and cells; the rest of a long cell stands below its beginning."""
    heading, *body = rows
    space = min(max(map(len, heading)), max(width // 2 - len(GAP), 1))
    lines: list[str] = []
    for row in body:
        lines += [""] if lines else []
        for name, cell in zip(heading, row, strict=True):
            left, right = _wrapped(name, space), _wrapped(cell, max(width - space - len(GAP), 1))
            for i in range(max(len(left), len(right))):
                pair = (left[i] if i < len(left) else "", right[i] if i < len(right) else "")
                lines.append(_line(pair, (space, 0), (True, True)))
    return lines


def _line(cells: Sequence[str], widths: Sequence[int], is_text: Sequence[bool]) -> str:
    return GAP.join(
        cell.ljust(width) if left else cell.rjust(width)
        for cell, width, left in zip(cells, widths, is_text, strict=True)
    ).rstrip()
