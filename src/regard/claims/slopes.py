"""Derivatives of any function of a value: by a complex step in float64, by central differences where digits are plenty.

Im f(x + ih)/h has no difference in it, so nothing cancels, and with h = 1e-40 its error is far below rounding. With
decimals, a step of 10^-digits errs by its square, and three times the digits leave enough after cancellation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from regard.claims.trial.functions import transpose
from regard.claims.trial.numbers import FLOATS, Arithmetic, CannotEvaluate, Decimals, Value
from regard.claims.trial.polynomial import NotPolynomial

COMPLEX_STEP = 1e-40


def slopes(
    of: Callable[[Value], Value],
    whole: Value,
    place: tuple[Any, ...],
    *,
    numbers: Arithmetic,
    layout: Literal["by", "of", "jacobian"],
) -> Value:
    """∂ of(whole) / ∂ whole[place], in the shape that `layout` says (see `resolved.Slope`)."""
    part = whole[place]
    entries = [np.unravel_index(k, part.shape[-2:]) for k in range(part.shape[-2] * part.shape[-1])]

    def at(changed: Value) -> Value:
        return of(_with_part(whole, place, changed))

    found = [_one_slope(at, part, entry, numbers) for entry in entries]
    if layout == "of":
        return found[0]
    if layout == "by":
        lead = np.broadcast_shapes(*(slope.shape[:-2] for slope in found))
        flat = np.concatenate([np.broadcast_to(slope, (*lead, 1, 1)) for slope in found], axis=-1)
        return flat.reshape(*lead, *part.shape[-2:])
    columns = [slope if slope.shape[-1] == 1 else transpose(slope) for slope in found]
    return np.concatenate(np.broadcast_arrays(*columns), axis=-1)


def _with_part(whole: Value, place: tuple[Any, ...], changed: Value) -> Value:
    copy = whole.astype(np.result_type(whole, changed)) if whole.dtype != object else whole.copy()
    copy[place] = changed
    return copy


def _one_slope(at: Callable[[Value], Value], part: Value, entry: tuple[Any, ...], numbers: Arithmetic) -> Value:
    """The derivative by one entry of the part that is varied."""
    direction = np.zeros(part.shape[-2:])
    direction[entry] = 1.0
    if numbers is FLOATS:
        if np.iscomplexobj(part):
            raise CannotEvaluate("a second derivative needs more digits")
        return np.imag(at(part + 1j * COMPLEX_STEP * direction)) / COMPLEX_STEP
    if not isinstance(numbers, Decimals):
        raise NotPolynomial("a derivative of a random number")
    fine = Decimals(3 * numbers.digits)
    with fine.context():
        step = fine.from_floats(direction) * fine.number(10) ** -numbers.digits
        return (at(part + step) - at(part - step)) / (fine.number(2) * step.sum())
