"""Dynamic evaluation against a plain loop; the model stays as it was, the future changes nothing."""

from functools import cache

import numpy as np
import pytest
import torch
from tests.support.models import MODELS
from tests.support.texts import VERSE

from regard.errors import ValueRangeError
from regard.models.network import DynamicConfig, NetworkModel, start_id

NETWORKS = ["recurrent-gru-char", "recurrent-lstm-contexts-char", "transformer-char"]
SETTINGS = {"rate": 0.01, "piece": 10, "floor": 0.02}
each_network = pytest.mark.parametrize("name", NETWORKS)


@cache
def model(name: str) -> NetworkModel:
    return MODELS[name]()


def ids_of(name, text):
    return model(name).tokeniser.encode(text).ids


def along(name, ids, **settings):
    return np.concatenate(list(model(name).adaptive_next_log_probs_along(ids, settings=settings)))


@each_network
def test_at_rate_zero_it_is_static(name):
    ids = ids_of(name, VERSE[:70])
    static = np.concatenate(list(model(name).next_log_probs_along(ids)))
    np.testing.assert_allclose(along(name, ids, rate=0.0, piece=7), static, rtol=1e-9)


def test_each_step_is_the_formula():
    """One layer after another, as torch would train a fresh copy, with r and floor written out."""
    name, ids = "recurrent-lstm-contexts-char", ids_of("recurrent-lstm-contexts-char", VERSE[:25])
    again = type(model(name)).restore(model(name).config(), model(name).arrays(), model(name).background)
    network, state, squares, rows = again.network, None, {}, []
    given = torch.tensor([start_id(again.tokeniser), *ids[:-1]])
    for n, start in enumerate(range(0, 25, 10), start=1):
        logits, state = network(given[None, start : start + 10], state)
        state = tuple(part.detach() for part in state)
        log_probs = torch.log_softmax(logits[0], -1)
        rows.append(log_probs.detach())
        network.zero_grad()
        (-log_probs[range(len(log_probs)), torch.tensor(ids[start : start + 10])].mean()).backward()
        for key, parameter in network.named_parameters():
            gradient = parameter.grad.to_dense()
            squares[key] = squares.get(key, 0) + gradient**2
            r = 0 if parameter.grad.is_sparse else (squares[key] / n).sqrt()
            parameter.data -= 0.01 * gradient / (r + 0.02)
    np.testing.assert_allclose(along(name, ids, **SETTINGS), torch.cat(rows).numpy(), rtol=1e-9)


@each_network
def test_the_model_does_not_change(name):
    ids, before = ids_of(name, VERSE[:60]), model(name).arrays()
    kept = {key: array.copy() for key, array in before.items()}
    first, again = along(name, ids, **SETTINGS), along(name, ids, **SETTINGS)
    np.testing.assert_array_equal(first, again)
    for key, array in model(name).arrays().items():
        np.testing.assert_array_equal(array, kept[key])


@each_network
def test_the_future_changes_nothing(name):
    one, other = ids_of(name, VERSE[:40] + "and then"), ids_of(name, VERSE[:40] + "qqqqqqqq")
    np.testing.assert_allclose(along(name, one, **SETTINGS)[:41], along(name, other, **SETTINGS)[:41], rtol=1e-9)


@each_network
def test_what_comes_again_and_again_becomes_likely(name):
    assert model(name).can_adapt
    text = "gull, gull, " * 25
    scored = model(name).score(text, adaptive=True)
    assert scored.is_adaptive
    learnt, static = scored.log_probs_nats[-60:].mean(), model(name).score(text).log_probs_nats[-60:].mean()
    assert learnt > static + 0.02


def test_an_empty_text_has_no_pieces():
    assert list(model(NETWORKS[0]).adaptive_next_log_probs_along(np.zeros(0, np.int64))) == []


@pytest.mark.parametrize("wrong", [{"rate": -1.0}, {"rate": float("nan")}, {"piece": 0}, {"floor": 0.0}])
def test_settings_that_make_no_sense(wrong):
    with pytest.raises(ValueRangeError, match="dynamic evaluation needs a rate of 0 or more, a piece of 1 or more"):
        DynamicConfig(**wrong)
