"""Second derivatives."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("∇²_x (x^T A x) = A + A^T", "holds"),
        ("∇²_x (x^T A x) = 2 A", "fails"),
        (r"\frac{∂^2}{∂x^2} \log(1 + e^x) = σ(x)(1 - σ(x))", "holds"),
    ],
)
def test_second_derivatives(claim, verdict, unchecked):
    assert check(claim).verdict == verdict
