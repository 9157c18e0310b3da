"""What chapter 1 asks of the package: are these the weights, what scale copies a key, and which key never wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.arrays import attention_weights
from regard.design import copy, hull_bound, smallest_scale
from regard.errors import ValueRangeError
from regard.lab.inputs import number, numbers, points, whole_number
from regard.lab.server.api import Question
from regard.shapes import Float

ERRORS = (0.1, 0.01, 0.001)
MAX_KEYS = 50


@dataclass(frozen=True)
class PlaneInput:
    """What the plane shows: keys, values (red, green, blue), query and scale, and the chosen key."""

    keys: tuple[tuple[float, ...], ...] = points(2, most=MAX_KEYS)
    values: tuple[tuple[float, ...], ...] = points(1, most=MAX_KEYS, width=3)
    query: tuple[float, ...] = numbers(-2, 2, least=2, most=2)
    scale: float = number(0.1, 1000)
    chosen: int = whole_number(0, MAX_KEYS - 1)


def confirm(now: PlaneInput) -> dict[str, Any]:
    """Weights, output, the largest weight the chosen key can have, and what copying it takes, computed by the package.

    `needs` has a row for each error: the scale along the query as it points (None: no scale does), and the length of
    the shortest query; it is empty where the key is a mix of the others.
    """
    if not now.chosen < len(now.keys) == len(now.values):
        raise ValueRangeError("each key needs one value, and the chosen one must be among them")
    keys, query = np.array(now.keys), np.array(now.query)
    weights = attention_weights(query[None, :], keys, scale=now.scale)[0]
    bound = hull_bound(keys, now.chosen) if len(keys) > 1 else None
    return {
        "weights": weights.tolist(),
        "output": (weights @ np.array(now.values)).tolist(),
        "bound": 1.0 if bound is None else bound.bound,
        "needs": copy_needs(keys, now.chosen, query) if bound is None else [],
    }


def copy_needs(
    keys: Float[np.ndarray, "key 2"], chosen: int, query: Float[np.ndarray, " 2"]
) -> list[dict[str, float | None]]:
    """What copying the chosen key takes, for each of the errors; the key must not lie inside the hull."""
    others = np.arange(len(keys)) != chosen
    gaps = (keys[chosen] - keys[others]) @ query
    is_leading = bool((gaps > 0).all())
    return [
        {
            "error": error,
            "scale": smallest_scale(np.zeros(len(gaps)), gaps, error=error) if is_leading else None,
            "shortest": copy(keys, chosen, error=error, family="margin").norm,
        }
        for error in ERRORS
    ]


QUESTIONS = {"confirm": Question(PlaneInput, confirm)}
