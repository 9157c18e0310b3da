"""Means of functions of normal numbers, against quadrature."""

import math

import numpy as np
import pytest

from regard.claims.check import check

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(80)


def mean(function):
    return float(function(NODES) @ WEIGHTS / math.sqrt(2 * math.pi))


@pytest.mark.parametrize(
    ("claim", "function"),
    [
        (r"X ~ N(0, 1) ⇒ E[X e^X] = {}", lambda x: x * np.exp(x)),
        (r"X ~ N(0, 1) ⇒ E[X^2 e^{{X/2}}] = {}", lambda x: x**2 * np.exp(x / 2)),
        (r"X ~ N(0, 1), Y = e^X ⇒ E[Y] = {}", np.exp),
    ],
)
def test_products_with_an_exponential(claim, function):
    value = mean(function)
    assert check(claim.format(f"{value * 1.001:.6f}").replace("] = ", "] < ")).is_true
    assert check(claim.format(f"{value * 0.999:.6f}").replace("] = ", "] < ")).verdict == "fails"


def test_absolute_values_and_tails():
    assert check(r"X ~ N(0, 1) ⇒ E|X| = \sqrt{2/π}").verdict == "holds"
    assert check("X ~ N(2, 1) ⇒ E|X| = 2").verdict == "fails"
    assert check("X ~ N(0, 1) ⇒ P(|X| > 1) < 0.3174").verdict == "holds"
    assert check("X ~ N(0, 1) ⇒ P(|X| > 1) < 0.3173").verdict == "fails"
    assert check("X ~ N(0, 1) ⇒ P(|X| > -1) = 1").verdict == "holds"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("X ~ N(0, 1), W ~ N(0, 1), Y = X + W ⇒ E[X | Y] = Y/2", "holds"),
        ("X ~ N(0, 1), W ~ N(0, 1), Y = X + W ⇒ E[X | Y] = Y", "fails"),
        ("X ~ N(0, 1), W ~ N(0, 1), Y = X + W ⇒ Var(X | Y) = 1/2", "holds"),
        ("X ~ N(0, 1), W ~ N(0, 1), Y = X + W ⇒ E[X | Y = 2] = 1", "holds"),
        ("X ~ N(0, 1), W ~ N(0, 1), Y = X + W ⇒ E[E[X | Y]] = 0", "holds"),
        ("X ~ N(0, 1), Y = X^2 ⇒ E[X | Y] = 0", "not-understood"),
    ],
)
def test_conditional_moments(claim, expected):
    assert check(claim).verdict == expected
