"""The gate: its gradient by central differences, its optimum where it is known."""

import numpy as np
from numpy.testing import assert_allclose

from regard.models.ngram.context_mixing import RIDGE, Gate, fit_gate, gate_features, mean_surprise


def test_the_gradient_is_that_of_central_differences():
    rng = np.random.default_rng(0)
    matrix, features, probs = rng.standard_normal((3, 4)), rng.standard_normal((20, 3)), rng.random((20, 4))
    _, gradient = mean_surprise(matrix, features, probs)
    for place in np.ndindex(3, 4):
        step = np.zeros((3, 4))
        step[place] = 1e-5
        up, down = (mean_surprise(matrix + sign * step, features, probs)[0] for sign in (1, -1))
        assert_allclose(gradient[place], (up - down) / 2e-5, atol=1e-9)


def test_features_by_hand():
    tallies = [np.array([[9, 1, 1, 1]]), np.array([[5, 2, 0, 1]]), np.array([[0, 0, 0, 0]])]
    assert_allclose(gate_features(tallies), [[1, np.log(6), np.log(4), 0, 0]])


def test_a_gate_learns_which_order_to_trust_where():
    rng = np.random.default_rng(1)
    seen = rng.integers(0, 2, 4000).astype(float)
    features = np.stack([np.ones(4000), seen], axis=1)
    right, wrong = np.full(4000, 0.9), np.full(4000, 0.1)
    probs = np.where(seen[:, None] > 0, np.stack([wrong, right], axis=1), np.stack([right, wrong], axis=1))
    weights = fit_gate(features, probs).weights(np.array([[1.0, 0.0], [1.0, 1.0]]))
    assert_allclose(weights.sum(axis=1), 1, rtol=1e-14)
    assert weights[0, 0] > 0.95
    assert weights[1, 1] > 0.95


def test_a_fitted_gate_balances_surprise_and_its_pull_to_equal_weights():
    rng = np.random.default_rng(3)
    features, probs = np.ones((200, 1)), rng.random((200, 3)) * [0.2, 0.9, 0.5]
    matrix = fit_gate(features, probs).matrix
    surprise, gradient = mean_surprise(matrix, features, probs)
    assert_allclose(gradient + RIDGE / 200 * matrix, 0, atol=1e-5)
    penalised = surprise + RIDGE / 400 * (matrix**2).sum()
    for _ in range(20):
        other = matrix + 0.1 * rng.standard_normal(matrix.shape)
        assert mean_surprise(other, features, probs)[0] + RIDGE / 400 * (other**2).sum() > penalised


def test_constant_features_and_few_positions_do_no_harm():
    gate = fit_gate(np.array([[1.0, 3.0, 0.0]]), np.array([[0.2, 0.4]]))
    assert np.isfinite(gate.matrix).all()
    assert_allclose(fit_gate(np.zeros((0, 3)), np.zeros((0, 2))).matrix, 0)
    assert_allclose(Gate(np.zeros((3, 2))).weights(np.ones((1, 3))), 0.5)


def test_a_gate_fitted_on_a_sample_is_close_to_that_of_all_positions(monkeypatch):
    rng = np.random.default_rng(2)
    features = np.stack([np.ones(6000), rng.random(6000)], axis=1)
    probs = rng.random((6000, 3)) * [0.5, 0.3, 0.9]
    whole = fit_gate(features, probs)
    monkeypatch.setattr("regard.models.ngram.context_mixing.MAX_POSITIONS", 3000)
    sample = fit_gate(features, probs)
    assert not np.array_equal(sample.matrix, whole.matrix)
    assert_allclose(sample.weights(features), whole.weights(features), atol=0.05)
