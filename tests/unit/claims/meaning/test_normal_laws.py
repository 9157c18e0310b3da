"""Densities, entropies and divergences of normal laws, each with a claim that is false by a factor or a sign."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("N(0; 0, 1) = 1/√(2π)", "holds"),
        ("log N(x | μ, σ²) = −½ log(2πσ²) − (x−μ)²/(2σ²)", "holds"),
        ("log N(x | μ, σ²) = −½ log(2πσ²) − (x−μ)²/σ²", "fails"),
        ("∇_x log N(x; μ, Σ) = −Σ^{-1}(x − μ)", "holds"),
        ("KL(N(μ, σ²) ‖ N(0, 1)) = ½(μ² + σ² − 1 − log σ²)", "holds"),
        ("KL(N(μ, σ²) ‖ N(0, 1)) = ½(μ² + σ² − 1 + log σ²)", "fails"),
        ("KL(N(m, S) ‖ N(m, S)) = 0", "holds"),
        ("X ~ N(μ, Σ) ⇒ H(X) = ½ log det(2πeΣ)", "holds"),
        ("X ~ N(μ, σ²) ⇒ h(X) = ½ log(2πeσ²)", "holds"),
        ("X ~ N(μ, σ²) ⇒ H(X) = ½ log(2πσ²)", "fails"),
        ("x ~ N(0, I_d) ⇒ ‖x‖² ~ χ²_d", "holds"),
    ],
)
def test_verdict(claim, verdict):
    assert check(claim).verdict == verdict


def test_a_law_that_is_not_the_one_claimed_differs_in_a_moment_that_is_named():
    assert check("x ~ N(0, I_d) ⇒ ‖x‖² ~ χ²(d − 1)").reason.startswith("the mean differs: ")
    assert check("x ~ N(0, I_d) ⇒ 2x ~ N(0, 2 I_d)").reason.startswith("the variance differs: ")
