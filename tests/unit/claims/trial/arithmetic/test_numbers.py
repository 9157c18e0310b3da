"""Functions and derivatives in float64 and in decimals, against values worked out by hand."""

from contextlib import nullcontext
from decimal import Decimal

import numpy as np
import pytest

from regard.claims.trial.arithmetic.decimals import Decimals
from regard.claims.trial.arithmetic.derivatives import derivatives
from regard.claims.trial.arithmetic.numbers import FLOATS, apply, transpose, whole_power

COLUMN = np.array([[0.0], [np.log(3.0)]])


def in_decimals(function, *values):
    numbers = Decimals(50)
    with numbers.context():
        return apply(function, numbers, *(numbers.from_floats(value) for value in values))


def test_softmax_and_logsumexp():
    np.testing.assert_allclose(apply("softmax", FLOATS, COLUMN), [[0.25], [0.75]])
    np.testing.assert_allclose(apply("logsumexp", FLOATS, COLUMN), [[np.log(4)]])
    assert apply("softmax", FLOATS, np.array([[1000.0], [0.0]])).tolist() == [[1.0], [0.0]]


@pytest.mark.parametrize(
    ("function", "value", "result"),
    [
        ("norm", [[3.0], [4.0]], [[5.0]]),
        ("trace", [[1.0, 2.0], [3.0, 4.0]], [[5.0]]),
        ("det", [[1.0, 2.0], [3.0, 4.0]], [[-2.0]]),
        ("diag", [[1.0], [2.0]], [[1.0, 0.0], [0.0, 2.0]]),
        ("mean", [[1.0], [3.0]], [[2.0]]),
        ("max", [[1.0], [3.0]], [[3.0]]),
        ("relu", [[-1.0], [3.0]], [[0.0], [3.0]]),
        ("H", [[0.5], [0.5]], [[np.log(2)]]),
        ("H", [[1.0], [0.0]], [[0.0]]),
    ],
)
def test_both_arithmetics_agree_with_the_value_by_hand(function, value, result):
    np.testing.assert_allclose(apply(function, FLOATS, np.array(value)), result, atol=1e-15)
    np.testing.assert_allclose(in_decimals(function, np.array(value)).astype(float), result, atol=1e-15)


def test_decimals_keep_what_float64_loses():
    assert in_decimals("exp", np.array([[-1000.0]])).item() > 0
    third = Decimals(50).number(3)
    with Decimals(50).context():
        assert (1 / third * third - 1).item() < Decimal("1e-50")


def test_powers_of_matrices_and_their_inverse():
    matrix = np.array([[2.0, 0.0], [0.0, 4.0]])
    assert whole_power(matrix, 2, FLOATS).tolist() == [[4.0, 0.0], [0.0, 16.0]]
    assert whole_power(matrix, -1, FLOATS).tolist() == [[0.5, 0.0], [0.0, 0.25]]
    assert whole_power(matrix, 0, FLOATS).tolist() == np.eye(2).tolist()


def test_the_derivative_of_a_square_norm_is_twice_the_vector():
    vector = np.array([[1.0], [-2.0]])

    def square(x):
        return transpose(x) @ x

    found = derivatives(square, vector, (Ellipsis, slice(None), slice(None)), numbers=FLOATS, layout="by")
    np.testing.assert_allclose(found, 2 * vector)


@pytest.mark.parametrize("numbers", [FLOATS, Decimals(30)])
def test_eigenvalues_of_a_rotation_and_of_one_number(numbers):
    with numbers.context() if isinstance(numbers, Decimals) else nullcontext():
        turned = numbers.from_floats(np.array([[[0.0, -2.0], [2.0, 0.0]]]))
        for name, expected in (("eigreal", [0, 0]), ("eigimag", [-2, 2]), ("eigmoduli", [2, 2]), ("eigprod", [4])):
            found = np.asarray(apply(name, numbers, turned), dtype=float)
            np.testing.assert_allclose(found.reshape(-1), expected, atol=1e-12)
        one = numbers.from_floats(np.array([[[3.0]]]))
        assert float(apply("eigreal", numbers, one).flat[0]) == 3
        wide = numbers.from_floats(np.array([[[3.0, 4.0]]]))
        found = np.asarray(apply("singularvalues", numbers, wide), dtype=float).reshape(-1)
        np.testing.assert_allclose(found, [0, 5], atol=1e-7)


def test_what_is_infinite_has_no_rank():
    found = FLOATS.rank(np.array([[[np.inf, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]]]))
    assert np.isnan(found[0]).all()
    assert found[1].item() == 1
