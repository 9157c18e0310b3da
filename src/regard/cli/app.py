"""Which commands `regard` has; each is imported when it is called."""

from __future__ import annotations

import importlib
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from regard import __version__
from regard.cli.options import example

COMMANDS = {
    "attend": "Show what queries read, for arrays in .npy, .npz or .json.",
    "check": "Try a written claim: does it hold, hold in the limit, or fail, and where?",
    "classify": "Label texts, and show the words that decided.",
    "data": "Corpora and word vectors: list them, get one, show what is in it.",
    "design": "Design a query that copies, averages, mixes or withstands noise.",
    "heads": "Show what every head of a pretrained Transformer does.",
    "lab": "Open the lab in a browser: drag keys and queries, question models.",
    "perplexity": "Compare language models on texts, in units that can be compared.",
    "sample": "Draw text from a language model.",
    "scale": "Plan the counting of a long text: hours, disk, memory, what breaks first.",
    "study": "Answer one question with figures: noisy keys, models, classifiers, errors.",
    "tour": "Answer the questions of the exercise, with evidence, as one page.",
    "train": "Train a language model, a classifier or word vectors.",
}
"""Each command and its help line; its module, regard.cli.<name>, is imported when it is called and holds `app`."""


class LateGroup(TyperGroup):
    """Commands known by their help lines alone, until one is called."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, line in COMMANDS.items():
            self.add_command(TyperCommand(name, short_help=line))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that was asked for, now imported, and the arguments that remain."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, None if command is None else load_command(str(name)), rest


def load_command(name: str) -> Any:
    """The command of this name, from its own module."""
    return typer.main.get_command(importlib.import_module(f"regard.cli.{name}").app)


app = typer.Typer(cls=LateGroup, rich_markup_mode=None)


def _print_version(wanted: bool) -> bool:
    if wanted:
        typer.echo(f"regard {__version__}")
        raise typer.Exit
    return wanted


@app.callback(
    epilog=example(
        "regard study one-vs-many --figure study.png",
        "regard train ngram --text python-manual --out manual",
        "regard perplexity manual --text README.md",
    )
)
def regard(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Attention, and the small language models around it: see it, try it, measure it."""
