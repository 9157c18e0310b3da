"""A gap relative to the larger side."""

import numpy as np

from regard.claims.trial.comparison import relative_gap


def test_relative_gap_is_that_of_the_largest_entry():
    left, right = np.array([[[1.0], [2.0]]]), np.array([[[1.0], [4.0]]])
    assert relative_gap(left, right).tolist() == [0.5]
