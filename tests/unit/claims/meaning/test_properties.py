"""Properties in words, shapes after ∈, and proportions."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("A is symmetric ⇒ A^T = A", "holds"),
        ("A^T A is symmetric", "holds"),
        ("A B is symmetric if A and B are symmetric", "fails"),
        ("x^T A x > 0 for x ≠ 0 and positive definite A", "holds"),
        ("‖Q x‖ = ‖x‖ for orthogonal Q", "holds"),
    ],
)
def test_properties(claim, verdict, unchecked):
    assert check(claim).verdict == verdict


def test_shapes_are_checked(unchecked):
    assert check(r"c \in \mathbb{R}^d", setting="attention").verdict == "holds"
    assert check("c ∈ R^n", setting="attention").verdict == "ill-formed"


@pytest.mark.parametrize(("claim", "verdict"), [("α ∝ s", "fails"), ("α ∝ exp(s)", "holds"), ("α_i ∝ s_i", "fails")])
def test_proportions(claim, verdict, unchecked):
    assert check(claim, setting="attention").verdict == verdict
