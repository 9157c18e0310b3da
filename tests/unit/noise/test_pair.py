"""The integral for two heads: cases that are known, its own error, and its gradient."""

import numpy as np
import pytest

from regard.noise.joint import independent_joint_moments
from regard.noise.keys import LogitLaw
from regard.noise.pair import DERIVATIVES, PairLogits, pair_integral


def output_law_of(mean, sd, values):
    logits = LogitLaw(mean[None], (sd**2)[:, None, None])
    return independent_joint_moments(logits, values).heads[0]


def test_pair_integral_reduces_to_known_cases():
    rng = np.random.default_rng(0)
    mean, sd, values = rng.standard_normal(4), rng.uniform(0.2, 2, 4), rng.standard_normal((4, 2))
    law = output_law_of(mean, sd, values)
    same = pair_integral(PairLogits(mean, mean, sd, sd, sd**2))
    relative = values - law.output_mean
    np.testing.assert_allclose(same.cross_covariance(relative, relative), law.output_covariance, atol=1e-13)
    apart = pair_integral(PairLogits(mean, mean, sd, sd, np.zeros(4)))
    np.testing.assert_allclose(apart.cross_covariance(relative, relative), 0, atol=1e-14)


@pytest.mark.parametrize(("sd", "off"), [(20.0, 1e-9), (40.0, 1e-5)])
def test_the_pair_integral_knows_how_far_off_it_is(sd, off):
    # One factor moves one key in both heads: α¹ = sig(sd z), α² = sig(sd z + 1), by Gauss–Legendre on short panels.
    logits = LogitLaw(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([np.full((2, 2), sd**2), np.zeros((2, 2))]))
    found = independent_joint_moments(logits, np.eye(2))
    points, weights = np.polynomial.legendre.leggauss(20)
    left = np.arange(-9, 9, 0.5 / sd)
    z = (left[:, None] + 0.25 / sd * (1 + points)).ravel()
    p = np.tile(0.25 / sd * weights, len(left)) * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    first, second = 1 / (1 + np.exp(-sd * z)), 1 / (1 + np.exp(-sd * z - 1))
    truth = p @ ((first - p @ first) * (second - p @ second))
    assert abs(found.cross[0, 1, 0, 0] - truth) <= found.cross_error <= off


def test_pair_gradients_agree_with_finite_differences():
    rng = np.random.default_rng(2)
    n = 2
    point = {
        "mean_1": rng.standard_normal(n),
        "mean_2": rng.standard_normal(n),
        "variance_1": rng.uniform(0.3, 2, n),
        "variance_2": rng.uniform(0.3, 2, n),
        "covariance": np.array([0.2, -0.1]),
    }
    left, right = rng.standard_normal((2, n, 2))

    def logits(point):
        return PairLogits(
            point["mean_1"],
            point["mean_2"],
            np.sqrt(point["variance_1"]),
            np.sqrt(point["variance_2"]),
            point["covariance"],
        )

    gradient = pair_integral(logits(point), order=3).gradient(left, right)
    for name in DERIVATIVES:
        for j in range(n):
            h = 1e-4 * np.eye(n)[j]
            moved = [pair_integral(logits({**point, name: point[name] + sign * h})) for sign in (1, -1)]
            ends = [np.trace(integral.cross_covariance(left, right)) for integral in moved]
            assert gradient[name][j] == pytest.approx((ends[0] - ends[1]) / 2e-4, abs=1e-7)
