"""One page that needs no other file: a map of all heads, the pattern of the one chosen, its figures and errors.

The pattern of every head lies packed in the page; `heads_page.js` unpacks it in the browser and draws. This script and
`study_data` also make the widget of the lab. `draw_heads` is the figure without a page: maps of layer by head.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.display import Markup, element, html_page
from regard.records import HeadPatterns
from regard.report.figures import INK, new_figure
from regard.tables import StudyTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


MAPS = {
    "effective_count": "keys read, exp(entropy)",
    "sink_by_norm": "share of first token and marks, by size",
    "previous": "weight on the previous token",
    "induction_random": "induction on random tokens",
    "output_norm": "size of what the head adds",
}
SHARES = ("sink_by_norm", "previous", "induction_random")
"""Those of them that lie between 0 and 1."""
MAX_ERRORS = 3
"""Maps of errors under noise, of the first ones asked for."""


def draw_heads(table: StudyTable) -> Figure:
    """A map for each of some figures of the profile, and for errors under noise where the table has them."""
    errors = [name for name in table.columns if name.endswith(" error")][:MAX_ERRORS]
    titles = MAPS | {name: f"{name.removesuffix(' error')}: relative error" for name in errors}
    if "direct_effect" in table.columns:
        titles["direct_effect"] = "direct effect on the loss, nats a token"
    n_columns = 3
    n_rows = -(-len(titles) // n_columns)
    layers, heads = (np.array(table.column(name)) for name in ("layer", "head"))
    figure = new_figure((11.0, 1.2 + n_rows * max(2.2, 0.32 * (layers.max() + 1) + 1.2)))
    axes = figure.subplots(n_rows, n_columns, squeeze=False).flatten()
    for place, (name, title) in zip(axes, titles.items(), strict=False):
        grid = np.full((layers.max() + 1, heads.max() + 1), np.nan)
        grid[layers, heads] = table.column(name)
        draw_map(place, grid, title, diverging=name == "direct_effect", share=name in SHARES)
    for place in axes[len(titles) :]:
        place.axis("off")
    figure.suptitle(table.title, fontsize=11, wrap=True)
    return figure


def draw_map(axes: Axes, grid: np.ndarray, title: str, *, diverging: bool = False, share: bool = False) -> None:
    """One figure of every head: layers downwards, heads to the right, with its scale beside it, from 0.

    A share has the whole scale up to 1, so that a share of 0.02 does not look like much.
    """
    limit = float(np.nanmax(np.abs(grid))) or 1.0
    scale: dict[str, Any] = {"cmap": "RdBu", "vmin": -limit} if diverging else {"cmap": "Blues", "vmin": 0.0}
    scale["vmax"] = 1.0 if share else limit
    image = axes.imshow(grid, aspect="auto", **scale)
    axes.figure.colorbar(image, ax=axes, shrink=0.9)
    axes.set_title(title, fontsize=9, color=INK)
    axes.set_xlabel("head", fontsize=8)
    axes.set_ylabel("layer", fontsize=8)
    for axis, size in ((axes.xaxis, grid.shape[1]), (axes.yaxis, grid.shape[0])):
        axis.set_ticks(range(0, size, max(1, size // 12)))
    axes.tick_params(labelsize=7)


FOLDER = Path(__file__).parent
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' blob:"
PAGE_STYLE = """
body { margin: 1.5rem; background: #ffffff; color: #222222; font-family: system-ui, sans-serif; }
h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { body { background: #16181d; color: #e4e6ea; } }
"""


def script() -> str:
    """The JavaScript module that draws a study into an element."""
    return (FOLDER / "heads_page.js").read_text(encoding="utf-8")


def style() -> str:
    """Its style sheet."""
    return (FOLDER / "heads_page.css").read_text(encoding="utf-8")


def heads_page(table: StudyTable, patterns: HeadPatterns, *, kinds: list[tuple[str, str]]) -> str:
    """The page for a table of heads and their patterns; `kinds` are the names of kinds with their rules."""
    data = json.dumps(study_data(table, patterns, kinds=kinds), ensure_ascii=False, allow_nan=False)
    data = data.replace("</", "<\\/")  # "</script>" in a token would end the script
    call = (
        f"const study = {data};\nconst css = document.querySelector('style').textContent;\n"
        "render({ model: { get: (name) => (name === 'study' ? study : css) }, el: document.querySelector('main') });"
    )
    module = script().replace("export default { render };", "")
    return html_page(
        table.title,
        element("h1", table.title),
        Markup("<main></main>"),
        Markup(f'<script type="module">\n{module}\n{call}\n</script>'),
        style=style() + PAGE_STYLE,
        policy=POLICY,
    )


def study_data(table: StudyTable, patterns: HeadPatterns, *, kinds: list[tuple[str, str]]) -> dict[str, Any]:
    """What the script draws, as JSON takes it: numbers that are no numbers become null."""
    n_layers, n_heads, _, places = patterns.keys.shape
    packed = zlib.compress(patterns.keys.astype("<u2").tobytes() + patterns.levels.tobytes(), 9)
    rows = [{name: _plain(value) for name, value in row.items()} for row in table.records()]
    shown = f"shown: the first {len(patterns.tokens)} tokens; the {places} largest weights of a query hold "
    return {
        "columns": list(table.columns),
        "rows": rows,
        "notes": [*table.notes, f"{shown}{patterns.covered:.1%} of all weight".replace("%", " %")],
        "kinds": [list(kind) for kind in kinds],
        "tokens": list(patterns.tokens),
        "n_layers": n_layers,
        "n_heads": n_heads,
        "places": places,
        "packed": base64.b64encode(packed).decode(),
    }


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
