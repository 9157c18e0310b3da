import numpy as np
import pytest
import torch

from regard.arrays.namespace import as_numpy, constant, namespace_of, quiet, reusable
from regard.errors import DTypeError, LibraryError, RegardError


def message(error: type[Exception], **arrays) -> str:
    with pytest.raises(error) as caught:
        namespace_of(**arrays)
    assert isinstance(caught.value, RegardError)
    return str(caught.value)


def test_the_library_of_the_arguments():
    assert namespace_of(keys=np.zeros(2)).__name__ == "array_api_compat.numpy"
    assert namespace_of(keys=torch.zeros(2), values=torch.zeros(3)).__name__ == "array_api_compat.torch"


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


@pytest.mark.parametrize("dtype", ["int64", "bool", "complex128"])
def test_a_dtype_that_is_not_floating_point(dtype):
    assert message(DTypeError, keys=np.zeros(2, dtype=dtype)) == (
        f"keys must be floating point; got {dtype}: convert with keys.astype('float64')"
    )


def test_integers_in_torch():
    assert message(DTypeError, keys=torch.zeros(2, dtype=torch.int32)) == (
        "keys must be floating point; got torch.int32: convert with keys.to(torch.float64)"
    )


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
    xp = namespace_of(keys=torch.zeros(2))
    plain, wanted = torch.zeros(2), torch.zeros(2, requires_grad=True)
    assert reusable(xp, (3, 4), plain, plain).shape == (3, 4)
    assert reusable(xp, (3, 4), plain, wanted) is None


def test_quiet_holds_inside_only():
    huge = np.array(1e308)
    with quiet():
        assert np.isinf(huge * huge)
    with pytest.warns(RuntimeWarning, match="overflow"):
        huge * huge
