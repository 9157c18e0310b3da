"""A dash instead of a text: every command that reads text reads standard input."""

import io
import json
import os
import pty
import subprocess
import sys

import pytest
from tests.support.texts import VERSE

from regard.cli.main import main

NOTHING = "regard: nothing came on standard input; pipe a text into the command, or name a file instead of -\n"
TWICE = "regard: standard input can be read only once; give - for one text, and files for the others\n"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """The command with something on standard input: its output and its errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REGARD_DATA", raising=False)
    (tmp_path / "verse.txt").write_text(VERSE)

    def run_here(*arguments, given, code=0):
        monkeypatch.setattr("sys.stdin", None if given is None else io.TextIOWrapper(io.BytesIO(given)))
        assert main(list(arguments)) == code
        return capsys.readouterr()

    return run_here


@pytest.mark.parametrize(
    "command",
    [
        ("train", "ngram", "--out", "model"),
        ("train", "bigram", "--out", "model", "--vocabulary", "20", "--hidden", "3", "--iterations", "3"),
        ("train", "glove", "--out", "vectors.txt", "--width", "3"),
        ("study", "models", "--models", "bigram-char"),
    ],
)
def test_what_comes_through_a_pipe_is_learnt_like_a_file(run, command):
    def figures(text, given):
        words = [f"model-of-{given is None}" if word == "model" else word for word in command]
        found = json.loads(run(*words, "--text", text, "--json", given=given).out)
        found |= found.get("rows", [{}])[0]
        return {name: fact for name, fact in found.items() if "perplexity" in name or "loss" in name}

    piped = figures("-", VERSE.encode())
    assert piped
    assert piped == figures("verse.txt", None)


def test_models_are_measured_on_what_comes_through_a_pipe(run):
    run("train", "ngram", "--text", "verse.txt", "--out", "model", given=None)
    (piped,) = json.loads(run("perplexity", "model", "--text", "-", "--json", given=VERSE.encode()).out)
    (read,) = json.loads(run("perplexity", "model", "--text", "verse.txt", "--json", given=None).out)
    assert piped["text"] == "standard input"
    assert piped["perplexity"] == read["perplexity"]


def test_claims_and_corpora_come_through_a_pipe(run):
    out, _ = run("check", "--file", "-", given=b"# First\n$\\sum_i \\alpha_i = 1$\n")
    assert "First" in out
    assert "standard input" in run("data", "show", "-", given=VERSE.encode()).out


@pytest.mark.parametrize("given", [b"", None])
@pytest.mark.parametrize(
    "command",
    [
        ("train", "ngram", "--out", "model", "--text", "-"),
        ("train", "recurrent", "--out", "model", "--text", "-"),
        ("train", "glove", "--out", "model.txt", "--text", "-"),
        ("data", "show", "-"),
        ("check", "--file", "-"),
    ],
)
def test_nothing_on_standard_input_is_told(run, command, given):
    assert run(*command, given=given, code=1) == ("", NOTHING)


def test_standard_input_is_read_once(run, tmp_path):
    command = ("train", "ngram", "--out", "model", "--text", "-", "--valid", "-")
    assert run(*command, given=VERSE.encode(), code=1) == ("", TWICE)
    assert not (tmp_path / "model").exists()


def test_what_is_no_utf8_is_told(run):
    _, err = run("data", "show", "-", given=b"caf\xe9", code=1)
    assert err.startswith("regard: standard input is not UTF-8: byte 0xe9 at offset 3")


def test_who_types_is_told_how_to_end():
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "regard", "data", "show", "-"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.write(ours, b"to be or not to be\n\x04")
    out, err = process.communicate()
    os.close(ours)
    os.close(theirs)
    assert err == "regard: reading standard input: type or paste a text, then end it with Ctrl-D\n"
    assert "to be or not to be" in out
