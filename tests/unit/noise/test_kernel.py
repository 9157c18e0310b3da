import numpy as np
import pytest
from tests.support.oracles import kernel_moment

from regard.noise.kernel import gauss_rule, grid_kernel, kernel, left_end, right_end
from regard.noise.kernel_tables import band_edges, band_of, chebyshev_band, exact_band, lagrange, stencil, table_kernels


@pytest.mark.parametrize("sd", [0.05, 0.5, 0.51, 2.0, 5.9, 6.1, 40.0, 5000.0])
def test_kernels_agree_with_fifty_digits(sd):
    x = np.array([-4 * sd - 3, -sd, 0.0, 2.5 * sd])
    found = kernel(x, sd, order=4)
    for i, point in enumerate(x):
        level = kernel_moment(0, point, sd)
        assert np.exp(found.log_l[i]) == pytest.approx(float(level), rel=1e-13, abs=0)
        for k in range(1, 5):
            expected = float(kernel_moment(k, point, sd) / level)
            assert found.ratios[k - 1, i] == pytest.approx(expected, rel=1e-11, abs=0)


def test_what_is_missing_to_one_keeps_its_digits():
    # Far to the left 1 − L = eˣ⁺ˢᵈ²ᐟ²; a plain 1 − L would be zero.
    assert kernel(np.array([-50.0]), 0.3).log_l[0] == pytest.approx(-np.exp(-50 + 0.045), rel=1e-13, abs=0)
    assert kernel(np.array([-50.0]), 2.0).log_l[0] == pytest.approx(-np.exp(-50 + 2.0), rel=1e-12, abs=0)


def test_without_noise_the_kernel_is_closed():
    x = np.array([-3.0, 0.0, 2.0])
    found = kernel(x, 0.0, order=3)
    np.testing.assert_allclose(found.log_l, -np.exp(x), rtol=1e-15)
    np.testing.assert_allclose(found.ratios, [np.exp(x), np.exp(2 * x), np.exp(3 * x)], rtol=1e-14)


def test_kernels_differentiate_into_each_other():
    h, x, sd = 1e-4, np.array([-1.0, 0.5]), 1.3

    def moment(k, x, variance):
        found = kernel(x, variance**0.5, order=4)
        level = np.exp(found.log_l)
        return level if k == 0 else found.ratios[k - 1] * level

    for k in (0, 1, 2):
        slope = (moment(k, x + h, sd**2) - moment(k, x - h, sd**2)) / (2 * h)
        np.testing.assert_allclose(slope, k * moment(k, x, sd**2) - moment(k + 1, x, sd**2), atol=1e-8)
        heat = (moment(k, x, sd**2 + h) - moment(k, x, sd**2 - h)) / (2 * h)
        curvature = (moment(k, x + h, sd**2) - 2 * moment(k, x, sd**2) + moment(k, x - h, sd**2)) / h**2
        np.testing.assert_allclose(heat, curvature / 2, atol=1e-6)


def test_the_ends_are_where_they_say():
    sd = np.array([0.0, 0.4, 3.0, 10.0, 11.0, 900.0])
    for value, low, high in zip(sd, left_end(sd), right_end(sd), strict=True):
        assert kernel(np.array([low]), value).ratios[0, 0] < 2e-24
        assert kernel(np.array([high]), value).log_l[0] < np.log(1e-21)


def test_the_gauss_rule_has_the_moments_of_a_gumbel_variable():
    w, mass = gauss_rule()
    assert mass.sum() == pytest.approx(1, abs=1e-14)
    assert mass @ w == pytest.approx(-np.euler_gamma, rel=1e-13, abs=0)
    assert mass @ w**2 == pytest.approx(np.pi**2 / 6 + np.euler_gamma**2, rel=1e-12, abs=0)


@pytest.mark.parametrize("sd", [0.3, 1.7, 5.0, 20.0])
def test_the_grid_version_is_the_same_function(sd):
    grid = grid_kernel(-80, 120, 0.25, sd)
    plain = kernel(0.25 * np.arange(-80, 40), sd)
    np.testing.assert_allclose(grid.log_l, plain.log_l, rtol=1e-12)
    np.testing.assert_allclose(grid.ratios, plain.ratios, rtol=1e-11)


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
