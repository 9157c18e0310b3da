"""The start of training: heads that look back, the spread of all other numbers."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from regard.models.transformer.network import TransformerConfig, TransformerNetwork, rotary_frequencies
from regard.training.network.transformer import offset_biases, previous_token_start

CONFIG = TransformerConfig(vocab=60, width=128, layers=4, heads=4, hidden=344, context=64)


def fresh(config: TransformerConfig = CONFIG) -> TransformerNetwork:
    network = TransformerNetwork(config)
    previous_token_start(network, np.random.default_rng(0))
    return network


def first_layer_weights(network: TransformerNetwork, ids: Tensor) -> Tensor:
    """softmax(q kᵀ/√w) of the first layer, [head query key], by a plain loop over pairs of positions."""
    decoder, config = network.model, network.config
    layer = decoder.layers[0]
    x = layer.input_layernorm(decoder.embed_tokens(ids[None]))[0]
    queries, keys = (
        part(x).unflatten(-1, (config.heads, 2, -1)) for part in (layer.self_attn.q_proj, layer.self_attn.k_proj)
    )
    frequencies, n = rotary_frequencies(config), len(ids)
    logits = torch.full((config.heads, n, n), -math.inf)
    for m in range(n):
        for k in range(m + 1):
            # both turned by their positions: only the difference of the two angles counts
            cos, sin = ((m - k) * frequencies).cos(), ((m - k) * frequencies).sin()
            (qa, qb), (ka, kb) = queries[m].unbind(1), keys[k].unbind(1)
            logits[:, m, k] = ((qa * ka + qb * kb) * cos + (qa * kb - qb * ka) * sin).sum(-1)
    return (logits / math.sqrt(config.head_width)).softmax(-1)


def test_the_heads_of_a_fresh_network_look_back_one_two_three_and_four_places() -> None:
    ids = torch.from_numpy(np.random.default_rng(1).integers(0, 60, 30))
    with torch.no_grad():
        weights = first_layer_weights(fresh(), ids)
    for head in range(4):
        for position in range(head + 1, 30):
            assert int(weights[head, position].argmax()) == position - (head + 1)
    assert weights[0, 29, 28] > 0.3


@pytest.mark.parametrize("offset", [1, 2, 5])
def test_the_logit_by_distance_is_a_sum_of_cosines(offset: int) -> None:
    """8 nats at the wanted distance, 8 · mean cos((Δ − offset) θ_f) elsewhere."""
    query, key = offset_biases(offset, CONFIG)
    frequencies = rotary_frequencies(CONFIG).numpy()
    q, k = (b[:16].numpy() + 1j * b[16:].numpy() for b in (query, key))
    distance = np.arange(64)[:, None]
    # a pair as a complex number: turned by an angle it is multiplied by exp(i·angle), q·k is Re(q k*)
    logits = (q * np.exp(1j * distance * frequencies) * k.conj()).real.sum(axis=1) / math.sqrt(32)
    np.testing.assert_allclose(logits, 8 * np.cos((distance - offset) * frequencies).mean(axis=1), atol=1e-4)
    assert logits.argmax() == offset
    assert logits.max() == pytest.approx(8, abs=1e-5)


def test_the_table_in_the_module() -> None:
    logits = 8 * np.cos((np.arange(64)[:, None] - 1) * rotary_frequencies(CONFIG).numpy()).mean(axis=1)
    weights = np.exp(logits) / np.exp(logits).sum()
    np.testing.assert_allclose(logits[[0, 1, 2, 3, 4, 5, 63]], [7.5, 8.0, 7.5, 6.2, 4.8, 4.0, -0.4], atol=0.05)
    np.testing.assert_allclose(weights[:6], [0.23, 0.40, 0.23, 0.06, 0.02, 0.01], atol=0.005)


def test_training_starts_from_the_uniform_distribution() -> None:
    logits, _ = fresh()(torch.zeros(1, 8, dtype=torch.long))
    assert (logits == 0).all()


def test_the_spread_of_the_other_numbers() -> None:
    state = {name: value.numpy() for name, value in fresh().state_dict().items()}
    small, smaller, full = 0.02 * math.sqrt(2), 0.02 / math.sqrt(8), 1 / math.sqrt(128)
    for name, sd in {
        "model.embed_tokens.weight": 0.5,
        "model.layers.0.self_attn.q_proj.weight": 0.1 * small,
        "model.layers.0.self_attn.k_proj.weight": 0.1 * small,
        "model.layers.0.self_attn.v_proj.weight": full,
        "model.layers.0.self_attn.o_proj.weight": full,
        "model.layers.0.mlp.down_proj.weight": smaller,
        "model.layers.1.self_attn.q_proj.weight": small,
        "model.layers.1.self_attn.v_proj.weight": small,
        "model.layers.1.self_attn.o_proj.weight": smaller,
        "model.layers.3.mlp.gate_proj.weight": small,
        "model.layers.3.mlp.up_proj.weight": small,
    }.items():
        assert state[name].std() == pytest.approx(sd, rel=0.03), name
        assert abs(state[name].mean()) < 0.03 * sd, name
    for name, value in state.items():
        if name.endswith("norm.weight"):
            assert (value == 1).all()
        if name.endswith("bias") and not name.startswith(("model.layers.0.self_attn.q", "model.layers.0.self_attn.k")):
            assert (value == 0).all()


def test_the_start_is_a_function_of_the_generator() -> None:
    one, same = fresh(), fresh()
    other = TransformerNetwork(CONFIG)
    previous_token_start(other, np.random.default_rng(1))
    assert torch.equal(one.model.embed_tokens.weight, same.model.embed_tokens.weight)
    assert not torch.equal(one.model.embed_tokens.weight, other.model.embed_tokens.weight)
