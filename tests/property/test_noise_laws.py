"""Laws that every output law obeys, whatever the keys."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.noise import GaussianKeys, head_moments, isotropic, output_law, radial
from regard.noise.integral import Precision, weight_integral

FINER = Precision(step=0.125, depth=60.0, same_law=1e-15, stencil=0)


@st.composite
def logits(draw, *, most=6, widest=30.0):
    n = draw(st.integers(2, most))
    seed = draw(st.integers(0, 2**32 - 1))
    size = draw(st.sampled_from([0.3, 2.0, 10.0]))
    sd = draw(st.lists(st.one_of(st.just(0.0), st.floats(1e-3, widest)), min_size=n, max_size=n))
    return size * np.random.default_rng(seed).standard_normal(n), np.array(sd)


@settings(max_examples=40, deadline=None)
@given(logits())
def test_mean_weights_are_a_distribution_and_squares_lie_between(law):
    mean, sd = law
    found = head_moments(mean, sd, np.eye(len(mean)))
    assert abs(found.weight_mean.sum() - 1) <= max(found.error, 1e-12)
    assert (found.weight_mean >= -1e-15).all()
    assert (found.weight_square <= found.weight_mean + 1e-13).all()
    assert (found.weight_square >= found.weight_mean**2 - 1e-13).all()
    assert np.linalg.eigvalsh(found.output_covariance).min() > -1e-13


@settings(max_examples=25, deadline=None)
@given(logits(), st.floats(-50, 50))
def test_shifting_all_logits_changes_nothing(law, shift):
    mean, sd = law
    values = np.eye(len(mean))
    before, after = head_moments(mean, sd, values), head_moments(mean + shift, sd, values)
    np.testing.assert_allclose(after.weight_mean, before.weight_mean, atol=1e-11)
    np.testing.assert_allclose(after.output_covariance, before.output_covariance, atol=1e-11)


@settings(max_examples=25, deadline=None)
@given(logits(), st.randoms(use_true_random=False))
def test_permuting_keys_permutes_weights(law, random):
    mean, sd = law
    order = np.array(random.sample(range(len(mean)), len(mean)))
    values = np.eye(len(mean))
    before, after = head_moments(mean, sd, values), head_moments(mean[order], sd[order], values)
    np.testing.assert_allclose(after.weight_mean, before.weight_mean[order], atol=1e-12)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(logits(most=12))
def test_error_bars_hold_for_both_integrals(law):
    mean, sd = law
    fine = weight_integral(mean, sd, precision=FINER)
    truth = fine.mass @ fine.of_keys(1), fine.mass @ fine.of_keys(2)
    for method in ("integral", "fast integral"):
        found = head_moments(mean, sd, np.eye(len(mean)), method=method)
        assert np.abs(found.weight_mean - truth[0]).max() <= found.error
        assert np.abs(found.weight_square - truth[1]).max() <= found.error


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_rotating_keys_and_queries_together_changes_nothing(seed, n):
    rng = np.random.default_rng(seed)
    mean, queries, values = rng.standard_normal((n, 4)), rng.standard_normal((1, 4)), rng.standard_normal((n, 2))
    turn = np.linalg.qr(rng.standard_normal((4, 4)))[0]
    noise = isotropic(0.1) + radial(0.5, key=0)
    before = output_law(GaussianKeys(mean, noise), values, queries)
    after = output_law(GaussianKeys(mean @ turn, noise), values, queries @ turn)
    np.testing.assert_allclose(after.mean, before.mean, atol=1e-11)
    np.testing.assert_allclose(after.covariance, before.covariance, atol=1e-11)


@settings(max_examples=10, deadline=None)
@given(logits(most=4, widest=4.0), st.integers(0, 2**32 - 1))
def test_moments_agree_with_draws(law, seed):
    mean, sd = law
    rng = np.random.default_rng(seed)
    draws = mean + sd * rng.standard_normal((20_000, len(mean)))
    weights = np.exp(draws - draws.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    found = head_moments(mean, sd, np.eye(len(mean)))
    spread = np.sqrt(found.weight_variance / 20_000)
    assert (np.abs(weights.mean(axis=0) - found.weight_mean) <= 6 * spread + 1e-6).all()
