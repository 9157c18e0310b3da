"""Texts for chapters to learn from: fetched where they must be, cut to a length that is learnt from in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from regard.errors import CorpusError, InputFileError
from regard.files import sha256
from regard.progress import Progress, silent
from regard.text.corpora.corpus import find_corpus
from regard.text.corpora.sources import SOURCES

EMBEDDED = "python-manual"
OFFERED = (EMBEDDED, "tinyshakespeare", "shakespeare", "ptb/train")
MAX_CHARACTERS = 1_200_000
"""Of a longer text only the beginning is used, so that a model is trained in seconds."""


@dataclass(frozen=True)
class LabText:
    """A text to learn from; `note` says what the reader of the page should know of it, if anything."""

    name: str
    text: str
    note: str = ""

    @cached_property
    def key(self) -> str:
        """A name for folders that changes with the text.

        >>> LabText("ptb/train", "no , it was n't").key
        'ptb-train-763ca19e1a22'
        """
        return f"{self.name.replace('/', '-')}-{sha256(self.text)[:12]}"


def read_text(name: str, progress: Progress = silent) -> LabText:
    """The text of this name, or its beginning; fetched if it must be.

    Raises CorpusError or InputFileError where it cannot be had; the message says what to do.
    """
    progress(None, f"reading {name}")
    text = find_corpus(name, progress=progress).text
    if len(text) <= MAX_CHARACTERS:
        return LabText(name, text)
    note = f"{name} has {len(text):,} characters; the first {MAX_CHARACTERS:,} are used."
    return LabText(name, text[:MAX_CHARACTERS], note)


def read_text_or_manual(name: str, progress: Progress = silent) -> LabText:
    """The text of this name; where it cannot be had, the Python manual, with a note that says so."""
    try:
        return read_text(name, progress)
    except (CorpusError, InputFileError):
        if name == EMBEDDED:
            raise
    return LabText(EMBEDDED, read_text(EMBEDDED, progress).text, _missing_note(name))


def _missing_note(name: str) -> str:
    note = f"{name} cannot be found or fetched; the Python manual, which every Python carries, is used instead."
    source = SOURCES.get(name)
    if source is None or not source.obtain:
        return note
    return (
        f"{note} It is {source.obtain}: save it as {source.filename} in a folder, and set REGARD_DATA to that folder."
    )
