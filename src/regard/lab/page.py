"""How every chapter begins: the way back and on, its title, one paragraph, and what was wrong in the link."""

from __future__ import annotations

import csv
import html
import io
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.lab.contents import Chapter, available_chapters

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def side_by_side(*items: Any, min_width: str = "22rem") -> Any:
    """The items in columns of equal width, none of them narrower than `least` unless the window is."""
    import marimo as mo

    style = f"display:grid;gap:1rem 2rem;grid-template-columns:repeat(auto-fit,minmax(min({min_width},100%),1fr))"
    cells = "".join(f'<div style="min-width:0">{mo.as_html(item).text}</div>' for item in items)
    return mo.Html(f'<div style="{style}">{cells}</div>')


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


def listing(code: str) -> Any:
    """The code under a heading that opens."""
    import marimo as mo

    return mo.accordion({"Show the Python for this": mo.md(f"```python\n{code.strip()}\n```")}, lazy=False)


def array_code(rows: Any) -> str:
    """The array as it is typed.

    >>> array_code([[1.0, 0.5], [0.0, -2.0]])
    'np.array([[1.0, 0.5], [0.0, -2.0]])'
    """
    return f"np.array({np.asarray(rows, dtype=float).tolist()})"


DRAWING_LOCK = threading.Lock()
"""matplotlib draws for one thread at a time."""


def download_buttons(figure: Figure, columns: Mapping[str, Iterable[Any]], *, name: str) -> Any:
    """Three buttons; a file is made when its button is pressed."""
    import marimo as mo

    files = {"svg": lambda: figure_bytes(figure, "svg"), "png": lambda: figure_bytes(figure, "png")}
    made = {**files, "csv": lambda: csv_text(columns).encode()}
    return mo.hstack(
        [mo.download(data=make, filename=f"{name}.{kind}", label=kind.upper()) for kind, make in made.items()],
        justify="start",
        wrap=True,
    )


def show_figure(figure: Figure, *, label: str) -> Any:
    """The figure in the page, sharp at any size, on paper of its own; `label` says to a screen reader what it shows."""
    import marimo as mo

    drawing = figure_bytes(figure, "svg").decode()
    size = 'width="100%" style="min-width: 34rem"'  # narrower windows scroll it: smaller, it could not be read
    drawing = re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', size, drawing[drawing.index("<svg") :], count=1)
    style = "background: #fff; border-radius: 6px; padding: 4px; max-width: 56rem; overflow-x: auto"
    return mo.Html(f'<div role="img" aria-label="{html.escape(label)}" style="{style}">{drawing}</div>')


@lru_cache(maxsize=32)
def figure_bytes(figure: Figure, kind: str) -> bytes:
    """The figure as a file of this kind; drawn once, though several visitors look at it."""
    buffer = io.BytesIO()
    with DRAWING_LOCK:
        figure.savefig(buffer, format=kind, dpi=200)
    return buffer.getvalue()


def csv_text(columns: Mapping[str, Iterable[Any]]) -> str:
    r"""A line of names, then a line for each row.

    >>> csv_text({"key": [0, 1], "weight": [0.25, 0.75]})
    'key,weight\n0,0.25\n1,0.75\n'
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return buffer.getvalue()


def introduction(slug: str, text: str, complaints: tuple[str, ...] = ()) -> Any:
    """The top of a chapter's page."""
    import marimo as mo

    chapters = available_chapters()
    here = next(place for place, chapter in enumerate(chapters) if chapter.slug == slug)
    title = f"{_navigation(chapters, here)}\n\n# {chapters[here].title}\n\n{text}"
    warnings = [mo.callout(mo.plain_text(complaint), kind="warn") for complaint in complaints]
    return mo.vstack([mo.md(title), *warnings])


def _navigation(chapters: tuple[Chapter, ...], here: int) -> str:
    """Links to the start page and to the neighbours."""
    ways = ["[All chapters](/)"]
    if here > 0:
        ways.append(f"[← {chapters[here - 1].title}](/chapter/{chapters[here - 1].slug}/)")
    if here + 1 < len(chapters):
        ways.append(f"[{chapters[here + 1].title} →](/chapter/{chapters[here + 1].slug}/)")
    return " · ".join(ways)
