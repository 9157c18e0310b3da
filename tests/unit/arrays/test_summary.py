import math

import numpy as np
import pytest
import torch

from regard.arrays import effective_count, entropy, is_copying, top
from regard.errors import DTypeError, ShapeError, ValueRangeError


def test_entropy_worked_by_hand(make):
    weights = make([[1.0, 0, 0, 0], [0.25, 0.25, 0.25, 0.25], [0.5, 0.25, 0.25, 0]])
    np.testing.assert_allclose(entropy(weights), [0, math.log(4), 1.5 * math.log(2)], rtol=1e-15)


def test_effective_count_is_the_number_of_keys_read_alike(make):
    weights = make([[1.0, 0, 0, 0], [0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0, 0]])
    np.testing.assert_allclose(effective_count(weights), [1, 4, 2], rtol=1e-15)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_dtype_is_kept(make, dtype):
    weights = make([0.5, 0.5], dtype=dtype)
    assert entropy(weights).dtype == effective_count(weights).dtype == top(weights).weights.dtype == weights.dtype


def test_entropy_has_a_gradient_at_weights_of_zero():
    weights = torch.tensor([0.5, 0.5, 0.0], dtype=torch.float64, requires_grad=True)
    entropy(weights).backward()
    expected = -math.log(0.5) - 1
    torch.testing.assert_close(weights.grad, torch.tensor([expected, expected, 0.0], dtype=torch.float64))


def test_top_in_falling_order_with_ties_in_the_order_of_keys(make):
    found = top(make([[0.1, 0.2, 0.1, 0.6], [0.25, 0.25, 0.25, 0.25]]), count=3)
    np.testing.assert_array_equal(found.indices, [[3, 1, 0], [0, 1, 2]])
    np.testing.assert_array_equal(found.weights, [[0.6, 0.2, 0.1], [0.25, 0.25, 0.25]])


def test_ties_among_many_keys(make):
    weights = np.tile([1.0, 2.0, 1.0, 4.0], 250) / 2000
    expected = sorted(range(1000), key=lambda index: (-weights[index], index))
    np.testing.assert_array_equal(top(make(weights), count=1000).indices, expected)


def test_top_of_fewer_keys_than_asked_for(make):
    assert top(make([0.3, 0.7])).indices.shape == (2,)


def test_copying_is_all_weight_but_the_tolerance(make):
    weights = make([[0.995, 0.005], [0.98, 0.02], [0.5, 0.5]])
    np.testing.assert_array_equal(is_copying(weights), [True, False, False])
    np.testing.assert_array_equal(is_copying(weights, tolerance=0.03), [True, True, False])
    np.testing.assert_array_equal(is_copying(make([[1.0, 0.0]]), tolerance=0.0), [True])


@pytest.mark.parametrize("function", [entropy, effective_count, top, is_copying])
def test_logits_are_no_weights(make, function):
    with pytest.raises(ValueRangeError) as caught:
        function(make([[0.5, 0.5], [2.0, 1.0]]))
    assert str(caught.value) == (
        "weights must be non-negative and sum to one over the last axis; those in row 1 sum to 3: "
        "take the softmax of logits, and leave out rows that may read no key"
    )


def test_negative_missing_and_undefined_weights(make):
    with pytest.raises(ValueRangeError, match="those sum to 1, with a negative one: take the softmax"):
        entropy(make([1.5, -0.5]))
    with pytest.raises(ValueRangeError, match=r"those in row 0 sum to 0: .*leave out rows that may read no key"):
        entropy(make([[0.0, 0.0], [0.5, 0.5]]))
    with pytest.raises(ValueRangeError, match="those sum to nan"):
        entropy(make([math.nan, 1.0]))


def test_weights_of_nothing(make, unchecked):
    with pytest.raises(ShapeError, match=r"weights need a last axis with at least one key; got shape \(2, 0\)"):
        entropy(make(np.ones((2, 0))))
    with pytest.raises(ShapeError, match=r"got shape \(\)"):
        entropy(make(1.0))
    with pytest.raises(DTypeError, match=r"weights must be real numbers; got dtype .*complex128"):
        entropy(make([1, 0], dtype="complex128"))


def test_options_out_of_range(make):
    with pytest.raises(ValueRangeError, match="count must be at least 1; got 0"):
        top(make([1.0]), count=0)
    for tolerance in (-0.1, 1.0, math.nan):
        with pytest.raises(ValueRangeError, match=f"tolerance must be at least 0 and below 1; got {tolerance}"):
            is_copying(make([1.0]), tolerance=tolerance)
