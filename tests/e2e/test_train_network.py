"""`regard train recurrent` and `transformer` from top to bottom: trained, killed, interrupted, resumed, shared."""

import json
import math
import os
import re
import signal
import time
from functools import partial

import numpy as np
import pytest
import tests.support.killed_run
import tests.support.small_presets
from tests.support import command_server
from tests.support.texts import VERSE

from regard.cli.main import main
from regard.errors import MissingExtraError
from regard.models.checkpoint import load_model
from regard.models.folder import read_tensors
from regard.training.network import resume as run_folder
from regard.training.network import run as network_run

SCRIPT = tests.support.small_presets.__file__
KILLED = tests.support.killed_run.__file__
FAMILIES = pytest.mark.parametrize("family", ["recurrent", "transformer"])
TINY = ("--text", "verse.txt", "--preset", "tiny")
FACTS = [
    "out",
    "preset",
    "parameters",
    "steps",
    "seconds",
    "cpu_seconds",
    "valid_tokens",
    "valid_unknown_share",
    "valid_perplexity",
    "valid_nats_per_character",
    "valid_bits_per_character",
    "warnings",
    "held_back_nats_per_character",
    "characters_per_second",
    "history",
]


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """The command, in a folder with texts: its output and its errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("REGARD_DATA", raising=False)
    (tmp_path / "verse.txt").write_text(VERSE)
    (tmp_path / "upper.txt").write_text(VERSE.upper())
    (tmp_path / "same.txt").write_text("a" * 3000)
    (tmp_path / "short.txt").write_text(VERSE[:200])
    (tmp_path / "few.txt").write_text("abcdefghi")

    def run_here(*arguments, code=0):
        assert main(["train", *arguments]) == code
        return capsys.readouterr()

    return run_here


@pytest.fixture
def result(run):
    """Run it with --json, and read what it prints."""
    return lambda *arguments: json.loads(run(*arguments, "--json").out)


def untimed_config(folder):
    """What config.json says, apart from the checksums of files that hold seconds."""
    ours = json.loads((folder / "config.json").read_text())["regard"]
    for name in ("training.json", "history.jsonl"):
        ours["files"].pop(name)
    ours.pop("sha256")
    return ours


@FAMILIES
def test_a_network_is_trained_saved_and_measured(result, tmp_path, family):
    found = result(family, *TINY, "--out", "model", "--figure", "loss.png")
    assert [name for name in found if name != "figure"] == FACTS
    assert (found["out"], found["preset"], found["steps"]) == ("model", "tiny", 40)
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")
    assert [point["step"] for point in found["history"]] == [10, 20, 30, 40]
    best = min(point["held_back_nats"] for point in found["history"])
    assert found["held_back_nats_per_character"] == best
    model, valid = load_model("model"), VERSE[int(0.9 * len(VERSE)) :]
    scored = model.score(valid)
    assert model.kind == family
    assert found["valid_tokens"] == len(valid)
    assert found["valid_nats_per_character"] == pytest.approx(-scored.log_probs_nats.mean())
    assert found["valid_nats_per_character"] < math.log(len(model.tokeniser.vocabulary)) - 0.3
    # what is held back is neither learnt from nor in the digest
    assert model.background.digest.n_characters == pytest.approx(0.9 * 0.9 * len(VERSE), abs=2)
    assert not (tmp_path / "model/training.safetensors").exists()


def test_facts_for_people(run):
    out, err = run("recurrent", *TINY, "--out", "model", "--steps", "8", "--unit", "byte", "--valid", "0")
    lines = out.splitlines()
    assert lines[0].split() == ["step", "loss,", "nats", "per", "character", "of", "held-back", "text"]
    assert [line.split()[0] for line in lines[1:5]] == ["2", "4", "6", "8"]
    assert lines[6].split() == ["out", "model"]
    assert "held back nats per character" in out
    assert "valid" not in out
    assert err == ""


def test_a_run_that_was_killed_goes_on_to_the_very_same_bits(run, result, tmp_path):
    words = ("recurrent", *TINY, "--steps", "40", "--out")
    whole = result(*words, "whole", "--threads", "1")
    environment = os.environ | {"OMP_NUM_THREADS": "1", "KILLED_AFTER": "killed/training.json"}
    words_of_run = ("train", *words, "killed", "--threads", "1")
    code, _, err = command_server.run(*words_of_run, script=KILLED, environment=environment)
    assert code == -signal.SIGKILL, err
    assert not json.loads((tmp_path / "killed/training.json").read_text())["finished"]
    assert (tmp_path / "killed/training.safetensors").exists()

    resumed = result(*words, "killed", "--resume")
    killed, unhurt = tmp_path / "killed", tmp_path / "whole"
    assert (killed / "model.safetensors").read_bytes() == (unhurt / "model.safetensors").read_bytes()
    assert untimed_config(killed) == untimed_config(unhurt)
    assert resumed["valid_perplexity"] == whole["valid_perplexity"]
    losses = [[(p["step"], p["train_nats"], p["held_back_nats"]) for p in one["history"]] for one in (resumed, whole)]
    assert losses[0] == losses[1]

    out, err = run(*words, "killed", "--resume", "--json")
    assert err == (
        "regard: killed is finished, after 40 steps; ask for more --steps or --minutes to train it further, "
        "or give --force instead of --resume to start over\n"
    )
    assert json.loads(out)["valid_perplexity"] == whole["valid_perplexity"]


@FAMILIES
def test_ctrl_c_keeps_the_best_network_and_the_run(run, tmp_path, monkeypatch, family):
    words = (family, *TINY, "--out")
    run(*words, "whole")

    def write_and_press(one, place, *, write=run_folder.write_run):
        write(one, place)
        if one.step == 20:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(run_folder, "write_run", write_and_press)
    out, err = run(*words, "parted", code=130)
    assert out == ""
    assert err.splitlines() == [
        "regard: stopped after 21 of 40 steps; the best network so far is in parted, "
        "the same command with --resume goes on",
    ]
    assert load_model("parted").score("the sea").log_probs_nats.sum() < 0
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    run(*words, "parted", "--resume")
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "parted")]
    assert weights[0] == weights[1]


def test_two_processes_learn_what_one_does(result, tmp_path):
    words = ("recurrent", *TINY, "--steps", "12", "--out")
    alone = result(*words, "alone")
    process = command_server.start_by_torchrun("train", *words, "together", "--json", script=SCRIPT, folder=tmp_path)
    together, errors = process.communicate()
    assert process.returncode == 0, errors
    found = json.loads(together)  # only the first of them prints
    assert json.loads((tmp_path / "together/training.json").read_text())["processes"] == 2
    assert found["valid_perplexity"] == pytest.approx(alone["valid_perplexity"], rel=1e-5)
    expected = read_tensors(tmp_path / "alone/model.safetensors")
    for name, array in read_tensors(tmp_path / "together/model.safetensors").items():
        np.testing.assert_allclose(array, expected[name], rtol=1e-3, atol=2e-5, err_msg=name)


def test_minutes_are_kept(result, monkeypatch):
    # the CPU time of this process, which other work on the machine does not stretch
    monkeypatch.setattr(network_run, "train", partial(network_run.train, now=time.process_time))
    found = result("transformer", *TINY, "--out", "model", "--minutes", "0.05")
    assert found["steps"] > 5
    assert 0.8 * 3 < found["history"][-1]["seconds"] < 1.2 * 3


def test_resume_where_nothing_was_begun_begins(result):
    assert result("recurrent", *TINY, "--out", "model", "--steps", "4", "--resume")["steps"] == 4


@FAMILIES
def test_small_and_dull_texts(result, family):
    assert result(family, *TINY[2:], "--text", "short.txt", "--out", "short", "--steps", "6")["steps"] == 6
    dull = result(family, *TINY[2:], "--text", "same.txt", "--out", "same")
    assert dull["valid_perplexity"] < 1.5


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            (*TINY, "--out", "m", "--steps", "3", "--minutes", "1"),
            2,
            "Invalid value: expected --steps or --minutes, not both",
        ),
        (
            ("--text", "verse.txt", "--preset", "huge", "--out", "m"),
            1,
            "there is no preset 'huge'; choose from course, best, plain, tiny",
        ),
        (
            ("--text", "few.txt", "--out", "m", "--valid", "0"),
            1,
            "a text of 9 characters is too short for a network, which keeps a tenth of it for validation; "
            "give at least 10 characters",
        ),
        (
            (*TINY, "--out", "verse.txt"),
            1,
            "verse.txt is a file; a model needs a folder: choose another --out",
        ),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(run, tmp_path, arguments, code, message):
    before = sorted(path.name for path in tmp_path.iterdir())
    out, err = run("recurrent", *arguments, code=code)
    assert out == ""
    place = " (see 'regard train recurrent --help')" if code == 2 else ""
    assert err == f"regard: {message}{place}\n"
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "cache") == before


def test_resume_refuses_another_text_and_other_settings(run):
    run("recurrent", *TINY, "--out", "model", "--steps", "4")
    begun, anew = "regard: model was begun", "give --force instead of --resume to start over\n"
    same = f"is asked for; use the same, or {anew}"
    for arguments, message in [
        (TINY, f"{begun} with steps 4, now 40 {same}"),
        (
            (*TINY, "--steps", "3"),
            "regard: model is finished, after 4 steps and 0.00 minutes; ask for more than that to train it further\n",
        ),
        ((*TINY, "--steps", "4", "--seed", "1"), f"{begun} with seed 0, now 1 {same}"),
        ((*TINY, "--steps", "4", "--unit", "byte"), f"{begun} with unit character, now byte {same}"),
        (
            ("--preset", "tiny", "--text", "upper.txt", "--steps", "4"),
            f"{begun} on another text; {anew}",
        ),
    ]:
        err = run("recurrent", *arguments, "--out", "model", "--resume", code=1).err
        assert re.sub(r"\d\.\d\d minutes", "0.00 minutes", err) == message
    _, err = run("transformer", *TINY, "--out", "model", "--steps", "4", "--resume", code=1)
    assert err == f"{begun} as a model of kind recurrent; got transformer: ask for that kind again, or {anew}"


def test_without_torch_the_extra_is_named(run, monkeypatch):
    from regard.studies.training import network as train_network

    def no_torch(name):
        raise ImportError(name)

    monkeypatch.setattr(train_network, "import_module", no_torch)
    _, err = run("recurrent", *TINY, "--out", "model", code=1)
    assert err == "regard: training a network needs torch: pip install 'regard[models]'\n"
    with pytest.raises(MissingExtraError):
        train_network.require_torch()


def test_what_a_terminal_shows():
    from regard.studies.training.network import progress_line
    from regard.training.network.run import StepReport

    event = StepReport(
        step=1200, n_steps=4000, train_nats=math.log(4), seconds=60.0, seconds_left=83.0, characters=600_000
    )
    assert progress_line(event, characters_per_id=1.0) == (
        "1,200/4,000 · 1.3863 nats · 2.000 bits/character · 10,000 characters/s · 1:23 left"
    )
