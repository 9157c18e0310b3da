"""Costs spread over characters: by hand, and never a nat lost."""

import numpy as np
import pytest

from regard.evaluation.costs import spread


def test_spans_share_and_empty_ones_go_to_the_character_before():
    nats = np.array([4.0, 1.0, 3.0, 0.5])
    starts, ends = np.array([0, 4, 4, 5]), np.array([4, 4, 5, 5])
    assert spread(nats, starts, ends, n_characters=5).tolist() == [1, 1, 1, 2, 3.5]


def test_an_empty_span_before_the_first_character_goes_to_it():
    assert spread(np.array([2.0, 1.0]), np.array([0, 0]), np.array([0, 1]), n_characters=1).tolist() == [3]


def test_nothing_is_lost():
    rng = np.random.default_rng(0)
    cuts = np.sort(rng.integers(0, 50, 30))
    starts, ends = np.concatenate([[0], cuts]), np.concatenate([cuts, [50]])
    nats = rng.exponential(size=31)
    assert spread(nats, starts, ends, n_characters=50).sum() == pytest.approx(nats.sum())
