"""Laws of attention, for any queries, keys and values."""

import math

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from regard.arrays import attend, attention_weights, effective_count, entropy, log_sum_exp, masked_softmax

torch.set_num_threads(1)  # tiny arrays: threads would only wait for each other

calm = settings(deadline=None, max_examples=60)
sizes = st.integers(1, 6)


def matrices(*shape: int, largest: float = 8.0):
    return arrays(np.float64, shape, elements=st.floats(-largest, largest))


@st.composite
def cases(draw):
    """Queries, keys, values and a mask that leaves every query something to read."""
    n_batch, n_query, n_key, width, value_width = (draw(sizes) for _ in range(5))
    queries = draw(matrices(n_batch, n_query, width))
    keys = draw(matrices(n_batch, n_key, width))
    values = draw(matrices(n_batch, n_key, value_width))
    allowed = draw(arrays(bool, (n_batch, n_query, n_key)))
    allowed[..., draw(st.integers(0, n_key - 1))] = True
    return queries, keys, values, allowed


def loop_attention(queries, keys, values, allowed):
    """One number at a time."""
    outputs = np.zeros((*queries.shape[:2], values.shape[-1]))
    for b, i in np.ndindex(*queries.shape[:2]):
        readable = [j for j in range(keys.shape[1]) if allowed[b, i, j]]
        logits = {j: math.fsum(queries[b, i] * keys[b, j]) for j in readable}
        powers = {j: math.exp(logits[j] - max(logits.values())) for j in readable}
        for j in readable:
            outputs[b, i] += powers[j] / math.fsum(powers.values()) * values[b, j]
    return outputs


@calm
@given(cases(), st.integers(1, 60))
def test_equal_to_a_plain_loop_whatever_the_blocks(case, block):
    queries, keys, values, allowed = case
    actual = attend(queries, keys, values, allowed=allowed, block=block)
    assert_allclose(actual, loop_attention(queries, keys, values, allowed), rtol=1e-11, atol=1e-11)


@calm
@given(cases())
def test_weights_are_a_distribution_over_the_allowed_keys(case):
    queries, keys, _, allowed = case
    weights = attention_weights(queries, keys, allowed=allowed)
    assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)
    assert (weights >= 0).all()
    assert (weights[~allowed] == 0).all()


@calm
@given(cases())
def test_the_output_is_the_weighted_mean_of_the_values(case):
    queries, keys, values, allowed = case
    weights = attention_weights(queries, keys, allowed=allowed)
    assert_allclose(attend(queries, keys, values, allowed=allowed), weights @ values, rtol=1e-12, atol=1e-12)


@calm
@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_the_keys_does_not_matter(case, random):
    queries, keys, values, allowed = case
    order = random.sample(range(keys.shape[1]), keys.shape[1])
    moved = attend(queries, keys[:, order], values[:, order], allowed=allowed[..., order])
    assert_allclose(moved, attend(queries, keys, values, allowed=allowed), rtol=1e-12, atol=1e-12)


@calm
@given(cases(), st.data())
def test_a_vector_added_to_all_keys_changes_nothing(case, data):
    """It adds the same number to all logits of a query."""
    queries, keys, values, allowed = case
    shift = data.draw(matrices(keys.shape[-1]))
    shifted = attend(queries, keys + shift, values, allowed=allowed)
    assert_allclose(shifted, attend(queries, keys, values, allowed=allowed), rtol=1e-11, atol=1e-11)


@calm
@given(matrices(3, 5, largest=700.0), st.floats(-1e6, 1e6))
def test_softmax_and_log_sum_exp_under_a_shift(logits, shift):
    tolerance = 1e-15 * (abs(shift) + 700)
    assert_allclose(masked_softmax(logits + shift), masked_softmax(logits), rtol=0, atol=tolerance)
    assert_allclose(log_sum_exp(logits + shift), log_sum_exp(logits) + shift, rtol=1e-14, atol=tolerance)


@calm
@given(arrays(np.float64, (2, 4), elements=st.floats(allow_nan=False)))
def test_every_logit_there_is_gives_weights(logits):
    """Infinite ones too; a row of −∞ alone weighs nothing."""
    weights = masked_softmax(logits, empty="zeros")
    something = (logits > -math.inf).any(axis=-1)
    assert_allclose(weights.sum(axis=-1), something, rtol=1e-14)
    assert (weights[logits == -math.inf] == 0).all()


@calm
@given(cases())
def test_numpy_and_torch_agree(case):
    queries, keys, values, allowed = case
    tensors = [torch.from_numpy(array) for array in (queries, keys, values)]
    in_torch = attend(*tensors, allowed=torch.from_numpy(allowed), block=10)
    in_numpy = attend(queries, keys, values, allowed=allowed, block=10)
    assert_allclose(in_torch, in_numpy, rtol=1e-12, atol=1e-12)


@calm
@given(cases())
def test_entropy_lies_between_one_key_and_all_that_are_allowed(case):
    queries, keys, _, allowed = case
    weights = attention_weights(queries, keys, allowed=allowed)
    count = effective_count(weights)
    assert (count >= 1 - 1e-12).all()
    assert (count <= allowed.sum(axis=-1) * (1 + 1e-12)).all()
    assert_allclose(np.exp(entropy(weights)), count, rtol=1e-14)
