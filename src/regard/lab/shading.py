"""Surprise as colour, in the page and in files: each character of a text on a ground that says what it cost.

The shades are those of `report.heat`: one scale of bits per character, whatever the model and the text.
"""

from __future__ import annotations

import dataclasses
import html
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from regard.lab.page import csv_text, figure_bytes
from regard.records import Caution, PerplexityResult, SurpriseMap
from regard.report import heat

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_DRAWN = 1_000
"""Characters of a text that a saved picture shows: each letter is drawn, which takes time."""


def heat_map(result: PerplexityResult) -> str:
    """The passage as HTML, each character on a ground that says what it cost; on white paper, light or dark."""
    heading = f"{result.model} on {result.text}: {result.bits_per_character:.3f} bits per character"
    paper = (
        "background:#fff;color:#111;white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.7 ui-monospace,monospace;"
        "padding:.7rem;border-radius:6px;margin:.3rem 0 1rem"
    )
    coloured = "".join(map(_coloured, heat.cut_spans(result.surprise)))
    return (
        f'<div role="group" aria-label="{html.escape(heading)}"><strong>{html.escape(heading)}</strong>'
        f'<pre style="{paper}">{coloured}</pre></div>'
    )


def heat_maps(results: Sequence[PerplexityResult]) -> str:
    """The maps of all results, those of one model side by side where there is room."""
    in_order = sorted(results, key=lambda result: [each.model for each in results].index(result.model))
    grid = "display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:0 1.2rem"
    return f'<div style="{grid}">{"".join(map(heat_map, in_order))}</div>'


def heat_scale() -> str:
    """What the shades stand for, as HTML."""
    labels = [*(f"<{bits:g}" for bits in heat.BITS), f"≥{heat.BITS[-1]:g}"]
    cells = "".join(
        f'<span style="padding:.1rem .5rem;{_ground(i)}">{html.escape(c)}</span>' for i, c in enumerate(labels)
    )
    return f'<p style="line-height:1.9">bits per character: {cells}</p>'


def surprise_columns(results: Sequence[PerplexityResult]) -> dict[str, list[Any]]:
    """What each character cost each model, for a file."""
    rows = [
        (result.text, result.model, place, character, nats / math.log(2))
        for result in results
        for place, (character, nats) in enumerate(zip(result.surprise.text, result.surprise.nats, strict=True))
    ]
    names = ("passage", "model", "place", "character", "bits")
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def drawn(results: Sequence[PerplexityResult]) -> Figure:
    """Heat maps to be saved, of the beginnings of the passages."""
    return heat.draw_heat([dataclasses.replace(result, surprise=_beginning(result.surprise)) for result in results])


def heat_files(results: Sequence[PerplexityResult], cautions: Sequence[Caution]) -> dict[str, Callable[[], bytes]]:
    """What may be saved, by the kind of file: pictures, data, a page; each is made when it is wanted."""
    return {
        "svg": lambda: figure_bytes(drawn(results), "svg"),
        "png": lambda: figure_bytes(drawn(results), "png"),
        "csv": lambda: csv_text(surprise_columns(results)).encode(),
        "html": lambda: heat.heat_page(results, cautions=cautions).encode(),
    }


def _coloured(run: heat.ShadedSpan) -> str:
    visible_text = html.escape("".join(c if c == "\t" else heat.visible(c) for c in run.text))
    line_break = "\n" if run.text == "\n" else ""
    return f'<span style="{_ground(run.shade)}" title="{run.bits:.2f} bits">{visible_text}</span>{line_break}'


def _ground(shade: int) -> str:
    return f"background:{heat.SHADES[shade]};color:{'#fff' if shade >= heat.LIGHT_FROM else '#111'}"


def _beginning(surprise: SurpriseMap) -> SurpriseMap:
    return SurpriseMap(surprise.text[:MAX_DRAWN], surprise.nats[:MAX_DRAWN])
