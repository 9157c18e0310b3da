"""Decimal numbers with as many digits as wanted: what decides about float64's suspects."""

# ruff: noqa: D102 - what each method is for stands once, in numbers.Arithmetic
from __future__ import annotations

import decimal
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from mpmath import libmp, mp

from regard.claims.trial.arithmetic.numbers import Arithmetic, Value


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

    def rank(self, matrix: Value) -> Value:
        stack = matrix.reshape(-1, *matrix.shape[-2:])
        return _object([Decimal(_rank(one)) for one in stack]).reshape(*matrix.shape[:-2], 1, 1)

    def projector(self, matrix: Value) -> Value:
        stack = matrix.reshape(-1, *matrix.shape[-2:])
        return np.stack([_projector(one) for one in stack]).reshape(*matrix.shape[:-1], matrix.shape[-2])

    def eigenvalues(self, matrix: Value) -> Value:
        stack = matrix.reshape(-1, *matrix.shape[-2:])
        return np.stack([_jacobi(one) for one in stack]).reshape(*matrix.shape[:-1], 1)

    def spectrum(self, matrix: Value) -> tuple[Value, Value]:
        stack = [_eigenvalues(one, self.digits) for one in matrix.reshape(-1, *matrix.shape[-2:])]
        real, imaginary = (_object([[[pair[part]] for pair in one] for one in stack]) for part in (0, 1))
        shape = (*matrix.shape[:-1], 1)
        return real.reshape(shape), imaginary.reshape(shape)

    def top(self, vector: Value, axis: int) -> Value:
        return vector.max(axis=axis, keepdims=True)


def _object(rows: Any) -> np.ndarray:
    return np.array(rows, dtype=object)


def map_entries(function: Callable[[Any], Any]) -> Callable[[np.ndarray], np.ndarray]:
    """The function entry by entry, of arrays of Python objects."""
    loop = np.frompyfunc(function, 1, 1)
    return lambda array: np.asarray(loop(array), dtype=object)


MAX_EXPONENT = Decimal("1e15")
"""Powers of e up to this exponent are neither too small nor too large for a decimal."""


def _decimal_exp(x: Decimal) -> Decimal:
    return _computed_exp(x, decimal.getcontext().prec) if abs(x) < MAX_EXPONENT else x.exp()


@lru_cache(maxsize=4096)
def _computed_exp(x: Decimal, digits: int) -> Decimal:
    """Kept, since differences by one entry ask for the powers of all the others again; the context has the digits."""
    is_in_range = -MAX_ADJUSTED < x.adjusted() < 6
    return _compute_in_binary(libmp.mpf_exp, x, digits) if digits > MANY_DIGITS and is_in_range else x.exp()


@lru_cache(maxsize=4096)
def _computed_log(x: Decimal, digits: int) -> Decimal:
    is_in_range = x.is_finite() and abs(x.adjusted()) < MAX_ADJUSTED
    return _compute_in_binary(libmp.mpf_log, x, digits) if digits > MANY_DIGITS and is_in_range else x.ln()


MANY_DIGITS = 250
"""With more of them, exp and ln of `decimal` take ten times as long as those of mpmath."""
GUARD_DIGITS = 25
MAX_ADJUSTED = 1000
"""Numbers whose first digit stands farther from the point are left to `decimal`: in binary they would be very long."""


def _compute_in_binary(function: Callable[..., Any], x: Decimal, digits: int) -> Decimal:
    """A function of x, rounded to the digits of the context; x is read with so many that x − 1 has all of them."""
    given = 2 * max(digits, len(x.as_tuple().digits)) + GUARD_DIGITS
    found = function(libmp.from_str(str(x), libmp.dps_to_prec(given)), libmp.dps_to_prec(digits + GUARD_DIGITS))
    return +Decimal(libmp.to_str(found, digits + GUARD_DIGITS))


def _decimal_sigmoid(x: Decimal) -> Decimal:
    return 1 / (1 + _decimal_exp(-x))


def _decimal_tanh(x: Decimal) -> Decimal:
    return 1 - 2 / (_decimal_exp(2 * x) + 1)


PI = (
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651"
    "328230664709384460955058223172535940812848111745028410270193852110555964462294895493038196442881097566593344612847"
)


def _decimal_sine(x: Decimal) -> Decimal:
    """sin x by its series, after whole turns were taken off."""
    if not x.is_finite() or abs(x) > Decimal("1e60"):
        return Decimal("NaN")
    x = x.remainder_near(2 * Decimal(PI))
    term, total, n = x, x, 1
    smallest = Decimal(10) ** -(decimal.getcontext().prec + 3)
    while abs(term) > smallest:
        n += 2
        term = -term * x * x / (n * (n - 1))
        total += term
    return total


def _decimal_normal_cdf(x: Decimal) -> Decimal:
    """½ + φ(x)(x + x³/3 + x⁵/15 + …), whose terms are all of one sign."""
    if not x.is_finite() or abs(x) > 60:
        return Decimal("NaN") if x.is_nan() else Decimal(int(x > 0))
    term, total, n = x, x, 1
    smallest = Decimal(10) ** -(decimal.getcontext().prec + 3)
    while abs(term) > smallest * max(abs(total), Decimal(1)):
        n += 2
        term = term * x * x / n
        total += term
    return Decimal("0.5") + total * _decimal_exp(-x * x / 2) / (2 * Decimal(PI)).sqrt()


def _decimal_log(x: Decimal) -> Decimal:
    return _computed_log(x, decimal.getcontext().prec) if x > 0 else Decimal("NaN")


def _decimal_power(base: Decimal, exponent: Decimal) -> Decimal:
    if exponent == exponent.to_integral_value() or base > 0:
        return base**exponent
    return Decimal(0) if base == 0 and exponent > 0 else Decimal("NaN")


SINGULAR = Decimal("1e20")
"""A pivot within so many units of the last digit is taken for 0."""


def _gauss_jordan(matrix: np.ndarray) -> np.ndarray:
    size = len(matrix)
    one = Decimal(1)
    work = np.concatenate(
        [matrix, np.array([[one * (i == j) for j in range(size)] for i in range(size)], dtype=object)], 1
    )
    nothing = max((abs(x) for x in matrix.flat), default=one) * SINGULAR * Decimal(10) ** -decimal.getcontext().prec
    for column in range(size):
        pivot = column + int(np.argmax([abs(x) for x in work[column:, column]]))
        if not abs(work[pivot, column]) > nothing:  # rounding is all that is left of a zero
            return np.full((size, size), Decimal("NaN"), dtype=object)
        work[[column, pivot]] = work[[pivot, column]]
        work[column] = work[column] / work[column, column]
        for row in range(size):
            if row != column:
                work[row] = work[row] - work[row, column] * work[column]
    return work[:, size:]


MAX_SWEEPS = 40


def _rank(matrix: np.ndarray) -> int:
    """How many pivots of Gauss's elimination are not rounding."""
    work, rank = matrix.copy(), 0
    largest = max([Decimal(1), *(abs(x) for x in matrix.flat)])
    nothing = largest * SINGULAR * Decimal(10) ** -decimal.getcontext().prec
    for column in range(work.shape[1]):
        if rank == len(work):
            break
        pivot = rank + int(np.argmax([abs(x) for x in work[rank:, column]]))
        if not abs(work[pivot, column]) > nothing:
            continue
        work[[rank, pivot]] = work[[pivot, rank]]
        for row in range(rank + 1, len(work)):
            work[row] = work[row] - work[row, column] / work[rank, column] * work[rank]
        rank += 1
    return rank


def _projector(matrix: np.ndarray) -> np.ndarray:
    """The sum of u uᵀ/uᵀu over columns made orthogonal, without those that are rounding alone."""
    size = len(matrix)
    found = np.full((size, size), Decimal(0), dtype=object)
    largest = max([Decimal("1e-4"), *(abs(x) for x in matrix.flat)])
    nothing = largest * SINGULAR * Decimal(10) ** -decimal.getcontext().prec
    for column in matrix.T:
        rest = column - found @ column
        rest = rest - found @ rest  # once more, since rounding leaves a little of what was taken off
        if max(abs(x) for x in rest) > nothing:
            found = found + np.outer(rest, rest) / (rest @ rest)
    return found


def _jacobi(matrix: np.ndarray) -> np.ndarray:
    """The eigenvalues of a symmetric matrix by Jacobi's rotations, as a column, smallest first."""
    work, size = matrix.copy(), len(matrix)
    tiny = Decimal(10) ** -(decimal.getcontext().prec - 3)
    largest = max(abs(x) for x in matrix.flat)
    if not largest.is_finite() or any(abs(x) > largest * tiny for x in (matrix - matrix.T).flat):
        return np.full((size, 1), Decimal("NaN"), dtype=object)
    for _ in range(MAX_SWEEPS):
        pairs = [(i, j) for i in range(size) for j in range(i + 1, size) if abs(work[i, j]) > largest * tiny]
        if not pairs:
            break
        for i, j in pairs:
            if work[i, j] == 0:
                continue
            ratio = (work[j, j] - work[i, i]) / (2 * work[i, j])
            tangent = (1 if ratio >= 0 else -1) / (abs(ratio) + (ratio * ratio + 1).sqrt())
            cosine = 1 / (tangent * tangent + 1).sqrt()
            for axis in (work, work.T):
                row, other = axis[i].copy(), axis[j].copy()
                axis[i], axis[j] = cosine * (row - tangent * other), cosine * (tangent * row + other)
    return _object([[x] for x in sorted(work[i, i] for i in range(size))])


def _eigenvalues(matrix: np.ndarray, digits: int) -> list[tuple[Decimal, Decimal]]:
    """Real and imaginary parts; with three times the digits, of which equal eigenvalues cost most."""
    if not all(x.is_finite() for x in matrix.flat):
        return [(Decimal("NaN"), Decimal("NaN"))] * len(matrix)
    if len(matrix) == 1:
        return [(matrix[0, 0], Decimal(0))]
    with mp.workdps(3 * digits):
        found = mp.eig(mp.matrix([[mp.mpf(str(x)) for x in row] for row in matrix]), left=False, right=False)
        parts = [(mp.re(one), mp.im(one)) for one in found]
        return [tuple(Decimal(mp.nstr(part, 2 * digits)) for part in pair) for pair in parts]  # type: ignore[misc]


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


_DECIMAL: dict[str, Callable[[Decimal], Decimal]] = {
    "exp": _decimal_exp,
    "log": _decimal_log,
    "sqrt": Decimal.sqrt,
    "tanh": _decimal_tanh,
    "normal_cdf": _decimal_normal_cdf,
    "sin": _decimal_sine,
    "cos": lambda x: _decimal_sine(x + Decimal(PI) / 2),
    "sigmoid": _decimal_sigmoid,
    "abs": abs,
    "relu": lambda x: max(x, Decimal(0)),
}
