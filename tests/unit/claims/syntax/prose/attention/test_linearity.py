"""In what the output is linear."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("c is linear in the values", "holds"),
        ("the output is not linear in the values", "fails"),
        ("c is linear in the query", "fails"),
        ("the output is not linear in the query", "holds"),
        ("c depends linearly on the keys", "fails"),
        ("the attention weights are linear in the query", "fails"),
    ],
)
def test_verdict(claim, verdict):
    assert check(claim).verdict == verdict
