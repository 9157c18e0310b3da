"""Transformers ready to learn: presets, what a task is made of, the first steps."""

import math
from dataclasses import asdict

import numpy as np
import pytest
from tests.support.texts import VERSE

from regard.errors import ValueRangeError
from regard.models.transformer.model import TransformerModel
from regard.training.network.run import Run, train
from regard.training.network.schedule import ScheduleConfig
from regard.training.network.transformer import (
    TRANSFORMER_PRESETS,
    TransformerPreset,
    TransformerRecipe,
    transformer_task,
)

TINY = TransformerPreset(
    TransformerRecipe(width=16, heads=2, layers=2, hidden=24, context=16, stride=8, n_rows=8),
    ScheduleConfig(0.01, steps=60, checkpoints=3),
)


def test_the_loss_falls_from_that_of_the_uniform_distribution() -> None:
    task = transformer_task(VERSE, preset=TINY)
    run = Run.begin(task)
    first = task.validation_nats(task.network)
    assert first == pytest.approx(math.log(task.network.vocab), abs=1e-6)
    for _ in train(run):
        pass
    assert run.history[-1].validation_nats < 0.75 * first


def test_what_is_held_back_is_scored_as_the_model_will_score_it() -> None:
    task = transformer_task(VERSE, preset=TINY)
    for _ in train(Run.begin(task)):
        pass
    model = task.as_model(task.network)
    assert isinstance(model, TransformerModel)
    expected = -model.token_log_probs(task.validation).mean()
    assert task.validation_nats(task.network) == pytest.approx(expected, abs=1e-12)


def test_a_task_is_a_function_of_its_seed() -> None:
    def start(seed: int) -> np.ndarray:
        return transformer_task(VERSE, preset=TINY, seed=seed).network.model.embed_tokens.weight.detach().numpy()

    np.testing.assert_array_equal(start(1), start(1))
    assert (start(1) != start(2)).any()
    assert transformer_task(VERSE, preset=TINY, seed=5).schedule.seed == 5


@pytest.mark.parametrize("name", TRANSFORMER_PRESETS)
def test_the_presets_are_whole(name: str) -> None:
    task = transformer_task(VERSE * 5, preset=name, steps=3)
    assert task.schedule.steps == 3
    assert task.schedule.minutes is None
    assert task.config == TRANSFORMER_PRESETS[name].recipe
    batch = task.batches.batch(0)
    assert batch.fresh
    assert batch.inputs.shape == (task.config.n_rows, task.config.context)
    assert task.background.notes["training"]["width"] == task.config.width


def test_how_it_was_trained_is_noted_as_json_has_it(tmp_path) -> None:
    from regard.models.checkpoint import load_model

    task = transformer_task(VERSE, preset=TINY, unit="byte")
    task.as_model(task.network).save(tmp_path / "model")
    notes = load_model(tmp_path / "model").background.notes
    assert notes == task.background.notes
    assert notes["training"] == asdict(TINY.recipe) | {"schedule": asdict(TINY.schedule) | {"betas": [0.9, 0.99]}}


def test_there_is_no_such_preset() -> None:
    with pytest.raises(ValueRangeError, match="there is no preset 'huge'; choose from small, best"):
        transformer_task(VERSE, preset="huge")


def test_a_text_shorter_than_a_window() -> None:
    """200 characters: windows as long as the text, one at a time."""
    task = transformer_task(VERSE[:40], preset=TransformerPreset(TransformerRecipe(), ScheduleConfig(0.01, steps=2)))
    for _ in train(Run.begin(task)):
        pass
    assert np.isfinite(task.validation_nats(task.network))
