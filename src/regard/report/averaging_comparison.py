"""A comparison of averaging classifiers as a figure: what each choice gains or loses, and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regard.records import StudyTable
from regard.report.figures import COLOURS, FAINT, INK, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BETTER, WORSE, SAME = COLOURS[2], COLOURS[1], "#7A7A7A"
NORMAL_95 = 1.96


def draw_averaging_comparison(table: StudyTable) -> Figure:
    """Accuracy of each variant with its error, the difference from the first row, and the time of training."""
    figure = new_figure((13.0, 2.2 + 0.34 * len(table.rows)))
    left, middle, right = figure.subplots(1, 3, width_ratios=(1, 1, 0.6))
    draw_accuracies(left, table)
    draw_differences(middle, table)
    draw_costs(right, table)
    figure.suptitle(table.title, fontsize=11)
    return figure


def draw_accuracies(axes: Axes, table: StudyTable) -> None:
    """A mark for each variant with its 95 % interval, and a hollow one for the texts that it has learnt from."""
    for place, row in enumerate(table.records()):
        axes.errorbar(
            100 * row["accuracy"],
            place,
            xerr=100 * NORMAL_95 * row["standard_error"],
            fmt="o",
            color=INK,
            markersize=5,
            capsize=2,
            linewidth=1,
        )
    trained = [100 * share for share in table.column("train_accuracy")]
    axes.scatter(trained, range(len(trained)), s=26, facecolor="white", edgecolor=INK)
    axes.axvline(100 * table.column("accuracy")[0], color=FAINT, linewidth=1, zorder=0)
    axes.set_xlabel("accuracy, %, with 95 % interval")
    axes.set_title("each by itself (hollow: on the training texts)", fontsize=10)
    name_rows(axes, [f"{row['question']}: {row['variant']}" for row in table.records()])


def draw_differences(axes: Axes, table: StudyTable) -> None:
    """How far each variant is from the first row on the same texts, which is known better than either accuracy."""
    for place, row in enumerate(table.records()):
        axes.errorbar(
            100 * row["difference"],
            place,
            xerr=100 * NORMAL_95 * row["difference_error"],
            fmt="o",
            color=choose_colour(row),
            markersize=5,
            capsize=2,
            linewidth=1.4,
        )
    axes.axvline(0, color=FAINT, linewidth=1, zorder=0)
    axes.set_xlabel(f"difference from {table.column('variant')[0]}, points, with 95 % interval")
    axes.set_title("on the same texts", fontsize=10)
    name_rows(axes, [""] * len(table.rows))


def draw_costs(axes: Axes, table: StudyTable) -> None:
    """A bar for each variant, as long as its training took."""
    seconds = table.column("cpu_seconds")
    axes.barh(range(len(seconds)), seconds, color=FAINT, height=0.6)
    for place, each in enumerate(seconds):
        axes.annotate(
            f"{each:.1f}", (each, place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8, color=INK
        )
    axes.set_xlim(0, 1.2 * max(seconds))
    axes.set_xlabel("training, seconds of the processor")
    axes.set_title("what it costs", fontsize=10)
    name_rows(axes, [""] * len(seconds))


def name_rows(axes: Axes, names: list[str]) -> None:
    """Names beside the rows, the first on top."""
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x", color="#EEEEEE")
    axes.set_axisbelow(True)


def choose_colour(row: dict[str, Any]) -> str:
    """Better or worse than the first row by more than chance would have it, or neither."""
    if row["p_value"] >= 0.05:
        return SAME
    return BETTER if row["difference"] > 0 else WORSE
