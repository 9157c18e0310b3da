"""What chapter 2 asks of the package: a query for any mix of the values, and one summand out of a sum of two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from regard.arrays import recover
from regard.design import QueryDesign, mix
from regard.report.figures import COLOURS, FAINT, INK, new_figure
from regard.shapes import Float, Int

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_KEYS = 8


@dataclass(frozen=True, eq=False)
class Extraction:
    """Of the sum of v_a along the first axis and v_b at an angle to it: what the projectors make of it.

    `projected` is the orthogonal projector's P_A s, `recovered` the oblique one's, which goes along v_b; `noise_gain`
    is how much longer noise in the sum can become in it.
    """

    first: Float[np.ndarray, " 2"]
    second: Float[np.ndarray, " 2"]
    projected: Float[np.ndarray, " 2"]
    recovered: Float[np.ndarray, " 2"]
    error: float
    noise_gain: float


def design_mix(shares: list[int], *, error: float) -> QueryDesign:
    """A query that reads orthonormal keys, one for each share, in these shares; zero shares get `error` in all."""
    counts = np.array(shares, dtype=float)
    return mix(np.eye(len(shares)), counts / counts.sum(), error=error)


def extract_summand(angle_degrees: float, *, length: float) -> Extraction:
    """v_a = (1, 0) and v_b of this length, at this angle to it: their sum, taken apart again."""
    angle = math.radians(angle_degrees)
    axis_a, axis_b = np.array([[1.0], [0.0]]), np.array([[math.cos(angle)], [math.sin(angle)]])
    first, second = axis_a[:, 0], length * axis_b[:, 0]
    found = recover(first + second, axis_a, axis_b)
    projected = first + found.error
    return Extraction(first, second, projected, found.value, float(np.linalg.norm(found.error)), found.noise_gain)


def weights_figure(design: QueryDesign) -> Figure:
    """Wanted and reached weights, a pair of bars for each key."""
    figure = new_figure((7.0, 2.8))
    axes = figure.subplots()
    places = np.arange(len(design.wanted))
    axes.bar(places - 0.2, design.wanted, 0.38, color=FAINT, label="wanted")
    axes.bar(places + 0.2, design.weights, 0.38, color=COLOURS[0], label="reached")
    axes.set_xticks(places, [f"key {place}" for place in places])
    axes.set_ylabel("weight")
    axes.legend(frameon=False)
    return figure


def sum_figure(parts: Extraction) -> Figure:
    """The two summands, their sum, and where each projector puts it; beside it, the error against the angle."""
    figure = new_figure((9.0, 3.6))
    plane, curve = figure.subplots(1, 2)
    total = parts.first + parts.second
    arrows = {"$v_a$": (parts.first, COLOURS[0]), "$v_b$": (parts.second, COLOURS[1]), "$v_a + v_b$": (total, INK)}
    for name, (end, colour) in arrows.items():
        plane.annotate("", end, (0, 0), arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 2})
        plane.annotate(name, end, xytext=(4, 4), textcoords="offset points", color=colour)
    plane.axhline(0, color=FAINT, linewidth=1, zorder=0)
    plane.plot(*np.array([total, parts.projected]).T, ":", color=INK)
    plane.plot(*parts.projected, "s", color=COLOURS[1], label="orthogonal: $P_A s$")
    plane.plot(*parts.recovered, "o", color=COLOURS[2], label="oblique, along $v_b$")
    plane.set_xlim(-0.4, 3.6)
    plane.set_ylim(-0.4, 2.2)
    plane.set_aspect("equal")
    plane.set_xlabel("along $A$")
    plane.set_ylabel("across")
    plane.legend(frameon=False, loc="upper left", fontsize=8)
    _draw_error(curve, parts)
    return figure


def curve_columns(length: float) -> dict[str, Float[np.ndarray, " point"] | Int[np.ndarray, " point"]]:
    """The error of the orthogonal projector, |v_b| cos θ, and the noise gain of the oblique one, 1 / sin θ."""
    degrees = np.arange(1, 91)
    angles = np.radians(degrees)
    return {"degrees": degrees, "error": length * np.cos(angles), "noise_gain": 1 / np.sin(angles)}


def _draw_error(axes: Axes, parts: Extraction) -> None:
    length = float(np.linalg.norm(parts.second))
    columns = curve_columns(length)
    angle = math.degrees(math.atan2(parts.second[1], parts.second[0]))
    plot = axes.semilogy
    plot(columns["degrees"], np.maximum(columns["error"], 1e-3), "-", color=COLOURS[1], label="error of $P_A s$")
    plot(columns["degrees"], columns["noise_gain"], "--", color=COLOURS[2], label="noise gain, oblique")
    plot([angle], [max(parts.error, 1e-3)], "s", color=COLOURS[1])
    plot([angle], [parts.noise_gain], "o", color=COLOURS[2])
    axes.set_xlabel("angle between the subspaces, degrees")
    axes.set_ylabel("error, gain")
    axes.set_ylim(0.01, 100)
    axes.legend(frameon=False, fontsize=8)


def mix_text(design: QueryDesign) -> str:
    """What the query is and does, in Markdown."""
    query = ", ".join(f"{part:.4g}" for part in design.query)
    if design.exact:
        return f"The query $q = ({query})$ gives these weights exactly."
    return (
        f"The query $q = ({query})$, at scale $C = {design.scale:.4g}$, gives these weights, except that keys without"
        f" a share keep **{design.leak:.3g}** of the weight."
    )


def extraction_text(parts: Extraction) -> str:
    """What each projector gets, in Markdown."""
    return (
        f"The orthogonal projector gives $P_A(v_a + v_b) = {parts.projected[0]:.4g}$ where $v_a$ is 1: an error of "
        f"**{parts.error:.4g}** $= |v_b|\\cos\\theta$. The oblique one, along $v_b$, gives {parts.recovered[0]:.4g}; "
        f"its price is that noise in the sum may grow by **{parts.noise_gain:.4g}** $= 1/\\sin\\theta$."
    )


def python_for(shares: list[int], *, error: float, angle_degrees: float, length: float) -> str:
    """Code that gives the same numbers."""
    return f"""
import numpy as np
import regard

shares = np.array({[float(share) for share in shares]})
design = regard.mix(np.eye({len(shares)}), shares / shares.sum(), error={error!r})
print(design.query, design.weights)

angle = np.radians({angle_degrees!r})
axis_a, axis_b = np.array([[1.0], [0.0]]), np.array([[np.cos(angle)], [np.sin(angle)]])
total = axis_a[:, 0] + {length!r} * axis_b[:, 0]
print(regard.extract(total, axis_a))  # orthogonal: errs by |v_b| cos θ
found = regard.recover(total, axis_a, axis_b)
print(found.value, found.noise_gain)  # oblique: exact, but noise grows
"""
