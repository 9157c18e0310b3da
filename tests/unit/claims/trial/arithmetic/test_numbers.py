"""Values in float64: members, entries, and what is not defined."""

import numpy as np
import pytest

from regard.claims.trial.arithmetic.functions import derivatives
from regard.claims.trial.arithmetic.numbers import (
    DEFINED_FLOATS,
    FLOATS,
    CannotEvaluate,
    entry,
    locate_part,
    pick,
    transpose,
)


def test_the_derivative_of_a_square_norm_is_twice_the_vector():
    vector = np.array([[1.0], [-2.0]])

    def square(x):
        return transpose(x) @ x

    found = derivatives(square, vector, (Ellipsis, slice(None), slice(None)), numbers=FLOATS, layout="by")
    np.testing.assert_allclose(found, 2 * vector)


def test_an_index_picks_a_member_and_an_entry():
    family = np.arange(12.0).reshape(3, 2, 2)
    assert pick(family, -3, 1).tolist() == [[4, 5], [6, 7]]
    assert entry(family[0], [1, 0]).tolist() == [[2]]
    assert entry(np.array([[5.0, 6.0]]), [1]).tolist() == [[6]]
    assert family[locate_part(family, [2, 0, 1], is_family=True)].tolist() == [[9]]
    with pytest.raises(CannotEvaluate, match="there is no member 4 of 3"):
        pick(family, -3, 3)
    with pytest.raises(CannotEvaluate, match=r"there is no entry 3 in a value of shape \(1, 2\)"):
        entry(np.array([[5.0, 6.0]]), [2])


def test_the_logarithm_of_zero_may_count_as_undefined():
    zero = np.zeros((1, 1))
    with np.errstate(all="ignore"):
        assert FLOATS.apply("log", zero).item() == -np.inf
        assert np.isnan(DEFINED_FLOATS.apply("log", zero)).all()


def test_a_root_times_itself_is_the_matrix():
    matrix = np.array([[[2.0, 1.0], [1.0, 2.0]]])
    root = FLOATS.matrix_root(matrix)
    np.testing.assert_allclose(root @ root, matrix, atol=1e-12)
    assert np.isnan(FLOATS.matrix_root(-matrix)).all()


def test_what_is_infinite_has_no_rank():
    found = FLOATS.rank(np.array([[[np.inf, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]]]))
    assert np.isnan(found[0]).all()
    assert found[1].item() == 1
