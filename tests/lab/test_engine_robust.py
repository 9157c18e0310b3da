"""The search for robust queries in the page: its gradient is Python's, and it finds designs as good as Python's."""

import numpy as np
import pytest

from regard.design import robust
from regard.design.squared_error import Objective
from regard.noise import GaussianKeys, isotropic, output_law, radial

pytestmark = pytest.mark.usefixtures("unchecked")  # annotations are checked where Python itself is tested
SEARCH = """async ([exercise, options]) => {
    const {searchRobust} = await import('/robust.js');
    const steps = [];
    const search = searchRobust(exercise, options);
    for (;;) {
        const {value, done} = search.next();
        if (done) return {steps, end: value};
        steps.push(value);
    }
}"""


def exercise(n_keys, *, spread, n_wanted=2, length=0.5, all_noisy=False):
    axes = np.eye(n_keys)
    radials = np.where(all_noisy | (np.arange(n_keys) == 0), length, 0.0)
    target = np.where(np.arange(n_keys) < n_wanted, 1 / n_wanted, 0.0)
    given = {
        "keys": axes.tolist(), "values": axes.tolist(), "target": target.tolist(), "radial": radials.tolist(),
        "isotropic": spread,
    }  # fmt: skip
    return given, GaussianKeys(axes, isotropic(spread) + radial(radials)), target


def test_error_and_gradient_of_one_head(engine):
    rng, cases, expected = np.random.default_rng(0), [], []
    for _ in range(60):
        n = int(rng.integers(3, 7))
        given, keys, target = exercise(n, spread=float(rng.choice([1e-4, 1e-2])), all_noisy=bool(rng.integers(0, 2)))
        queries = rng.normal(size=(1, n)) * 10 ** rng.uniform(-0.5, 1)
        cases.append([given, queries.tolist()])
        expected.append(Objective(keys, np.eye(n), target, bound=60.0).with_gradient(queries))
    for (error, gradient), answer in zip(expected, engine.map("robust", "squaredErrorGradient", cases), strict=True):
        assert answer["error"] == pytest.approx(error, abs=2e-6)
        assert np.abs(answer["gradient"] - gradient).max() < 2e-5  # both search with errors of some 1e-6


def test_error_and_gradient_of_two_heads_that_share_noise(engine):
    rng, cases, expected = np.random.default_rng(1), [], []
    for _ in range(12):
        n = int(rng.integers(3, 6))
        given, keys, target = exercise(n, spread=float(rng.choice([1e-3, 1e-2])))
        queries = rng.normal(size=(2, n)) * 10 ** rng.uniform(-0.3, 0.7)
        cases.append([given, queries.tolist()])
        expected.append(Objective(keys, np.eye(n), target, bound=60.0).with_gradient(queries))
    for (error, gradient), answer in zip(expected, engine.map("robust", "squaredErrorGradient", cases), strict=True):
        assert answer["error"] == pytest.approx(error, abs=5e-6)
        assert np.abs(answer["gradient"] - gradient).max() < 5e-5


@pytest.mark.parametrize(("n_keys", "spread", "all_noisy"), [(4, 1e-4, False), (10, 1e-3, False), (6, 1e-2, True)])
def test_the_search_finds_what_python_finds(engine, n_keys, spread, all_noisy):
    given, keys, target = exercise(n_keys, spread=spread, all_noisy=all_noisy)
    found = engine.run(SEARCH, [given, {"heads": 1}])
    errors = [step["error"] for step in found["steps"]]
    assert errors == sorted(errors, reverse=True)
    assert len(errors) > 3
    law = output_law(keys, np.eye(n_keys), np.array(found["end"]["queries"]))
    assert found["end"]["error"] == pytest.approx(law.mean_squared_error(target), abs=1e-9)
    assert found["end"]["error"] <= robust(keys, np.eye(n_keys), target).mean_squared_error * 1.001


def test_two_heads_do_better_than_one(engine):
    given, keys, target = exercise(4, spread=1e-2)
    one, two = (engine.run(SEARCH, [given, {"heads": heads, "rounds": 30}])["end"] for heads in (1, 2))
    assert two["error"] < one["error"]
    law = output_law(keys, np.eye(4), np.array(two["queries"]))
    assert two["error"] == pytest.approx(law.mean_squared_error(target), abs=1e-9)


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"together": 0.5}, {}, "the search needs keys that vary independently; here all vary together"),
        ({"target": [1]}, {}, "target must be a list of 3 numbers; got 1 of them"),
        ({}, {"heads": 100}, "the number of heads must be a whole number from 1 to 8; got 100"),
    ],
)
def test_bad_input_is_refused_in_one_line(engine, changes, options, message):
    script = """async ([given, options]) => {
        const {searchRobust} = await import('/robust.js');
        try { searchRobust(given, options).next(); return null; } catch (error) { return error.message; }
    }"""
    assert engine.run(script, [exercise(3, spread=0.01)[0] | changes, options]) == message
