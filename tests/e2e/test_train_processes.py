"""Training by two processes: the loss of one process, and what happens when one is killed.

`torchrun` starts two networks of which one is killed, and others in test_train_network.py. Elsewhere two are started as
it starts them, from a process that has imported torch already: that takes 12 seconds of the processor less.
"""

import json
import os
import signal

import pytest
import tests.support.killed_run
import tests.support.small_presets
import torch
from tests.support import command_server
from tests.support.texts import VERSE

from regard.cli.main import main

SCRIPT = tests.support.small_presets.__file__
LOST = (
    "regard: one of the processes that train together has ended, so the others have to; start the same command again "
    "with --resume, which goes on from the last checkpoint to the same result\n"
)
NETWORK = ("recurrent", "--text", "verse.txt", "--preset", "tiny", "--steps", "40", "--threads", "1")
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


def errors_by_torchrun(*words, folder, killed_after):
    """What two processes that torchrun starts complain of; the second is killed once there is a certain file."""
    run = command_server.start_by_torchrun(
        *("train", *words, "--json"),
        script=tests.support.killed_run.__file__,
        folder=folder,
        environment=os.environ | {"KILLED_AFTER": killed_after},
    )
    _, err = run.communicate()
    assert run.returncode != 0
    return err


def errors_of_two(*words, folder, killed_after):
    """What the first of two processes complains of, started without torchrun."""
    both = Two(*words, folder=folder, script=tests.support.killed_run.__file__, KILLED_AFTER=killed_after)
    _, err = both.processes[0].communicate()
    assert both.processes[0].returncode == 1
    assert both.processes[1].wait() == -signal.SIGKILL
    return err


class Two:
    """Two processes as torchrun starts them, which has the store through which they meet."""

    def __init__(self, *words, folder, script=SCRIPT, **settings):
        self.store = torch.distributed.TCPStore("localhost", 0, is_master=True, wait_for_workers=False)
        shared = {
            "MASTER_ADDR": "localhost",
            "MASTER_PORT": str(self.store.port),
            "WORLD_SIZE": "2",
            "LOCAL_WORLD_SIZE": "2",
            "TORCHELASTIC_USE_AGENT_STORE": "True",
            "TORCHELASTIC_RESTART_COUNT": "0",
            "OMP_NUM_THREADS": "1",
        }
        self.processes = [
            command_server.start(
                *("train", *words, "--json"),
                script=script,
                folder=folder,
                environment=os.environ | shared | settings | {"RANK": rank, "LOCAL_RANK": rank},
            )
            for rank in "01"
        ]

    def finish(self):
        """What the first of them found, which alone prints."""
        (out, err), (other_out, other_err) = (process.communicate() for process in self.processes)
        assert [process.returncode for process in self.processes] == [0, 0], err + other_err
        assert other_out == ""
        return json.loads(out)


def test_two_processes_teach_a_classifier_what_one_does(folder, capsys):
    words = (*CLASSIFIER, "2", "--out")
    together = Two(*words, "together", folder=folder)
    assert main(["train", *words, "alone", "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    found = together.finish()
    assert found["test_nats"] == pytest.approx(alone["test_nats"], rel=1e-4)
    rounds = [
        json.loads((folder / n / "config.json").read_text())["regard"]["notes"]["rounds"] for n in ("together", "alone")
    ]
    for ours, theirs in zip(*rounds, strict=True):
        assert ours["train_nats"] == pytest.approx(theirs["train_nats"], rel=1e-5)
        assert ours["valid_nats"] == pytest.approx(theirs["valid_nats"], rel=1e-5)


@pytest.mark.parametrize("family", ["recurrent", "transformer"])
def test_two_processes_teach_a_network_what_one_does(folder, capsys, family):
    """With dropout, in the Transformer: they drop together what one alone would drop."""
    words = (family, "--text", "verse.txt", "--preset", "tiny", "--steps", "40", "--out")
    together = Two(*words, "together", folder=folder)
    alone = command_server.start(
        "train", *words, "alone", "--json", script=SCRIPT, folder=folder, environment=os.environ
    )
    out, err = alone.communicate()
    assert alone.returncode == 0, err
    assert together.finish()["valid_nats_per_character"] == pytest.approx(
        json.loads(out)["valid_nats_per_character"], rel=1e-4
    )


@pytest.mark.parametrize(
    ("find_errors", "words", "state"),
    [
        (errors_by_torchrun, NETWORK, "training.json"),
        (errors_of_two, (*CLASSIFIER, "6"), ".regard/run/training.json"),
    ],
    ids=["network", "classifier"],
)
def test_a_killed_process_is_told_once_and_resume_ends_in_the_same_bits(folder, find_errors, words, state):
    err = find_errors(*words, "--out", "killed", folder=folder, killed_after=f"killed/{state}")
    assert err.count(LOST) == 1
    whole, resumed = (
        Two(*words, "--out", "whole", folder=folder),
        Two(*words, "--out", "killed", "--resume", folder=folder),
    )
    resumed.finish()
    whole.finish()
    assert (folder / "killed/model.safetensors").read_bytes() == (folder / "whole/model.safetensors").read_bytes()
