import numpy as np
import pytest
from tests.support.oracles import KERNEL_SDS, kernel_moment, kernel_moments, kernel_points, recorded

from regard.noise.kernel import gauss_rule, grid_kernel, kernel, left_end, right_end


@pytest.mark.parametrize("sd", KERNEL_SDS)
def test_kernels_agree_with_thirty_digits(sd):
    x = kernel_points(sd)
    found = kernel(x, sd, order=4)
    for i, point in enumerate(x):
        level, *moments = recorded(kernel_moments, point, sd)
        assert np.exp(found.log_l[i]) == pytest.approx(float(level), rel=1e-13, abs=0)
        for k, moment in enumerate(moments):
            assert found.ratios[k, i] == pytest.approx(float(moment / level), rel=1e-11, abs=0)


def test_the_record_is_what_the_quadrature_says():
    point = kernel_points(0.5)[1]
    assert [float(value) for value in recorded(kernel_moments, point, 0.5)] == [
        float(kernel_moment(k, point, 0.5)) for k in range(5)
    ]


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
