"""Limited-memory BFGS that works in the precision it is given.

A full-batch objective in float32 is as exact as a network needs and twice as fast as in float64; SciPy's version would
turn every vector into float64 and copy it several times a step, at the price of an evaluation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from regard.errors import ValueRangeError
from regard.shapes import Float

Vector: TypeAlias = Float[np.ndarray, " parameter"]
Objective: TypeAlias = Callable[[Vector], tuple[float, Vector]]

DECREASE = 1e-4  # the share of the decrease promised by the slope that a step must keep (Armijo)
MAX_SHORTER = 25


class Iterate(NamedTuple):
    """The state of the search after `iteration` steps."""

    iteration: int
    point: Vector
    value: float


class Pair(NamedTuple):
    """A step taken, the change of the gradient along it, and 1 over their product: what it tells of the curvature."""

    step: Vector
    change: Vector
    inverse: float


def minimise(
    objective: Objective,
    start: Vector,
    *,
    max_iterations: int,
    memory: int = 8,
    tolerance: float = 0.0,
    go_on: Callable[[Iterate], bool] = lambda iterate: True,
) -> Iterate:
    """The last point of a descent that ends after `max_iterations` or where nothing more is gained.

    `objective` gives value and gradient. `go_on` sees every iterate and may end the search; a step that lowers the
    value by less than `tolerance`·|value| ends it too.

    >>> minimise(lambda x: (float((x - 3) @ (x - 3)), 2 * (x - 3)), np.zeros(2), max_iterations=9).point
    array([3., 3.])
    """
    point, pairs = start, deque[Pair](maxlen=memory)
    value, gradient = objective(point)
    if not np.isfinite(value):
        raise ValueRangeError(f"the objective must be finite where the search starts; got {value}")
    last = Iterate(0, point, value)
    for iteration in range(1, max_iterations + 1):
        found = line_search(objective, last, gradient, _direction(gradient, pairs))
        if found is None:
            break
        point, value, new_gradient = found
        _remember(pairs, point - last.point, new_gradient - gradient)
        gained, gradient = last.value - value, new_gradient
        last = Iterate(iteration, point, value)
        if not go_on(last) or gained < tolerance * abs(value):
            break
    return last


def _direction(gradient: Vector, pairs: deque[Pair]) -> Vector:
    """−H⁻¹ g with the curvature H that the remembered pairs tell of; at first one step of length one at most."""
    if not pairs:
        return -gradient / max(float(np.linalg.norm(gradient)), 1.0)
    direction, shares = -gradient, []
    for pair in reversed(pairs):
        shares.append(pair.inverse * float(pair.step @ direction))
        direction -= direction.dtype.type(shares[-1]) * pair.change
    newest = pairs[-1]
    direction *= direction.dtype.type(1 / (newest.inverse * float(newest.change @ newest.change)))
    for pair, share in zip(pairs, reversed(shares), strict=True):
        direction += direction.dtype.type(share - pair.inverse * float(pair.change @ direction)) * pair.step
    return direction


def line_search(
    objective: Objective, last: Iterate, gradient: Vector, direction: Vector
) -> tuple[Vector, float, Vector] | None:
    """Point, value and gradient of the first of ever shorter steps that lowers the value enough; None if none does."""
    slope, length = float(gradient @ direction), 1.0
    if not slope < 0:
        return None
    for _ in range(MAX_SHORTER):
        point = last.point + direction.dtype.type(length) * direction
        value, new_gradient = objective(point)
        if value <= last.value + DECREASE * length * slope:
            return point, value, new_gradient
        length *= _shrink_factor(value - last.value, length * slope)
    return None


def _shrink_factor(rise: float, promised: float) -> float:
    """Where a parabola with this slope, through this rise, is lowest, as a share of the step; between 0.1 and 0.5."""
    return float(np.clip(-promised / 2 / (rise - promised), 0.1, 0.5)) if np.isfinite(rise) else 0.1


def _remember(pairs: deque[Pair], step: Vector, change: Vector) -> None:
    """Keep the pair if the curvature along it is positive, beyond rounding."""
    product = float(step @ change)
    if product > np.finfo(step.dtype).eps * float(change @ change):
        pairs.append(Pair(step, change, 1 / product))
