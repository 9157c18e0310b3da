"""Laws of design: a wish is met, or refused with a proof that anyone can check."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import softmax

from regard.design import Tie, average, average_scale, copy, hull_bound, mix, outside_weight, reachability
from regard.errors import MethodError, UnreachableError

FAMILIES = ["dual", "margin", "pull", "push"]
ERRORS = st.floats(1e-12, 0.4)
unhurried = settings(deadline=None, max_examples=50)  # the first call of a solver loads it


@st.composite
def key_sets(draw, max_keys=7, max_width=4):
    """Keys on a small grid: duplicates, keys in line and keys inside the hull are common, near misses are not."""
    n_keys, width = draw(st.integers(1, max_keys)), draw(st.integers(1, max_width))
    return draw(arrays(np.float64, (n_keys, width), elements=st.integers(-3, 3).map(float)))


@st.composite
def keys_and_weights(draw):
    keys = draw(key_sets())
    counts = draw(arrays(np.float64, len(keys), elements=st.integers(0, 5).map(float)).filter(np.any))
    return keys, counts / counts.sum()


def assert_proof_holds(certificate, keys, wanted):
    if isinstance(certificate, Tie):
        left, right = certificate.left, certificate.right
        with np.errstate(divide="ignore"):
            logs = np.where(wanted > 0, np.log(wanted), -1e9)
        assert (left - right) @ logs > 1e-10  # a query would have to make this zero
    else:
        left, right = np.eye(len(keys))[certificate.index], certificate.combination
        assert certificate.bound <= 0.5 + 1e-12
    for shares in (left, right):
        assert shares.min() >= 0
        assert shares.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(left @ keys, right @ keys, atol=1e-7)


@unhurried
@given(keys_and_weights(), ERRORS, st.sampled_from(FAMILIES))
def test_a_mix_is_met_or_refused_with_proof(wish, error, family):
    keys, wanted = wish
    try:
        design = mix(keys, wanted, error=error, family=family)
    except UnreachableError as refusal:
        assert reachability(keys, wanted).kind == "unreachable"
        assert_proof_holds(refusal.certificate, keys, wanted)
    except MethodError:
        assert family in {"pull", "push"}
    else:
        assert reachability(keys, wanted).kind == ("exact" if design.exact else "limit")
        assert design.leak <= error * (1 + 1e-9)
        assert design.error <= (0 if design.exact else error) + 1e-9
        np.testing.assert_allclose(design.weights, softmax(keys @ design.query), rtol=1e-12)


@unhurried
@given(key_sets(), st.data(), ERRORS)
def test_a_copy_is_met_or_bounded(keys, data, error):
    index = data.draw(st.integers(0, len(keys) - 1))
    bound = hull_bound(keys, index)
    if bound is None:
        assert copy(keys, index, error=error).leak <= error * (1 + 1e-9)
        return
    with pytest.raises(UnreachableError):
        copy(keys, index, error=error)
    for query in np.random.default_rng(0).standard_normal((20, keys.shape[1])) * 3:
        assert softmax(keys @ query)[index] <= bound.bound + 1e-12
    nearest = reachability(keys, np.eye(len(keys))[index]).nearest
    assert nearest[index] == pytest.approx(bound.bound, abs=1e-9)
    if bound.query is not None:
        assert softmax(keys @ bound.query)[index] == pytest.approx(bound.bound, abs=1e-9)


@unhurried
@given(key_sets(), st.data())
def test_what_a_query_gives_can_be_reached(keys, data):
    query = data.draw(arrays(np.float64, keys.shape[1], elements=st.floats(-3, 3)))
    weights = softmax(keys @ query)
    np.testing.assert_allclose(mix(keys, weights).weights, weights, atol=1e-9)


@unhurried
@given(keys_and_weights())
def test_the_nearest_weights_keep_the_mean_key_and_are_within_reach(wish):
    keys, wanted = wish
    nearest = reachability(keys, wanted).nearest
    assert nearest.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(nearest @ keys, wanted @ keys, atol=1e-8)
    assert reachability(keys, nearest, tolerance=1e-6).kind != "unreachable"


@unhurried
@given(st.integers(1, 6), st.integers(0, 3), st.integers(0, 10**6), ERRORS, st.sampled_from(FAMILIES))
def test_independent_keys_average_any_subset_under_any_rotation(n_keys, extra, seed, error, family):
    rng = np.random.default_rng(seed)
    width = n_keys + extra
    keys = rng.uniform(0.5, 2.0, (n_keys, 1)) * np.eye(n_keys, width) + rng.uniform(-0.1, 0.1, (n_keys, width))
    subset = rng.permutation(n_keys)[: rng.integers(1, n_keys + 1)]
    rotation = np.linalg.qr(rng.standard_normal((width, width)))[0]
    design = average(keys, subset, error=error, family=family)
    turned = average(keys @ rotation, subset, error=error, family=family)
    np.testing.assert_allclose(turned.query, design.query @ rotation, atol=1e-8 * (1 + design.norm))
    assert design.leak <= error * (1 + 1e-9)
    np.testing.assert_allclose(design.weights[subset], (1 - design.leak) / len(subset), rtol=1e-9)


@unhurried
@given(key_sets(), st.data(), ERRORS)
def test_a_shift_of_all_keys_changes_no_dual_query(keys, data, error):
    index = data.draw(st.integers(0, len(keys) - 1))
    shift = data.draw(arrays(np.float64, keys.shape[1], elements=st.integers(-9, 9).map(float)))
    try:
        design = copy(keys, index, error=error)
    except UnreachableError:
        with pytest.raises(UnreachableError):
            copy(keys + shift, index, error=error)
    else:
        shifted = copy(keys + shift, index, error=error)
        np.testing.assert_allclose(shifted.query, design.query, atol=1e-9 * (1 + design.norm))


@unhurried
@given(keys_and_weights(), st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(wish, random):
    keys, wanted = wish
    order = list(range(len(keys)))
    random.shuffle(order)
    here, there = reachability(keys, wanted), reachability(keys[order], wanted[order])
    assert here.kind == there.kind
    np.testing.assert_allclose(there.nearest, here.nearest[order], atol=1e-8)


@unhurried
@given(st.integers(1, 10**6), st.data(), st.floats(1e-300, 1 - 1e-9))
def test_scales_are_the_least_that_meet_the_error(n_keys, data, error):
    n_chosen = data.draw(st.integers(1, n_keys))
    scale = average_scale(n_keys, n_chosen, error)
    assert scale >= 0
    assert outside_weight(n_keys, n_chosen, scale) <= error * (1 + 1e-9)
    if scale > 1e-6:
        assert outside_weight(n_keys, n_chosen, scale * (1 - 1e-6)) > error


@unhurried
@given(key_sets(), st.data(), ERRORS, ERRORS)
def test_a_smaller_error_never_needs_a_smaller_scale(keys, data, one, other):
    index = data.draw(st.integers(0, len(keys) - 1))
    if hull_bound(keys, index) is not None:
        return
    low, high = (copy(keys, index, error=error) for error in sorted((one, other)))
    assert low.scale >= high.scale
    assert low.norm >= high.norm * (1 - 1e-12)
