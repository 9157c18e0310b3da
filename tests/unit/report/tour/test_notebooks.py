"""The tour as notebooks: they run from top to bottom, and texts in them are only text."""

import json
import sys

import pytest
from tests.unit.report.tour.test_answers import ANSWER

from regard.report.tour.answers import Answer, Question, Tour
from regard.report.tour.notebooks import as_ipynb, as_marimo, describe_answer

CODE = """\
import math

seen = [round(math.pi, 2)]
for each in seen:
    print("found", each)
"""


def answered(identifier):
    return Answer(
        question=Question(identifier, "Copying", "When?"), sentences=("Then.",), python=CODE, command="regard"
    )


TOUR = Tour((answered("A1"), answered("A2")), seed=7, quick=True, version="0.1.0")


def run_ipynb(text):
    """Execute the cells of code one after another, in one name space, as Jupyter does."""
    names = {}
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)


def run_marimo(text, path, monkeypatch):
    """Import the notebook and run its app."""
    path.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(path.parent))
    module = __import__(path.stem)
    monkeypatch.delitem(sys.modules, path.stem)
    return module.app.run()


def test_jupyters_cells_run_in_order(capsys):
    run_ipynb(as_ipynb(TOUR))
    assert capsys.readouterr().out == "found 3.14\n" * 2


def test_jupyters_notebook_has_the_form_that_it_should():
    record = json.loads(as_ipynb(TOUR))
    assert (record["nbformat"], record["nbformat_minor"]) == (4, 5)
    names = [cell["id"] for cell in record["cells"]]
    assert names == ["tour", "A1", "A1-code", "A2", "A2-code"]
    assert all(cell.keys() >= {"cell_type", "id", "metadata", "source"} for cell in record["cells"])


def test_marimos_cells_run_though_they_use_the_same_names(tmp_path, monkeypatch, capsys):
    pytest.importorskip("marimo", reason="marimo is in the extra 'lab'")
    run_marimo(as_marimo(TOUR), tmp_path / "tour_of_two.py", monkeypatch)
    assert capsys.readouterr().out == "found 3.14\n" * 2


def test_an_answer_is_told_with_its_evidence():
    text = describe_answer(ANSWER)
    for shown in (
        "## A3. Noisy keys",
        "q = C(μ\\_a + μ\\_b).",
        "| variance | 0.39 | 1e-13 | exact |",
        "**fails**",
        "to be",
    ):
        assert shown in text
    assert "data:image/svg+xml;base64," in text


def test_a_failure_is_told_and_has_no_code():
    failed = Answer(question=Question("B1", "Softmax", "What?"), failure="ValueError: <b>")
    assert "This could not be answered. ValueError: &lt;b>" in describe_answer(failed)
    tour = Tour((failed,), seed=0, quick=False, version="0.1.0")
    assert [cell["cell_type"] for cell in json.loads(as_ipynb(tour))["cells"]] == ["markdown", "markdown"]


def test_a_sample_cannot_end_its_own_frame():
    assert (
        describe_answer(
            Answer(question=ANSWER.question, samples=(ANSWER.samples[0].__class__("drawn", "a ~~~~ b"),))
        ).count("~~~~~")
        == 2
    )
