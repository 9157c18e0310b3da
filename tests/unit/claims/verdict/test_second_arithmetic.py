"""Matrices of the second evaluation, against cases worked by hand."""

import pytest
from mpmath import mp

from regard.claims.verdict.second_arithmetic import (
    FUNCTIONS,
    LAW_VALUES,
    OutOfReach,
    entry_of,
    multiply,
    power_of,
    transpose,
)

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


def test_projections_and_ranks():
    flat = [[mp.mpf(3), mp.mpf(6)], [mp.mpf(4), mp.mpf(8)]]
    found = FUNCTIONS["projector"](flat)
    assert [[round(25 * float(x), 9) for x in row] for row in found] == [[9, 12], [12, 16]]
    assert LAW_VALUES["projection"](flat) == found
    assert FUNCTIONS["rank"](flat) == [[1]]
    assert LAW_VALUES["semidefinite"]([[mp.mpf(1), mp.mpf(0)], [mp.mpf(2), mp.mpf(0)]]) == [[1, 2], [2, 4]]
