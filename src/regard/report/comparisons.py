"""The figures of the studies that compare models: averaging classifiers, and models by characters and by words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from regard.report.figures import COLOURS, FAINT, INK, MARKERS, new_figure
from regard.tables import StudyTable

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
    name_variants(axes, [f"{row['question']}: {row['variant']}" for row in table.records()])


def draw_differences(axes: Axes, table: StudyTable) -> None:
    """Draw how far each variant is from the first row on one set of texts, known better than either accuracy."""
    for place, row in enumerate(table.records()):
        axes.errorbar(
            100 * row["difference"],
            place,
            xerr=100 * NORMAL_95 * row["difference_error"],
            fmt="o",
            color=difference_colour(row),
            markersize=5,
            capsize=2,
            linewidth=1.4,
        )
    axes.axvline(0, color=FAINT, linewidth=1, zorder=0)
    axes.set_xlabel(f"difference from {table.column('variant')[0]}, points, with 95 % interval")
    axes.set_title("on the same texts", fontsize=10)
    name_variants(axes, [""] * len(table.rows))


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
    name_variants(axes, [""] * len(seconds))


def name_variants(axes: Axes, names: list[str]) -> None:
    """Names beside the rows, the first on top."""
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x", color="#EEEEEE")
    axes.set_axisbelow(True)


def difference_colour(row: dict[str, Any]) -> str:
    """Better or worse than the first row by more than chance would have it, or neither."""
    if row["p_value"] >= 0.05:
        return SAME
    return BETTER if row["difference"] > 0 else WORSE


UNITS = ("character", "word", "byte")
"""Each unit has its colour and marker, whichever of them a table holds."""
BIT_PARTS = {
    "token_bits": ("predicting tokens", "#7A7A7A"),
    "spelling_bits": ("spelling unknown words", COLOURS[3]),
    "restoration_bits": ("restoring spaces", "#E69F00"),
}
"""What bits are spent on, in colours that no unit has."""
FAMILIARITY = {"familiar_bits": "seen at least twice in training", "rare_bits": "all other words"}
SPEEDS = {"scoring_characters_per_second": "scoring", "sampling_characters_per_second": "drawing"}

NAME_HEIGHT = 0.055
"""How far apart names stand, as a share of their panel's height."""


def draw_model_comparison(table: StudyTable) -> Figure:
    """Quality against cost, where the bits go, which words they go to, and how fast each model is."""
    figure = new_figure((11.0, 4.0 + 0.55 * len(table.rows)))
    axes = figure.subplots(2, 2)
    draw_against_training(axes[0, 0], table)
    draw_bits(axes[0, 1], table)
    draw_by_familiarity(axes[1, 0], table)
    draw_by_speed(axes[1, 1], table)
    figure.suptitle(f"Characters or words: {table.config.get('text', 'the same text')}", fontsize=12)
    return figure


def draw_against_training(axes: Axes, table: StudyTable) -> None:
    """Bits per character against the time that training took; the best stands lowest and leftmost."""
    for unit in find_units(table):
        rows = [row for row in table.records() if row["unit"] == unit]
        axes.scatter(
            [row["training_seconds"] for row in rows],
            [row["bits_per_character"] for row in rows],
            s=55,
            zorder=3,
            label=f"by {unit}s",
            **unit_style(unit),
        )
    axes.set_xscale("log")
    axes.margins(x=0.12, y=0.12)
    name_points(axes, table, x="training_seconds", y="bits_per_character")
    axes.set_xlabel("training, seconds of the processor")
    axes.set_ylabel("bits per character")
    axes.grid(color="#EEEEEE")
    draw_head(axes, "quality against cost: lower and further left is better")


def name_points(axes: Axes, table: StudyTable, *, x: str, y: str) -> None:
    """The models' names beside their points, towards the middle; names that would cover each other move upwards."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    axes.set_xlim(left, right)
    axes.set_ylim(low, high)
    rows = sorted(table.records(), key=lambda row: row[y])
    heights = spread_apart([(row[y] - low) / (high - low) for row in rows], least=NAME_HEIGHT)
    for row, height in zip(rows, heights, strict=True):
        is_left = row[x] ** 2 < left * right
        axes.annotate(
            row["model"],
            (row[x], row[y]),
            xytext=(row[x] * (right / left) ** (0.03 if is_left else -0.03), height),
            textcoords=("data", "axes fraction"),
            arrowprops={"arrowstyle": "-", "color": FAINT, "relpos": (1 - is_left, 0.5), "shrinkB": 5},
            ha="left" if is_left else "right",
            va="center",
            fontsize=8,
            color=INK,
        )


def spread_apart(heights: Sequence[float], *, least: float) -> list[float]:
    """Move rising heights upwards where needed, so that each is at least `gap` above the one before.

    >>> spread_apart([0.5, 0.5, 0.9], least=0.25)
    [0.5, 0.75, 1.0]
    """
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + least) if moved else height)
    return moved


def draw_bits(axes: Axes, table: StudyTable) -> None:
    """A bar for each model, as long as its bits per character, in the parts that they are spent on."""
    places, lefts = range(len(table.rows)), [0.0] * len(table.rows)
    for column, (label, colour) in BIT_PARTS.items():
        widths = table.column(column)
        axes.barh(places, widths, left=lefts, color=colour, height=0.65, label=label)
        lefts = [left + width for left, width in zip(lefts, widths, strict=True)]
    for place, total in zip(places, lefts, strict=True):
        axes.annotate(
            f"{total:.3f}", (total, place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8
        )
    axes.set_xlim(0, 1.15 * max(lefts))
    axes.set_xlabel("bits per character")
    name_rows(axes, table)
    draw_head(axes, "what the bits are spent on")


def draw_by_familiarity(axes: Axes, table: StudyTable) -> None:
    """What a character costs in words that are familiar from training, and in others."""
    draw_two_marks(axes, table, FAMILIARITY)
    axes.set_xlim(left=0)
    axes.set_xlabel("bits per character of such words")
    draw_head(axes, "familiar words and others: further left is better")


def draw_by_speed(axes: Axes, table: StudyTable) -> None:
    """Characters scored and drawn in a second."""
    draw_two_marks(axes, table, SPEEDS)
    axes.set_xscale("log")
    axes.set_xlabel("characters in a second of the processor")
    draw_head(axes, "speed: further right is better")


def draw_two_marks(axes: Axes, table: StudyTable, columns: dict[str, str]) -> None:
    """Two columns on one line for each model: a filled mark and a hollow one, joined."""
    (first, first_label), (second, second_label) = columns.items()
    for place, row in enumerate(table.records()):
        given = [row[name] for name in (first, second) if row[name] is not None]
        axes.plot(given, [place] * len(given), color=FAINT, linewidth=1.5, zorder=1)
    for column, label, face in ((first, first_label, INK), (second, second_label, "white")):
        marks = [(value, place) for place, value in enumerate(table.column(column)) if value is not None]
        if marks:
            x, y = zip(*marks, strict=True)
            axes.scatter(x, y, s=45, facecolor=face, edgecolor=INK, linewidth=1.4, zorder=2, label=label)
    axes.grid(axis="x", color="#EEEEEE")
    name_rows(axes, table)


def name_rows(axes: Axes, table: StudyTable) -> None:
    """The models' names, first row on top, each in the colour of its unit."""
    axes.set_yticks(range(len(table.rows)), table.column("model"))
    for label, unit in zip(axes.get_yticklabels(), table.column("unit"), strict=True):
        label.set_color(unit_style(unit)["color"])
    axes.set_ylim(len(table.rows) - 0.4, -0.6)


def draw_head(axes: Axes, title: str) -> None:
    """The title, and beneath it the legend in one line: there it covers no mark, whatever the figures."""
    axes.set_title(title, fontsize=10, pad=20)
    axes.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=3,
        frameon=False,
        fontsize=8,
        borderaxespad=0.2,
        handletextpad=0.4,
    )


def find_units(table: StudyTable) -> Sequence[str]:
    """The units that the table holds, in the order of their colours."""
    return [unit for unit in UNITS if unit in table.column("unit")]


def unit_style(unit: str) -> dict[str, Any]:
    """How a unit's models are marked."""
    return {"color": COLOURS[UNITS.index(unit)], "marker": MARKERS[UNITS.index(unit)]}
