"""What `regard train recurrent` and `regard train transformer` do: read, train, keep the run, measure."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import typer

from regard.cli.output import Cell, Stopped, at_work, print_json, print_table, require_outputs
from regard.cli.training_text import Stopwatch, TextParts, measured, read_parts, report, require_one
from regard.errors import CheckpointError, MissingExtraError

if TYPE_CHECKING:
    from regard.models.folder_writer import ModelFolder
    from regard.training.network.processes import Processes
    from regard.training.network.run import Checkpoint, Event, NetworkTask, Run, StepReport

TASKS = {
    "recurrent": "regard.training.network.recurrent:recurrent_task",
    "transformer": "regard.training.network.transformer:transformer_task",
}
"""Each family of networks, and the function that prepares one for a text."""

Show: TypeAlias = "Callable[[Event], None]"


@dataclass(frozen=True)
class NetworkOptions:
    """What was asked for on the command line, apart from texts."""

    family: Literal["recurrent", "transformer"]
    out: Path
    preset: str
    unit: Literal["char", "byte"]
    steps: int | None
    minutes: float | None
    resume: bool
    force: bool
    threads: int | None
    seed: int
    figure: Path | None
    as_json: bool


def train_network(text: str, valid: str, options: NetworkOptions) -> None:
    """Train a network on a text, or go on; the model and the run go to a folder, what came of it is printed."""
    if options.steps is not None and options.minutes is not None:
        raise typer.BadParameter("expected --steps or --minutes, not both")
    require_one(resume=options.resume, force=options.force)
    require_outputs(options.figure, inputs=(text, valid), model_folder=options.out)
    require_torch()
    from regard.training.network.processes import join_processes

    # What the first process refuses, or finishes of an earlier save, it does before the others have joined it.
    with written_by_first(options) as place:
        parts = read_parts(text, valid, at_line_ends=False)
        with join_processes() as processes:
            watch = Stopwatch()
            run = _trained(parts, options, processes, place)
    if processes.is_first:
        _report(run, parts, options, watch.seconds())


@contextmanager
def written_by_first(options: NetworkOptions) -> Iterator[ModelFolder | None]:
    """The folder to write to, in the first of the processes that `torchrun` started; None in the others."""
    from regard.models.folder import require_safetensors
    from regard.models.folder_writer import writing
    from regard.training.network.processes import is_first_process

    require_safetensors()
    if not is_first_process():
        yield None
        return
    with writing(options.out, kind=options.family, force=options.force, resume=options.resume) as place:
        yield place


def require_torch() -> None:
    """MissingExtraError where torch is not installed; its threads, where there are several, wait asleep."""
    # By default they wait spinning, which on a machine that has other things to do made steps 4 to 15 times slower.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        import_module("torch")
    except ImportError as error:
        raise MissingExtraError("training a network needs torch: pip install 'regard[models]'") from error


def _trained(parts: TextParts, options: NetworkOptions, processes: Processes, place: ModelFolder | None) -> Run:
    """The run at its end; Stopped where it was interrupted."""
    from regard.training.network.resume import write_run
    from regard.training.network.run import Checkpoint, Interrupted, train

    _set_threads(options)
    with at_work("preparing"):
        task = _task(parts.train, options)
        run = _begun(task, options, processes)
    with until_interrupted() as stop, progress_bar(task, is_shown=processes.is_first) as show:
        for event in train(run, stop=stop):
            show(event)
            if place is not None and isinstance(event, Checkpoint | Interrupted):
                write_run(run, place)
    if not run.finished:
        if place is None:
            raise typer.Exit(130)
        raise Stopped(_stopped(run, place, is_by_user=stop.signal == signal.SIGINT))
    return run


def _stopped(run: Run, place: ModelFolder, *, is_by_user: bool) -> str:
    """What is kept of a run that was stopped. Ctrl-C keeps its best network, once there was an evaluation by plan."""
    if is_by_user and run.plan.is_checkpoint(run.history[0].step):
        place.promote()
    kept = (
        f"{place.shown} still holds the model that was there"
        if place.is_apart
        else f"the best network so far is in {place.shown}"
    )
    how = "the same command with --resume"
    goes_on = f"{how} in place of --force goes on" if place.was_forced else f"{how} goes on"
    return f"stopped after {run.step:,} of {run.plan.n_steps:,} steps; {kept}, {goes_on}"


def _task(text: str, options: NetworkOptions) -> NetworkTask:
    module, name = TASKS[options.family].split(":")
    prepare = getattr(import_module(module), name)
    return prepare(
        text,
        preset=options.preset,
        unit=options.unit,
        seed=options.seed,
        steps=options.steps,
        minutes=options.minutes,
    )


def _begun(task: NetworkTask, options: NetworkOptions, processes: Processes) -> Run:
    """The run that is in the folder, if it is to go on and there is one; else a new one."""
    from regard.training.network.resume import read_run
    from regard.training.network.run import Run

    may_go_further = options.steps is not None or options.minutes is not None
    found = read_run(options.out, task, processes, may_go_further=may_go_further) if options.resume else None
    run = found or Run.begin(task, processes)
    if processes.agree([run.step]) != [run.step]:
        raise CheckpointError(f"the processes do not find the same run in {options.out}; it must be one shared folder")
    if run.finished and processes.is_first:
        _tell(
            f"{options.out} is finished, after {run.step:,} steps; ask for more --steps or --minutes to train it "
            "further, or give --force instead of --resume to begin anew"
        )
    return run


def _set_threads(options: NetworkOptions) -> None:
    """As many threads as were asked for, else as the run was begun with: sums of floats depend on them."""
    import torch

    from regard.training.network.resume import read_settings

    threads = options.threads
    if threads is None and options.resume:
        threads = read_settings(options.out).get("threads")
    if threads is not None:
        torch.set_num_threads(threads)


class Stop:
    """Whether the process was told to stop, and by which signal."""

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
def until_interrupted() -> Iterator[Stop]:
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


@contextmanager
def progress_bar(task: NetworkTask, *, is_shown: bool) -> Iterator[Show]:
    """A bar on the terminal with loss, bits per character, characters per second and time left; nothing in a pipe."""
    if not (is_shown and sys.stderr.isatty()):
        yield lambda event: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bar

    from regard.training.network.run import Checkpoint, StepReport

    per_id, held_back = task.characters_per_id, ""
    columns = (BarColumn(bar_width=None), TaskProgressColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=Console(stderr=True), transient=True, expand=True) as bar:
        row = bar.add_task("", total=1.0)

        def show(event: Event) -> None:
            nonlocal held_back
            if isinstance(event, Checkpoint):
                held_back = f" · held back {event.validation_nats / per_id:.4f}"
            elif isinstance(event, StepReport):
                line = progress_line(event, characters_per_id=per_id) + held_back
                bar.update(row, completed=event.seconds / (event.seconds + event.seconds_left), description=line)

        yield show


def progress_line(event: StepReport, *, characters_per_id: float) -> str:
    """How a run stands, in one line."""
    nats = event.train_nats / characters_per_id
    minutes, seconds = divmod(round(event.seconds_left), 60)
    rate = event.characters / max(event.seconds, 1e-9)
    return (
        f"{event.step:,}/{event.n_steps:,} · {nats:.4f} nats · {nats / math.log(2):.3f} bits/character · "
        f"{rate:,.0f} characters/s · {minutes}:{seconds:02d} left"
    )


def _report(run: Run, parts: TextParts, options: NetworkOptions, seconds: dict[str, float]) -> None:
    """Measure the best network, save the figure, print."""
    from regard.models.checkpoint import load_model

    best, last = run.best, run.history[-1]
    assert best is not None  # a finished run has been evaluated
    per_id = run.task.characters_per_id
    facts = {
        "out": str(options.out),
        "preset": options.preset,
        "parameters": sum(p.numel() for p in run.task.network.parameters()),
        "steps": run.step,
        **seconds,
        **measured(load_model(options.out), parts),
        "held_back_nats_per_character": best.validation_nats / per_id,
        "characters_per_second": last.characters / last.seconds,
    }
    if options.figure is not None:
        facts["figure"] = str(options.figure)
        _save_curve(run, options.figure, title=f"{options.family} network of {parts.name}")
    if options.as_json:
        print_json(facts | {"history": [point.to_json() for point in run.history]})
        return
    print_history(run.history, characters_per_id=per_id)
    report(facts, as_json=False)


def _save_curve(run: Run, path: Path, *, title: str) -> None:
    from regard.report.figure_file import save_figure
    from regard.report.loss import draw_network_loss

    per_id = run.task.characters_per_id
    steps = [point.step for point in run.history]
    losses = {
        "training text": [point.train_nats / per_id for point in run.history],
        "held back": [point.validation_nats / per_id for point in run.history],
    }
    save_figure(draw_network_loss(steps, losses, title=title), path)


def print_history(history: list[Checkpoint], *, characters_per_id: float) -> None:
    """How the loss fell, at each checkpoint."""
    rows: list[list[Cell]] = [
        [point.step, point.train_nats / characters_per_id, point.validation_nats / characters_per_id]
        for point in history
    ]
    print_table(["step", "loss, nats per character", "of held-back text"], rows, digits=5)
    print()


def _tell(line: str) -> None:
    print(f"regard: {line}", file=sys.stderr)
