"""Word vectors to start a model from: by name, in a file, or at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from regard.errors import CorpusError
from regard.files import cache_folder
from regard.text.corpora.corpus import find_corpus, find_local_corpus
from regard.text.vectors.cache import open_vectors
from regard.text.vectors.word_vectors import WordVectors

VectorSource: TypeAlias = str | Path | WordVectors
Note: TypeAlias = Callable[[str], None]
GLOVE = "glove"


def find_vectors(source: VectorSource, *, note: Note = lambda line: None) -> WordVectors:
    """The word vectors of this name or in this file, from the cache where they have been read before.

    `note` is called with a line where some lines of the file could not be used.
    """
    if isinstance(source, WordVectors):
        return source
    path = find_corpus(source).path
    if path is None:
        raise CorpusError(f"{source} is a text; expected a file of word vectors")
    found = open_vectors(path, cache=cache_folder())
    if found.report is not None and (found.report.n_skipped or found.report.n_duplicates):
        note(f"{path}: {found.report}")
    return found


def find_start_vectors(
    source: VectorSource | None, *, note: Note = lambda line: None
) -> tuple[str, WordVectors | None]:
    """The vectors that a classifier starts from, and their name: GloVe's where nothing is said and they are at hand.

    "none" stands for no vectors.
    """
    if source == "none" or (source is None and find_local_corpus(GLOVE) is None):
        return "none", None
    found = find_vectors(GLOVE if source is None else source, note=note)
    return GLOVE if source is None else "given" if isinstance(source, WordVectors) else str(source), found
