"""From a text to a recurrent network that is ready to learn: presets, n-grams, the start."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import torch

from regard.models.recurrent.network import RecurrentConfig, RecurrentModel, RecurrentNetwork, context_keys
from regard.shapes import Int
from regard.training.network.batches import StreamBatches
from regard.training.network.run import NetworkTask
from regard.training.network.schedule import ScheduleConfig, find_preset
from regard.training.network.validation import NetworkText, encode_training_text

UNSEEN = 0.5
"""Every id counts as if it had been seen this often besides, so that an unknown one is unlikely, not impossible."""
MAX_COUNTED = 20_000_000
"""N-grams are counted in this many ids at most: those that matter are frequent, and counting sorts all of them."""


@dataclass(frozen=True)
class RecurrentRecipe:
    """A recurrent network for any text, and what it reads at each step: `n_rows` streams of `length` ids.

    An n-gram gets a vector where it was seen `least_seen` times; the `most_contexts` that were seen most often do.
    The other fields are those of `RecurrentConfig`.
    """

    cell: Literal["gru", "lstm"] = "lstm"
    width: int = 384
    layers: int = 1
    embedding: int = 128
    dropout: float = 0.0
    contexts: int = 0
    context_width: int = 128
    context_dropout: float = 0.0
    least_seen: int = 2
    most_contexts: int = 400_000
    n_rows: int = 64
    length: int = 128

    def network_config(self, vocab: int) -> RecurrentConfig:
        """The network for an alphabet of this size."""
        own = {"least_seen", "most_contexts", "n_rows", "length"}
        return RecurrentConfig(vocab, **{name: value for name, value in asdict(self).items() if name not in own})


class RecurrentPreset(NamedTuple):
    """A recipe, and the schedule by which it learns."""

    recipe: RecurrentRecipe
    schedule: ScheduleConfig


RECURRENT_PRESETS = {
    # the network of a well-known course, which reads one chunk of 400 characters at a time; here many side by side
    "course": RecurrentPreset(
        RecurrentRecipe(cell="gru", width=100, embedding=100, n_rows=16, length=400),
        ScheduleConfig(learning_rate=0.005, steps=240, weight_decay=0.0, checkpoints=8),
    ),
    "best": RecurrentPreset(
        RecurrentRecipe(width=384, embedding=64, dropout=0.4, contexts=6, context_dropout=0.5),
        ScheduleConfig(learning_rate=0.003, sparse_learning_rate=0.002, decay="linear", minutes=10.0, checkpoints=12),
    ),
    # nothing but a wide LSTM: by itself behind `best`, but it errs elsewhere, so that a mixture gains more from it
    "plain": RecurrentPreset(
        RecurrentRecipe(width=512, embedding=64, dropout=0.3, n_rows=32),
        ScheduleConfig(learning_rate=0.003, decay="linear", minutes=10.0, checkpoints=12),
    ),
}
"""Recurrent networks by name."""


def recurrent_task(
    text: str,
    *,
    preset: str | RecurrentPreset = "best",
    unit: Literal["char", "byte"] = "char",
    seed: int = 0,
    steps: int | None = None,
    minutes: float | None = None,
) -> NetworkTask:
    """All that it takes to train a recurrent network on a text; `steps` or `minutes` replace those of the preset."""
    recipe, schedule = find_preset(RECURRENT_PRESETS, preset) if isinstance(preset, str) else preset
    schedule = replace(schedule.with_length(steps=steps, minutes=minutes), seed=seed)
    plainly = asdict(schedule) | {"betas": list(schedule.betas)}  # as JSON has it
    given = encode_training_text(text, unit=unit, training=asdict(recipe) | {"schedule": plainly})
    return assemble_task(given, recipe, schedule)


def assemble_task(given: NetworkText, recipe: RecurrentRecipe, schedule: ScheduleConfig) -> NetworkTask:
    """A fresh recurrent network and what it learns from, by a schedule; its seed draws the numbers and the batches."""
    return NetworkTask(
        network=build_network(given, recipe, seed=schedule.seed),
        config=recipe,
        schedule=schedule,
        batches=StreamBatches(
            given.learn, start_id=given.start_id, n_rows=recipe.n_rows, length=recipe.length, seed=schedule.seed
        ),
        background=given.background,
        validation=given.validation,
        start_id=given.start_id,
        as_model=lambda network: RecurrentModel(network, given.background),
        characters_per_id=given.characters_per_id,
    )


def build_network(text: NetworkText, recipe: RecurrentRecipe, *, seed: int) -> RecurrentNetwork:
    """The network before its first step: random weights, the n-grams of its text, the frequencies of its ids."""
    keys = context_keys(
        text.learn[:MAX_COUNTED],
        vocab=text.vocab,
        contexts=recipe.contexts,
        least=recipe.least_seen,
        most=recipe.most_contexts,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = RecurrentNetwork(recipe.network_config(text.vocab), keys if recipe.contexts > 1 else None)
    start_from_frequencies(network, text.learn)
    return network


def start_from_frequencies(network: RecurrentNetwork, ids: Int[np.ndarray, " position"]) -> None:
    """Set the last layer's bias to ln p of each id, which the first steps would else be spent on."""
    counts = np.bincount(ids, minlength=network.vocab) + UNSEEN
    with torch.no_grad():
        network.output.bias.copy_(torch.from_numpy(np.log(counts / counts.sum())))
