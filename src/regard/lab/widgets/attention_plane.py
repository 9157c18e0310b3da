"""A plane of keys and one query, to be dragged: weights and output follow in the browser, at once.

    α = softmax(scale · K q)        c = Σ αᵢ vᵢ,  the values v as colours

Works wherever anywidget does: Jupyter, marimo, the lab.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

import anywidget
import numpy as np
import traitlets

from regard.errors import ShapeError, ValueRangeError
from regard.lab.contents import WEB
from regard.lab.html_pages import join_modules
from regard.lab.widgets import FOLDER
from regard.report.figures import COLOURS
from regard.shapes import Array, Float

MAX_KEYS = 50
EXTENT = 2.0
"""Keys and query lie in the square from −EXTENT to EXTENT."""
SCALES = (0.1, 1000.0)
PALETTE = (*COLOURS, "#E69F00", "#56B4E9", "#F0E442", "#6A51A3")
"""Colours that colour-blind readers tell apart, as the values that keys carry."""


def palette(n_colours: int) -> list[str]:
    """The first `n_colours` colours; past eight they come again, darker each time.

    >>> palette(2), palette(9)[8]
    (['#0072B2', '#D55E00'], '#005484')
    """
    rounds, places = np.divmod(np.arange(n_colours), len(PALETTE))
    return [_darker(PALETTE[place], 0.74**turn) for turn, place in zip(rounds, places, strict=True)]


def to_rgb(colours: list[str]) -> Float[np.ndarray, "key 3"]:
    """Red, green and blue between 0 and 1, a row for each colour written as #rrggbb.

    >>> to_rgb(["#ff0080"]).round(3)
    array([[1.   , 0.   , 0.502]])
    """
    rows = [[int(colour[start : start + 2], 16) for start in (1, 3, 5)] for colour in colours]
    return np.array(rows, dtype=float).reshape(-1, 3) / 255


def _darker(colour: str, share: float) -> str:
    if share == 1:
        return colour
    return "#" + "".join(f"{round(share * int(colour[start : start + 2], 16)):02X}" for start in (1, 3, 5))


class AttentionPlane(anywidget.AnyWidget):
    """Keys, their colours and a query in the plane; drag them, or focus one and use the arrow keys.

    The keys are `points`. `weights`, `output` and `bounds` come back from the browser: what it shows at this
    moment, `bounds` being the largest weight that any query gives each key. `chosen` is the key last clicked.

    >>> plane = AttentionPlane(keys=[[1, 0], [0, 1]], query=[1, 0])
    >>> plane.points, plane.scale, plane.colours
    ([[1.0, 0.0], [0.0, 1.0]], 3.0, ['#0072B2', '#D55E00'])
    """

    _esm = join_modules(FOLDER / "attention_plane.js")
    _css = (WEB / "parts" / "attention.css").read_text(encoding="utf-8")

    # Not `keys`, which is what ipywidgets calls the names of its traits.
    points: Any = traitlets.List().tag(sync=True)
    colours: Any = traitlets.List().tag(sync=True)
    query: Any = traitlets.List().tag(sync=True)
    scale: Any = traitlets.Float(3.0).tag(sync=True)
    chosen: Any = traitlets.Int(0).tag(sync=True)
    weights: Any = traitlets.List().tag(sync=True)
    output: Any = traitlets.List().tag(sync=True)
    bounds: Any = traitlets.List().tag(sync=True)
    extent: Any = traitlets.Float(EXTENT, read_only=True).tag(sync=True)
    max_keys: Any = traitlets.Int(MAX_KEYS, read_only=True).tag(sync=True)
    new_colours: Any = traitlets.List(read_only=True, default_value=palette(MAX_KEYS)).tag(sync=True)

    EXAMPLE: ClassVar = [[1.0, 0.6], [-0.4, 1.2], [-1.2, -0.2], [0.2, -1.1], [0.1, 0.2]]
    """Five keys, of which the last lies inside the hull of the others."""

    def __init__(
        self,
        keys: Array | None = None,
        *,
        colours: list[str] | None = None,
        query: Array = (0.6, 0.7),
        scale: int | float = 3.0,
        chosen: int = 0,
    ) -> None:
        rows = check_points(self.EXAMPLE if keys is None else keys)
        super().__init__(
            points=rows,
            colours=palette(len(rows)) if colours is None else check_colours(colours, n_keys=len(rows)),
            query=check_points([query])[0],
            scale=check_scale(scale),
            chosen=chosen,
        )

    @property
    def values(self) -> Float[np.ndarray, "key 3"]:
        """The colours as numbers: red, green and blue between 0 and 1."""
        return to_rgb(self.colours)

    def update(self, changes: Mapping[str, Any]) -> None:
        """Set several of query, scale and the rest, in one message to the browser."""
        with self.hold_sync():
            for name, value in changes.items():
                setattr(self, name, value)

    # What the browser sends is checked like everything else that comes from outside. Only a TraitError makes
    # traitlets put the old value back.
    @traitlets.validate("points")
    def _points(self, proposal: Any) -> list[list[float]]:
        with _trait_errors():
            return check_points(proposal["value"])

    @traitlets.validate("query")
    def _query(self, proposal: Any) -> list[float]:
        with _trait_errors():
            return check_points([proposal["value"]])[0]

    @traitlets.validate("colours")
    def _colours(self, proposal: Any) -> list[str]:
        with _trait_errors():
            return check_colours(proposal["value"], n_keys=None)

    @traitlets.validate("scale")
    def _scale(self, proposal: Any) -> float:
        with _trait_errors():
            return check_scale(proposal["value"])

    @traitlets.validate("weights", "output", "bounds")
    def _numbers(self, proposal: Any) -> list[float]:
        with _trait_errors():
            return check_numbers(proposal["value"])


@contextmanager
def _trait_errors() -> Iterator[None]:
    try:
        yield
    except (TypeError, ValueError) as error:
        raise traitlets.TraitError(str(error)) from error


def check_points(points: Any) -> list[list[float]]:
    """Points of the plane as lists of two numbers; an error where they are none, too many or too far out."""
    rows = np.asarray(points, dtype=float)
    if rows.ndim != 2 or rows.shape[1] != 2 or not 1 <= len(rows) <= MAX_KEYS:
        raise ShapeError(f"expected 1 to {MAX_KEYS} points with two coordinates each; got shape {rows.shape}")
    if not np.abs(rows).max() <= EXTENT:
        raise ValueRangeError(f"points must lie between −{EXTENT:g} and {EXTENT:g}; got {rows[~_is_inside(rows)][0]}")
    return [[float(x), float(y)] for x, y in rows]


def check_numbers(numbers: Any) -> list[float]:
    """A list of numbers, no longer than there can be keys."""
    listed = [float(number) for number in numbers]
    if len(listed) > MAX_KEYS:
        raise ValueRangeError(f"expected at most {MAX_KEYS} numbers; got {len(listed)}")
    return listed


def check_colours(colours: Any, *, n_keys: int | None) -> list[str]:
    """Colours written as #rrggbb, one for each key."""
    listed = [str(colour) for colour in colours]
    wrong = [colour for colour in listed if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour)]
    if wrong or len(listed) > MAX_KEYS:
        raise ValueRangeError(f"colours are written as #rrggbb, no more than {MAX_KEYS}; got {wrong or len(listed)}")
    if n_keys is not None and len(listed) != n_keys:
        raise ShapeError(f"each key needs one colour; got {n_keys} keys and {len(listed)} colours")
    return listed


def check_scale(scale: Any) -> float:
    """The scale as a number within its range."""
    number = float(scale)
    if not (math.isfinite(number) and SCALES[0] <= number <= SCALES[1]):
        raise ValueRangeError(f"the scale must lie between {SCALES[0]:g} and {SCALES[1]:g}; got {scale}")
    return number


def _is_inside(rows: Float[np.ndarray, "key 2"]) -> Any:
    return (np.abs(rows) <= EXTENT).all(axis=1)
