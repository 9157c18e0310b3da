"""Options that several commands share, so that the same word means the same thing everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from regard.errors import InputFileError

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Where sampling is needed, start it here.")]
# Read by main(), which catches what commands raise; declared here so that each command accepts and explains it.
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]

KEY_FORMATS = ".npy, .npz[:NAME], .json[:NAME], or .toml with keys and noise"
ARRAY_FORMATS = ".npy, .npz[:NAME] or .json[:NAME]"


def new_app(help_text: str, *, epilog: str | None = None, group: type[TyperGroup] | None = None) -> typer.Typer:
    """An empty command (or group of commands) whose help pages are plain text."""
    return typer.Typer(help=help_text, epilog=epilog, cls=group, rich_markup_mode=None, add_completion=False)


def example(*lines: str) -> str:
    """The last part of a help page: commands to try, kept as they are."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


def writable(suffix: str) -> Callable[[Path | None], Path | None]:
    """A check of `--out`, before any work is done: the right kind of file, in a folder that exists."""

    def check(path: Path | None) -> Path | None:
        if path is None:
            return None
        if path.suffix != suffix:
            raise typer.BadParameter(f"expected a name that ends in {suffix}; got {str(path)!r}")
        if not path.parent.is_dir():
            raise InputFileError(f"cannot write {path}: there is no folder {path.parent}")
        return path

    return check


class KeyIndices(list[int]):
    """Keys as they are typed, 0,1,5, counted from 0; wrong usage where they are something else."""

    @classmethod
    def parse(cls, text: str) -> KeyIndices:
        """The numbers between the commas."""
        return cls(_split(text, int, "whole numbers with commas between, as in 0,1,5"))


class Scales(tuple[float, ...]):
    """Numbers as they are typed, 1,10,100; wrong usage where they are something else."""

    @classmethod
    def parse(cls, text: str) -> Scales:
        """The numbers between the commas."""
        return cls(_split(text, float, "numbers with commas between, as in 1,10,100"))


def _split(text: str, number: Callable[[str], Any], expected: str) -> list[Any]:
    try:
        return [number(part) for part in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"expected {expected}; got {text!r}") from None
