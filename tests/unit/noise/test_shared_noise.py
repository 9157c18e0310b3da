"""Keys that share noise: averages over the common factors against draws."""

import numpy as np
import pytest

from regard.errors import ValueRangeError
from regard.noise import GaussianKeys, diagonal, isotropic, low_rank, output_law
from regard.noise.keys import LogitLaw
from regard.noise.shared_noise import average_over_shared_noise


@pytest.mark.slow
@pytest.mark.parametrize(("rank", "n_heads", "size"), [(1, 2, 0.3), (2, 1, 0.15)])
def test_shared_noise_by_conditioning_agrees_with_sampling(rank, n_heads, size):
    rng = np.random.default_rng(7)
    keys = GaussianKeys(np.eye(5), isotropic(0.05), shared=size * rng.standard_normal((rank, 5, 5)))
    queries = 2.0 * np.stack([np.eye(5)[0] + np.eye(5)[1], np.eye(5)[2]])[:n_heads]
    exact = output_law(keys, np.eye(5), queries, combine="concat")
    sampled = output_law(keys, np.eye(5), queries, combine="concat", method="sampling")
    assert exact.method.startswith("conditioning")
    assert exact.error < 1e-8 < sampled.error
    np.testing.assert_allclose(exact.mean, sampled.mean, atol=sampled.error)
    np.testing.assert_allclose(exact.covariance, sampled.covariance, atol=sampled.error)


@pytest.mark.slow
def test_a_factor_that_only_one_key_has_is_that_keys_own_noise():
    along = np.array([0.6, -0.2, 0.1])
    queries = np.array([[1.5, 0.5, -1.0], [0.2, 2.0, 0.3]])
    own = GaussianKeys(np.eye(3), isotropic(0.05) + low_rank(along[:, None], key=1))
    shared = np.zeros((1, 3, 3))
    shared[0, 1] = along
    conditioned = output_law(GaussianKeys(np.eye(3), isotropic(0.05), shared=shared), np.eye(3), queries)
    direct = output_law(own, np.eye(3), queries)
    assert conditioned.method.startswith("conditioning")
    np.testing.assert_allclose(conditioned.mean, direct.mean, atol=conditioned.error + direct.error)
    np.testing.assert_allclose(conditioned.covariance, direct.covariance, atol=conditioned.error + direct.error)
    assert conditioned.error < 1e-7


def test_shared_noise_too_strong_for_a_grid_is_sampled_and_says_so():
    keys = GaussianKeys(np.eye(3), isotropic(0.05), shared=900 * np.diag([1.0, 0.0, -1.0])[None])
    law = output_law(keys, np.eye(3), np.ones(3), n_draws=2**10)
    assert law.method == "sampling"
    assert law.error > 1e-6


def test_conditioning_rounds_differences_of_logits_and_not_the_logits():
    mean, loading = np.array([[0.3, 0.0, -0.5]]), np.array([[[0.5, -0.5, 0.1]]])
    exact = np.round(mean * 2.0**20) / 2.0**20  # representable beside 2³⁰, so that both laws are the same
    near, far = (
        average_over_shared_noise(LogitLaw(exact + shift, np.full((3, 1, 1), 0.04), loading), np.eye(3))
        for shift in (0.0, 2.0**30)
    )
    np.testing.assert_allclose(far.heads[0].weight_mean, near.heads[0].weight_mean, atol=near.heads[0].error)


def test_common_noise_on_all_keys_changes_nothing_but_its_differences():
    # A shared factor that moves every logit alike is invisible to softmax.
    keys = GaussianKeys(np.eye(3), isotropic(0.1))
    moved = GaussianKeys(np.eye(3), isotropic(0.1), shared=np.ones((1, 3, 3)))
    query = np.array([2.0, -1.0, 0.5])
    plain, shared = output_law(keys, np.eye(3), query), output_law(moved, np.eye(3), query)
    np.testing.assert_allclose(shared.covariance, plain.covariance, atol=1e-13)


def test_draws_that_never_see_a_rare_event_still_have_an_honest_error():
    # α_0 is almost 1 in one draw of 10 million and almost 0 in all others: 4,096 draws agree, and know nothing of it.
    keys = GaussianKeys(np.array([[-5.2e3], [0.0]]), diagonal(np.array([[1e6], [0.0]])))
    exact = output_law(keys, np.eye(2), np.ones(1))
    sampled = output_law(keys, np.eye(2), np.ones(1), method="sampling", n_draws=2**12)
    assert 1e-8 < exact.mean[0] < 1e-6
    assert abs(sampled.mean[0] - exact.mean[0]) <= sampled.error
    assert sampled.heads[0].error >= np.log(1e4) / 2**12


@pytest.mark.parametrize("values", [np.full((1, 2), 2.0**64), np.full((2, 2), 1e150), np.zeros((2, 1))])
def test_values_without_a_range_are_sampled_without_a_warning(values):
    keys = GaussianKeys(np.eye(len(values), 2), isotropic(0.1))
    law = output_law(keys, values, np.array([[1.0, 2.0], [3.0, -1.0]]), method="sampling")
    np.testing.assert_allclose(law.mean, values[0], rtol=1e-12)
    assert law.error <= 1e-12 * max(1.0, np.abs(values).max())


def test_values_whose_squares_leave_float64_are_refused_by_every_method():
    with pytest.raises(ValueRangeError, match="values must be finite and at most 1e150"):
        output_law(GaussianKeys(np.eye(2), isotropic(0.1)), np.diag([1e151, 0.0]), np.ones(2), method="sampling")
