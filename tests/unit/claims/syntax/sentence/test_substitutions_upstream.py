"""Losses of which only the gradients are related."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.grammar import parse


def defines_loss(text):
    return any(one.comparison == "=" and getattr(one.left, "name", "") == "L" for one in parse(text).premises)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("z = Wx, δ = ∂L/∂z ⇒ ∂L/∂W = δ xᵀ", "holds"),
        ("z = Wx, δ = ∂L/∂z ⇒ ∂L/∂W = x δᵀ", "fails"),
        ("z = Wx ⇒ ∂L/∂x = Wᵀ ∂L/∂z", "holds"),
        ("z = Wx ⇒ ∂L/∂x = W ∂L/∂z", "fails"),
        ("p = softmax(z), g_i = ∂L/∂p_i ⇒ ∂L/∂z_i = p_i (g_i − Σ_j g_j p_j)", "holds"),
        ("p = softmax(z), g_i = ∂L/∂p_i ⇒ ∂L/∂z_i = p_i (g_i − Σ_j g_j)", "fails"),
        ("p = softmax(z), g = ∂L/∂p ⇒ ∂L/∂z = p ⊙ (g − gᵀp)", "holds"),
    ],
)
def test_what_holds_of_one_loss_without_symmetry_holds_of_all(text, verdict):
    assert check(text).verdict == verdict


def test_a_loss_that_the_claim_speaks_of_is_left_alone():
    assert not defines_loss("z = Wx, δ = ∂L/∂z, L > 0 ⇒ ∂L/∂W = δ xᵀ")
    assert not defines_loss("z = Wx ⇒ ∂L/∂z = x")
    assert not defines_loss("z = Wx, δ = ∂L/∂z ⇒ ∂L/∂W = x xᵀ")
    assert defines_loss("z = Wx, δ = ∂L/∂z ⇒ ∂L/∂W = δ xᵀ")
