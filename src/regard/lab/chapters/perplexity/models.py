"""The models that chapter 7 sets side by side: small enough to be trained in seconds, then kept.

Each is a row: a name, what it is, and the settings it is trained with. `few words` is there to look good: it knows so
little that most words are <unk> to it, and <unk> is easily guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from regard import __version__
from regard.errors import CheckpointError, RegardError
from regard.files import sha256
from regard.lab.jobs import Report
from regard.lab.model_cache import kept_folder, one_at_a_time
from regard.models.base import LanguageModel
from regard.models.checkpoint import load_model, save
from regard.progress import silent
from regard.text.corpora.corpus import find_corpus, find_local_corpus
from regard.training.bigram.train import BigramConfig, bigram_task, train_by_counts
from regard.training.ngram import NgramConfig, train_ngram

MAX_LEARNT = 1_000_000
"""Characters of a longer text that are learnt from: seconds are promised."""
TEXTS = {"python-manual": "the manual of Python", "shakespeare": "plays of Shakespeare"}
"""What may be learnt from, by the name of the corpus; the first is part of every Python, the second is fetched."""


@dataclass(frozen=True)
class ModelSpec:
    """A model: what it is, in words, and what it is trained with."""

    what: str
    config: NgramConfig | BigramConfig


MODELS = {
    "letters": ModelSpec("Kneser–Ney, six characters", NgramConfig(unit="char", method="kneser-ney", order=6)),
    "bytes": ModelSpec("Kneser–Ney, six bytes", NgramConfig(unit="byte", method="kneser-ney", order=6)),
    "words": ModelSpec("Kneser–Ney, three words", NgramConfig(unit="word", method="kneser-ney", order=3)),
    "few words": ModelSpec(
        "Kneser–Ney, two words, only 50 of them known",
        NgramConfig(unit="word", method="kneser-ney", order=2, vocabulary=50),
    ),
    "bigram": ModelSpec(
        "a neural bigram model of 1,000 words", BigramConfig(vocabulary=1000, hidden=50, width=50, iterations=60)
    ),
}


def learnt_text(name: str, report: Report | None = None) -> str:
    """The text to learn from, or the beginning of a long one; fetched where it must be."""
    return find_corpus(name, progress=report or silent).text[:MAX_LEARNT]


def cached_models(text_name: str) -> dict[str, LanguageModel] | None:
    """All models of this text, if they are kept; else None, also where the text cannot be read: training tells why."""
    try:
        if find_local_corpus(text_name) is None:
            return None
        return {name: _loaded(_folder(text_name, spec)) for name, spec in MODELS.items()}
    except RegardError:
        return None


def train_models(text_name: str, report: Report) -> dict[str, LanguageModel]:
    """All models of this text: those that are kept, the others trained, and kept."""
    with one_at_a_time(f"perplexity {text_name}", report):
        report(None, f"reading {text_name}")
        text = learnt_text(text_name, report)
        models = {}
        for place, (name, spec) in enumerate(MODELS.items()):
            tell = partial(_tell, report, f"{name}: {spec.what}", place)
            tell(0.0)
            models[name] = _kept_or_trained(_folder(text_name, spec), text, spec, tell)
        report(1.0, f"{len(MODELS)} models of {TEXTS[text_name]}, {len(text):,} characters of it")
    return models


def trained(text: str, config: NgramConfig | BigramConfig, tell: Callable[[float], None]) -> LanguageModel:
    """The model of a text; `tell` hears what share of the training is done, and may stop it."""
    if isinstance(config, NgramConfig):
        return train_ngram(text, config)
    task = bigram_task(text, config)
    return train_by_counts(task, on_step=lambda step: tell(step.iteration / task.n_iterations))


def _tell(report: Report, line: str, n_done: int, share: float) -> None:
    report((n_done + share) / len(MODELS), line)


def _kept_or_trained(folder: Path, text: str, spec: ModelSpec, tell: Callable[[float], None]) -> LanguageModel:
    try:
        return _loaded(folder)
    except CheckpointError:
        model = trained(text, spec.config, tell)
    try:
        save(model, folder, force=True)
    except (
        OSError,
        CheckpointError,
    ):  # a full disk, or others' files: this visitor has it all the same
        return model
    return _loaded(folder)


@lru_cache(maxsize=16)
def _loaded(folder: Path) -> LanguageModel:
    """One model for all visitors."""
    return load_model(folder)


@lru_cache(maxsize=4)
def _digest(text_name: str) -> str:
    return sha256(learnt_text(text_name))


def _folder(text_name: str, spec: ModelSpec) -> Path:
    """Where a model is kept, by its text (each Python has its own manual), its settings and the version of Regard."""
    key = sha256(f"{_digest(text_name)} {spec.config} {__version__}")
    return kept_folder("perplexity") / f"{text_name}-{key[:16]}"
