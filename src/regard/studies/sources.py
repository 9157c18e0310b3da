"""Which text a Python caller means: one rule for every function that takes a text.

pathlib.Path              the file
a str with a line break   the text itself
any other str             the name of a corpus (see `regard data list`), or of a file
Corpus                    what `find_corpus` found

A text of one line is therefore written with a line break at its end: "to be or not to be\\n".
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from regard.errors import ArgumentError, CorpusError
from regard.text.corpora.corpus import Corpus, find_corpus

TextSource: TypeAlias = str | Path | Corpus
MAX_NAME = 200
"""Characters of a name; a longer line is a text that lacks its line break."""
TEXT_NAME = "the text"
"""What results call a text that was passed as such."""


def find_text(source: TextSource) -> Corpus:
    """The text that `source` stands for, by the rule above.

    >>> find_text("to be\\nor not\\n").text
    'to be\\nor not\\n'

    Raises CorpusError for a line that names neither a corpus nor a file, ArgumentError for what is no text at all.
    """
    if isinstance(source, Corpus):
        return source
    if isinstance(source, Path):
        return _find_file(source)
    if not isinstance(source, str):
        raise ArgumentError(f"expected a text, the name of a corpus, or a pathlib.Path; got {type(source).__name__}")
    if "\n" in source:
        return Corpus(TEXT_NAME, "given", given=source)
    if not source.strip():
        raise CorpusError("expected a text, the name of a corpus, or a pathlib.Path; got an empty string")
    return _find_name(source)


def _find_file(path: Path) -> Corpus:
    if not path.exists() or path.is_dir():
        raise CorpusError(f"there is no file {str(path)!r}" if not path.exists() else f"{path} is a folder, not a file")
    return Corpus(str(path), "path", path)


def _find_name(name: str) -> Corpus:
    advice = "a text itself has a line break in it: add '\\n' at its end"
    if len(name) > MAX_NAME:
        raise CorpusError(f"{name[:40] + '…'!r} is too long for the name of a corpus or a file; {advice}")
    try:
        return find_corpus(name)
    except CorpusError as error:
        if " " in name:
            raise CorpusError(f"{error}; {advice}") from error
        raise
