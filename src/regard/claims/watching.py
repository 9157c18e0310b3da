"""Whoever waits for a verdict may look on: they are called at every step, and end the trial by raising.

with watched(look):
    verdict = check(claim)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Look = Callable[[], None]


def _nobody() -> None:
    """What is called where nobody looks on."""


_WATCHER: ContextVar[Look] = ContextVar("watcher", default=_nobody)
"""A variable of the context, since a step lies some thirty calls below the claim; each thread has its own."""


@contextmanager
def watched(look: Look) -> Iterator[None]:
    """Have `look` called at every step of the trials within."""
    before = _WATCHER.set(look)
    try:
        yield
    finally:
        _WATCHER.reset(before)


def tell_watcher() -> None:
    """One more step is about to be made."""
    _WATCHER.get()()
