"""The distribution of one weight from draws."""

import numpy as np
import pytest

from regard.noise.one_weight.event import weight_event
from regard.noise.one_weight.sampling import sample_density


@pytest.mark.parametrize("sd", [1e-100, 1e-300])
def test_slopes_whose_powers_underflow_still_have_a_density(sd):
    event = weight_event(np.zeros(3), np.full(3, sd), 0)
    value, error = sample_density(event, np.array([np.log(2)]), np.random.default_rng(0))
    truth = 1 / (sd * np.sqrt(2 * np.pi * 1.5))  # D − ln 2 is the mean of two logits minus the third
    assert np.isfinite(value[0])
    assert abs(value[0] - truth) <= error[0]
