"""Moments of samples, and what a test decides from an estimate and its error."""

import numpy as np
import pytest

from regard.claims.verdict.sampled_moments import SampleMoments, decide_by_samples


@pytest.mark.parametrize(
    ("comparison", "gap", "error", "answer"),
    [
        ("=", 0.0, 0.005, "yes"),
        ("=", 0.0, 0.02, "undecided"),
        ("=", 0.02, 0.01, "no"),
        ("≈", 0.005, 0.001, "yes"),
        ("≈", 0.05, 0.001, "no"),
        ("<", -0.1, 0.01, "yes"),
        ("<", 0.1, 0.01, "no"),
        ("≤", 0.0, 0.005, "yes"),
        ("≠", 0.0, 0.005, "undecided"),
    ],
)
def test_nothing_is_said_within_the_error(comparison, gap, error, answer):
    assert decide_by_samples(comparison, np.array([gap]), np.array([error])) == answer


def test_one_sample_that_makes_up_a_variance_is_noticed():
    tame, heavy = SampleMoments(), SampleMoments()
    tame.note("x", np.array([-1.0, 1.0, -1.0, 1.0]).reshape(4, 1, 1))
    heavy.note("x", np.array([0.0, 0.0, 0.0, 1e9]).reshape(4, 1, 1))
    assert (tame.dominance, heavy.dominance) == (0.25, pytest.approx(0.75))
