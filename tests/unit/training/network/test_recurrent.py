from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.support.texts import VERSE

from regard.errors import ValueRangeError
from regard.models.recurrent.network import RecurrentModel
from regard.training.network.recurrent import (
    RECURRENT_PRESETS,
    RecurrentPreset,
    RecurrentRecipe,
    recurrent_task,
    start_from_frequencies,
)
from regard.training.network.run import Run, train
from regard.training.network.schedule import ScheduleConfig
from regard.training.network.validation import split_validation

RECIPE = RecurrentRecipe(width=16, embedding=8, context_width=8, n_rows=4, length=32)


def small(steps=20, rate=0.03, **settings):
    return RecurrentPreset(replace(RECIPE, **settings), ScheduleConfig(rate, steps=steps, checkpoints=4))


def trained(task):
    run = Run.begin(task)
    for _ in train(run):
        pass
    return run


@pytest.mark.parametrize("settings", [{"cell": "gru"}, {"cell": "lstm"}, {"contexts": 4}])
def test_a_short_text_is_soon_known_by_heart(settings):
    run = trained(recurrent_task("to be or not to be, that is the question\n" * 12, preset=small(60, **settings)))
    assert run.history[0].train_nats > 1
    assert run.history[-1].train_nats < 0.3
    assert run.history[-1].validation_nats < 0.6  # its first characters are a guess


def test_contexts_learn_sooner():
    with_contexts, without = (trained(recurrent_task(VERSE, preset=small(40, contexts=n))) for n in (5, 0))
    assert with_contexts.best.validation_nats < without.best.validation_nats - 0.2


def test_the_trained_model_reads_what_it_learnt():
    run = trained(recurrent_task("abcd" * 100, preset=small(60, contexts=3)))
    model = run.task.as_model(run.task.network)
    assert isinstance(model, RecurrentModel)
    assert model.score("abcdabcdabcd").log_probs_nats[4:].mean() > -0.1
    assert model.background.notes["training"]["width"] == 16
    assert model.background.notes["training"]["schedule"]["steps"] == 60


def test_bytes():
    task = recurrent_task("é è ê\n" * 50, preset=small(), unit="byte")
    assert task.network.vocab == 256
    assert task.characters_per_id == pytest.approx(6 / 9, abs=0.05)


def test_before_its_first_step_it_knows_the_frequencies():
    """A network whose last weights are zero predicts each id as often as it was seen, the unknown one half a time."""
    task = recurrent_task(VERSE, preset=small())
    ids = task.as_model(task.network).tokeniser.encode(split_validation(VERSE)[0]).ids
    with torch.no_grad():
        task.network.output.weight.zero_()
    logits, _ = task.network(torch.from_numpy(ids[None, :3]))
    counts = np.bincount(ids, minlength=task.network.vocab) + 0.5
    np.testing.assert_allclose(logits[0, 0].softmax(0).detach(), counts / counts.sum(), rtol=1e-5)


def test_the_start_depends_on_the_seed_alone():
    torch.manual_seed(1)
    one, untouched = recurrent_task(VERSE, preset=small(contexts=3), seed=5), torch.rand(1)
    torch.manual_seed(1)
    assert torch.rand(1) == untouched  # making a network draws nothing from the common generator
    two, other = (recurrent_task(VERSE, preset=small(contexts=3), seed=seed) for seed in (5, 6))
    for name, value in one.network.state_dict().items():
        assert torch.equal(value, two.network.state_dict()[name])
    assert not torch.equal(one.network.output.weight, other.network.output.weight)
    assert one.schedule.seed == 5


def test_only_what_is_learnt_from_gives_ngrams():
    """The validation beginning has n-grams of its own, which the network must not get."""
    text = "xy" * 50 + "ab" * 500
    network = recurrent_task(text, preset=small(contexts=2, most_contexts=100)).network
    assert len(network.contexts.keys) == 1 + len({"ab", "ba"})


def test_the_number_of_ngrams_is_bounded():
    assert len(recurrent_task(VERSE, preset=small(contexts=5, most_contexts=37)).network.contexts.keys) == 38
    few, many = (
        len(recurrent_task(VERSE, preset=small(contexts=5, least_seen=least)).network.contexts.keys) for least in (9, 2)
    )
    assert 1 < few < many


@pytest.mark.parametrize("name", RECURRENT_PRESETS)
def test_presets_make_a_network(name):
    task = recurrent_task(VERSE, preset=name, steps=3)
    assert task.schedule.steps == 3
    assert task.schedule.minutes is None
    assert task.config is RECURRENT_PRESETS[name].recipe
    logits, _ = task.network(torch.from_numpy(task.batches.batch(0).inputs))
    assert torch.isfinite(logits).all()


def test_the_budget_of_a_preset_is_kept_where_no_other_is_given():
    assert recurrent_task(VERSE, preset=small(7)).schedule.steps == 7
    assert recurrent_task(VERSE, preset=small(7), minutes=0.5).schedule.minutes == 0.5


def test_an_unknown_preset_is_refused():
    with pytest.raises(ValueRangeError, match="there is no preset 'large'; choose from course, best, plain"):
        recurrent_task(VERSE, preset="large")


@pytest.mark.parametrize("text", ["a" * 200, "ab\n" * 4, "x" * 10])
def test_texts_of_little_variety_and_length(text):
    run = trained(recurrent_task(text, preset=small(3, contexts=6)))
    assert np.isfinite(run.best.validation_nats)


def test_frequencies_of_ids_that_never_occur():
    task = recurrent_task(VERSE, preset=small())
    start_from_frequencies(task.network, np.zeros(3, np.int64))
    assert task.network.output.bias[0].item() == pytest.approx(np.log(3.5 / (3 + 0.5 * task.network.vocab)), abs=1e-5)
