"""The character models of chapter 6: one that counts, made at once; a small Transformer, if wished; both are kept.

A model is kept in a folder that says what it is; the last word is a digest of the text it has learnt from:

    characters-counts-tinyshakespeare-86c4e6aa9db7
    characters-transformer-2000-tinyshakespeare-86c4e6aa9db7       2,000 steps
"""

from __future__ import annotations

import contextlib
import math
import re
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from regard.errors import CheckpointError
from regard.lab.jobs import JobProgress, WorkStopped
from regard.lab.model_cache import CONFIG, load_or_train, model_folder
from regard.lab.model_cache import load_cached as load_from_cache
from regard.lab.texts import read_text_or_manual
from regard.models.base import LanguageModel
from regard.models.checkpoint import load_model, save
from regard.models.folder import read_snapshot
from regard.models.folder_writer import writing
from regard.training.ngram import NgramConfig, train_ngram

if TYPE_CHECKING:
    from regard.models.folder_writer import ModelFolder
    from regard.training.network.run import Event, NetworkTask, Run
    from regard.training.network.transformer import TransformerPreset

PREFIX = "characters"
KEY = re.compile(rf"{PREFIX}-(counts|transformer-\d+)-[\w.-]+-[0-9a-f]{{12}}")
TRAINING_SHARE = 0.9
"""The rest is what a visitor is shown first: a model should be surprised by what it has not read."""
ORDER = 6
STEPS = (20, 100, 300, 1000, 2000, 4000)
SECONDS_PER_STEP, SECONDS_AT_FIRST = 0.03, 3
"""Measured on one core: 300 steps in 8.3 seconds of processor time, after torch has been loaded."""
PASSAGE = 360


@dataclass(frozen=True)
class CharacterModel:
    """A model, where it is kept, what it is; and a passage of its text that it has not read."""

    key: str
    model: LanguageModel
    passage: str
    note: str = ""

    @property
    def label(self) -> str:
        """What it is, in words."""
        return label_of(self.key)


def counting_model(text_name: str, progress: JobProgress) -> CharacterModel:
    """The counting model of a text, kept or made now: Kneser–Ney, six characters."""
    given = read_text_or_manual(text_name, progress)
    learn, passage = split_text(given.text)

    def count(progress: JobProgress) -> LanguageModel:
        progress(None, f"counting {len(learn):,} characters of {given.name}")
        model = train_ngram(learn, NgramConfig(method="kneser-ney", order=ORDER))
        progress(1.0, f"{len(learn):,} characters of {given.name} counted")
        return model

    key = f"{PREFIX}-counts-{given.key}"
    model = load_or_train(key, progress, load=load_model, train=count, save=_save)
    return CharacterModel(key, model, passage, given.note)


def transformer_model(text_name: str, steps: int, progress: JobProgress) -> CharacterModel:
    """The small Transformer of a text after so many steps: kept, or trained now, from where it was stopped before."""
    given = read_text_or_manual(text_name, progress)
    learn, passage = split_text(given.text)
    key = f"{PREFIX}-transformer-{steps}-{given.key}"

    def train(progress: JobProgress) -> LanguageModel:
        progress(None, "loading torch")
        _train(learn, steps, model_folder(key), progress)
        return load_model(model_folder(key))

    model = load_or_train(key, progress, load=load_model, train=train, is_current=lambda: is_finished(key))
    return CharacterModel(key, model, passage, given.note)


def expected_seconds(steps: int) -> float:
    """About how long training takes."""
    return SECONDS_AT_FIRST + SECONDS_PER_STEP * steps


def cached_keys() -> list[str]:
    """Every character model that is kept: the counting ones first."""
    found = model_folder("").glob(f"{PREFIX}-*/{CONFIG}")
    return sorted(path.parent.name for path in found if KEY.fullmatch(path.parent.name))


def load_cached(key: str) -> LanguageModel:
    """The kept model, one for all visitors; CheckpointError where there is none."""
    if not KEY.fullmatch(key):
        raise CheckpointError(f"there is no kept model {key!r}; train it first")
    return load_from_cache(key, load_model)


def label_of(key: str) -> str:
    """What a kept model is, in words.

    >>> label_of("characters-counts-ptb-train-86c4e6aa9db7")
    'counts of ptb-train'
    """
    kind, _, rest = key.removeprefix(f"{PREFIX}-").partition("-")
    if kind == "counts":
        return f"counts of {rest.rpartition('-')[0]}"
    steps, _, named = rest.partition("-")
    label = f"Transformer of {named.rpartition('-')[0]}, {int(steps):,} steps"
    return label if is_finished(key) else f"{label}, stopped early"


def labels(keys: list[str]) -> dict[str, str]:
    """The key of each label; models of two texts with one name are told apart by the texts' digests."""
    found: dict[str, str] = {}
    for key in keys:
        label = label_of(key)
        found[label if label not in found else f"{label} ({key[-12:]})"] = key
    return found


def is_finished(key: str) -> bool:
    """Whether the training of a kept Transformer came to its end."""
    try:
        return bool(read_snapshot(model_folder(key), ("training.json",)).json("training.json")["finished"])
    except (CheckpointError, KeyError):
        return False


def split_text(text: str) -> tuple[str, str]:
    """What is learnt from, and a passage from the rest, from the beginning of a paragraph on."""
    cut = int(TRAINING_SHARE * len(text))
    blank = text.find("\n\n", cut)
    start = cut if blank < 0 else blank + 2
    return text[:cut], text[start : start + PASSAGE].strip("\n")


def preset() -> TransformerPreset:
    """A Transformer of two layers with four heads each, 64 numbers wide."""
    from regard.training.network.transformer import TRANSFORMER_PRESETS, TransformerPreset, TransformerRecipe

    recipe = TransformerRecipe(width=64, layers=2, heads=4, hidden=172)
    return TransformerPreset(recipe, TRANSFORMER_PRESETS["small"].schedule)


def _train(learn: str, steps: int, folder: Path, progress: JobProgress) -> None:
    """Train to the end; told to stop, keep the best network so far and where the run stands."""
    from regard.training.network.run import Run
    from regard.training.network.transformer import transformer_task

    progress(None, "preparing the text")
    task = transformer_task(learn, preset=preset(), steps=steps)
    run = _resume(folder, task)
    with writing(folder, kind="transformer", force=run is None, resume=run is not None) as place:
        _learn(run or Run.begin(task), place, progress)


def _learn(run: Run, place: ModelFolder, progress: JobProgress) -> None:
    from regard.training.network.resume import write_run
    from regard.training.network.run import Checkpoint, Interrupted, train

    stop_requested = threading.Event()
    for event in train(run, stop=stop_requested.is_set):
        if isinstance(event, Checkpoint | Interrupted):
            write_run(run, place)
        try:
            _report_event(event, run, progress)
        except WorkStopped:
            stop_requested.set()
    if not run.finished:
        place.promote()
        raise WorkStopped


def _resume(folder: Path, task: NetworkTask) -> Run | None:
    """The run that was stopped before; None where there is none, or where it was begun with other settings."""
    from regard.training.network.resume import read_run

    with contextlib.suppress(CheckpointError):
        return read_run(folder, task)
    return None


def _report_event(event: Event, run: Run, progress: JobProgress) -> None:
    """Report the latest training loss, the best validation loss, and the time left."""
    nats, seconds_left = getattr(event, "train_nats", math.nan), getattr(event, "seconds_left", math.nan)
    parts = [
        f"step {event.step:,} of {event.n_steps:,}",
        "" if math.isnan(nats) else f"{nats:.3f} nats a character",
        "" if run.best is None else f"{run.best.validation_nats:.3f} on validation text",
        "" if math.isnan(seconds_left) else f"{seconds_left:.0f} s left",
    ]
    progress(event.step / event.n_steps, " · ".join(filter(None, parts)))
    if not math.isnan(nats) and event.step % max(1, event.n_steps // 200) == 0:
        progress.add_point(event.step, nats)


def _save(model: LanguageModel, folder: Path) -> None:
    save(model, folder, force=True)
