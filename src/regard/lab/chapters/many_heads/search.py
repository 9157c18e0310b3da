"""The search for the robust design, looked on: every design that was better than all before it is kept and drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from regard.design import RobustDesign, robust
from regard.design.squared_error import Queries
from regard.lab.chapters.many_heads.designs import Exercise
from regard.lab.jobs import JobProgress
from regard.report.figures import COLOURS, FAINT, INK, new_figure
from regard.shapes import Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAR = 10
"""Characters of the longest bar to either side: a row fits on a phone."""
MAX_STEPS = 400


@dataclass(frozen=True, eq=False)
class SearchStep:
    """A design that was better than all that were tried before it: the how manieth it was, and its error."""

    number: int
    error: float
    queries: Queries


class QuerySearch:
    """Looks for the best queries of `n_heads` heads; `steps` is its way so far, stopped or not."""

    def __init__(self, now: Exercise, n_heads: int) -> None:
        self.exercise = now
        self.n_heads = n_heads
        self.steps: list[SearchStep] = []

    def __call__(self, progress: JobProgress) -> RobustDesign:
        """The robust design; `progress` is told of every design that is tried."""
        self.steps = []
        n_tried = 0

        def record(queries: Queries, error: float) -> None:
            nonlocal n_tried
            n_tried += 1
            if (not self.steps or error < self.steps[-1].error) and len(self.steps) < MAX_STEPS:
                self.steps.append(SearchStep(n_tried, error, queries.copy()))
                progress.show(text_bars(queries, n_wanted=self.exercise.n_heads))
            best = self.steps[-1].error
            progress(None, f"{n_tried} designs tried; the smallest error so far is {best:.4g}")
            progress.add_point(n_tried, best)

        now = self.exercise
        return robust(now.keys, np.eye(now.n_keys), now.target, heads=self.n_heads, watch=record)


def named_logits(query: Float[np.ndarray, " width"], *, n_wanted: int) -> tuple[list[str], Float[np.ndarray, " part"]]:
    """The mean logit that a query gives each wanted key, and the others' mean: keys are the axes."""
    names = [f"key {place}" for place in range(n_wanted)] + ["others"]
    return names, np.append(query[:n_wanted], query[n_wanted:].mean())


def text_bars(queries: Queries, *, n_wanted: int) -> str:
    r"""Bars to the left and right of a line, a row for each wanted key and one for the others.

    >>> print(text_bars(np.array([[1.0, 0.0, -2.0]]), n_wanted=2))
    head 0
    key 0            │▆▆▆▆▆        1.0
    key 1            │             0.0
    others ▆▆▆▆▆▆▆▆▆▆│            -2.0
    """
    unit = max(float(np.abs(queries).max()), 1e-12) / BAR
    lines = []
    for head, query in enumerate(queries):
        lines.append(f"head {head}")
        for name, logit in zip(*named_logits(query, n_wanted=n_wanted), strict=True):
            bar = "▆" * round(abs(logit) / unit)
            left, right = ("", bar) if logit >= 0 else (bar, "")
            lines.append(f"{name:<7}{left:>{BAR}}│{right:<{BAR}}{logit + 0.0:>6.1f}")
    return "\n".join(lines)


def figure(search: QuerySearch, at: int) -> Figure:
    """How the error fell, and the queries of one step as bars."""
    step = search.steps[at]
    n_wanted = search.exercise.n_heads
    height = 0.24 * (n_wanted + 2) * len(step.queries)
    drawing = new_figure((10.0, max(3.6, height + 0.8)))
    falling, bars = drawing.subplots(1, 2)
    _draw_errors(falling, search.steps, at)
    _draw_queries(bars, step, n_wanted)
    return drawing


def _draw_errors(axes: Axes, steps: list[SearchStep], at: int) -> None:
    numbers, errors = [step.number for step in steps], [max(step.error, 1e-9) for step in steps]
    axes.step(numbers, errors, where="post", color=COLOURS[0])
    axes.plot([numbers[at]], [errors[at]], "o", color=COLOURS[1])
    axes.set_yscale("log")
    axes.set_xlabel("designs tried")
    axes.set_ylabel("error")
    axes.set_title("error of the best so far", fontsize=10)
    axes.grid(color="#EEEEEE")


def _draw_queries(axes: Axes, step: SearchStep, n_wanted: int) -> None:
    """Heads from top to bottom, in each of them the wanted keys and the others."""
    labels, places = [], []
    for head, query in enumerate(step.queries):
        names, logits = named_logits(query, n_wanted=n_wanted)
        rows = head * (len(names) + 1) + np.arange(len(names))
        axes.barh(rows, logits, color=COLOURS[head % len(COLOURS)])
        labels += [f"head {head}, {name}" for name in names]
        places += rows.tolist()
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks(places, labels, fontsize=8)
    axes.invert_yaxis()
    axes.set_title(f"mean logit of each key, design {step.number}", fontsize=10)
    axes.grid(color=FAINT, axis="x", linewidth=0.4)


def step_columns(search: QuerySearch) -> dict[str, list[int | float]]:
    """The way of the search for a file: every step's error and queries."""
    steps = search.steps
    found: dict[str, list[int | float]] = {
        "design": [step.number for step in steps], "error": [step.error for step in steps]
    }  # fmt: skip
    for head in range(search.n_heads):
        for key in range(search.exercise.n_keys):
            found[f"q_{head}_{key}"] = [float(step.queries[head, key]) for step in steps]
    return found


def heads_text(queries: Queries) -> str:
    """How many heads, and how long their queries are.

    >>> heads_text(np.array([[3.0, 4.0], [0.0, 1.0]]))
    '2 heads of length 5 and 1'
    """
    lengths = " and ".join(f"{math.hypot(*query):.3g}" for query in queries)
    return f"one head of length {lengths}" if len(queries) == 1 else f"{len(queries)} heads of length {lengths}"
