"""What chapter 6 asks of the package: its own numbers again, models trained from the page, and their files.

The page runs the model that ships and those that are trained here by itself; Python trains, keeps, and confirms.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.lab.chapters.characters import models
from regard.lab.inputs import choice, text
from regard.lab.jobs import JobProgress
from regard.lab.model_cache import load_torch
from regard.lab.server.api import Question
from regard.lab.texts import OFFERED
from regard.models.base import LanguageModel

MAX_CHARACTERS = 300
SHIPPED = "shipped"
"""Stands for the model that comes with the package."""


@dataclass(frozen=True)
class TextInput:
    """A text for a model: `shipped`, or the key of a kept one."""

    model: str = text(most=120)
    text: str = text(most=MAX_CHARACTERS)


@dataclass(frozen=True)
class ModelInput:
    """The key of a kept model."""

    model: str = text(most=120)


@dataclass(frozen=True)
class TrainInput:
    """What is to be trained, on what, for how many steps."""

    corpus: str = choice(*OFFERED)
    kind: str = choice(*models.KINDS)
    steps: int = choice(*models.STEPS)


@dataclass(frozen=True)
class NothingInput:
    """A question without particulars."""


def confirm(now: TextInput, progress: JobProgress) -> dict[str, Any]:
    """What the page's numbers are compared with."""
    load_torch(progress)
    from regard.lab.chapters.characters.page_model import surprise_and_next

    return surprise_and_next(open_model(now.model), now.text)


def list_kept_models(now: NothingInput) -> dict[str, Any]:
    """List the models that were trained here before."""
    return {"models": [{"key": key, "label": label} for label, key in models.labels(models.cached_keys()).items()]}


def train(now: TrainInput, progress: JobProgress) -> dict[str, Any]:
    """Train a model and keep it; what was stopped before goes on."""
    found = models.train_model(now.kind, now.corpus, now.steps, progress)
    return {"key": found.key, "note": found.note}


def find(now: TrainInput, progress: JobProgress) -> dict[str, Any]:
    """The model that training has left which was stopped; an empty key where there is none."""
    return {"key": models.find_stopped(now.kind, now.corpus, now.steps, progress)}


def load(now: ModelInput, progress: JobProgress) -> dict[str, Any]:
    """A kept model as the file that the page reads, in base64."""
    load_torch(progress)
    from regard.lab.chapters.characters.page_model import page_model_bytes

    progress(None, "the model is being loaded")
    data = page_model_bytes(models.load_cached(now.model), dtype=np.float32)
    return {"label": models.label_of(now.model), "file": base64.b64encode(data).decode()}


QUESTIONS = {
    "confirm": Question(TextInput, confirm, is_long=True),
    "kept": Question(NothingInput, list_kept_models),
    "train": Question(TrainInput, train, is_long=True),
    "find": Question(TrainInput, find, is_long=True),
    "load": Question(ModelInput, load, is_long=True),
}


def open_model(name: str) -> LanguageModel:
    """The model that ships, or a kept one."""
    if name != SHIPPED:
        return models.load_cached(name)
    from regard.lab.chapters.characters.page_model import shipped_model

    return shipped_model()
