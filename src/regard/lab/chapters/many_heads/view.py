"""Chapter 4 in tables, sentences and figures: which design errs least, and for which scale and noise."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.interpolate import RegularGridInterpolator

from regard.lab.chapters.many_heads.designs import (
    MAP_SCALES,
    MAP_VARIANCES,
    SCALES,
    DesignResult,
    Exercise,
    Range,
    better_ranges,
    candidate_designs,
    error_curves,
    error_map,
    evaluate_designs,
)
from regard.report.figures import COLOURS, FAINT, INK, LINES, MARKERS, new_figure
from regard.shapes import Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MIN_ERROR = 1e-6
"""Errors below this are alike on the map."""


def outcome_table(found: tuple[DesignResult, ...]) -> str:
    """Exact numbers of each design, in Markdown; the least error is bold."""
    best = min(one.error for one in found)
    rows = [
        f"| {one.name} | {one.variance:.4g} | {one.squared_bias:.4g} | {_format_error(one.error, one.error == best)} |"
        for one in found
    ]
    heading = "| design | variance of the output | squared bias | error |\n| --- | ---: | ---: | ---: |"
    return "\n".join([heading, *rows])


def exactness_text(found: tuple[DesignResult, ...]) -> str:
    """What the error is and how exact these numbers are, in Markdown."""
    methods = ", ".join(dict.fromkeys(one.law.method for one in found))
    worst = max(one.law.error for one in found)
    return (
        f"The error is $E|c - t|^2$ = variance + squared bias, $t$ the average of the wanted values. Method: {methods};"
        f" every entry of mean and covariance is exact to {worst:.0e}."
    )


def _format_error(value: float, is_best: bool) -> str:
    return f"**{value:.4g}**" if is_best else f"{value:.4g}"


def better_text(now: Exercise) -> str:
    """At which scales one head is the better, in Markdown."""
    sentences = [
        f"**{name.capitalize()}** has a smaller error than {now.n_heads} pull heads {_ranges_text(ranges)}."
        for name, ranges in better_ranges(now).items()
    ]
    return " ".join(sentences)


def _ranges_text(ranges: tuple[Range, ...]) -> str:
    """
    >>> _ranges_text((Range(None, 2.1737),)), _ranges_text(()), _ranges_text((Range(1.0, 30.0), Range(90.0, None)))
    ('below C = 2.174', 'at no scale', 'from C = 1 to 30 and above C = 90')
    """
    if not ranges:
        return "at no scale"
    return " and ".join(_range_text(one) for one in ranges)


def _range_text(one: Range) -> str:
    if one.low is None:
        return "at every scale" if one.high is None else f"below C = {one.high:.4g}"
    return f"above C = {one.low:.4g}" if one.high is None else f"from C = {one.low:.4g} to {one.high:.4g}"


@lru_cache(maxsize=32)
def figure(now: Exercise, scale: float) -> Figure:
    """Error against scale and, where keys are independent, the map of which design errs least."""
    has_map = now.noise != "together"
    drawing = new_figure((10.0, 4.2) if has_map else (7.0, 4.2))
    axes = drawing.subplots(1, 2 if has_map else 1, squeeze=False)[0]
    _draw_curves(axes[0], now, scale)
    if has_map:
        _draw_map(axes[1], now, scale)
    return drawing


def _draw_curves(axes: Axes, now: Exercise, scale: float) -> None:
    curves = error_curves(now)
    for place, one in enumerate(evaluate_designs(now, scale)):
        colour = COLOURS[place]
        axes.loglog(curves["scale"], curves[one.name], LINES[place], color=colour, linewidth=1.8, label=one.name)
        axes.plot([scale], [one.error], MARKERS[place], color=colour)
    axes.axvline(scale, color=FAINT, linewidth=1, zorder=0)
    axes.xaxis.set_major_formatter("{x:g}")
    low = min(float(curves[design.name].min()) for design in candidate_designs(now))
    axes.set_ylim(bottom=max(low / 2, 1e-7))
    axes.set_xlim(SCALES[0], SCALES[-1])
    axes.set_title("exact mean squared error", fontsize=10)
    axes.set_xlabel("scale C of the queries")
    axes.set_ylabel("squared error")
    axes.grid(color="#EEEEEE")
    axes.legend(frameon=False, fontsize=8)


def _draw_map(axes: Axes, now: Exercise, scale: float) -> None:
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    names = [design.name for design in candidate_designs(now)]
    scales, variances, best = interpolate_best(error_map(now))
    axes.pcolormesh(
        scales, variances, best, cmap=ListedColormap(COLOURS[: len(names)]), alpha=0.45, shading="nearest",
        vmin=-0.5, vmax=len(names) - 0.5, rasterized=True,
    )  # fmt: skip
    axes.plot([scale], [now.variance], "o", color=INK, markerfacecolor="white", markersize=8, clip_on=False)
    axes.annotate("here", (scale, now.variance), xytext=(7, 5), textcoords="offset points", fontsize=9)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlim(SCALES[0], SCALES[-1])
    axes.set_ylim(0, 1)
    axes.set_title("design with the smallest error", fontsize=10)
    axes.set_xlabel("scale C of the queries")
    axes.set_ylabel("variance of the length")
    shown = [place for place in range(len(names)) if (best == place).any()]
    axes.legend(
        handles=[Patch(color=COLOURS[place], alpha=0.45, label=names[place]) for place in shown],
        fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=len(shown), frameon=False,
    )  # fmt: skip


def interpolate_best(errors: Float[np.ndarray, "design variance scale"]) -> tuple[Any, Any, Any]:
    """Scales, variances, and the number of the best design for each pair: logarithms of errors are interpolated."""
    scales, variances = np.geomspace(MAP_SCALES[0], MAP_SCALES[-1], 121), np.linspace(0, 1, 81)
    at = np.stack(np.meshgrid(variances, np.log(scales), indexing="ij"), axis=-1)
    logs = np.log(np.maximum(errors, MIN_ERROR))
    fine = [RegularGridInterpolator((MAP_VARIANCES, np.log(MAP_SCALES)), one)(at) for one in logs]
    return scales, variances, np.argmin(fine, axis=0)


def python_for(now: Exercise, scale: float, *, robust_heads: int | None = None) -> str:
    """Code that gives the same numbers; with the robust design, if it was found."""
    lines = [
        "import numpy as np",
        "import regard",
        "",
        f"n_keys, wanted, scale = {now.n_keys}, {now.n_heads}, {scale!r}",
        "axes = np.eye(n_keys)",
        "target = axes[:wanted].mean(axis=0)",
        *_keys_code(now),
        "designs = {",
        '    "one pull head": axes[:wanted].sum(axis=0)[None],',
        '    "one push head": -axes[wanted:].sum(axis=0)[None],',
        '    "2 pull heads": np.stack([half.sum(axis=0) for half in np.split(axes[:wanted], 2)]),',
        *(['    f"{wanted} pull heads": axes[:wanted],'] if now.n_heads > 2 else []),
        "}",
        "for name, queries in designs.items():",
        "    law = regard.output_law(keys, axes, scale * queries)",
        "    print(name, law.variance, law.mean_squared_error(target), sep='; ')",
    ]
    if robust_heads is not None:
        lines += [
            f"found = regard.robust(keys, axes, target, heads={robust_heads})",
            "print('robust', found.law.variance, found.mean_squared_error, sep='; ')",
            "print(found.queries)",
        ]
    return "\n".join(lines)


def _keys_code(now: Exercise) -> list[str]:
    if now.noise == "together":
        shared = f"{now.variance!r} ** 0.5 * axes[None]  # one number for all lengths"
        return [f"shared = {shared}", "keys = regard.GaussianKeys(axes, regard.isotropic(0.0), shared=shared)"]
    which = ", key=0" if now.noise == "one" else ""
    return [
        f"noise = regard.isotropic({now.everywhere!r}) + regard.radial({now.variance!r}{which})",
        "keys = regard.GaussianKeys(axes, noise)",
    ]
