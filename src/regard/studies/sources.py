"""Which text a Python caller means: one rule for every function that takes a text.

pathlib.Path              the file
a str with a line break   the text itself
any other str             the name of a corpus (see `regard data list`), or of a file
Corpus                    what `find_corpus` found

A text of one line is therefore written with a line break at its end: "to be or not to be\\n". What a model learns
from is one such text, with another or a part of it for validation (`TextParts`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from regard.errors import ArgumentError, CorpusError, NothingScoredError, ValueRangeError
from regard.text.corpora.corpus import Corpus, find_corpus
from regard.text.corpora.reader import MAX_BYTES

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


@dataclass(frozen=True)
class TextParts:
    """The text to learn from, in pieces at every call of `chunks`, and the validation text, if there is one."""

    name: str
    chunks: Callable[[], Iterator[str]]
    valid: str | None
    valid_name: str

    @property
    def train(self) -> str:
        """The text to learn from as a whole; an error where it is too long for that."""
        pieces, n_characters = [], 0
        for piece in self.chunks():
            n_characters += len(piece)
            if n_characters > MAX_BYTES:
                raise ValueRangeError(
                    f"{self.name} holds more than {MAX_BYTES:,} characters, the most that such a model is trained on; "
                    "give a smaller text, or use 'regard train bigram', which counts any length"
                )
            pieces.append(piece)
        return "".join(pieces)

    def length_up_to(self, limit: int) -> int:
        """How many characters there are to learn from; no more is read once there are more than `limit`."""
        n_characters = 0
        for piece in self.chunks():
            n_characters += len(piece)
            if n_characters > limit:
                break
        return n_characters

    def __repr__(self) -> str:
        n_valid = "none" if self.valid is None else f"{len(self.valid):,} characters, {self.valid_name}"
        return f"TextParts({self.name}, valid: {n_valid})"


def split_text(
    text: TextSource,
    *,
    valid: float | int | TextSource = 0.1,
    at_line_ends: bool = True,
    max_valid: int | None = None,
) -> TextParts:
    """A text to learn from, and one to measure on: the last part of it, as `valid` says, or another text; 0: none.

    The cut is made after a whole line, unless `at_line_ends` is False. Of a text longer than is read at once, the part
    to measure on has at most `max_valid` characters, and its name says so. `text` may be given in all the ways that
    `regard.studies.sources` lists.

    >>> parts = split_text("to be\\nor not\\nto be\\n", valid=0.4)
    >>> parts.train, parts.valid
    ('to be\\nor not\\n', 'to be\\n')
    """
    corpus = find_text(text)
    chunks = _chunks(corpus)
    if not isinstance(valid, int | float):
        other = find_text(valid)
        return TextParts(corpus.name, chunks, other.text, other.name)
    if not 0 <= valid < 1:
        raise ValueRangeError(f"--valid is a fraction from 0 to below 1, or a text; got {valid:g}")
    if valid == 0:
        return TextParts(corpus.name, chunks, None, "none")
    n_characters = sum(map(len, chunks()))
    wanted, part = int((1 - valid) * n_characters), f"{valid:g}"
    if max_valid is not None and n_characters > MAX_BYTES and n_characters - wanted > max_valid:
        wanted, part = n_characters - max_valid, f"{max_valid:,} characters"
    cut = cut_place(chunks(), wanted, at_line_ends=at_line_ends)
    if not 0 < cut < n_characters:
        raise NothingScoredError(
            f"a text of {n_characters} characters cannot be cut for --valid {valid:g}; give a longer text, or --valid 0"
        )
    rest = "".join(slice_chunks(chunks(), cut, n_characters))
    return TextParts(corpus.name, lambda: slice_chunks(chunks(), 0, cut), rest, f"last {part} of {corpus.name}")


def _chunks(corpus: Corpus) -> Callable[[], Iterator[str]]:
    """The text in pieces, from its beginning at every call; a pipe, which gives its text but once, is kept whole."""
    is_repeatable = corpus.path is None or corpus.path.is_file()
    return corpus.chunks if is_repeatable else lambda: iter([corpus.text])


def cut_place(chunks: Iterator[str], wanted: int, *, at_line_ends: bool) -> int:
    """Where to cut a text: at the character `wanted`, or after the first line break from there on, if there is one.

    >>> cut_place(iter(["to be\\nor ", "not\\nto be"]), 7, at_line_ends=True)
    13
    """
    if not at_line_ends:
        return wanted
    start = 0
    for piece in chunks:
        found = piece.find("\n", max(wanted - start, 0))
        if found >= 0:
            return start + found + 1
        start += len(piece)
    return wanted


def slice_chunks(chunks: Iterator[str], start: int, end: int) -> Iterator[str]:
    """The characters from `start` to `end` of a text that comes in pieces.

    >>> list(slice_chunks(iter(["abc", "def"]), 2, 5))
    ['c', 'de']
    """
    place = 0
    for piece in chunks:
        part = piece[max(start - place, 0) : max(end - place, 0)]
        place += len(piece)
        if part:
            yield part
        if place >= end:
            return
