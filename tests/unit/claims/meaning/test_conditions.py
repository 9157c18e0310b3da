"""Conditions on letters and indices."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("k_i^T k_j = 0 for i ≠ j", "holds"),
        ("k_i^T k_j = 1 for i = j", "holds"),
        ("k_i^T k_j = 0", "fails"),
        ("α_a + α_b = 1 if n = 2", "holds"),
        ("α_a → 1 as C → ∞ for q = C k_a", "holds-in-limit"),
        ("α_a → 1/2 as C → ∞ for q = C k_a", "fails"),
        ("α_a = e^C/(3e^C + n - 3) for q = C(k_a + k_b + k_c)", "holds"),
        ("α_a = e^C/(2e^C + n - 2) for q = C(k_a + k_b + k_c)", "fails"),
    ],
)
def test_conditions(claim, verdict, unchecked):
    assert check(claim, setting="orthonormal-keys").verdict == verdict


@pytest.mark.parametrize("claim", ["1/(1 + x) → 0.5 as x → 1", "σ(x) → 0 as x → −∞", "(e^x − 1)/x → 1 as x → 0"])
def test_limits_to_any_number(claim, unchecked):
    assert check(claim).is_true


@pytest.mark.parametrize(("sign", "value", "verdict"), [(">", "v_a", "holds-in-limit"), ("<", "v_a", "fails")])
def test_a_bound_on_noise_chooses_draws(sign, value, verdict):
    given = "Let k_a = (1 + g) μ_a. Let g ~ N(0, 1/2). Let q = C(μ_a + μ_b)."
    assert check(f"{given} Let g {sign} 0. Then c → {value} as C → ∞", setting="noisy-keys").verdict == verdict
