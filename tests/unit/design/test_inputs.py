"""What is refused, and in which words."""

import numpy as np
import pytest

from regard.design import average, copy, hull_bound, mix, reachability
from regard.design.inputs import check_index, check_keys, check_subset, check_weights
from regard.design.queries import check_family
from regard.errors import DTypeError, ShapeError, ValueRangeError

KEYS = np.eye(3)


@pytest.mark.parametrize("keys", [np.zeros(3), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((2, 2, 2))])
def test_keys_must_be_rows(keys):
    with pytest.raises(ShapeError, match=r"keys must be one row a key, at least one row and column; got shape \("):
        check_keys(keys)


def test_keys_must_be_real_and_finite():
    with pytest.raises(DTypeError, match="keys must be real numbers; got dtype complex128"):
        check_keys(np.eye(2) * 1j)
    with pytest.raises(ValueRangeError, match="keys must be finite; key 2 has NaN or infinity"):
        copy(np.array([[1.0], [2.0], [np.nan]]), 0)
    with pytest.raises(ValueRangeError, match="key 0 has NaN or infinity"):
        mix(np.array([[np.inf], [2.0]]), np.array([0.5, 0.5]))


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_keys_whose_squares_leave_float64_are_refused(size):
    with pytest.raises(ValueRangeError, match=r"the largest key entry is 1e[+-]200, .* rescale the keys"):
        copy(size * KEYS, 0)


def test_keys_may_be_lists_integers_and_float32():
    assert check_keys([[1, 0], [0, 1]]).dtype == np.float64
    assert copy(np.eye(2, dtype=np.float32), np.int64(1)).weights[1] == pytest.approx(0.99)


@pytest.mark.parametrize("index", [3, -1, 10**9])
def test_an_index_must_name_a_key(index):
    for refused in (lambda: copy(KEYS, index), lambda: average(KEYS, [0, index]), lambda: hull_bound(KEYS, index)):
        with pytest.raises(ValueRangeError, match=rf"there is no key {index}; keys are numbered from 0 to 2"):
            refused()


def test_an_index_must_be_an_integer():
    with pytest.raises(DTypeError, match=r"must be an integer; got True; for a mask use np\.flatnonzero\(mask\)"):
        average(KEYS, [True, False, True])
    with pytest.raises(DTypeError, match=r"must be an integer; got np\.True_"):
        check_subset(np.array([True, False, True]), n_keys=3)
    with pytest.raises(DTypeError, match=r"must be an integer; got np\.float64\(1\.0\)"):
        check_subset(np.array([1.0]), n_keys=3)
    assert check_index(np.uint8(2), n_keys=3) == 2


def test_a_subset_has_distinct_keys():
    with pytest.raises(ValueRangeError, match="the subset is empty; name at least one key to average"):
        average(KEYS, [])
    with pytest.raises(ValueRangeError, match="key 1 is named 2 times; for unequal weights use mix"):
        average(KEYS, [1, 0, 1])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.5, 0.4, 0.0], r"weights must sum to 1; got 0\.9; divide them by their sum"),
        ([0.0, 0.0, 0.0], r"weights must sum to 1; got 0;"),
        ([1.5, -0.5, 0.0], r"weights must be finite and not negative; weight 1 is -0\.5"),
        ([0.5, 0.5, np.nan], r"weight 2 is nan"),
        ([0.5, 0.5, np.inf], r"weight 2 is inf"),
    ],
)
def test_weights_must_be_a_distribution(weights, message):
    for refused in (mix, reachability):
        with pytest.raises(ValueRangeError, match=message):
            refused(KEYS, np.array(weights))


def test_weights_need_one_entry_a_key():
    with pytest.raises(ShapeError, match=r"expected one weight for each of the 3 keys; got shape \(2,\)"):
        mix(KEYS, np.array([0.5, 0.5]))
    with pytest.raises(ShapeError, match=r"got shape \(1, 3\)"):
        check_weights(np.ones((1, 3)) / 3, n_keys=3)


def test_weights_in_float32_count_as_summing_to_one():
    thirds = np.full(3, 1 / 3, dtype=np.float32)
    assert check_weights(thirds, n_keys=3).sum() == 1.0


@pytest.mark.parametrize("error", [0.0, 1.0, -1.0, np.nan])
def test_error_must_lie_between_0_and_1(error):
    for refused in (
        lambda: copy(KEYS, 0, error=error),
        lambda: average(KEYS, [0, 1, 2], error=error),
        lambda: mix(KEYS, np.full(3, 1 / 3), error=error),
    ):
        with pytest.raises(ValueRangeError, match="a softmax gives every key some weight"):
            refused()


def test_families_are_named_where_one_is_unknown():
    with pytest.raises(ValueRangeError, match="family must be one of dual, margin, pull, push; got 'tow'"):
        check_family("tow")


def test_an_array_of_no_axes_is_no_index_and_no_family(unchecked):
    with pytest.raises(DTypeError, match=r"a key's index must be an integer; got array\(1\.\)"):
        copy(KEYS, np.array(1.0))
    with pytest.raises(ValueRangeError, match=r"family must be one of .*; got float64\[1\]"):
        copy(KEYS, 0, family=np.array([1.0]))
