"""Decimals: singular matrices, ranks and sines."""

import math
from decimal import Decimal

import numpy as np

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
