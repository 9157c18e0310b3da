"""`regard study averaging` from top to bottom: table, words, files; bad input is one line."""

import csv
import json

import pytest
from tests.support.reviews import write_reviews

from regard.cli.app import THREADS
from regard.cli.main import main
from regard.models.checkpoint import load_classifier

SMALL = ("--data", "films.csv", "--vectors", "none", "--epochs", "1", "--only", "weights,depth")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """The command, in a folder with labelled texts: its output and its errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REGARD_DATA", raising=False)
    for name in THREADS:  # else they would stay set for the tests after these
        monkeypatch.setenv(name, "1")
    write_reviews(tmp_path / "films.csv", 100)

    def run_here(*arguments, code=0):
        assert main(["study", "averaging", *arguments]) == code
        return capsys.readouterr()

    return run_here


def test_people_see_a_table_and_words(run, tmp_path):
    out, err = run(*SMALL, "--csv", "table.csv", "--figure", "figure.png", "--out", "best")
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "Averaging classifiers of films.csv: 80 texts to learn from, 20 to measure on"
    assert lines[2].split()[:4] == ["question", "variant", "%", "right"]
    assert [line.split()[0] for line in lines[3:8]] == ["usual", "depth", "depth", "depth", "weights"]
    assert "- no word vectors were given, so that fixed and fine-tuned ones are not compared" in lines
    assert out.endswith("saved figure.png\n\nsaved table.csv\n\nsaved best\n")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    with (tmp_path / "table.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 5
    assert load_classifier("best").labels == ("negative", "positive")
    _, err = run(*SMALL, "--out", "best", code=1)
    assert err.startswith("regard: best holds a model of kind averaging, saved 20")
    (tmp_path / "best" / "thesis.tex").write_text("mine")
    _, err = run(*SMALL, "--out", "best", "--force", code=1)
    assert err == "regard: best holds thesis.tex, which Regard did not write; choose another --out\n"


def test_programs_get_every_number(run):
    found = json.loads(run(*SMALL, "--seeds", "2", "--json").out)
    assert found["config"]["seeds"] == 2
    assert {"accuracy", "spread", "p_value", "only_this", "parameters", "cpu_seconds"} <= found["rows"][0].keys()
    again = json.loads(run(*SMALL, "--seeds", "2", "--json").out)
    assert [row["nats"] for row in again["rows"]] == [row["nats"] for row in found["rows"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--only", "width"), "there is no question 'width'; choose from dropout, depth"),
        (
            ("--test", "0"),
            "classifiers are compared on texts that none has learnt from, so --test must keep some; got 0",
        ),
        (("--figure", "figure.doc"), "figure.doc: expected a figure's name to end in .png, .svg or .pdf"),
        (
            ("--csv", "no/table.csv"),
            "cannot write no/table.csv: there is no folder no; make it first, or choose another",
        ),
        (("--data", "python-manual"), "python-manual has no labels; movie-snippets and imdb have"),
    ],
)
def test_bad_input(run, arguments, message):
    out, err = run(*SMALL, *arguments, code=1)
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
