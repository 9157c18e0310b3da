"""`regard perplexity` from top to bottom: tables, JSON, heat maps, warnings, and bad input in one line each."""

import json
import math
import shutil
import subprocess
import sys

import numpy as np
import pytest

from regard.cli.main import main
from regard.cli.perplexity import STEPS, name_each_text
from regard.models.checkpoint import load_model
from regard.models.folder import seal
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.text.normalise.prepare import STEPS as ALL_STEPS

REGARD = (sys.executable, "-m", "regard")
TRAINING = (
    "now is the winter of our discontent\nmade glorious summer by this sun of york\n"
    "and all the clouds that lour'd upon our house\nin the deep bosom of the ocean buried\n"
    "now are our brows bound with victorious wreaths\nour bruised arms hung up for monuments\n"
    "our stern alarums changed to merry meetings\nour dreadful marches to delightful measures\n"
)
FIELDS = {"model", "text", "tokens", "unknown_share", "perplexity", "perplexity_known"} | {
    "nats_per_character",
    "bits_per_character",
    "bits_per_byte",
    "warnings",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Models of letters and of words, and texts for them."""
    folder = tmp_path_factory.mktemp("perplexity")
    fit_ngram(TRAINING, NgramConfig(unit="char", order=3)).save(folder / "letters")
    fit_ngram(TRAINING, NgramConfig(unit="word", order=2, method="kneser-ney")).save(folder / "words")
    (folder / "seen.txt").write_text(TRAINING[:180])
    (folder / "fresh.txt").write_text("Our house is the house of merry clouds\nlour’d “upon” is our winter\n")
    (folder / "strange.txt").write_text("жук жук ж\n")
    (folder / "empty.txt").write_text("")
    (folder / "broken.txt").write_bytes(b"now is\nthe \xff winter\n")
    shutil.copytree(folder / "letters", folder / "cut-short")
    tensors = folder / "cut-short" / "model.safetensors"
    tensors.write_bytes(tensors.read_bytes()[:-100])
    shutil.copytree(folder / "letters", folder / "of-another-kind")
    config = json.loads((folder / "letters" / "config.json").read_text())
    config["regard"]["kind"] = "averaging"
    sealed = seal(config, config["regard"]["files"])
    (folder / "of-another-kind" / "config.json").write_text(json.dumps(sealed))
    return folder


@pytest.fixture
def run(folder, monkeypatch, capsys):
    """The command, in the folder of models and texts: its output and its errors."""
    monkeypatch.chdir(folder)

    def run_here(*arguments, code=0):
        assert main(["perplexity", *arguments]) == code
        return capsys.readouterr()

    return run_here


@pytest.fixture
def rows(run):
    """Run it with --json, and read what it prints."""

    def rows_here(*arguments):
        out, err = run(*arguments, "--json")
        assert err == ""
        return json.loads(out)

    return rows_here


def test_the_installed_command(folder):
    command = [*REGARD, "perplexity", "letters", "--text", "fresh.txt", "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert [row["model"] for row in json.loads(done.stdout)] == ["letters"]


def test_a_table_of_models_and_texts(run):
    out, err = run("letters", "words", "--text", "seen.txt", "--text", "fresh.txt")
    assert err == ""
    heading, *lines = out.splitlines()
    assert heading.split() == [
        "model",
        "text",
        "tokens",
        "unknown",
        "perplexity",
        "known",
        "only",
        "bits/char",
        "bits/byte",
    ]
    assert [line.split()[:2] for line in lines[:4]] == [
        ["letters", "seen.txt"],
        ["letters", "fresh.txt"],
        ["words", "seen.txt"],
        ["words", "fresh.txt"],
    ]
    assert "per character" in lines[0]
    assert "per word" in lines[2]
    assert "Perplexity has no base: 2^" in out
    assert "- perplexities in different units stand in one column: " in out
    assert "- letters on seen.txt: at least " in out


def test_a_row_has_the_promised_fields(rows, folder):
    (row,) = rows("words", "--text", "fresh.txt")
    text = (folder / "fresh.txt").read_text()
    scored = load_model(folder / "words").score(text)
    assert set(row) >= FIELDS
    assert (row["model"], row["text"], row["unit"]) == ("words", "fresh.txt", "word")
    assert row["tokens"] == len(scored) == 15
    assert row["unknown_share"] == pytest.approx(np.mean(~scored.is_known))
    assert row["perplexity"] == pytest.approx(math.exp(-scored.log_probs_nats.mean()))
    assert row["perplexity_known"] == pytest.approx(math.exp(-scored.log_probs_nats[scored.is_known].mean()))
    assert list(row["perplexity_by_base"].values()) == pytest.approx([row["perplexity"]] * 3)
    assert row["bits_per_character"] == pytest.approx(row["nats_per_character"] / math.log(2))
    assert row["bits_per_byte"] == pytest.approx(row["bits_per_character"] * len(text) / len(text.encode()))
    costs = [row[f"{kind}_nats"] for kind in ("token", "spelling", "restoration", "choice")]
    assert sum(costs) == pytest.approx(row["nats"]) == row["nats_per_character"] * len(text)
    assert [type(warning) for warning in row["warnings"]] == [str] * len(row["warnings"])
    assert {evidence["kind"] for evidence in row["evidence"]} >= {"case", "typography"}


def test_several_texts_after_one_option(rows):
    names = [row["text"] for row in rows("letters", "--text", "seen.txt", "fresh.txt")]
    assert names == ["seen.txt", "fresh.txt"]


def test_models_after_the_texts_are_models(rows):
    found = [(row["model"], row["text"]) for row in rows("--text", "seen.txt", "letters", "words")]
    assert found == [("letters", "seen.txt"), ("words", "seen.txt")]


def test_the_arguments_of_other_options_are_left_alone():
    given = ["m", "--text", "a", "b", "--base", "e", "--text=c", "d", "--json"]
    named = ["m", "--text", "a", "--text", "b", "--base", "e", "--text=c", "--text", "d", "--json"]
    assert name_each_text(given) == named


def test_preparation_shows_what_each_step_gained(run):
    out, _ = run("words", "--text", "fresh.txt", "--prepare", "fold-unicode,lower")
    table = out[out.index("words on fresh.txt, step by step:") :].splitlines()
    assert table[1].split() == ["prepare", "tokens", "unknown", "perplexity", "restored", "bits/char", "gained"]
    assert [line.split()[:2] for line in table[2:5]] == [["as", "it"], ["+", "fold-unicode"], ["+", "lower"]]
    assert table[5] == "- costs are those of the original text, 67 characters, what was erased restored"


def test_auto_pays_for_its_choice(run, rows):
    (row,) = rows("words", "--text", "fresh.txt", "--prepare", "auto")
    (plain,) = rows("words", "--text", "fresh.txt")
    assert row["choice_nats"] == pytest.approx(len(ALL_STEPS) * math.log(2))
    assert row["nats"] - row["choice_nats"] <= plain["nats"]
    out, _ = run("words", "--text", "fresh.txt", "--prepare", "auto")
    assert "- the steps were chosen on this very text: 9 bits are added for telling which of the 512 sets" in out


def test_adaptive_is_told_apart(run, rows):
    letters, words = rows("letters", "words", "--text", "fresh.txt", "--adaptive")
    assert (letters["adaptive"], words["adaptive"]) == (True, False)
    assert any(warning.startswith("adaptive figures (letters: ") for warning in words["warnings"])
    out, _ = run("letters", "--text", "fresh.txt", "--adaptive")
    assert out.splitlines()[1].split()[2] == "adaptive"


def test_a_model_that_cannot_adapt_says_so(run):
    out, err = run("words", "--text", "fresh.txt", "--adaptive", code=1)
    assert out == ""
    assert err.startswith("regard: no model here can learn from the text it scores; leave out --adaptive")
    assert err.count("\n") == 1


@pytest.mark.parametrize(("base", "unit"), [("2", "bits"), ("e", "nats"), ("10", "digits")])
def test_bases(run, base, unit):
    out, _ = run("letters", "--text", "fresh.txt", "--base", base)
    assert f"{unit}/char" in out


def test_heat_maps(run, folder):
    out, err = run("words", "--text", "fresh.txt", "--heat", "ansi", "--html", "heat.html", "--figure", "heat.png")
    assert err == ""
    assert "\x1b[48;5;" in out
    assert out.endswith("\nsaved heat.html\n\nsaved heat.png\n")
    assert "“upon” " in (folder / "heat.html").read_text(encoding="utf-8")
    assert (folder / "heat.png").read_bytes().startswith(b"\x89PNG")


def test_a_text_with_no_known_token(rows, folder):
    (row,) = rows("words", "--text", "strange.txt")
    assert row["perplexity_known"] is not None  # the end of the line is known
    assert row["warnings"][0].startswith("75 % of the tokens are unknown (3 of 4, as 'жук', 'ж')")
    (row,) = rows("letters", "--text", "strange.txt", "--prepare", "join-lines")
    assert math.isfinite(row["bits_per_character"])


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nowhere", "--text", "fresh.txt"], 1, "there is no model folder nowhere; make one with 'regard train'"),
        (["cut-short", "--text", "fresh.txt"], 1, "cut-short/model.safetensors is cut short or damaged"),
        (
            ["of-another-kind", "--text", "fresh.txt"],
            1,
            "of-another-kind is a model of kind 'averaging'; expected a language model",
        ),
        (["letters", "--text", "empty.txt"], 1, "empty.txt is empty; expected text"),
        (["letters", "--text", "broken.txt"], 1, "broken.txt is not UTF-8: byte 0xff at offset 11 (line 2, column 5)"),
        (["letters", "--text", "nothing.txt"], 1, "nothing.txt"),
        (["letters", "--text", "fresh.txt", "--prepare", "upper"], 1, "there is no preparation step 'upper'"),
        (["letters", "--text", "fresh.txt", "--figure", "heat.doc"], 1, "heat.doc: expected a figure's name to end in"),
        (["letters"], 2, "Missing option '--text'"),
        (["--text", "fresh.txt"], 2, "Missing argument 'MODEL"),
        (["letters", "--text", "fresh.txt", "--base", "3"], 2, "Invalid value for '--base'"),
    ],
)
def test_bad_input_is_one_line(run, arguments, code, message):
    out, err = run(*arguments, code=code)
    assert out == ""
    assert err.startswith("regard: ")
    assert message in err
    assert err.count("\n") == 1


def test_the_help_names_every_step(run):
    assert tuple(ALL_STEPS) == STEPS
    out, _ = run("--help")
    assert "regard perplexity models/bigram models/letters --text passage.txt" in out
