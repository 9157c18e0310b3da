"""The models that a comparison may set side by side: each name, and how its model is made of a text.

A name is a family and a unit, so that the same kind of model can be had by characters and by words:

    ngram-char  ngram-word    bigram-char  bigram-word    recurrent-char  recurrent-word    …
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from regard.errors import MissingExtraError, ValueRangeError
from regard.models.base import LanguageModel
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.progress import Progress
from regard.training.bigram.train import BigramConfig, bigram_task, train_by_counts

Unit: TypeAlias = Literal["char", "byte", "word"]
NETWORK_VOCABULARY = 2000
"""Words that a network knows: its last layer, and with it every step, grows with them."""


@dataclass(frozen=True)
class Effort:
    """What training may cost: minutes of the processor, for networks that learn by time; and where chance begins."""

    minutes: float = 0.25
    seed: int = 0


Trainer: TypeAlias = Callable[[str, Effort, Progress], LanguageModel]


def train_by_counting(unit: Unit) -> Trainer:
    """Counts of all orders, mixed; of words, all that were seen at least twice."""
    return lambda text, effort, progress: fit_ngram(text, NgramConfig(unit=unit))


def train_bigram(unit: Unit) -> Trainer:
    """A network that reads one token, fitted to the counts of pairs until it fits: it takes no minutes."""

    def train(text: str, effort: Effort, progress: Progress) -> LanguageModel:
        vocabulary = NETWORK_VOCABULARY if unit == "word" else None
        task = bigram_task(text, BigramConfig(unit=unit, vocabulary=vocabulary, seed=effort.seed))
        return train_by_counts(task, on_step=lambda step: progress(step.iteration / task.n_iterations))

    return train


def train_by_time(name: str, **settings: int) -> Trainer:
    """A network that learns for as long as it may: this task of `network_trainers`, which loads torch."""

    def train(text: str, effort: Effort, progress: Progress) -> LanguageModel:
        from regard.studies import network_trainers

        task = getattr(network_trainers, name)(text, minutes=effort.minutes, seed=effort.seed, **settings)
        return network_trainers.train_to_end(task, progress)

    return train


TRAINERS: dict[str, Trainer] = {
    "ngram-char": train_by_counting("char"),
    "ngram-byte": train_by_counting("byte"),
    "ngram-word": train_by_counting("word"),
    "bigram-char": train_bigram("char"),
    "bigram-word": train_bigram("word"),
    "recurrent-char": train_by_time("recurrent_characters"),
    "recurrent-word": train_by_time("recurrent_words", vocabulary=NETWORK_VOCABULARY),
    "transformer-char": train_by_time("transformer_characters"),
}
"""Each model by name: its training text and effort in, the trained model out."""
DEFAULT_MODELS = tuple(name for name in TRAINERS if name != "ngram-byte")
BY_TIME = ("recurrent", "transformer")
"""Families that learn for as long as they may; they need torch."""


def family(name: str) -> str:
    """What kind of model it is, whatever it reads.

    >>> family("ngram-char")
    'ngram'
    """
    return name.rsplit("-", 1)[0]


def load_libraries(names: Sequence[str]) -> None:
    """Load what the models need, which takes seconds that none of them is to be charged with."""
    if any(family(name) in BY_TIME for name in names):
        importlib.import_module("regard.studies.network_trainers")


def require_models(names: Sequence[str]) -> None:
    """Refuse what cannot be trained, before anything is."""
    unknown = [name for name in names if name not in TRAINERS]
    if unknown:
        raise ValueRangeError(f"there is no model {unknown[0]!r} to compare; choose from {', '.join(TRAINERS)}")
    if not names:
        raise ValueRangeError(f"there is no model to compare; choose from {', '.join(TRAINERS)}")
    networks = [name for name in names if family(name) in BY_TIME]
    if networks and importlib.util.find_spec("torch") is None:
        raise MissingExtraError(f"{networks[0]} needs PyTorch: pip install 'regard[models]', or leave it out")
