import itertools
import math

import numpy as np
import pytest
import torch

from regard.arrays import attend
from regard.arrays.attention import KEYS_AT_ONCE, LOGITS_AT_ONCE, block_shape
from regard.errors import ValueRangeError


def random_case(make, *, n_batch=2, n_query=5, n_key=11, dtype="float64"):
    rng = np.random.default_rng(3)
    shapes = ((n_batch, n_query, 4), (n_batch, n_key, 4), (n_batch, n_key, 3))
    arrays = [make(3 * rng.standard_normal(shape), dtype=dtype) for shape in shapes]
    allowed = rng.random((n_batch, n_query, n_key)) < 0.8
    allowed[..., 0] = True
    return arrays, allowed


def whole(queries, keys, values, *, allowed=None):
    """softmax(Q Kᵀ) V all at once, with no block in sight."""
    powers = np.exp(np.asarray(queries) @ np.asarray(keys).mT)
    if allowed is not None:
        powers = powers * allowed
    return (powers / powers.sum(axis=-1, keepdims=True)) @ np.asarray(values)


@pytest.mark.parametrize("n_logits", [1, 100, LOGITS_AT_ONCE])
def test_a_block_is_never_empty_nor_too_large(n_logits):
    for sizes in itertools.product((1, 3, 1500), (1, 64, 5000), (1, 700, 8192, 10**6)):
        shape = block_shape(n_batch=sizes[0], n_query=sizes[1], n_key=sizes[2], n_logits=n_logits)
        assert math.prod(shape) <= n_logits
        assert all(1 <= taken <= size for taken, size in zip(shape, sizes, strict=True))


@pytest.mark.parametrize(
    ("n_batch", "n_query", "n_key", "expected"),
    [
        (8, 64, 8192, (8, 64, 4096)),  # all heads, half of the keys
        (1, 1000, 10**6, (1, 1000, 2097)),  # all queries: the keys are gone through once
        (1, 10**4, 10**6, (1, 1024, 2048)),
        (1, 1, 10**6, (1, 1, 10**6)),  # one query leaves room for all keys
        (1, 1, 10**9, (1, 1, LOGITS_AT_ONCE)),
        (1024, 1024, 1024, (2, 1024, 1024)),  # two matrices after two others
        (10**5, 8, 8, (LOGITS_AT_ONCE // 64, 8, 8)),  # many small matrices at once
        (0, 0, 0, (1, 1, 1)),
    ],
)
def test_what_a_block_takes(n_batch, n_query, n_key, expected):
    assert LOGITS_AT_ONCE == 1024 * KEYS_AT_ONCE == 2**21
    assert block_shape(n_batch=n_batch, n_query=n_query, n_key=n_key) == expected


@pytest.mark.parametrize("block", [1, 2, 7, 16, 33, 10**6])
def test_blocks_change_nothing(make, block):
    arrays, _ = random_case(make)
    np.testing.assert_allclose(attend(*arrays, block=block), whole(*arrays), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("block", [1, 7, 33])
@pytest.mark.parametrize("mask_shape", [(2, 5, 11), (1, 5, 11), (2, 1, 11), (5, 11), (11,), (2, 5, 1)])
def test_blocks_of_a_mask_change_nothing(make, block, mask_shape):
    arrays, allowed = random_case(make)
    mask = allowed[tuple(slice(0, size) for size in (1,) * (3 - len(mask_shape)) + mask_shape)].reshape(mask_shape)
    actual = attend(*arrays, allowed=make(mask, dtype=bool), block=block)
    np.testing.assert_allclose(actual, whole(*arrays, allowed=mask), rtol=1e-13, atol=1e-14)


def test_several_batch_axes_in_blocks(make):
    arrays, allowed = random_case(make, n_batch=6)
    nested = [array.reshape(2, 3, *array.shape[1:]) for array in arrays]
    mask = make(allowed[:3].reshape(1, 3, 5, 11), dtype=bool)
    expected = whole(*arrays, allowed=np.concatenate([allowed[:3], allowed[:3]]))
    actual = attend(*nested, allowed=mask, block=20)
    np.testing.assert_allclose(actual, expected.reshape(2, 3, 5, 3), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("order", [1, -1])
def test_rising_and_falling_logits_beyond_what_exp_can_hold(make, order):
    """Each block of keys has a larger top than the one before, or a smaller: the sums must follow."""
    keys = make(np.arange(0.0, 2000.0, 100.0)[::order, None].copy())
    output = attend(make([[1.0]]), keys, keys, block=3)
    np.testing.assert_allclose(output, [[1900.0]], rtol=1e-14)


def test_keys_that_begin_with_a_hidden_block(make):
    keys = make(np.arange(6.0)[:, None])
    allowed = make([[False] * 4 + [True] * 2], dtype=bool)
    output = attend(make([[0.0]]), keys, keys, allowed=allowed, block=2)
    np.testing.assert_allclose(output, [[4.5]], rtol=1e-15)


@pytest.mark.parametrize("block", [None, 4, 9])
def test_gradients_are_those_of_torch(block):
    arrays, allowed = random_case(lambda data, dtype: torch.tensor(data, dtype=getattr(torch, dtype)))
    ours = [array.clone().requires_grad_() for array in arrays]
    theirs = [array.clone().requires_grad_() for array in arrays]
    mask = torch.from_numpy(allowed)
    attend(*ours, allowed=mask, block=block).square().sum().backward()
    torch.nn.functional.scaled_dot_product_attention(*theirs, attn_mask=mask, scale=1.0).square().sum().backward()
    for our, their in zip(ours, theirs, strict=True):
        torch.testing.assert_close(our.grad, their.grad, rtol=1e-11, atol=1e-12)


def test_with_and_without_a_gradient_the_same_numbers():
    arrays, _ = random_case(lambda data, dtype: torch.tensor(data, dtype=getattr(torch, dtype)))
    tracked = attend(*(array.clone().requires_grad_() for array in arrays), block=9)
    torch.testing.assert_close(tracked.detach(), attend(*arrays, block=9), rtol=0, atol=0)


def test_arguments_are_left_as_they_were(make):
    arrays, _ = random_case(make)
    copies = [np.asarray(array).copy() for array in arrays]
    attend(*arrays, block=7)
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("block", [0, -3])
def test_a_block_of_nothing(make, block):
    arrays, _ = random_case(make)
    with pytest.raises(ValueRangeError) as caught:
        attend(*arrays, block=block)
    assert str(caught.value) == f"block, the number of logits held at once, must be at least 1; got {block}"
