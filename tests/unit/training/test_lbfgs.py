import math

import numpy as np
import pytest
from scipy.optimize import rosen, rosen_der

from regard.errors import ValueRangeError
from regard.training.lbfgs import minimise


def test_a_valley_that_bends():
    found = minimise(lambda x: (float(rosen(x)), rosen_der(x)), np.array([-1.2, 1.0]), max_iterations=100)
    np.testing.assert_allclose(found.point, [1, 1], atol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scales_apart_in_the_precision_given(dtype):
    scales = np.array([1, 10, 100, 1000], dtype)
    found = minimise(
        lambda x: (0.5 * float(scales @ (x - 1) ** 2), scales * (x - 1)), np.zeros(4, dtype), max_iterations=60
    )
    assert found.point.dtype == dtype
    np.testing.assert_allclose(found.point, 1, atol=2e-3 if dtype == np.float32 else 1e-6)


def test_values_never_rise_and_the_caller_may_end_it():
    values = []

    def go_on(iterate):
        values.append(iterate.value)
        return len(values) < 7

    found = minimise(
        lambda x: (float(rosen(x)), rosen_der(x)), np.array([-1.2, 1.0, 0.3]), max_iterations=100, go_on=go_on
    )
    assert found.iteration == 7
    assert values == sorted(values, reverse=True)


def test_a_step_that_gains_nothing_ends_it():
    found = minimise(lambda x: (float(x @ x), 2 * x), np.ones(2), max_iterations=50, tolerance=1e-3)
    assert found.iteration < 5
    assert minimise(lambda x: (1.0, np.zeros(2)), np.ones(2), max_iterations=5).iteration == 0


def test_a_wall_is_backed_away_from():
    """Past x = 1 there is nothing finite, and the full step would go there."""

    def objective(x):
        if x[0] >= 1:
            return math.inf, np.zeros(1)
        return -math.log1p(-x[0]) - 5 * x[0], np.array([1 / (1 - x[0]) - 5])

    assert minimise(objective, np.zeros(1), max_iterations=40).point[0] == pytest.approx(0.8, abs=1e-6)


def test_a_start_that_is_not_finite_is_refused():
    with pytest.raises(ValueRangeError, match="must be finite where the search starts; got nan"):
        minimise(lambda x: (math.nan, x), np.zeros(1), max_iterations=5)
