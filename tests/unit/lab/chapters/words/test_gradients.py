"""Derivatives checked live: right ones hold for every network, wrong ones are found where they are."""

import pytest
import torch

from regard.lab.chapters.words.gradients import check_derivatives, draw_network


@pytest.mark.parametrize("activation", ["sigmoid", "tanh"])
def test_the_formulas_hold_for_every_network(activation):
    for seed in range(8):
        gaps = check_derivatives(draw_network(seed, activation=activation))
        assert [gap.parameter for gap in gaps] == ["x", "w1", "b1", "w2", "b2"]
        assert all(gap.holds for gap in gaps), seed


def test_the_largest_derivative_is_that_of_autograd():
    given = draw_network(7, activation="tanh")
    parts = {name: torch.tensor(getattr(given.network, name), requires_grad=True) for name in ("w1", "b1", "w2", "b2")}
    hidden = torch.tanh(torch.tensor(given.x) @ parts["w1"] + parts["b1"])
    log_probs = torch.log_softmax(hidden @ parts["w2"] + parts["b2"], dim=1)
    (-(torch.tensor(given.y) * log_probs).sum()).backward()
    for gap in check_derivatives(given)[1:]:
        assert gap.largest == pytest.approx(float(parts[gap.parameter].grad.abs().max()), rel=1e-12)


@pytest.mark.parametrize(
    ("mistake", "wrong"), [("slope", ["x", "w1", "b1"]), ("sign", ["x", "w1", "b1", "w2", "b2"]), ("none", [])]
)
def test_a_mistake_is_found_where_it_is(mistake, wrong):
    gaps = check_derivatives(draw_network(0, activation="sigmoid"), mistake=mistake)
    assert [gap.parameter for gap in gaps if not gap.holds] == wrong


def test_the_wrong_sign_is_off_by_twice_the_derivative():
    for gap in check_derivatives(draw_network(3, activation="tanh"), mistake="sign"):
        assert gap.gaps["complex step"] == pytest.approx(2)
