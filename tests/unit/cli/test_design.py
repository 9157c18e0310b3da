"""`regard design` from arguments to output, in this process."""

import json
import math
from typing import get_args

import numpy as np
import pytest

import regard.cli.design
import regard.design
from regard.cli.main import main
from regard.design.robust_queries import RobustDesign
from regard.noise import output_law

CLASSIC = "[keys]\ncount = 4\n[noise]\nisotropic = 1e-4\nradial = { variance = 0.5, key = 0 }\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("eye.npy", np.eye(10))
    np.save("line.npy", [[0.0], [1.0], [0.5]])
    np.save("short.npy", np.eye(2))
    (tmp_path / "classic.toml").write_text(CLASSIC)
    return tmp_path


def run(capsys, *arguments, code=0):
    assert main(["design", *arguments]) == code
    return capsys.readouterr()


def test_the_families_are_those_of_the_library():
    assert get_args(regard.cli.design.Family) == get_args(regard.design.Family)


def test_copy(folder, capsys):
    # q = C k_3 with C = ln(9 · 99) = 6.792344.
    captured = run(capsys, "copy", "--keys", "eye.npy", "--index", "3", "--family", "pull")
    assert captured.err == ""
    assert captured.out == (
        "query   0 0 0 6.79234 0 0 0 0 … (10 numbers)\n"
        "norm    6.79234\n"
        "scale   6.79234\n"
        "error   0.01\n"
        "family  pull\n"
        "note    all other logits lie 6.792 lower\n"
        "\n"
        "key  wanted  weight\n"
        "  3       1    0.99\n"
    )


def test_average(folder, capsys):
    # C = ln(8 · 999 / 2) = 8.293049.
    arguments = ("average", "--keys", "eye.npy", "--subset", "4,0", "--error", "0.001", "--family", "pull", "--json")
    record = json.loads(run(capsys, *arguments).out)
    assert record["reachable"] is True
    assert record["scale"] == pytest.approx(math.log(8 * 999 / 2), rel=1e-12)
    assert record["error"] == pytest.approx(0.001, rel=1e-10)
    assert np.flatnonzero(record["wanted"]).tolist() == [0, 4]
    assert record["weights"][4] == pytest.approx(0.999 / 2, rel=1e-10)
    assert (record["family"], record["noise"], record["out"]) == ("pull", None, None)


@pytest.mark.parametrize("source", ["0.2,0.8", "weights.npy"])
def test_mix(folder, capsys, source):
    np.save("weights.npy", [0.2, 0.8])
    arguments = ("mix", "--keys", "short.npy", "--weights", source, "--json", "--out", "query.npy")
    record = json.loads(run(capsys, *arguments).out)
    assert record["weights"] == pytest.approx([0.2, 0.8], rel=1e-12)
    assert record["out"] == "query.npy"
    query = np.load("query.npy")
    assert query.tolist() == record["query"]
    assert query[1] - query[0] == pytest.approx(math.log(4), rel=1e-12)


def test_out_is_told(folder, capsys):
    out = run(capsys, "copy", "--keys", "eye.npy", "--index", "0", "--out", "query.npy").out
    assert "\nsaved   query.npy\n" in out
    assert np.load("query.npy").shape == (10,)


def test_noise_in_the_keys_is_taken_into_account(folder, capsys):
    (folder / "magnitude.toml").write_text("[keys]\ncount = 2\n[noise]\nradial = { variance = 0.5, key = 0 }")
    arguments = ("average", "--keys", "magnitude.toml", "--subset", "0,1", "--json")
    noise = json.loads(run(capsys, *arguments).out)["noise"]
    assert noise["weight_mean"] == pytest.approx([0.5, 0.5], abs=1e-12)  # both keys wanted: the query is zero
    assert noise["weight_sd"] == pytest.approx([0.0, 0.0], abs=1e-7)
    assert noise["wanted_mean"] == pytest.approx(1.0, rel=1e-12)


def test_push_is_immune_to_noise_in_length_and_pull_is_not(folder, capsys):
    (folder / "magnitude.toml").write_text("[keys]\ncount = 4\n[noise]\nradial = { variance = 0.5, key = 0 }")
    sd = {}
    for family in ("pull", "push"):
        arguments = ("average", "--keys", "magnitude.toml", "--subset", "0,1", "--family", family, "--json")
        sd[family] = json.loads(run(capsys, *arguments).out)["noise"]["weight_sd"][0]
    assert sd["pull"] > 0.3
    assert sd["push"] < 1e-7


def test_noise_in_the_table(folder, capsys):
    out = run(capsys, "copy", "--keys", "classic.toml", "--index", "1").out
    assert "\nnoise   leaves 0.98" in out
    heading = out.splitlines()[-2]
    assert heading.split() == ["key", "wanted", "weight", "mean", "under", "noise", "sd"]


UNREACHABLE = "key 2 lies in the hull of keys 0 and 1: no query gives it more weight than 0.3333"


def test_out_of_reach_is_one_line(folder, capsys):
    captured = run(capsys, "copy", "--keys", "line.npy", "--index", "2", "--out", "query.npy", code=1)
    assert captured.out == ""
    assert captured.err.startswith(f"regard: {UNREACHABLE}")
    assert captured.err.count("\n") == 1
    assert not (folder / "query.npy").exists()


def test_out_of_reach_in_json(folder, capsys):
    captured = run(capsys, "copy", "--keys", "line.npy", "--index", "2", "--json", code=1)
    record = json.loads(captured.out)
    assert captured.err == f"regard: {record['reason']}\n"
    assert record["reachable"] is False
    assert record["certificate_kind"] == "HullBound"
    assert record["certificate"]["bound"] == pytest.approx(1 / 3, rel=1e-10)
    assert record["certificate"]["combination"] == pytest.approx([0.5, 0.5, 0.0], abs=1e-10)


def test_an_infinite_violation_is_null_in_json(folder, capsys):
    arguments = ("mix", "--keys", "line.npy", "--weights", "0.5,0.5,0", "--json")
    record = json.loads(run(capsys, *arguments, code=1).out)
    assert record["certificate_kind"] == "Tie"
    assert record["certificate"]["violation"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["copy", "--keys", "eye.npy", "--index", "10"], "there is no key 10"),
        (
            ["copy", "--keys", "eye.npy", "--index", "0", "--error", "0"],
            "error must lie strictly between 0 and 1; got 0.0",
        ),
        (
            ["average", "--keys", "eye.npy", "--subset", "0,0"],
            "key 0 is named 2 times; for unequal weights use mix",
        ),
        (
            ["mix", "--keys", "short.npy", "--weights", "0.5,0.4"],
            "weights must sum to 1; got 0.9; divide them by their sum",
        ),
        (
            ["mix", "--keys", "short.npy", "--weights", "no.npy"],
            "cannot read no.npy: No such file or directory",
        ),
        (["robust", "--keys", "classic.toml", "--target", "0,9"], "there is no key 9"),
        (
            ["robust", "--keys", "classic.toml", "--target-weights", "1"],
            "expected one weight for each of the 4 keys; got shape (1,)",
        ),
        (
            ["robust", "--keys", "classic.toml", "--target", "0", "--values", "short.npy"],
            "short.npy: expected one row for each of the 4 keys; got 2",
        ),
        (
            ["robust", "--keys", "classic.toml", "--target", "0", "--bound", "-1"],
            "the bound on a query's length must be from 1e-100 to 1e+09; got -1.0",
        ),
    ],
)
def test_what_does_not_fit(folder, capsys, arguments, message):
    captured = run(capsys, *arguments, code=1)
    assert captured.out == ""
    assert captured.err.startswith(f"regard: {message}")
    assert captured.err.count("\n") == 1


@pytest.fixture
def asked(monkeypatch):
    """What the search was asked for; in place of searching it takes two heads as they are."""
    calls = []

    def without_search(keys, values, target, *, heads, bound):
        calls.append((values, target, heads, bound))
        queries = np.array([[3.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0]])
        return RobustDesign(queries, output_law(keys, values, queries), 0.125, ())

    monkeypatch.setattr("regard.design.robust_queries.robust", without_search)
    return calls


def test_robust_with_values_of_the_toml_or_others(folder, capsys, asked):
    (folder / "valued.toml").write_text(f"{CLASSIC}[values]\nrows = [[1], [2], [3], [4]]")
    np.save("values.npy", 2 * np.eye(4))
    arguments = ("robust", "--keys", "valued.toml", "--target", "0,1", "--heads", "2", "--bound", "9")
    run(capsys, *arguments)
    run(capsys, *arguments, "--values", "values.npy")
    run(capsys, "robust", "--keys", "classic.toml", "--target-weights", "0,0,0.25,0.75")
    assert [target.tolist() for _, target, _, _ in asked] == [[1.5], [1, 1, 0, 0], [0, 0, 0.25, 0.75]]
    assert [values.shape for values, _, _, _ in asked] == [(4, 1), (4, 4), (4, 4)]
    assert [settings for _, _, *settings in asked] == [[2, 9.0], [2, 9.0], [1, 60.0]]


def test_robust_heads_in_a_table(folder, capsys, asked):
    arguments = ("robust", "--keys", "classic.toml", "--target-weights", "0.5,0.5,0,0", "--heads", "2")
    facts, table = run(capsys, *arguments).out.split("\n\n")
    assert [line.split("  ")[0] for line in facts.splitlines()] == [
        *("mean squared error", "of which variance", "method", "method's error", "query 0", "query 1"),
    ]
    assert facts.splitlines()[0] == "mean squared error  0.125"
    assert facts.splitlines()[-2:] == ["query 0             3 0 0 0", "query 1             0 4 0 0"]
    heading, *rows = [line.split() for line in table.splitlines()]
    assert heading == ["head", "norm", "key", "target", "mean", "weight", "sd"]
    assert [row[:4] for row in rows] == [
        ["0", "3", "0", "0.5"],
        ["0", "3", "1", "0.5"],
        ["1", "4", "0", "0.5"],
        ["1", "4", "1", "0.5"],
    ]
    assert float(rows[3][4]) == pytest.approx(math.exp(4) / (math.exp(4) + 3), rel=1e-3)  # nearly no noise there


def test_robust_in_json(folder, capsys, asked):
    arguments = ("robust", "--keys", "classic.toml", "--target", "0,1", "--json", "--out", "queries.npy")
    record = json.loads(run(capsys, *arguments).out)
    assert np.load("queries.npy").tolist() == record["queries"] == [[3, 0, 0, 0], [0, 4, 0, 0]]
    assert record["target_weights"] == [0.5, 0.5, 0.0, 0.0]
    assert [head["norm"] for head in record["heads"]] == [3.0, 4.0]
    assert sum(record["heads"][0]["weight_mean"]) == pytest.approx(1, rel=1e-10)
    assert (record["mean_squared_error"], record["starts"], record["out"]) == (0.125, [], "queries.npy")
