"""What chapter 4 says, against closed forms, samples and the study."""

import contextlib
import io

import numpy as np
import pytest
from scipy.special import expit, ndtri

from regard.lab.chapters.many_heads import designs, view
from regard.lab.chapters.many_heads.designs import (
    NOISES,
    Exercise,
    Range,
    better_ranges,
    build_exercise,
    candidate_designs,
    error_curves,
    error_map,
    evaluate_designs,
)
from regard.lab.chapters.many_heads.view import better_text, outcome_table, python_for
from regard.studies.one_vs_many import Config, find_crossing

CLASSIC = Exercise(everywhere=0.0)


def outputs(now, queries, draws):
    """Outputs over draws of the keys, one by one in plain loops; values are the axes."""
    noise = np.random.default_rng(3).standard_normal((draws, now.n_keys))
    found = []
    for g in noise:
        sizes = {"one": [g[0]] + [0] * (now.n_keys - 1), "each": g, "together": [g[0]] * now.n_keys}[now.noise]
        logits = np.exp((1 + np.sqrt(now.variance) * np.array(sizes)) * queries)
        found.append((logits / logits.sum(axis=1, keepdims=True)).mean(axis=0))
    return np.array(found)


@pytest.mark.parametrize("noise", NOISES.values())
def test_numbers_agree_with_draws(noise):
    now = Exercise(n_keys=6, n_heads=4, everywhere=0.0, noise=noise)
    for design, exact in zip(candidate_designs(now), evaluate_designs(now, 4.0), strict=True):
        drawing = outputs(now, design.queries(4.0), 4000)
        assert exact.name == design.name
        assert exact.variance == pytest.approx(drawing.var(axis=0).sum(), rel=0.1, abs=1e-12)
        assert exact.error == pytest.approx(((drawing - now.target) ** 2).sum(axis=1).mean(), rel=0.1, abs=1e-12)


def test_the_two_heads_of_the_exercise_have_their_closed_form():
    pull, push, two = evaluate_designs(CLASSIC, 10.0)
    assert (pull.name, push.name, two.name) == ("one pull head", "one push head", "2 pull heads")
    assert pull.variance / two.variance == pytest.approx(15.393, abs=5e-4)
    assert push.variance == 0
    leak = np.exp(-10) / (2 + 8 * np.exp(-10))
    assert push.error == pytest.approx(2 * (0.5 - 1 / (2 + 8 * np.exp(-10))) ** 2 + 8 * leak**2)


def test_lengths_that_vary_together_leave_pull_and_push_alike():
    now = Exercise(n_keys=5, everywhere=0.0, noise="together")
    pull, push, _ = evaluate_designs(now, 3.0)
    assert pull.error == pytest.approx(push.error, rel=1e-9)
    z = ndtri((np.arange(20_000) + 0.5) / 20_000)
    share = expit((1 + np.sqrt(0.5) * z) * 3 + np.log(2 / 3))  # of both wanted keys together
    error = 2 * (share / 2 - 0.5) ** 2 + 3 * ((1 - share) / 3) ** 2
    assert pull.error == pytest.approx(error.mean(), rel=1e-4)


def test_where_one_head_is_better_is_where_the_study_finds_it():
    equal = find_crossing(Config(isotropic=0.0))
    assert equal == pytest.approx(2.173737, abs=1e-6)
    ranges = better_ranges(CLASSIC)
    [below] = ranges["one pull head"]
    assert below.low is None
    assert below.high == pytest.approx(equal, rel=1e-4)
    assert ranges["one push head"] == (Range(None, None),)
    assert "below C = 2.174" in better_text(CLASSIC)
    assert "at every scale" in better_text(CLASSIC)


def test_the_map_is_the_curves_at_each_variance(monkeypatch):
    for module in (designs, view):
        monkeypatch.setattr(module, "MAP_SCALES", np.array([0.3, 3.0, 100.0]))
        monkeypatch.setattr(module, "MAP_VARIANCES", np.array([0.0, 0.5, 1.0]))
    now = Exercise(n_keys=5, everywhere=0.0)
    error_map.cache_clear()
    errors = error_map(now)
    for place, one in enumerate(evaluate_designs(now, 3.0)):
        assert errors[place, 1, 1] == pytest.approx(one.error, abs=3e-6)
    scales, variances, best = view.interpolate_best(errors)
    assert best.shape == (len(variances), len(scales))
    assert best[-1, -1] == 1  # pushing sees no lengths
    assert best[0, 0] == np.argmin(errors[:, 0, 0])
    assert len(view.figure(now, 3.0).axes) == 2
    error_map.cache_clear()


def test_curves_pass_through_the_table():
    now = Exercise(n_keys=5, n_heads=4, everywhere=0.0)
    curves = error_curves(now)
    assert list(curves) == ["scale", "one pull head", "one push head", "2 pull heads", "4 pull heads"]
    for one in evaluate_designs(now, float(curves["scale"][9])):
        assert curves[one.name][9] == pytest.approx(one.error)


def test_wishes_that_do_not_fit_are_told():
    now, notes = build_exercise(n_keys=4, n_heads=6, variance=0.5, everywhere=0.01, noise="together")
    assert (now.n_keys, now.everywhere) == (7, 0.0)
    assert notes.startswith("6 wanted keys need at least one other key: 7 keys are used instead of 4. When all lengths")
    assert build_exercise(n_keys=7, n_heads=6, variance=0.5, everywhere=0.01, noise="one")[1] == ""


def test_the_table_marks_the_least_error():
    table = outcome_table(evaluate_designs(Exercise(), 10.0))
    assert "| one push head | 0.01855 | 2.235e-08 | **0.01855** |" in table
    assert table.count("**") == 2
    assert "Method: integral; every entry" in view.exactness_text(evaluate_designs(Exercise(), 10.0))


@pytest.mark.parametrize("noise", NOISES.values())
def test_the_shown_python_gives_the_shown_numbers(noise):
    now = Exercise(n_keys=6, n_heads=4, variance=0.25, everywhere=0.0 if noise == "together" else 1e-3, noise=noise)
    rows = printed(python_for(now, 5.0))
    for one, (name, *numbers) in zip(evaluate_designs(now, 5.0), rows, strict=True):
        assert name == one.name
        assert [float(number) for number in numbers] == pytest.approx([one.variance, one.error])


def printed(code):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        exec(code, {})  # our own text
    return [line.split("; ") for line in text.getvalue().splitlines() if "; " in line]
