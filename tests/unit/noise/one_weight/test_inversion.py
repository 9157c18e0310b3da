"""P(α > t) as one integral of continued kernels: a closed form, and an error that says what cancellation cost."""

import numpy as np
import pytest
from scipy.special import ndtr

from regard.noise.one_weight.event import weight_event
from regard.noise.one_weight.inversion import continued_kernel, invert, kernel_product, own_kernel


@pytest.mark.parametrize("sd", [0.5, 0.9, 3.0, 20.0])
@pytest.mark.parametrize("odds", [-2.0, 0.0, 1.5])
def test_one_noisy_logit_against_certain_ones_has_a_closed_form(sd, odds):
    event = weight_event(np.array([0.4, 0.0, -0.3]), np.array([sd, 0.0, 0.0]), 0)
    value, error = invert(event, kernel_product(event), odds, density=False)
    gap = odds + 0.4 - np.log(1 + np.exp(-0.3))
    assert abs(value - ndtr(gap / sd)) <= error < 1e-8
    density, density_error = invert(event, kernel_product(event), odds, density=True)
    truth = np.exp(-((gap / sd) ** 2) / 2) / (sd * np.sqrt(2 * np.pi))
    assert abs(density - truth) <= density_error < 1e-8


def test_the_error_grows_as_the_own_logit_narrows():
    errors = []
    for sd in (1.0, 0.5, 0.3):
        event = weight_event(np.array([0.4, 0.0]), np.array([sd, 1.0]), 0)
        errors.append(invert(event, kernel_product(event), 0.0, density=False)[1])
    assert errors[0] < errors[1] < errors[2]


def test_the_continued_kernel_is_the_real_one_on_the_real_line():
    x = np.linspace(-8.0, 3.0, 12)
    found, _ = continued_kernel(x, 1.5, False, angle=0.0)
    y = x[:, None] + 1.5 * np.linspace(-9, 9, 2001)
    z = np.linspace(-9, 9, 2001)
    expected = (np.exp(-np.exp(y)) * np.exp(-(z**2) / 2)).sum(axis=1) * (z[1] - z[0]) / np.sqrt(2 * np.pi)
    np.testing.assert_allclose(found.real, expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.imag, 0.0, rtol=0, atol=1e-15)


@pytest.mark.parametrize("sd", [0.3, 0.6, 1.0, 4.0])
@pytest.mark.parametrize("density", [False, True])
def test_the_grid_holds_what_is_computed_node_by_node(sd, density):
    event = weight_event(np.zeros(3), np.array([sd, 1.0, 1.0]), 0)
    grid = own_kernel(event, kernel_product(event), np.zeros(1), density=density)
    some = slice(0, None, 50)
    values, sizes = continued_kernel(grid.x[some], sd, density)
    assert np.abs(grid.values[some] - values.imag).max() <= 1e-14 * sizes.max()
    np.testing.assert_allclose(grid.sizes[some], sizes, rtol=1e-10)
