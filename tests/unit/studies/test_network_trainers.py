"""Networks that are trained by time."""

import dataclasses

import pytest

from regard.studies import model_trainers
from regard.studies.model_measures import measure


@pytest.fixture
def quick(monkeypatch):
    """Networks of next to no size, so that some moments are enough for a few steps."""
    from regard.studies import network_trainers
    from regard.training.network.recurrent import RecurrentPreset, RecurrentRecipe
    from regard.training.network.schedule import ScheduleConfig
    from regard.training.network.transformer import TransformerPreset, TransformerRecipe

    schedule = ScheduleConfig(learning_rate=0.01, minutes=1.0, checkpoints=2)
    recurrent = RecurrentPreset(RecurrentRecipe(cell="gru", width=8, embedding=8, n_rows=4, length=8), schedule)
    transformer = TransformerPreset(
        TransformerRecipe(width=8, layers=1, heads=2, hidden=16, context=8, stride=4, n_rows=4), schedule
    )
    monkeypatch.setattr(network_trainers, "CHARACTERS", {0.0: recurrent})
    monkeypatch.setattr(network_trainers, "WORDS", recurrent)
    monkeypatch.setattr(network_trainers, "TRANSFORMERS", {0.0: transformer})


@pytest.mark.parametrize("name", ["recurrent-char", "recurrent-word", "transformer-char"])
def test_a_network_learns_for_as_long_as_it_may(quick, halves, name):
    shares = []
    model = model_trainers.TRAINERS[name](halves.train, model_trainers.Effort(minutes=0.3 / 60, seed=1), shares.append)
    assert 0 < shares[0] <= shares[-1] <= 1
    assert f"{model.kind}-{model.background.tokeniser.unit[:4]}" == name
    found = measure(model, halves, name=name, training_seconds=1.0, n_drawn=20, seed=0)
    assert 0 < found.bits_per_character < 8
    assert len(found.sample) >= 20
    assert model.background.notes["training"]["schedule"]["minutes"] == 0.3 / 60


def test_the_best_network_is_kept_not_the_last(quick, halves, monkeypatch):
    import torch

    from regard.studies import network_trainers
    from regard.training.network.run import NetworkTask

    costs = iter([1.0, 2.0])  # after half of the steps, and at the end
    weights = []

    def cost(task, network):
        weights.append(network.output.bias.detach().clone())
        return next(costs)

    monkeypatch.setattr(NetworkTask, "validation_nats", cost)
    task = network_trainers.recurrent_characters(halves.train, minutes=1.0, seed=0)
    by_steps = dataclasses.replace(
        task.schedule, minutes=None, steps=4, checkpoints=2
    )  # not by the clock, which may be slow
    model = network_trainers.train_to_end(dataclasses.replace(task, schedule=by_steps), lambda share: None)
    assert len(weights) == 2
    assert torch.equal(model.network.output.bias, weights[0])
    assert not torch.equal(weights[0], weights[1])
