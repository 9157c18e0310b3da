import numpy as np
import pytest
from tests.support.bigram_networks import random_network

from regard.errors import ShapeError
from regard.models import bigram as bigram_network
from regard.models.bigram import one_hot
from regard.training.bigram import gradient_check
from regard.training.bigram.gradient_check import central_difference, check_gradients, check_random, complex_step


def test_measurements_of_a_known_derivative():
    at, places = np.array([[0.5, -1.0], [2.0, 3.0]]), np.array([3, 0])
    expected = np.exp(at).ravel()[places]
    np.testing.assert_allclose(central_difference(lambda x: np.exp(x).sum(), at, places), expected, rtol=1e-8)
    np.testing.assert_allclose(complex_step(lambda x: np.exp(x).sum(), at, places), expected, rtol=1e-15)


@pytest.mark.parametrize("activation", ["sigmoid", "tanh"])
def test_all_derivatives_hold_for_soft_targets(activation):
    rows = check_random(np.random.default_rng(0), activation=activation)
    assert [row.parameter for row in rows] == ["logits", "x", "w1", "b1", "w2", "b2"]
    assert [row.n_tried for row in rows] == [21, 15, 20, 4, 28, 7]
    assert all(row.complex_step < 1e-13 and row.central_difference < 1e-8 and row.holds for row in rows)


def test_float32_networks_are_checked_in_float64_and_large_ones_at_random_places():
    rng = np.random.default_rng(3)
    network = random_network(width=6, hidden=8, vocab=40)
    x, y = network.vectors[:4].astype(np.float32), one_hot(np.arange(4), vocab=40)
    rows = check_gradients(network, x, y, rng, max_entries=25)
    assert all(row.holds for row in rows)
    assert [(row.n_entries, row.n_tried) for row in rows[4:]] == [(320, 25), (40, 25)]


def test_a_forgotten_derivative_shows(monkeypatch):
    wrong = bigram_network.ACTIVATIONS["sigmoid"]._replace(derivative=np.ones_like)
    monkeypatch.setitem(bigram_network.ACTIVATIONS, "sigmoid", wrong)
    failed = [row.parameter for row in check_random(np.random.default_rng(0)) if not row.holds]
    assert failed == ["x", "w1", "b1"]


def test_a_target_that_does_not_sum_to_one_needs_its_sum(monkeypatch):
    """ŷ − y alone would be wrong here."""
    network, y = random_network(), np.array([[3.0, 0.0, 1.0, 0.0, 0.0]])
    assert all(row.holds for row in check_gradients(network, network.vectors[:1], y, np.random.default_rng(0)))
    monkeypatch.setattr(gradient_check, "logit_gradient", lambda log_probs, y: np.exp(log_probs) - y)
    assert not check_gradients(network, network.vectors[:1], y, np.random.default_rng(0))[0].holds


@pytest.mark.usefixtures("unchecked")
def test_rows_must_match():
    network = random_network()
    with pytest.raises(ShapeError, match="each vector needs one row of targets; got 6 and 1 rows"):
        check_gradients(network, network.vectors, np.ones((1, 5)), np.random.default_rng(0))
