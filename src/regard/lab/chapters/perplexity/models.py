"""The models that chapter 7 sets side by side: small enough to be trained in seconds, then kept.

Each is a row: a name, what it is, and the settings it is trained with. `few words` is there to look good: it knows so
little that most words are <unk> to it, and <unk> is easily guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from regard import __version__
from regard.errors import CorpusError, InputFileError
from regard.files import sha256
from regard.lab.jobs import JobProgress
from regard.lab.model_cache import load_or_train
from regard.lab.texts import read_text
from regard.models.base import LanguageModel
from regard.models.checkpoint import load_model
from regard.models.folder_writer import save
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.progress import Progress, part
from regard.training.bigram.counts_trainer import CountsStep
from regard.training.bigram.train import BigramConfig, bigram_task, train_by_counts

TEXTS = {"python-manual": "manual of Python", "shakespeare": "plays of Shakespeare"}
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


def train_models(text_name: str, progress: JobProgress) -> dict[str, LanguageModel]:
    """All models of this text: those that are kept, and the others, which are trained now and kept."""
    text = _read(text_name, progress)
    models = {}
    for place, (name, spec) in enumerate(MODELS.items()):
        progress(place / len(MODELS), f"{name}: {spec.what}")
        train = partial(train_model, text, spec.config, place=place)
        models[name] = load_or_train(_key(text_name, spec), progress, load=load_model, train=train, save=_save)
    progress(1.0, f"{len(MODELS)} models have learnt from the {TEXTS[text_name]}")
    return models


def _read(text_name: str, progress: Progress) -> str:
    """The text; where it cannot be had, one line that says what to choose instead, and names no folder."""
    try:
        return read_text(text_name, progress).text
    except (CorpusError, InputFileError) as error:
        advice = "choose the manual of Python, which every Python carries"
        raise CorpusError(f"the {TEXTS[text_name]} cannot be found or fetched; {advice}") from error


def train_model(text: str, config: NgramConfig | BigramConfig, progress: Progress, *, place: int = 0) -> LanguageModel:
    """The model of a text; `place` is how many of the chapter's models are there already."""
    if isinstance(config, NgramConfig):
        return fit_ngram(text, config)
    task = bigram_task(text, config)
    own_part = part(progress, place / len(MODELS), (place + 1) / len(MODELS))

    def on_step(step: CountsStep) -> None:
        own_part(step.iteration / task.n_iterations, f"the network: step {step.iteration} of {task.n_iterations}")

    return train_by_counts(task, on_step=on_step)


def _save(model: LanguageModel, folder: Path) -> None:
    save(model, folder, force=True)


@lru_cache(maxsize=4)
def _digest(text_name: str) -> str:
    return sha256(read_text(text_name).text)


def _key(text_name: str, spec: ModelSpec) -> str:
    """What a model is kept under: its text (each Python has its own manual), its settings, the version of Regard."""
    digest = sha256(f"{_digest(text_name)} {spec.config} {__version__}")
    return f"perplexity/{text_name}-{digest[:16]}"
