"""The kinds of numbers that a claim is worked out in; one tree, several arithmetics.

    FLOATS        float64, many instances at once on leading axes; also complex, for derivatives by a complex step
    Decimals(50)  as many digits as wanted, with exponents of 10¹⁸: what is near rounding or overflows is settled here
    POLYNOMIALS   in random numbers with known moments: E, Var and Cov without sampling

A value is an array (…, row, column) in all of them.
"""

# ruff: noqa: D102 - what each method is for stands once, in Arithmetic
from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from regard.claims.trial.polynomial import NotPolynomial, Polynomial

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
        """Of numbers."""
        raise NotImplementedError

    def inverse(self, matrix: Value) -> Value:
        """Of a square matrix."""
        raise NotImplementedError

    def determinant(self, matrix: Value) -> Value:
        """Of a square matrix, as a 1 × 1 value."""
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
        return _each(Decimal)(array)

    def apply(self, function: str, value: Value) -> Value:
        return _each(_DECIMAL[function])(value)

    def power(self, base: Value, exponent: Value) -> Value:
        return np.frompyfunc(_decimal_power, 2, 1)(base, exponent)

    def inverse(self, matrix: Value) -> Value:
        stack = matrix.reshape(-1, *matrix.shape[-2:])
        return np.stack([_gauss_jordan(one) for one in stack]).reshape(matrix.shape)

    def determinant(self, matrix: Value) -> Value:
        stack = matrix.reshape(-1, *matrix.shape[-2:])
        return _object([_eliminated(one) for one in stack]).reshape(*matrix.shape[:-2], 1, 1)

    def top(self, vector: Value, axis: int) -> Value:
        return vector.max(axis=axis, keepdims=True)


class Polynomials(Arithmetic):
    """Random numbers as polynomials; `numbers` is the arithmetic of their coefficients.

    Leading axes of a value move into the coefficients, so that many instances are still worked out at once.
    """

    name = "polynomial"

    def __init__(self, numbers: Arithmetic) -> None:
        self.numbers = numbers
        self.is_exact = numbers.is_exact

    def number(self, value: Fraction | int | float) -> Value:
        return _each(_as_polynomial)(self.numbers.number(value).astype(object))

    def from_floats(self, array: np.ndarray) -> Value:
        return self.wrap(self.numbers.from_floats(array))

    def wrap(self, value: Value) -> Value:
        """Numbers that are not random, as polynomials."""
        rows, columns = value.shape[-2:]
        wrapped = np.empty((rows, columns), dtype=object)
        for row in range(rows):
            for column in range(columns):
                wrapped[row, column] = Polynomial({(): value[..., row, column]})
        return wrapped

    def apply(self, function: str, value: Value) -> Value:
        return self.wrap_scalars(value, lambda numbers: self.numbers.apply(function, numbers))

    def power(self, base: Value, exponent: Value) -> Value:
        if any(isinstance(entry, Polynomial) and entry.degree for entry in base.flat):
            raise NotPolynomial("a power that is no whole number")
        return self.wrap_scalars(
            np.array([[base.flat[0], exponent.flat[0]]], dtype=object),
            lambda pair: self.numbers.power(pair[..., :1], pair[..., 1:]),
        )

    def wrap_scalars(self, value: Value, work: Callable[[Value], Value]) -> Value:
        """Some function of what is not random."""
        constants = [entry.constant() for entry in value.flat]
        numbers = np.stack(np.broadcast_arrays(*[np.asarray(entry) for entry in constants]), axis=-1)
        numbers = numbers.reshape(*numbers.shape[:-1], *value.shape)
        return self.wrap(work(numbers))

    def inverse(self, matrix: Value) -> Value:
        return self.wrap_scalars(matrix, self.numbers.inverse)

    def determinant(self, matrix: Value) -> Value:
        constants = [entry.constant() for entry in matrix.flat]
        numbers = np.stack(np.broadcast_arrays(*[np.asarray(entry) for entry in constants]), axis=-1)
        return self.wrap(self.numbers.determinant(numbers.reshape(*numbers.shape[:-1], *matrix.shape)))

    def top(self, vector: Value, axis: int) -> Value:
        raise NotPolynomial("softmax of random numbers")


def _as_polynomial(entry: Any) -> Polynomial:
    return Polynomial({(): entry})


def _object(rows: Any) -> np.ndarray:
    return np.array(rows, dtype=object)


def _each(function: Callable[[Any], Any]) -> Callable[[np.ndarray], np.ndarray]:
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


def _eliminated(matrix: np.ndarray) -> Decimal:
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
