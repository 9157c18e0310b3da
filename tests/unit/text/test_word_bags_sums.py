import itertools

import numpy as np
import pytest

from regard.text.word_bags import bag_sums

IDS, OFFSETS = np.array([2, 0, 2, 1], np.int32), np.array([0, 0, 3, 3, 4, 4])


def looped(table, weights):
    bags = [range(a, b) for a, b in itertools.pairwise(OFFSETS)]
    return [[sum(float(table[IDS[i], c]) * weights[i] for i in bag) for c in range(table.shape[1])] for bag in bags]


@pytest.mark.parametrize("width", [1, 4, 16, 17, 40])
@pytest.mark.parametrize("dtype", [np.int8, np.float16, np.float32, np.float64])
def test_sums_of_rows(width, dtype):
    table = np.random.default_rng(width).integers(-50, 50, (3, width)).astype(dtype)
    sums = bag_sums(table, IDS, OFFSETS)
    assert sums.dtype == (np.float64 if dtype == np.float64 else np.float32)
    np.testing.assert_array_equal(sums, looped(table, np.ones(4)))
    weights = np.array([0.5, 2, -1, 0], np.float32)
    np.testing.assert_array_equal(bag_sums(table, IDS, OFFSETS, weights=weights), looped(table, weights))


@pytest.mark.parametrize("width", [4, 40])
def test_the_table_stays_as_it_was(width):
    table = np.ones((3, width), np.float32)
    bag_sums(table, IDS, OFFSETS, weights=np.full(4, 2, np.float32))
    assert (table == 1).all()


@pytest.mark.parametrize("width", [4, 40])
def test_empty_bags(width):
    table, none = np.ones((3, width), np.float32), np.empty(0, np.int32)
    assert bag_sums(table, none, np.array([0, 0, 0])).tolist() == np.zeros((2, width)).tolist()
    assert bag_sums(table, none, np.array([0])).shape == (0, width)
