"""How many threads NumPy's products use: no more than their size is worth.

OpenBLAS, which NumPy and SciPy bring along, spreads every product over all cores, and its threads wait for each other
spinning. On a machine with other things to do one of them is often out of turn, and the others burn their time: a
training run of thousands of small products then took five times the CPU time of a single thread. So trainers say how
large their products are, and a thread is used for each that is worth one.

NumPy has no function for it; OpenBLAS has, and is asked directly. Where it is not found (another library, Windows),
nothing changes. The number is one for the whole process: while several Python threads compute, the smallest of their
limits holds for all of them.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import NamedTuple

EXTENSIONS = ("numpy._core._multiarray_umath", "scipy.linalg._fblas")
"""Parts of NumPy and SciPy that are linked to their own copies of OpenBLAS."""
NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads")
"""What OpenBLAS calls its functions, with get or set in the gap; NumPy and SciPy put their own prefix and suffix."""
MULTIPLICATIONS_PER_THREAD = 2e9
"""About a twentieth of a second: several turns of a busy processor, so that waiting for a thread is the exception."""


class Threads(NamedTuple):
    """The functions of one copy of OpenBLAS that read and set the number of its threads."""

    get: ctypes._NamedFuncPointer
    set: ctypes._NamedFuncPointer


_LOCK = Lock()
_LIMITS: list[int] = []
"""The limits that hold at present."""
_UNLIMITED: list[tuple[Threads, int]] = []
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
            _UNLIMITED[:] = [(library, library.get()) for library in _libraries()]
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


def _libraries() -> tuple[Threads, ...]:
    """Every copy of OpenBLAS that may compute now; a part of SciPy that was not imported does not."""
    found = [_threads_of(extension) for extension in EXTENSIONS if extension in sys.modules]
    return tuple(threads for threads in found if threads is not None)


@cache
def _threads_of(extension: str) -> Threads | None:
    """The functions of the OpenBLAS that a loaded extension is linked to; None where there is none."""
    path = getattr(sys.modules[extension], "__file__", None)
    try:
        library = ctypes.CDLL(path) if path else None
    except OSError:
        return None
    for name in NAMES:
        if hasattr(library, name.format("get")) and hasattr(library, name.format("set")):
            return Threads(getattr(library, name.format("get")), getattr(library, name.format("set")))
    return None
