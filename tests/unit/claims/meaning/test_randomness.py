"""Letters that a claim makes random."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("X ~ N(μ, σ^2) ⇒ E[X^2] = μ^2 + σ^2", "holds"),
        ("X ~ N(μ, σ^2) ⇒ a X + b ~ N(a μ + b, a σ^2)", "fails"),
        ("z ~ N(0, I_d) ⇒ E‖z‖^2 = d", "holds"),
        ("q, k ~ N(0, I_d) independent ⇒ Var(q^T k) = d", "holds"),
    ],
)
def test_declared_letters(claim, verdict, unchecked):
    assert check(claim).verdict == verdict


def test_a_random_key_is_set_and_a_fixed_one_pinned(unchecked):
    claim = "γ ~ N(0, 1/2), k_a = (1 + γ) μ_a ⇒ Var(k_a^T μ_a) = 1/2"
    assert check(claim, setting="noisy-keys").is_true
    assert check("k_a = 1.5 μ_a ⇒ k_a^T μ_a = 3/2", setting="noisy-keys").verdict == "holds"


def test_a_size_that_nothing_tells_is_that_of_the_setting():
    """Mean and variance had one unknown size, which became its own value: looking it up never ended."""
    claim = "x_a ∼ N(m_a, s I), x_b ∼ N(m_b, s I) independent, w = c(m_a + m_b), m orthonormal ⇒ Var(x_a^T w) = 2 s c²"
    assert check(claim).verdict != "fails"
