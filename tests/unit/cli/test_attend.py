"""`regard attend` from arguments to output, in this process."""

import json
import math
import resource

import numpy as np
import pytest

from regard.cli.main import main
from regard.studies.attention import summary as reading


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A place with files to read: one query, two keys with logits ln 3 and 0, their values."""
    monkeypatch.chdir(tmp_path)
    np.save("query.npy", [math.log(3), 0.0])
    np.savez("arrays.npz", keys=np.eye(2, dtype=int), values=[[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]])
    np.save("three.npy", 10 * np.eye(3))
    return tmp_path


def run(capsys, *arguments):
    assert main(["attend", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def failure(capsys, *arguments):
    assert main(["attend", *arguments]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_a_table(folder, capsys):
    # Weights ¾ and ¼: entropy ln 4 − ¾ ln 3 = 0.562335, effective count 4 / 3^¾ = 1.75477.
    out = run(capsys, "--queries", "query.npy", "--keys", "arrays.npz:keys", "--values", "arrays.npz:values")
    assert out == (
        "query   entropy  effective keys  copies  top keys: weight  output\n"
        "    0  0.562335         1.75477  no      0: 0.75, 1: 0.25  0.75 0.25 2\n"
    )


def test_json(folder, capsys):
    record = json.loads(run(capsys, "--queries", "query.npy", "--keys", "arrays.npz:keys", "--top", "1", "--json"))
    query = record["queries"].pop()
    assert record == {"n_queries": 1, "n_keys": 2, "scale": 1.0, "queries": [], "out": None, "note": None}
    assert query.pop("entropy_nats") == pytest.approx(math.log(4) - 0.75 * math.log(3), rel=1e-14)
    assert query.pop("effective_count") == pytest.approx(4 / 3**0.75, rel=1e-14)
    assert query.pop("top_weights") == pytest.approx([0.75], rel=1e-14)
    assert query == {"query": 0, "copies": None, "top_keys": [0], "output": None}


def test_scale(folder, capsys):
    out = run(capsys, "--queries", "query.npy", "--keys", "arrays.npz:keys", "--scale", "2")
    assert "0: 0.9, 1: 0.1" in out


def test_copying_is_told(folder, capsys):
    rows = run(capsys, "--queries", "three.npy", "--keys", "three.npy", "--top", "1").splitlines()[1:]
    assert [row.split()[3:] for row in rows] == [["key", str(i), f"{i}:", "1"] for i in range(3)]


def test_causal(folder, capsys):
    np.save("zero.npy", np.zeros((3, 2)))
    out = run(capsys, "--queries", "zero.npy", "--keys", "zero.npy", "--causal", "--json")
    counts = [query["effective_count"] for query in json.loads(out)["queries"]]
    assert counts == pytest.approx([1, 2, 3], rel=1e-14)


@pytest.mark.parametrize("mask", [[True, False], [[1, 0]]])
def test_allowed(folder, capsys, mask):
    np.save("mask.npy", mask)
    out = run(capsys, "--queries", "query.npy", "--keys", "arrays.npz:keys", "--allowed", "mask.npy", "--json")
    assert json.loads(out)["queries"][0]["top_weights"] == [1.0, 0.0]


def test_both_masks_hold(folder, capsys):
    np.save("zero.npy", np.zeros((2, 2)))
    np.save("mask.npy", [[True, True], [False, True]])
    out = run(capsys, "--queries", "zero.npy", "--keys", "zero.npy", "--causal", "--allowed", "mask.npy", "--json")
    assert [query["copies"] for query in json.loads(out)["queries"]] == [0, 1]


def test_out_holds_weights_and_output(folder, capsys):
    out = run(
        capsys,
        *("--queries", "query.npy", "--keys", "arrays.npz:keys", "--values", "arrays.npz:values"),
        *("--out", "read.npz"),
    )
    assert out.endswith("\n\nsaved  read.npz\n")
    with np.load("read.npz") as saved:
        np.testing.assert_allclose(saved["weights"], [[0.75, 0.25]], rtol=1e-14)
        np.testing.assert_allclose(saved["output"], [[0.75, 0.25, 2.0]], rtol=1e-14)


def test_out_without_values_holds_weights_alone(folder, capsys):
    run(capsys, "--queries", "query.npy", "--keys", "arrays.npz:keys", "--out", "read.npz")
    with np.load("read.npz") as saved:
        assert saved.files == ["weights"]


def test_keys_and_values_of_a_toml(folder, capsys):
    (folder / "keys.toml").write_text("[keys]\ncount = 2\n[noise]\nisotropic = 0.1\n[values]\nrows = [[4], [0]]")
    record = json.loads(run(capsys, "--queries", "query.npy", "--keys", "keys.toml", "--json"))
    assert record["queries"][0]["output"] == pytest.approx([3.0], rel=1e-14)
    assert record["note"] == "keys.toml describes noisy keys: these are the weights at their mean"


def test_blocks_change_nothing(folder, capsys, monkeypatch):
    arguments = ("--queries", "three.npy", "--keys", "three.npy", "--values", "three.npy", "--causal", "--json")
    whole = run(capsys, *arguments)
    monkeypatch.setattr(reading, "WEIGHTS_AT_ONCE", 3)
    assert run(capsys, *arguments) == whole


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--queries", "query.npy", "--keys", "arrays.npz:keys", "--values", "three.npy"],
            "three.npy: expected one row for each of the 2 keys; got 3",
        ),
        (
            ["--queries", "query.npy", "--keys", "arrays.npz:keys", "--causal"],
            "causal needs one key for each query; got 1 queries and 2 keys",
        ),
        (
            ["--queries", "query.npy", "--keys", "arrays.npz:keys", "--allowed", "three.npy"],
            "three.npy: a mask holds true and false, or 1 and 0, and nothing else",
        ),
        (
            ["--queries", "query.npy", "--keys", "arrays.npz:keys", "--out", "no/read.npz"],
            "cannot write no/read.npz: there is no folder no; make it first, or choose another",
        ),
        (
            ["--queries", "query.npy", "--keys", "arrays.npz:keys", "--scale", "inf"],
            "scale must be a finite number; got inf",
        ),
    ],
)
def test_what_does_not_fit(folder, capsys, arguments, message):
    assert failure(capsys, *arguments) == f"regard: {message}\n"


def test_a_mask_of_another_shape(folder, capsys):
    np.save("mask.npy", [[True], [True]])
    message = failure(capsys, "--queries", "query.npy", "--keys", "arrays.npz:keys", "--allowed", "mask.npy")
    assert message == "regard: allowed needs the shape (1, 2), query × key, or (2,); got (2, 1)\n"


def test_a_query_that_may_read_nothing(folder, capsys):
    np.save("mask.npy", [False, False])
    message = failure(capsys, "--queries", "query.npy", "--keys", "arrays.npz:keys", "--allowed", "mask.npy")
    assert message.startswith("regard: ")
    assert message.count("\n") == 1


def test_a_failure_leaves_no_file(folder, capsys):
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limit[1]))  # as full as a disk can be, for files of this size
    try:
        message = failure(capsys, "--queries", "query.npy", "--keys", "arrays.npz:keys", "--out", "read.npz")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert message == "regard: cannot write read.npz: File too large; choose a place where files may be larger\n"
    assert sorted(path.name for path in folder.iterdir()) == ["arrays.npz", "query.npy", "three.npy"]
