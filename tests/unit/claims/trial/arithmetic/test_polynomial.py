"""Polynomials in random numbers, and their expectations."""

import numpy as np
import pytest

from regard.claims.trial.arithmetic.numbers import FLOATS, NotPolynomial
from regard.claims.trial.arithmetic.polynomial import MAX_DEGREE, Polynomials, gaussian_moment, variable, variables

X, Y = variable(("x", 0)), variable(("y", 0))


def test_arithmetic():
    product = (X + 2) * (X - Y)
    assert product.terms == {(("x", 0), ("x", 0)): 1, (("x", 0), ("y", 0)): -1, (("x", 0),): 2, (("y", 0),): -2}
    assert (product.degree, product.variables) == (2, {"x", "y"})
    assert (1 - X / 2).coefficient(("x", 0)) == -0.5


@pytest.mark.parametrize(("power", "moment"), [(0, 1), (1, 0), (2, 1), (3, 0), (4, 3), (6, 15)])
def test_moments_of_a_normal_number(power, moment):
    assert gaussian_moment((("x", 0),) * power) == moment


def test_independent_numbers_multiply_their_moments():
    assert (X * X * Y * Y + 5 * X * Y + 7).expectation(gaussian_moment) == 8


def test_what_is_no_polynomial_is_refused():
    with pytest.raises(NotPolynomial):
        1 / X
    power = X
    for _ in range(MAX_DEGREE - 1):
        power = power * X
    with pytest.raises(NotPolynomial, match="too large"):
        power * X


def test_an_arithmetic_of_matrices_of_them():
    numbers = Polynomials(FLOATS)
    column = variables("z", (2, 1))
    [[entry]] = column.T @ column
    assert entry.expectation(gaussian_moment) == 2
    assert numbers.apply("exp", numbers.number(0)).item().constant() == 1.0
    with pytest.raises(NotPolynomial):
        numbers.apply("exp", column)
    assert np.shape(numbers.from_floats(np.ones((5, 2, 1)))) == (2, 1)
