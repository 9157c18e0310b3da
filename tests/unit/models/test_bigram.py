import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.support.bigram_networks import random_network

from regard.errors import ShapeError, ValueRangeError
from regard.models.bigram import (
    PARAMETERS,
    BigramNetwork,
    backward,
    cross_entropy,
    forward,
    log_softmax,
    logit_gradient,
    next_log_probs,
    one_hot,
    rename_parameters,
)


def test_worked_by_hand():
    """One unit: z = 2·1 + (−2) = 0, h = ½, logits (½·4, 0) − shifted by b₂ to (ln 3, 0)."""
    network = BigramNetwork(
        np.array([[2.0]]), np.array([[1.0]]), np.array([-2.0]), np.array([[4.0, 0.0]]), np.array([math.log(3) - 2, 0.0])
    )
    hidden, log_probs = forward(network.vectors, network)
    np.testing.assert_allclose(hidden, [[0.5]])
    np.testing.assert_allclose(np.exp(log_probs), [[0.75, 0.25]])
    y = np.array([[0.0, 1.0]])
    np.testing.assert_allclose(cross_entropy(log_probs, y), [math.log(4)])
    gradients = backward(network.vectors, forward(network.vectors, network), y, network)
    # δ = (¾, −¾), δ W₂ᵀ = 3, σ′ = ¼, dz = ¾
    np.testing.assert_allclose(gradients.b2, [0.75, -0.75])
    np.testing.assert_allclose(gradients.w2, [[0.375, -0.375]])
    np.testing.assert_allclose(gradients.b1, [0.75])
    np.testing.assert_allclose(gradients.w1, [[1.5]])
    np.testing.assert_allclose(gradients.x, [[0.75]])


def test_tanh_by_hand():
    network = BigramNetwork(
        np.array([[1.0]]), np.array([[2.0]]), np.array([0.0]), np.array([[1.0, -1.0]]), np.zeros(2), activation="tanh"
    )
    h = math.tanh(2)
    assert forward(network.vectors, network).hidden[0, 0] == pytest.approx(h)
    assert next_log_probs(network)[0, 0] == pytest.approx(h - math.log(math.exp(h) + math.exp(-h)))


@pytest.mark.parametrize("activation", ["sigmoid", "tanh"])
@pytest.mark.parametrize("targets", ["one-hot", "soft", "counts"])
def test_derivatives_are_those_of_autograd(activation, targets):
    rng = np.random.default_rng(1)
    network, x = random_network(activation=activation), rng.standard_normal((6, 3))
    y = {
        "one-hot": one_hot(rng.integers(0, 5, 6), vocab=5),
        "soft": rng.dirichlet(np.ones(5), 6),
        "counts": rng.integers(0, 9, (6, 5)).astype(float),
    }[targets]
    leaf = {name: torch.tensor(getattr(network, name), requires_grad=True) for name in PARAMETERS[1:]}
    leaf["x"] = torch.tensor(x, requires_grad=True)
    squash = {"sigmoid": torch.sigmoid, "tanh": torch.tanh}[activation]
    logits = squash(leaf["x"] @ leaf["w1"] + leaf["b1"]) @ leaf["w2"] + leaf["b2"]
    loss = -(torch.tensor(y) * torch.log_softmax(logits, dim=1)).sum()
    loss.backward()
    passed = forward(x, network)
    assert cross_entropy(passed.log_probs, y).sum() == pytest.approx(loss.item(), rel=1e-13)
    for name, derivative in backward(x, passed, y, network)._asdict().items():
        np.testing.assert_allclose(derivative, leaf[name].grad, rtol=1e-12, atol=1e-13, err_msg=name)


def test_logit_gradient_is_prediction_minus_target_for_any_target_that_sums_to_one():
    log_probs = np.log([[0.2, 0.3, 0.5]])
    for y in ([[0.0, 1.0, 0.0]], [[0.1, 0.2, 0.7]], [[-1.0, 0.5, 1.5]]):
        np.testing.assert_allclose(logit_gradient(log_probs, np.array(y)), np.exp(log_probs) - y)


def test_logits_of_any_size_and_units_far_from_zero():
    with np.errstate(all="raise", under="ignore"):
        expected = [[-math.log(2), -math.log(2), -2e5 - math.log(2)]]
        np.testing.assert_allclose(log_softmax(np.array([[1e5, 1e5, -1e5]])), expected)
        network = replace(random_network(), b1=np.array([1e4, -1e4, 800.0, -800.0]))
        assert set(forward(network.vectors, network).hidden.ravel()) == {0.0, 1.0}


def test_complex_numbers_go_through_and_real_parts_stay_the_same():
    network, x = random_network(), np.random.default_rng(2).standard_normal((2, 3))
    complex_log_probs = forward(x + 0j, network).log_probs
    assert complex_log_probs.dtype == np.complex128
    np.testing.assert_allclose(complex_log_probs, forward(x, network).log_probs, rtol=1e-14)


def test_each_context_asked_for_gets_its_own_row():
    network = random_network()
    every = next_log_probs(network)
    assert every.shape == (6, 5)
    np.testing.assert_allclose(np.exp(every).sum(axis=1), 1)
    np.testing.assert_allclose(next_log_probs(network, np.array([5, 0, 5])), every[[5, 0, 5]])


def test_respelt_networks_say_the_same():
    network = random_network()
    other = rename_parameters(network, "tanh")
    np.testing.assert_allclose(next_log_probs(other), next_log_probs(network), rtol=1e-13)
    back = rename_parameters(other, "sigmoid")
    for name in PARAMETERS:
        np.testing.assert_allclose(getattr(back, name), getattr(network, name), rtol=1e-13)
    assert rename_parameters(network, "sigmoid") is network


@pytest.mark.usefixtures("unchecked")
def test_wrong_sizes_and_words_are_refused():
    network = random_network()
    with pytest.raises(ShapeError, match=r"must chain from width to vocabulary; got .*'w2': \(4, 4\)"):
        replace(network, w2=network.w2[:, :4])
    with pytest.raises(ValueRangeError, match="must be one of 'sigmoid', 'tanh'; got 'relu'"):
        replace(network, activation="relu")
