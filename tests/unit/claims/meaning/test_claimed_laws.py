"""Laws and independence as statements about moments."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("x ~ N(0, I), a^T b = 0 ⇒ a^T x ⫫ b^T x", "holds"),
        ("x ~ N(0, I) ⇒ a^T x ⫫ b^T x", "fails"),
        ("X ~ N(0, 1) ⇒ X ⫫ X^2", "fails"),
        ("x ~ N(0, I), a^T x ⫫ b^T x ⇒ a^T b = 0", "holds"),
    ],
)
def test_independence(claim, verdict):
    assert check(claim).verdict == verdict


def test_independence_of_what_is_not_normal_is_no_condition():
    found = check("X ~ N(0, 1), Y ~ N(0, 1), X^2 ⫫ Y ⇒ Cov(X, Y) = 0")
    assert found.verdict == "not-understood"
    assert "give the letters laws of their own" in found.reason
