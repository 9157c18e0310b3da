"""Networks that are trained by time, by characters and by words: a task that fits the time, taken to its end.

The time is the processor's: what a network reaches in it does not depend on what else the machine is doing.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TypeVar

from regard.models.background import make_background
from regard.models.base import LanguageModel
from regard.progress import Progress
from regard.text.tokenise.tokenisers import fit_tokeniser
from regard.training.network.recurrent import (
    RECURRENT_PRESETS,
    RecurrentPreset,
    RecurrentRecipe,
    assemble_task,
    recurrent_task,
)
from regard.training.network.run import Checkpoint, NetworkTask, Run, StepReport, train
from regard.training.network.schedule import ScheduleConfig
from regard.training.network.transformer import (
    TRANSFORMER_PRESETS,
    TransformerPreset,
    TransformerRecipe,
    transformer_task,
)
from regard.training.network.validation import NetworkText, split_validation

Preset = TypeVar("Preset")

CHARACTERS: Mapping[float, RecurrentPreset] = {
    0.0: RecurrentPreset(
        RecurrentRecipe(
            cell="gru", width=128, embedding=64, contexts=4, context_width=64, context_dropout=0.1, n_rows=32, length=64
        ),
        ScheduleConfig(learning_rate=0.01, minutes=1.0, checkpoints=8),
    ),
    2.0: RECURRENT_PRESETS["best"],
}
TRANSFORMERS: Mapping[float, TransformerPreset] = {
    0.0: TransformerPreset(
        TransformerRecipe(width=96, layers=2, hidden=256, n_rows=8),
        ScheduleConfig(learning_rate=0.005, minutes=1.0, weight_decay=0.1, decay="linear", checkpoints=8),
    ),
    2.0: TRANSFORMER_PRESETS["small"],
    6.0: TRANSFORMER_PRESETS["best"],
}
"""What fits from this many minutes on: in less time a larger network only begins to learn."""
WORDS = RecurrentPreset(
    RecurrentRecipe(cell="gru", width=128, embedding=64, dropout=0.3, n_rows=32, length=32),
    ScheduleConfig(learning_rate=0.005, minutes=1.0, checkpoints=8),
)
"""A text has too few words for a larger network, however long it learns."""


def recurrent_characters(text: str, *, minutes: float, seed: int) -> NetworkTask:
    """A recurrent network that reads characters."""
    return recurrent_task(text, preset=choose_preset(CHARACTERS, minutes), minutes=minutes, seed=seed)


def transformer_characters(text: str, *, minutes: float, seed: int) -> NetworkTask:
    """A Transformer that reads characters."""
    return transformer_task(text, preset=choose_preset(TRANSFORMERS, minutes), minutes=minutes, seed=seed)


def recurrent_words(text: str, *, minutes: float, seed: int, vocabulary: int) -> NetworkTask:
    """A recurrent network that reads words and knows `vocabulary` of them."""
    recipe, schedule = WORDS.recipe, replace(WORDS.schedule, minutes=minutes, seed=seed)
    given = encode_words(text, vocabulary=vocabulary, training=asdict(recipe) | {"schedule": asdict(schedule)})
    return assemble_task(given, recipe, schedule)


def encode_words(text: str, *, vocabulary: int, **notes: object) -> NetworkText:
    """The words of a training text as ids, cut into what is learnt from and what is for validation."""
    learn, validation = split_validation(text)
    tokeniser = fit_tokeniser(text, unit="word", vocabulary=vocabulary)
    tokens, validation_ids = tokeniser.encode(learn), tokeniser.encode(validation).ids
    background = make_background(learn, tokens, tokeniser, **notes)
    return NetworkText(tokeniser, tokens.ids, validation_ids, background, len(validation) / len(validation_ids))


def choose_preset(presets: Mapping[float, Preset], minutes: float) -> Preset:
    """The preset for this many minutes.

    >>> choose_preset({0.0: "small", 2.0: "large"}, 1.5)
    'small'
    """
    return presets[max(least for least in presets if least <= minutes)]


def train_to_end(task: NetworkTask, progress: Progress) -> LanguageModel:
    """The best network of a run, as a model; nothing is written."""
    run, best = Run.begin(task), task.network
    for event in train(run, now=time.process_time):
        if isinstance(event, StepReport):
            progress(min(event.seconds / task.schedule.budget_seconds, 1.0))
        elif isinstance(event, Checkpoint) and run.is_at_best:
            with run.learner.mean_weights() as network:
                best = copy.deepcopy(network)  # the run's own learns on
    return task.as_model(best)
