"""The functions that claims may use, on values of any arithmetic: a value is an array (…, row, column)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from regard.claims.trial.numbers import FLOATS, Arithmetic, CannotEvaluate, Decimals, Value
from regard.claims.trial.polynomial import NotPolynomial

COMPLEX_STEP = 1e-40


def derivatives(
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

    found = [_derivative_by_entry(at, part, entry, numbers) for entry in entries]
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


def _derivative_by_entry(
    at: Callable[[Value], Value], part: Value, entry: tuple[Any, ...], numbers: Arithmetic
) -> Value:
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


ENTRYWISE = frozenset({"exp", "sqrt", "tanh", "relu", "sigmoid"})


def apply(function: str, numbers: Arithmetic, *values: Value) -> Value:
    """A function of values, by its name."""
    if function in ENTRYWISE:
        return numbers.apply(function, values[0])
    return _FUNCTIONS[function](numbers, *values)


def transpose(value: Value) -> Value:
    """Rows and columns exchanged."""
    return value.swapaxes(-1, -2)


def whole_power(base: Value, exponent: int, numbers: Arithmetic) -> Value:
    """Of a number or a square matrix; a negative exponent inverts."""
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


_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "negative": lambda numbers, x: -x,
    "transpose": lambda numbers, x: transpose(x),
    "inverse": lambda numbers, x: numbers.inverse(x),
    "abs": lambda numbers, x: numbers.apply("abs", x),
    "log": _log,
    "norm": _norm,
    "trace": _trace,
    "det": lambda numbers, x: numbers.determinant(x),
    "diag": _diag,
    "softmax": _softmax,
    "logsumexp": _logsumexp,
    "sigmoid_derivative": _sigmoid_derivative,
    "mean": lambda numbers, x: _sum(numbers, x) / numbers.number(x.shape[-1] * x.shape[-2]),
    "sum": _sum,
    "max": _extreme(True),
    "min": _extreme(False),
    "dot": lambda numbers, x, y: _sum(numbers, x * y),
    "H": lambda numbers, p: _surprise(numbers, p, p),
    "CE": _surprise,
    "KL": lambda numbers, p, q: _surprise(numbers, p, q) - _surprise(numbers, p, p),
}
