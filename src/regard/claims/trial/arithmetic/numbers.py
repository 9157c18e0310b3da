"""The kinds of numbers that a claim is worked out in; `functions` has what a claim may use, for all of them alike.

    FLOATS        float64, many instances at once on leading axes; also complex, for derivatives by a complex step
    Decimals(50)  as many digits as wanted, exponents up to 10¹⁸: decides what is near rounding or overflows
    Polynomials   in random numbers with known moments (see `polynomial`): E, Var and Cov without sampling

A value is an array (…, row, column) in all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np


def pick(value: Value, axis: int, place: int) -> Value:
    """A member of a family."""
    if not 0 <= place < value.shape[axis]:
        raise CannotEvaluate(f"there is no member {place + 1} of {value.shape[axis]}")
    return value.take(place, axis=axis)


def entry(value: Value, places: list[int]) -> Value:
    """An entry of a vector or matrix, as a number; all of it where no place is given."""
    if not places:
        return value
    return value[(Ellipsis, *_entry_slices(value, places))]


def _entry_slices(value: Value, places: list[int]) -> tuple[slice, slice]:
    """Where an entry stands: row and column of a matrix, the one place of a vector."""
    rows, columns = value.shape[-2:]
    row, column = places if len(places) == 2 else (places[0], 0) if columns == 1 else (0, places[0])
    if not (0 <= row < rows and 0 <= column < columns):
        wanted = ", ".join(str(place + 1) for place in places)
        raise CannotEvaluate(f"there is no entry {wanted} in a value of shape ({rows}, {columns})")
    return slice(row, row + 1), slice(column, column + 1)


def locate_part(whole: Value, places: list[int], *, is_family: bool) -> tuple[Any, ...]:
    """Where the part of a symbol is that some indices pick."""
    member: tuple[Any, ...] = (Ellipsis,)
    if is_family:
        member, places = (Ellipsis, places[0]), places[1:]
        pick(whole, -3, member[1])
    return (*member, *(_entry_slices(whole, places) if places else (slice(None), slice(None))))


# ruff: noqa: D102 - what each method is for stands once, in Arithmetic


class NotPolynomial(Exception):
    """What was asked for is no polynomial, or too large a one."""


Value = Any
"""An array (…, row, column) of the numbers of one arithmetic."""


class CannotEvaluate(Exception):
    """Something that no arithmetic at hand can work out, or not in time."""


class TooLong(CannotEvaluate):
    """The time for a claim is up."""


ROOT_STEPS = 24
"""Each step towards the root of a matrix doubles the digits, once they begin to agree."""


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

    def rank(self, matrix: Value) -> Value:
        """The rank of a matrix, as a 1 × 1 value."""
        raise NotPolynomial("a rank")

    def projector(self, matrix: Value) -> Value:
        """The orthogonal projector onto the space that the columns of a matrix span."""
        raise NotPolynomial("a projector of random numbers")

    def eigenvalues(self, matrix: Value) -> Value:
        """The eigenvalues of a symmetric matrix as a column, smallest first; NaN where it is not symmetric."""
        raise NotPolynomial("eigenvalues of random numbers")

    def spectrum(self, matrix: Value) -> tuple[Value, Value]:
        """Real and imaginary parts of the eigenvalues of any square matrix, as columns."""
        raise NotPolynomial("eigenvalues of random numbers")

    def top(self, vector: Value, axis: int) -> Value:
        """What to subtract before exponentials are taken, so that none overflows."""
        raise NotImplementedError

    def matrix_root(self, matrix: Value) -> Value:
        """The root of a positive definite matrix by the iteration of Denman and Beavers; NaN where it fails."""
        root, inverse = matrix, matrix * 0 + self.from_floats(np.eye(matrix.shape[-1]))
        two = self.number(2)
        with np.errstate(all="ignore"):
            for _ in range(ROOT_STEPS):
                root, inverse = (root + self.inverse(inverse)) / two, (inverse + self.inverse(root)) / two
            off = np.abs(root @ root - matrix).max(axis=(-2, -1), keepdims=True)
            size = np.abs(matrix).max(axis=(-2, -1), keepdims=True)
        is_root = np.asarray(off, dtype=float) <= 1e-6 * np.asarray(size, dtype=float)
        return np.where(is_root, root, root * self.from_floats(np.full((1, 1), np.nan)))


MAX_CONDITION = 1e14
"""Beyond, float64 cannot tell a matrix from a singular one, and decimals have to decide."""


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
            inverse = np.linalg.inv(matrix)
        except np.linalg.LinAlgError:  # of one in the stack: the others have inverses
            inverse = np.stack([_invert(one) for one in matrix.reshape(-1, *matrix.shape[-2:])]).reshape(matrix.shape)
        with np.errstate(all="ignore"):
            condition = np.abs(matrix).max(axis=(-2, -1)) * np.abs(inverse).max(axis=(-2, -1))
        return np.where((condition < MAX_CONDITION)[..., None, None], inverse, np.nan)

    def determinant(self, matrix: Value) -> Value:
        return np.linalg.det(matrix)[..., None, None]

    def rank(self, matrix: Value) -> Value:
        is_finite = np.isfinite(matrix).all(axis=(-2, -1), keepdims=True)
        matrix = np.where(is_finite, matrix, 0.0)  # of what is infinite, no decomposition comes to an end
        size = np.maximum(np.abs(matrix).max(axis=(-2, -1)), 1.0)
        rank = np.linalg.matrix_rank(matrix, tol=1e-10 * size)[..., None, None].astype(float)
        return np.where(is_finite, rank, np.nan)

    def projector(self, matrix: Value) -> Value:
        if np.iscomplexobj(matrix):
            raise CannotEvaluate("the derivative of a projector is not worked out")
        basis, sizes, _ = np.linalg.svd(np.where(np.isfinite(matrix), matrix, 0.0), full_matrices=False)
        kept = basis * (sizes > 1e-10 * np.maximum(sizes.max(axis=-1, keepdims=True), 1e-4))[..., None, :]
        return kept @ transpose(kept)

    def eigenvalues(self, matrix: Value) -> Value:
        if np.iscomplexobj(matrix):
            raise CannotEvaluate("the derivative of an eigenvalue is not worked out")
        size = np.abs(matrix).max(axis=(-2, -1), keepdims=True)
        is_symmetric = (np.abs(matrix - transpose(matrix)).max(axis=(-2, -1), keepdims=True) <= 1e-9 * size) & (
            size < np.inf
        )
        found = np.linalg.eigvalsh(np.where(is_symmetric, matrix, np.eye(matrix.shape[-1])))[..., None]
        return np.where(is_symmetric, found, np.nan)

    def spectrum(self, matrix: Value) -> tuple[Value, Value]:
        if np.iscomplexobj(matrix):
            raise CannotEvaluate("the derivative of an eigenvalue is not worked out")
        is_finite = np.isfinite(matrix).all(axis=(-2, -1), keepdims=True)
        found = np.linalg.eigvals(np.where(is_finite, matrix, 0.0))[..., None]
        return np.where(is_finite, found.real, np.nan), np.where(is_finite, found.imag, np.nan)

    def top(self, vector: Value, axis: int) -> Value:
        return vector.real.max(axis=axis, keepdims=True)


def _invert(matrix: np.ndarray) -> np.ndarray:
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return np.full_like(matrix, np.nan)


def _stable_sigmoid(x: np.ndarray) -> np.ndarray:
    small = np.exp(np.where(x.real > 0, -x, x))
    return np.where(x.real > 0, 1 / (1 + small), small / (1 + small))


_normal_cdf = np.vectorize(lambda x: math.erfc(-x / math.sqrt(2)) / 2, otypes=[float])


def _complex_normal_cdf(x: np.ndarray) -> np.ndarray:
    """Φ beside the real line, to first order: what a complex step needs."""
    density = np.exp(-x.real * x.real / 2) / math.sqrt(2 * math.pi)
    return _normal_cdf(x.real) + 1j * x.imag * density


_FLOAT: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "normal_cdf": lambda x: _complex_normal_cdf(x) if np.iscomplexobj(x) else _normal_cdf(x),
    "sin": np.sin,
    "cos": np.cos,
    "sigmoid": _stable_sigmoid,
    "abs": lambda x: np.where(x.real < 0, -x, x),
    "relu": lambda x: np.where(x.real > 0, x, 0 * x),
}


class DefinedFloats(Floats):
    """float64 in which the logarithm of 0 is not defined: σ(C − log 0) would be a number, and is none."""

    def apply(self, function: str, value: Value) -> Value:
        found = super().apply(function, value)
        return np.where(np.isneginf(found), np.nan, found) if function == "log" else found


FLOATS = Floats()
DEFINED_FLOATS = DefinedFloats()


def transpose(value: Value) -> Value:
    """Rows and columns exchanged."""
    return value.swapaxes(-1, -2)
