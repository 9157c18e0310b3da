import subprocess
import sys

import numpy as np
import pytest

from regard.arrays import namespace
from regard.arrays.namespace import MULTIPLICATIONS_PER_THREAD, threads_for


def test_small_products_use_one_thread_and_all_is_as_before_afterwards():
    """In a process of its own, where OpenBLAS has four threads."""
    code = """
import numpy, scipy.linalg
from regard.arrays.namespace import _openblas_copies, threads_for
def now():
    return [library.get() for library in _openblas_copies()]
print(now())
with threads_for(1e6) as n: print(n, now())
with threads_for(6e9) as n: print(n, now())
try:
    with threads_for(1): raise KeyError
except KeyError: print(now())
"""
    environment = {"OPENBLAS_NUM_THREADS": "4", "PATH": ""}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    before, small, large, after = found.stdout.splitlines()
    if before == "[]":
        pytest.skip("NumPy computes with another library than OpenBLAS here; its own wheels lift this")
    assert before == after
    n_threads = max(eval(before))  # as many as were asked for, or as there are cores
    assert small == f"1 {[1] * len(eval(before))}"
    assert large == f"{min(3, n_threads)} {[min(3, n_threads)] * len(eval(before))}"


def test_without_openblas_nothing_happens(monkeypatch):
    monkeypatch.setattr(namespace, "_openblas_copies", tuple)
    with threads_for(1.0) as n_threads:
        assert n_threads == 1
        assert (np.ones((2, 2)) @ np.ones((2, 2))).sum() == 8
    assert namespace._openblas_of("json") is None  # Python, not a library
    assert namespace._openblas_of("sys") is None  # a part of Python itself


def test_a_thread_more_for_each_that_is_worth_it(monkeypatch):
    set_to = []
    library = namespace.OpenBlas(get=lambda: 8, set=set_to.append)
    monkeypatch.setattr(namespace, "_openblas_copies", lambda: (library,))
    for n_worth in (0, 1, 2.5, 100):
        with threads_for(n_worth * MULTIPLICATIONS_PER_THREAD):
            pass
    assert set_to == [1, 8, 1, 8, 2, 8, 8, 8]


def test_limits_that_overlap(monkeypatch):
    """As in the lab, where one visitor's training begins before and ends after the beginning of another's."""
    n_threads = [8]
    library = namespace.OpenBlas(get=lambda: n_threads[0], set=lambda n: n_threads.__setitem__(0, n))
    monkeypatch.setattr(namespace, "_openblas_copies", lambda: (library,))
    one, three = threads_for(1.0), threads_for(3 * MULTIPLICATIONS_PER_THREAD)
    assert three.__enter__() == 3
    assert one.__enter__() == 1
    three.__exit__(None, None, None)
    assert n_threads == [1]
    one.__exit__(None, None, None)
    assert n_threads == [8]


def test_scipy_is_not_imported_for_it():
    code = (
        "import sys, numpy\nfrom regard.arrays.namespace import threads_for\nwith threads_for(1): print(*sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "scipy.linalg" not in found.stdout.split()
