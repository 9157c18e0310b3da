"""Matrices of the second evaluation, against cases worked by hand."""

import pytest
from mpmath import mp

from regard.claims.verdict.second_arithmetic import FUNCTIONS, OutOfReach, entry_of, multiply, power_of, transpose

MATRIX = [[mp.mpf(1), mp.mpf(2)], [mp.mpf(3), mp.mpf(4)]]


def test_products_and_powers():
    assert multiply(MATRIX, transpose(MATRIX)) == [[5, 11], [11, 25]]
    assert power_of(MATRIX, [[mp.mpf(2)]]) == multiply(MATRIX, MATRIX)
    with pytest.raises(OutOfReach):
        power_of(MATRIX, [[mp.mpf("0.5")]])


def test_entries():
    assert entry_of(MATRIX, [1, 0]) == [[3]]
    with pytest.raises(OutOfReach):
        entry_of(MATRIX, [2, 0])


def test_functions():
    column = [[mp.mpf(0)], [mp.mpf(0)]]
    assert FUNCTIONS["softmax"](column) == [[0.5], [0.5]]
    assert FUNCTIONS["trace"](MATRIX) == [[5]]
    assert FUNCTIONS["diag"](column) == [[0, 0], [0, 0]]
    assert FUNCTIONS["column"](MATRIX, [[mp.mpf(2)]]) == [[2], [4]]
