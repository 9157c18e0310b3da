"""What Python answers for chapter 6."""

import base64

import numpy as np
import pytest

from regard.errors import CheckpointError
from regard.lab.chapters.characters import models, view
from regard.lab.chapters.characters.page_model import shipped_model
from regard.lab.jobs import JobProgress
from regard.training.network.recurrent import RecurrentPreset, RecurrentRecipe, recurrent_task
from regard.training.network.schedule import ScheduleConfig

SCENE = "ROMEO:\nBut, soft!"


@pytest.fixture
def list_kept_models(monkeypatch, tmp_path):
    """The answer to training a tiny network, which is then kept."""
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path))
    recipe = RecurrentRecipe(cell="gru", width=8, embedding=4, n_rows=2, length=16)
    preset = RecurrentPreset(recipe, ScheduleConfig(learning_rate=0.01, steps=3, checkpoints=1))
    monkeypatch.setattr(models, "build_task", lambda kind, text, steps: recurrent_task(text[:3000], preset=preset))
    return view.train(view.TrainInput("python-manual", "recurrent", 20), JobProgress(lambda: None))


def test_the_shipped_model_is_asked(monkeypatch):
    found = view.confirm(view.TextInput("shipped", SCENE), JobProgress(lambda: None))
    ids = shipped_model().tokeniser.encode(SCENE).ids
    np.testing.assert_allclose(found["bits"], -shipped_model().token_log_probs(ids) / np.log(2))
    assert sum(2 ** np.array(found["next"])) == pytest.approx(1)


def test_a_model_is_trained_listed_asked_and_sent(list_kept_models):
    key = list_kept_models["key"]
    assert list_kept_models["note"] == ""
    progress = JobProgress(lambda: None)
    assert view.list_kept_models(view.NothingInput())["models"] == [{"key": key, "label": models.label_of(key)}]
    assert view.find(view.TrainInput("python-manual", "recurrent", 20), progress) == {"key": key}
    assert len(view.confirm(view.TextInput(key, "abc"), progress)["bits"]) == 3
    sent = view.load(view.ModelInput(key), progress)
    assert base64.b64decode(sent["file"])[8:].startswith(b"{")
    assert sent["label"].startswith("recurrent network, 20 steps on python-manual")


def test_an_unknown_model_is_told():
    with pytest.raises(CheckpointError, match=r"^there is no kept model 'x' here: train it first$"):
        view.load(view.ModelInput("x"), JobProgress(lambda: None))
    with pytest.raises(CheckpointError, match=r"^there is no kept model 'x' here: train it first$"):
        view.confirm(view.TextInput("x", "abc"), JobProgress(lambda: None))
