"""`regard heads` from top to bottom: the table, CSV, JSON, and bad input in one line each."""

import csv
import json
from pathlib import Path

import pytest
from tests.support.pretrained import SENTENCES, save_tiny, transformers_library

from regard.cli.main import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny decoder, and texts."""
    transformers_library()
    folder = tmp_path_factory.mktemp("heads")
    save_tiny("gpt2", folder / "model")
    (folder / "sentences.txt").write_text("\n".join(SENTENCES))
    (folder / "empty.txt").write_text("")
    (folder / "one.txt").write_text("cat")
    (folder / "no-model").mkdir()
    return folder


@pytest.fixture
def run(folder, monkeypatch, capsys):
    """The command in that folder: its output and its errors."""
    monkeypatch.chdir(folder)

    def call(*arguments, code=0):
        assert main(["heads", *arguments]) == code
        return capsys.readouterr()

    return call


def test_the_table(run):
    lines = run("model", "--text", "sentences.txt", "--lines").out.splitlines()
    assert lines[0] == "model (decoder, 2 layers of 2 heads) on sentences.txt"
    assert lines[2].split()[:5] == ["layer", "head", "kind", "keys", "read"]
    assert [line.split()[:2] for line in lines[3:7]] == [["0", "0"], ["0", "1"], ["1", "0"], ["1", "1"]]
    assert "- kind is the first rule that holds: induction: induction_random ≥ 0.4; " in "\n".join(lines)


def test_one_layer(run):
    lines = run("model", "--text", "sentences.txt", "--layer", "1").out.splitlines()
    assert [line.split()[:2] for line in lines[3:5]] == [["1", "0"], ["1", "1"]]
    assert lines[5] == ""
    assert (
        run("model", "--text", "sentences.txt", "--layer", "2", code=1).err == "regard: the layers are 0 to 1; got 2\n"
    )


def test_json_and_csv_have_every_figure(run, folder):
    record = json.loads(run("model", "--text", "sentences.txt", "--json", "--csv", "heads.csv").out)
    assert record["config"]["text"] == "sentences.txt"
    rows = list(csv.DictReader((folder / "heads.csv").read_text().splitlines()))
    assert [list(row) for row in rows] == [list(row) for row in record["heads"]]
    assert [float(row["entropy"]) for row in rows] == [row["entropy"] for row in record["heads"]]


def test_noise_in_table_and_json(run):
    given = ("model", "--text", "sentences.txt", "--noise", "radial:0.1", "--quantise", "int2:token", "--measure")
    lines = run(*given).out.splitlines()
    assert lines[2].split()[-2:] == ["radial:0.1", "int2:token"]
    assert "Errors under random noise, predicted and measured by draws:" in lines
    assert any(
        line.startswith("- int2:token: measured with noise in all heads at once, KL, nats a token: ") for line in lines
    )
    record = json.loads(run(*given, "--json").out)
    assert len(record["noise"]) == 8
    assert record["noise"][0].keys() >= {
        "layer",
        "head",
        "noise",
        "error",
        "layer_error",
        "damage",
        "method",
        "measured",
    }


def test_bits_under_a_budget(run, folder):
    given = ("model", "--text", "sentences.txt", "--lines", "--bits", "3", "--per-channel", "--plan", "plan.json")
    lines = run(*given).out.splitlines()
    assert "model: keys in 3 bits, bits for each channel" in lines
    assert lines[-1] == "saved plan.json"
    assert json.loads((folder / "plan.json").read_text())["mean_bits"] <= 3
    record = json.loads(run(*given, "--json").out)
    assert [row["scheme"] for row in record["bits"]] == ["plan", "equal bits", "random"]


def test_page_and_figure(run, folder):
    lines = run("model", "--text", "sentences.txt", "--html", "heads.html", "--figure", "heads.png").out.splitlines()
    assert lines[-3:] == ["saved heads.html", "", "saved heads.png"]
    assert (folder / "heads.html").read_text().startswith("<!doctype html>")
    assert (folder / "heads.png").read_bytes().startswith(b"\x89PNG")


def test_wrong_usage(run):
    said = run("model", "--text", "one.txt", "--bits", "0.5", code=2).err
    assert said.startswith("regard: Invalid value for '--bits': Input should be greater than or equal to 1")
    said = run("model", "--text", "one.txt", "--per-channel", code=2).err
    assert "--per-channel, --values and --plan go with --bits; give --bits, too" in said


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["model", "--text", "one.txt", "--noise", "radial"], "noise is written as radial:0.1 or isotropic:0.1; got"),
        (["model", "--text", "one.txt", "--quantise", "int9"], "keys are stored in 0 to 8 bits; got 9"),
        (["model", "--text", "one.txt", "--quantise", "4"], "a quantiser is written as int4, with any of :token, "),
        (["no-model", "--text", "sentences.txt"], "no-model holds no model: there is no config.json in it"),
        (["model", "--text", "empty.txt"], "empty.txt is empty; expected text"),
        (["model", "--text", "one.txt"], "the text has one token, which has nothing to read but itself; give a longer"),
        (
            ["model", "--text", "sentences.txt", "--block", "65"],
            "a block must have 4 tokens or more, and at most the 64",
        ),
        (["no/such", "--text", "one.txt"], "no/such is no folder here, and the Hugging Face hub gave no model of that"),
    ],
)
def test_bad_input_is_one_line(run, arguments, line):
    said = run(*arguments, code=1)
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith(f"regard: {line}")


def test_several_texts_make_one_table_whoever_measures(run, tmp_path):
    texts = ("--text", "sentences.txt", "--text", "other.txt", "--lines")
    Path("other.txt").write_text("\n".join(reversed(SENTENCES)))
    alone = json.loads(run("model", *texts, "--json").out)
    assert [(row["text"], row["layer"], row["head"]) for row in alone["heads"]][:2] == [
        ("sentences.txt", 0, 0),
        ("sentences.txt", 0, 1),
    ]
    assert len(alone["heads"]) == 8
    assert json.loads(run("model", *texts, "--json", "--workers", "2").out) == alone
    table = run("model", *texts, "--csv", str(tmp_path / "heads.csv")).out
    assert table.startswith("8 heads: 1 model on 2 texts\n")
    with (tmp_path / "heads.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 8
    message = "several models or texts give one table of heads; only --csv and --json go with it"
    assert message in run("model", *texts, "--layer", "0", code=2).err
