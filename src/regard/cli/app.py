"""The commands of `regard`, each imported when it is called, and what they share: options, and how --text is read."""

from __future__ import annotations

import importlib
import itertools
import os
import re
import sys
import weakref
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperCommand, TyperGroup

from regard import __version__
from regard.cli.output import show_activity
from regard.errors import InputFileError
from regard.files import is_stream, require_writable
from regard.progress import Progress, silent

if TYPE_CHECKING:
    from regard.studies.training.run import TextParts
    from regard.text.corpora.corpus import Corpus

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


def new_app(help_text: str, *, epilog: str | None = None, group: type[TyperGroup] | None = None) -> typer.Typer:
    """An empty command (or group of commands) whose help pages are plain text."""
    return typer.Typer(help=help_text, epilog=epilog, cls=group, rich_markup_mode=None, add_completion=False)


def example(*lines: str) -> str:
    """The last part of a help page: commands to try, kept as they are."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


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


MAX_SEED = 2**63 - 1  # what torch takes


def check_seed(seed: int) -> int:
    """Refuse a seed that is too large for a generator."""
    if seed > MAX_SEED:
        raise typer.BadParameter(f"expected a whole number up to {MAX_SEED}; got {seed}")
    return seed


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
Seed = Annotated[
    int, typer.Option("--seed", min=0, callback=check_seed, help="Seed of the random numbers, where any are drawn.")
]
# Read by main(), which catches what commands raise; declared here so that each command accepts and explains it.
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]

AttributionMethod = Annotated[
    Literal["exact", "integrated-gradients", "shapley", "leave-one-out"] | None,
    typer.Option(
        "--method",
        help="How a word's share is computed. Shares of the first three methods sum to the difference from a text "
        "without words; leave-one-out shows what changes without the word, and does not add up. [default: exact "
        "where logits are a sum over words, else integrated-gradients]",
    ),
]

Text = Annotated[
    str,
    typer.Option(
        "--text",
        metavar="NAME|FILE",
        help="Train on this: a file, a name from `regard data list`, or - for standard input.",
    ),
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="Write the model to this folder.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the model in DIR once the new one is complete.")]
Valid = Annotated[
    str,
    typer.Option(
        "--valid",
        metavar="FRACTION|NAME|FILE",
        help="Measure on this: the last part of the text, or another text; 0: nothing.",
    ),
]
Data = Annotated[
    str,
    typer.Option(
        "--data",
        metavar="NAME|FILE|FOLDER",
        help="Labelled texts: movie-snippets, imdb, .csv, .tsv, .jsonl, .parquet, or a folder for each label.",
    ),
]
TextColumn = Annotated[
    str | None,
    typer.Option("--text-column", metavar="NAME", help="Column of the texts in a table. [default: the usual names]"),
]
LabelColumn = Annotated[
    str | None,
    typer.Option("--label-column", metavar="NAME", help="Column of the labels in a table. [default: the usual names]"),
]

KEY_FORMATS = ".npy, .npz[:NAME], .json[:NAME], or .toml with keys and noise"
ARRAY_FORMATS = ".npy, .npz[:NAME] or .json[:NAME]"


WorkerCount = Annotated[
    int, typer.Option("--workers", min=1, max=64, help="Processes of this machine that share the work.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="tcp://HOST:PORT",
        help="Have the workers of this Dask scheduler do the work; only in networks that you trust.",
    ),
]


OPTION = re.compile(r"--[A-Za-z][\w-]*(=.*)?|-[A-Za-z]+|--", re.DOTALL)
"""What somebody who types it takes for an option, there or not."""


class FreeText(TyperCommand):
    """A command whose arguments may begin with a minus sign, as -q = k does, and are no options for that."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Tell arguments and options apart."""
        valued = {
            name
            for parameter in self.params
            if not getattr(parameter, "is_flag", False)
            for name in parameter.opts
            if name.startswith("-")
        }
        return super().parse_args(ctx, move_arguments_last(args, valued))


def move_arguments_last(args: list[str], valued: Collection[str]) -> list[str]:
    """The options, each of those in `valued` with its value, then -- and the arguments, if one begins with a minus.

    >>> move_arguments_last(["-q = k", "--json", "--goal", "-c = v"], {"--goal"})
    ['--json', '--goal', '-c = v', '--', '-q = k']
    """
    options: list[str] = []
    arguments: list[str] = []
    rest = iter(args)
    for word in rest:
        if word == "--":
            arguments += rest
        elif word.startswith("-") and word != "-" and OPTION.fullmatch(word):
            options += [word, *itertools.islice(rest, int(word in valued))]
        else:
            arguments.append(word)
    return [*options, "--", *arguments] if any(word.startswith("-") for word in arguments) else args


def writable(suffix: str = "") -> Callable[[Path | None], Path | None]:
    """A check of a file to write, before any work is done: a name of the right kind, in a place that can be written."""

    def check(path: Path | None) -> Path | None:
        if path is None:
            return None
        if suffix and path.suffix != suffix and not is_stream(path):
            raise typer.BadParameter(f"expected a name that ends in {suffix}; got {str(path)!r}")
        require_writable(path)
        return path

    return check


def drawable(path: Path | None) -> Path | None:
    """A check of `--figure`, before any work is done: its format is known, it can be drawn, and written there."""
    if path is not None:
        from regard.report.figures import require_figure

        require_figure(path)
    return path


Figure = Annotated[
    Path | None,
    typer.Option("--figure", metavar="FILE", callback=drawable, help="Save the figure: .png, .svg or .pdf."),
]
Csv = Annotated[
    Path | None,
    typer.Option("--csv", metavar="FILE.csv", callback=writable(".csv"), help="Save the table as CSV."),
]


Curve = Annotated[
    Path | None,
    typer.Option("--figure", metavar="FILE", callback=drawable, help="Save the loss curve: .png, .svg or .pdf."),
]


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


def fraction_or_name(text: str) -> float | str:
    """What was typed where a fraction or a name is expected.

    >>> fraction_or_name("0.1"), fraction_or_name("valid.txt")
    (0.1, 'valid.txt')
    """
    try:
        return float(text)
    except ValueError:
        return text


def refuse_resume_with_force(*, resume: bool, force: bool) -> None:
    """A run can go on or be replaced: both together are wrong usage."""
    if resume and force:
        raise typer.BadParameter("expected --resume, to go on, or --force, to start over; not both")


THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def use_one_thread() -> None:
    """Have NumPy and torch, which are yet to be loaded, calculate on one thread, unless something else was asked for.

    Threads that wait for each other spend the processor's time, by which models are compared here; and on one thread
    the figures are the same whatever the number of cores.
    """
    for name in THREADS:
        os.environ.setdefault(name, "1")


STANDARD_INPUT = "-"
"""What is typed for it."""
STANDARD_INPUT_NAME: Literal["standard input"] = "standard input"
"""What messages call it."""
_READ: weakref.WeakSet[Any] = weakref.WeakSet()
"""The standard input, once it has been read; in a test run there are several, one after the other."""


def find_text(name: str, *, progress: Progress = silent) -> Corpus:
    """The text in a file, of a corpus, or, for a dash, on standard input."""
    from regard.text.corpora.corpus import Corpus, find_corpus

    if name != STANDARD_INPUT:
        return find_corpus(name, progress=progress)
    return Corpus(STANDARD_INPUT_NAME, STANDARD_INPUT_NAME, given=read_standard_input())


def read_standard_input() -> str:
    """All that comes through the pipe; InputFileError where nothing comes, or it has been read before."""
    from regard.text.corpora.reader import MAX_BYTES, decode_text

    if sys.stdin is not None and sys.stdin in _READ:
        raise InputFileError("standard input can be read only once; give - for one text, and files for the others")
    try:
        content = b"" if sys.stdin is None else _input_bytes(MAX_BYTES + 1)
    except OSError as error:
        raise InputFileError(f"cannot read standard input: {error.strerror}") from error
    if not content:
        raise InputFileError(
            "nothing came on standard input; pipe a text into the command, or name a file instead of -"
        )
    return decode_text(content, name=STANDARD_INPUT_NAME)


def _input_bytes(limit: int) -> bytes:
    """Read standard input up to its end or `limit` bytes; on a terminal, say first how to end the input."""
    _READ.add(sys.stdin)
    if sys.stdin.isatty():
        print("regard: reading standard input: type or paste a text, then end it with Ctrl-D", file=sys.stderr)
    return sys.stdin.buffer.read(limit)


def read_parts(text: str, valid: str, *, at_line_ends: bool, max_valid: int | None = None) -> TextParts:
    """The text to learn from and the one to measure on, as typed for `--text` and `--valid`."""
    from regard.studies.training.run import split_text

    with show_reading(text, valid):
        other = fraction_or_name(valid)
        corpus = find_text(text)
        part = find_text(other) if isinstance(other, str) else other
        return split_text(corpus, valid=part, at_line_ends=at_line_ends, max_valid=max_valid)


def show_reading(*names: str) -> AbstractContextManager[Any]:
    """A sign of life on the terminal while texts are read, but not where one of them is being typed there."""
    if STANDARD_INPUT in names and sys.stdin is not None and sys.stdin.isatty():
        return nullcontext()
    return show_activity(f"reading {names[0]}")
