"""Inversion of characteristic functions: narrow logits, and turns that are too fast to follow."""

import numpy as np
import pytest

from regard.noise.one_weight.characteristic import (
    COARSE_STEP,
    STEP,
    characteristic,
    characteristic_product,
    invert_characteristic,
    turns_slowly,
)
from regard.noise.one_weight.distribution import weight_exceeds
from regard.noise.one_weight.event import weight_event
from regard.noise.one_weight.inversion import continued_kernel


def ask(mean, sd, threshold, **options):
    return weight_exceeds(np.array(mean), np.array(sd), 0, threshold, rng=np.random.default_rng(0), **options)


def test_characteristic_functions_serve_where_all_logits_are_narrow():
    found = ask((0.5, 0.0, 0.0), (0.03, 0.02, 0.04), 0.45)
    assert (found.method, found.error < 1e-10) == ("inversion", True)
    draws = np.random.default_rng(1).standard_normal((400_000, 3)) * [0.03, 0.02, 0.04] + [0.5, 0.0, 0.0]
    share = (np.exp(draws[:, 0]) / np.exp(draws).sum(axis=1) > 0.45).mean()
    assert found.value == pytest.approx(share, abs=0.004)


def test_a_turn_that_is_not_resolved_is_an_error_and_not_an_answer():
    event = weight_event(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1e-5, 3.0]), 0)
    _, error = invert_characteristic(event, characteristic_product(event, np.zeros(1)), 0.0, density=False)
    assert error > 1e-3


@pytest.mark.parametrize("sd", [0.8, 2.5, 5.5])
def test_the_integral_over_the_noise_agrees_with_the_one_over_the_logit(sd):
    x = np.linspace(-60.0, 5.0 + 9 * sd, 80)
    expected, _ = continued_kernel(x, sd, False, angle=-np.pi / 2)
    np.testing.assert_allclose(characteristic(x, sd), expected, rtol=0, atol=3e-14)


def test_few_nodes_do_where_the_product_turns_slowly():
    wide = weight_event(np.zeros(3), np.full(3, 0.5), 0)
    narrow = weight_event(np.array([0.0, 0.0, -1.0]), np.array([0.5, 0.005, 0.5]), 0)
    assert turns_slowly(wide, 0.0)
    assert not turns_slowly(narrow, -3.0)
    few, all_nodes = (characteristic_product(wide, np.zeros(1), step=step) for step in (COARSE_STEP, STEP))
    quick, exact = (invert_characteristic(wide, nodes, 0.0, density=False) for nodes in (few, all_nodes))
    assert len(few.rule.u) < len(all_nodes.rule.u) / 3
    assert abs(quick[0] - exact[0]) <= quick[1] < 1e-11
