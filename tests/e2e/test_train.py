"""`regard train` from top to bottom: each model is trained, saved, measured; runs resume; bad input is one line."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.support.texts import VERSE

from regard.cli.main import main
from regard.models.checkpoint import load_model
from regard.models.folder import read_tensors

REGARD = (sys.executable, "-m", "regard")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """The command, in a folder with a text: its output and its errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("REGARD_DATA", raising=False)
    (tmp_path / "verse.txt").write_text(VERSE)
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "broken.txt").write_bytes(b"the sea\nthe \xff ship\n")
    (tmp_path / "short.txt").write_text("a")

    def run_here(*arguments, code=0):
        assert main(["train", *arguments]) == code
        return capsys.readouterr()

    return run_here


@pytest.fixture
def result(run):
    """Run it with --json, and read what it prints."""
    return lambda *arguments: json.loads(run(*arguments, "--json").out)


@pytest.mark.parametrize("unit", ["char", "byte", "word", "course"])
@pytest.mark.parametrize("method", ["mixing", "kneser-ney"])
def test_ngram(result, unit, method):
    found = result("ngram", "--text", "verse.txt", "--out", "model", "--unit", unit, "--method", method)
    assert found["out"] == "model"
    assert {"seconds", "cpu_seconds", "valid_perplexity", "valid_nats_per_character"} <= found.keys()
    model = load_model("model")
    assert (model.method, found["order"]) == (method, model.order)
    valid = (
        VERSE[int(0.9 * len(VERSE)) :]
        if unit in ("char", "byte")
        else VERSE[VERSE.find("\n", int(0.9 * len(VERSE))) + 1 :]
    )
    scored = model.score(valid)
    assert found["valid_tokens"] == len(scored)
    assert found["valid_perplexity"] == pytest.approx(np.exp(-scored.log_probs_nats.mean()), rel=1e-12)
    assert model.background.digest.n_characters == len(VERSE) - len(valid)


def test_ngram_prints_facts_and_takes_another_text_to_measure_on(run):
    out, err = run("ngram", "--text", "verse.txt", "--out", "model", "--valid", "verse.txt", "--order", "3")
    names = [line.split("  ")[0] for line in out.splitlines()]
    assert names[:5] == ["out", "vocabulary", "order", "seconds", "cpu seconds"]
    assert "valid perplexity" in names
    assert "be wary: at least" in out  # it was trained on that very text
    assert err == ""


def test_ngram_with_nothing_to_measure_on(result):
    found = result("ngram", "--text", "verse.txt", "--out", "model", "--valid", "0")
    assert "valid_perplexity" not in found
    assert load_model("model").background.digest.n_characters == len(VERSE)


def test_bigram_by_counts_with_its_loss_curve(result, tmp_path):
    small = ("--hidden", "8", "--iterations", "15")
    found = result("bigram", "--text", "verse.txt", "--out", "model", *small, "--figure", "loss.png")
    assert found["iterations"] == 15
    assert found["valid_perplexity"] < 20
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")
    more = ("--beside-counts", "--stop-early", "--force")
    beside = result("bigram", "--text", "verse.txt", "--out", "model", *small, *more)
    assert beside["valid_perplexity"] < 20
    assert load_model("model").beside is not None


def test_what_the_bigram_trainer_chose_is_said(run, result):
    Path("few.txt").write_text("a b c d\n" * 11, encoding="utf-8")
    out, _ = run("bigram", "--text", "few.txt", "--out", "model")
    line = (
        "be wary: the training text is too short to choose how long to train: a tenth of its lines has 5 tokens, and "
    )
    assert line + "30 are needed; the number of iterations is that for a long text\n" in out
    found = result("bigram", "--text", "few.txt", "--out", "model", "--valid", "0", "--force")
    assert "too short to choose" in found["warnings"][0]


@pytest.mark.parametrize("family", [("ngram",), ("bigram", "--trainer", "sgd", "--iterations", "2000")])
def test_a_model_that_is_worse_than_guessing_says_so(run, result, family):
    Path("turn.txt").write_text("a b b a\n" * 90 + "b b b b b c c c\n" * 5, encoding="utf-8")
    arguments = (*family, "--text", "turn.txt", "--out", "model")
    found = result(*arguments)
    size = len(load_model("model").tokeniser.vocabulary)
    assert found["valid_perplexity"] > size
    assert found["warnings"][0].startswith(f"worse than guessing at random ({size} ")
    assert "be wary: worse than guessing at random" in run(*arguments, "--force").out


def test_glove_vectors_go_into_a_bigram_model(run, result, tmp_path):
    out, _ = run("glove", "--text", "verse.txt", "--out", "v.txt", "--width", "6", "--sweeps", "3", "--near", "ship")
    assert "nearest to ship  cosine" in out
    assert len((tmp_path / "v.txt").read_text().splitlines()) > 20
    for extra, width in (((), 8), (("--fix-vectors", "--force"), 6)):
        found = result(
            *("bigram", "--text", "verse.txt", "--out", "model", "--vectors", "v.txt", "--hidden", "8"),
            *("--iterations", "10", *extra),
        )
        assert found["words_with_vectors"] > 20
        assert load_model("model").network.vectors.shape[1] == width


SGD = ("bigram", "--text", "verse.txt", "--out", "model", "--trainer", "sgd", "--iterations", "12000")


def test_a_run_that_was_killed_goes_on_to_the_very_same_bits(run, result, tmp_path):
    whole = result(*SGD, "--hidden", "8", "--width", "6")
    expected, losses = (
        read_tensors(tmp_path / "model/model.safetensors"),
        read_tensors(tmp_path / "model/training.safetensors"),
    )
    (tmp_path / "model").rename(tmp_path / "whole")

    process = subprocess.Popen([*REGARD, "train", *SGD, "--hidden", "8", "--width", "6"], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not (tmp_path / "model" / "training.json").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert json.loads((tmp_path / "model/training.json").read_text())["iteration"] < 12000

    resumed = result(*SGD, "--hidden", "8", "--width", "6", "--resume")
    assert resumed["valid_perplexity"] == whole["valid_perplexity"]
    for name, array in read_tensors(tmp_path / "model/model.safetensors").items():
        np.testing.assert_array_equal(array, expected[name])
    np.testing.assert_array_equal(read_tensors(tmp_path / "model/training.safetensors")["losses"], losses["losses"])
    history = json.loads((tmp_path / "model/training.json").read_text())["history"]
    assert [step["iteration"] for step in history] == list(range(250, 12001, 250))
    assert [s["iteration"] for s in history if s["valid_perplexity"] is not None] == [5000, 10000, 12000]
    assert history[-1]["train_nats"] == pytest.approx(losses["losses"][-250:].mean(), rel=1e-6)

    assert [step["iteration"] for step in whole["history"]] == [5000, 10000, 12000]
    assert resumed["history"] == whole["history"]

    again = result(*SGD, "--hidden", "8", "--width", "6", "--resume")  # there is nothing left to do
    assert again["valid_perplexity"] == whole["valid_perplexity"]

    _, err = run(*SGD, "--hidden", "9", "--width", "6", "--resume", code=1)
    assert err == (
        "regard: model was begun with hidden 8, now 9 is asked for; use the same, or give --force instead of --resume "
        "to start over\n"
    )
    longer = result(*SGD[:-1], "12500", "--hidden", "8", "--width", "6", "--resume")
    assert longer["iterations"] == 12500
    (tmp_path / "verse.txt").write_text(VERSE * 2)
    _, err = run(*SGD, "--hidden", "8", "--width", "6", "--resume", code=1)
    assert err == "regard: model was begun on another text; give --force instead of --resume to start over\n"


def test_small_steps_print_what_each_checkpoint_reached(run):
    out, _ = run(*SGD[:-1], "6000", "--hidden", "4")
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == ["iteration", "loss", "perplexity", "of", "validation", "text"]
    assert [line[0] for line in lines[1:3]] == ["5000", "6000"]
    assert lines[4][0] == "out"


def test_gradients_are_checked(run):
    out, _ = run("bigram", "--check-gradients")
    lines = [line.split() for line in out.splitlines()]
    assert [line[0] for line in lines[1:]] == ["logits", "x", "w1", "b1", "w2", "b2"]
    assert all(line[-1] == "yes" for line in lines[1:])
    rows = json.loads(run("bigram", "--check-gradients", "--activation", "tanh", "--json").out)
    assert rows["holds"] is True
    assert max(row["complex_step"] for row in rows["rows"]) < 1e-13


def test_a_wrong_derivative_is_found(run, monkeypatch):
    from regard.training.bigram import gradient_check

    monkeypatch.setattr(gradient_check, "logit_gradient", lambda log_probs, y: np.exp(log_probs) - 1.001 * y)
    out, _ = run("bigram", "--check-gradients", code=1)
    assert [line.split()[0] for line in out.splitlines() if line.endswith("no")] == ["logits"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("ngram", "--text", "empty.txt", "--out", "m"), 1, "empty.txt is empty; expected text"),
        (
            ("ngram", "--text", "broken.txt", "--out", "m"),
            1,
            "broken.txt is not UTF-8: byte 0xff at offset 12 (line 2, column 5): invalid start byte; save it as UTF-8",
        ),
        (
            ("ngram", "--text", "short.txt", "--out", "m"),
            1,
            "a text of 1 characters cannot be cut to keep 0.1 of it for validation; "
            "give a longer text, or 0 for no validation",
        ),
        (
            ("ngram", "--text", "verse.txt", "--out", "m", "--valid", "1.5"),
            1,
            "valid must be a fraction from 0 to below 1, or a text; got 1.5",
        ),
        (
            ("ngram", "--text", "verse.txt", "--out", "m", "--vocabulary", "9"),
            1,
            "a vocabulary size is for words; unit 'char' takes every character, got 9",
        ),
        (
            ("ngram", "--text", "verse.txt", "--out", "verse.txt"),
            1,
            "verse.txt is a file; a model needs a folder: choose another --out",
        ),
        (
            ("ngram", "--text", "nowhere", "--out", "m"),
            1,
            "there is no file 'nowhere' and no corpus of that name; `regard data list` shows the names",
        ),
        (
            ("bigram", "--text", "verse.txt"),
            2,
            "Invalid value: expected --text and --out, or --check-gradients alone",
        ),
        (
            ("bigram", "--text", "verse.txt", "--out", "m", "--resume"),
            2,
            "Invalid value: --resume goes with --trainer sgd; counts are trained in one go",
        ),
        (
            ("bigram", "--text", "verse.txt", "--out", "m", "--trainer", "sgd", "--stop-early"),
            2,
            "Invalid value: --beside-counts and --stop-early go with --trainer counts",
        ),
        (
            ("bigram", "--text", "verse.txt", "--out", "m", "--fix-vectors"),
            2,
            "Invalid value: --fix-vectors does nothing by itself: give the vectors with --vectors NAME|FILE",
        ),
        (
            ("bigram", "--text", "verse.txt", "--out", "m", "--vectors", "verse.txt"),
            1,
            None,
        ),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(run, tmp_path, arguments, code, message):
    before = sorted(path.name for path in tmp_path.iterdir())
    out, err = run(*arguments, code=code)
    assert out == ""
    assert err.count("\n") == 1
    if message is not None:
        place = " (see 'regard train bigram --help')" if code == 2 else ""
        assert err == f"regard: {message}{place}\n"
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "cache") == before
