"""A short run of hostile arrays; `make faults` tries many more."""

import warnings

import numpy as np
import pytest

from regard.errors import RegardError
from tests.faults.hostile_arrays import SECONDS, make_case, run, try_call

N_CASES = 1200


def describe(faults):
    return [
        f"{name}: {kind} {detail}, case {seeds[0]}: {make_case(seeds[0])[3]}"
        for (name, kind, detail), seeds in faults.items()
    ]


def test_every_function_answers_soundly_or_refuses(unchecked):
    kinds, faults = run(range(N_CASES))
    assert describe(faults) == []
    assert min(kinds["answered"], kinds["refused"]) > N_CASES / 10  # or nothing was tried


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (lambda: np.array([1.0, np.nan]), "not finite"),
        (lambda: np.array([1.0 + 1j]), "not finite"),
        (lambda: warnings.warn("overflow", RuntimeWarning, stacklevel=1), "warned"),
        (lambda: int("x"), "other error"),
        (lambda: _refuse("two\nlines"), "unclear message"),
        (lambda: _refuse("one line"), "refused"),
        (lambda: 1.0, "answered"),
    ],
)
def test_the_harness_sees_what_it_should(answer, kind):
    assert try_call(answer, {}).kind == kind


def test_what_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr("tests.faults.hostile_arrays.SECONDS", 0.05)

    def work():
        while True:
            pass

    assert SECONDS > 0.05
    assert try_call(work, {}).kind == "took too long"


def _refuse(text):
    raise RegardError(text)
