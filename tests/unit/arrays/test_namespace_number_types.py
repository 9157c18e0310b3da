"""Every public function takes integers and booleans as float64, and half precision without overflow inside."""

import math

import numpy as np
import pytest
import torch

from regard import arrays
from regard.arrays import (
    MultiHead,
    attend,
    attention_weights,
    effective_count,
    entropy,
    extract,
    is_copying,
    log_sum_exp,
    masked_softmax,
    multi_head,
    principal_angles,
    projector,
    recover,
    top,
)
from regard.errors import DTypeError, ValueRangeError
from regard.noise import isotropic

MATRIX = [[1, 0], [1, 1]]
COLUMN, OTHER = [[1], [0]], [[1], [1]]
CALLS = {
    "attend": (lambda a: attend(a(MATRIX), a(MATRIX), a(MATRIX))),
    "attention_weights": (lambda a: attention_weights(a(MATRIX), a(MATRIX))),
    "effective_count": (lambda a: effective_count(a([[0, 1]]))),
    "entropy": (lambda a: entropy(a([[0, 1]]))),
    "extract": (lambda a: extract(a([1, 1]), a(COLUMN))),
    "is_copying": (lambda a: is_copying(a([[0, 1]]))),
    "log_sum_exp": (lambda a: log_sum_exp(a(MATRIX))),
    "masked_softmax": (lambda a: masked_softmax(a(MATRIX))),
    "multi_head": (lambda a: multi_head(a(MATRIX), a(MATRIX), a(MATRIX))),
    "MultiHead": (lambda a: MultiHead(*[a([MATRIX])] * 4)(a(MATRIX))),
    "MultiHead.weights": (lambda a: MultiHead(*[a([MATRIX])] * 4).weights(a(MATRIX))),
    "principal_angles": (lambda a: principal_angles(a(COLUMN), a(OTHER))),
    "projector": (lambda a: projector(a(OTHER))),
    "recover": (lambda a: recover(a([1, 1]), a(COLUMN), a(OTHER)).value),
    "top": (lambda a: top(a([[0, 1]])).weights),
}


def test_every_public_function_is_called():
    assert {name.partition(".")[0] for name in CALLS} == set(arrays.__all__) - {"Recovery", "Top"}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", ["int64", "int8", "bool"])
def test_integers_and_booleans_count_as_float64(make, name, dtype, unchecked):
    found = CALLS[name](lambda data: make(data, dtype=dtype))
    expected = CALLS[name](make)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))


@pytest.mark.parametrize("name", CALLS)
def test_complex_numbers_and_text_are_refused(make, name, unchecked):
    with pytest.raises(DTypeError, match="must be real numbers; got dtype"):
        CALLS[name](lambda data: make(data, dtype="complex128"))
    for dtype in ("object", "U8", "S8"):
        with pytest.raises(DTypeError, match="must be real numbers; got dtype"):
            CALLS[name](lambda data, dtype=dtype: np.asarray(data).astype(dtype))


@pytest.mark.parametrize("name", [name for name in CALLS if name != "is_copying"])
def test_half_precision_is_kept_and_close_to_float64(make, name):
    found = CALLS[name](lambda data: make(data, dtype="float16"))
    assert str(found.dtype).endswith("float16")
    np.testing.assert_allclose(np.asarray(found, dtype=float), np.asarray(CALLS[name](make)), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("dtype", [np.float16, torch.float16, torch.bfloat16])
def test_seventy_thousand_equal_keys_in_half_precision(dtype):
    n = 70_000  # the sum of so many ones is beyond float16
    xp = torch if isinstance(dtype, torch.dtype) else np
    logits, one = xp.zeros(n, dtype=dtype), xp.ones((1, 1), dtype=dtype)
    assert float(masked_softmax(logits)[0]) == pytest.approx(1 / n, rel=0.01)
    assert float(log_sum_exp(logits)) == pytest.approx(math.log(n), rel=0.01)
    values = 100 * xp.ones((n, 1), dtype=dtype)  # their sum is beyond float16, their mean is not
    assert float(attend(one, xp.zeros((n, 1), dtype=dtype), values)[0, 0]) == pytest.approx(100)
    assert float(attention_weights(one, xp.zeros((n, 1), dtype=dtype))[0, 5]) == pytest.approx(1 / n, rel=0.01)


def test_a_count_beyond_half_precision_is_refused():
    weights = masked_softmax(np.zeros(70_000, dtype=np.float16))
    assert float(entropy(weights)) == pytest.approx(math.log(70_000), rel=1e-2)
    with pytest.raises(ValueRangeError, match="the result is beyond the range of float16"):
        effective_count(weights)


def test_finite_numbers_never_become_infinite_in_silence():
    huge = np.full((1, 2, 2), 1e200)
    with pytest.raises(ValueRangeError, match="inputs @ w_query is beyond the range of float64: make inputs"):
        MultiHead(huge, huge, huge, huge)(np.full((2, 2), 1e200))
    eye = np.eye(2)[None]
    with pytest.raises(ValueRangeError, match="the output is beyond the range of float64"):
        MultiHead(eye, eye, huge, huge)(np.eye(2))
    with pytest.raises(ValueRangeError, match="the part of total is beyond the range of float64: make total smaller"):
        extract(np.full(2, 1.7e308), np.ones((2, 1)))


def test_a_number_beyond_float64_is_refused_without_a_warning(unchecked):
    huge = np.longdouble("1e4000")
    if not np.isfinite(huge):
        pytest.skip("long double is float64 here")
    with pytest.raises(ValueRangeError, match=r"scale must be a finite number; got 1e\+4000"):
        attend(np.eye(2), np.eye(2), np.eye(2), scale=huge)
    with pytest.raises(ValueRangeError, match="an isotropic variance must be within the range of float64"):
        isotropic(huge)
    with pytest.raises(DTypeError, match=r"count must be a whole number; got 1e\+4000"):
        top(np.ones(2) / 2, count=huge)
