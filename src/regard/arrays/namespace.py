"""Which array library the arguments belong to, and the little that the array API standard leaves out."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device, is_torch_array

from regard.errors import DTypeError, LibraryError
from regard.shapes import Array


def namespace_of(*, allowed: Array | None = None, **arrays: Array) -> Any:
    """The one array namespace of all arguments, which are handed over by name so that an error can name them.

    `arrays` must be floating point, of one dtype; `allowed`, a mask, must be boolean.

    >>> namespace_of(queries=np.zeros((1, 2)), keys=np.zeros((3, 2))).__name__
    'array_api_compat.numpy'

    Raises LibraryError for two libraries or two devices, DTypeError for two dtypes or one that does not fit.
    """
    everything = arrays if allowed is None else {**arrays, "allowed": allowed}
    for name, array in everything.items():
        _require_array(name, array)
    for first, second in pairwise(everything.items()):
        _require_same_library(first, second)
    xp = array_namespace(*everything.values())
    for name, array in arrays.items():
        _require_floating(xp, name, array)
    for first, second in pairwise(arrays.items()):
        _require_same_dtype(first, second)
    if allowed is not None and not xp.isdtype(allowed.dtype, "bool"):
        raise DTypeError(f"allowed must be boolean, True where a key may be read; got {allowed.dtype}")
    return xp


def constant(array: Array) -> Array:
    """The same numbers, cut from the gradient."""
    return array.detach() if is_torch_array(array) else array


def as_numpy(array: Array) -> np.ndarray:
    """The same numbers as a NumPy array, cut from the gradient."""
    return np.asarray(constant(array).cpu() if is_torch_array(array) else array)


def reusable(xp: Any, shape: tuple[int, ...], *inputs: Array) -> Array | None:
    """Memory of that shape to compute in again and again, or None where a gradient needs every step kept.

    Fresh memory for each step would cost more than the step: the kernel clears it page by page.
    """
    if any(getattr(array, "requires_grad", False) for array in inputs):
        return None
    return xp.empty(shape, dtype=inputs[0].dtype, device=device(inputs[0]))


def quiet() -> np.errstate:
    """A context in which overflow gives no warning: what is infinite or undefined is looked for later."""
    return np.errstate(all="ignore")


def _require_array(name: str, array: Any) -> None:
    try:
        array_namespace(array)
    except TypeError:
        raise LibraryError(
            f"{name} must be an array of NumPy or PyTorch; got {type(array).__name__}: "
            f"wrap it, for example numpy.asarray({name}, dtype=float)"
        ) from None


def _require_same_library(first: tuple[str, Array], second: tuple[str, Array]) -> None:
    libraries = [_library(array) for _, array in (first, second)]
    names = [name for name, _ in (first, second)]
    if libraries[0] != libraries[1]:
        raise LibraryError(
            f"all arrays must come from one library; {names[0]} is from {libraries[0]}, {names[1]} is from "
            f"{libraries[1]}: convert one, with torch.from_numpy(array) or tensor.detach().numpy()"
        )
    devices = [device(array) for _, array in (first, second)]
    if devices[0] != devices[1]:
        raise LibraryError(
            f"all arrays must be on one device; {names[0]} is on {devices[0]}, {names[1]} on {devices[1]}: "
            f"move one, with {names[1]}.to({str(devices[0])!r})"
        )


def _require_floating(xp: Any, name: str, array: Array) -> None:
    if not xp.isdtype(array.dtype, "real floating"):
        raise DTypeError(f"{name} must be floating point; got {array.dtype}: {_conversion(name, array, 'float64')}")


def _require_same_dtype(first: tuple[str, Array], second: tuple[str, Array]) -> None:
    if first[1].dtype != second[1].dtype:
        wanted = str(first[1].dtype).removeprefix("torch.")
        raise DTypeError(
            f"all arrays must have one dtype; {first[0]} is {first[1].dtype}, {second[0]} is "
            f"{second[1].dtype}: {_conversion(*second, wanted)}"
        )


def _conversion(name: str, array: Array, dtype: str) -> str:
    return (
        f"convert with {name}.to(torch.{dtype})" if is_torch_array(array) else f"convert with {name}.astype({dtype!r})"
    )


def _library(array: Array) -> str:
    return type(array).__module__.partition(".")[0]
