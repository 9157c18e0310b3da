"""Figures of all heads of a model: maps of layer by head, one for each figure that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

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
