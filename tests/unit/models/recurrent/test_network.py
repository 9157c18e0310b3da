from dataclasses import asdict

import numpy as np
import pytest
import torch
from tests.support.recurrent_networks import IDS, VOCAB, network_of, recurrent_model

from regard.errors import CheckpointError, ValueRangeError
from regard.models.network import previous_ids
from regard.models.recurrent.network import RecurrentConfig, RecurrentModel, RecurrentNetwork

every_shape = pytest.mark.parametrize(
    "settings",
    [{}, {"layers": 2}, {"contexts": 4}, {"layers": 3, "contexts": 3}],
    ids=["plain", "deep", "contexts", "deep-contexts"],
)
both_cells = pytest.mark.parametrize("cell", ["gru", "lstm"])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gru(x, w, u, b, d):
    """h′ = (1 − z) n + z h with n = tanh(Wx + b + r (Uh + d)), straight from its equations."""
    h, n = np.zeros(u.shape[1]), u.shape[1]
    for step in x:
        a, s = w @ step + b, u @ h + d
        r, z = sigmoid(a[:n] + s[:n]), sigmoid(a[n : 2 * n] + s[n : 2 * n])
        h = (1 - z) * np.tanh(a[2 * n :] + r * s[2 * n :]) + z * h
        yield h


def lstm(x, w, u, b, d):
    """c′ = f c + i m, h′ = o tanh(c′), straight from its equations."""
    n = u.shape[1]
    h = c = np.zeros(n)
    for step in x:
        gates = w @ step + b + u @ h + d
        i, f, m, o = (gates[k * n : (k + 1) * n] for k in range(4))
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(m)
        h = sigmoid(o) * np.tanh(c)
        yield h


def logits_by_hand(network, ids):
    """Embedding, layers and output as loops over NumPy arrays; context vectors by comparing lists of ids."""
    p = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    config = network.config
    beside = np.zeros((len(ids), 0))
    if config.contexts > 1:
        row_of = {spelled(int(key), config.vocab): row for row, key in enumerate(p["contexts.keys"]) if row}
        beside = np.zeros((len(ids), config.context_width))
        for end in range(1, len(ids) + 1):
            for n in range(2, min(config.contexts, end) + 1):
                row = row_of.get(tuple(ids[end - n : end]))
                beside[end - 1] += 0 if row is None else p["contexts.table.weight"][row]
    x = np.concatenate([p["embedding.weight"][ids], beside], axis=1)
    for layer in range(config.layers):
        weights = [p[f"cell.{name}_l{layer}"] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
        x = np.array(list({"gru": gru, "lstm": lstm}[config.cell](x, *weights)))
    return np.concatenate([x, beside], axis=1) @ p["output.weight"].T + p["output.bias"]


def spelled(key, vocab):
    """The ids whose key this is."""
    ids = []
    while key:
        key, digit = divmod(key, vocab + 1)
        ids.insert(0, digit - 1)
    return tuple(ids)


@both_cells
@every_shape
def test_the_equations_of_the_cell(cell, settings):
    network = network_of(cell=cell, **settings)
    logits, _ = network(torch.from_numpy(IDS[None, :50]))
    np.testing.assert_allclose(logits[0].detach(), logits_by_hand(network, IDS[:50].tolist()), rtol=1e-12, atol=1e-13)


@both_cells
@every_shape
@pytest.mark.parametrize("cut", [1, 2, 7])
def test_two_halves_with_carried_state_are_one_text(cell, settings, cut):
    network = network_of(cell=cell, **settings)
    ids = torch.from_numpy(IDS[:60].reshape(3, 20))
    whole, at_end = network(ids)
    first, state = network(ids[:, :cut])
    second, after = network(ids[:, cut:], state)
    torch.testing.assert_close(torch.cat([first, second], dim=1), whole, rtol=1e-12, atol=1e-13)
    for one, other in zip(after, at_end, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-12, atol=1e-13)
        assert len(one) == 3


@both_cells
def test_rows_of_a_batch_do_not_touch_each_other(cell):
    network = network_of(cell=cell, layers=2, contexts=3)
    ids = torch.from_numpy(IDS[:40].reshape(2, 20))
    together, _ = network(ids)
    for row, alone in enumerate(ids):
        torch.testing.assert_close(network(alone[None])[0][0], together[row], rtol=1e-12, atol=1e-13)


def test_sparse_parameters_are_the_context_table_alone():
    assert list(network_of().sparse_parameters()) == []
    network = network_of(contexts=3)
    assert [p is network.contexts.table.weight for p in network.sparse_parameters()] == [True]


def test_dropout_acts_in_training_alone():
    network = network_of(dropout=0.5, contexts=3, context_dropout=0.5)
    ids = torch.from_numpy(IDS[None, :30])
    assert (network.eval()(ids)[0] == network(ids)[0]).all()
    network.train()
    assert (network(ids)[0] != network(ids)[0]).any()


def test_a_carried_state_takes_no_gradient_into_the_past_once_detached():
    network = network_of(contexts=3)
    _, state = network(torch.from_numpy(IDS[None, :10]))
    logits, _ = network(torch.from_numpy(IDS[None, 10:20]), tuple(part.detach() for part in state))
    logits.sum().backward()
    assert network.cell.weight_hh_l0.grad.abs().sum() > 0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@both_cells
def test_a_model_restored_from_its_parts_is_the_same(cell, dtype):
    model = recurrent_model(cell=cell, contexts=4, layers=2, dtype=dtype)
    again = RecurrentModel.restore(model.config(), model.arrays(), model.background)
    ids = IDS[:100]
    np.testing.assert_array_equal(again.token_log_probs(ids), model.token_log_probs(ids))
    assert again.network.output.weight.dtype == dtype
    assert again.config() == asdict(model.network.config)


def test_scores_are_those_of_one_pass(monkeypatch):
    model = recurrent_model(cell="lstm", contexts=3)
    whole = model.token_log_probs(IDS)
    monkeypatch.setattr("regard.models.network.POSITIONS_AT_ONCE", 7)
    np.testing.assert_allclose(model.token_log_probs(IDS), whole, rtol=1e-12)
    logits, _ = model.network(torch.from_numpy(previous_ids(IDS, model.tokeniser))[None])
    expected = torch.log_softmax(logits[0], dim=1)[torch.arange(len(IDS)), torch.from_numpy(IDS)]
    np.testing.assert_allclose(whole, expected.detach(), rtol=1e-12)


def test_arrays_that_do_not_fit_are_refused():
    model = recurrent_model(contexts=3)
    arrays = model.arrays()
    with pytest.raises(CheckpointError, match=r"'output.bias' should have shape \(7,\), the file has \(6,\)"):
        RecurrentModel.restore(model.config(), arrays | {"output.bias": arrays["output.bias"][1:]}, model.background)
    with pytest.raises(CheckpointError, match=r"no settings of a recurrent network: .*'depth'"):
        RecurrentModel.restore(model.config() | {"depth": 3}, arrays, model.background)
    without = {name: array for name, array in arrays.items() if name != "contexts.keys"}
    with pytest.raises(CheckpointError, match="contexts up to 3 needs the keys of its n-grams"):
        RecurrentModel.restore(model.config(), without, model.background)


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cell": "rnn"}, "cell must be one of gru, lstm; got 'rnn'"),
        ({"width": 0}, "width must be at least 1; got 0"),
        ({"layers": 0}, "layers must be at least 1; got 0"),
        ({"contexts": -1}, r"contexts must be 0 \(none\) or more; got -1"),
        ({"dropout": 1.0}, r"dropout must lie in \[0, 1\); got 1.0"),
    ],
)
def test_impossible_settings_are_refused(settings, message):
    with pytest.raises(ValueRangeError, match=message):
        RecurrentConfig(VOCAB, **settings)


def test_contexts_need_their_keys():
    with pytest.raises(ValueRangeError, match="a network with contexts up to 4 needs the keys of its n-grams"):
        RecurrentNetwork(RecurrentConfig(VOCAB, contexts=4))
