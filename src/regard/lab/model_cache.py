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
from dataclasses import dataclass
from pathlib import Path

from regard.errors import CorpusError, InputFileError
from regard.files import cache_folder
from regard.lab.jobs import Report
from regard.text.corpora.corpus import find_corpus
from regard.text.corpora.sources import SOURCES

EMBEDDED = "python-manual"
OFFERED = (EMBEDDED, "tinyshakespeare", "shakespeare", "ptb/train")
MAX_CHARACTERS = 1_200_000
"""Of a longer text the beginning, so that a model is there in seconds."""


@dataclass(frozen=True)
class LabText:
    """A text to learn from; `note` says what the reader of the page should know of it, if anything."""

    name: str
    text: str
    note: str = ""


def lab_text(name: str, report: Report) -> LabText:
    """The text of this name, fetched if it must be; where it cannot be had, the one that every Python carries."""
    report(None, f"looking for {name}")
    try:
        text = find_corpus(name, progress=report).text
    except (CorpusError, InputFileError):
        if name == EMBEDDED:
            raise
        note = f"{name} cannot be had on this machine; the Python manual, which every Python carries, stands in for it."
        source = SOURCES.get(name)
        if source is not None and source.obtain:
            note += (
                f" It is {source.obtain}: save it as {source.filename} in a folder, and set REGARD_DATA to that folder."
            )
        return LabText(EMBEDDED, find_corpus(EMBEDDED).text, note)
    if len(text) <= MAX_CHARACTERS:
        return LabText(name, text)
    note = f"Of the {len(text):,} characters of {name}, the first {MAX_CHARACTERS:,} are used."
    return LabText(name, text[:MAX_CHARACTERS], note)


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
