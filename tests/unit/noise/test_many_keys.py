"""The integral for very many keys against the plain one."""

import numpy as np
import pytest

from regard.noise.integral import Precision, weight_integral
from regard.noise.moments import head_moments


@pytest.mark.parametrize(
    ("n", "low", "high", "spread"),
    [(40, 0.05, 2, 2), (200, 0, 1, 1), (120, 0.5, 8, 5), (60, 1000, 8000, 5000), (80, 2.0, 3.0, 1), (50, 0.1, 0.1, 30)],
)
def test_fast_and_plain_integral_agree_within_the_stated_error(n, low, high, spread):
    rng = np.random.default_rng(n)
    mean, sd = spread * rng.standard_normal(n), rng.uniform(low, high, n)
    values = rng.standard_normal((n, 3))
    plain = head_moments(mean, sd, values, method="integral")
    fast = head_moments(mean, sd, values, method="fast integral")
    assert fast.error < 1e-10
    np.testing.assert_allclose(fast.weight_mean, plain.weight_mean, atol=fast.error)
    np.testing.assert_allclose(fast.weight_square, plain.weight_square, atol=fast.error)
    size = np.abs(values).max()
    np.testing.assert_allclose(fast.output_covariance, plain.output_covariance, atol=fast.error * 4 * size**2)


def test_noise_of_every_size_at_once():
    # A graded grid: certain, narrow and very wide logits in one integral.
    rng = np.random.default_rng(5)
    mean = np.concatenate([rng.normal(size=20), 3000 * rng.normal(size=10)])
    sd = np.concatenate([np.zeros(10), np.full(10, 0.3), rng.uniform(500, 4000, 10)])
    fast = head_moments(mean, sd, np.eye(30), method="fast integral")
    fine = weight_integral(mean, sd, precision=Precision(step=0.125, depth=60.0, same_law=1e-15, stencil=0))
    np.testing.assert_allclose(fast.weight_mean, fine.mass @ fine.of_keys(1), atol=1e-13)
    assert len(weight_integral(mean, sd).rule.u) < 900


def test_keys_far_below_the_others_get_zero_not_nonsense():
    mean = np.concatenate([np.zeros(30), [-900.0]])
    law = head_moments(mean, np.full(31, 0.4), np.eye(31), method="fast integral")
    assert law.weight_mean[-1] == 0
    assert law.weight_mean.sum() == pytest.approx(1, abs=1e-14)
