"""The texts that the lab's models learn from, by name, and what stands in for one that cannot be had here."""

from __future__ import annotations

from dataclasses import dataclass

from regard.errors import CorpusError, InputFileError
from regard.lab.jobs import Report
from regard.text.corpora.corpus import find_corpus
from regard.text.corpora.sources import SOURCES

EMBEDDED = "python-manual"
OFFERED = (EMBEDDED, "tinyshakespeare", "shakespeare", "ptb/train")
MOST_CHARACTERS = 1_200_000
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
        text = find_corpus(name, progress=lambda there, all_: _fetching(report, name, there, all_)).text
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
    if len(text) <= MOST_CHARACTERS:
        return LabText(name, text)
    note = f"Of the {len(text):,} characters of {name}, the first {MOST_CHARACTERS:,} are used."
    return LabText(name, text[:MOST_CHARACTERS], note)


def _fetching(report: Report, name: str, there: int, all_: int) -> None:
    report(there / all_ if all_ else None, f"fetching {name}: {there:,} of {all_:,} bytes")
