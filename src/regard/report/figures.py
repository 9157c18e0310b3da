"""What all figures share: colours, an empty figure, saving it to a file; and the loss over training.

Loads neither NumPy nor matplotlib until a figure is drawn, so that a command can refuse a wrong file name at once.
Colours are safe for colour-blind readers; line styles and markers tell curves apart without colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from regard.errors import MissingExtraError, OutputFileError
from regard.files import open_output, require_writable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from regard.records import TrainingStep

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
LINES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D")
INK, FAINT = "#333333", "#BBBBBB"
ENDINGS = (".png", ".svg", ".pdf")
NEEDS_MATPLOTLIB = "figures need matplotlib: pip install 'regard[figures]'"


def new_figure(size: tuple[float, float]) -> Figure:
    """An empty figure of this width and height, in inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError(NEEDS_MATPLOTLIB) from None
    return Figure(figsize=size, layout="constrained")


def require_figure(path: Path) -> None:
    """Refuse, before any work is done, a figure that cannot be drawn or saved under this name."""
    if path.suffix.lower() not in ENDINGS:
        raise OutputFileError(f"{path}: expected a figure's name to end in .png, .svg or .pdf")
    require_writable(path)
    if find_spec("matplotlib") is None:
        raise MissingExtraError(NEEDS_MATPLOTLIB)


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure in the format of the name's ending; it takes that name only when it is whole."""
    require_figure(path)
    with open_output(path) as file:
        figure.savefig(file, format=path.suffix[1:].lower(), dpi=150)


def draw_loss(history: Sequence[TrainingStep], *, loss: str, unit: str, title: str) -> Figure:
    """Draw the loss against iterations, and the perplexity of validation text on an axis of its own."""
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
        beside.set_ylabel(f"perplexity of validation text, per {unit}", color=COLOURS[1])
    return figure


def draw_network_loss(steps: Sequence[int], losses: Mapping[str, Sequence[float]], *, title: str) -> Figure:
    """Losses in nats per character against steps, a line for each text; the lowest of the last one is marked."""
    figure = new_figure((7.0, 4.4))
    axes = figure.subplots()
    for (name, values), line, colour, marker in zip(losses.items(), LINES, COLOURS, MARKERS, strict=False):
        axes.plot(steps, values, line, color=colour, marker=marker, markersize=4, label=name)
    last = list(losses)[-1]
    step, lowest = min(zip(steps, losses[last], strict=True), key=lambda point: point[1])
    axes.axhline(lowest, color=FAINT, linewidth=1, zorder=0)
    axes.annotate(
        f"{last}: {lowest:.4f} at step {step:,}",
        (0, lowest),  # on the left, where curves that fall are far above
        xycoords=("axes fraction", "data"),
        xytext=(4, 3),
        textcoords="offset points",
        fontsize=8,
    )
    axes.set_xlabel("step")
    axes.set_ylabel("loss, nats per character")
    axes.set_title(title)
    axes.legend(frameon=False)
    return figure
