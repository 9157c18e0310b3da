"""Pieces of HTML for pages that others make, such as the lab's: tables, figures, and surprise as colour.

The shades of surprise are those of `report.heat`: one scale of bits per character, whatever the model and the text.
Pieces are plain strings: of a subclass such as `Markup`, marimo would send `{}` to the browser.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from regard.display import Markup, element, join, visible
from regard.records import PerplexityResult, SurpriseMap
from regard.report import heat

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_DRAWN = 1_000
"""Characters of a text that a saved picture shows: each letter is drawn, which takes time."""


def scrolling_table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, n_words: int) -> str:
    """A table that a narrow window scrolls; its first columns, so many, hold words, the others numbers.

    Cells are HTML already.
    """

    def row(tag: str, cells: Sequence[object]) -> Markup:
        aligned = ("left" if place < n_words else "right" for place in range(len(cells)))
        style = "padding:.2rem .6rem;white-space:nowrap;border-bottom:1px solid #8886;text-align:"
        return element(
            "tr", *(element(tag, cell, style=style + side) for cell, side in zip(cells, aligned, strict=True))
        )

    head = element("thead", row("th", headings))
    body = element("tbody", *(row("td", list(map(Markup, cells))) for cells in rows))
    table = element("table", head, body, style="border-collapse:collapse;font-size:.9rem")
    return str(element("div", table, style="overflow-x:auto", tabindex=0, role="group", aria_label="table"))


def figure_html(svg: str, *, label: str) -> str:
    """A drawing that is sharp at any size, on white paper; `label` says to a screen reader what it shows."""
    size = 'width="100%" style="min-width: 34rem"'  # narrower windows scroll it: smaller, it could not be read
    drawing = re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', size, svg[svg.index("<svg") :], count=1)
    style = "background: #fff; border-radius: 6px; padding: 4px; max-width: 56rem; overflow-x: auto"
    return str(element("div", Markup(drawing), role="img", aria_label=label, style=style))


def heat_map(result: PerplexityResult) -> str:
    """The passage as HTML, each character on a ground that says what it cost; on white paper, light or dark."""
    heading = f"{result.model} on {result.text}: {result.bits_per_character:.3f} bits per character"
    paper = (
        "background:#fff;color:#111;white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.7 ui-monospace,monospace;"
        "padding:.7rem;border-radius:6px;margin:.3rem 0 1rem"
    )
    coloured = map(_shade_span, heat.cut_spans(result.surprise))
    passage = element("pre", *coloured, style=paper)
    return str(element("div", element("strong", heading), passage, role="group", aria_label=heading))


def heat_maps(results: Sequence[PerplexityResult]) -> str:
    """The maps of all results, those of one model side by side where there is room."""
    in_order = sorted(results, key=lambda result: [each.model for each in results].index(result.model))
    grid = "display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:0 1.2rem"
    return str(element("div", *(Markup(heat_map(result)) for result in in_order), style=grid))


def heat_scale() -> str:
    """What the shades stand for, as HTML."""
    labels = [*(f"<{bits:g}" for bits in heat.BITS), f"≥{heat.BITS[-1]:g}"]
    cells = [element("span", label, style=f"padding:.1rem .5rem;{_ground(i)}") for i, label in enumerate(labels)]
    return str(element("p", "bits per character: ", *cells, style="line-height:1.9"))


def surprise_columns(results: Sequence[PerplexityResult]) -> dict[str, list[Any]]:
    """What each character cost each model, for a file."""
    rows = [
        (result.text, result.model, place, character, nats / math.log(2))
        for result in results
        for place, (character, nats) in enumerate(zip(result.surprise.text, result.surprise.nats, strict=True))
    ]
    names = ("passage", "model", "place", "character", "bits")
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def draw_beginnings(results: Sequence[PerplexityResult]) -> Figure:
    """Heat maps of the beginnings of the passages, as a figure."""
    return heat.draw_heat([dataclasses.replace(result, surprise=_beginning(result.surprise)) for result in results])


def _shade_span(run: heat.ShadedSpan) -> Markup:
    shown = element("span", visible(run.text, keep="\t"), style=_ground(run.shade), title=f"{run.bits:.2f} bits")
    return join(shown, "\n") if run.text == "\n" else shown


def _ground(shade: int) -> str:
    return f"background:{heat.SHADES[shade]};color:{'#fff' if shade >= heat.LIGHT_FROM else '#111'}"


def _beginning(surprise: SurpriseMap) -> SurpriseMap:
    return SurpriseMap(surprise.text[:MAX_DRAWN], surprise.nats[:MAX_DRAWN])
