"""Part B of the tour: formulas against measurements, and a wrong formula that is noticed."""

import numpy as np
import pytest

from regard.models.bigram import BigramNetwork
from regard.studies.tour import gradients


@pytest.mark.parametrize("identifier", ["B1", "B2"])
def test_every_answer_keeps_the_rules(keeps_the_rules, identifier):
    keeps_the_rules(identifier)


def test_the_gradient_of_the_logits(answer):
    found = answer("B1")
    assert found.number("largest gap to complex steps").value < 1e-15
    assert found.number("largest gap to central differences").value < 1e-8
    theta, y, predicted, claimed, *_ = np.array(found.tables[0].rows).T
    np.testing.assert_allclose(predicted, np.exp(theta) / np.exp(theta).sum(), rtol=1e-14)
    np.testing.assert_allclose(claimed, predicted - y, atol=1e-15)


def test_the_network_is_checked_in_three_ways(answer):
    found = answer("B2")
    assert found.number("largest gap to complex steps").value < 1e-13
    assert found.number("largest gap to autograd").value < 1e-13
    assert [row[0] for row in found.tables[0].rows] == ["θ", "x", "W₁", "b₁", "W₂", "b₂"]
    assert sum(row[1] for row in found.tables[0].rows) == 95


def test_autograd_notices_a_formula_that_is_wrong(monkeypatch):
    rng = np.random.default_rng(0)
    shapes = [(3, 2), (2, 2), (2,), (2, 3), (3,)]
    network = BigramNetwork(*(rng.standard_normal(shape) for shape in shapes))
    x, y = rng.standard_normal((2, 2)), rng.dirichlet(np.ones(3), size=2)
    assert max(gradients.autograd_gaps(network, x, y).values()) < 1e-14
    monkeypatch.setattr(gradients, "logit_gradient", lambda log_probs, y: y - np.exp(log_probs))
    assert gradients.autograd_gaps(network, x, y)["logits"] > 0.01
