"""Running sums within groups, against a loop."""

import numpy as np
from numpy.testing import assert_array_equal

from regard.models.ngram.running_counts import Groups


def test_sums_before_each_position_within_its_group():
    rng = np.random.default_rng(0)
    labels, values = rng.integers(-1, 4, 80), rng.integers(-3, 4, (80, 2))
    totals = {}
    expected = []
    for label, value in zip(labels.tolist(), values, strict=True):
        expected.append(totals.get(label, np.zeros(2, dtype=np.int64)))
        totals[label] = expected[-1] + value
    assert_array_equal(Groups(labels).sum_before(values), expected)


def test_no_positions():
    none = np.zeros(0, dtype=np.int64)
    assert Groups(none).sum_before(none).shape == (0,)
