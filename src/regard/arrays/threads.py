"""How many threads NumPy's products use: no more than their size is worth.

OpenBLAS, which NumPy and SciPy bring along, spreads every product over all cores, and its threads wait for each other
spinning. On a machine with other things to do one of them is often out of turn, and the others burn their time: a
training run of thousands of small products then took five times the CPU time of a single thread. So trainers say how
large their products are, and a thread is used for each that is worth one.

NumPy has no function for it; OpenBLAS has, and is asked directly. Where it is not found (another library, Windows),
nothing changes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

EXTENSIONS = ("numpy._core._multiarray_umath", "scipy.linalg._fblas")
"""Parts of NumPy and SciPy that are linked to their own copies of OpenBLAS."""
NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads")
MULTIPLICATIONS_PER_THREAD = 2e9
"""About a twentieth of a second: several turns of a busy processor, so that waiting for a thread is the exception."""


class Threads(NamedTuple):
    """The functions of one copy of OpenBLAS that read and set the number of its threads."""

    get: ctypes._NamedFuncPointer
    set: ctypes._NamedFuncPointer


@contextmanager
def threads_for(multiplications: float) -> Iterator[int]:
    """Within it, NumPy's products use as many threads as one of so many multiplications is worth, and never more than
    before; the number is given.

    >>> with threads_for(1e6) as n_threads:
    ...     n_threads
    1
    """
    wanted = max(1, int(multiplications / MULTIPLICATIONS_PER_THREAD))
    before = [library.get() for library in _libraries()]
    for library, n_threads in zip(_libraries(), before, strict=True):
        library.set(min(wanted, n_threads))
    try:
        yield min([wanted, *before])
    finally:
        for library, n_threads in zip(_libraries(), before, strict=True):
            library.set(n_threads)


@cache
def _libraries() -> tuple[Threads, ...]:
    """Every copy of OpenBLAS that NumPy and SciPy compute with."""
    found = (_threads_of(extension) for extension in EXTENSIONS)
    return tuple(threads for threads in found if threads is not None)


def _threads_of(extension: str) -> Threads | None:
    """The functions of the OpenBLAS that an extension is linked to; None where there is none."""
    spec = find_spec(extension)
    if spec is None or spec.origin is None:
        return None
    try:
        library = ctypes.CDLL(spec.origin)
    except OSError:
        return None
    for name in NAMES:
        if hasattr(library, name.format("get")) and hasattr(library, name.format("set")):
            return Threads(getattr(library, name.format("get")), getattr(library, name.format("set")))
    return None
