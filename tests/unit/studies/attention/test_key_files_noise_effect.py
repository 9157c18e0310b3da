"""The law of a query's weights under noise, where it can be worked out by hand."""

import numpy as np
import pytest

from regard.noise import GaussianKeys, isotropic
from regard.studies.attention.key_files import noise_effect


def test_without_noise_the_weights_are_those_of_the_softmax():
    # Scores ln 2, 0 and 0: weights 1/2, 1/4 and 1/4.
    keys = GaussianKeys(np.eye(3), isotropic(0.0))
    effect = noise_effect(keys, np.array([np.log(2), 0, 0]), np.array([True, False, True]))
    np.testing.assert_allclose(effect.weight_mean, [0.5, 0.25, 0.25], rtol=1e-12)
    np.testing.assert_allclose(effect.weight_sd, 0, atol=1e-9)
    assert effect.wanted_mean == pytest.approx(0.75, rel=1e-12)
    assert effect.wanted_sd == pytest.approx(0, abs=1e-9)


def test_the_weight_on_one_wanted_key_is_that_keys_own():
    keys = GaussianKeys(np.eye(3), isotropic(0.3))
    effect = noise_effect(keys, np.array([1.0, -0.5, 0.2]), np.array([False, True, False]))
    assert effect.weight_mean.sum() == pytest.approx(1, abs=1e-6)
    assert effect.wanted_mean == pytest.approx(effect.weight_mean[1], abs=1e-6)
    assert effect.wanted_sd == pytest.approx(effect.weight_sd[1], abs=1e-6)
    assert effect.wanted_sd > 0.01


def test_two_equal_noisy_keys_share_the_weight_and_their_spread():
    # Two weights that sum to 1 vary alike, each about 1/2; together they are certain.
    keys = GaussianKeys(np.zeros((2, 2)), isotropic(0.5))
    query = np.array([1.0, 1.0])
    both = noise_effect(keys, query, np.array([True, True]))
    np.testing.assert_allclose(both.weight_mean, 0.5, atol=1e-9)
    assert both.weight_sd[0] == pytest.approx(both.weight_sd[1], abs=1e-9)
    assert (both.wanted_mean, both.wanted_sd) == (pytest.approx(1, abs=1e-9), pytest.approx(0, abs=1e-4))
    # The weight is σ(x) with x normal, of variance |q|² · 0.5 · 2 = 2.
    x, step = np.linspace(-15, 15, 20001, retstep=True)
    density = np.exp(-(x**2) / 4) / np.sqrt(4 * np.pi)
    variance = ((1 / (1 + np.exp(-x)) - 0.5) ** 2 * density).sum() * step
    assert both.weight_sd[0] == pytest.approx(np.sqrt(variance), rel=1e-6)
