"""The expected squared error of queries, its gradient, and the ball in which they are sought."""

import numpy as np
import pytest

from regard.design.squared_error import Objective, squash_into_ball, unsquash_from_ball
from regard.errors import ValueRangeError
from regard.noise import GaussianKeys, isotropic, output_law, radial


def classic(n, isotropic_variance):
    keys = GaussianKeys(np.eye(n), isotropic(isotropic_variance) + radial(0.5, key=0))
    return keys, np.eye(n), np.where(np.arange(n) < 2, 0.5, 0.0)


def test_the_objective_and_its_gradient():
    rng = np.random.default_rng(0)
    keys = GaussianKeys(rng.standard_normal((4, 5)), isotropic(0.05) + radial(0.5, key=0))
    values, target = rng.standard_normal((4, 3)), rng.standard_normal(3)
    objective = Objective(keys, values, target, bound=60.0)
    queries = rng.standard_normal((2, 5))
    error, gradient = objective.with_gradient(queries)
    assert error == pytest.approx(output_law(keys, values, queries).mean_squared_error(target), abs=1e-6)
    for index in [(0, 0), (0, 3), (1, 2)]:
        step = np.zeros((2, 5))
        step[index] = 1e-3
        slope = (objective.error(queries + step) - objective.error(queries - step)) / 2e-3
        assert gradient[index] == pytest.approx(slope, abs=1e-5)


def test_the_ball_is_left_and_entered_without_loss():
    queries = np.array([[3.0, 4.0], [0.0, 100.0]])
    inside, pull_back = squash_into_ball(unsquash_from_ball(queries, 10.0), 10.0)
    np.testing.assert_allclose(inside, [[3, 4], [0, 9.8]], rtol=1e-12)
    assert pull_back(np.ones((2, 2))).shape == (2, 2)


def test_two_heads_that_no_memory_holds_are_refused():
    keys = GaussianKeys(np.eye(3), radial(0.5))
    objective = Objective(keys, np.eye(3), np.full(3, 1 / 3), bound=1e9)
    with pytest.raises(ValueRangeError, match=r"noise they share moves logits by 7\.07e\+08 are out of"):
        objective.error(np.array([[1e9, 0.0, 0.0], [1e9, 1.0, 0.0]]))
