"""Models that the lab trains at the first visit and keeps in the cache folder for the next.

def model(report):                               compute for LongWork: loads what is kept, else trains and keeps
    with one_at_a_time("bigram", report):
        folder = kept_folder("bigram")
        return load(folder) if folder.exists() else trained_and_saved(folder, report)
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from regard.files import cache_folder
from regard.lab.jobs import Report

_LOCKS: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


def kept_folder(name: str) -> Path:
    """Where the model of this name is kept, there or not."""
    return cache_folder() / "lab" / name


@contextmanager
def one_at_a_time(name: str, report: Report) -> Iterator[None]:
    """Let one visitor train the model of this name; another waits, and then finds it kept."""
    lock = _LOCKS[name]
    while not lock.acquire(timeout=0.2):
        report(None, "somebody else is training this; waiting for it")
    try:
        yield
    finally:
        lock.release()
