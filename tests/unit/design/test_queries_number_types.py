"""Designs take numbers of every real type and refuse the others."""

import numpy as np
import pytest

from regard.design import average, copy, hull_bound, mix, reachability, robust, smallest_scale
from regard.errors import DTypeError
from regard.noise import GaussianKeys, isotropic

EYE, SHARES = np.eye(3), np.array([0.5, 0.25, 0.25])
CALLS = {
    "copy": lambda a: copy(a(EYE), 0).query,
    "average": lambda a: average(a(EYE), [0, 1]).query,
    "mix": lambda a: mix(a(EYE), SHARES).query,
    "reachability": lambda a: reachability(a(EYE), SHARES).query,
    "hull_bound": lambda a: np.array([hull_bound(a(np.array([[0, 0], [2, 2], [1, 1]])), 2).bound]),
    "smallest_scale": lambda a: np.array([smallest_scale(a(np.zeros(3)), a(np.ones(3)), error=0.01)]),
    "robust": lambda a: robust(GaussianKeys(EYE, isotropic(0.01)), a(EYE), a(np.array([1, 0, 0]))).queries,
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", ["int64", "uint8", "float16", "float32"])
def test_every_real_type_gives_the_design_of_float64(name, dtype, unchecked):
    np.testing.assert_array_equal(CALLS[name](lambda array: array.astype(dtype)), CALLS[name](np.float64))


def test_booleans_are_zeros_and_ones(unchecked):
    np.testing.assert_array_equal(copy(np.eye(3, dtype=bool), 0).query, copy(np.eye(3), 0).query)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", ["complex128", "object", "U8", "S8"])
def test_what_is_not_real_is_refused(name, dtype, unchecked):
    with pytest.raises(DTypeError, match="must be real numbers; got dtype"):
        CALLS[name](lambda array: array.astype(dtype))
