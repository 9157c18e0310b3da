"""Robust designs against the optima of the mathematics, and the gradient that finds them."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import ndtr

from regard.design.robust_queries import robust, wanted_weights
from regard.errors import ShapeError, ValueRangeError
from regard.noise import GaussianKeys, isotropic, output_law, radial


def classic(n, isotropic_variance):
    keys = GaussianKeys(np.eye(n), isotropic(isotropic_variance) + radial(0.5, key=0))
    return keys, np.eye(n), np.where(np.arange(n) < 2, 0.5, 0.0)


@pytest.mark.parametrize(
    ("n", "scale", "error"),
    [(3, 0.917390, 0.07425087), (10, 2.136376, 0.14678965), (1000, 6.855933, 0.26671838)],
)
def test_the_best_pull_scale_is_finite(n, scale, error):
    keys, values, target = classic(n, 0.0)
    found = minimize_scalar(
        lambda c: output_law(keys, values, 2 * c * target).mean_squared_error(target),
        bounds=(0.1, 20),
        method="bounded",
    )
    assert found.x == pytest.approx(scale, abs=1e-4)
    assert found.fun == pytest.approx(error, abs=5e-9)


@pytest.mark.parametrize(("n", "scale", "error"), [(4, 4.713411, 0.0259874323), (10, 6.928425, 0.0218258989)])
def test_two_pull_heads_want_a_finite_second_scale(n, scale, error):
    keys, values, target = classic(n, 0.0)
    p = ndtr(-np.sqrt(2))
    assert error == pytest.approx((p * n / (n - 1) - p**2 * n / (n - 1) ** 3) / 4, abs=1e-9)
    queries = np.diag([1e7, scale] + [0.0] * (n - 2))[:2]
    assert output_law(keys, values, queries).mean_squared_error(target) == pytest.approx(error, abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "isotropic_variance", "error"),
    [(10, 1e-4, 0.00479), (10, 1e-3, 0.02554), (10, 1e-2, 0.08910), (64, 1e-4, 0.03857), (64, 1e-2, 0.1800)],
)
def test_one_head_reaches_the_best_of_both_families(n, isotropic_variance, error):
    found = robust(*classic(n, isotropic_variance))
    assert found.mean_squared_error == pytest.approx(error, abs=6e-6 if error < 0.1 else 6e-5)


@pytest.mark.slow
def test_two_heads_improve_on_two_pull_heads():
    keys, values, target = classic(10, 1e-2)
    found = robust(keys, values, target, heads=2)
    assert found.mean_squared_error < 0.00667  # 0.03782 for the best pair of pull heads
    again = output_law(keys, values, found.queries, combine="concat", method="sampling", seed=1)
    halves = again.covariance.reshape(2, 10, 2, 10).mean(axis=(0, 2)).trace()
    miss = again.mean.reshape(2, 10).mean(axis=0) - target
    assert halves + miss @ miss == pytest.approx(found.mean_squared_error, abs=5e-4)


@pytest.mark.slow
def test_nothing_is_left_to_chance():
    first, second = (robust(*classic(4, 1e-3), heads=1) for _ in range(2))
    np.testing.assert_array_equal(first.queries, second.queries)


def test_the_found_query_is_a_minimum():
    keys, values, target = classic(6, 1e-2)
    found = robust(keys, values, target)
    rng = np.random.default_rng(0)
    for _ in range(5):
        nearby = found.queries + 0.05 * rng.standard_normal(found.queries.shape)
        assert output_law(keys, values, nearby).mean_squared_error(target) > found.mean_squared_error


def test_the_bound_is_kept():
    found = robust(*classic(4, 0.0), bound=5.0)
    assert np.linalg.norm(found.queries, axis=1).max() <= 5.0


def test_oblique_keys_and_any_values():
    rng = np.random.default_rng(4)
    keys = GaussianKeys(rng.standard_normal((5, 6)), isotropic(0.01) + radial(0.3, key=1))
    values = rng.standard_normal((5, 3))
    target = 0.7 * values[1] + 0.3 * values[2]
    found = robust(keys, values, target)
    assert found.mean_squared_error < min(start.error for start in found.starts)
    np.testing.assert_allclose(wanted_weights(values, values[1]), np.eye(5)[1], atol=1e-6)


def test_bad_wishes_get_clear_answers(unchecked):
    keys, values, target = classic(3, 0.01)
    with pytest.raises(ShapeError, match="the target needs the values' width 3"):
        robust(keys, values, target[:2])
    with pytest.raises(ValueRangeError, match="at least one head is needed, and at most 100; got 0"):
        robust(keys, values, target, heads=0)
    with pytest.raises(ValueRangeError, match=r"must be from 1e-100 to 1e\+09; got inf"):
        robust(keys, values, target, bound=np.inf)
    with pytest.raises(ValueRangeError, match=r"must be from 1e-100 to 1e\+09; got 1e-320"):
        robust(keys, values, target, bound=1e-320)


def test_the_shortest_query_that_is_allowed():
    keys, values, target = classic(3, 0.01)
    found = robust(keys, values, target, bound=1e-100)
    reads_all_alike = ((values.mean(axis=0) - target) ** 2).sum()
    assert found.mean_squared_error == pytest.approx(reads_all_alike, rel=1e-12)


def test_a_search_can_be_watched_and_ended():
    keys, values, target = classic(4, 1e-4)
    tried = []
    found = robust(keys, values, target, watch=lambda queries, error: tried.append((queries.copy(), error)))
    assert min(error for _, error in tried) == pytest.approx(found.mean_squared_error, abs=2e-6)
    queries, error = tried[0]
    assert output_law(keys, values, queries).mean_squared_error(target) == pytest.approx(error, abs=2e-6)

    def enough(queries, error):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        robust(keys, values, target, watch=enough)


@pytest.mark.parametrize("size", [1e4, 1e6, 1e15, 1e100])
def test_large_keys_are_searched_as_well_as_small_ones(size):
    """A first step of length 1 moved logits by their size: the search took all memory, or did not end."""
    rng = np.random.default_rng(0)
    means, values = rng.normal(size=(4, 3)), rng.normal(size=(4, 2))
    errors = [
        robust(GaussianKeys(unit * means, radial(np.array([0.2, 0.9, 0.1, 0.1]))), values, np.full(2, 0.3), heads=2)
        for unit in (1.0, size)
    ]
    small, large = (found.mean_squared_error for found in errors)
    assert large < small + 0.01


def test_a_target_that_all_values_point_away_from_wants_them_alike():
    np.testing.assert_array_equal(wanted_weights(-np.ones((4, 2)), np.full(2, 1e16)), np.full(4, 0.25))
