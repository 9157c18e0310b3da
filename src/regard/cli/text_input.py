"""Texts that commands read: a file, a corpus by its name, or what comes on standard input, for which - stands."""

from __future__ import annotations

import sys
import weakref
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal

from regard.cli.options import fraction_or_name
from regard.cli.output import at_work
from regard.errors import InputFileError
from regard.progress import Progress, silent

if TYPE_CHECKING:
    from regard.studies.training.text import TextParts
    from regard.text.corpora.corpus import Corpus

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
    """What comes before the end of standard input, up to `limit` bytes; who is to type it is told how to end it."""
    _READ.add(sys.stdin)
    if sys.stdin.isatty():
        print("regard: reading standard input: type or paste a text, then end it with Ctrl-D", file=sys.stderr)
    return sys.stdin.buffer.read(limit)


def read_parts(text: str, valid: str, *, at_line_ends: bool) -> TextParts:
    """The text to learn from and the one to measure on, as typed for `--text` and `--valid`."""
    from regard.studies.training.text import split_text

    with show_reading(text, valid):
        other = fraction_or_name(valid)
        corpus = find_text(text)
        return split_text(
            corpus, valid=find_text(other) if isinstance(other, str) else other, at_line_ends=at_line_ends
        )


def show_reading(*names: str) -> AbstractContextManager[Any]:
    """A sign of life on the terminal while texts are read, but not where one of them is being typed there."""
    if STANDARD_INPUT in names and sys.stdin is not None and sys.stdin.isatty():
        return nullcontext()
    return at_work(f"reading {names[0]}")
