"""What Python answers to chapter 3, against samples and closed forms."""

import json

import numpy as np
import pytest
from scipy.stats import norm

from regard.lab.chapters.noisy_keys.view import (
    ExerciseInput,
    PlaneInput,
    SearchInput,
    confirm,
    confirm_plane,
    search_queries,
)
from regard.lab.inputs import read_input
from regard.lab.jobs import JobProgress

PLANE = {"keys": [[1.2, 0.3], [-0.3, 1.1], [-0.7, -0.5]], "lengths": [0.4, 0, 0.1], "spread": 0.1}


def outcomes(**changes):
    sent = {"n_keys": 6, "variance": 0.5, "everywhere": 1e-4, "scale": 10} | changes
    return confirm(read_input(ExerciseInput, sent))["outcomes"]


def test_pulling_flips_and_pushing_does_not():
    pull, push = outcomes()
    # α_a > 0.9 where C g > ln 9, but for the weight of the other keys: g ~ N(0, ½), both sides alike
    assert pull["flips"] == pytest.approx(2 * norm.sf(np.log(9) / 10 / np.sqrt(0.5)), abs=2e-3)
    assert push["flips"] < 1e-9
    assert push["variance"] < pull["variance"] / 10


def test_without_noise_in_every_direction_the_length_changes_nothing_for_push():
    pull, push = outcomes(everywhere=0)
    assert push == {"variance": 0.0, "flips": 0.0}
    assert pull["variance"] > 0.3


def sample_outputs(queries):
    """The average of all heads' weights in many draws of the keys."""
    rng = np.random.default_rng(0)
    keys, n = np.array(PLANE["keys"]), 20_000
    drawn = keys * (1 + np.array(PLANE["lengths"]) * rng.standard_normal((n, 3)))[:, :, None]
    drawn = drawn + 0.1 * rng.standard_normal((n, 3, 2))
    powers = np.exp(drawn @ np.array(queries).T)
    return (powers / powers.sum(axis=1, keepdims=True)).mean(axis=2)


def test_every_design_of_the_plane_agrees_with_draws():
    designs = [[[1.8, 2.2], [0.4, 1.6]], [[1.0, 2.0]]]
    told = confirm_plane(read_input(PlaneInput, {**PLANE, "designs": designs}))
    assert told["flips"] is None
    for queries, outcome in zip(designs, told["outcomes"], strict=True):
        outputs = sample_outputs(queries)
        assert outcome["mean"] == pytest.approx(outputs.mean(axis=0), abs=0.01)
        assert outcome["variance"] == pytest.approx(outputs.var(axis=0).sum(), rel=0.05)


def test_flips_are_those_of_the_first_design():
    first, second = [[4.0, 1.0]], [[0.1, 0.1]]
    told = confirm_plane(read_input(PlaneInput, {**PLANE, "designs": [first, second]}))
    weights = sample_outputs(first)[:, 0]
    assert told["flips"] == pytest.approx(((weights > 0.9) | (weights < 0.1)).mean(), abs=0.01)
    assert told["flips"] > 0.1


def test_the_search_shows_its_way_and_ends_below_where_it_began():
    shown = []
    progress = JobProgress(lambda: None)
    progress.show = shown.append
    found = search_queries(read_input(SearchInput, {**PLANE, "n_heads": 1}), progress)
    told = [json.loads(text) for text in shown]
    assert told == [{"number": i + 1, "queries": queries} for i, queries in enumerate(found["path"])]
    assert found["path"][-1] == found["queries"]
    [start] = confirm_plane(read_input(PlaneInput, {**PLANE, "designs": [[[0.5, 0.5]]]}))["outcomes"]
    worse = start["variance"] + ((np.array(start["mean"]) - [0.5, 0.5, 0]) ** 2).sum()
    assert found["error"] < worse
