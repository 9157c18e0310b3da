"""The kinds of numbers that a claim is worked out in, and the functions it may use, for all of them alike.

    FLOATS        float64, many instances at once on leading axes; also complex, for derivatives by a complex step
    Decimals(50)  as many digits as wanted, exponents up to 10¹⁸: decides what is near rounding or overflows
    Polynomials   in random numbers with known moments (see `polynomial`): E, Var and Cov without sampling

A value is an array (…, row, column) in all of them.
"""

# ruff: noqa: D102 - what each method is for stands once, in Arithmetic
from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import numpy as np


class NotPolynomial(Exception):
    """What was asked for is no polynomial, or too large a one."""


Value = Any
"""An array (…, row, column) of the numbers of one arithmetic."""


class CannotEvaluate(Exception):
    """Something that no arithmetic at hand can work out, or not in time."""


class Arithmetic:
    """What an arithmetic must provide beside + − · / of its arrays."""

    name = ""
    is_exact = False

    def number(self, value: Fraction | int | float) -> Value:
        """A number as a 1 × 1 value."""
        raise NotImplementedError

    def from_floats(self, array: np.ndarray) -> Value:
        """Drawn numbers, which are taken as exact."""
        raise NotImplementedError

    def apply(self, function: str, value: Value) -> Value:
        """exp, log, sqrt, abs, tanh, relu, sigmoid, entry by entry."""
        raise NotImplementedError

    def power(self, base: Value, exponent: Value) -> Value:
        """A number to the power of another."""
        raise NotImplementedError

    def inverse(self, matrix: Value) -> Value:
        """The inverse of a square matrix."""
        raise NotImplementedError

    def determinant(self, matrix: Value) -> Value:
        """The determinant of a square matrix, as a 1 × 1 value."""
        raise NotImplementedError

    def top(self, vector: Value, axis: int) -> Value:
        """What to subtract before exponentials are taken, so that none overflows."""
        raise NotImplementedError


class Floats(Arithmetic):
    """float64 or complex128; what is not defined is NaN, what is too large infinite."""

    name = "float64"

    def number(self, value: Fraction | int | float) -> Value:
        try:
            return np.array([[float(value)]])
        except OverflowError:
            return np.array([[math.inf if value > 0 else -math.inf]])

    def from_floats(self, array: np.ndarray) -> Value:
        return array

    def apply(self, function: str, value: Value) -> Value:
        return _FLOAT[function](value)

    def power(self, base: Value, exponent: Value) -> Value:
        return np.power(base, exponent)

    def inverse(self, matrix: Value) -> Value:
        try:
            return np.linalg.inv(matrix)
        except np.linalg.LinAlgError:
            return np.full_like(matrix, np.nan)

    def determinant(self, matrix: Value) -> Value:
        return np.linalg.det(matrix)[..., None, None]

    def top(self, vector: Value, axis: int) -> Value:
        return vector.real.max(axis=axis, keepdims=True)


class Decimals(Arithmetic):
    """Decimal numbers of so many digits; use within `self.context()`."""

    name = "decimal"
    is_exact = True

    def __init__(self, digits: int = 50) -> None:
        self.digits = digits

    def context(self) -> Any:
        """The surroundings in which decimals have these digits, and no operation raises."""
        wide = decimal.Context(
            prec=self.digits + 10,
            Emax=decimal.MAX_EMAX,
            Emin=decimal.MIN_EMIN,
            traps=[],
            rounding=decimal.ROUND_HALF_EVEN,
        )
        return decimal.localcontext(wide)

    def number(self, value: Fraction | int | float) -> Value:
        exact = Fraction(value)
        return _object([[Decimal(exact.numerator) / Decimal(exact.denominator)]])

    def from_floats(self, array: np.ndarray) -> Value:
        return map_entries(Decimal)(array)

    def apply(self, function: str, value: Value) -> Value:
        return map_entries(_DECIMAL[function])(value)

    def power(self, base: Value, exponent: Value) -> Value:
        return np.frompyfunc(_decimal_power, 2, 1)(base, exponent)

    def inverse(self, matrix: Value) -> Value:
        stack = matrix.reshape(-1, *matrix.shape[-2:])
        return np.stack([_gauss_jordan(one) for one in stack]).reshape(matrix.shape)

    def determinant(self, matrix: Value) -> Value:
        stack = matrix.reshape(-1, *matrix.shape[-2:])
        return _object([_determinant(one) for one in stack]).reshape(*matrix.shape[:-2], 1, 1)

    def top(self, vector: Value, axis: int) -> Value:
        return vector.max(axis=axis, keepdims=True)


def _object(rows: Any) -> np.ndarray:
    return np.array(rows, dtype=object)


def map_entries(function: Callable[[Any], Any]) -> Callable[[np.ndarray], np.ndarray]:
    """The function entry by entry, of arrays of Python objects."""
    loop = np.frompyfunc(function, 1, 1)
    return lambda array: np.asarray(loop(array), dtype=object)


def _stable_sigmoid(x: np.ndarray) -> np.ndarray:
    small = np.exp(np.where(x.real > 0, -x, x))
    return np.where(x.real > 0, 1 / (1 + small), small / (1 + small))


def _decimal_sigmoid(x: Decimal) -> Decimal:
    return 1 / (1 + (-x).exp())


def _decimal_tanh(x: Decimal) -> Decimal:
    return 1 - 2 / ((2 * x).exp() + 1)


def _decimal_log(x: Decimal) -> Decimal:
    return x.ln() if x > 0 else Decimal("NaN")


def _decimal_power(base: Decimal, exponent: Decimal) -> Decimal:
    if exponent == exponent.to_integral_value() or base > 0:
        return base**exponent
    return Decimal(0) if base == 0 and exponent > 0 else Decimal("NaN")


def _gauss_jordan(matrix: np.ndarray) -> np.ndarray:
    size = len(matrix)
    one = Decimal(1)
    work = np.concatenate(
        [matrix, np.array([[one * (i == j) for j in range(size)] for i in range(size)], dtype=object)], 1
    )
    for column in range(size):
        pivot = column + int(np.argmax([abs(x) for x in work[column:, column]]))
        if work[pivot, column] == 0 or not work[pivot, column].is_finite():
            return np.full((size, size), Decimal("NaN"), dtype=object)
        work[[column, pivot]] = work[[pivot, column]]
        work[column] = work[column] / work[column, column]
        for row in range(size):
            if row != column:
                work[row] = work[row] - work[row, column] * work[column]
    return work[:, size:]


def _determinant(matrix: np.ndarray) -> Decimal:
    """The determinant: the product of the pivots of Gauss's elimination, a sign for each exchange of rows."""
    work, determinant = matrix.copy(), Decimal(1)
    for column in range(len(work)):
        pivot = column + int(np.argmax([abs(x) for x in work[column:, column]]))
        if work[pivot, column] == 0 or not work[pivot, column].is_finite():
            return work[pivot, column]
        if pivot != column:
            work[[column, pivot]] = work[[pivot, column]]
            determinant = -determinant
        determinant *= work[column, column]
        for row in range(column + 1, len(work)):
            work[row] = work[row] - work[row, column] / work[column, column] * work[column]
    return determinant


_FLOAT: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sigmoid": _stable_sigmoid,
    "abs": lambda x: np.where(x.real < 0, -x, x),
    "relu": lambda x: np.where(x.real > 0, x, 0 * x),
}

_DECIMAL: dict[str, Callable[[Decimal], Decimal]] = {
    "exp": Decimal.exp,
    "log": _decimal_log,
    "sqrt": Decimal.sqrt,
    "tanh": _decimal_tanh,
    "sigmoid": _decimal_sigmoid,
    "abs": abs,
    "relu": lambda x: max(x, Decimal(0)),
}

FLOATS = Floats()

COMPLEX_STEP = 1e-40


def derivatives(
    of: Callable[[Value], Value],
    whole: Value,
    place: tuple[Any, ...],
    *,
    numbers: Arithmetic,
    layout: Literal["by", "of", "jacobian"],
) -> Value:
    """∂ of(whole) / ∂ whole[place], in the shape that `layout` says (see `terms.PartialDerivative`)."""
    part = whole[place]
    entries = [np.unravel_index(k, part.shape[-2:]) for k in range(part.shape[-2] * part.shape[-1])]

    def at(changed: Value) -> Value:
        return of(_with_part(whole, place, changed))

    found = [_derivative_by_entry(at, part, entry, numbers) for entry in entries]
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
