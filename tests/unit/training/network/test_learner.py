"""One step of a network, against AdamW written out; what is kept is all that the next step depends on."""

import math

import numpy as np
import pytest
import torch
from tests.support.networks import TinyConfig, TinyNetwork

from regard.errors import CheckpointError, ValueRangeError
from regard.training.network.batches import Batch, StreamBatches
from regard.training.network.learner import Learner, split_by_decay, step_seed
from regard.training.network.processes import Processes
from regard.training.network.schedule import ScheduleConfig

IDS = np.random.default_rng(1).integers(0, 5, 200)
BATCHES = StreamBatches(IDS, start_id=2, n_rows=4, length=8, seed=0)


def learner(*, config=None, **schedule):
    torch.manual_seed(0)
    network = TinyNetwork(TinyConfig(5, **(config or {})))
    return Learner(network, ScheduleConfig(**{"learning_rate": 0.1, "steps": 9, **schedule}), Processes())


def parameters(one):
    return {name: value.detach().clone() for name, value in one.network.named_parameters()}


def loss_of(network, batch: Batch):
    logits, _ = network(torch.from_numpy(batch.inputs))
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), torch.from_numpy(batch.targets).flatten())


def test_a_first_step_is_that_of_the_formula():
    """m̂ = g and v̂ = g² after the first step: every number moves by lr·g/(|g| + ε), matrices shrink before."""
    one = learner(clip=0.05, weight_decay=0.3)
    batch, before = BATCHES.batch(0), parameters(one)
    loss = loss_of(one.network, batch)
    names = [name for name, _ in one.network.named_parameters()]
    gradients = dict(zip(names, torch.autograd.grad(loss, one.network.parameters()), strict=True))
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients.values()))
    assert norm > 0.05  # else nothing is clipped
    assert one.learn(batch, step=0, factor=0.5) == pytest.approx(loss.item())
    for name, value in parameters(one).items():
        g = gradients[name] * (0.05 / (norm + 1e-6))
        decay = 0.3 if value.ndim == 2 and "embedding" not in name else 0.0
        expected = before[name] * (1 - 0.5 * 0.1 * decay) - 0.5 * 0.1 * g / (g.abs() + 1e-8)
        torch.testing.assert_close(value, expected, rtol=1e-4, atol=1e-6, msg=name)


def test_what_decays():
    one = learner()
    matrices, others = split_by_decay(one.network, list(one.network.parameters()))
    names = {id(p): name for name, p in one.network.named_parameters()}
    assert {names[id(p)] for p in matrices} == {"cell.weight_ih_l0", "cell.weight_hh_l0", "output.weight"}
    assert len(others) == 4


def test_sparse_tables_move_only_where_they_were_read():
    one = learner(config={"is_sparse": True}, sparse_learning_rate=0.01)
    before = parameters(one)
    read = np.array([[0, 3, 3]])
    one.learn(Batch(read, np.array([[3, 3, 1]]), fresh=True), step=0, factor=1.0)
    moved = (parameters(one)["embedding.weight"] - before["embedding.weight"]).abs()
    assert (moved[[1, 2, 4]] == 0).all()
    # a row's step has the length `rate` per entry, as a root mean square over the row
    torch.testing.assert_close(moved[[0, 3]].square().mean(dim=1).sqrt(), torch.full((2,), 0.01), rtol=1e-3, atol=0)


def test_the_state_is_carried_but_for_fresh_batches():
    one, first, second = learner(), BATCHES.batch(0), BATCHES.batch(1)
    one.learn(first, step=0, factor=1.0)
    with torch.no_grad():
        carried = one.network(torch.from_numpy(second.inputs), one.state)[0]
        fresh = one.network(torch.from_numpy(second.inputs))[0]
    assert not torch.allclose(carried, fresh)
    targets = torch.from_numpy(second.targets).flatten()
    for logits, is_fresh in ((carried, False), (fresh, True)):
        other = learner()
        other.learn(first, step=0, factor=1.0)
        expected = torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets).item()
        assert other.learn(second._replace(fresh=is_fresh), step=1, factor=1.0) == pytest.approx(expected)


def test_the_mean_of_the_weights_by_hand():
    one = learner(average=0.15)
    weights = [parameters(one)]
    for step in range(3):
        one.learn(BATCHES.batch(step), step=step, factor=1.0)
        weights.append(parameters(one))
    mean = weights[0]["output.weight"]
    for step, a in enumerate([1 / 10, 0.15, 0.15]):  # (1 + step)/(10 + step) is less only at first
        mean = a * mean + (1 - a) * weights[step + 1]["output.weight"]
    with one.mean_weights() as network:
        torch.testing.assert_close(network.output.weight.detach(), mean)
    torch.testing.assert_close(parameters(one), weights[-1], rtol=0, atol=0)


def test_a_loss_that_is_no_number_is_told_and_nothing_moves():
    one = learner()
    with torch.no_grad():
        one.network.output.bias[0] = math.nan
    before = parameters(one)["cell.weight_ih_l0"]
    with pytest.raises(ValueRangeError, match=r"^the loss became nan at step 4; the learning rate 0.1 is too high"):
        one.learn(BATCHES.batch(3), step=3, factor=1.0)
    assert torch.equal(parameters(one)["cell.weight_ih_l0"], before)


@pytest.mark.parametrize("config", [{}, {"is_sparse": True, "dropout": 0.3}])
def test_a_restored_learner_goes_on_in_the_same_bits(config):
    whole = learner(config=config, average=0.9)
    for step in range(3):
        whole.learn(BATCHES.batch(step), step=step, factor=1.0)
    whole.gather(4, is_carried=True)
    saved = {name: array.copy() for name, array in whole.arrays().items()}
    assert saved["state.0"].shape == (4, 1, 8)
    other = learner(config=config, average=0.9)
    other.restore(saved, 4)
    for step in range(3, 6):
        losses = [one.learn(BATCHES.batch(step), step=step, factor=1.0) for one in (whole, other)]
        assert losses[0] == losses[1]
    for one in (whole, other):
        one.gather(4, is_carried=True)
    expected = whole.arrays()
    assert expected.keys() == other.arrays().keys()
    for name, array in other.arrays().items():
        np.testing.assert_array_equal(array, expected[name], err_msg=name)


def test_a_saved_run_of_another_network_is_refused():
    one, other = learner(), learner(config={"width": 6})
    one.gather(4, is_carried=False)
    with pytest.raises(CheckpointError, match=r"^the saved run does not fit its network: "):
        other.restore(one.arrays(), 4)


def test_each_step_has_its_own_seed():
    seeds = {step_seed(seed, step) for seed in range(3) for step in range(5)}
    assert len(seeds) == 15
    assert all(0 <= seed < 2**63 for seed in seeds)
