"""A figure as SVG and PNG, and its data as CSV: buttons to put under it.

Widgets carry their own; these are for figures of matplotlib.
"""

from __future__ import annotations

import csv
import html
import io
import re
import threading
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWING = threading.Lock()
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


def shown(figure: Figure, *, label: str) -> Any:
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
    with DRAWING:
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
