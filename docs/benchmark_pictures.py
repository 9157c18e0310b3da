"""The picture of the benchmarks, read from benchmarks/RESULTS.md, so that the two cannot disagree."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from regard.report.figures import COLOURS, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RESULTS = Path(__file__).parents[1] / "benchmarks" / "RESULTS.md"
PANELS: dict[str, dict[str, tuple[str, str, bool]]] = {
    "tinyshakespeare: nats a character, fewer are better": {
        "nanoGPT, recipe for a CPU, 190 s": ("nanoGPT, its recipe for a CPU", r"[\d.]+", False),
        "Transformer small, 183 s": ("Transformer, preset small", r"[\d.]+", True),
        "recurrent best, 644 s": ("recurrent, preset best", r"[\d.]+", True),
        "mixture of three": ("mixture of n-gram model, recurrent best, recurrent plain; static", r"[\d.]+", True),
    },
    "IMDb: share of right answers, %": {
        "fastText, bigrams": ("fastText, bigrams", r"[\d.]+", False),
        "scikit-learn, TF-IDF": ("scikit-learn, TF-IDF of 1–2-grams, logistic regression (time", r"[\d.]+", False),
        "scikit-learn, ratios": ("scikit-learn, naive-Bayes ratios", r"[\d.]+", False),
        "classic averaging": ("classic, mean of 3 seeds", r"[\d.]+", True),
        "strong averaging": ("strong, mean of 3 seeds", r"[\d.]+", True),
    },
    "raw text to labels: reviews a second": {
        "scikit-learn": ("scikit-learn, raw text to labels", r"[\d,]+", False),
        "fastText": ("fastText, raw text to labels", r"[\d,]+", False),
        "strong averaging": ("raw text to probabilities", r"[\d,]+", True),
    },
}
"""Panels with their bars: a name, how its row of RESULTS.md begins, what its number looks like, whether it is ours."""
COST = "cost against n (seconds CPU)"


def row(beginning: str) -> str:
    """What was measured in the first row that begins so; ValueError where there is none."""
    for line in RESULTS.read_text("utf-8").splitlines():
        if line.startswith(f"| {beginning}"):
            return line.split(" | ")[1]
    raise ValueError(f"{RESULTS} has no row that begins {beginning!r}")


def number(beginning: str, pattern: str) -> float:
    """The first number of this form in what was measured."""
    found = re.search(pattern, row(beginning))
    if found is None:
        raise ValueError(f"{row(beginning)!r} has no number like {pattern}")
    return float(found[0].replace(",", ""))


def cost_points() -> list[tuple[int, float]]:
    """Numbers of keys, and the CPU seconds that their exact law takes."""
    pairs = re.findall(r"([\d,]+): ([\d.]+)", row(COST).partition(";")[0])
    return [(int(n.replace(",", "")), float(seconds)) for n, seconds in pairs]


def benchmarks_picture() -> Figure:
    """Three comparisons with other tools, and what an exact law costs."""
    figure = new_figure((10.5, 6.2))
    axes = figure.subplots(2, 2).flatten()
    for place, (title, bars) in zip(axes, PANELS.items(), strict=False):
        _draw_bars(place, title, bars)
    last = axes[-1]
    last.loglog(*zip(*cost_points(), strict=True), "o-", color=COLOURS[0])
    last.set_title("exact mean and covariance under noisy keys", fontsize=10)
    last.set_xlabel("keys")
    last.set_ylabel("CPU seconds")
    return figure


def _draw_bars(axes: Axes, title: str, bars: dict[str, tuple[str, str, bool]]) -> None:
    values = [number(beginning, pattern) for beginning, pattern, _ in bars.values()]
    places = range(len(bars) - 1, -1, -1)
    axes.barh(places, values, height=0.6, color=[COLOURS[0] if is_ours else "#B8C2CC" for *_, is_ours in bars.values()])
    axes.set_yticks(list(places), list(bars), fontsize=8)
    axes.set_ylabel("ours: blue", fontsize=8)
    axes.set_xlim(0, 1.2 * max(values))
    axes.locator_params(axis="x", nbins=5)
    for place, value in zip(places, values, strict=True):
        axes.annotate(
            f"{value:,.6g}", (value, place), xytext=(5, 0), textcoords="offset points", va="center", fontsize=8
        )
    axes.set_title(title, fontsize=10)
