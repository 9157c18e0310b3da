"""Derivatives: by a complex step in float64, by differences with many digits in decimals."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from regard.claims.trial.arithmetic.decimals import Decimals
from regard.claims.trial.arithmetic.numbers import FLOATS, Arithmetic, CannotEvaluate, NotPolynomial, Value, transpose

COMPLEX_STEP = 1e-40


def derivatives(
    of: Callable[[Value], Value],
    whole: Value,
    place: tuple[Any, ...],
    *,
    numbers: Arithmetic,
    layout: Literal["by", "of", "jacobian"],
    is_second: bool = False,
) -> Value:
    """∂ of(whole) / ∂ whole[place], in the shape that `layout` says (see `terms.PartialDerivative`).

    Where `of` has a derivative in it already, float64 takes differences of real numbers.
    """
    part = whole[place]
    entries = [np.unravel_index(k, part.shape[-2:]) for k in range(part.shape[-2] * part.shape[-1])]

    def at(changed: Value) -> Value:
        return of(_with_part(whole, place, changed))

    by_entry = _difference_by_entry if is_second and numbers.name == FLOATS.name else _derivative_by_entry
    found = [by_entry(at, part, entry, numbers) for entry in entries]
    if layout == "of":
        return found[0]
    if layout == "by":
        lead = np.broadcast_shapes(*(one.shape[:-2] for one in found))
        flat = np.concatenate([np.broadcast_to(one, (*lead, 1, 1)) for one in found], axis=-1)
        return flat.reshape(*lead, *part.shape[-2:])
    columns = [one if one.shape[-1] == 1 else transpose(one) for one in found]
    return np.concatenate(np.broadcast_arrays(*columns), axis=-1)


def _with_part(whole: Value, place: tuple[Any, ...], changed: Value) -> Value:
    copy = whole.astype(np.result_type(whole, changed)) if whole.dtype != object else whole.copy()
    copy[place] = changed
    return copy


REAL_STEP = 1e-3


def _difference_by_entry(
    at: Callable[[Value], Value], part: Value, entry: tuple[Any, ...], numbers: Arithmetic
) -> Value:
    """The derivative by one entry from four points, to some eleven digits."""
    step = np.zeros(part.shape[-2:])
    step[entry] = REAL_STEP
    near, far = (at(part + k * step) - at(part - k * step) for k in (1, 2))
    return (8 * near - far) / (12 * REAL_STEP)


def _derivative_by_entry(
    at: Callable[[Value], Value], part: Value, entry: tuple[Any, ...], numbers: Arithmetic
) -> Value:
    """The derivative by one entry of the part that is varied."""
    direction = np.zeros(part.shape[-2:])
    direction[entry] = 1.0
    if numbers.name == FLOATS.name:
        if np.iscomplexobj(part):
            raise CannotEvaluate("a second derivative needs more digits")
        return np.imag(at(part + 1j * COMPLEX_STEP * direction)) / COMPLEX_STEP
    if not isinstance(numbers, Decimals):
        raise NotPolynomial("a derivative of a random number")
    # A difference loses as many digits as its step has; a derivative of a derivative loses them twice.
    fine = Decimals(decimal.getcontext().prec + 2 * numbers.digits)
    with fine.context():
        step = fine.from_floats(direction) * fine.number(10) ** -numbers.digits
        return (at(part + step) - at(part - step)) / (fine.number(2) * step.sum())
