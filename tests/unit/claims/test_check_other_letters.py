"""Claims with other letters than a setting for the same things."""

import pytest

from regard.claims.check import check, doubt_target, known_letters, with_any_target
from regard.claims.meaning.setting import find_setting


def test_formulas_of_a_network_are_read_in_its_setting():
    claim = "δ = (ŷ − y) W₂ᵀ ⟹ ∂J/∂W₁ = xᵀ(δ ⊙ h)"
    assert known_letters(claim, None) == (claim, find_setting("one-hidden-layer"))
    assert check(claim).verdict == "fails"
    assert check(claim.replace("⊙ h", "⊙ h ⊙ (1 − h)")).verdict == "holds"


def test_a_network_with_another_activation_is_another_one():
    assert known_letters("h = tanh(x W_1 + b_1) ⟹ ∂J/∂b_1 = (ŷ − y) W_2^T", None) is None
    assert known_letters("∂J/∂W_1 = 0", find_setting("attention")) is None


@pytest.mark.parametrize(("gradient", "verdict"), [("softmax(θ) − y", "fails"), ("(Σ_j y_j) softmax(θ) − y", "holds")])
def test_a_target_that_may_be_any_vector_need_not_sum_to_one(gradient, verdict):
    claim = f"If y is any vector, then ∇_θ(−Σ_i y_i log softmax(θ)_i) = {gradient}."
    assert with_any_target(claim).startswith("If w is any vector")
    assert check(claim).verdict == verdict
    assert check(claim).claim == claim


def test_what_holds_only_of_distributions_is_left_open():
    found = check("∂CE/∂θ = ŷ − y")
    assert found.verdict == "holds"
    assert doubt_target(found).verdict == "not-understood"
