"""`regard train mixture`: several models at once, weighed by what each is good at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from regard.cli.app import Debug, Force, Json, Out, Valid, find_text, read_parts
from regard.cli.output import print_json, print_table, print_training, progress_bar, show_activity
from regard.display import Cell

Models = Annotated[
    list[Path], typer.Argument(metavar="MODEL MODEL...", help="Folders of two or more models of the same text.")
]
Text = Annotated[
    str,
    typer.Option(
        "--text", metavar="NAME|FILE", help="The text that the models were trained on; needed to fit the weights."
    ),
]
Form = Annotated[
    Literal["geometric", "linear"],
    typer.Option("--form", help="geometric: multiply the models' probabilities, each to a power; linear: add them."),
]
Gate = Annotated[
    Literal["features", "fixed"],
    typer.Option("--gate", help="features: weights depend on the context; fixed: the same everywhere."),
]
Adaptive = Annotated[
    bool,
    typer.Option("--adaptive/--no-adaptive", help="Also fit a part that learns from the text while it is scored."),
]
FitOn = Annotated[
    str | None,
    typer.Option(
        "--fit-on",
        metavar="NAME|FILE",
        help="Fit the weights on this text, new to all models. [default: the part of --text that networks validate on]",
    ),
]


def train_mixture(
    models: Models,
    text: Text,
    out: Out,
    valid: Valid = "0.1",
    form: Form = "geometric",
    gate: Gate = "features",
    adaptive: Adaptive = True,
    fit_on: FitOn = None,
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Mix models over the same alphabet; the weights are fitted on text that none of them has learnt from."""
    if len(models) < 2:
        raise typer.BadParameter("expected two models or more, as in: regard train mixture MODEL MODEL --text …")
    from regard.models.checkpoint import load_model
    from regard.models.folder_writer import writing
    from regard.studies.training.mixture import run
    from regard.training.mixture import MixtureConfig

    config = MixtureConfig(form=form, gate=gate, adaptive=adaptive)
    with writing(out, kind="mixture", force=force) as place:
        with show_activity("reading the models"):
            members = [load_model(model) for model in models]
        parts = read_parts(text, valid, at_line_ends=members[0].tokeniser.unit == "word")
        other = None if fit_on is None else find_text(fit_on).text
        names = [str(model) for model in models]
        with progress_bar() as progress:
            result = run(members, parts, config, names=names, fit_on=other, place=place, progress=progress)
    print_mixture({"out": str(out), **result.facts}, as_json=as_json)


def print_mixture(facts: dict[str, Any], *, as_json: bool) -> None:
    """The members beside the mixture; then the adaptive figure, apart."""
    if as_json:
        print_json(facts)
        return
    from regard.studies.training.mixture import ADAPTIVE, PER_CHARACTER

    facts = dict(facts)
    members, adaptive = facts.pop("members"), facts.pop(ADAPTIVE, None)
    facts.pop("adaptive_settings", None)
    if PER_CHARACTER in facts:
        rows: list[list[Cell]] = [[m["model"], m["mean_weight"], m[PER_CHARACTER]] for m in members]
        rows.append(["the mixture", sum(m["mean_weight"] for m in members), facts[PER_CHARACTER]])
        print_table(["model", "mean weight", "nats per character of validation text"], rows, digits=5)
    else:
        print_table(["model", "mean weight"], [[m["model"], m["mean_weight"]] for m in members], digits=5)
    print()
    print_training(facts, as_json=False)
    if adaptive is not None:
        print(
            f"\nadaptive: {adaptive:.5g} nats per character, by members that learn from the text as they score it; "
            "not to be compared with the figures above"
        )
