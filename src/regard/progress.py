"""How far a long computation is: one way to say it, and one way to be told.

Whatever takes longer than a moment takes `progress`, calls it now and then, and may be stopped by an exception that
it raises. Command line, lab and notebooks each bring their own: a bar, a line in the page, nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import Protocol, TypeVar, runtime_checkable

Item = TypeVar("Item")


@runtime_checkable
class Progress(Protocol):
    """Is told the share that is done, from 0 to 1 or None where it cannot be known, and what is being done."""

    def __call__(self, share: float | None, message: str = "") -> None:
        """Take notice; raise to stop the computation."""


def silent(share: float | None, message: str = "") -> None:
    """Tell nobody: what functions take where no `progress` is given."""


def track(items: Iterable[Item], *, progress: Progress, message: str, total: int | None = None) -> Iterator[Item]:
    """The items one by one, telling before each what share of them is done.

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
