"""A gap relative to the larger side."""

from decimal import Decimal

import numpy as np
import pytest

from regard.claims.trial.comparison import Sides, decide_at_once, relative_gap


def test_relative_gap_is_that_of_the_largest_entry():
    left, right = np.array([[[1.0], [2.0]]]), np.array([[[1.0], [4.0]]])
    assert relative_gap(left, right).tolist() == [0.5]


@pytest.mark.parametrize(
    ("comparison", "left", "right", "seen", "expected"),
    [
        ("=", "1", "2", 1.0, "no"),
        ("≠", "1", "2", 1.0, "yes"),
        ("=", "3", "3.000", 1e-16, "yes"),
        ("=", "1", "1.00000000000000000001", 0.0, None),  # too little for float64, too much for rounding
        ("=", "0", "1e-70", 0.0, None),  # a tiny weight is not 0
        ("=", "1", "2", 1e-3, None),  # float64 sees another difference
        ("<", "1", "2", 1.0, "yes"),
        ("<", "2", "1", -1.0, "no"),
        ("<", "2", "2", 0.0, None),
    ],
)
def test_float64_and_fifty_digits_decide_where_they_leave_no_doubt(comparison, left, right, seen, expected):
    few = Sides(*(np.array([[[Decimal(side)]]], dtype=object) for side in (left, right)), {})
    floats = Sides(np.zeros((1, 1, 1)), np.full((1, 1, 1), seen), {})
    assert decide_at_once(comparison, floats, few, 50) == expected
