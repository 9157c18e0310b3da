"""Which draws satisfy what is given."""

import numpy as np
import pytest
from tests.support.claim_trials import ready

from regard.claims.trial.arithmetic.numbers import FLOATS
from regard.claims.trial.instances.draws import draw_batch
from regard.claims.trial.instances.premises import are_met, places_apart


@pytest.mark.parametrize(
    ("given", "changed", "met"),
    [
        ("‖q‖ = 1", [0.6, 0.8], True),
        ("‖q‖ = 1", [0.6, 0.8 + 1e-6], False),
        ("‖q‖ ≤ 1", [0.6, 0.8], True),
        ("‖q‖ < 1", [0.6, 0.8], False),
        ("q ≠ 0", [0.0, 0.0], False),
        ("q ≠ 0", [0.0, 1e-6], True),
    ],
)
def test_equations_hold_to_rounding_and_bounds_exactly(given, changed, met):
    trials, _ = ready(f"{given} ⇒ q^T k_a > 0")
    batch = draw_batch(trials.task.setting, 1, 1)
    query = np.zeros_like(batch.raw["q"])
    query[0, :2, 0] = changed
    assert are_met(trials, batch.having(q=query), FLOATS, {}).tolist() == [met]


def test_places_at_which_indices_differ_come_alone():
    assert places_apart([{"i": 0, "j": 0}, {"i": 0, "j": 1}]) == [{"i": 0, "j": 1}]
    assert places_apart([{"i": 0, "j": 0}]) == [{"i": 0, "j": 0}]
