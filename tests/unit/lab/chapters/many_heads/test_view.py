"""Chapter 4 in tables, sentences and figures, with numbers that are given or worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from regard.lab.chapters.many_heads import view
from regard.lab.chapters.many_heads.designs import MAP_SCALES, MAP_VARIANCES, Exercise, Range, evaluate_designs
from regard.lab.chapters.many_heads.view import (
    better_text,
    exactness_text,
    figure,
    interpolate_best,
    outcome_table,
    python_for,
)

SMALL = Exercise(n_keys=3, n_heads=2, everywhere=0.0)


@pytest.fixture(scope="module")
def outcome():
    return evaluate_designs(SMALL, 1.0)[0]


def test_the_least_error_is_bold(outcome):
    found = (
        replace(outcome, name="pull", variance=0.25, squared_bias=0.5),
        replace(outcome, name="push", variance=0.125, squared_bias=0.0),
    )
    assert outcome_table(found).splitlines()[2:] == [
        "| pull | 0.25 | 0.5 | 0.75 |",
        "| push | 0.125 | 0 | **0.125** |",
    ]


def test_the_worst_error_and_every_method_are_told_once(outcome):
    laws = [
        replace(outcome.law, method=method, error=error) for method, error in (("a", 1e-9), ("b", 2e-5), ("a", 0.0))
    ]
    told = exactness_text(tuple(replace(outcome, law=law) for law in laws))
    assert told.endswith("Method: a, b; every entry of mean and covariance is exact to 2e-05.")


@pytest.mark.parametrize(
    ("ranges", "words"),
    [
        ((), "at no scale"),
        ((Range(None, None),), "at every scale"),
        ((Range(None, 2.17374),), "below C = 2.174"),
        ((Range(1.5, None),), "above C = 1.5"),
        ((Range(None, 1.0), Range(2.0, 30.0)), "below C = 1 and from C = 2 to 30"),
    ],
)
def test_ranges_of_scales_in_words(monkeypatch, ranges, words):
    monkeypatch.setattr(view, "better_ranges", lambda now: {"one pull head": ranges})
    assert better_text(SMALL) == f"**One pull head** has a smaller error than 2 pull heads {words}."


def test_the_map_changes_where_the_errors_cross():
    # ln of the errors: 0, and variance − 1/2, which is the lower one for variances below 1/2.
    second = np.broadcast_to(np.exp(MAP_VARIANCES - 0.5)[:, None], (len(MAP_VARIANCES), len(MAP_SCALES)))
    scales, variances, best = interpolate_best(np.stack([np.ones_like(second), second]))
    assert (scales[0], scales[-1]) == (pytest.approx(MAP_SCALES[0]), pytest.approx(MAP_SCALES[-1]))
    assert best.shape == (len(variances), len(scales))
    assert (best[variances < 0.49] == 1).all()
    assert (best[variances > 0.51] == 0).all()


def test_errors_that_are_as_good_as_none_are_alike_on_the_map():
    errors = np.ones((2, len(MAP_VARIANCES), len(MAP_SCALES)))
    assert (interpolate_best(errors * np.array([1e-7, 1e-9])[:, None, None])[2] == 0).all()
    assert (interpolate_best(errors * np.array([1e-5, 1e-9])[:, None, None])[2] == 1).all()


def test_the_map_is_drawn_where_keys_are_independent(monkeypatch):
    names = [outcome.name for outcome in evaluate_designs(SMALL, 1.0)]
    curves = {"scale": MAP_SCALES, **dict.fromkeys(names, np.ones(len(MAP_SCALES)))}
    monkeypatch.setattr(view, "error_curves", lambda now: curves)
    monkeypatch.setattr(view, "error_map", lambda now: np.ones((len(names), len(MAP_VARIANCES), len(MAP_SCALES))))
    draw = figure.__wrapped__  # past the cache, which would keep these errors
    axes = draw(SMALL, 1.0).axes
    assert [each.get_title() for each in axes] == ["exact mean squared error", "design with the smallest error"]
    assert [text.get_text() for text in axes[0].get_legend().get_texts()] == names
    assert [text.get_text() for text in axes[1].get_legend().get_texts()] == names[:1]  # the first of equals
    assert len(draw(replace(SMALL, noise="together"), 1.0).axes) == 1


def test_the_code_makes_the_noise_of_the_exercise():
    assert "noise = regard.isotropic(0.0) + regard.radial(0.5, key=0)" in python_for(SMALL, 2.0)
    assert "noise = regard.isotropic(0.0) + regard.radial(0.5)" in python_for(replace(SMALL, noise="each"), 2.0)
    assert "isotropic(0.0), shared=shared)" in python_for(replace(SMALL, noise="together"), 2.0)
    assert "n_keys, wanted, scale = 3, 2, 2.0" in python_for(SMALL, 2.0)
    assert "robust" not in python_for(SMALL, 2.0)
    assert "heads=4)" in python_for(SMALL, 2.0, robust_heads=4)
