"""How the tour's answers get their evidence: numbers stamped with their origin, claims tried by check, drawings."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from regard import __version__
from regard.claims.check import check
from regard.errors import MissingExtraError
from regard.progress import Progress
from regard.report.tour.answers import Answer, Drawing, Number, Question, TriedClaim

if TYPE_CHECKING:
    from matplotlib.figure import Figure


from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from regard.report.figures import COLOURS, FAINT, LINES, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


VECTOR_SETTINGS = {"svg.hashsalt": "regard"}
"""Names inside the SVG are the same in every run."""


@dataclass(frozen=True)
class Config:
    """What a run is asked for: everything that its numbers depend on, but for the data found on the machine."""

    quick: bool = False
    seed: int = 0


Answering: TypeAlias = Callable[[Question, Config, Progress], Answer]
"""Finds the answer to a question."""


@dataclass(frozen=True)
class Origin:
    """The origin of numbers: the seed, and the data by name and sha256 where there are any."""

    seed: int = 0
    data: str = ""
    digest: str = ""

    def number(self, name: str, value: int | float, *, error: float | None = None, how: str = "exact") -> Number:
        """A number with its stamp."""
        return Number(
            name,
            float(value),
            None if error is None else float(error),
            how,
            self.seed,
            self.data,
            self.digest,
            __version__,
        )


def try_claims(*claims: tuple[str, str] | tuple[str, str, str]) -> tuple[TriedClaim, ...]:
    """The verdict of check on each claim, given as (claim, setting) or (claim, setting, goal)."""
    return tuple(try_claim(*each) for each in claims)


def try_claim(claim: str, setting: str, goal: str = "") -> TriedClaim:
    """The verdict of check on one claim.

    >>> try_claim("M = A^T", "two-subspaces").verdict
    'fails'
    """
    found = check(claim, setting=setting, goal=goal or None)
    assert found.verdict != "not-understood", f"{claim}: {found.reason}"
    return TriedClaim(claim, setting, goal, found.verdict, found.reason, found.nearest or "")


def draw(caption: str, make: Callable[[], Figure]) -> tuple[Drawing, ...]:
    """The figure that `make` draws, as SVG; nothing where matplotlib is not installed."""
    try:
        from matplotlib import rc_context
    except ImportError:
        return ()
    try:
        with rc_context(VECTOR_SETTINGS):
            file = io.BytesIO()
            make().savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    except MissingExtraError:
        return ()
    svg = file.getvalue().decode()
    return (Drawing(caption, svg[svg.index("<svg") :]),)


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
