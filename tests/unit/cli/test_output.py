"""Tables, JSON and files, as commands print and write them."""

import json
import math
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from regard.cli.output import print_facts, print_json, print_table, require_outputs, show_activity, vector
from regard.errors import OutputFileError


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
    with show_activity("searching"):
        pass
    assert capsys.readouterr().err == ""


def test_outputs_that_are_read_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    np.savez("arrays.npz", keys=np.eye(2))
    Path("tinyshakespeare.txt").write_text("Speak, speak.\n")
    Path("model").mkdir()
    Path("model/config.json").write_text("{}")
    require_outputs(None, Path("new.csv"), inputs=("tinyshakespeare", None, ""))
    require_outputs(Path("other.npz"), inputs=("",))  # not given is not "the folder in which we are"
    require_outputs(Path("arrays.npz"), inputs=("other.npz", "0.2," * 1000, "-", "hub:a/b", "0.1"))
    for output, given in (
        ("arrays.npz", "arrays.npz:keys"),
        ("arrays.npz", "./arrays.npz"),
        ("tinyshakespeare.txt", "tinyshakespeare"),
        ("model/config.json", "model"),
    ):
        with pytest.raises(OutputFileError, match=r"^cannot write .*: this command reads it; choose another name$"):
            require_outputs(Path(output), inputs=(given,))


def test_the_standard_input_is_read_too(tmp_path):
    (tmp_path / "a.txt").write_text("mine")
    program = "from pathlib import Path; from regard.cli.output import require_outputs as r; r(Path('a.txt'))"
    with (tmp_path / "a.txt").open() as given:
        done = subprocess.run(
            [sys.executable, "-c", program], stdin=given, cwd=tmp_path, capture_output=True, text=True, check=False
        )
    assert "cannot write a.txt: this command reads it" in done.stderr


def test_two_results_need_two_names(tmp_path):
    (tmp_path / "link.csv").symlink_to("a.csv")
    for other in ("a.csv", "link.csv"):
        with pytest.raises(OutputFileError, match="two results would have that name"):
            require_outputs(tmp_path / "a.csv", tmp_path / other)
    require_outputs(tmp_path / "a.csv", tmp_path / "b.csv")
    require_outputs(Path("/dev/null"), Path("/dev/null"))


def test_a_model_folder_is_for_the_model(tmp_path):
    (tmp_path / "model" / "deep").mkdir(parents=True)
    for place in ("model", "model/deep"):
        with pytest.raises(OutputFileError, match=r"model is for the model alone; choose another place$"):
            require_outputs(tmp_path / place / "loss.png", model_folder=tmp_path / "model")
    require_outputs(tmp_path / "model.png", model_folder=tmp_path / "model")
