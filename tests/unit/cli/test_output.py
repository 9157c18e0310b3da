"""Tables, JSON and files, as commands print and write them."""

import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from regard.cli.output import at_work, print_facts, print_json, print_table, replacing, vector


@dataclass(frozen=True)
class Record:
    weights: np.ndarray
    count: np.int64
    bound: float
    out: Path


def test_records_become_json(capsys):
    print_json({"record": Record(np.array([0.5, np.inf]), np.int64(2), math.nan, Path("a.npy")), "is": np.True_})
    record = {"weights": [0.5, None], "count": 2, "bound": None, "out": "a.npy"}
    assert json.loads(capsys.readouterr().out) == {"record": record, "is": True}


def test_a_table_in_a_pipe_is_plain(capsys):
    print_table(["key", "name", "copies", "weight"], [[3, "a", True, 0.123456789], [10, "long", False, 1e-12]])
    assert capsys.readouterr().out == (
        "key  name  copies    weight\n"
        "  3  a     yes     0.123457\n"
        " 10  long  no         1e-12\n"
    )  # fmt: skip


def test_a_line_in_a_pipe_is_never_cut(capsys):
    print_table(["numbers"], [[vector([1 / 3] * 100)]])
    assert capsys.readouterr().out.splitlines()[1] == " ".join(["0.333333"] * 100)


def test_a_table_on_a_terminal_shows_the_same_numbers(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")  # no colour
    print_table(["key", "place"], [[3, "[bold]"], [4, "b"]])
    heading, rule, *rows = [line.strip() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert heading.split() == ["key", "place"]
    assert set(rule) == {"─"}
    assert [row.split() for row in rows] == [["3", "[bold]"], ["4", "b"]]


def test_facts(capsys):
    print_facts({"norm": 2.0, "family": "push"})
    assert capsys.readouterr().out == "norm    2\nfamily  push\n"


def test_long_vectors_say_how_long_they_are():
    assert vector([1.0, 2.0, 3.0], most=2) == "1 2 … (3 numbers)"
    assert vector([1.0, 2.0], most=2) == "1 2"


def test_a_sign_of_life_on_a_terminal_alone(capsys):
    with at_work("searching"):
        pass
    assert capsys.readouterr().err == ""


def test_a_file_appears_when_it_is_whole(tmp_path):
    with replacing(tmp_path / "a.npy") as file:
        file.write(b"whole")
        assert not (tmp_path / "a.npy").exists()
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.npy", b"whole")]


def half_written(path):
    with replacing(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt


def test_an_interrupt_leaves_the_old_file(tmp_path):
    (tmp_path / "a.npy").write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        half_written(tmp_path / "a.npy")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.npy", b"old")]


def test_an_unwritable_name_is_told_as_it_was_given(tmp_path):
    (tmp_path / "a.npy").mkdir()
    with pytest.raises(OSError, match="cannot be written: Is a directory") as caught, replacing(tmp_path / "a.npy"):
        pass
    assert caught.value.filename == str(tmp_path / "a.npy")
    assert [path.name for path in tmp_path.iterdir()] == ["a.npy"]
