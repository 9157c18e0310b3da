"""From a text to a Transformer that is ready to learn: presets, and heads of the first layer that already look back.

Head h = 0, 1, 2, … begins by reading the character h + 1 places back, by biases alone, whatever is written there.
Rotary positions turn the f-th pair of numbers of a query at position m by the angle mθ_f, that of a key at n by nθ_f.
Let

    b_q = A·(1, 0)                        in every pair f
    b_k = A·(cos oθ_f, sin oθ_f)          the same, turned ahead by the offset o

Then the turned query points along mθ_f, the turned key along (n + o)θ_f, and with Δ = m − n

    q·k = A² Σ_f cos((Δ − o)θ_f),

which is largest at Δ = o, where every cosine is 1. With A² = s·√w/(w/2) for a head of width w that largest logit,
after the division by √w, is s = 8 nats. It is a query designed for a position, as `regard.design` makes them for a key:

    Δ            0     1     2     3     4     5   …  63            head width 32, theta 100, o = 1
    logit       7.5   8.0   7.5   6.2   4.8   4.0     −0.4
    weight      .23   .40   .23   .06   .02   .01      .00          in a window of 64

A model of characters lives on the last few of them, and heads that start anywhere need some hundred steps to find
them. Training then moves these heads like all other numbers.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from regard.models.background import Background
from regard.models.network import Network
from regard.models.transformer.model import TransformerModel
from regard.models.transformer.network import Layer, TransformerConfig, TransformerNetwork, rotary_frequencies
from regard.shapes import Float, Int
from regard.training.network.batches import WindowBatches
from regard.training.network.run import NetworkTask
from regard.training.network.schedule import ScheduleConfig, find_preset
from regard.training.network.validation import encode_training_text

SHARPNESS = 8.0
"""The largest logit of a head that looks back, in nats."""


def previous_token_start(network: TransformerNetwork, rng: np.random.Generator) -> None:
    """Give the network its numbers before training: random ones, and heads that look back.

    The output layer is zero, so that training starts from the uniform distribution: a loss of ln(vocab).
    """
    config = network.config
    small, smaller = 0.02 * math.sqrt(256 / config.width), 0.02 / math.sqrt(2 * config.layers)
    _draw(network.model.embed_tokens.weight, rng, 0.5)
    for layer in network.model.layers:
        read, gated = layer.self_attn, layer.mlp
        for part in (read.q_proj, read.k_proj, read.v_proj, gated.gate_proj, gated.up_proj):
            _draw(part.weight, rng, small)
        for part in (read.o_proj, gated.down_proj):
            _draw(part.weight, rng, smaller)
    _previous_token_head(network.model.layers[0], config, rng)


def _previous_token_head(layer: Layer, config: TransformerConfig, rng: np.random.Generator) -> None:
    """Let the heads of a layer look back, and hand on what they read at its full size."""
    read = layer.self_attn
    with torch.no_grad():
        for part in (read.q_proj, read.k_proj):
            part.weight *= 0.1  # what is written should move the heads only a little at first
        for part in (read.v_proj, read.o_proj):
            _draw(part.weight, rng, 1 / math.sqrt(config.width))
        for head in range(config.heads):
            here = slice(head * config.head_width, (head + 1) * config.head_width)
            read.q_proj.bias[here], read.k_proj.bias[here] = offset_biases(head + 1, config)


def offset_biases(
    offset: int, config: TransformerConfig
) -> tuple[Float[Tensor, " head_width"], Float[Tensor, " head_width"]]:
    """The biases of a head's queries and keys with which it reads `offset` places back."""
    angles = offset * rotary_frequencies(config)
    size = math.sqrt(SHARPNESS * math.sqrt(config.head_width) / len(angles))
    query = torch.cat([torch.ones_like(angles), torch.zeros_like(angles)])
    return size * query, size * torch.cat([angles.cos(), angles.sin()])


def _draw(weight: Tensor, rng: np.random.Generator, sd: float) -> None:
    """Fill a weight with normal numbers of mean zero."""
    with torch.no_grad():
        weight.copy_(torch.from_numpy(rng.normal(0.0, sd, tuple(weight.shape))))


@dataclass(frozen=True)
class TransformerRecipe:
    """A Transformer for any text, and what it reads at each step: `n_rows` windows of `context` ids.

    The other fields are those of `TransformerConfig`.
    """

    width: int = 128
    layers: int = 4
    heads: int = 4
    hidden: int = 344
    context: int = 64
    theta: float = 100.0
    dropout: float = 0.0
    stride: int = 32
    n_rows: int = 12

    def network_config(self, vocab: int) -> TransformerConfig:
        """The network for an alphabet of this size."""
        return TransformerConfig(vocab, **{name: value for name, value in asdict(self).items() if name != "n_rows"})


class TransformerPreset(NamedTuple):
    """A recipe, and the schedule by which it learns."""

    recipe: TransformerRecipe
    schedule: ScheduleConfig


TRANSFORMER_PRESETS = {
    "small": TransformerPreset(
        TransformerRecipe(),
        ScheduleConfig(learning_rate=0.003, steps=1900, weight_decay=0.1, warm_up=0.025, decay="linear", checkpoints=6),
    ),
    "best": TransformerPreset(
        TransformerRecipe(width=160, heads=5, hidden=424, context=96, stride=48, n_rows=16, dropout=0.1),
        ScheduleConfig(learning_rate=0.0025, minutes=10.0, weight_decay=0.1, warm_up=0.025, decay="linear"),
    ),
}
"""Transformers by name."""


def transformer_task(
    text: str,
    *,
    preset: str | TransformerPreset = "best",
    unit: Literal["char", "byte"] = "char",
    seed: int = 0,
    steps: int | None = None,
    minutes: float | None = None,
) -> NetworkTask:
    """All that it takes to train a Transformer on a text; `steps` or `minutes` replace those of the preset."""
    recipe, schedule = find_preset(TRANSFORMER_PRESETS, preset) if isinstance(preset, str) else preset
    schedule = replace(schedule.with_length(steps=steps, minutes=minutes), seed=seed)
    plainly = asdict(schedule) | {"betas": list(schedule.betas)}  # as JSON has it
    given = encode_training_text(text, unit=unit, training=asdict(recipe) | {"schedule": plainly})
    network = TransformerNetwork(recipe.network_config(given.vocab))
    previous_token_start(network, np.random.default_rng(seed))
    return NetworkTask(
        network=network,
        config=recipe,
        schedule=schedule,
        batches=WindowBatches(
            given.learn, start_id=given.start_id, n_rows=recipe.n_rows, length=recipe.context, seed=seed
        ),
        background=given.background,
        validation=given.validation,
        start_id=given.start_id,
        as_model=lambda network: _model(network, given.background),
        score=lambda network, ids: mean_nats(_model(network, given.background), ids),
        characters_per_id=given.characters_per_id,
    )


def mean_nats(model: TransformerModel, ids: Int[np.ndarray, " position"]) -> float:
    """−ln p of each id given those before it in its window, on average."""
    return -float(model.token_log_probs(ids).mean())


def _model(network: Network, background: Background) -> TransformerModel:
    assert isinstance(network, TransformerNetwork)  # the task's own
    return TransformerModel(network, background)
