"""What is out of reach: bounds against maximisation by another method, and proofs that can be checked."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import softmax

from regard.design import HullBound, Tie, hull_bound, reachability

SQUARE = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])


def largest_weight(keys, index):
    """By plain ascent on ln α_j from several starts."""
    gaps = keys - keys[index]
    loss = lambda q: np.log(np.exp(gaps @ q).sum())
    slope = lambda q: softmax(gaps @ q) @ gaps
    starts = np.random.default_rng(1).standard_normal((3, keys.shape[1]))
    return max(np.exp(-minimize(loss, q, jac=slope, method="BFGS", options={"gtol": 1e-12}).fun) for q in starts)


def hull_keys(shares, width):
    """Keys in general position, and last the mix of them by the given shares."""
    others = np.random.default_rng(len(shares)).standard_normal((len(shares), width))
    return np.vstack([others, np.array(shares) @ others])


@pytest.mark.parametrize(
    ("shares", "bound"),
    [
        ([0.5, 0.5], 1 / 3),
        ([0.3, 0.7], 0.3518620642),
        ([1 / 3, 1 / 3, 1 / 3], 1 / 4),
        ([0.1, 0.2, 0.7], 0.3096366473),
    ],
)
@pytest.mark.filterwarnings("ignore:Desired error not necessarily achieved")
def test_hull_bounds_are_the_largest_weights(shares, bound):
    keys = hull_keys(shares, width=4)
    found = hull_bound(keys, len(shares))
    assert found.bound == pytest.approx(bound, abs=5e-11)
    np.testing.assert_allclose(found.combination, [*shares, 0.0], atol=1e-12)
    assert largest_weight(keys, len(shares)) == pytest.approx(bound, abs=1e-10)


def test_the_bound_is_exact_for_dependent_keys_too():
    # Six others in the plane leave many mixes; the most even of them gives the supremum itself.
    keys = np.vstack([np.random.default_rng(3).standard_normal((6, 2)), [[0.1, 0.0]]])
    found = hull_bound(keys, 6)
    assert found.bound == pytest.approx(largest_weight(keys, 6), abs=1e-10)
    assert softmax(keys @ found.query)[6] == pytest.approx(found.bound, abs=1e-12)
    np.testing.assert_allclose(found.combination @ keys, keys[6], atol=1e-12)
    assert found.bound == pytest.approx(1 / (1 + np.exp(found.entropy_nats)), abs=0, rel=1e-14)


def test_on_the_rim_the_bound_is_approached_but_not_attained():
    keys = np.vstack([SQUARE, [[0.0, 1.0]]])  # in the middle of the edge from 0 to 1
    found = hull_bound(keys, 4)
    assert found.bound == pytest.approx(1 / 3, abs=1e-12)
    assert found.query is None
    np.testing.assert_allclose(found.combination, [0.5, 0.5, 0, 0, 0], atol=1e-12)
    assert softmax(keys @ np.array([0.0, 10.0]))[4] == pytest.approx(1 / 3, abs=1e-8)


@pytest.mark.parametrize(("n_copies", "bound"), [(1, 1 / 2), (3, 1 / 4)])
def test_copies_of_a_key_share_its_weight(n_copies, bound):
    keys = np.vstack([SQUARE, np.repeat(SQUARE[:1], n_copies, axis=0)])
    found = hull_bound(keys, 0)
    assert found.bound == pytest.approx(bound, abs=1e-12)
    np.testing.assert_allclose(found.combination[4:], 1 / n_copies)


def test_a_copy_is_named_as_such():
    assert str(hull_bound(np.array([[1.0], [0.0], [1.0]]), 0)) == (
        "key 0 equals key 2: no query gives it more weight than 0.5"
    )


@pytest.mark.parametrize("keys", [np.ones((1, 1)), np.eye(3), SQUARE, np.array([[0.0], [1.0]])])
def test_corners_have_no_bound(keys):
    assert all(hull_bound(keys, index) is None for index in range(len(keys)))


@pytest.mark.parametrize("size", [1e-8, 1e8])
def test_size_of_the_keys_does_not_matter(size):
    keys = hull_keys([0.3, 0.7], width=3)
    assert hull_bound(size * keys, 2).bound == pytest.approx(0.3518620642, abs=5e-11)
    assert hull_bound(size * keys, 0) is None


def test_a_corner_too_flat_to_be_told_is_refused_without_a_bound():
    keys = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1e-7], [0.5, -4e-9]])
    assert hull_bound(keys, 3) is None
    reach = reachability(keys, np.array([0.0, 0.0, 0.0, 1.0]))
    assert reach.reason.startswith("key 3 equals a mix of keys 0 and 1, so every query")
    np.testing.assert_allclose(reach.certificate.right @ keys, keys[3], atol=1e-8)


def test_weights_of_a_query_are_reached_exactly():
    query = np.array([0.7, -1.3])
    reach = reachability(SQUARE, softmax(SQUARE @ query))
    assert reach.kind == "exact"
    np.testing.assert_allclose(reach.query, query, rtol=1e-12)
    assert reach.residual_nats < 1e-14
    assert reach.certificate is None
    assert reach.reason == "a query gives exactly these weights"


def test_distance_from_the_origin_does_not_spoil_exactness():
    # Two distinct keys reach every mix, however far out they lie.
    keys = np.array([[1e7 + 0.3], [1e7 + 0.7]])
    assert reachability(keys, np.array([0.123, 0.877])).residual_nats < 1e-12


def test_tolerance_decides_what_counts_as_exact():
    weights = softmax(SQUARE @ np.array([0.7, -1.3]))
    weights[0] *= 1 + 1e-6
    weights /= weights.sum()
    assert reachability(SQUARE, weights).kind == "unreachable"
    assert reachability(SQUARE, weights, tolerance=1e-5).kind == "exact"


def test_an_edge_is_reached_in_the_limit_only():
    wanted = np.array([0.2, 0.8, 0.0, 0.0])
    reach = reachability(SQUARE, wanted)
    assert reach.kind == "limit"
    assert reach.reason == "the hull has a face with keys 0 and 1 alone: longer queries come ever closer"
    for scale in (10.0, 20.0):
        weights = softmax(SQUARE @ (reach.query + scale * reach.direction))
        assert abs(weights - wanted).max() < np.exp(-scale) * 2


def test_a_diagonal_of_the_square_is_out_of_reach():
    reach = reachability(SQUARE, np.array([0.5, 0.0, 0.5, 0.0]))
    assert reach.kind == "unreachable"
    assert isinstance(reach.certificate, Tie)
    np.testing.assert_allclose(reach.certificate.left @ SQUARE, reach.certificate.right @ SQUARE, atol=1e-14)
    assert reach.certificate.right[[1, 3]].sum() > 0
    assert np.isinf(reach.certificate.violation)
    assert reach.reason == (
        "a mix of keys 0 and 2 equals a mix of keys 1 and 3, so every query gives both the same mean log-weight; "
        "but a key on the right was to have no weight; the nearest weights within reach are (0.25, 0.25, 0.25, 0.25), "
        "at total variation distance 0.5"
    )


def test_a_tie_may_need_wanted_keys_on_both_sides():
    # Key 3 lies in the plane of 0, 1, 2 but beyond the edge from 1 to 2: 0 and 3 tie with 1 and 2.
    keys = np.array([[0.0, 0, 0], [1.0, 0, 0], [0.0, 1, 0], [1.0, 1, 0], [0.3, 0.2, 1.0]])
    reach = reachability(keys, np.array([1, 1, 1, 0, 0]) / 3)
    tie = reach.certificate
    np.testing.assert_allclose(tie.left, [0, 0.5, 0.5, 0, 0], atol=1e-12)
    np.testing.assert_allclose(tie.right, [0.5, 0, 0, 0.5, 0], atol=1e-12)


def test_positive_weights_can_be_out_of_reach():
    wanted = np.array([0.4, 0.1, 0.4, 0.1])
    reach = reachability(SQUARE, wanted)
    assert reach.kind == "unreachable"
    tie = reach.certificate
    np.testing.assert_allclose(tie.left, [0.5, 0, 0.5, 0], atol=1e-14)
    np.testing.assert_allclose(tie.right, [0, 0.5, 0, 0.5], atol=1e-14)
    assert tie.violation == pytest.approx(np.log(4))
    assert tie.violation == pytest.approx((tie.left - tie.right) @ np.log(wanted))
    assert reach.residual_nats == pytest.approx(np.log(4) / 2)
    assert "but in the wanted weights these differ by 1.386 nats" in reach.reason


def test_the_nearest_weights_have_least_relative_entropy():
    wanted = np.array([0.45, 0.05, 0.3, 0.2])
    nearest = reachability(SQUARE, wanted).nearest
    np.testing.assert_allclose(nearest @ SQUARE, wanted @ SQUARE, atol=1e-12)
    assert reachability(SQUARE, nearest).kind == "exact"
    divergence = lambda weights: wanted @ np.log(wanted / weights)
    logits = np.log(nearest)
    for nudge in np.random.default_rng(0).standard_normal((20, 2)) * 0.1:
        assert divergence(softmax(logits + SQUARE @ nudge)) > divergence(nearest)


def test_a_single_key_is_certified_by_its_hull_bound():
    keys = hull_keys([0.5, 0.5], width=2)
    reach = reachability(keys, np.array([0.0, 0.0, 1.0]))
    assert isinstance(reach.certificate, HullBound)
    assert reach.nearest[2] == pytest.approx(reach.certificate.bound, abs=1e-12)
    assert reach.reason == (
        "key 2 lies in the hull of keys 0 and 1: no query gives it more weight than 0.3333; "
        "the nearest weights within reach are (0.3333, 0.3333, 0.3333), at total variation distance 0.6667"
    )


def test_many_keys_are_counted_not_listed():
    keys = np.vstack([np.random.default_rng(5).standard_normal((40, 2)), [[0.0, 0.0]]])
    wanted = np.eye(41)[40]
    assert "key 40 lies in the hull of 40 keys (0, 1, 2, …)" in reachability(keys, wanted).reason
