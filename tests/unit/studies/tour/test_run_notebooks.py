"""The code of every answer runs, in both kinds of notebook, with the tiny trainings of these tests."""

import pytest
from tests.unit.report.tour.test_notebooks import run_ipynb, run_marimo
from tests.unit.studies.tour.conftest import CONFIG

from regard import __version__
from regard.report.tour.answers import Tour
from regard.report.tour.notebooks import as_ipynb, as_marimo
from regard.studies.tour.run import QUESTIONS


@pytest.fixture
def tour(answer):
    answers = tuple(map(answer, QUESTIONS))
    return Tour(answers, seed=CONFIG.seed, quick=CONFIG.quick, version=__version__)


def test_jupyters_notebook_finds_the_same_numbers(tour, capsys):
    run_ipynb(as_ipynb(tour))
    shown = capsys.readouterr().out
    for identifier, name in (("A1", "C for a weight of 0.99 among 10 keys"), ("A4", "variance of their average")):
        (number,) = (each.number(name) for each in tour.answers if each.question.identifier == identifier)
        assert f"{number.value:.12g}"[:8] in shown


def test_marimos_notebook_runs(tour, tmp_path, monkeypatch, capsys):
    pytest.importorskip("marimo", reason="marimo is in the extra 'lab'")
    run_marimo(as_marimo(tour), tmp_path / "tour_of_all.py", monkeypatch)
    assert "ngram-char" in capsys.readouterr().out
