"""What chapter 2 asks of the package: a query for any mix of the values, and one summand out of a sum of two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.arrays import extract, recover
from regard.design import mix
from regard.errors import ValueRangeError
from regard.lab.inputs import number, numbers
from regard.lab.server.api import Question


@dataclass(frozen=True)
class MixAndSumInput:
    """Shares of orthonormal keys and what keys without a share may keep; the angle (degrees) and length of v_b."""

    shares: tuple[float, ...] = numbers(0, 10, least=2, most=8)
    error: float = number(1e-6, 0.5)
    angle: float = number(1, 90)
    length: float = number(0.1, 2)


def confirm(now: MixAndSumInput) -> dict[str, Any]:
    """The query that mixes and its weights; v_a = (1, 0) taken out of v_a + v_b by both projectors."""
    shares = np.array(now.shares)
    if not shares.any():
        raise ValueRangeError("some share must be above 0: nothing wanted is no mix")
    design = mix(np.eye(len(shares)), shares / shares.sum(), error=now.error)
    angle = math.radians(now.angle)
    axis_a, axis_b = np.array([[1.0], [0.0]]), np.array([[math.cos(angle)], [math.sin(angle)]])
    total = axis_a[:, 0] + now.length * axis_b[:, 0]
    found = recover(total, axis_a, axis_b)
    return {
        "query": design.query.tolist(),
        "weights": design.weights.tolist(),
        "projected": extract(total, axis_a).tolist(),
        "recovered": found.value.tolist(),
        "noise_gain": found.noise_gain,
    }


QUESTIONS = {"confirm": Question(MixAndSumInput, confirm)}
