"""Several heads together: covariances between their outputs, and when these are out of reach."""

import numpy as np
import pytest

from regard.noise import GaussianKeys, isotropic, low_rank, output_law, radial
from regard.noise.joint import estimate_seconds, independent_joint_moments
from regard.noise.keys import LogitLaw
from regard.noise.shared_noise import MAX_WORK_SECONDS, average_over_shared_noise


def classic(n, *, isotropic_variance=0.0):
    return GaussianKeys(np.eye(n), isotropic(isotropic_variance) + radial(0.5, key=0))


def pull(n, scale):
    return scale * (np.eye(n)[0] + np.eye(n)[1])


def test_the_same_query_twice_gains_nothing():
    keys = classic(10, isotropic_variance=0.01)
    once = output_law(keys, np.eye(10), pull(10, 4))
    twice = output_law(keys, np.eye(10), np.stack([pull(10, 4)] * 2))
    np.testing.assert_allclose(twice.covariance, once.covariance, rtol=1e-13)


def test_heads_that_share_noise_are_correlated():
    queries = np.stack([10 * np.eye(10)[0], pull(10, 10)])
    law = output_law(classic(10), np.eye(10), queries, combine="concat")
    correlation = law.covariance[0, 10] / np.sqrt(law.covariance[0, 0] * law.covariance[10, 10])
    assert correlation == pytest.approx(0.532, abs=5e-4)
    assert "pair integral" in law.method


def test_cross_covariance_agrees_with_draws_of_whole_keys():
    rng = np.random.default_rng(3)
    keys = GaussianKeys(rng.standard_normal((4, 3)), isotropic(0.2) + radial(0.1) + low_rank(rng.normal(size=(3, 1))))
    queries, values = rng.standard_normal((2, 3)), rng.standard_normal((4, 2))
    law = output_law(keys, values, queries, combine="concat")
    roots = np.stack([np.linalg.cholesky(keys.matrix(i)) for i in range(4)])
    noise = np.einsum("iwr,dir->diw", roots, rng.standard_normal((200_000, 4, 3)))
    logits = np.einsum("diw,hw->dhi", keys.mean + noise, queries)
    weights = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    outputs = (weights @ values).reshape(len(weights), -1)
    np.testing.assert_allclose(law.mean, outputs.mean(axis=0), atol=0.006)
    np.testing.assert_allclose(law.covariance, np.cov(outputs.T), atol=0.006)


@pytest.mark.parametrize(("sd_1", "sd_2", "is_within"), [(20.0, 20.0, True), (200.0, 200.0, False), (4e4, 1.0, False)])
def test_two_heads_whose_logits_move_together_too_far_are_out_of_reach(sd_1, sd_2, is_within):
    covariance = np.array([[sd_1**2, sd_1 * sd_2], [sd_1 * sd_2, sd_2**2]])
    logits = LogitLaw(np.array([[0.0, 1.0], [0.5, 0.0]]), np.array([covariance, np.zeros((2, 2))]))
    assert (independent_joint_moments(logits, np.eye(2)) is not None) == is_within


def test_a_law_too_long_to_integrate_is_sampled_and_says_so():
    # By conditioning, each node of the factor would need a plane of nodes for seven keys: over a minute in all.
    rng = np.random.default_rng(0)
    root = 20 * rng.standard_normal((7, 2, 2))
    loading = rng.standard_normal((1, 2, 7))
    logits = LogitLaw(100 * rng.standard_normal((2, 7)), root @ root.transpose(0, 2, 1) / 2, loading)
    assert estimate_seconds(logits) > MAX_WORK_SECONDS / 20
    found = average_over_shared_noise(logits, np.eye(7), n_draws=2**10)
    assert found.method == "sampling"
    assert 1e-4 < found.cross_error < 0.1
