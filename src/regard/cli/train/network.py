"""`regard train recurrent` and `regard train transformer`: networks that predict the next character."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from regard.cli.app import Curve, Debug, Force, Json, Out, Seed, Text, Valid, read_parts, refuse_resume_with_force
from regard.cli.output import (
    Stopped,
    print_json,
    print_note,
    print_table,
    print_training,
    progress_bar,
    require_outputs,
)
from regard.display import Cell

if TYPE_CHECKING:
    from regard.training.network.run import Checkpoint

MAX_THREADS = 1024
"""More than any processor has; torch ends the whole process where the system refuses it a thread."""
Unit = Annotated[Literal["char", "byte"], typer.Option("--unit", help="What to read and predict: characters or bytes.")]
Minutes = Annotated[
    float | None, typer.Option("--minutes", min=0.01, help="Train for this long; the steps are planned to end in time.")
]
Steps = Annotated[int | None, typer.Option("--steps", min=1, help="Train for this many steps, however long they take.")]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Continue the run in DIR, if there is one; a finished run continues to more steps or minutes.",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option("--threads", min=1, max=MAX_THREADS, help="Number of threads. [default: one for each core]"),
]
Preset = Annotated[str, typer.Option("--preset", metavar="NAME", help="Size and schedule: course, best or plain.")]
SizePreset = Annotated[str, typer.Option("--preset", metavar="NAME", help="Size and schedule: small or best.")]


def network_command(family: str, *, preset: Any, doc: str) -> Callable[..., None]:
    """The command that trains networks of one family: `preset` is its option --preset, `doc` begins its help."""

    def train_network(
        text: Text,
        out: Out,
        valid: Valid = "0.1",
        preset: Preset = "best",
        minutes: Minutes = None,
        steps: Steps = None,
        resume: Resume = False,
        force: Force = False,
        unit: Unit = "char",
        threads: Threads = None,
        figure: Curve = None,
        seed: Seed = 0,
        as_json: Json = False,
        debug: Debug = False,
    ) -> None:
        length = {"steps": steps, "minutes": minutes}
        place = {"out": out, "resume": resume, "force": force}
        network = {"family": family, "preset": preset, "unit": unit, "threads": threads, "seed": seed}
        _train(text, valid, {**network, **length, **place}, figure=figure, as_json=as_json)

    train_network.__doc__ = doc
    train_network.__annotations__["preset"] = preset
    return train_network


train_recurrent = network_command(
    "recurrent",
    preset=Preset,
    doc="Train a GRU or LSTM on the characters of a text; Ctrl-C keeps the best network so far.",
)
train_transformer = network_command(
    "transformer",
    preset=SizePreset,
    doc="Train a Transformer on the characters of a text; Ctrl-C keeps the best network so far.",
)


def _train(text: str, valid: str, settings: dict[str, Any], *, figure: Path | None, as_json: bool) -> None:
    """Train a network on a text, or go on; the model and the run go to a folder, what came of it is printed."""
    from regard.studies.training.network import NetworkSettings, open_network_folder, require_torch, run
    from regard.studies.training.run import TrainingStopped

    if settings["steps"] is not None and settings["minutes"] is not None:
        raise typer.BadParameter("expected --steps or --minutes, not both")
    refuse_resume_with_force(resume=settings["resume"], force=settings["force"])
    require_outputs(figure, inputs=(text, valid), model_folder=settings["out"])
    require_torch()
    chosen = NetworkSettings(**settings)
    try:
        with open_network_folder(chosen) as place:
            parts = read_parts(text, valid, at_line_ends=False)
            with progress_bar() as progress:
                result = run(parts, chosen, place=place, progress=progress)
    except TrainingStopped as stop:
        if not str(stop):  # not the first of several processes: that one says what is kept
            raise typer.Exit(130) from None
        raise Stopped(str(stop)) from None
    if not result.facts:
        return
    for note in result.notes:
        print_note(note)
    facts, per_id = {"out": str(chosen.out), **result.facts}, result.characters_per_id
    if figure is not None:
        facts["figure"] = str(figure)
        _save_curve(result.history, figure, title=f"{chosen.family} network of {parts.name}", characters_per_id=per_id)
    if as_json:
        print_json(facts | {"history": [point.to_json() for point in result.history]})
        return
    print_history(result.history, characters_per_id=per_id)
    print_training(facts, as_json=False)


def _save_curve(history: list[Checkpoint], path: Path, *, title: str, characters_per_id: float) -> None:
    from regard.report.figures import draw_network_loss, save_figure

    steps = [point.step for point in history]
    losses = {
        "training text": [point.train_nats / characters_per_id for point in history],
        "held back": [point.validation_nats / characters_per_id for point in history],
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
