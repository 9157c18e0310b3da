"""The functions that a claim may use, of values of any arithmetic, by their names; and derivatives of any function.

Derivatives are taken by a complex step in float64, and by differences with many digits in decimals.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from regard.claims.trial.arithmetic.decimals import Decimals
from regard.claims.trial.arithmetic.numbers import (
    FLOATS,
    Arithmetic,
    CannotEvaluate,
    DefinedFloats,
    NotPolynomial,
    Value,
    transpose,
)

ENTRYWISE = frozenset({"exp", "sqrt", "tanh", "sin", "cos", "relu", "sigmoid", "normal_cdf"})


def apply(function: str, numbers: Arithmetic, *values: Value) -> Value:
    """A function of values, by its name."""
    if function in ENTRYWISE:
        return numbers.apply(function, values[0])
    return _FUNCTIONS[function](numbers, *values)


def whole_power(base: Value, exponent: int, numbers: Arithmetic) -> Value:
    """A whole power of a number or a square matrix; a negative exponent inverts."""
    is_number = base.shape[-2:] == (1, 1)
    if exponent == 0:
        return base * 0 + numbers.from_floats(np.eye(base.shape[-1]))
    if exponent < 0:
        base = numbers.number(1) / base if is_number else numbers.inverse(base)
    power = base
    for _ in range(abs(exponent) - 1):
        power = power * base if is_number else power @ base
    return power


def _softmax(numbers: Arithmetic, value: Value) -> Value:
    axis = -2 if value.shape[-1] == 1 else -1
    powers = numbers.apply("exp", value - numbers.top(value, axis))
    return powers / powers.sum(axis=axis, keepdims=True)


def _logsumexp(numbers: Arithmetic, value: Value) -> Value:
    axis = -2 if value.shape[-1] == 1 else -1
    top = numbers.top(value, axis)
    return top + numbers.apply("log", numbers.apply("exp", value - top).sum(axis=axis, keepdims=True))


def _sum(numbers: Arithmetic, value: Value) -> Value:
    return value.sum(axis=(-2, -1), keepdims=True)


def _norm(numbers: Arithmetic, value: Value) -> Value:
    return numbers.apply("sqrt", _sum(numbers, value * value))


def _trace(numbers: Arithmetic, value: Value) -> Value:
    return sum(value[..., i : i + 1, i : i + 1] for i in range(value.shape[-1]))


def _diag(numbers: Arithmetic, value: Value) -> Value:
    rows, columns = value.shape[-2:]
    eye = numbers.from_floats(np.eye(max(rows, columns)))
    if columns == 1 or rows == 1:
        return eye * value
    return (eye * value).sum(axis=-1, keepdims=True)


def _sigmoid_derivative(numbers: Arithmetic, value: Value) -> Value:
    h = numbers.apply("sigmoid", value)
    return h * (numbers.number(1) - h)


def _log(numbers: Arithmetic, value: Value, base: Value | None = None) -> Value:
    log = numbers.apply("log", value)
    return log if base is None else log / numbers.apply("log", base)


def _surprise(numbers: Arithmetic, truth: Value, model: Value) -> Value:
    """−Σ truth log model, with 0 log 0 = 0."""
    is_zero = truth == 0
    safe = np.where(is_zero & (model == 0), numbers.number(1), model)
    return -_sum(numbers, truth * numbers.apply("log", safe))


def _extreme(largest: bool) -> Callable[..., Value]:
    def of(numbers: Arithmetic, *values: Value) -> Value:
        if numbers.name == "polynomial":
            raise NotPolynomial("a maximum of random numbers")
        joined = values[0] if len(values) == 1 else np.concatenate(np.broadcast_arrays(*values), axis=-1)
        if np.iscomplexobj(joined):
            raise CannotEvaluate("the derivative of a maximum is not worked out")
        return (joined.max if largest else joined.min)(axis=(-2, -1), keepdims=True)

    return of


def _lead(numbers: Arithmetic, value: Value) -> Value:
    """How far the largest entry is above the next; infinite for one entry."""
    if numbers.name == "polynomial" or np.iscomplexobj(value):
        raise NotPolynomial("the largest of random numbers")
    entries = np.sort(value.reshape(*value.shape[:-2], -1), axis=-1)
    if entries.shape[-1] == 1:
        return numbers.from_floats(np.full((1, 1), math.inf))
    return (entries[..., -1] - entries[..., -2])[..., None, None]


def _same_lead(values: tuple[Value, ...]) -> list[Value]:
    """Values with their leading axes broadcast."""
    lead = np.broadcast_shapes(*(value.shape[:-2] for value in values))
    return [np.broadcast_to(value, (*lead, *value.shape[-2:])) for value in values]


def _moduli(numbers: Arithmetic, value: Value) -> Value:
    real, imaginary = numbers.spectrum(value)
    return np.sort(numbers.apply("sqrt", real * real + imaginary * imaginary), axis=-2)


def _eigenvalue_product(numbers: Arithmetic, value: Value) -> Value:
    """The product of all eigenvalues, which is real where the matrix is."""
    real, imaginary = numbers.spectrum(value)
    whole = real[..., :1, :], imaginary[..., :1, :]
    for place in range(1, real.shape[-2]):
        a, b = real[..., place : place + 1, :], imaginary[..., place : place + 1, :]
        whole = whole[0] * a - whole[1] * b, whole[0] * b + whole[1] * a
    return whole[0]


def _singular_values(numbers: Arithmetic, value: Value) -> Value:
    """The roots of the eigenvalues of XᵀX, of which rounding may make a zero negative."""
    return numbers.apply("sqrt", numbers.apply("relu", numbers.eigenvalues(transpose(value) @ value)))


def _greater(numbers: Arithmetic, left: Value, right: Value) -> Value:
    if numbers.name == "polynomial":
        raise NotPolynomial("whether a random number is larger")
    found = numbers.from_floats(np.asarray(left > right, dtype=float))
    if isinstance(numbers, DefinedFloats):
        return np.where(np.isnan(left) | np.isnan(right), np.nan, found)
    return found


def _place(numbers: Arithmetic, value: Value, find: Callable[..., Any]) -> Value:
    """Where the largest or smallest entry of a vector is, counted from 1."""
    if numbers.name == "polynomial":
        raise NotPolynomial("the place of a largest random number")
    found = find(value.reshape(*value.shape[:-2], -1), axis=-1)
    return numbers.from_floats(np.asarray(found, dtype=float)[..., None, None] + 1)


_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "negative": lambda numbers, x: -x,
    "transpose": lambda numbers, x: transpose(x),
    "inverse": lambda numbers, x: numbers.inverse(x),
    "abs": lambda numbers, x: numbers.apply("abs", x),
    "log": _log,
    "norm": _norm,
    "norm_1": lambda numbers, x: _sum(numbers, numbers.apply("abs", x)),
    "norm_2": _norm,
    "norm_inf": lambda numbers, x: _extreme(True)(numbers, numbers.apply("abs", x)),
    "rank": lambda numbers, x: numbers.rank(x),
    "projector": lambda numbers, x: numbers.projector(x),
    "argmax": lambda numbers, x: _place(numbers, x, np.argmax),
    "argmin": lambda numbers, x: _place(numbers, x, np.argmin),
    "greater": _greater,
    "logit": lambda numbers, x: numbers.apply("log", x) - numbers.apply("log", numbers.number(1) - x),
    "delta": lambda numbers, i, j: numbers.from_floats(np.asarray(i == j, dtype=float)),
    "vector": lambda numbers, *rows: np.concatenate(_same_lead(rows), axis=-2),
    "column": lambda numbers, x, i: x[..., :, int(i.flat[0]) - 1 : int(i.flat[0])],
    "softplus": lambda numbers, x: numbers.apply("log", numbers.number(1) + numbers.apply("exp", x)),
    "cosh": lambda numbers, x: (numbers.apply("exp", x) + numbers.apply("exp", -x)) / numbers.number(2),
    "sinh": lambda numbers, x: (numbers.apply("exp", x) - numbers.apply("exp", -x)) / numbers.number(2),
    "gelu": lambda numbers, x: x * numbers.apply("normal_cdf", x),
    "trace": _trace,
    "det": lambda numbers, x: numbers.determinant(x),
    "eigmin": lambda numbers, x: numbers.eigenvalues(x)[..., :1, :],
    "eigmax": lambda numbers, x: numbers.eigenvalues(x)[..., -1:, :],
    "eigreal": lambda numbers, x: np.sort(numbers.spectrum(x)[0], axis=-2),
    "eigimag": lambda numbers, x: np.sort(numbers.spectrum(x)[1], axis=-2),
    "eigmoduli": _moduli,
    "eigprod": _eigenvalue_product,
    "singularvalues": _singular_values,
    "diag": _diag,
    "softmax": _softmax,
    "logsumexp": _logsumexp,
    "sigmoid_derivative": _sigmoid_derivative,
    "mean": lambda numbers, x: _sum(numbers, x) / numbers.number(x.shape[-1] * x.shape[-2]),
    "sum": _sum,
    "max": _extreme(True),
    "lead": _lead,
    "min": _extreme(False),
    "dot": lambda numbers, x, y: _sum(numbers, x * y),
    "H": lambda numbers, p: _surprise(numbers, p, p),
    "CE": _surprise,
    "KL": lambda numbers, p, q: _surprise(numbers, p, q) - _surprise(numbers, p, p),
}


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
