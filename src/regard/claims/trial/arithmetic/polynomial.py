"""Polynomials in random numbers whose moments are known: what E, Var and Cov are exact for.

A polynomial maps monomials to coefficients; a monomial is a sorted tuple of variables, repeated for powers:
2 x² y + 3 is {(x, x, y): 2, (): 3}. Coefficients are floats, arrays of them (one a draw), or decimals. `Polynomials` is
the arithmetic whose entries they are.
"""

# ruff: noqa: D102 - what each method is for stands once, in Arithmetic
from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from regard.claims.trial.arithmetic.decimals import map_entries
from regard.claims.trial.arithmetic.numbers import Arithmetic, NotPolynomial, Value

Variable: TypeAlias = tuple[str, int]
"""The name of a random symbol, and the place of the entry in it."""

Monomial: TypeAlias = tuple[Variable, ...]

MAX_DEGREE = 8

MAX_MONOMIALS = 2000
"""Monomials in a sum, or in a product before like ones are joined, so that matrices take less than a second."""


class Polynomial:
    """A sum of monomials with coefficients; the arithmetic that matrices of them need.

    >>> x = variable(("x", 0))
    >>> (x * x + 2 * x).expectation(gaussian_moment)
    1
    """

    __array_ufunc__ = None  # an array times a polynomial is for the polynomial to work out
    __slots__ = ("terms",)

    def __init__(self, terms: dict[Monomial, Any]) -> None:
        self.terms = terms

    @property
    def degree(self) -> int:
        """The degree of its highest monomial."""
        return max((len(monomial) for monomial in self.terms), default=0)

    @property
    def variables(self) -> set[str]:
        """The names of the random symbols in it."""
        return {name for monomial in self.terms for name, _ in monomial}

    def coefficient(self, *monomial: Variable) -> Any:
        """The number before a monomial."""
        return self.terms.get(monomial, 0)

    def constant(self) -> Any:
        """Its value where it is no more than a number."""
        if self.degree:
            raise NotPolynomial("a random number where polynomials have none")
        return self.terms.get((), 0)

    def __add__(self, other: Any) -> Polynomial:
        terms = dict(self.terms)
        for monomial, coefficient in _terms(other):
            terms[monomial] = terms[monomial] + coefficient if monomial in terms else coefficient
        if len(terms) > MAX_MONOMIALS:
            raise NotPolynomial("too large a polynomial")
        return Polynomial(terms)

    __radd__ = __add__

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -coefficient for monomial, coefficient in self.terms.items()})

    def __sub__(self, other: Any) -> Polynomial:
        return self + (-_polynomial(other))

    def __rsub__(self, other: Any) -> Polynomial:
        return _polynomial(other) + (-self)

    def __mul__(self, other: Any) -> Polynomial:
        right = _polynomial(other)
        if self.degree + right.degree > MAX_DEGREE or len(self.terms) * len(right.terms) > MAX_MONOMIALS:
            raise NotPolynomial("too large a polynomial")
        terms: dict[Monomial, Any] = {}
        for first, left in self.terms.items():
            for second, factor in right.terms.items():
                monomial = _product(first, second)
                product = left * factor
                terms[monomial] = terms[monomial] + product if monomial in terms else product
        return Polynomial(terms)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Polynomial:
        divisor = _polynomial(other).constant()
        divisor = np.float64(divisor) if isinstance(divisor, int | float) else divisor  # 1/0 is no number, and no error
        return Polynomial({monomial: coefficient / divisor for monomial, coefficient in self.terms.items()})

    def __rtruediv__(self, other: Any) -> Polynomial:
        return _polynomial(other) / self

    def expectation(self, moment: Callable[[Monomial], Any]) -> Any:
        """Σ coefficient · E[monomial]."""
        return sum(coefficient * moment(monomial) for monomial, coefficient in self.terms.items())


def variable(name: Variable) -> Polynomial:
    """A random number by itself."""
    return Polynomial({(name,): 1})


@lru_cache(maxsize=4096)
def _product(first: Monomial, second: Monomial) -> Monomial:
    """Two monomials as one; in matrices the same pairs meet again and again."""
    return tuple(sorted(first + second))


@lru_cache(maxsize=4096)
def gaussian_moment(monomial: Monomial) -> int:
    """E of a product of independent standard normal numbers: (power − 1)!! for each even power, else 0."""
    moment = 1
    for name in set(monomial):
        power = monomial.count(name)
        if power % 2:
            return 0
        for factor in range(power - 1, 1, -2):
            moment *= factor
    return moment


def variables(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """An array of different random numbers."""
    entries = np.empty(shape, dtype=object)
    for place in range(entries.size):
        entries.flat[place] = variable((name, place))
    return entries


def _terms(other: Any) -> Iterator[tuple[Monomial, Any]]:
    return iter(_polynomial(other).terms.items())


def _polynomial(other: Any) -> Polynomial:
    return other if isinstance(other, Polynomial) else Polynomial({(): other})


class Polynomials(Arithmetic):
    """Random numbers as polynomials; `numbers` is the arithmetic of their coefficients.

    Leading axes of a value move into the coefficients, so that many instances are still worked out at once.
    """

    name = "polynomial"

    def __init__(self, numbers: Arithmetic) -> None:
        self.numbers = numbers
        self.is_exact = numbers.is_exact

    def number(self, value: Fraction | int | float) -> Value:
        return map_entries(_as_polynomial)(self.numbers.number(value).astype(object))

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

    def matrix_root(self, matrix: Value) -> Value:
        return self.wrap_scalars(matrix, self.numbers.matrix_root)

    def determinant(self, matrix: Value) -> Value:
        constants = [entry.constant() for entry in matrix.flat]
        numbers = np.stack(np.broadcast_arrays(*[np.asarray(entry) for entry in constants]), axis=-1)
        return self.wrap(self.numbers.determinant(numbers.reshape(*numbers.shape[:-1], *matrix.shape)))

    def top(self, vector: Value, axis: int) -> Value:
        raise NotPolynomial("softmax of random numbers")


def _as_polynomial(entry: Any) -> Polynomial:
    return Polynomial({(): entry})
