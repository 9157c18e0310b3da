"""The installed command from top to bottom: whole output, exit code and stderr, through a pipe."""

import contextlib
import errno
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from regard.cli.main import main

REGARD = (sys.executable, "-m", "regard")


@pytest.fixture
def folder(tmp_path):
    """Two keys, three queries, their values; a line of keys; the classic exercise."""
    np.save(tmp_path / "queries.npy", np.log([[3.0, 1.0], [1.0, 1.0], [1.0, 999.0]]))
    np.savez(tmp_path / "arrays.npz", keys=np.eye(2), values=[[1.0, 2.0, 3.0], [5.0, 6.0, 7.0]])
    (tmp_path / "line.json").write_text(json.dumps([[0.0], [1.0], [0.5]]))
    (tmp_path / "keys.toml").write_text(
        '[keys]\nmean = "orthonormal"\ncount = 3\n[noise]\nisotropic = 1e-4\nradial = { variance = 0.5, key = 0 }\n'
    )
    return tmp_path


def run(folder, *arguments, code=0):
    done = subprocess.run([*REGARD, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


def test_attend(folder):
    out, err = run(
        folder,
        *("attend", "--queries", "queries.npy", "--keys", "arrays.npz:keys", "--values", "arrays.npz:values"),
        *("--out", "read.npz"),
    )
    assert err == ""
    assert out == (
        "query     entropy  effective keys  copies  top keys: weight    output\n"
        "    0    0.562335         1.75477  no      0: 0.75, 1: 0.25    2 3 4\n"
        "    1    0.693147               2  no      0: 0.5, 1: 0.5      3 4 5\n"
        "    2  0.00790726         1.00794  key 1   1: 0.999, 0: 0.001  4.996 5.996 6.996\n"
        "\n"
        "saved  read.npz\n"
    )
    with np.load(folder / "read.npz") as saved:
        np.testing.assert_allclose(saved["output"][0], [2.0, 3.0, 4.0], rtol=1e-14)


def test_an_unreachable_wish_gives_its_certificate(folder):
    out, err = run(folder, "design", "copy", "--keys", "line.json", "--index", "2", "--json", code=1)
    record = json.loads(out)
    assert record["certificate"]["bound"] == pytest.approx(1 / 3, rel=1e-10)
    assert err == f"regard: {record['reason']}\n"


def test_robust(folder):
    arguments = ("design", "robust", "--keys", "keys.toml", "--target", "0,1", "--json", "--out", "queries.npy")
    out, err = run(folder, *arguments)
    record = json.loads(out)
    assert err == ""
    assert record["mean_squared_error"] < 0.003  # a single pull query cannot get below 0.074
    assert np.load(folder / "queries.npy").tolist() == record["queries"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["design", "copy", "--keys", "line.json"],
            2,
            "Missing option '--index' (see 'regard design copy --help')",
        ),
        (
            ["attend", "--queries", "no.npy", "--keys", "arrays.npz:keys"],
            1,
            "cannot read no.npy: No such file or directory",
        ),
        (
            ["attend", "--queries", "queries.npy", "--keys", "line.json"],
            1,
            "queries and keys need the same width, their last axis; got queries (3, 2), keys (3, 1)",
        ),
    ],
)
def test_errors_are_one_line(folder, arguments, code, message):
    out, err = run(folder, *arguments, code=code)
    assert out == ""
    assert err == f"regard: {message}\n"


@pytest.mark.parametrize(
    "words",
    [
        ("sample", "PLACE"),
        ("perplexity", "PLACE", "--text", "text.txt"),
        ("classify", "PLACE", "a fine film"),
        ("study", "errors", "PLACE", "--data", "reviews.csv"),
        ("train", "mixture", "PLACE", "PLACE", "--text", "text.txt", "--out", "new"),
    ],
    ids=lambda words: " ".join(word for word in words[:2] if word != "PLACE"),
)
def test_every_command_says_what_stands_in_the_place_of_a_model(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text("the sea is deep.\n" * 40)
    Path("reviews.csv").write_text("label,text\n" + "good,a fine film\nbad,a dull film\n" * 20)
    Path("empty").mkdir()
    expected = "expected a folder that 'regard train … --out FOLDER' wrote"
    for place, message in (
        ("text.txt", f"text.txt is a file, not a model folder; {expected}"),
        ("empty", f"empty is no model folder: config.json is missing; {expected}"),
    ):
        assert main([place if word == "PLACE" else word for word in words]) == 1
        assert capsys.readouterr() == ("", f"regard: {message}\n")


@pytest.mark.parametrize("words", ["bigram --hidden", "bigram --width", "glove --width"])
def test_sizes_beyond_any_memory(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text("the sea is deep.\nthe old ship sails.\n" * 40)
    assert main(["train", *words.split(), "99999999999999999999", "--text", "text.txt", "--out", "new.txt"]) == 1
    name = words.partition("--")[2]
    assert capsys.readouterr() == ("", f"regard: {name} must be from 1 to 10,000; got 99,999,999,999,999,999,999\n")
    assert not Path("new.txt").exists()


class Bomb:
    """Leaves a file behind if anything unpickles it."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_a_pickle_is_never_loaded(folder):
    (folder / "keys.npy").write_bytes(pickle.dumps(Bomb(folder / "exploded")))
    out, err = run(folder, "attend", "--queries", "queries.npy", "--keys", "keys.npy", code=1)
    assert out == ""
    assert err == (
        "regard: keys.npy: not a sound NumPy file: it is pickled or holds Python objects, which are never loaded; "
        "save plain numbers\n"
    )
    assert not (folder / "exploded").exists()


def test_debug_shows_the_traceback(folder):
    out, err = run(folder, "attend", "--queries", "no.npy", "--keys", "no.npy", "--debug", code=1)
    assert out == ""
    assert err.startswith("Traceback (most recent call last):\n")
    assert err.endswith("InputFileError: cannot read no.npy: No such file or directory\n")


def test_an_interrupt_leaves_nothing_half_written(folder):
    os.mkfifo(folder / "slow.json")  # reading it waits until someone writes
    arguments = ("attend", "--queries", "slow.json", "--keys", "slow.json", "--out", "read.npz")
    # A shell starts background jobs with interrupts ignored; the command must see them all the same.
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    command = [*REGARD, *arguments]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True, preexec_fn=heed) as process:  # noqa: PLW1509
        writer = opened_by_reader(folder / "slow.json")
        interrupt(process)
        _, err = process.communicate(timeout=120)
        os.close(writer)
    assert process.returncode == 130
    assert err == "regard: interrupted\n"
    assert not [path for path in folder.iterdir() if "read.npz" in path.name]


def interrupt(process):
    """Ctrl-C, pressed again if it fell between Python's look at its signals and the wait for data."""
    for _ in range(120):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=1)
            return
    process.kill()


def opened_by_reader(path):
    """The writing end of a pipe, as soon as there is a reader."""
    for _ in range(12_000):
        try:
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            time.sleep(0.01)
    raise TimeoutError(f"nobody reads {path}")


def test_a_reader_that_leaves_is_no_drama(folder):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*REGARD, "--help"], cwd=folder, stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert done.returncode == 1
    assert done.stderr == ""
