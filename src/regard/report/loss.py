"""The loss over training as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from regard.records import TrainingStep
from regard.report.figures import COLOURS, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def loss_curve(history: Sequence[TrainingStep], *, loss: str, unit: str, title: str) -> Figure:
    """The loss, as it is called, against iterations; the perplexity of held-out text on an axis of its own."""
    figure = new_figure((7.0, 4.4))
    axes = figure.subplots()
    axes.plot([step.iteration for step in history], [step.train_nats for step in history], color=COLOURS[0])
    axes.set_xlabel("iteration")
    axes.set_ylabel(f"{loss}, nats per {unit}", color=COLOURS[0])
    axes.set_title(title)
    measured = [(step.iteration, step.valid_perplexity) for step in history if step.valid_perplexity is not None]
    if measured:
        beside = axes.twinx()
        beside.plot(*zip(*measured, strict=True), "--o", color=COLOURS[1], markersize=4)
        beside.set_ylabel(f"perplexity of held-out text, per {unit}", color=COLOURS[1])
    return figure
