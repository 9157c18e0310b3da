"""Draws of keys: they follow the law, and error bars of sampled moments hold."""

import numpy as np

from regard.noise import GaussianKeys, isotropic, output_law, radial


def classic(n, *, isotropic_variance=0.0):
    return GaussianKeys(np.eye(n), isotropic(isotropic_variance) + radial(0.5, key=0))


def pull(n, scale):
    return scale * (np.eye(n)[0] + np.eye(n)[1])


def test_sampling_error_bars_hold():
    keys = classic(6, isotropic_variance=0.05)
    exact = output_law(keys, np.eye(6), pull(6, 3))
    for seed in range(5):
        sampled = output_law(keys, np.eye(6), pull(6, 3), method="sampling", seed=seed, n_draws=2**12)
        assert np.abs(sampled.covariance - exact.covariance).max() <= sampled.error + exact.error
        assert np.abs(sampled.mean - exact.mean).max() <= sampled.error + exact.error


def test_samples_follow_the_law():
    law = output_law(classic(4, isotropic_variance=0.02), np.eye(4), np.stack([pull(4, 3), 3 * np.eye(4)[2]]))
    draws = law.sample(np.random.default_rng(0), 100_000)
    np.testing.assert_allclose(draws.mean(axis=0), law.mean, atol=0.005)
    np.testing.assert_allclose(np.cov(draws.T), law.covariance, atol=0.003)
