"""From a text to a recurrent network or a Transformer, in one call: train, keep the run, measure.

Ctrl-C does not break into a step: the run is saved, the best network so far is kept, and the call raises
`TrainingStopped`, which says so. Torch is imported when training begins.
"""

from __future__ import annotations

import copy
import math
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from regard.errors import CheckpointError, MissingExtraError, ValueRangeError
from regard.models.base import LanguageModel
from regard.models.checkpoint import load_model
from regard.models.folder import require_safetensors
from regard.models.folder_writer import ModelFolder
from regard.progress import Progress, show_progress, silent
from regard.studies.training.run import (
    Stopwatch,
    TextParts,
    TrainingResult,
    TrainingStopped,
    measure_validation,
    open_folder,
    split_text,
)
from regard.text.corpora.corpus import TextSource

if TYPE_CHECKING:
    from regard.models.network import Network
    from regard.training.network.processes import Processes
    from regard.training.network.run import NetworkTask, Run, StepReport

Family = Literal["recurrent", "transformer"]
TASKS = {
    "recurrent": "regard.training.network.recurrent:recurrent_task",
    "transformer": "regard.training.network.transformer:transformer_task",
}
"""Each family of networks, and the function that prepares one for a text."""


@dataclass(frozen=True)
class NetworkSettings:
    """What to train and where to; `steps` or `minutes` say how long, else the preset does."""

    family: Family
    out: Path | None = None
    preset: str = "best"
    unit: Literal["char", "byte"] = "char"
    steps: int | None = None
    minutes: float | None = None
    resume: bool = False
    force: bool = False
    threads: int | None = None
    seed: int = 0
    checkpoints: int | None = None
    """How often the text for validation is scored on the way; None: as often as the preset has it."""

    def __post_init__(self) -> None:
        if self.steps is not None and self.minutes is not None:
            raise ValueRangeError("expected steps or minutes, not both")
        if self.resume and self.force:
            raise ValueRangeError("expected resume, to go on, or force, to start over; not both")
        if self.resume and self.out is None:
            raise ValueRangeError("resume needs the folder of the run, out=…")


@dataclass(frozen=True)
class NetworkResult(TrainingResult[LanguageModel]):
    """A trained network; its history counts nats per id, of which a character has one or, as bytes, more."""

    characters_per_id: float = 1.0


def train_recurrent(
    text: TextSource,
    *,
    preset: str = "best",
    minutes: float | None = None,
    steps: int | None = None,
    unit: Literal["char", "byte"] = "char",
    seed: int = 0,
    threads: int | None = None,
    out: Path | str | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Progress | bool = True,
) -> LanguageModel:
    """Train a recurrent network on the characters of a text; with `out`, also write it to that folder.

    `text` is a corpus name, a path, or a text with a line break in it. `preset` is its size and schedule: course, best
    or plain. `minutes` or `steps` say how long to train; `resume` goes on with the run in `out`.
    """
    place = None if out is None else Path(out)
    settings = NetworkSettings("recurrent", place, preset, unit, steps, minutes, resume, force, threads, seed)
    return _train(text, settings, progress)


def train_transformer(
    text: TextSource,
    *,
    preset: str = "best",
    minutes: float | None = None,
    steps: int | None = None,
    unit: Literal["char", "byte"] = "char",
    seed: int = 0,
    threads: int | None = None,
    out: Path | str | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Progress | bool = True,
) -> LanguageModel:
    """Train a Transformer on the characters of a text; with `out`, also write it to that folder.

    `text` is a corpus name, a path, or a text with a line break in it. `preset` is its size and schedule: small or
    best. `minutes` or `steps` say how long to train; `resume` goes on with the run in `out`.
    """
    place = None if out is None else Path(out)
    settings = NetworkSettings("transformer", place, preset, unit, steps, minutes, resume, force, threads, seed)
    return _train(text, settings, progress)


def _train(text: TextSource, settings: NetworkSettings, progress: Progress | bool) -> LanguageModel:
    require_torch()
    with show_progress(progress) as report, open_network_folder(settings) as place:
        parts = split_text(text, valid=0, at_line_ends=False)
        found = run(parts, settings, place=place, progress=report)
    for note in found.notes:
        warnings.warn(note, stacklevel=3)
    return found.model


def require_torch() -> None:
    """MissingExtraError where torch is not installed; its threads, where there are several, wait asleep."""
    # By default they wait spinning, which on a machine that has other things to do made steps 4 to 15 times slower.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        import_module("torch")
    except ImportError as error:
        raise MissingExtraError("training a network needs torch: pip install 'regard[models]'") from error


@contextmanager
def open_network_folder(settings: NetworkSettings) -> Iterator[ModelFolder | None]:
    """The folder to write to, in the first of the processes that `torchrun` started; None in the others.

    What the first process refuses, or finishes of an earlier save, it does before the others have join_processes it.
    """
    from regard.training.network.processes import is_first_process

    if settings.out is not None:
        require_safetensors()
    out = settings.out if is_first_process() else None
    with open_folder(out, kind=settings.family, force=settings.force, resume=settings.resume) as place:
        yield place


def run(
    parts: TextParts,
    settings: NetworkSettings,
    *,
    place: ModelFolder | None = None,
    progress: Progress = silent,
) -> NetworkResult:
    """Train to the end of the plan, save on the way, measure the best network.

    In all but the first of several processes there is nothing to measure, and `facts` are empty. Raises TrainingStopped
    where training was interrupted.
    """
    from regard.training.network.processes import join_processes

    with join_processes() as processes:
        watch = Stopwatch()
        _set_threads(settings)
        progress(None, "preparing")
        task = _make_task(parts.train, settings)
        ready, notes = _begin(task, settings, processes)
        best = _train_to_end(ready, place, settings, progress if processes.is_first else silent)
        seconds = watch.seconds()
    model = load_model(settings.out) if settings.out is not None else task.as_model(best)
    if not processes.is_first:
        return NetworkResult(model, {})
    progress(None, "measuring")
    facts = _facts(ready, model, parts, settings, seconds)
    return NetworkResult(model, facts, ready.history, notes, task.characters_per_id)


def _facts(
    run: Run, model: LanguageModel, parts: TextParts, settings: NetworkSettings, seconds: dict[str, float]
) -> dict[str, Any]:
    best, last = run.best, run.history[-1]
    assert best is not None  # a finished run has been evaluated
    return {
        "preset": settings.preset,
        "parameters": sum(p.numel() for p in run.task.network.parameters()),
        "steps": run.step,
        **seconds,
        **measure_validation(model, parts),
        "held_back_nats_per_character": best.validation_nats / run.task.characters_per_id,
        "characters_per_second": last.characters / last.seconds,
    }


def _make_task(text: str, settings: NetworkSettings) -> NetworkTask:
    module, name = TASKS[settings.family].split(":")
    prepare: Callable[..., NetworkTask] = getattr(import_module(module), name)
    task = prepare(
        text,
        preset=settings.preset,
        unit=settings.unit,
        seed=settings.seed,
        steps=settings.steps,
        minutes=settings.minutes,
    )
    if settings.checkpoints is None:
        return task
    return replace(task, schedule=replace(task.schedule, checkpoints=settings.checkpoints))


def _begin(task: NetworkTask, settings: NetworkSettings, processes: Processes) -> tuple[Run, tuple[str, ...]]:
    """The run that is in the folder, if it is to go on and there is one, else a new one; and a note on it."""
    from regard.training.network.resume import read_run
    from regard.training.network.run import Run

    found = None
    if settings.resume and settings.out is not None:
        may_go_further = settings.steps is not None or settings.minutes is not None
        found = read_run(settings.out, task, processes, may_go_further=may_go_further)
    run = found or Run.begin(task, processes)
    if processes.agree([run.step]) != [run.step]:
        raise CheckpointError(f"the processes do not find the same run in {settings.out}; it must be one shared folder")
    if not run.finished:
        return run, ()
    return run, (
        f"{settings.out} is finished, after {run.step:,} steps; ask for more --steps or --minutes to train it "
        "further, or give --force instead of --resume to start over",
    )


def _set_threads(settings: NetworkSettings) -> None:
    """Use as many threads as were asked for, else as the run began with: sums of floats depend on the number."""
    import torch

    from regard.training.network.resume import read_settings

    threads = settings.threads
    if threads is None and settings.resume and settings.out is not None:
        threads = read_settings(settings.out).get("threads")
    if threads is not None:
        torch.set_num_threads(threads)


def _train_to_end(run: Run, place: ModelFolder | None, settings: NetworkSettings, progress: Progress) -> Network:
    """The best network, once the run has come to its end; TrainingStopped where it was interrupted."""
    from regard.training.network.resume import write_run
    from regard.training.network.run import Checkpoint, Interrupted, StepReport, train

    best, per_id, validation_note = run.task.network, run.task.characters_per_id, ""
    with stop_on_signal() as stop:
        for event in train(run, stop=stop):
            if isinstance(event, StepReport):
                share = event.seconds / (event.seconds + event.seconds_left)
                progress(share, progress_line(event, characters_per_id=per_id) + validation_note)
            if isinstance(event, Checkpoint):
                validation_note = f" · held back {event.validation_nats / per_id:.4f}"
                if settings.out is None and run.is_at_best:
                    with run.learner.mean_weights() as network:
                        best = copy.deepcopy(network)  # the run's own learns on
            if place is not None and isinstance(event, Checkpoint | Interrupted):
                write_run(run, place)
    if not run.finished:
        raise TrainingStopped(_describe_saved_run(run, place, settings, is_by_user=stop.signal == signal.SIGINT))
    if stop():
        kept = "nothing is kept" if settings.out is None else f"the network is in {settings.out}"
        raise TrainingStopped(f"stopped after the last of {run.plan.n_steps:,} steps, before measuring; {kept}")
    return best


def _describe_saved_run(run: Run, place: ModelFolder | None, settings: NetworkSettings, *, is_by_user: bool) -> str:
    """Say what is saved of a stopped run. Ctrl-C saves its best network, once there was a planned evaluation."""
    stopped = f"stopped after {run.step:,} of {run.plan.n_steps:,} steps"
    if place is None:
        kept = "nothing is kept: out='FOLDER' would keep the best network"
        return f"{stopped}; {kept}" if settings.out is None else ""
    if is_by_user and run.plan.is_checkpoint(run.history[0].step):
        place.promote()
    kept = (
        f"{place.shown} still holds the model that was there"
        if place.is_apart
        else f"the best network so far is in {place.shown}"
    )
    how = "the same command with --resume"
    goes_on = f"{how} in place of --force goes on" if place.was_forced else f"{how} goes on"
    return f"{stopped}; {kept}, {goes_on}"


class Stop:
    """Whether the process was asked to stop, and by which signal."""

    signal: int | None = None

    def __call__(self) -> bool:
        """Whether it was."""
        return self.signal is not None

    def note(self, number: int, frame: Any) -> None:
        """Remember a signal; the second breaks into the step."""
        if self.signal is not None:
            raise KeyboardInterrupt
        self.signal = number


@contextmanager
def stop_on_signal() -> Iterator[Stop]:
    """Tells whether Ctrl-C was pressed, which does not break into a step; pressed again, it does."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():  # where Python allows no handlers
        yield stop
        return
    before = {number: signal.signal(number, stop.note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def progress_line(step: StepReport, *, characters_per_id: float) -> str:
    """How a run stands, in one line."""
    nats = step.train_nats / characters_per_id
    minutes, seconds = divmod(round(step.seconds_left), 60)
    rate = step.characters / max(step.seconds, 1e-9)
    return (
        f"{step.step:,}/{step.n_steps:,} · {nats:.4f} nats · {nats / math.log(2):.3f} bits/character · "
        f"{rate:,.0f} characters/s · {minutes}:{seconds:02d} left"
    )
