"""A run as files: what is kept, how it goes on, what it refuses."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.support.folders import reseal, unlist
from tests.support.networks import tiny_task
from tests.support.texts import VERSE

from regard.errors import CheckpointError
from regard.models.folder import read_tensors
from regard.models.folder_writer import writing
from regard.training.network.resume import read_run, write_run
from regard.training.network.run import Checkpoint, Interrupted, Run, train

STATE = {"training.json", "training.safetensors", "history.jsonl"}
SETTINGS = {"steps": 30, "average": 0.8, "config": {"dropout": 0.2, "is_sparse": True}}


def trained(run, folder, *, until=None, resume=False):
    """The folder after a run, or after the event at step `until`."""
    with writing(folder, kind="tiny", resume=resume) as place:
        for event in train(run, stop=lambda: run.step == until):
            if isinstance(event, Checkpoint | Interrupted):
                write_run(run, place)
    return folder


def names(folder):
    return {path.name for path in folder.iterdir()}


def test_a_finished_run_keeps_model_history_and_settings(tmp_path):
    run = Run.begin(tiny_task(**SETTINGS))
    folder = trained(run, tmp_path / "run")
    assert names(folder) & STATE == {"training.json", "history.jsonl"}
    settings = json.loads((folder / "training.json").read_text())
    assert (settings["step"], settings["finished"], settings["kind"]) == (30, True, "tiny")
    assert settings["config"]["dropout"] == 0.2
    assert settings["schedule"]["average"] == 0.8
    assert settings["plan"] == {"legs": [{"start": 0, "progress": 0.0, "end": 30}], "checkpoints": 3}
    assert settings["text_sha256"] == run.task.background.digest.sha256
    assert settings["versions"]["torch"] == torch.__version__
    assert settings["threads"] == torch.get_num_threads()
    lines = [json.loads(line) for line in (folder / "history.jsonl").read_text().splitlines()]
    assert [Checkpoint.from_json(line) for line in lines] == run.history
    assert [line["step"] for line in lines] == [10, 20, 30]
    with run.learner.mean_weights() as network:
        saved = read_tensors(folder / "model.safetensors")
        np.testing.assert_array_equal(saved["output.weight"], network.output.weight.detach())


@pytest.mark.parametrize("until", [1, 10, 17])
def test_a_run_that_goes_on_ends_in_the_same_bits(tmp_path, until):
    whole = trained(Run.begin(tiny_task(**SETTINGS)), tmp_path / "whole")
    parted = trained(Run.begin(tiny_task(**SETTINGS)), tmp_path / "parted", until=until)
    assert names(parted) >= STATE
    run = read_run(parted, tiny_task(**SETTINGS))
    assert run.step == until
    trained(run, parted, resume=True)
    assert (parted / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()
    if until > 1:  # the network that was kept at the first step is a checkpoint of its own
        losses = [[(p.step, p.train_nats, p.validation_nats) for p in one.history] for one in (run, read_whole(whole))]
        assert losses[0] == losses[1]


def test_a_run_of_an_earlier_version_goes_on_to_the_same_bits(tmp_path):
    whole = trained(Run.begin(tiny_task(**SETTINGS)), tmp_path / "whole")
    parted = trained(Run.begin(tiny_task(**SETTINGS)), tmp_path / "parted", until=17)
    unlist(parted)
    settings = json.loads((parted / "training.json").read_text())
    settings.pop("restarts")
    (parted / "training.json").write_text(json.dumps(settings))
    trained(read_run(parted, tiny_task(**SETTINGS)), parted, resume=True)
    assert (parted / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()


def read_whole(folder):
    return read_run(folder, tiny_task(**SETTINGS))


def test_the_best_network_stays_while_the_run_goes_on(tmp_path):
    left = [2.0, 1.0, 3.0]
    task = replace(tiny_task(steps=30), score=lambda network, ids: left.pop(0))
    run, at_best = Run.begin(task), None
    with writing(tmp_path / "run") as place:
        for event in train(run):
            if isinstance(event, Checkpoint):
                write_run(run, place)
                if event.step == 20:
                    at_best = (tmp_path / "run/model.safetensors").read_bytes()
    assert (tmp_path / "run/model.safetensors").read_bytes() == at_best
    assert json.loads((tmp_path / "run/training.json").read_text())["best"]["step"] == 20
    assert "config.json" in names(tmp_path / "run")


def test_nothing_begun_is_no_run(tmp_path):
    assert read_run(tmp_path / "run", tiny_task(**SETTINGS)) is None


def test_a_finished_run_is_read_as_such(tmp_path):
    folder = trained(Run.begin(tiny_task(**SETTINGS)), tmp_path / "run")
    run = read_whole(folder)
    assert run.finished
    assert list(train(run)) == []
    assert run.best.step == 30


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"steps": 40}, "was begun with steps 30, now 40 is asked for; use the same, or give --force"),
        ({"seed": 1}, "was begun with seed 0, now 1 is asked for"),
        ({"config": {"width": 9}}, "was begun with width 8, now 9 is asked for"),
        ({"steps": None, "minutes": 1.0}, "was begun with steps 30, now None is asked for"),
        ({"text": VERSE.upper()}, "was begun on another text; give --force instead of --resume to start over"),
        ({"text": VERSE[:-1] + "!"}, "was begun on another text; give --force instead of --resume to start over"),
    ],
)
def test_another_text_or_setting_is_refused(tmp_path, settings, message):
    folder = trained(Run.begin(tiny_task(steps=30)), tmp_path / "run", until=5)
    with pytest.raises(CheckpointError) as refused:
        read_run(folder, tiny_task(**{"steps": 30, **settings}))
    assert str(refused.value).startswith(f"{folder} {message}")
    assert "\n" not in str(refused.value)


def test_damaged_files_are_told(tmp_path):
    folder = trained(Run.begin(tiny_task(steps=30)), tmp_path / "run", until=5)
    (folder / "history.jsonl").write_text('{"step": 1')
    with pytest.raises(CheckpointError, match=r"history.jsonl is cut short or damaged \(10 bytes\)"):
        read_run(folder, tiny_task(steps=30))
    reseal(folder)
    with pytest.raises(CheckpointError, match=r"is damaged .*; give --force instead of --resume to start over$"):
        read_run(folder, tiny_task(steps=30))
    (folder / "history.jsonl").write_text("")
    (folder / "training.safetensors").write_bytes(b"short")
    reseal(folder)
    with pytest.raises(CheckpointError, match=r"training.safetensors is cut short or damaged \(5 bytes\)"):
        read_run(folder, tiny_task(steps=30))
