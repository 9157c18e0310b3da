"""Inversion of characteristic functions: narrow logits, and turns that are too fast to follow."""

import numpy as np
import pytest

from regard.noise.one_weight.characteristic import characteristic_product, invert_characteristic
from regard.noise.one_weight.distribution import weight_exceeds
from regard.noise.one_weight.event import weight_event


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
