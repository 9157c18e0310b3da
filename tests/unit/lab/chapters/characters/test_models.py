"""Character models that are trained, stopped and kept."""

import shutil

import numpy as np
import pytest

from regard.errors import CheckpointError
from regard.lab.chapters.characters import models
from regard.lab.chapters.characters.models import (
    cached_keys,
    find_stopped,
    label_of,
    labels,
    load_cached,
    split_text,
    train_model,
)
from regard.lab.jobs import JobProgress, WorkStopped
from regard.training.network.recurrent import RecurrentPreset, RecurrentRecipe, recurrent_task
from regard.training.network.schedule import ScheduleConfig


@pytest.fixture
def tale(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "tale.txt"
    path.write_text("".join(f"KING:\nThe {n}th day is as the {n - 1}th.\n\n" for n in range(200)))
    return str(path)


@pytest.fixture
def tiny(monkeypatch):
    """A network that takes milliseconds, evaluated three times a run."""
    recipe = RecurrentRecipe(cell="gru", width=8, embedding=4, n_rows=2, length=16)
    preset = RecurrentPreset(recipe, ScheduleConfig(learning_rate=0.01, steps=12, checkpoints=3))
    monkeypatch.setattr(
        models, "build_task", lambda kind, text, steps: recurrent_task(text, preset=preset, steps=steps)
    )


def quiet():
    return JobProgress(lambda: None)


def stopped_after(n_reports):
    reports = []

    def check():
        reports.append(None)
        if len(reports) > n_reports:
            raise WorkStopped

    return JobProgress(check)


def test_the_passage_has_not_been_learnt_and_begins_a_paragraph():
    text = "".join(f"{n:03}\n\n" for n in range(100))
    learn, passage = split_text(text)
    assert len(learn) == 450
    assert passage.startswith("091")
    assert not learn.endswith(passage[:3])


def test_training_and_validation_are_two_curves(tale, tiny):
    progress = quiet()
    train_model("recurrent", tale, 12, progress)
    assert [step for step, _ in progress.points] == list(range(1, 13))
    assert [step for step, _ in progress.validation] == [4, 8, 12]
    assert progress.message.startswith("step 12 of 12 · ")


def test_stopped_training_is_kept_and_goes_on_to_the_same_network_and_curves(tale, tiny):
    whole = quiet()
    trained = train_model("recurrent", tale, 12, whole)
    arrays = trained.model.arrays()
    shutil.rmtree(models.model_folder(trained.key))
    assert find_stopped("recurrent", tale, 12, quiet()) == ""
    before = stopped_after(10)
    with pytest.raises(WorkStopped):
        train_model("recurrent", tale, 12, before)
    assert label_of(trained.key).endswith(", stopped early")
    assert find_stopped("recurrent", tale, 12, quiet()) == trained.key
    assert load_cached(trained.key).kind == "recurrent"
    again = quiet()
    found = train_model("recurrent", tale, 12, again)
    assert not label_of(trained.key).endswith("early")
    for name, array in found.model.arrays().items():
        np.testing.assert_array_equal(array, arrays[name])
    assert again.validation == whole.validation  # the curves go on where they stopped
    steps = [step for step, _ in again.points]
    assert steps == sorted(steps)
    assert steps[0] <= 4
    assert again.points[-1][0] == 12
    jumps = np.abs(np.diff([nats for step, nats in again.points if step >= 4]))
    assert max(jumps) < 0.1  # a single batch differs from the mean by more


def test_what_is_trained_is_not_trained_again(tale, tiny, monkeypatch):
    first = train_model("recurrent", tale, 3, quiet())
    monkeypatch.setattr(models, "_train", None)
    assert train_model("recurrent", tale, 3, quiet()).model is first.model  # one model for all visitors


def test_a_folder_that_cannot_be_written_is_told_without_its_path(tale, tiny, monkeypatch):
    def refuse(*_, **__):
        raise CheckpointError("/home/somebody/.cache/lab/x is damaged")

    monkeypatch.setattr(models, "writing", refuse)
    with pytest.raises(CheckpointError, match=r"^this model's folder cannot be written at the moment"):
        train_model("recurrent", tale, 3, quiet())


@pytest.mark.parametrize("kind", models.KINDS)
def test_what_is_trained_can_run_in_the_page(kind):
    from regard.lab.chapters.characters.page_model import page_model_bytes

    task = models.build_task(kind, "to be or not to be, that is the question\n" * 40, 20)
    assert len(page_model_bytes(task.as_model(task.network), dtype=np.float32)) < 600_000


def test_labels_say_what_is_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path))
    keys = ["characters-recurrent-300-ptb-train-0123456789ab", "characters-recurrent-300-ptb-train-ba9876543210"]
    label = "recurrent network, 300 steps on ptb-train, stopped early"
    assert list(labels(keys)) == [label, f"{label} (ba9876543210)"]
    assert label_of("characters-transformer-2000-x-0123456789ab") == "Transformer, 2,000 steps on x, stopped early"
    assert cached_keys() == []


@pytest.mark.parametrize("key", ["", "characters-recurrent-3-x-0123456789ab", "../outside", "words-0123456789ab-50-0"])
def test_only_what_this_chapter_has_kept_is_loaded(key, tale, tiny, tmp_path):
    folder = models.model_folder(train_model("recurrent", tale, 3, quiet()).key)
    for other in ("outside", "lab/words-0123456789ab-50-0"):
        shutil.copytree(folder, tmp_path / "cache" / other)
    with pytest.raises(CheckpointError, match=r"^there is no kept model"):
        load_cached(key)
