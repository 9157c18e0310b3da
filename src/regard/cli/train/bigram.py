"""`regard train bigram`: a network that reads one word and predicts the next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from regard.cli.app import (
    Curve,
    Debug,
    Force,
    Json,
    Scheduler,
    Seed,
    Valid,
    WorkerCount,
    read_parts,
    refuse_resume_with_force,
)
from regard.cli.output import (
    print_json,
    print_note,
    print_table,
    print_training,
    progress_bar,
    require_outputs,
)
from regard.display import Cell

if TYPE_CHECKING:
    from regard.records import TrainingStep


Text = Annotated[
    str | None,
    typer.Option(
        "--text", metavar="NAME|FILE", help="Train on this: a file, a corpus by name, or - for standard input."
    ),
]
Vocabulary = Annotated[
    int | None,
    typer.Option(
        "--vocabulary",
        min=2,
        help="Know this many words; others are unknown. [default: 2000, of those seen at least twice]",
    ),
]
Unit = Annotated[
    Literal["word", "course"],
    typer.Option("--unit", help="word: words as they are; course: lower case, digits as DG."),
]
Trainer = Annotated[
    Literal["counts", "sgd"],
    typer.Option("--trainer", help="counts: L-BFGS on the counts of bigrams; sgd: small steps, as in the course."),
]
Vectors = Annotated[
    str | None,
    typer.Option("--vectors", metavar="NAME|FILE", help="Start from these word vectors, in GloVe's text format."),
]
Hidden = Annotated[int | None, typer.Option("--hidden", min=1, help="Number of hidden units. [default: 200; sgd: 50]")]
Width = Annotated[
    int | None,
    typer.Option(
        "--width",
        min=1,
        help="Length of a word vector; longer given ones are cut. [default: the number of hidden units]",
    ),
]
Activation = Annotated[
    Literal["sigmoid", "tanh"] | None,
    typer.Option("--activation", help="Activation of the hidden units. [default: tanh; sgd: sigmoid]"),
]
Iterations = Annotated[
    int | None,
    typer.Option(
        "--iterations",
        min=1,
        help="Train for at most this many iterations. [default: chosen on a tenth of the lines; sgd: 40000]",
    ),
]
BesideCounts = Annotated[
    bool, typer.Option("--beside-counts", help="Mix the network with a Kneser–Ney model; trains the network twice.")
]
StopEarly = Annotated[
    bool,
    typer.Option("--stop-early", help="Validate on one line in ten, and keep the network that predicts those best."),
]
CheckGradients = Annotated[
    bool, typer.Option("--check-gradients", help="Train nothing: compare every derivative with numerical ones.")
]


def train_bigram(
    text: Text = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Write the model to this folder.")] = None,
    valid: Valid = "0.1",
    vocabulary: Vocabulary = None,
    unit: Unit = "word",
    trainer: Trainer = "counts",
    vectors: Vectors = None,
    fix_vectors: Annotated[bool, typer.Option("--fix-vectors", help="Do not train the given vectors.")] = False,
    hidden: Hidden = None,
    width: Width = None,
    activation: Activation = None,
    iterations: Iterations = None,
    beside_counts: BesideCounts = False,
    stop_early: StopEarly = False,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the sgd run in DIR.")] = False,
    force: Force = False,
    figure: Curve = None,
    check_gradients: CheckGradients = False,
    workers: WorkerCount = 1,
    scheduler: Scheduler = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Train h = σ(x W₁ + b₁), ŷ = softmax(h W₂ + b₂) to predict each word from the one before it."""
    from regard.models.folder_writer import writing
    from regard.records import Workers
    from regard.studies.training.bigram import run
    from regard.studies.training.glove import find_vectors
    from regard.training.bigram.train import BigramConfig

    if check_gradients:
        raise typer.Exit(print_gradients(activation=activation or "sigmoid", seed=seed, as_json=as_json))
    if text is None or out is None:
        raise typer.BadParameter("expected --text and --out, or --check-gradients alone")
    _require_fitting(trainer, counts_only=beside_counts or stop_early, resume=resume)
    if fix_vectors and vectors is None:
        raise typer.BadParameter("--fix-vectors does nothing by itself: give the vectors with --vectors NAME|FILE")
    refuse_resume_with_force(resume=resume, force=force)
    require_outputs(figure, inputs=(text, valid, vectors), model_folder=out)
    group = Workers(workers, scheduler)
    config = BigramConfig(
        unit=unit,
        vocabulary=vocabulary,
        trainer=trainer,
        hidden=hidden,
        width=width,
        activation=activation,
        vectors="fixed" if fix_vectors else "tuned",
        iterations=iterations,
        beside_counts=beside_counts,
        stop_early=stop_early,
        seed=seed,
    )
    with writing(out, kind="bigram", force=force, resume=resume) as place:
        parts = read_parts(text, valid, at_line_ends=True)
        with progress_bar() as progress:
            given = None if vectors is None else find_vectors(vectors, note=print_note)
            result = run(parts, config, vectors=given, place=place, workers=group, progress=progress)
    facts = {"out": str(out), **result.facts}
    if figure is not None:
        _save_curve(result.history, figure, trainer=trainer, text=text)
        facts["figure"] = str(figure)
    _print_result(facts, result.history, as_json=as_json)


def _require_fitting(trainer: str, *, counts_only: bool, resume: bool) -> None:
    """Wrong usage where an option belongs to the other trainer."""
    if trainer == "sgd" and counts_only:
        raise typer.BadParameter("--beside-counts and --stop-early go with --trainer counts")
    if resume and trainer != "sgd":
        raise typer.BadParameter("--resume goes with --trainer sgd; counts are trained in one go")


def _print_result(facts: dict[str, Any], history: list[TrainingStep], *, as_json: bool) -> None:
    checkpoints = [step for step in history if step.valid_perplexity is not None]
    if as_json:
        print_json(facts | {"history": checkpoints})
        return
    print_checkpoints(checkpoints)
    print_training(facts, as_json=False)


def _save_curve(history: list[TrainingStep], path: Path, *, trainer: str, text: str) -> None:
    from regard.report.figures import draw_loss, save_figure

    loss = "loss of the training text" if trainer == "sgd" else "loss of the training text, with decay"
    save_figure(draw_loss(history, loss=loss, unit="word", title=f"bigram model of {text}"), path)


def print_checkpoints(steps: list[TrainingStep]) -> None:
    """How loss and perplexity fell; nothing where nothing was measured on the way."""
    if steps:
        rows: list[list[Cell]] = [[step.iteration, step.train_nats, step.valid_perplexity or 0.0] for step in steps]
        print_table(["iteration", "loss", "perplexity of validation text"], rows)
        print()


def print_gradients(*, activation: str, seed: int, as_json: bool) -> int:
    """The table of derivatives against differences and complex steps; 0 if all hold, else 1."""
    import numpy as np

    from regard.training.bigram.gradient_check import check_random

    rows = check_random(np.random.default_rng(seed), activation=activation)  # type: ignore[arg-type]
    if as_json:
        print_json({"activation": activation, "rows": list(rows), "holds": all(row.holds for row in rows)})
    else:
        columns = ["derivative by", "entries", "largest", "off central difference", "off complex step", "holds"]
        table: list[list[Cell]] = [
            [r.parameter, r.n_tried, r.largest_derivative, r.central_difference, r.complex_step, r.holds] for r in rows
        ]
        print_table(columns, table, digits=3)
    return 0 if all(row.holds for row in rows) else 1
