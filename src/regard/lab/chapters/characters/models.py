"""The character models of chapter 6 that a visitor trains: a small Transformer or recurrent network; all are kept.

A model is kept in a folder that says what it is; the last word is a digest of the text it has learnt from:

    characters-transformer-2000-tinyshakespeare-86c4e6aa9db7       2,000 steps
    characters-recurrent-300-python-manual-0123456789ab

Training that is stopped is kept as well, and goes on from there; its curves then begin where they began.
"""

from __future__ import annotations

import contextlib
import math
import re
import threading
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from regard.errors import CheckpointError, OutputFileError
from regard.lab.jobs import JobProgress, WorkStopped
from regard.lab.model_cache import CONFIG, load_or_train, load_torch, model_folder, one_at_a_time
from regard.lab.model_cache import load_cached as load_from_cache
from regard.lab.texts import LabText, read_text_or_manual
from regard.models.base import LanguageModel
from regard.models.checkpoint import load_model
from regard.models.folder import read_snapshot
from regard.models.folder_writer import writing

if TYPE_CHECKING:
    from regard.models.folder_writer import ModelFolder
    from regard.training.network.run import Event, NetworkTask, Run

PREFIX = "characters"
KINDS = {"transformer": "Transformer", "recurrent": "recurrent network"}
KEY = re.compile(rf"{PREFIX}-({'|'.join(KINDS)})-\d+-[\w.-]+-[0-9a-f]{{12}}")
TRAINING_SHARE = 0.9
"""The rest is neither learnt from nor used to choose the best checkpoint: a passage of it is what a visitor may try."""
STEPS = (20, 100, 300, 1000, 2000, 4000)
PASSAGE = 280
N_CURVE_POINTS = 200
MAX_RECENT = 50
"""Steps whose mean loss makes one point of the training curve; in a short run, a twentieth of its steps."""
IN_USE = "this model's folder cannot be written at the moment; try again, or another number of steps"


@dataclass(frozen=True)
class CharacterModel:
    """A model and where it is kept; `note` says where the text could not be had and another was taken."""

    key: str
    model: LanguageModel
    note: str = ""


def train_model(kind: str, text_name: str, steps: int, progress: JobProgress) -> CharacterModel:
    """The model of a text after `steps` steps: a saved one, or one trained now, from where training stopped before."""
    given = read_text_or_manual(text_name, progress)
    learn, _ = split_text(given.text)
    key = key_of(kind, given, steps)

    def train(progress: JobProgress) -> LanguageModel:
        load_torch(progress)
        _train(kind, learn, steps, model_folder(key), progress)
        return load_model(model_folder(key))

    try:
        model = load_or_train(key, progress, load=load_model, train=train, is_current=lambda: is_finished(key))
    except (CheckpointError, OutputFileError, OSError) as error:  # their messages name folders of this machine
        raise CheckpointError(IN_USE) from error
    return CharacterModel(key, model, given.note)


def find_stopped(kind: str, text_name: str, steps: int, progress: JobProgress) -> str:
    """The key of the model that a stopped training has left, once it has been written; empty where there is none."""
    key = key_of(kind, read_text_or_manual(text_name, progress), steps)
    with one_at_a_time(key, progress):
        return key if key in cached_keys() else ""


def key_of(kind: str, given: LabText, steps: int) -> str:
    """The name under which the model of a text is kept."""
    return f"{PREFIX}-{kind}-{steps}-{given.key}"


def cached_keys() -> list[str]:
    """Every character model that is kept."""
    found = model_folder("").glob(f"{PREFIX}-*/{CONFIG}")
    return sorted(path.parent.name for path in found if KEY.fullmatch(path.parent.name))


def load_cached(key: str) -> LanguageModel:
    """The kept model, one for all visitors; CheckpointError where there is none."""
    missing = f"there is no kept model {key!r} here: train it first"
    if not KEY.fullmatch(key):
        raise CheckpointError(missing)
    try:
        return load_from_cache(key, load_model)
    except CheckpointError as error:
        raise CheckpointError(missing) from error


def label_of(key: str) -> str:
    """What a kept model is, in words.

    >>> label_of("characters-recurrent-300-ptb-train-86c4e6aa9db7")
    'recurrent network, 300 steps on ptb-train, stopped early'
    """
    kind, _, rest = key.removeprefix(f"{PREFIX}-").partition("-")
    steps, _, named = rest.partition("-")
    label = f"{KINDS[kind]}, {int(steps):,} steps on {named.rpartition('-')[0]}"
    return label if is_finished(key) else f"{label}, stopped early"


def labels(keys: list[str]) -> dict[str, str]:
    """The key of each label; the texts' digests distinguish models of two texts with one name."""
    found: dict[str, str] = {}
    for key in keys:
        label = label_of(key)
        found[label if label not in found else f"{label} ({key[-12:]})"] = key
    return found


def is_finished(key: str) -> bool:
    """Whether the training of a kept model came to its end."""
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


def build_task(kind: str, text: str, steps: int) -> NetworkTask:
    """A Transformer of two layers with four heads each, 64 numbers wide; or a GRU of 128 numbers."""
    if kind == "transformer":
        from regard.training.network.transformer import (
            TRANSFORMER_PRESETS,
            TransformerPreset,
            TransformerRecipe,
            transformer_task,
        )

        shape = TransformerRecipe(width=64, layers=2, heads=4, hidden=172)
        schedule = TRANSFORMER_PRESETS["small"].schedule
        return transformer_task(text, preset=TransformerPreset(shape, schedule), steps=steps)
    from regard.training.network.recurrent import RECURRENT_PRESETS, RecurrentPreset, RecurrentRecipe, recurrent_task

    recipe = RecurrentRecipe(cell="gru", width=128, embedding=64, n_rows=16, length=64)
    return recurrent_task(text, preset=RecurrentPreset(recipe, RECURRENT_PRESETS["course"].schedule), steps=steps)


def _train(kind: str, learn: str, steps: int, folder: Path, progress: JobProgress) -> None:
    """Train to the end; when asked to stop, save the best network so far and the state of the run."""
    from regard.training.network.run import Run

    progress(None, "preparing the text")
    task = build_task(kind, learn, steps)
    run = _resume(folder, task)
    with writing(folder, kind=kind, force=run is None, resume=run is not None) as place:
        if run is not None:
            redraw_curves(run, progress)
        _learn(run or Run.begin(task), place, progress)


def _learn(run: Run, place: ModelFolder, progress: JobProgress) -> None:
    from regard.training.network.resume import write_run
    from regard.training.network.run import Checkpoint, Interrupted, StepReport, train

    stop_requested = threading.Event()
    recent = recent_losses(run)
    for event in train(run, stop=stop_requested.is_set):
        if isinstance(event, Checkpoint | Interrupted):
            write_run(run, place)
        if isinstance(event, StepReport):
            recent.append(run.losses[-1])
        try:
            _report_event(event, run, float(np.mean(recent)), progress)
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


def recent_losses(run: Run) -> deque[float]:
    """The last losses of a run, of which a curve shows the mean; so one that goes on does not jump.

    Of those before the last checkpoint only their mean is known.
    """
    n_recent = _mean_length(run.plan.n_steps)
    before = [run.history[-1].train_nats] * n_recent if run.history else []
    return deque([*before, *run.losses], maxlen=n_recent)


def redraw_curves(run: Run, progress: JobProgress) -> None:
    """Give the curves of a run that goes on what they had before: losses at checkpoints, and those since the last."""
    for checkpoint in run.history:
        progress.add_point(checkpoint.step, checkpoint.train_nats)
        progress.add_validation_point(checkpoint.step, checkpoint.validation_nats)
    begin, every, n_recent = (
        run.step - len(run.losses),
        _point_distance(run.plan.n_steps),
        _mean_length(run.plan.n_steps),
    )
    for step in range(begin + 1, run.step + 1):
        if step % every == 0:
            known = run.losses[: step - begin]
            earlier = [run.history[-1].train_nats] * (n_recent - len(known)) if run.history else []
            progress.add_point(step, float(np.mean([*earlier, *known[-n_recent:]])))


def _report_event(event: Event, run: Run, train_nats: float, progress: JobProgress) -> None:
    """Report the latest training loss, the best validation loss, and the time left; each loss to its own curve."""
    from regard.training.network.run import Checkpoint, StepReport

    if isinstance(event, Checkpoint):
        progress.add_validation_point(event.step, event.validation_nats)
    seconds_left = event.seconds_left if isinstance(event, StepReport) else math.nan
    if isinstance(event, StepReport) and event.step % _point_distance(event.n_steps) == 0:
        progress.add_point(event.step, train_nats)
    parts = [
        f"step {event.step:,} of {event.n_steps:,}",
        f"{train_nats:.3f} nats a character" if isinstance(event, StepReport) else "",
        "" if run.best is None else f"{run.best.validation_nats:.3f} on validation text",
        "" if math.isnan(seconds_left) else f"{seconds_left:.0f} s left",
    ]
    progress(event.step / event.n_steps, " · ".join(filter(None, parts)))


def _mean_length(n_steps: int) -> int:
    return min(MAX_RECENT, max(5, n_steps // 20))


def _point_distance(n_steps: int) -> int:
    return max(1, n_steps // N_CURVE_POINTS)
