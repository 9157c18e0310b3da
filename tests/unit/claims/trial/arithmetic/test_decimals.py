"""Decimals: singular matrices, ranks and sines."""

import decimal
import math
from decimal import Decimal

import numpy as np
import pytest

from regard.claims.trial.arithmetic.decimals import Decimals


def test_a_singular_matrix_has_no_inverse_whatever_rounding_leaves():
    numbers = Decimals(50)
    with numbers.context():
        wide = numbers.from_floats(np.array([[[0.1, 0.2, 0.7], [0.3, 0.9, 0.4]]]))
        gram = wide.swapaxes(-1, -2) @ wide
        assert all(entry.is_nan() for entry in numbers.inverse(gram).flat)
        assert numbers.rank(gram).flat[0] == 2


def test_the_normal_distribution_function():
    numbers = Decimals(50)
    with numbers.context():
        for x in (-3.0, 0.0, 0.7, 5.5):
            expected = math.erfc(-x / math.sqrt(2)) / 2
            assert math.isclose(float(numbers.apply("normal_cdf", numbers.number(x)).flat[0]), expected, rel_tol=1e-12)


def test_sine_and_cosine():
    numbers = Decimals(50)
    with numbers.context():
        for x in (0.3, -7.5, 100.25):
            assert math.isclose(float(numbers.apply("sin", numbers.number(x)).flat[0]), math.sin(x), abs_tol=1e-12)
            assert math.isclose(float(numbers.apply("cos", numbers.number(x)).flat[0]), math.cos(x), abs_tol=1e-12)
        sine, cosine = (numbers.apply(name, numbers.number(2)).flat[0] for name in ("sin", "cos"))
        assert abs(sine * sine + cosine * cosine - 1) < Decimal("1e-50")


def test_powers_and_logarithms_that_are_kept_have_the_digits_asked_for():
    for digits in (20, 60, 20):
        numbers = Decimals(digits)
        with numbers.context():
            two = numbers.number(2)
            assert numbers.apply("exp", two).flat[0] == Decimal(2).exp()
            assert numbers.apply("log", two).flat[0] == Decimal(2).ln()


def test_a_power_that_is_too_small_is_told_each_time():
    numbers = Decimals(20)
    for _ in range(2):
        with numbers.context() as context:
            assert numbers.apply("exp", numbers.number(-(10**19))).flat[0] == 0
            assert context.flags[decimal.Underflow]


@pytest.mark.parametrize("digits", [300, 1200])
@pytest.mark.parametrize(
    "x",
    [
        "0",
        "1",
        "-1",
        "0.3",
        "123456.789",
        "1e-500",
        "1.4142135623730951",
        "1e-40",
        "3e200",
        "-7e-12",
        "1e-9999999",
        "Infinity",
    ],
)
def test_powers_and_logarithms_of_very_many_digits_are_those_of_decimal(digits, x):
    numbers, number = Decimals(digits), Decimal(x)
    with numbers.context():
        for near in (number, number + Decimal(10) ** (5 - digits), Decimal(1) / 3 + number):
            value = np.array([[near]], dtype=object)
            assert numbers.apply("exp", value).flat[0] == near.exp()
            assert numbers.apply("log", value).flat[0] == near.ln() or near <= 0
