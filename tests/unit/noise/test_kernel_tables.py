"""Tables of the kernels: every standard deviation has one band, and the stated errors hold."""

import numpy as np
import pytest

from regard.noise.integral import EXACT, weight_integral
from regard.noise.kernel import (
    band_edges,
    band_of,
    chebyshev_band,
    exact_band,
    kernel,
    lagrange,
    stencil,
    table_kernels,
)
from regard.noise.moments import head_moments


def test_bands_cover_every_sd_once():
    sd = np.array([0.0, 0.2, 0.25, 0.99, 1.0, 1.3, 17.0, 1e4])
    for value, number in zip(sd, band_of(sd), strict=True):
        low, high = band_edges(int(number))
        assert low <= value < high * (1 + 1e-12)


@pytest.mark.parametrize("number", [0, 2, 5, 8, 12, 20, 44])
def test_a_bands_stated_error_holds_between_its_nodes(number):
    band = chebyshev_band(number)
    low, high = band_edges(number)
    rng = np.random.default_rng(number)
    sd = rng.uniform(low, high, 3)
    x = rng.uniform(-3 * high, 2 * high, (50, 3)) if high > 2 else rng.uniform(-15, 2, (50, 3))
    found, ratios = table_kernels(x, np.sort(sd))
    for column, value in enumerate(np.sort(sd)):
        exact = kernel(x[:, column], value)
        survive = np.exp(exact.log_l)
        shown = np.abs(exact.log_l) > 1e-8
        gap = np.abs(found[:, column] / exact.log_l - 1) * survive
        assert gap[shown].max() < 4 * band.error + 1e-13
        gap = np.abs(ratios[0, :, column] / exact.ratios[0] - 1) * survive
        assert gap[shown].max() < 4 * band.error + 1e-13


def test_an_exact_band_reads_its_own_sds():
    band = exact_band((1.1, 1.2))
    assert band.error < 1e-13
    np.testing.assert_array_equal(band.node_weights(np.array([1.2, 1.1])), [[0, 1], [1, 0]])


def test_interpolation_reproduces_polynomials():
    rng = np.random.default_rng(0)
    nodes = np.sort(rng.uniform(-1, 1, 6))
    at = rng.uniform(-1, 1, 9)
    np.testing.assert_allclose(lagrange(at, nodes).T @ nodes**5, at**5, atol=1e-12)
    start, weights = stencil(at, 0.125)
    points = (start + np.arange(16)[:, None]) * 0.125
    np.testing.assert_allclose((weights * points**15).sum(axis=0), at**15, atol=1e-12)
    np.testing.assert_allclose(weights.sum(axis=0), 1, atol=1e-14)


@pytest.mark.parametrize("sd", [0.06, 0.1875, 0.24, 0.99])
def test_tables_keep_squares_of_narrow_logits_too(sd):
    # Found by the property tests: M_2 of a narrow logit is large where L is small, and a coarse band missed it.
    mean, spread = np.array([0.03771907, -0.03963146]), np.array([5.0, sd])
    found = head_moments(mean, spread, np.eye(2), method="integral")
    exact = weight_integral(mean, spread, precision=EXACT)
    assert np.abs(found.weight_square - exact.mass @ exact.of_keys(2)).max() < 5e-15
