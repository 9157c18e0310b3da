"""What Python answers to chapter 4, against closed forms and samples."""

import json

import numpy as np
import pytest
from scipy.special import expit, ndtri

from regard.errors import ValueRangeError
from regard.lab.chapters.many_heads.view import (
    ExerciseInput,
    SearchInput,
    candidate_designs,
    confirm,
    search_design,
    thin,
)
from regard.lab.inputs import read_input
from regard.lab.jobs import JobProgress, WorkStopped

CLASSIC = {
    "n_keys": 10, "n_wanted": 2, "variance": 0.5, "everywhere": 0, "noise": "one", "scale": 10, "design": [],
}  # fmt: skip


def asked(**changes):
    return read_input(ExerciseInput, CLASSIC | changes)


def outputs(now, queries, draws):
    """Outputs over draws of the keys, one by one in plain loops; values are the axes."""
    noise = np.random.default_rng(3).standard_normal((draws, now.n_keys))
    found = []
    for g in noise:
        sizes = {"one": [g[0]] + [0] * (now.n_keys - 1), "each": g, "together": [g[0]] * now.n_keys}[now.noise]
        logits = np.exp((1 + np.sqrt(now.variance) * np.array(sizes)) * queries)
        found.append((logits / logits.sum(axis=1, keepdims=True)).mean(axis=0))
    return np.array(found)


@pytest.mark.parametrize("noise", ["one", "each", "together"])
def test_numbers_agree_with_draws(noise):
    now = asked(n_keys=6, n_wanted=4, noise=noise, scale=4)
    target = np.array([0.25] * 4 + [0, 0])
    assert [design.name for design in candidate_designs(now)] == [
        "one pull head", "one push head", "2 pull heads", "4 pull heads",
    ]  # fmt: skip
    for design, exact in zip(candidate_designs(now), confirm(now)["outcomes"], strict=True):
        drawing = outputs(now, design.queries(4.0), 4000)
        assert exact["variance"] == pytest.approx(drawing.var(axis=0).sum(), rel=0.1, abs=1e-12)
        assert exact["error"] == pytest.approx(((drawing - target) ** 2).sum(axis=1).mean(), rel=0.1, abs=1e-12)


def test_the_two_heads_of_the_exercise_have_their_closed_form():
    pull, push, two = confirm(asked())["outcomes"]
    assert pull["variance"] / two["variance"] == pytest.approx(15.393, abs=5e-4)
    assert push["variance"] == 0
    leak = np.exp(-10) / (2 + 8 * np.exp(-10))
    assert push["error"] == pytest.approx(2 * (0.5 - 1 / (2 + 8 * np.exp(-10))) ** 2 + 8 * leak**2)


def test_lengths_that_vary_together_leave_pull_and_push_alike():
    pull, push, _ = confirm(asked(n_keys=5, noise="together", scale=3))["outcomes"]
    assert pull["error"] == pytest.approx(push["error"], rel=1e-9)
    z = ndtri((np.arange(20_000) + 0.5) / 20_000)
    share = expit((1 + np.sqrt(0.5) * z) * 3 + np.log(2 / 3))  # of both wanted keys together
    error = 2 * (share / 2 - 0.5) ** 2 + 3 * ((1 - share) / 3) ** 2
    assert pull["error"] == pytest.approx(error.mean(), rel=1e-4)
    assert confirm(asked(n_keys=5, noise="together", scale=60)) == {"outcomes": []}  # would be sampled


def test_the_design_of_a_link_is_judged_beside_the_others():
    [*_, two, found] = confirm(asked(n_keys=4, design=[[10, 0, 0, 0], [0, 10, 0, 0]]))["outcomes"]
    assert found == two


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"n_keys": 4, "n_wanted": 6}, "6 wanted keys need at least one other key; got 4 keys"),
        (
            {"noise": "together", "everywhere": 0.01},
            "when all lengths vary together, noise in every direction must",
        ),
        ({"design": [[1, 2, 3]]}, "the queries of the design must have 10 numbers; got 3"),
    ],
)
def test_what_does_not_belong_together_is_refused(changes, told):
    with pytest.raises(ValueRangeError, match=told):
        confirm(asked(**changes))


def test_every_step_of_the_search_is_better_than_the_one_before():
    sent = {"n_keys": 4, "n_wanted": 2, "variance": 0.5, "everywhere": 1e-3, "noise": "one", "n_heads": 2}
    progress = JobProgress(lambda: None)
    steps = search_design(read_input(SearchInput, sent), progress)["steps"]
    errors = [step["error"] for step in steps]
    assert errors == sorted(errors, reverse=True)
    assert json.loads(progress.text) == steps[-1]
    asked_again = asked(n_keys=4, everywhere=1e-3, design=steps[-1]["queries"])
    assert confirm(asked_again)["outcomes"][-1]["error"] == pytest.approx(errors[-1], abs=1e-9)


def test_the_search_stops_when_it_is_told():
    def stop():
        raise WorkStopped

    sent = {"n_keys": 4, "n_wanted": 2, "variance": 0.5, "everywhere": 1e-3, "noise": "one", "n_heads": 1}
    with pytest.raises(WorkStopped):
        search_design(read_input(SearchInput, sent), JobProgress(stop))


def test_many_steps_are_thinned_and_the_ends_stay():
    steps = thin([{"number": n} for n in range(1000)])
    assert len(steps) == 120
    assert (steps[0]["number"], steps[-1]["number"]) == (0, 999)
