"""`regard tour`: a page and its answers, the same numbers every time, wrong usage told in one line."""

import json
from pathlib import Path

import pytest

from regard import __version__
from regard.cli.main import main
from regard.report.tour.answers import Tour, read_answer
from regard.report.tour.page import pack_answers, unpack_answers


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REGARD_DATA", raising=False)


def without_seconds(text):
    record = json.loads(text)
    for answer in record["answers"]:
        del answer["seconds"]
    return record


def test_two_runs_with_one_seed_give_the_same_numbers(capsys):
    command = ["tour", "--quick", "--only", "A1,A2,B", "--json", "--seed", "3"]
    found = []
    for _ in range(2):
        assert main(command) == 0
        found.append(without_seconds(capsys.readouterr().out))
    assert found[0] == found[1]
    assert [answer["question"]["identifier"] for answer in found[0]["answers"]] == ["A1", "A2", "B1", "B2"]
    assert all(number["seed"] == 3 for answer in found[0]["answers"] for number in answer["numbers"])
    assert Path("tour.html").stat().st_size < 5_000_000


def test_a_run_is_resumed(capsys):
    assert main(["tour", "--only", "A1", "--out", "a.html"]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[0].split() == ["question", "title", "outcome", "seconds"]
    assert shown.endswith("\nsaved a.html\n")
    kept = unpack_answers(Path("a.html").read_text())["answers"][0]
    changed = read_answer({**kept, "sentences": ["This was kept."]})
    Path("a.html").write_text(pack_answers(Tour((changed,), seed=0, quick=False, version=__version__)))
    assert main(["tour", "--only", "A1,A2", "--out", "a.html", "--resume"]) == 0
    page = Path("a.html").read_text()
    assert "This was kept." in page
    assert 'id="A2"' in page


def test_notebooks_are_written(capsys):
    assert main(["tour", "--only", "A2", "--notebook", "tour.ipynb", "--marimo", "tour.py"]) == 0
    assert capsys.readouterr().out.endswith("\nsaved tour.html, tour.ipynb, tour.py\n")
    assert json.loads(Path("tour.ipynb").read_text())["nbformat"] == 4
    compile(Path("tour.py").read_text(), "tour.py", "exec")


def test_wrong_usage(capsys):
    assert main(["tour", "--only", "Q"]) == 2
    assert "there is no question 'Q'" in capsys.readouterr().err
    assert main(["tour", "--out", "tour.pdf"]) == 2
    assert "expected a name that ends in .html" in capsys.readouterr().err
    assert main(["tour", "--only", "A1", "--seed", "1"]) == 0
    assert main(["tour", "--only", "A1", "--resume"]) == 1
    assert "start over without --resume" in capsys.readouterr().err
