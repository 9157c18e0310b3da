"""Tables and facts as lines of text: aligned by spaces, and made to fit a terminal that is too narrow for them.

What does not fit is wrapped between words, in columns of text; where not even that is enough, each row of a table
becomes a list with a line for every column. No number is ever cut.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import zip_longest

GAP = "  "
LONGEST_WORD = 20
"""Longer words, as formulas and checksums are, may be broken; no number is as long."""


def align_table(rows: Sequence[Sequence[str]], is_text: Sequence[bool]) -> list[str]:
    """Lines with text set left and numbers set right, two spaces between columns.

    >>> align_table([["key", "weight"], ["3", "0.25"]], [False, False])
    ['key  weight', '  3    0.25']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [_join_cells(row, widths, is_text) for row in rows]


def fit_table(rows: Sequence[Sequence[str]], is_text: Sequence[bool], width: int) -> list[str]:
    """The lines of a table, whose first row is its heading, of at most `width` characters each.

    >>> print(*fit_table([["key", "what"], ["3", "the sea is deep"]], [False, True], 14), sep="\\n")
    key  what
      3  the sea
         is deep
    """
    columns = list(zip(*rows, strict=True))
    sets_left = [left and not _is_set_right(column) for left, column in zip(is_text, columns, strict=True)]
    cells = [[cell.strip() for cell in column] for column in columns]
    widths = fit_widths(cells, width - len(GAP) * (len(cells) - 1))
    heading, *body = zip(*cells, strict=True)
    if widths is None:
        return _list_rows(heading, body, width)
    lines: list[str] = []
    for row in (heading, *body):
        parts = [_wrap(cell, space) for cell, space in zip(row, widths, strict=True)]
        lines += [_join_cells(line, widths, sets_left) for line in zip_longest(*parts, fillvalue="")]
    return lines


def fit_facts(facts: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Lines of at most `width` characters: each name on the left, and the rest of a long fact below its beginning.

    >>> print(*fit_facts([("why", "the sea is deep"), ("verdict", "holds")], 17), sep="\\n")
    why      the sea
             is deep
    verdict  holds
    """
    longest_name = max((len(name) for name, _ in facts), default=0)
    space = min(longest_name, max(width // 2 - len(GAP), 1))
    lines: list[str] = []
    for name, fact in facts:
        parts = _wrap(name, space), _wrap(fact, max(width - space - len(GAP), 1))
        lines += [_join_cells(line, (space, 0), (True, True)) for line in zip_longest(*parts, fillvalue="")]
    return lines


def fit_text(text: str, width: int, *, indent: str = GAP) -> list[str]:
    """Lines of at most `width` characters, all but the first of them indented.

    >>> fit_text("attention: any keys", 12)
    ['attention:', '  any keys']
    """
    if len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)


def fit_widths(columns: Sequence[Sequence[str]], available: int) -> list[int] | None:
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


def _list_rows(heading: Sequence[str], body: Sequence[Sequence[str]], width: int) -> list[str]:
    """Each row as facts named by the heading, with an empty line between rows."""
    lines: list[str] = []
    for row in body:
        lines += [""] if lines else []
        lines += fit_facts(list(zip(heading, row, strict=True)), width)
    return lines


def _wrap(cell: str, width: int) -> list[str]:
    if len(cell) <= width:
        return [cell]
    breaks_words = any(len(word) > LONGEST_WORD for word in cell.split())
    return textwrap.wrap(cell, width, break_long_words=breaks_words, break_on_hyphens=False)


def _join_cells(cells: Sequence[str], widths: Sequence[int], is_text: Sequence[bool]) -> str:
    return GAP.join(
        cell.ljust(width) if left else cell.rjust(width)
        for cell, width, left in zip(cells, widths, is_text, strict=True)
    ).rstrip()
