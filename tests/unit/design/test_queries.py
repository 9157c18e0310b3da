"""Designed queries, judged by weights that a plain loop computes from the keys."""

import math
import time

import numpy as np
import pytest

from regard.design import average, average_scale, copy, copy_scale, mix, outside_weight
from regard.errors import MethodError, UnreachableError

FAMILIES = ["dual", "margin", "pull", "push"]


def weights_by_loop(keys, query):
    logits = [sum(k * q for k, q in zip(key, query, strict=True)) for key in keys]
    top = max(logits)
    powers = [math.exp(logit - top) for logit in logits]
    return np.array(powers) / sum(powers)


def orthonormal(n_keys, width, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((width, n_keys)))[0].T


def gaussian(n_keys, width, seed=0):
    return np.random.default_rng(seed).standard_normal((n_keys, width))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("n_keys", "error"), [(2, 0.01), (10, 0.01), (20, 1e-6)])
def test_copying_from_orthonormal_keys(n_keys, error, family):
    keys = orthonormal(n_keys, n_keys + 3)
    design = copy(keys, 1, error=error, family=family)
    assert design.scale == pytest.approx(copy_scale(n_keys, error), abs=0, rel=1e-12)
    expected = np.full(n_keys, error / (n_keys - 1))
    expected[1] = 1 - error
    np.testing.assert_allclose(weights_by_loop(keys, design.query), expected, rtol=1e-11)
    np.testing.assert_allclose(design.weights, expected, rtol=1e-11)
    assert design.error == pytest.approx(error, abs=0, rel=1e-11)
    assert design.leak == pytest.approx(error, abs=0, rel=1e-11)
    assert not design.exact
    assert design.note.startswith("all other logits lie")


@pytest.mark.parametrize("family", FAMILIES)
def test_averaging_orthonormal_keys(family):
    keys = orthonormal(10, 12)
    design = average(keys, [7, 2], error=1e-3, family=family)
    assert design.scale == pytest.approx(8.293049, abs=5e-7)
    assert weights_by_loop(keys, design.query)[[2, 7]] == pytest.approx((1 - 1e-3) / 2, abs=0, rel=1e-12)
    np.testing.assert_array_equal(design.wanted[[2, 7]], 0.5)


def test_each_family_of_an_orthonormal_average_by_its_formula():
    keys, scale = orthonormal(10, 12), average_scale(10, 2, 0.01)
    wanted, others = keys[:2].sum(axis=0), keys[2:].sum(axis=0)
    queries = {family: average(keys, [0, 1], family=family).query for family in FAMILIES}
    np.testing.assert_allclose(queries["pull"], scale * wanted, atol=1e-12)
    np.testing.assert_allclose(queries["push"], -scale * others, atol=1e-12)
    # The best shift of the logits (C, C, 0, …) makes them sum to zero: C·8/10 and −C·2/10.
    np.testing.assert_allclose(queries["dual"], scale * (0.8 * wanted - 0.2 * others), atol=1e-12)
    np.testing.assert_allclose(queries["margin"], queries["dual"], atol=1e-12)


def test_pushing_is_immune_to_the_length_of_wanted_keys():
    keys = np.eye(10)
    design = average(keys, [0, 1], error=outside_weight(10, 2, 15.0), family="push")
    assert design.scale == pytest.approx(15.0, abs=0, rel=1e-12)
    assert design.norm == pytest.approx(15 * math.sqrt(8), abs=0, rel=1e-12)
    assert design.note == (
        "all other logits lie 15 lower; "
        "the wanted logits are 0, so noise in the length of the wanted keys changes nothing"
    )
    for noise in np.random.default_rng(0).standard_normal((5, 2)) * math.sqrt(0.5):
        noisy = keys.copy()
        noisy[:2] *= 1 + noise[:, None]
        weights = weights_by_loop(noisy, design.query)  # with orthonormal values, the output's coordinates
        assert ((weights - design.wanted) ** 2).sum() == pytest.approx(9.3576e-13, abs=0, rel=1e-4)


def test_pulling_is_not():
    noisy = np.eye(10)
    noisy[0] *= 1.5
    query = average(np.eye(10), [0, 1], family="pull").query
    assert weights_by_loop(noisy, query)[0] > 0.9


def test_pushing_stays_immune_for_oblique_keys():
    keys = gaussian(6, 9)
    design = copy(keys, 2, error=1e-4, family="push")
    assert abs(keys[2] @ design.query) < 1e-12
    keys[2] *= 3.0
    assert weights_by_loop(keys, design.query)[2] == pytest.approx(1 - 1e-4, abs=0, rel=1e-10)


def test_the_dual_query_is_the_shortest_at_the_best_shift():
    keys = gaussian(6, 9, seed=4)
    wanted = np.random.default_rng(4).dirichlet(np.ones(6))
    design = mix(keys, wanted)
    assert design.exact
    assert design.scale == 0.0
    assert abs(weights_by_loop(keys, design.query) - wanted).max() < 1e-14

    inverse, ones, logs = np.linalg.inv(keys @ keys.T), np.ones(6), np.log(wanted)
    by_formula = lambda t: keys.T @ inverse @ (logs + t * ones)
    best = -(ones @ inverse @ logs) / (ones @ inverse @ ones)
    np.testing.assert_allclose(design.query, by_formula(best), rtol=1e-9)
    for t in (best - 1, best - 1e-2, best + 1e-2, best + 1, 0.0):
        assert np.linalg.norm(by_formula(t)) > design.norm


def test_the_dual_basis_copies_from_independent_keys():
    keys = gaussian(5, 7, seed=2)
    design = copy(keys, 3, error=0.02)
    logits = keys @ design.query
    np.testing.assert_allclose(logits[3] - np.delete(logits, 3), copy_scale(5, 0.02), rtol=1e-12)
    # Any other query with these gaps differs by something square to all differences, and is longer.
    assert np.linalg.norm(keys - keys[3], axis=1).max() > 0
    row_space = np.linalg.pinv(keys - keys[3]) @ (keys - keys[3])
    np.testing.assert_allclose(row_space @ design.query, design.query, rtol=1e-10)


def test_the_margin_is_shorter_than_the_dual_basis_for_nearly_dependent_keys():
    keys = gaussian(64, 64)
    dual, margin = copy(keys, 0), copy(keys, 0, family="margin")
    assert margin.norm < dual.norm / 4
    assert margin.error == pytest.approx(0.01, abs=0, rel=1e-12)


def test_more_keys_than_dimensions():
    angles = 2 * np.pi * np.arange(7) / 7
    keys = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    design = copy(keys, 0, error=0.05)
    assert design.error == pytest.approx(0.05, abs=0, rel=1e-12)
    assert 1 - weights_by_loop(keys, design.query)[0] == pytest.approx(0.05, abs=0, rel=1e-10)
    np.testing.assert_allclose(design.query, [design.query[0], 0], atol=1e-12 * design.norm)
    assert design.note.endswith("lower; no query makes these gaps equal")
    edge = average(keys, [0, 1], error=1e-8)
    np.testing.assert_allclose(edge.weights[:2], 0.5, rtol=1e-7)


def test_mixing_with_zeros_keeps_the_ratios():
    keys = gaussian(6, 8, seed=1)
    wanted = np.array([0.0, 0.1, 0.6, 0.0, 0.3, 0.0])
    for family in FAMILIES:
        design = mix(keys, wanted, error=1e-3, family=family)
        np.testing.assert_allclose(design.weights[[1, 2, 4]], 0.999 * wanted[[1, 2, 4]], rtol=1e-10)
        assert design.leak == pytest.approx(1e-3, abs=0, rel=1e-10)
        assert not design.exact


def test_the_dual_mix_shares_its_leak_equally():
    keys = gaussian(6, 8, seed=1)
    design = mix(keys, np.array([0.0, 0.1, 0.6, 0.0, 0.3, 0.0]), error=1e-3)
    np.testing.assert_allclose(design.weights[[0, 3, 5]], 1e-3 / 3, rtol=1e-10)
    assert design.note.startswith("all other logits lie")


def test_mixing_orthonormal_keys_by_formula():
    # q = Σ (C' + ln wᵢ) kᵢ over the support gives αᵢ = wᵢ e^C' / (e^C' + n − m).
    design = mix(np.eye(4), np.array([0.25, 0.75, 0, 0]), error=0.01, family="pull")
    shift = math.log(2 * 0.99 / 0.01)
    np.testing.assert_allclose(design.query, [shift + math.log(0.25), shift + math.log(0.75), 0, 0], atol=1e-12)


def test_tiny_weights_are_reached():
    design = mix(np.eye(3), np.array([1e-300, 0.5, 0.5]))
    np.testing.assert_allclose(design.weights, [1e-300, 0.5, 0.5], rtol=1e-12)


def test_tiny_errors_are_met():
    design = copy(np.eye(5), 2, error=1e-300)
    assert design.error == pytest.approx(1e-300, abs=0, rel=1e-12)
    assert design.weights[2] == 1.0


@pytest.mark.parametrize("family", FAMILIES)
def test_an_error_that_is_met_already_needs_no_query(family):
    design = copy(np.eye(4), 0, error=0.8, family=family)
    assert design.scale == 0.0
    np.testing.assert_array_equal(design.query, np.zeros(4))
    assert design.note == "equal weights already meet the wanted error, so the query is zero"


def test_one_key_and_all_keys():
    design = copy(np.array([[3.0]]), 0)
    assert design.weights == pytest.approx([1.0])
    assert design.exact
    design = average(gaussian(5, 3), range(5))
    np.testing.assert_array_equal(design.query, np.zeros(3))
    assert design.note == "every key is wanted, so the weights are reached exactly; all families agree"


def test_one_dimension():
    keys = np.array([[0.0], [1.0], [4.0]])
    assert copy(keys, 2).query[0] > 0
    assert copy(keys, 0).query[0] < 0
    with pytest.raises(UnreachableError, match="key 1 lies in the hull of keys 0 and 2"):
        copy(keys, 1)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("size", [1e-100, 1e-8, 1e8, 1e100])
def test_the_query_shrinks_as_the_keys_grow(size, family):
    keys = gaussian(6, 8, seed=3)
    small, large = (average(factor * keys, [0, 3], family=family) for factor in (1.0, size))
    np.testing.assert_allclose(large.query * size, small.query, rtol=1e-9)
    np.testing.assert_allclose(large.weights, small.weights, rtol=1e-9)


def test_keys_close_together_far_from_the_origin():
    keys = gaussian(6, 8, seed=3) + 1e6
    design = copy(keys, 0, error=1e-3)
    assert design.error == pytest.approx(1e-3, abs=0, rel=1e-6)


def test_rounding_that_spoils_a_design_is_told():
    # Logits near 1e10 carry 1e-6 of rounding, which unbalances the average far more than 1e-12.
    design = average(gaussian(6, 8) + 1e10, [0, 1, 2], error=1e-12)
    assert 1e-8 < design.error < 1e-4
    assert design.leak == pytest.approx(1e-12, abs=0, rel=1e-4)
    assert f"; rounding of these logits brings the error to {design.error:.3g}" in design.note


def test_pulling_towards_a_key_that_another_outshines():
    keys = np.array([[1.0, 0.0], [3.0, 0.0]])
    assert weights_by_loop(keys, keys[0])[0] == pytest.approx(0.1192, abs=5e-5)
    with pytest.raises(
        MethodError,
        match=r"pulls key 1 as strongly: its logit is 3, that of each wanted key is 1; use family='dual'",
    ):
        copy(keys, 0, family="pull")
    np.testing.assert_allclose(copy(keys, 0).query, [-copy_scale(2, 0.01) / 2, 0.0], atol=1e-12)
    with pytest.raises(MethodError, match=r"pulls key 1 as strongly: its logit is 1, that of each wanted key is 1"):
        copy(np.array([[0.6, 0.8], [1.4, 0.2]]), 0, family="pull")


def test_families_that_do_not_apply_say_so():
    keys = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]])
    with pytest.raises(MethodError, match="no mix of the wanted keys has the same logit on all of them"):
        average(keys, [0, 1], family="pull")
    with pytest.raises(MethodError, match="the others surround the origin; use family='dual'"):
        copy(keys, 0, family="push")
    line = np.array([[1.0], [2.0]])
    with pytest.raises(MethodError, match="these weights at mean logit 0; use family='dual'"):
        mix(np.vstack([line @ [[1.0, 0.0]], [[0.0, 9.0]]]), np.array([0.2, 0.8, 0]), family="push")


def test_unreachable_wishes_carry_their_certificate_in_every_family():
    keys = np.array([[0.0, 0.0], [1.0, 2.0], [0.5, 1.0]])
    for family in FAMILIES:
        with pytest.raises(UnreachableError, match=r"key 2 .* no query gives it more weight than 0\.3333") as caught:
            copy(keys, 2, family=family)
        assert caught.value.certificate.bound == pytest.approx(1 / 3)
        with pytest.raises(UnreachableError, match="a mix of keys 0 and 1 equals key 2") as caught:
            average(keys, [0, 1], family=family)
        np.testing.assert_allclose(caught.value.certificate.right, [0, 0, 1], atol=1e-12)
        with pytest.raises(UnreachableError, match="in the wanted weights these differ by"):
            mix(keys, np.array([0.3, 0.3, 0.4]), family=family)


def test_a_duplicated_key_cannot_be_copied():
    with pytest.raises(
        UnreachableError, match=r"key 0 equals key 1: no query gives it more weight than 0\.5"
    ) as caught:
        copy(np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]]), 0)
    np.testing.assert_allclose(caught.value.certificate.combination, [0, 1, 0])
    with pytest.raises(UnreachableError, match="key 0 equals key 1"):
        copy(np.array([[0.3], [0.1 + 0.2]]), 0)
    # But the two together can be averaged.
    assert average(np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]]), [0, 1]).error == pytest.approx(0.01)


def test_two_thousand_keys_take_less_than_a_second():
    keys = gaussian(2000, 64)
    start = time.process_time()
    design = copy(keys, 17, error=1e-3)
    assert time.process_time() - start < 1.0
    assert weights_by_loop(keys, design.query)[17] == pytest.approx(0.999, abs=0, rel=1e-12)
