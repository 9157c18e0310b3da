"""Two noisy logits by one integral over panels: against draws, with the error that it states."""

import numpy as np
import pytest

from regard.noise.one_weight.event import weight_event
from regard.noise.one_weight.quadrature import integrate, integrate_two_noisy


@pytest.mark.parametrize(
    ("function", "edges", "truth"),
    [
        (np.exp, [0.0, 1.0], np.e - 1),
        (lambda x: np.sqrt(np.abs(x)), [-1.0, 0.0, 1.0], 4 / 3),
        (lambda x: 1e-3 / (x**2 + 1e-6), [-1.0, 0.3, 1.0], 2 * np.arctan(1e3)),
    ],
)
def test_the_error_of_an_integral_holds(function, edges, truth):
    value, error = integrate(function, np.array(edges))
    assert abs(value - truth) <= error < 1e-9


@pytest.mark.parametrize("sd", [(0.7, 1.3, 0.0), (0.0, 1.3, 0.4)], ids=["own and another", "two others"])
def test_two_noisy_logits_agree_with_draws(sd):
    mean, sd, odds = np.array([0.5, 0.0, -0.2]), np.array(sd), 0.3
    event = weight_event(mean, sd, 0)
    draws = mean + sd * np.random.default_rng(2).standard_normal((200_000, 3))
    share = (draws[:, 0] + odds > np.log(np.exp(draws[:, 1:]).sum(axis=1))).mean()
    found = integrate_two_noisy(event, odds, density=False)
    assert (found.method, found.error < 1e-12) == ("quadrature", True)
    assert found.value == pytest.approx(share, abs=0.006)  # five standard errors of the draws
    h = 1e-4
    slope = [integrate_two_noisy(event, odds + step, density=False).value for step in (-h, h)]
    density = integrate_two_noisy(event, odds, density=True)
    assert density.value == pytest.approx((slope[1] - slope[0]) / (2 * h), abs=1e-7)


def test_other_numbers_of_noisy_logits_are_left_to_other_methods():
    for sd in ((0.0, 1.0, 0.0), (1.0, 1.0, 1.0)):
        assert integrate_two_noisy(weight_event(np.zeros(3), np.array(sd), 0), 0.0, density=False) is None
