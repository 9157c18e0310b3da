"""Derivatives of the moments: finite differences, and an identity."""

import numpy as np
import pytest

from regard.noise.gradient import Cotangents, moment_gradient
from regard.noise.integral import QUICK, weight_integral
from regard.noise.moments import head_moments


def test_gradients_of_every_moment_agree_with_finite_differences():
    rng = np.random.default_rng(1)
    mean, variance, values = rng.standard_normal(5), rng.uniform(0.01, 6, 5), rng.standard_normal((5, 3))
    cotangents = Cotangents(*(rng.standard_normal(shape) for shape in (5, 5, 3, (3, 3))))

    def scalar(mean, variance, values):
        law = head_moments(mean, np.sqrt(variance), values, method="integral")
        return (
            cotangents.weight_mean @ law.weight_mean
            + cotangents.weight_square @ law.weight_square
            + cotangents.output_mean @ law.output_mean
            + (cotangents.output_covariance * law.output_covariance).sum()
        )

    found = moment_gradient(mean, np.sqrt(variance), values, cotangents)
    arguments = [mean, variance, values]
    for position, gradient in enumerate((found.mean, found.variance, found.values)):
        for index in np.ndindex(gradient.shape):

            def at(h, position=position, index=index):
                moved = [array.copy() for array in arguments]
                moved[position][index] += h
                return scalar(*moved)

            h = 2e-3
            slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
            assert gradient[index] == pytest.approx(slope, abs=2e-9)


def test_the_identity_for_the_weights_own_gradient():
    mean, sd = np.array([0.3, -0.2, 0.9]), np.array([0.8, 0.1, 1.5])
    integral = weight_integral(mean, sd, precision=QUICK)
    first, second = integral.of_keys(1), integral.of_keys(2)
    together = (first * integral.mass[:, None]).T @ first
    np.fill_diagonal(together, integral.mass @ second)
    for i in range(3):
        only = Cotangents(weight_mean=np.eye(3)[i])
        expected = np.eye(3)[i] * (integral.mass @ first)[i] - together[i]
        np.testing.assert_allclose(moment_gradient(mean, sd, np.eye(3), only).mean, expected, atol=1e-13)
