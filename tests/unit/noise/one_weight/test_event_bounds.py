"""Bounds of a probability that need no integral."""

import numpy as np
import pytest

from regard.noise.one_weight.distribution import weight_exceeds
from regard.noise.one_weight.event import lower_bound, upper_bound, weight_event
from regard.noise.one_weight.inversion import invert, kernel_product


def ask(mean, sd, threshold, **options):
    return weight_exceeds(np.array(mean), np.array(sd), 0, threshold, rng=np.random.default_rng(0), **options)


@pytest.mark.slow
def test_zero_hits_prove_little_and_a_bound_proves_more():
    rng = np.random.default_rng(3)
    mean = np.append(0.0, rng.normal(-3, 0.2, 400))
    sd = np.append(0.01, rng.uniform(0.2, 0.5, 400))  # 400 different laws, the asked key's narrow
    many = weight_exceeds(mean, sd, 0, 0.05, rng=rng)
    draws = (mean + sd * rng.standard_normal((20_000, 401)))[:, 1:]
    hits = (np.log(np.exp(draws).sum(axis=1)) < np.log(19)).mean()
    assert many.method == "sampling"
    assert abs(many.value - hits) <= many.error + 0.01
    assert many.error > 1e-5
    far = weight_exceeds(mean, sd, 0, 1e-4, rng=rng)  # some 100 standard deviations away: no draw is needed
    assert (far.method, far.value, far.error < 1e-13) == ("bound", 1.0, True)


@pytest.mark.slow
def test_bounds_enclose_the_probability():
    rng = np.random.default_rng(5)
    for _ in range(15):
        mean, sd = rng.normal(0, 2, 4), 10 ** rng.uniform(-1, 1, 4)
        sd[0] = max(sd[0], 0.9)
        event, odds = weight_event(mean, sd, 0), float(rng.normal(0, 5))
        value, error = invert(event, kernel_product(event), odds, density=False)
        assert lower_bound(event, odds) <= value + error
        assert value - error <= upper_bound(event, odds)


def test_a_probability_near_one_has_the_error_of_its_last_digit():
    found = ask((1.5, 1.7, 1.5, 1.7), (0.00118, 1e-5, 1e-5, 1e-5), 0.2)
    assert (found.method, found.value) == ("bound", 1.0)
    assert found.error >= 2**-53
