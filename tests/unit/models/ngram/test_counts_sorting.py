"""Numbers sorted with their places: what NumPy's slower functions find."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from regard.models.ngram.counts import FEW, distinct, sort_with_places

RNG = np.random.default_rng(0)
CASES = {
    "none": np.zeros(0, np.int64),
    "few": np.array([5, -2, 5, 5, 0]),
    "many, often equal": RNG.integers(0, 40, 3 * FEW),
    "negative ones": RNG.integers(-30, 30, 3 * FEW),
    "small type": RNG.integers(0, 2**31 - 1, 3 * FEW).astype(np.int32),
    "almost too large": RNG.integers(0, 2**52, 3 * FEW),
    "too large for both": RNG.integers(0, 2**53, 3 * FEW),
    "as large as can be": RNG.choice([-(2**63), 2**63 - 1], 3 * FEW),
    "all equal": np.full(2 * FEW, 2**63 - 1),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_a_stable_argsort(name):
    ordered, places = sort_with_places(CASES[name])
    assert_array_equal(places, np.argsort(CASES[name], kind="stable"))
    assert_array_equal(ordered, np.sort(CASES[name]))


@pytest.mark.parametrize("name", CASES)
def test_distinct_keys_are_those_of_numpy(name):
    expected = np.unique(CASES[name], return_inverse=True, return_counts=True)
    for found, wanted in zip(distinct(CASES[name]), expected, strict=True):
        assert_array_equal(found, wanted)
