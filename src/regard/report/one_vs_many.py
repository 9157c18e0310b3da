"""The figures of the study of one head against many; each design keeps its colour, line style and marker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr

from regard.errors import ValueRangeError
from regard.records import OutputCloud
from regard.report.figures import COLOURS, FAINT, INK, LINES, MARKERS, new_figure
from regard.shapes import Float
from regard.tables import StudyTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_one_vs_many(
    curves: StudyTable, clouds: tuple[OutputCloud, ...], *, scale: float, crossing: float | None
) -> Figure:
    """The study in one picture: variance and error against C above, outputs and weights at one C below."""
    figure = new_figure((10.5, 8.4))
    axes = figure.subplots(2, 2)
    draw_variance_and_error(axes[0, 0], axes[0, 1], curves)
    if crossing is not None:
        axes[0, 1].axvline(crossing, color=FAINT, linewidth=1)
        axes[0, 1].annotate(
            f"equal at C = {crossing:.3g}",
            (crossing, 1.02),
            xycoords=("data", "axes fraction"),
            ha="center",
            fontsize=8,
        )
    axes[0, 0].legend(frameon=False, loc="best")
    draw_output_triangle(axes[1, 0], clouds, scale)
    draw_weight_density(axes[1, 1], clouds, scale)
    figure.suptitle(_subject(curves.config), fontsize=12)
    return figure


def draw_curves(table: StudyTable) -> Figure:
    """Variance and error of every design against the scale, from a table that has both."""
    figure = new_figure((10.5, 4.2))
    left, right = figure.subplots(1, 2)
    draw_variance_and_error(left, right, table)
    left.legend(frameon=False, loc="best")
    figure.suptitle(_subject(table.config), fontsize=12)
    return figure


def draw_variance_and_error(left: Axes, right: Axes, table: StudyTable) -> None:
    """The variance of the output on the left, its mean squared error on the right."""
    draw_against_scale(left, table, "variance", "variance of the output, tr Cov c")
    draw_against_scale(right, table, "mean_squared_error", "mean squared error, E |c − target|²")


def draw_against_scale(axes: Axes, curves: StudyTable, column: str, label: str) -> None:
    """One column of the study against the scale C, a line for each design."""
    for index, design in enumerate(dict.fromkeys(curves.column("design"))):
        rows = [row for row in curves.records() if row["design"] == design]
        axes.loglog(
            [row["scale"] for row in rows],
            [row[column] for row in rows],
            LINES[index],
            color=COLOURS[index],
            label=design,
            linewidth=1.8,
        )
    axes.set_xlabel("scale C of the query")
    axes.set_ylabel(label)
    axes.grid(color="#EEEEEE", which="major")


def draw_output_triangle(axes: Axes, clouds: tuple[OutputCloud, ...], scale: float) -> None:
    """Draws of the output in the triangle of values: first wanted key, other wanted keys, all the rest."""
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
    axes.plot(*corners[[0, 1, 2, 0]].T, color=INK, linewidth=1)
    for index, cloud in enumerate(clouds):
        x, y = (cloud.shares @ corners).T
        axes.scatter(
            x, y, s=9, marker=MARKERS[index], color=COLOURS[index], alpha=0.25, linewidths=0, label=cloud.design
        )
    axes.plot(*_wanted_corner(corners), "x", color="black", markersize=9, markeredgewidth=2, label="target", zorder=5)
    for corner, name, where in zip(
        corners, ("$v_a$", "other wanted", "the rest"), ("top", "top", "bottom"), strict=True
    ):
        axes.annotate(
            name, corner, xytext=(0, -6 if where == "top" else 6), textcoords="offset points", ha="center", va=where
        )
    legend = axes.legend(frameon=False, loc="upper right", fontsize=8)
    for handle in filter(None, legend.legend_handles):
        handle.set_alpha(1)
    axes.set_title(f"outputs over draws of the keys, C = {scale:g}", fontsize=10)
    axes.set_aspect("equal")
    axes.set_xlim(-0.12, 1.12)
    axes.set_ylim(-0.12, 1.0)
    axes.axis("off")


def draw_weight_density(axes: Axes, clouds: tuple[OutputCloud, ...], scale: float) -> None:
    """The density of the first key's weight in its head; a line where it is as good as certain."""
    for index, cloud in enumerate(clouds):
        if not len(cloud.density):
            axes.axvline(cloud.weight_mean, color=COLOURS[index], linestyle=LINES[index], label=cloud.design)
        else:
            axes.plot(cloud.weights, cloud.density, LINES[index], color=COLOURS[index], label=cloud.design)
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, 1e-3), min(high, 1e2))
    axes.set_xlim(0, 1)
    axes.set_xlabel("weight of the first key in its head")
    axes.set_ylabel("density")
    axes.set_title(f"what that key weighs, C = {scale:g}", fontsize=10)
    axes.grid(color="#EEEEEE")
    axes.legend(frameon=False, fontsize=8)


def draw_varying_key(draws: Float[np.ndarray, "draw 2"], *, variance: float) -> Figure:
    """A key that keeps its direction but not its length: the density of its length above draws of the key itself."""
    if variance <= 0:
        raise ValueRangeError(f"a key that varies in length has a positive radial variance; got {variance:g}")
    figure = new_figure((7.6, 5.2))
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(1, 1.6))
    draw_length_density(above, variance)
    draw_key_plane(below, draws, variance)
    figure.suptitle(
        f"A key that varies in length: $k_a = (1 + g)\\,\\mu_a$ with $g \\sim N(0, {variance:g})$", fontsize=12
    )
    return figure


def draw_length_density(axes: Axes, variance: float) -> None:
    """The normal density of a key's length in units of its mean; the part that points backwards is shaded."""
    sd = np.sqrt(variance)
    length = np.linspace(*_length_range(variance), 400)
    density = np.exp(-((length - 1) ** 2) / (2 * variance)) / (sd * np.sqrt(2 * np.pi))
    axes.plot(length, density, color=COLOURS[0])
    axes.fill_between(length, density, where=length < 0, color=COLOURS[1], alpha=0.6, linewidth=0)
    backwards = f"points backwards: {ndtr(-1 / sd):.2%}".replace("%", " %")
    axes.annotate(backwards, (0.02, 0.6), xycoords="axes fraction", color=COLOURS[1], fontsize=9)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("density")
    axes.grid(color="#EEEEEE")


def draw_key_plane(axes: Axes, draws: Float[np.ndarray, "draw 2"], variance: float) -> None:
    """Draws of the key in the plane of μ_a and μ_b, with the range that holds 68 % and 95 % of its lengths."""
    axes.plot(*draws.T, ".", color=COLOURS[0], alpha=0.2, markersize=5, rasterized=True)
    sd = np.sqrt(variance)
    for count, thickness, share in ((2, 3, "95 %"), (1, 8, "68 %")):
        ends = [1 - count * sd, 1 + count * sd]
        axes.plot(
            ends,
            [0, 0],
            color=COLOURS[0],
            linewidth=thickness,
            alpha=0.45,
            solid_capstyle="butt",
            label=f"{share} of the draws: ${ends[0]:.2f}$ to ${ends[1]:.2f}$ times $\\mu_a$",
        )
    for end, name in (((1, 0), "$\\mu_a$"), ((0, 1), "$\\mu_b$")):
        axes.annotate("", end, (0, 0), arrowprops={"arrowstyle": "->", "color": INK, "linewidth": 2})
        axes.annotate(name, end, xytext=(3, 6), textcoords="offset points")
    axes.set_xlabel("along $\\mu_a$")
    axes.set_ylabel("along $\\mu_b$")
    axes.set_xlim(*_length_range(variance))
    axes.set_ylim(-0.4, 1.4)
    axes.legend(frameon=False, loc="upper right", fontsize=8)


def _length_range(variance: float) -> tuple[float, float]:
    reach = max(1.0, 3.4 * float(np.sqrt(variance)))
    return 1 - reach, 1 + reach


def _wanted_corner(corners: Float[np.ndarray, "3 2"]) -> Float[np.ndarray, " 2"]:
    return (corners[0] + corners[1]) / 2


def _subject(config: dict[str, Any]) -> str:
    who = "all keys vary" if config["all_noisy"] else "one key varies"
    return (
        f"Averaging {config['wanted']} of {config['n_keys']} keys when {who} in length "
        f"(variance {config['radial']:g}, isotropic {config['isotropic']:g})"
    )
