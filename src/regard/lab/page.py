"""Parts that every chapter's page has: its introduction, figures, columns, buttons that save files, its Python."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from regard import display
from regard.lab.contents import Chapter, available_chapters
from regard.records import Caution, PerplexityResult
from regard.report.fragments import draw_beginnings, figure_html, surprise_columns
from regard.report.heat import heat_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def side_by_side(*items: Any, min_width: str = "22rem") -> Any:
    """The items in columns of equal width, none of them narrower than `least` unless the window is."""
    import marimo as mo

    style = f"display:grid;gap:1rem 2rem;grid-template-columns:repeat(auto-fit,minmax(min({min_width},100%),1fr))"
    cells = "".join(f'<div style="min-width:0">{mo.as_html(item).text}</div>' for item in items)
    return mo.Html(f'<div style="{style}">{cells}</div>')


def listing(code: str) -> Any:
    """The code under a heading that opens."""
    import marimo as mo

    return mo.accordion({"Show the Python for this": mo.md(f"```python\n{code.strip()}\n```")}, lazy=False)


DRAWING_LOCK = threading.Lock()
"""matplotlib draws for one thread at a time."""


def download_buttons(figure: Figure, columns: Mapping[str, Iterable[Any]], *, name: str) -> Any:
    """Buttons that save a figure as SVG or PNG and its numbers as CSV."""
    return _buttons(
        {
            "svg": lambda: figure_bytes(figure, "svg"),
            "png": lambda: figure_bytes(figure, "png"),
            "csv": lambda: csv_text(columns).encode(),
        },
        name=name,
    )


def surprise_buttons(results: Sequence[PerplexityResult], cautions: Sequence[Caution]) -> Any:
    """Buttons that save heat maps of surprise as pictures, as numbers, and as a page of their own."""
    return _buttons(surprise_files(results, cautions), name="surprise")


def surprise_files(results: Sequence[PerplexityResult], cautions: Sequence[Caution]) -> dict[str, Callable[[], bytes]]:
    """What may be saved of surprise, by the kind of file."""
    return {
        "svg": lambda: figure_bytes(draw_beginnings(results), "svg"),
        "png": lambda: figure_bytes(draw_beginnings(results), "png"),
        "csv": lambda: csv_text(surprise_columns(results)).encode(),
        "html": lambda: heat_page(results, cautions=cautions).encode(),
    }


def _buttons(files: Mapping[str, Callable[[], bytes]], *, name: str) -> Any:
    """A button for each kind of file, which is made when its button is pressed."""
    import marimo as mo

    return mo.hstack(
        [mo.download(data=make, filename=f"{name}.{kind}", label=kind.upper()) for kind, make in files.items()],
        justify="start",
        wrap=True,
    )


def show_figure(figure: Figure, *, label: str) -> Any:
    """The figure in the page; `label` says to a screen reader what it shows."""
    import marimo as mo

    return mo.Html(figure_html(figure_bytes(figure, "svg").decode(), label=label))


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
    return display.csv_text(tuple(columns), zip(*columns.values(), strict=True))


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
