"""Polynomials in random numbers whose moments are known: what E, Var and Cov are exact for.

A polynomial maps monomials to coefficients; a monomial is a sorted tuple of variables, repeated for powers:
2 x² y + 3 is {(x, x, y): 2, (): 3}. Coefficients are floats, arrays of them (one a draw), or decimals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np

Variable: TypeAlias = tuple[str, int]
"""The name of a random symbol, and the place of the entry in it."""
Monomial: TypeAlias = tuple[Variable, ...]

MAX_DEGREE = 8
MAX_MONOMIALS = 2000
"""Of a sum, or of a product before like terms are joined: a product of matrices must not take more than a second."""


class NotPolynomial(Exception):
    """What was asked for is no polynomial, or too large a one."""


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
        """Of its highest monomial."""
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
                monomial = tuple(sorted(first + second))
                product = left * factor
                terms[monomial] = terms[monomial] + product if monomial in terms else product
        return Polynomial(terms)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Polynomial:
        divisor = _polynomial(other).constant()
        return Polynomial({monomial: coefficient / divisor for monomial, coefficient in self.terms.items()})

    def __rtruediv__(self, other: Any) -> Polynomial:
        return _polynomial(other) / self

    def expectation(self, moment: Callable[[Monomial], Any]) -> Any:
        """Σ coefficient · E[monomial]."""
        return sum(coefficient * moment(monomial) for monomial, coefficient in self.terms.items())


def variable(name: Variable) -> Polynomial:
    """A random number by itself."""
    return Polynomial({(name,): 1})


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
