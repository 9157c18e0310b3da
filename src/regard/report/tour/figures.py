"""Figures that only the tour has: how copying needs scale, and the density of a weight under noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from regard.report.figures import COLOURS, FAINT, LINES, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_copy_weight(
    scales: Sequence[float], weights: Mapping[int, Sequence[float]], *, error: float, needed: Mapping[int, float]
) -> Figure:
    """The weight of the wanted key against the scale of the query, a line for each number of keys."""
    figure = new_figure((7.0, 3.8))
    axes = figure.subplots()
    for (n_keys, line), style, colour in zip(weights.items(), LINES, COLOURS, strict=False):
        axes.plot(scales, line, style, color=colour, label=f"{n_keys:,} keys")
        axes.plot([needed[n_keys]], [1 - error], "o", color=colour, markersize=5)
    axes.axhline(1 - error, color=FAINT, linewidth=1, zorder=0)
    axes.set_xlabel("scale C of the query q = C k")
    axes.set_ylabel("weight of the wanted key")
    axes.legend(frameon=False)
    return figure


def draw_weight_densities(grid: Sequence[float], densities: Mapping[float, Sequence[float]]) -> Figure:
    """The density of the noisy key's weight, a line for each scale of the query."""
    figure = new_figure((7.0, 3.8))
    axes = figure.subplots()
    for (scale, line), style, colour in zip(densities.items(), LINES, COLOURS, strict=False):
        axes.semilogy(grid, line, style, color=colour, label=f"C = {scale:g}")
    axes.set_xlim(0, 1)
    axes.set_ylim(1e-3, 1e2)
    axes.set_xlabel("weight of key a")
    axes.set_ylabel("density")
    axes.grid(color="#EEEEEE")
    axes.legend(frameon=False, loc="upper center", ncols=len(densities))
    return figure


def draw_bars(values: Mapping[str, float], *, label: str, errors: Mapping[str, float] | None = None) -> Figure:
    """Numbers by name as horizontal bars, the first on top, with their errors where these are given."""
    figure = new_figure((7.0, 0.6 + 0.36 * len(values)))
    axes = figure.subplots()
    places = np.arange(len(values))[::-1]
    spreads = [0.0 if errors is None else errors.get(name, 0.0) for name in values]
    axes.barh(places, list(values.values()), xerr=None if errors is None else spreads, color=COLOURS[0], height=0.6)
    axes.set_yticks(places, list(values), parse_math=False)
    for place, value, spread in zip(places, values.values(), spreads, strict=True):
        axes.annotate(f"{value:.4g}", (value + spread, place), xytext=(6, 0), textcoords="offset points", va="center")
    axes.set_xlim(0, 1.18 * max(values.values()))
    axes.set_xlabel(label)
    return figure
