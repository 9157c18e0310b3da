"""Charts of a classifier's accuracy as SVG, drawn by hand: small, sharp, and in the colours of the page they stand in.

Colours are CSS variables (--ink, --faint, --blue, --orange), so that one drawing serves light and dark pages.
Drawn with matplotlib, a page of six charts has 82 kB with letters as text and 154 kB with letters as paths, not 26 kB;
dots do not tell their values to the mouse, colours do not follow the page, and ids repeat from chart to chart.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import TypeAlias

from regard.records import GroupAccuracy, RuleCount

Marks: TypeAlias = list[tuple[float, str]]
"""Places on an axis, and what stands there."""
FEW = 20
WIDTH, HEIGHT = 340, 250
LEFT, RIGHT, TOP, BOTTOM = 54, 12, 12, 44


def reliability(bins: Sequence[GroupAccuracy]) -> str:
    """Accuracy against confidence: on the diagonal, a classifier is as often right as it says."""
    marks = [i / 5 for i in range(6)]
    x_marks, y_marks = ([(to(mark), f"{mark:.1f}") for mark in marks] for to in (_x, _y))
    parts = [_axes("confidence, mean of the bin", "accuracy", x_marks, y_marks)]
    parts.append(_line((_x(0.0), _y(0.0)), (_x(1.0), _y(1.0)), "ink dash"))
    points = [(_x(each.confidence), _y(each.accuracy)) for each in bins]
    parts += [_line((_x(each.confidence), _y(each.low)), (_x(each.confidence), _y(each.high)), "blue") for each in bins]
    parts.append(f'<polyline class="blue" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
    for (x, y), each in zip(points, bins, strict=True):
        title = f"{each.group}: {each.n:,} texts, confidence {each.confidence:.3f}, accuracy {each.accuracy:.3f}"
        parts.append(_dot(x, y, title))
    return _svg(parts, "Reliability diagram: accuracy against confidence")


def by_group(groups: Sequence[GroupAccuracy], *, label: str) -> str:
    """The accuracy of each group with its 95 % interval, and how many texts it has."""
    # Intervals of groups with a handful of texts would leave no height for the others: they are cut.
    lowest = min((each.low if each.n >= FEW else each.accuracy for each in groups), default=0.0)
    floor = min(0.9, max(0.0, math.floor(10 * lowest - 1e-9) / 10))
    n_steps = max(1, round((1 - floor) * 10))
    marks = [(_y((value - floor) / (1 - floor)), f"{value:.0%}") for value in _steps(floor, n_steps)]
    step = (WIDTH - LEFT - RIGHT) / max(1, len(groups))
    parts = [_axes(label, "accuracy", [], marks)]
    for place, each in enumerate(groups):
        x = LEFT + (place + 0.5) * step
        low, middle, high = (
            _y((value - floor) / (1 - floor)) for value in (max(each.low, floor), each.accuracy, each.high)
        )
        parts.append(_line((x, low), (x, high), "blue"))
        parts.append(_dot(x, middle, f"{each.group}: {each.accuracy:.1%} of {each.n:,} texts"))
        # Where there are many, names of neighbours stand on two lines, or they would run into each other.
        line = place % 2 if len(groups) > 5 else 0
        parts.append(_text(x, HEIGHT - BOTTOM + 13 + 11 * line, each.group, "middle"))
    return _svg(parts, f"Accuracy by {label}")


def likelihood_ratios(rules: Sequence[RuleCount]) -> str:
    """One line a rule: its likelihood ratio with the 95 % interval; the axis is logarithmic, errors stand right."""
    shown = [rule for rule in rules if rule.is_compared]
    height, left, width = 22 * len(shown) + 56, 112, 520
    reach = max([2.0, *(min(8.0, max(rule.high, 1 / rule.low)) for rule in shown)])
    parts = []

    def x(ratio: float) -> float:
        return left + (width - left - RIGHT) * (0.5 + 0.5 * math.log(_clip(ratio, reach)) / math.log(reach))

    for tick in (1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0, 8.0):
        if 1 / reach <= tick <= reach:
            parts.append(_line((x(tick), 8), (x(tick), height - 42), "ink" if tick == 1 else "faint"))
            parts.append(_text(x(tick), height - 28, f"{tick:g}" if tick >= 1 else f"1/{1 / tick:g}", "middle"))
    for place, rule in enumerate(shown):
        y, colour = 22 * place + 20, "orange" if rule.verdict == "goes with errors" else "blue"
        parts.append(_text(left - 8, y + 4, rule.rule, "end"))
        parts.append(_line((x(rule.low), y), (x(rule.high), y), colour))
        title = f"{rule.rule}: {rule.likelihood_ratio:.2f} ({rule.low:.2f} to {rule.high:.2f}), {rule.verdict}"
        parts.append(_dot(x(rule.likelihood_ratio), y, title, colour))
    middle = (left + width - RIGHT) / 2
    parts.append(_text(middle, height - 8, "times as common among errors as among right answers", "middle"))
    return _svg(parts, "Likelihood ratio of each rule", size=(width, height))


STYLE = (
    "svg{max-width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--ink)}"
    "svg line,svg polyline{fill:none;stroke-width:1.5}svg .faint{stroke:var(--faint);stroke-width:1}"
    "svg .dash{stroke-dasharray:4 4}svg .ink{stroke:var(--ink);stroke-width:1}"
    "svg .blue{stroke:var(--blue)}svg circle.blue{fill:var(--blue)}"
    "svg .orange{stroke:var(--orange)}svg circle.orange{fill:var(--orange)}"
)


def _svg(parts: Sequence[str], title: str, *, size: tuple[int, int] = (WIDTH, HEIGHT)) -> str:
    width, height = size
    name = html.escape(title)
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{name}">'
        f"<title>{name}</title>{''.join(parts)}</svg>"
    )


def _axes(x_label: str, y_label: str, x_marks: Marks, y_marks: Marks) -> str:
    """Both axes with names, a grid, and what its lines stand for."""
    parts = []
    for y, mark in y_marks:
        parts += [_line((LEFT, y), (WIDTH - RIGHT, y), "faint"), _text(LEFT - 6, y + 4, mark, "end")]
    for x, mark in x_marks:
        parts += [_line((x, TOP), (x, HEIGHT - BOTTOM), "faint"), _text(x, HEIGHT - BOTTOM + 14, mark, "middle")]
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, x_label, "middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    name = html.escape(y_label)
    parts.append(f'<text transform="translate(12 {middle:.0f}) rotate(-90)" text-anchor="middle">{name}</text>')
    return "".join(parts)


def _steps(floor: float, n: int) -> list[float]:
    return [floor + (1 - floor) * i / n for i in range(n + 1)]


def _x(share: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * share


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def _clip(ratio: float, reach: float) -> float:
    return min(max(ratio, 1 / reach), reach)


def _line(start: tuple[float | int, float | int], end: tuple[float | int, float | int], name: str) -> str:
    return f'<line class="{name}" x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'


def _dot(x: float | int, y: float | int, title: str, name: str = "blue") -> str:
    return f'<circle class="{name}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"><title>{html.escape(title)}</title></circle>'


def _text(x: float | int, y: float | int, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'
