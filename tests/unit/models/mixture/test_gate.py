"""The gate of a mixture: both forms by hand, the gradient against differences, the fit against what is known."""

import numpy as np
import pytest

from regard.models.mixture import gate as mixture_gate
from regard.models.mixture.gate import MixtureGate, fit_mixture_gate, mean_surprise

P, Q = np.log([[0.5, 0.3, 0.2]]), np.log([[0.1, 0.1, 0.8]])


def drawn_members(seed=0, n=400, vocab=5):
    rng = np.random.default_rng(seed)
    scores = 2 * rng.standard_normal((2, n, vocab))
    members = scores - np.log(np.exp(scores).sum(-1, keepdims=True))
    features = np.concatenate([np.ones((n, 1)), rng.standard_normal((n, 2))], axis=1)
    return rng, features, members


def test_a_linear_mixture_adds_up():
    gate = MixtureGate("linear", np.array([[np.log(3.0), 0.0]]))
    weights = gate.weights(np.ones((1, 1)))
    np.testing.assert_allclose(weights, [[0.75, 0.25]], rtol=1e-15)
    np.testing.assert_allclose(np.exp(gate.mix([P, Q], weights)), [[0.4, 0.25, 0.35]], rtol=1e-14)


def test_a_geometric_mixture_multiplies_and_divides_by_the_sum():
    gate = MixtureGate("geometric", np.array([[1.0, 0.5]]))
    weights = gate.weights(np.ones((1, 1)))
    raw = np.array([0.5 * 0.1**0.5, 0.3 * 0.1**0.5, 0.2 * 0.8**0.5])
    np.testing.assert_allclose(np.exp(gate.mix([P, Q], weights))[0], raw / raw.sum(), rtol=1e-14)


def test_what_is_impossible_for_a_member_harms_no_mixture():
    never = np.array([[0.0, -np.inf, -np.inf]])
    for form in ("linear", "geometric"):
        for row in ([[1.0, 0.5]], [[1.0, -0.5]]):
            gate = MixtureGate(form, np.array(row))
            mixed = gate.mix([P, never], gate.weights(np.ones((1, 1))))
            assert np.exp(mixed).sum() == pytest.approx(1, abs=1e-12)


def test_weights_of_a_position_do_not_depend_on_what_stands_around_it():
    _, features, _ = drawn_members()
    gate = MixtureGate("geometric", np.random.default_rng(1).standard_normal((3, 2)))
    np.testing.assert_array_equal(gate.weights(features)[:7], gate.weights(features[:7]))


def test_the_gradient_is_that_of_differences():
    rng, features, members = drawn_members(n=30)
    ids, matrix, step = rng.integers(5, size=30), rng.standard_normal((3, 2)), 1e-6
    _, gradient = mean_surprise(matrix, features, members, ids)
    for place in np.ndindex(matrix.shape):
        more, less = matrix.copy(), matrix.copy()
        more[place] += step
        less[place] -= step
        difference = mean_surprise(more, features, members, ids)[0] - mean_surprise(less, features, members, ids)[0]
        assert gradient[place] == pytest.approx(difference / (2 * step), abs=1e-8)


def test_a_geometric_gate_is_found_again_from_what_it_draws(monkeypatch):
    monkeypatch.setattr(mixture_gate, "FEATURE_RIDGE", 5.0)
    rng, features, members = drawn_members(n=30_000)
    features[:, 1] += 3
    truth = MixtureGate("geometric", np.array([[0.9, 0.4], [0.3, -0.2], [0.0, 0.1]]))
    probs = np.exp(truth.mix(list(members), truth.weights(features)))
    ids = (probs.cumsum(axis=1) < rng.random((len(probs), 1))).sum(axis=1)
    found = fit_mixture_gate("geometric", features, members, ids)
    np.testing.assert_allclose(found.matrix, truth.matrix, atol=0.06)


def test_a_linear_gate_trusts_the_member_that_is_right():
    members = np.stack([np.repeat(P, 200, axis=0), np.repeat(Q, 200, axis=0)])
    gate = fit_mixture_gate("linear", np.ones((200, 1)), members, np.full(200, 2))
    assert gate.weights(np.ones((1, 1)))[0, 1] > 0.9


def test_features_that_never_change_are_no_trouble():
    rng, features, members = drawn_members()
    features[:, 2] = 7.0
    gate = fit_mixture_gate("geometric", features, members, rng.integers(5, size=len(features)))
    assert np.isfinite(gate.matrix).all()
