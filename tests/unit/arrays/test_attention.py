import math

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from regard.arrays import attend, attention_weights
from regard.errors import DTypeError, LibraryError, MaskedRowError, ShapeError, ValueRangeError

NAN, INF = math.nan, math.inf


def loop_attention(queries, keys, values, *, scale=1.0, allowed=None):
    """Attention one number at a time, in Python's own floats."""
    weights, outputs = [], []
    for i, query in enumerate(queries):
        logits = [scale * math.fsum(a * b for a, b in zip(query, key, strict=True)) for key in keys]
        powers = [math.exp(s - max(logits)) if allowed is None or allowed[i][j] else 0.0 for j, s in enumerate(logits)]
        weights.append([power / math.fsum(powers) for power in powers])
        columns = zip(*values, strict=True)
        outputs.append([math.fsum(a * v for a, v in zip(weights[-1], c, strict=True)) for c in columns])
    return weights, outputs


@pytest.mark.parametrize(
    ("n", "weight"), [(2, 0.731059), (4, 0.475367), (10, 0.231969), (100, 0.026724), (1000, 0.002714)]
)
def test_a_query_equal_to_its_key_copies_less_than_one_thinks(make, n, weight):
    """Orthonormal keys, q = k_1: the weight is e / (e + n − 1)."""
    weights = attention_weights(make(np.eye(n)[:1]), make(np.eye(n)))
    assert float(weights[0, 0]) == pytest.approx(math.e / (math.e + n - 1), rel=1e-14)
    assert float(weights[0, 0]) == pytest.approx(weight, abs=5e-7)


def test_a_longer_key_wins_over_an_equal_one(make):
    weights = attention_weights(make([[1.0, 0.0]]), make([[1.0, 0.0], [3.0, 0.0]]))
    assert float(weights[0, 0]) == pytest.approx(0.1192, abs=5e-5)


@pytest.mark.parametrize(
    ("n", "error", "scale"),
    [(2, 0.01, 4.595120), (10, 0.01, 6.792344), (100, 1e-3, 11.501875), (1000, 1e-3, 13.813510)],
)
def test_the_scale_that_copies_to_a_wanted_error(make, n, error, scale):
    weights = attention_weights(make(np.eye(n)[:1]), make(np.eye(n)), scale=scale)
    assert 1 - float(weights[0, 0]) == pytest.approx(error, rel=1e-6)


def test_there_is_no_scale_unless_given(make):
    queries, keys = make(np.ones((1, 4))), make([[1.0, 0, 0, 0], [0.0, 0, 0, 0]])
    plain, halved = attention_weights(queries, keys), attention_weights(queries, keys, scale=0.5)
    assert float(plain[0, 0]) == pytest.approx(1 / (1 + math.exp(-1)), rel=1e-15)
    assert float(halved[0, 0]) == pytest.approx(1 / (1 + math.exp(-0.5)), rel=1e-15)


@pytest.mark.parametrize("masked", [False, True])
def test_equal_to_a_plain_loop(make, masked):
    rng = np.random.default_rng(0)
    queries, keys, values = (rng.standard_normal(shape) for shape in ((3, 4), (5, 4), (5, 2)))
    mask = np.tri(3, 5, 1, dtype=bool) if masked else None
    options = {"scale": 0.7, "allowed": None if mask is None else make(mask, dtype=bool)}
    weights, outputs = loop_attention(queries, keys, values, scale=0.7, allowed=mask)
    actual = attention_weights(make(queries), make(keys), **options)
    np.testing.assert_allclose(actual, weights, rtol=1e-14)
    np.testing.assert_allclose(attend(make(queries), make(keys), make(values), **options), outputs, rtol=1e-13)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("masked", [False, True])
def test_agrees_with_torch_to_rounding(make, dtype, masked):
    rng = np.random.default_rng(1)
    shapes = ((2, 3, 7, 8), (2, 3, 50, 8), (2, 3, 50, 6))
    arrays = [make(rng.standard_normal(shape), dtype=dtype) for shape in shapes]
    mask = make(rng.random((2, 1, 7, 50)) < 0.7, dtype=bool) if masked else None
    actual = attend(*arrays, scale=0.25, allowed=mask)
    tensors = [torch.as_tensor(array) for array in arrays]
    attn_mask = None if mask is None else torch.as_tensor(mask)
    expected = scaled_dot_product_attention(*tensors, attn_mask=attn_mask, scale=0.25)
    tolerance = 64 * np.finfo(dtype).eps
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)
    assert str(actual.dtype).endswith(dtype)


def test_each_batch_has_a_mask_of_its_own(make):
    zeros = make(np.zeros((2, 2, 1, 3)))
    allowed = np.zeros((2, 1, 1, 3), dtype=bool)
    allowed[0, ..., 0] = allowed[1, ..., 1:] = True
    weights = attention_weights(zeros, zeros, allowed=make(allowed[..., :1], dtype=bool), empty="zeros")
    np.testing.assert_array_equal(weights, np.broadcast_to([[[[1.0]]], [[[0.0]]]], (2, 2, 1, 1)))
    keys, values = make(np.zeros((2, 2, 3, 3))), make(np.broadcast_to(np.eye(3), (2, 2, 3, 3)))
    outputs = attend(zeros, keys, values, allowed=make(allowed, dtype=bool))
    np.testing.assert_array_equal(outputs[0, 1, 0], [1, 0, 0])
    np.testing.assert_array_equal(outputs[1, 0, 0], [0, 0.5, 0.5])


def test_a_query_without_a_key(make):
    queries, keys, values = make(np.ones((3, 2))), make(np.ones((4, 2))), make(np.ones((4, 5)))
    allowed = make([[True] * 4, [True] * 4, [False] * 4], dtype=bool)
    for function, arrays in ((attention_weights, (queries, keys)), (attend, (queries, keys, values))):
        with pytest.raises(MaskedRowError, match=r"no key may be read in row 2: .*empty='zeros'"):
            function(*arrays, allowed=allowed)
        result = function(*arrays, allowed=allowed, empty="zeros")
        np.testing.assert_array_equal(result[2], np.zeros(result.shape[1]))
        np.testing.assert_allclose(result[0], np.full(result.shape[1], 1 / 4 if function is attention_weights else 1))


def test_no_keys_and_no_queries(make):
    queries, keys, values = make(np.ones((3, 2))), make(np.ones((0, 2))), make(np.ones((0, 5)))
    with pytest.raises(MaskedRowError, match="in row 0"):
        attend(queries, keys, values)
    np.testing.assert_array_equal(attend(queries, keys, values, empty="zeros"), np.zeros((3, 5)))
    assert attend(make(np.ones((0, 2))), make(np.ones((4, 2))), make(np.ones((4, 5)))).shape == (0, 5)
    assert attend(*(make(np.ones((0, 4, 2))) for _ in range(3))).shape == (0, 4, 2)


def test_products_beyond_the_range_of_the_dtype(make):
    huge = make([[1e200]])
    for keys in ([[1e200], [0.0]], [[-1e200], [-1e200]]):
        for function, arrays in (
            (attention_weights, (huge, make(keys))),
            (attend, (huge, make(keys), make(keys))),
        ):
            with pytest.raises(ValueRangeError) as caught:
                function(*arrays)
            assert str(caught.value).startswith("the logits in row 0 are beyond the range of ")
            assert str(caught.value).endswith("float64: make queries, keys or scale smaller")


def test_a_scale_keeps_large_queries_in_range(make):
    weights = attention_weights(make([[1e200]]), make([[1e200], [0.0]]), scale=1e-300)
    np.testing.assert_array_equal(weights, [[1, 0]])


def test_one_product_far_below_the_others_weighs_nothing(make):
    weights = attention_weights(make([[1e200]]), make([[-1e200], [1e-200]]))
    np.testing.assert_array_equal(weights, [[0, 1]])


@pytest.mark.parametrize("bad", [NAN, INF])
def test_what_is_not_finite_is_named(make, bad):
    good, wrong = make(np.ones((2, 2))), make([[1.0, 1.0], [bad, 1.0]])
    with pytest.raises(ValueRangeError, match="queries must be finite; there is NaN or infinity in row 1"):
        attend(wrong, good, good)
    with pytest.raises(ValueRangeError, match="keys must be finite; there is NaN or infinity in row 1"):
        attention_weights(good, wrong)
    with pytest.raises(ValueRangeError, match="values must be finite; there is NaN or infinity in row 1"):
        attend(good, good, wrong)
    with pytest.raises(ValueRangeError, match=r"scale must be a finite number; got (nan|inf)"):
        attend(good, good, good, scale=bad)


def test_a_hidden_key_may_hold_nan(make):
    allowed = make([[True, False]], dtype=bool)
    weights = attention_weights(make([[1.0]]), make([[1.0], [NAN]]), allowed=allowed)
    np.testing.assert_array_equal(weights, [[1, 0]])


def test_values_too_large_to_add_up(make):
    with pytest.raises(ValueRangeError, match=r"sum of weighted values is beyond the range of .*float64: make values"):
        attend(make([[0.0]]), make([[0.0], [0.0]]), make([[1.5e308], [1.5e308]]))


def test_arrays_that_do_not_go_together(make, unchecked):
    ones = np.ones((2, 3))
    with pytest.raises(LibraryError, match="one library"):
        attend(ones, torch.ones(2, 3), ones)
    with pytest.raises(DTypeError, match=r"queries is .*float64, keys is .*float32: convert with keys\."):
        attention_weights(make(ones), make(ones, dtype="float32"))
    with pytest.raises(DTypeError, match=r"values must be real numbers; got dtype .*complex128"):
        attend(make(ones), make(ones), make(ones, dtype="complex128"))


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        (((3,), (2, 3), (2, 3)), "each array needs two axes, rows and width, after any batch axes"),
        (((5, 2, 3), (2, 3), (2, 3)), "all arrays need the same batch axes, those before the last two"),
        (((2, 3), (2, 4), (2, 3)), "queries and keys need the same width, their last axis"),
        (((2, 3), (4, 3), (2, 3)), "each key needs one value row"),
    ],
)
def test_shapes_that_do_not_fit(make, unchecked, shapes, said):
    with pytest.raises(ShapeError) as caught:
        attend(*(make(np.ones(shape)) for shape in shapes))
    queries, keys, values = shapes
    assert str(caught.value) == f"{said}; got queries {queries}, keys {keys}, values {values}"


def test_a_mask_that_does_not_fit(make):
    ones = make(np.ones((2, 3)))
    for function, arrays in ((attention_weights, (ones, ones)), (attend, (ones, ones, ones))):
        with pytest.raises(ShapeError, match=r"of shape \(2, 2\) with the keys last; got \(2, 3\)"):
            function(*arrays, allowed=make(np.ones((2, 3)), dtype=bool))


@pytest.mark.slow
def test_gradients_against_finite_differences():
    generator = torch.Generator().manual_seed(0)
    arrays = [
        torch.randn(shape, dtype=torch.float64, generator=generator, requires_grad=True)
        for shape in ((2, 3, 2), (2, 4, 2), (2, 4, 2))
    ]
    allowed = torch.tensor([[True] * 4, [True, False, True, False], [False] * 4])
    options = {"allowed": allowed, "empty": "zeros", "scale": 0.5}
    assert torch.autograd.gradcheck(lambda q, k, v: attend(q, k, v, **options), arrays)
    assert torch.autograd.gradcheck(lambda q, k, v: attend(q, k, v, block=5, **options), arrays)
    assert torch.autograd.gradcheck(lambda q, k: attention_weights(q, k, **options), arrays[:2])


def test_a_mask_for_all_queries_alike_that_allows_nothing(make):
    queries, keys = make([[1.0, 0.0], [0.0, 1.0]]), make([[1.0, 0.0], [0.0, 1.0]])
    nothing = make([0.0, 0.0]) > 1
    with pytest.raises(MaskedRowError, match="no key may be read in row 0"):
        attention_weights(queries, keys, allowed=nothing)
    assert float(attend(queries, keys, keys, allowed=nothing, empty="zeros").sum()) == 0


def test_scale_sqrt_is_one_over_the_root_of_the_width(rng_arrays):
    queries, keys, values = rng_arrays
    np.testing.assert_array_equal(
        attention_weights(queries, keys, scale="sqrt"),
        attention_weights(queries, keys, scale=1 / keys.shape[-1] ** 0.5),
    )
    np.testing.assert_array_equal(
        attend(queries, keys, values, scale="sqrt"), attend(queries, keys, values, scale=1 / keys.shape[-1] ** 0.5)
    )


def test_another_word_for_scale(rng_arrays, unchecked):
    with pytest.raises(ValueRangeError, match="scale must be a finite number, or 'sqrt' for 1/√width; got 'root'"):
        attention_weights(*rng_arrays[:2], scale="root")


@pytest.fixture
def rng_arrays():
    rng = np.random.default_rng(5)
    return rng.standard_normal((2, 7, 4)), rng.standard_normal((2, 7, 4)), rng.standard_normal((2, 7, 3))


@pytest.mark.parametrize("block", [None, 1, 5, 20])
def test_causal_attention_is_that_of_torch(rng_arrays, block):
    torch = pytest.importorskip("torch")
    tensors = [torch.as_tensor(array) for array in rng_arrays]
    expected = torch.nn.functional.scaled_dot_product_attention(*tensors, is_causal=True)
    np.testing.assert_allclose(
        attend(*rng_arrays, scale="sqrt", causal=True, block=block), expected.numpy(), rtol=0, atol=1e-14
    )
    torch.testing.assert_close(attend(*tensors, scale="sqrt", causal=True, block=block), expected, rtol=0, atol=1e-14)
    weights = attention_weights(*rng_arrays[:2], scale="sqrt", causal=True)
    assert (np.triu(weights, 1) == 0).all()
    np.testing.assert_allclose(weights @ rng_arrays[2], expected.numpy(), rtol=0, atol=1e-14)


@pytest.mark.parametrize("function", [attention_weights, attend])
def test_causal_and_a_mask_must_both_allow(rng_arrays, function):
    arrays = rng_arrays[: 2 if function is attention_weights else 3]
    allowed = np.ones((7, 7), dtype=bool)
    allowed[3, :3] = False
    both = np.tril(allowed)
    np.testing.assert_allclose(
        function(*arrays, allowed=allowed, causal=True), function(*arrays, allowed=both), rtol=0, atol=1e-15
    )
    allowed[2, :3] = False  # query 2 may read later keys only, of which it has none
    with pytest.raises(MaskedRowError, match=r"no key may be read in row \(0, 2\)"):
        function(*arrays, allowed=allowed, causal=True)
    assert (function(*arrays, allowed=allowed, causal=True, empty="zeros")[:, 2] == 0).all()


def test_causal_needs_a_key_for_each_query(rng_arrays):
    queries, keys, values = rng_arrays
    for call in (
        lambda: attention_weights(queries[:, :5], keys, causal=True),
        lambda: attend(queries[:, :5], keys, values, causal=True),
    ):
        with pytest.raises(ShapeError, match="causal needs one key for each query; got 5 queries and 7 keys"):
            call()


def test_keys_without_numbers_have_no_scale_of_their_own():
    nothing = np.zeros((2, 0))
    with pytest.raises(ShapeError, match=r"scale='sqrt' is 1/√width: queries and keys need at least one number"):
        attention_weights(nothing, nothing, scale="sqrt")
