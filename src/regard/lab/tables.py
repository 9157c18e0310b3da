"""Tables in a page: as wide as they need to be, and scrolled where the window is narrower."""

from __future__ import annotations

import html
from collections.abc import Sequence


def html_table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, n_words: int) -> str:
    """A table that a narrow window scrolls; its first columns, so many, hold words, the others numbers.

    Cells are HTML already.
    """

    def row(tag: str, cells: Sequence[str]) -> str:
        aligned = ("left" if place < n_words else "right" for place in range(len(cells)))
        style = "padding:.2rem .6rem;white-space:nowrap;border-bottom:1px solid #8886;text-align:"
        return "".join(
            f'<{tag} style="{style}{side}">{cell}</{tag}>' for cell, side in zip(cells, aligned, strict=True)
        )

    body = "".join(f"<tr>{row('td', cells)}</tr>" for cells in rows)
    head = f"<tr>{row('th', list(map(html.escape, headings)))}</tr>"
    table = (
        f'<table style="border-collapse:collapse;font-size:.9rem"><thead>{head}</thead><tbody>{body}</tbody></table>'
    )
    return f'<div style="overflow-x:auto" tabindex="0" role="group" aria-label="table">{table}</div>'
