"""Colours that colour-blind readers tell apart, as the values that keys carry."""

from __future__ import annotations

import numpy as np

from regard.report.figures import COLOURS
from regard.shapes import Float

PALETTE = (*COLOURS, "#E69F00", "#56B4E9", "#F0E442", "#6A51A3")


def palette(n_colours: int) -> list[str]:
    """So many colours; past eight they come again, darker each time.

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
