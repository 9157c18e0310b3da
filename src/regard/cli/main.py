"""The entry point `regard`: which commands there are, and what becomes of an error.

exit code   0   done
            1   failed: one line on stderr says why (`--debug` shows the traceback instead)
            2   wrong usage: one line on stderr says what, and where help is
          130   interrupted
          143   ended by SIGTERM, as `kill` and `timeout` send it, once unfinished files are removed
"""

from __future__ import annotations

import contextlib
import importlib
import io
import itertools
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from regard import __version__
from regard.cli.options import example
from regard.cli.output import Stopped
from regard.errors import RegardError

COMMANDS = {
    "attend": "Weights and output for arrays in .npy, .npz or .json.",
    "check": "A written claim: it holds, holds in the limit, or fails and where.",
    "classify": "The label of each text, how sure that is, and the words that decided.",
    "data": "Corpora and word vectors: list them, get one, show what is in it.",
    "design": "A query that copies, averages, mixes or withstands noise; what is out of reach.",
    "lab": "Attention to drag and models to question, in a browser.",
    "perplexity": "Several models on several texts, in comparable units, with what to be wary of.",
    "sample": "Text from a language model, as it is drawn.",
    "study": "One question, answered with figures: noisy keys, characters or words, averages, errors.",
    "train": "Models from a text: ngram, bigram, recurrent, transformer, mixture, averaging, glove.",
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
        return name, command and load_command(str(name)), rest


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
    """Attention, and the small language models around it: see it, prove it, measure it."""


class Terminated(BaseException):
    """SIGTERM has come; raised so that blocks which were entered are left, and unfinished files removed."""


@contextlib.contextmanager
def _unwound_by_sigterm() -> Iterator[None]:
    """Let SIGTERM leave every block before it ends the process, which by itself it would end on the spot."""

    def leave(number: int, frame: Any) -> None:
        raise Terminated

    try:
        before = signal.signal(signal.SIGTERM, leave)
    except ValueError:  # not the main thread, the only one that Python lets handle signals
        yield
        return
    try:
        yield
    except Terminated:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code. Nothing but a line on stderr comes of an error, unless `--debug` is given."""
    with _unwound_by_sigterm():
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        _tolerate_narrow_encodings()
        code = typer.main.get_command(app).main(args=given, prog_name="regard", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        return _complain(_usage_line(error, given), code=error.exit_code)
    except BrokenPipeError:  # the reader has left, as `head` does; what is still to be flushed goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Stopped as stopped:
        return _complain(str(stopped), code=130)
    except KeyboardInterrupt:
        return _complain("interrupted", code=130)
    except Exception as error:
        if "--debug" in given:
            raise
        return _complain(_error_line(error), code=1)
    if code == 130:  # typer catches the interrupt of a running command itself
        return _complain("interrupted", code=130)
    return code if isinstance(code, int) else 0


def _complain(message: str, *, code: int) -> int:
    print("regard:", " ".join(line.strip() for line in message.splitlines()), file=sys.stderr)
    return code


def _usage_line(error: typer.TyperException, given: list[str]) -> str:
    context = getattr(error, "ctx", None)  # what a command itself refuses comes without
    words = itertools.takewhile(lambda word: not word.startswith("-"), given)
    place = " ".join(["regard", *words]) if context is None else context.command_path
    return f"{error.format_message().rstrip().rstrip('.')} (see '{place} --help')"


def _error_line(error: Exception) -> str:
    if isinstance(error, RegardError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return f"internal error, {type(error).__name__}: {error}; --debug shows where"


def _tolerate_narrow_encodings() -> None:
    """Where stdout cannot hold a Greek letter, print a question mark rather than fail."""
    with contextlib.suppress(AttributeError, io.UnsupportedOperation):
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
