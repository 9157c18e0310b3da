"""How far a long computation is: one way to report it, and one way to show it.

Whatever takes longer than a moment takes `progress`, calls it now and then, and may be stopped by an exception that
it raises. Command line, lab and notebooks each bring their own: a bar, a line in the page, nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from typing import Protocol, TypeVar, runtime_checkable

Item = TypeVar("Item")
NOTEBOOK_SECONDS = 0.5
"""A line in a notebook is rewritten at most this often."""


@runtime_checkable
class Progress(Protocol):
    """Receives the share that is done, from 0 to 1 or None where it cannot be known, and what is being done."""

    def __call__(self, share: float | None, message: str = "") -> None:
        """Take notice; raise to stop the computation."""


def silent(share: float | None, message: str = "") -> None:
    """Report nothing: what functions take where no `progress` is given."""


def track(items: Iterable[Item], *, progress: Progress, message: str, total: int | None = None) -> Iterator[Item]:
    """The items one by one; before each, report what share of them is done.

    >>> seen = []
    >>> list(track("abcd", progress=lambda share, message: seen.append(share), message="letters"))
    ['a', 'b', 'c', 'd']
    >>> seen
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    total = len(items) if total is None and isinstance(items, Sized) else total
    for place, item in enumerate(items):
        progress(place / total if total else None, message)
        yield item
    progress(1.0, message)


def part(progress: Progress, start: float, end: float) -> Progress:
    """The progress of one stage, seen as the stretch from `start` to `end` of the whole.

    >>> part(print, 0.5, 1.0)(0.5, "second half")
    0.75 second half
    """
    return lambda share, message="": progress(None if share is None else start + (end - start) * share, message)


@contextmanager
def show_progress(progress: Progress | bool = True) -> Iterator[Progress]:
    """What a long computation reports to: a bar for True, nobody for False, or the caller's own function.

    The bar is drawn on standard error, where that is a terminal; in a notebook it is a line of text; in a pipe or a
    file there is nothing.
    """
    if callable(progress):
        yield progress
    elif not progress:
        yield silent
    elif sys.stderr is not None and sys.stderr.isatty():
        with _terminal_bar() as bar:
            yield bar
    elif "ipykernel" in sys.modules:
        line = _NotebookLine()
        try:
            yield line
        finally:
            line.clear()
    else:
        yield silent


@contextmanager
def _terminal_bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(24), TaskProgressColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, visible=False)

        def show(share: float | None, message: str = "") -> None:
            total = None if share is None else 1.0  # without a total the bar only pulses
            bar.update(task, completed=share or 0.0, total=total, description=message, visible=True)

        yield show


class _NotebookLine:
    """One line that is written over, which every notebook can show without further packages."""

    def __init__(self) -> None:
        self._written, self._length = 0.0, 0

    def __call__(self, share: float | None, message: str = "") -> None:
        now = time.monotonic()
        if now - self._written >= NOTEBOOK_SECONDS:
            self._written = now
            self._write(message if share is None else f"{100 * share:3.0f} % {message}")

    def clear(self) -> None:
        """Leave nothing behind."""
        self._write("")

    def _write(self, line: str) -> None:
        print(f"\r{line:{self._length}}", end="" if line else "\r", file=sys.stderr, flush=True)
        self._length = len(line)
