"""Exchanging, scaling and adding rows."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Swapping two rows of a square matrix flips the sign of its determinant.", "holds"),
        ("Swapping two rows of a square matrix does not change its determinant.", "fails"),
        ("The determinant changes sign if two columns are swapped.", "holds"),
        ("Adding a multiple of one row to another row of A leaves the determinant unchanged.", "holds"),
        ("Multiplying one row of a square matrix by c multiplies its determinant by c^2.", "fails"),
    ],
)
def test_verdicts(claim, verdict):
    assert check(claim).verdict == verdict


def test_rows_of_two_matrices_are_not_read():
    assert read_prose("Adding a multiple of one row of A to another row of B leaves the determinant unchanged.") is None
