"""`regard study models` from top to bottom: tables, words, samples, files; bad input is one line."""

import csv
import json
import math
import os
from unittest import mock

import pytest
from tests.support.texts import VERSE

from regard.cli.app import THREADS, use_one_thread
from regard.cli.main import main
from regard.studies import models as study_models
from regard.studies.model_trainers import DEFAULT_MODELS, TRAINERS
from regard.text.corpora.corpus import Corpus, find_corpus

COUNTING = ("--text", "verse.txt", "--models", "ngram-char,ngram-word", "--length", "60")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """The command, in a folder with texts: its output and its errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REGARD_DATA", raising=False)
    for name in THREADS:  # else they would stay set for the tests after these
        monkeypatch.setenv(name, "1")
    (tmp_path / "verse.txt").write_text(VERSE)
    (tmp_path / "short.txt").write_text("to be or not to be\n" * 10)
    (tmp_path / "blank.txt").write_text("\n \n" * 500)
    (tmp_path / "letter.txt").write_text("a" * 2000)

    def run_here(*arguments, code=0):
        assert main(["study", "models", *arguments]) == code
        return capsys.readouterr()

    return run_here


def test_people_see_tables_words_and_samples(run):
    out, err = run(*COUNTING)
    assert err == ""
    lines = out.splitlines()
    assert lines[0].startswith("Characters or words: verse.txt, ")
    headings = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings[:5] == [
        "Quality:",
        "Where the bits go, in bits per character:",
        "Cost:",
        "What the figures say:",
        "What they write:",
    ]
    quality = lines[lines.index("Quality:") + 1 :]
    assert " ".join(quality[0].split()) == "model tokens per 1,000 chars unknown (own perplexity) bits/char"
    assert [line.split()[0] for line in quality[1:3]] == ["ngram-char", "ngram-word"]
    assert len({len(line) for line in quality[:3]}) == 1
    assert "- fewest bits per character: ngram-" in out
    assert "--- ngram-word ---" in lines


def test_programs_get_every_number(run):
    found = json.loads(run(*COUNTING, "--json", "--seed", "5").out)
    letters, words = found["rows"]
    assert letters["unit"] == "character"
    assert words["unit"] == "word"
    assert letters["tokens"] > 3 * words["tokens"]
    parts = words["token_bits"] + words["spelling_bits"] + words["restoration_bits"]
    assert math.isclose(parts, words["bits_per_character"], rel_tol=1e-12)
    assert (found["config"]["seed"], found["config"]["text"]) == (5, "verse.txt")
    assert len(letters["sample"]) >= 60
    again = json.loads(run(*COUNTING, "--json", "--seed", "5").out)
    assert [row["sample"] for row in again["rows"]] == [row["sample"] for row in found["rows"]]
    assert [row["bits_per_character"] for row in again["rows"]] == [row["bits_per_character"] for row in found["rows"]]


def test_files_are_written(run, tmp_path):
    out, _ = run(*COUNTING, "--csv", "models.csv", "--figure", "models.png")
    assert out.endswith("saved models.png\n\nsaved models.csv\n")
    with (tmp_path / "models.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["model"] for row in rows] == ["ngram-char", "ngram-word"]
    assert float(rows[0]["bits_per_character"]) > 0
    assert "sample" not in rows[0]
    assert (tmp_path / "models.png").read_bytes().startswith(b"\x89PNG")


def test_a_long_text_is_read_no_further_than_it_is_used(run, monkeypatch):
    monkeypatch.setattr(study_models, "MAX_CHARACTERS", 1000)
    out, _ = run(*COUNTING)
    assert "- of verse.txt only the first 1,000 characters were taken" in out
    verse = find_corpus("verse.txt")
    assert study_models.read_beginning(verse, max_characters=len(VERSE)) == (VERSE, False)
    assert study_models.read_beginning(verse, max_characters=700) == (VERSE[:700], True)

    pieces = iter(["to be\n"] * 9)
    endless = mock.create_autospec(Corpus, instance=True)
    endless.chunks = lambda: pieces
    assert study_models.read_beginning(endless, max_characters=13) == ("to be\nto be\nt", True)
    assert len(list(pieces)) == 6


def test_one_thread_unless_more_are_asked_for(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "")  # so that what is set below is taken back
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    use_one_thread()
    assert (os.environ["OMP_NUM_THREADS"], os.environ["OPENBLAS_NUM_THREADS"]) == ("2", "1")


def test_help_names_every_model_and_the_study_itself(run, capsys):
    shown = "".join(run("--help").out.split())  # lines may break within a name
    assert all(name in shown for name in TRAINERS)
    assert set(DEFAULT_MODELS) <= set(TRAINERS)
    assert main(["study", "--help"]) == 0
    assert "\n  models " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--models", "ngram-char,nonsense"),
            f"there is no model 'nonsense' to compare; choose from {', '.join(TRAINERS)}",
        ),
        (("--text", "short.txt"), "short.txt has 190 characters; a comparison needs at least 500, better 100,000"),
        (("--text", "blank.txt"), "blank.txt has no words; expected a text with words in it"),
        (
            ("--text", "letter.txt"),
            "letter.txt has no line end and no space near the place where it is to be cut, at 90 %; "
            "expected words with white space between them",
        ),
        (
            ("--text", "nowhere"),
            "there is no file 'nowhere' and no corpus of that name; `regard data list` shows the names",
        ),
        (("--minutes", "0"), "minutes, for training a network, must be above 0 and finite; got 0"),
        (("--figure", "models.bmp"), "models.bmp: expected a figure's name to end in .png, .svg or .pdf"),
        (
            ("--csv", "no/models.csv"),
            "cannot write no/models.csv: there is no folder no; make it first, or choose another",
        ),
    ],
)
def test_bad_input_is_one_line_before_anything_is_trained(run, monkeypatch, arguments, message):
    monkeypatch.setattr("regard.studies.models.train_and_measure", None)
    out, err = run(*arguments, code=1)
    assert (out, err) == ("", f"regard: {message}\n")
