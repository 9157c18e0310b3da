"""Training by two processes that `torchrun` started: the loss of one process, and what happens when one is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import tests.support.small_presets
from tests.support.texts import VERSE

from regard.cli.main import main

HOME = Path(__file__).parents[2]
SCRIPT = tests.support.small_presets.__file__
LOST = (
    "regard: one of the processes that train together has ended, so the others have to; start the same command again "
    "with --resume, which goes on from the last checkpoint to the same result\n"
)
NETWORK = ("recurrent", "--text", "verse.txt", "--preset", "tiny", "--steps", "300", "--threads", "1")
CLASSIFIER = ("averaging", "--data", "data.csv", "--test", "0.2", "--form", "classic", "--vectors", "none", "--epochs")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A text, and labelled texts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "verse.txt").write_text(VERSE)
    words = VERSE.replace(",", "").replace('"', "").split()
    rows = [
        f"{'good' if i % 2 else 'bad'},{' '.join(words[i % 80 : i % 80 + 6])} {'fine' if i % 2 else 'dull'}"
        for i in range(301)
    ]
    (tmp_path / "data.csv").write_text("label,text\n" + "\n".join(rows) + "\n")
    return tmp_path


def start_two(*words, folder):
    """Two processes, each with one thread, as torchrun starts them."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": f"{HOME}{os.pathsep}{HOME / 'src'}"}
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    return subprocess.Popen(
        [*command, SCRIPT, "train", *words, "--json"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    return json.loads(out)


def second_process(agent):
    """The number of the process of rank 1."""
    for child in Path(f"/proc/{agent}/task/{agent}/children").read_text().split():
        if b"\0RANK=1\0" in b"\0" + Path(f"/proc/{child}/environ").read_bytes():
            return int(child)
    raise AssertionError("there is no second process")


def test_two_processes_teach_a_classifier_what_one_does(folder, capsys):
    words = (*CLASSIFIER, "2", "--out")
    together = start_two(*words, "together", folder=folder)
    assert main(["train", *words, "alone", "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    found = finish(together)
    assert found["test_nats"] == pytest.approx(alone["test_nats"], rel=1e-4)
    rounds = [
        json.loads((folder / n / "config.json").read_text())["regard"]["notes"]["rounds"] for n in ("together", "alone")
    ]
    for ours, theirs in zip(*rounds, strict=True):
        assert ours["train_nats"] == pytest.approx(theirs["train_nats"], rel=1e-5)
        assert ours["valid_nats"] == pytest.approx(theirs["valid_nats"], rel=1e-5)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the process to kill in /proc: needs Linux")
@pytest.mark.parametrize(
    ("words", "state"),
    [(NETWORK, "training.json"), ((*CLASSIFIER, "30"), ".regard/run/training.json")],
    ids=["network", "classifier"],
)
def test_a_killed_process_is_told_once_and_resume_ends_in_the_same_bits(folder, words, state):
    process = start_two(*words, "--out", "killed", folder=folder)
    while not (folder / "killed" / state).exists() and process.poll() is None:
        time.sleep(0.005)
    os.kill(second_process(process.pid), signal.SIGKILL)
    _, err = process.communicate(timeout=120)
    assert process.returncode != 0
    assert err.count(LOST) == 1
    whole = start_two(*words, "--out", "whole", folder=folder)
    finish(start_two(*words, "--out", "killed", "--resume", folder=folder))
    finish(whole)
    assert (folder / "killed/model.safetensors").read_bytes() == (folder / "whole/model.safetensors").read_bytes()
