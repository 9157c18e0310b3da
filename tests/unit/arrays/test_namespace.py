import numpy as np
import pytest
import torch

from regard.arrays.namespace import (
    allocate_workspace,
    as_numpy,
    constant,
    float64_array,
    floating,
    narrow,
    quiet,
    widen,
)
from regard.errors import DTypeError, LibraryError, RegardError, ValueRangeError


def message(error: type[Exception], **arrays) -> str:
    with pytest.raises(error) as caught:
        floating(**arrays)
    assert isinstance(caught.value, RegardError)
    return str(caught.value)


def test_the_library_of_the_arguments():
    assert floating(keys=np.zeros(2))[0].__name__ == "array_api_compat.numpy"
    assert floating(keys=torch.zeros(2), values=torch.zeros(3))[0].__name__ == "array_api_compat.torch"


def test_two_libraries():
    assert message(LibraryError, queries=np.zeros(2), keys=torch.zeros(2)) == (
        "all arrays must come from one library; queries is from numpy, keys is from torch: "
        "convert one, with torch.from_numpy(array) or tensor.detach().numpy()"
    )


def test_a_mask_of_another_library():
    said = message(LibraryError, logits=torch.zeros(2), allowed=np.array([True, False]))
    assert "logits is from torch, allowed is from numpy" in said


def test_not_an_array_at_all():
    assert message(LibraryError, keys=[1.0, 2.0]) == (
        "keys must be an array of NumPy or PyTorch; got list: wrap it, for example numpy.asarray(keys, dtype=float)"
    )


def test_two_dtypes_name_both_and_the_conversion():
    assert message(DTypeError, queries=np.zeros(2), keys=np.zeros(2, dtype="float32")) == (
        "all arrays must have one dtype; queries is float64, keys is float32: convert with keys.astype('float64')"
    )
    assert message(DTypeError, queries=torch.zeros(2), keys=torch.zeros(2, dtype=torch.float64)) == (
        "all arrays must have one dtype; queries is torch.float32, keys is torch.float64: "
        "convert with keys.to(torch.float32)"
    )


def test_two_dtypes_are_found_wherever_they_stand():
    same, other = np.zeros(2), np.zeros(2, dtype="float32")
    assert "keys is float64, values is float32" in message(DTypeError, queries=same, keys=same, values=other)


@pytest.mark.parametrize("dtype", ["int64", "uint8", "bool"])
def test_integers_and_booleans_become_float64(dtype):
    _, [array] = floating(keys=np.array([1, 0], dtype=dtype))
    assert array.dtype == np.float64
    _, [tensor] = floating(keys=torch.tensor([1, 0]).to(getattr(torch, dtype)))
    assert tensor.dtype == torch.float64
    assert array.tolist() == tensor.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("dtype", ["complex128", "U1", "S1", "object", "M8[s]"])
def test_a_dtype_that_is_not_real_numbers(dtype):
    said = message(DTypeError, keys=np.zeros(2, dtype=dtype))
    assert said.startswith("keys must be real numbers; got dtype ")
    assert said.endswith(": give floating-point numbers, integers or booleans")
    with pytest.raises(DTypeError, match="keys must be real numbers; got dtype"):
        float64_array(np.zeros(2, dtype=dtype), name="keys")


def test_complex_tensors():
    assert "keys must be real numbers; got dtype torch.complex64" in message(DTypeError, keys=torch.zeros(2) * 1j)


def test_integers_beside_float32_are_told_what_they_count_as():
    assert message(DTypeError, queries=np.zeros(2, dtype="float32"), keys=np.zeros(2, dtype="int64")) == (
        "all arrays must have one dtype; queries is float32, keys is int64 (which counts as float64): "
        "convert with keys.astype('float32')"
    )


def test_numbers_of_every_kind_as_float64():
    for numbers in ([1, 2], (True, 2.0), np.float32([1, 2]), torch.tensor([1.0, 2.0], requires_grad=True)):
        assert float64_array(numbers, name="keys").tolist() == [1.0, 2.0]
    assert float64_array(torch.ones(1, dtype=torch.bfloat16), name="keys").dtype == np.float64
    with pytest.raises(DTypeError, match="keys must be an array of real numbers; got rows of different lengths"):
        float64_array([[1.0], [1.0, 2.0]], name="keys")


def test_half_precision_is_widened_and_comes_back():
    xp, [half, single] = floating(a=np.ones(2, dtype="float16"))[0], [np.ones(2, "float16"), np.ones(2, "float32")]
    wide = widen(xp, half, single)
    assert [array.dtype for array in wide] == [np.float32, np.float32]
    assert narrow(xp, wide[0], half).dtype == np.float16
    with pytest.raises(ValueRangeError, match="the result is beyond the range of float16: convert the arguments"):
        narrow(xp, np.float32([70_000.0]), half)


def test_a_mask_that_is_not_boolean():
    assert message(DTypeError, logits=np.zeros(2), allowed=np.zeros(2)) == (
        "allowed must be boolean, True where a key may be read; got float64"
    )


def test_two_devices():
    assert message(LibraryError, queries=torch.zeros(2), keys=torch.zeros(2, device="meta")) == (
        "all arrays must be on one device; queries is on cpu, keys on meta: move one, with keys.to('cpu')"
    )


def test_constant_cuts_the_gradient_and_nothing_else():
    tensor = torch.ones(2, requires_grad=True)
    assert not constant(tensor).requires_grad
    assert torch.equal(constant(tensor), tensor)
    array = np.ones(2)
    assert constant(array) is array


def test_as_numpy_reads_a_tensor_that_wants_a_gradient():
    np.testing.assert_array_equal(as_numpy(torch.ones(2, requires_grad=True)), [1.0, 1.0])


def test_memory_is_reused_only_where_no_gradient_is_wanted():
    xp, _ = floating(keys=torch.zeros(2))
    plain, wanted = torch.zeros(2), torch.zeros(2, requires_grad=True)
    assert allocate_workspace(xp, (3, 4), plain, plain).shape == (3, 4)
    assert allocate_workspace(xp, (3, 4), plain, wanted) is None


def test_quiet_holds_inside_only():
    huge = np.array(1e308)
    with quiet():
        assert np.isinf(huge * huge)
    with pytest.warns(RuntimeWarning, match="overflow"):
        huge * huge
