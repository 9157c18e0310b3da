"""The event that a weight exceeds a threshold: one normal variable decides it, and rounding is part of the error."""

import numpy as np
import pytest
from scipy.special import ndtr

from regard.noise.one_weight.distribution import log_odds, weight_density, weight_exceeds
from regard.noise.one_weight.event import weight_event

RNG = np.random.default_rng(0)


def ask(mean, sd, threshold, **options):
    return weight_exceeds(np.array(mean), np.array(sd), 0, threshold, rng=np.random.default_rng(0), **options)


@pytest.mark.parametrize(
    ("mean", "sd", "threshold"),
    [
        ((2.166, -0.793), (0.882, 32.29), 0.9),
        ((1.582, 0.154), (3.638, 57.91), 0.001),
        ((-13.79, 14.71), (5.8e-5, 4.824), 0.1),
        ((-3.54, -1.43), (3.6e-4, 0.894), 0.9),
    ],
)
def test_two_keys_are_one_normal_difference(mean, sd, threshold):
    gap = mean[0] - mean[1] + np.log1p(-threshold) - np.log(threshold)
    truth = ndtr(gap / np.hypot(*sd))
    found = ask(mean, sd, threshold)
    assert abs(found.value - truth) <= found.error + 1e-15
    assert found.value == pytest.approx(truth, rel=1e-12, abs=0)
    h = 1e-6
    slope = (ask(mean, sd, threshold * (1 - h)).value - ask(mean, sd, threshold * (1 + h)).value) / (2 * h * threshold)
    density = weight_density(np.array(mean), np.array(sd), 0, threshold, rng=RNG)
    assert density.value == pytest.approx(slope, rel=1e-5, abs=0)


def test_one_noisy_rival_must_stay_in_the_room_that_certain_keys_leave():
    found = ask((1.0, 0.0, 0.3), (0.0, 0.0, 2.0), 0.4)
    assert found.method == "closed form"
    assert found.value == pytest.approx(ndtr((np.log(1.5 * np.e - 1) - 0.3) / 2), rel=1e-13, abs=0)
    assert ask((0.0, 1.0, 0.3), (0.0, 0.0, 2.0), 0.4).value == 0  # e¹ alone is more than 1.5 e⁰


def test_no_density_exceeds_the_largest_slope():
    rng = np.random.default_rng(11)
    for place in range(30):
        mean, sd = rng.normal(0, 1, 3), 10 ** rng.uniform(-2, 1, 3)
        sd[place % 3] = 0.0
        event, threshold = weight_event(mean, sd, 0), float(rng.uniform(0.05, 0.6))
        density = weight_density(mean, sd, 0, threshold, rng=rng)
        slope = event.max_slope(float(log_odds(np.array(threshold))))
        assert density.value * threshold * (1 - threshold) <= slope + density.error


@pytest.mark.parametrize("sd", [1e-300, 5e-324])
def test_noise_that_is_nothing_beside_the_widest_counts_as_rounding(sd):
    mean = (0.5, 1.0, 0.1, 0.5, 0.0)
    found, certain = (ask(mean, (0.0, 0.0035, width, width, width), 0.2) for width in (sd, 0.0))
    assert found.value == certain.value
    assert found.error < 1e-12
