"""The array library: which one the arguments belong to, what the standard leaves out, how many threads it is to use.

**Threads.** OpenBLAS, which NumPy and SciPy bring along, spreads every product over all cores, and its threads wait for
each other spinning. On a machine with other things to do one of them is often out of turn, and the others burn their
time: a training run of thousands of small products then took five times the CPU time of a single thread. So trainers
say how large their products are, and a thread is used for each that is worth one (`threads_for`).

NumPy has no function for it; OpenBLAS has, and is asked directly. Where it is not found (another library, Windows),
nothing changes. The number is one for the whole process: while several Python threads compute, the smallest of their
limits holds for all of them.
"""

from __future__ import annotations

import ctypes
import math
import operator
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from threading import Lock
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from array_api_compat import array_namespace, device, is_torch_array

from regard.display import one_line, short
from regard.errors import DTypeError, LibraryError, ValueRangeError
from regard.shapes import Array, Float

LONG_INTEGER = 10**30
"""Longer ones are described by their size."""


def floating(*, allowed: Array | None = None, **arrays: Array) -> tuple[Any, list[Array]]:
    """The one array namespace of all arguments, and the arguments as floating-point arrays of one dtype.

    Every public function of `arrays`, `noise` and `design` passes what it is given through here or through
    `float64_array`. Integers and booleans become float64, floating-point arrays stay as they are. Arguments are
    handed over by name so that an error can name them; `allowed`, a mask, must be boolean.

    >>> xp, [queries, keys] = floating(queries=np.zeros((1, 2)), keys=np.array([[1, 2], [3, 4]]))
    >>> xp.__name__, keys.dtype
    ('array_api_compat.numpy', dtype('float64'))

    Raises LibraryError for two libraries or two devices, DTypeError for two dtypes or one that is not real numbers.
    """
    everything = arrays if allowed is None else {**arrays, "allowed": allowed}
    for name, array in everything.items():
        _require_array(name, array)
    for first, second in pairwise(everything.items()):
        _require_same_library(first, second)
    xp = array_namespace(*everything.values())
    found = {name: _as_float(xp, name, array) for name, array in arrays.items()}
    for (name_1, one), (name_2, two) in pairwise(found.items()):
        _require_same_dtype((name_1, one, arrays[name_1]), (name_2, two, arrays[name_2]))
    if allowed is not None and not xp.isdtype(allowed.dtype, "bool"):
        raise DTypeError(f"allowed must be boolean, True where a key may be read; got {allowed.dtype}")
    return xp, list(found.values())


def float64_array(numbers: Any, *, name: str) -> Float[np.ndarray, " ..."]:
    """Real numbers of any kind (an array, a tensor, a list, one number) as a float64 array, cut from the gradient.

    Raises DTypeError for complex numbers, text, objects and rows of different lengths, ValueRangeError where float64
    has no room for a number.
    """
    try:
        array = np.asarray(as_numpy(numbers) if hasattr(numbers, "dtype") else numbers)
    except ValueError:
        raise DTypeError(f"{name} must be an array of real numbers; got rows of different lengths") from None
    if array.size == 0 and not hasattr(numbers, "dtype"):
        return np.zeros(array.shape)
    if array.dtype.kind not in "fiub":
        raise DTypeError(_not_real(name, array))
    with quiet():
        numbers = array.astype(np.float64, copy=False)
    if array.dtype.itemsize > 8 and (np.isinf(numbers) & np.isfinite(array)).any():
        raise ValueRangeError(f"{name} must be within the range of float64; got {array.dtype} beyond it")
    return numbers


def real_number(number: Any, *, name: str) -> float:
    """One real number as a float, possibly NaN or infinite, as integers beyond float64 become; else DTypeError.

    >>> real_number(np.float32(0.5), name="scale"), real_number(3, name="scale")
    (0.5, 3.0)
    """
    if isinstance(number, int | float) and not isinstance(number, bool):
        try:
            return float(number)
        except OverflowError:
            return math.inf if number > 0 else -math.inf
    try:
        array = np.asarray(as_numpy(number) if hasattr(number, "dtype") else number)
    except ValueError:  # rows of different lengths
        array = np.zeros(0)
    if array.ndim != 0 or array.dtype.kind not in "fiu":
        raise DTypeError(f"{name} must be a number; got {_show(number)}")
    with quiet():
        return float(array)


def finite_number(number: Any, *, name: str) -> float:
    """One real number that is neither NaN nor infinite; else DTypeError or ValueRangeError."""
    value = real_number(number, name=name)
    if not math.isfinite(value):
        raise ValueRangeError(f"{name} must be a finite number; got {_show(number)}")
    return value


def whole_number(number: Any, *, name: str) -> int:
    """One integer, Python's or NumPy's; DTypeError for anything else, fractions and booleans included."""
    is_one = isinstance(number, SupportsIndex) and not isinstance(number, bool | np.bool_)
    try:
        if is_one:
            return operator.index(number)
    except TypeError:  # an array of several, or of fractions
        pass
    raise DTypeError(f"{name} must be a whole number; got {_show(number)}")


def widen(xp: Any, *arrays: Array) -> list[Array]:
    """The arrays in float32 where they are float16 or bfloat16: sums over 65,520 ones would leave float16."""
    return [xp.astype(array, xp.float32) if xp.finfo(array.dtype).bits < 32 else array for array in arrays]


def narrow(xp: Any, array: Array, like: Array) -> Array:
    """The array in the dtype of another; ValueRangeError where finite numbers would overflow there."""
    if array.dtype == like.dtype:
        return array
    with quiet():
        narrow = xp.astype(array, like.dtype)
    if bool(xp.any(xp.isinf(narrow) & xp.isfinite(array))):
        raise ValueRangeError(f"the result is beyond the range of {like.dtype}: convert the arguments to float32")
    return narrow


def constant(array: Array) -> Array:
    """The array without its gradient."""
    return array.detach() if is_torch_array(array) else array


def as_numpy(array: Array) -> np.ndarray:
    """The numbers as a NumPy array, without their gradient; bfloat16, which NumPy lacks, becomes float32."""
    if not is_torch_array(array):
        return np.asarray(array)
    tensor = constant(array).cpu()
    return np.asarray(tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor)


def allocate_workspace(xp: Any, shape: tuple[int, ...], *inputs: Array) -> Array | None:
    """Memory of that shape to compute in again and again, or None where a gradient needs every step kept.

    Fresh memory for each step would cost more than the step: the kernel clears it page by page.
    """
    if any(getattr(array, "requires_grad", False) for array in inputs):
        return None
    return xp.empty(shape, dtype=inputs[0].dtype, device=device(inputs[0]))


def quiet() -> np.errstate:
    """A context in which overflow gives no warning: what is infinite or undefined is looked for later."""
    return np.errstate(all="ignore")


def require_finite(xp: Any, array: Array, *, what: str, **arguments: Array) -> Array:
    """The array; ValueRangeError if it holds NaN or infinity, which says whether an argument did so before."""
    if bool(xp.all(xp.isfinite(array))):
        return array
    for name, argument in arguments.items():
        if not bool(xp.all(xp.isfinite(argument))):
            raise ValueRangeError(f"{name} must be finite; there is NaN or infinity")
    names = " and ".join(arguments)
    raise ValueRangeError(f"{what} is beyond the range of {array.dtype}: make {names} smaller")


def _show(number: Any) -> str:
    """What came in place of a number, in a few words."""
    if isinstance(number, int) and abs(number) >= LONG_INTEGER:  # Python refuses to write out the longest
        return f"an integer of {number.bit_length():,} bits"
    return one_line(short(number), max_length=60)


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


def _as_float(xp: Any, name: str, array: Array) -> Array:
    if xp.isdtype(array.dtype, "real floating"):
        if xp.finfo(array.dtype).bits > 64:
            raise DTypeError(
                f"{name} must be float64 at most; got {array.dtype}: {_conversion(name, array, 'float64')}"
            )
        return array
    if not xp.isdtype(array.dtype, ("bool", "integral")):
        raise DTypeError(_not_real(name, array))
    return xp.astype(array, xp.float64)


def _not_real(name: str, array: Array) -> str:
    return f"{name} must be real numbers; got dtype {array.dtype}: give floating-point numbers, integers or booleans"


def _require_same_dtype(first: tuple[str, Array, Array], second: tuple[str, Array, Array]) -> None:
    """Each is a name, the array as floating point, and the array as it was given."""
    (name_1, one, _), (name_2, two, given) = first, second
    if one.dtype != two.dtype:
        wanted = str(one.dtype).removeprefix("torch.")
        dtypes = [_describe_dtype(array, given) for _, array, given in (first, second)]
        raise DTypeError(
            f"all arrays must have one dtype; {name_1} is {dtypes[0]}, {name_2} is {dtypes[1]}: "
            f"{_conversion(name_2, given, wanted)}"
        )


def _describe_dtype(array: Array, given: Array) -> str:
    return str(array.dtype) if array.dtype == given.dtype else f"{given.dtype} (which counts as float64)"


def _conversion(name: str, array: Array, dtype: str) -> str:
    return (
        f"convert with {name}.to(torch.{dtype})" if is_torch_array(array) else f"convert with {name}.astype({dtype!r})"
    )


def _library(array: Array) -> str:
    return type(array).__module__.partition(".")[0]


OPENBLAS_EXTENSIONS = ("numpy._core._multiarray_umath", "scipy.linalg._fblas")
"""Parts of NumPy and SciPy that are linked to their own copies of OpenBLAS."""
OPENBLAS_FUNCTIONS = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads")
"""What OpenBLAS calls its functions, with get or set in the gap; NumPy and SciPy put their own prefix and suffix."""
MULTIPLICATIONS_PER_THREAD = 2e9
"""About a twentieth of a second: several turns of a busy processor, so that waiting for a thread is the exception."""


class OpenBlas(NamedTuple):
    """The functions of one copy of OpenBLAS that read and set the number of its threads."""

    get: ctypes._NamedFuncPointer
    set: ctypes._NamedFuncPointer


_LOCK = Lock()
_LIMITS: list[int] = []
"""The limits that hold at present."""
_UNLIMITED: list[tuple[OpenBlas, int]] = []
"""Each copy of OpenBLAS, and how many threads it used before the first of the limits."""


@contextmanager
def threads_for(multiplications: float) -> Iterator[int]:
    """Within it, NumPy's products use as many threads as a product of this many multiplications is worth, never more
    than before; the number is given.

    >>> with threads_for(1e6) as n_threads:
    ...     n_threads
    1
    """
    wanted = max(1, int(multiplications / MULTIPLICATIONS_PER_THREAD))
    with _LOCK:
        if not _LIMITS:
            _UNLIMITED[:] = [(library, library.get()) for library in _openblas_copies()]
        _LIMITS.append(wanted)
        _set_threads()
        n_threads = min([*_LIMITS, *(before for _, before in _UNLIMITED)])
    try:
        yield n_threads
    finally:
        with _LOCK:
            _LIMITS.remove(wanted)
            _set_threads()


def _set_threads() -> None:
    """Give each copy of OpenBLAS as many threads as the limits that hold now allow."""
    for library, before in _UNLIMITED:
        library.set(min([before, *_LIMITS]))


def _openblas_copies() -> tuple[OpenBlas, ...]:
    """Every copy of OpenBLAS that may compute now; a part of SciPy that was not imported does not."""
    found = [_openblas_of(extension) for extension in OPENBLAS_EXTENSIONS if extension in sys.modules]
    return tuple(threads for threads in found if threads is not None)


@cache
def _openblas_of(extension: str) -> OpenBlas | None:
    """The functions of the OpenBLAS that a loaded extension is linked to; None where there is none."""
    path = getattr(sys.modules[extension], "__file__", None)
    try:
        library = ctypes.CDLL(path) if path else None
    except OSError:
        return None
    for name in OPENBLAS_FUNCTIONS:
        if hasattr(library, name.format("get")) and hasattr(library, name.format("set")):
            return OpenBlas(getattr(library, name.format("get")), getattr(library, name.format("set")))
    return None
