"""Two sides compared: how far they are apart, and whether that is nothing.

A gap is |left − right| by its largest entry, relative to the larger side; where one side is exactly zero it is taken
as it is. Whether a difference is zero is settled by looking at it twice: with thirty digits more, a true zero shrinks
by as much and anything else stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

import numpy as np

from regard.claims.trial.numbers import Decimals, Value

Truth: TypeAlias = Literal["yes", "no", "undefined"]

ROUNDING = 1e-9
"""Float64 results nearer than this are looked at again with more digits; laws of weights are good to this."""
SHRUNK = Decimal("1e-12")


@dataclass(frozen=True)
class Sides:
    """Both sides for each draw, and where the free indices pointed."""

    left: Value
    right: Value
    assignment: Mapping[str, int]


def difference_and_scale(left: Value, right: Value) -> tuple[np.ndarray, np.ndarray]:
    """|left − right| and the larger of |left| and |right|, each by its largest entry; for each draw."""
    difference = np.abs(left - right).max(axis=(-2, -1))
    scale = np.maximum(np.abs(left).max(axis=(-2, -1)), np.abs(right).max(axis=(-2, -1)))
    return difference, scale


def relative_gap(left: Value, right: Value) -> np.ndarray:
    """The gap of each draw."""
    with np.errstate(all="ignore"):
        difference, scale = difference_and_scale(left, right)
        is_zero = (np.abs(left).max(axis=(-2, -1)) == 0) | (np.abs(right).max(axis=(-2, -1)) == 0)
        gap = difference / np.where(is_zero, scale * 0 + 1, scale)
    return np.asarray(gap, dtype=float)


def _finite(*values: Value) -> bool:
    return all(bool(entry.is_finite()) for value in values for entry in value.flat)


def decide(comparison: str, few: Sides, many: Sides, digits: tuple[int, int]) -> Truth | Literal["tie"]:
    """Whether a statement is true of both sides, worked out with fewer and with more digits."""
    if not _finite(few.left, few.right, many.left, many.right):
        return "undefined"
    with Decimals(digits[1]).context():
        size, negligible = _size(many), Decimal(10) ** -(digits[0] + 18)
        pairs = list(zip((few.right - few.left).flat, (many.right - many.left).flat, strict=True))
        if comparison in ("=", "≈", "→", "≠"):
            is_zero = all(_is_zero(*pair) or abs(pair[1]) < size * negligible for pair in pairs)
            return "yes" if is_zero != (comparison == "≠") else "no"
        signs = {
            0 if _is_zero(*pair) or _is_rounding(*pair, size * negligible) else 1 if pair[1] > 0 else -1
            for pair in pairs
        }
    wanted = 1 if comparison in "<≤" else -1
    if -wanted in signs:
        return "no"
    return "tie" if 0 in signs and comparison in "<>" else "yes"


def _size(sides: Sides) -> Decimal:
    return max(Decimal(1), *(abs(entry) for side in (sides.left, sides.right) for entry in side.flat))


def _is_zero(few: Decimal, many: Decimal) -> bool:
    """Whether a difference is zero: it is, or it shrinks with digits added."""
    return many == 0 or abs(many) < abs(few) * SHRUNK


def _is_rounding(few: Decimal, many: Decimal, negligible: Decimal) -> bool:
    """Nothing with fewer digits, and next to nothing with more: not so for a tiny weight, which both can see."""
    return few == 0 and abs(many) < negligible


def decide_in_float64(comparison: str, sides: Sides, scale: float) -> Truth:
    """The same for float64, to within the rounding of parts that are as large as `scale`."""
    if not (np.isfinite(sides.left).all() and np.isfinite(sides.right).all()):
        return "undefined"
    is_zero = float(difference_and_scale(sides.left, sides.right)[0][0]) <= ROUNDING * scale
    if comparison in ("=", "≈", "→", "≠"):
        return "yes" if is_zero != (comparison == "≠") else "no"
    margin = float((sides.right - sides.left).min() if comparison in "<≤" else (sides.left - sides.right).min())
    allowed = -ROUNDING * scale if comparison in "≤≥" else ROUNDING * scale
    return "yes" if margin > allowed or (comparison in "≤≥" and margin >= allowed) else "no"


def suspicion(comparison: str, sides: Sides) -> np.ndarray:
    """How much each draw speaks against a statement, in float64; infinite where a side is no number."""
    with np.errstate(all="ignore"):
        if comparison in ("=", "≈", "→"):
            found = relative_gap(sides.left, sides.right)
        elif comparison == "≠":
            found = -relative_gap(sides.left, sides.right)
        else:
            scale = np.maximum(difference_and_scale(sides.left, sides.right)[1], 1e-300)
            over = sides.left - sides.right if comparison in "<≤" else sides.right - sides.left
            found = over.max(axis=(-2, -1)) / scale
    return np.where(np.isfinite(found), found, np.inf)
