"""What chapter 3 says, against samples and closed forms."""

import contextlib
import io

import numpy as np
import pytest
from scipy.stats import norm

from regard.lab.chapters.noisy_keys.view import outcome_table, python_for, run_experiment, variance_curves


def test_pulling_flips_and_pushing_does_not():
    pull, push = run_experiment(n_keys=6, variance=0.5, scale=10.0, seed=0).outcomes
    assert (pull.name, push.name) == ("one pull head", "one push head")
    # α_a > 0.9 where C g > ln 9, but for the weight of the other keys: g ~ N(0, ½), both sides alike
    assert pull.flips == pytest.approx(2 * norm.sf(np.log(9) / 10 / np.sqrt(0.5)), abs=2e-3)
    assert push.flips < 1e-9
    assert push.variance < pull.variance / 10


def test_draws_agree_with_what_is_exact():
    now = run_experiment(n_keys=6, variance=0.5, scale=10.0, seed=3)
    lopsided = np.abs(now.outcomes[0].weights - 0.5) > 0.4
    assert lopsided.mean() == pytest.approx(now.outcomes[0].flips, abs=0.06)
    assert now.keys[:, 0].var() == pytest.approx(0.5, rel=0.2)
    assert now.keys[:, 1].std() < 0.02


def test_without_noise_nothing_varies():
    now = run_experiment(n_keys=4, variance=0.0, scale=5.0, seed=0)
    assert all(outcome.variance < 1e-2 for outcome in now.outcomes)
    assert "| one pull head |" in outcome_table(now)


def test_the_curve_passes_through_the_shown_variance():
    curves = variance_curves(6, 0.5)
    scale = float(curves["scale"][12])
    now = run_experiment(n_keys=6, variance=0.5, scale=scale, seed=0)
    assert curves["one pull head"][12] == pytest.approx(now.outcomes[0].variance)


def test_the_shown_python_gives_the_shown_numbers():
    now = run_experiment(n_keys=5, variance=0.25, scale=20.0, seed=0)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(python_for(now), {})  # our own text
    numbers = [float(word) for word in printed.getvalue().split()]
    assert numbers == pytest.approx(
        [value for found in now.outcomes for value in (found.variance, found.flips)], abs=1e-12
    )
