"""`regard study errors` from top to bottom: errors with their words, the table of rules, page, JSON; bad input."""

import csv
import json
import re

import numpy as np
import pytest

from regard.cli.main import main
from regard.evaluation.mistakes.rules import RULES
from regard.records import LabelledTexts
from regard.training.averaging.train import AveragingConfig, train_averaging

GOOD = ("good film", "a great story", "superb and touching", "fine work", "i loved it", "a joy")
BAD = ("bad film", "an awful story", "dull and boring", "poor work", "i hated it", "a mess")
TRICKY = (("not a bad film , but a joy", "positive"), ("<script>great</script> but awful , a mess", "positive"))


def rows(n):
    said = [
        (f"{a} , {b}", label) for label, side in (("positive", GOOD), ("negative", BAD)) for a in side for b in side
    ]
    return [*said, *TRICKY] * n


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A classifier that was trained in a moment, and texts for it."""
    where = tmp_path_factory.mktemp("errors")
    texts, labels = zip(*rows(2), strict=True)
    ids = np.array([("negative", "positive").index(label) for label in labels])
    data = LabelledTexts(texts, ids, ("negative", "positive"))
    train_averaging(data, AveragingConfig(form="classic", epochs=12, layers=0, width=8)).save(where / "films")
    for name, columns in (("reviews", ("text", "label")), ("strange", ("text", "colour"))):
        with (where / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([columns, *rows(1)])
    with (where / "other.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("text", "label"), ("a", "red"), ("b", "blue")])
    return where


@pytest.fixture
def run(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    monkeypatch.delenv("REGARD_DATA", raising=False)

    def run_here(*arguments, code=0):
        assert main(["study", "errors", *arguments]) == code
        return capsys.readouterr()

    return run_here


def test_people_see_errors_words_and_rules(run):
    out, err = run("films", "--data", "reviews.csv", "--n", "2")
    assert err == ""
    assert "\x1b" not in out
    assert out.startswith("films on reviews.csv: 74 texts, ")
    assert "The worst errors:" in out
    assert re.search(r"--- text \d+: called \w+ \(\d+\.\d %\), is \w+ \(", out)
    assert re.search(r"\[\w+ [+−]\d\.\d\d\]", out)
    table = out[out.index("What goes with errors:") :].splitlines()[1:]
    assert re.split(r"  +", table[0]) == ["rule", "of errors", "of right answers", "ratio", "95 % interval", "verdict"]
    for name in (rule.name for rule in RULES):
        assert any(line.startswith(name) for line in table)
    assert "Accuracy by words of contrast:" in out


def test_programs_get_every_share(run):
    found = json.loads(run("films", "--data", "reviews.csv", "--json").out)
    assert 0.5 < found["result"]["accuracy"] < 1
    error = found["worst"][0]
    assert error["label"] != error["true_label"] == error["against"]
    assert error["baseline"] + sum(word["share"] for word in error["words"]) == pytest.approx(
        error["log_odds"], rel=0.01
    )
    assert "".join(word["word"] for word in error["words"]) == error["text"].replace(" ", "")
    assert error["method"] == "exact"
    assert {"rule", "likelihood_ratio", "low", "high", "verdict", "seen_wrong", "seen_right"} <= set(found["rules"][0])
    assert found["unseen"] is None
    assert "label_doubts" in found
    assert sum(map(sum, found["result"]["confusion"])) == found["result"]["n"] == 74


def test_the_part_that_was_set_aside(run):
    found = json.loads(run("films", "--data", "reviews.csv", "--test", "0.5", "--json").out)
    assert found["result"]["n"] == 37
    assert found["config"]["data"] == "0.5 of reviews.csv"
    assert "of the 37 texts also occur in training" in found["notes"][-1]


def test_a_page_is_written(run, folder):
    out, _ = run("films", "--data", "reviews.csv", "--html", "page.html", "--method", "leave-one-out")
    assert out.endswith("\nsaved page.html\n")
    page = (folder / "page.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert "leave-one-out" in page


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("nowhere",), 1, "nowhere"),
        (("films", "--data", "strange.csv"), 1, "colour"),
        (("films", "--data", "other.csv"), 1, "red"),
        (
            ("films", "--data", "reviews.csv", "--method", "guess"),
            2,
            "'guess' is not one of 'exact', 'integrated-gradients'",
        ),
        (("films", "--html", "page.txt"), 2, "expected a name that ends in .html"),
        (
            ("films", "--html", "no/page.html"),
            1,
            "cannot write no/page.html: there is no folder no; make it first, or choose another",
        ),
    ],
)
def test_bad_input_is_one_line(run, arguments, code, message):
    out, err = run(*arguments, code=code)
    assert out == ""
    assert message in err
    assert code == 2 or err.count("\n") == 1
