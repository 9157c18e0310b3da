"""Reading files of GloVe text, block by block: plain or gzip, with word2vec's header or without.

All words are read, or only wanted ones. A line that gives no vector is skipped, and of two lines with one word the
first counts; the report says how often that happened and where.
"""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Collection, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

import numpy as np

from regard.errors import InputFileError
from regard.progress import Progress, silent
from regard.shapes import Float
from regard.text.vectors.lines import LineFormat, ParsedLines, find_format, parse_lines
from regard.text.vectors.word_vectors import ReadReport, SkippedLine, WordVectors

BLOCK_BYTES = 1 << 21
MAX_LINE_BYTES = 1 << 24
EXPECTED = "expected word vectors, a word and its numbers on each line"


def whole_lines(path: Path, *, progress: Progress = silent) -> Iterator[bytes]:
    """Read a file in blocks of whole lines; the last line gets a line end if it has none."""
    rest, n_bytes = b"", 0
    for block in _blocks(path, progress):
        cut = block.rfind(b"\n") + 1
        if cut:
            yield rest + block[:cut]
            rest = block[cut:]
        else:
            rest += block
        n_bytes += len(block)
        if len(rest) > MAX_LINE_BYTES:
            raise InputFileError(
                f"{path} has more than {MAX_LINE_BYTES:,} bytes without a line end from offset "
                f"{n_bytes - len(rest):,} on; {EXPECTED}"
            )
    if rest:
        yield rest + b"\n"


def _blocks(path: Path, progress: Progress) -> Iterator[bytes]:
    gzip_file, damage = fastest_gzip()
    try:
        with path.open("rb") as file:
            size, start = path.stat().st_size, file.peek(4)
            _refuse_archive(start, path)
            source = cast(BinaryIO, gzip_file(fileobj=file)) if start.startswith(b"\x1f\x8b") else file
            block = _check_start(source.read(BLOCK_BYTES), path)
            while block:
                yield block
                progress(file.tell() / size if size else None, f"reading {path.name}")  # a pipe has no size
                block = source.read(BLOCK_BYTES)
    except (EOFError, zlib.error, gzip.BadGzipFile, damage) as error:
        raise InputFileError(f"{path} is a damaged gzip file: {error}; fetch it again") from error
    except OSError as error:
        raise InputFileError(f"cannot read {path}: {error.strerror}") from error


def fastest_gzip() -> tuple[type[gzip.GzipFile], type[Exception]]:
    """The fastest reader of gzip that is installed, and its kind of error; the package isal is three times as fast."""
    try:
        return import_module("isal.igzip").IGzipFile, import_module("isal.isal_zlib").error
    except ImportError:
        return gzip.GzipFile, zlib.error


def _refuse_archive(start: bytes, path: Path) -> None:
    if start.startswith(b"PK\x03\x04"):
        raise InputFileError(f"{path} is a zip archive; unpack it and give the file of vectors inside")


def _check_start(block: bytes, path: Path) -> bytes:
    block = block.removeprefix(codecs.BOM_UTF8)
    if not block:
        raise InputFileError(f"{path} is empty; {EXPECTED}")
    if b"\0" in block:
        raise InputFileError(
            f"{path} is not text: byte 0x00 at offset {block.index(0):,}; {EXPECTED} "
            "(word2vec's binary form has to be converted first)"
        )
    return block


CASES_SHOWN = 5

Rows: TypeAlias = tuple[list[str], Float[np.ndarray, "line width"]]


def read_vectors(
    path: Path | str, *, wanted: Collection[str] | None = None, progress: Progress = silent
) -> WordVectors:
    """Read the vectors in a file, in its order; with `wanted`, only those of these words, in less time and memory."""
    text = VectorText(Path(path), wanted=wanted, progress=progress)
    words: list[str] = []
    rows = GrowingRows()
    for more_words, more_rows in text:
        words += more_words
        rows.append(more_rows)
    return WordVectors(words, rows.whole(), text.report())


class GrowingRows:
    """A matrix that gets rows at its end and never needs twice its memory."""

    def __init__(self) -> None:
        self._rows = np.empty((0, 0), np.float32)
        self._n = 0

    def append(self, rows: Float[np.ndarray, "line width"]) -> None:
        """Add these rows at the end."""
        n = self._n + len(rows)
        if n >= len(self._rows):
            # In place: the system moves a large array by its page table.
            self._rows.resize((n + n // 8, rows.shape[1]), refcheck=False)
        self._rows[self._n : n] = rows
        self._n = n

    def whole(self) -> Float[np.ndarray, "line width"]:
        """All rows; none can be added afterwards."""
        self._rows.resize((self._n, self._rows.shape[1]), refcheck=False)
        return self._rows


class VectorText:
    """A file of vectors that is read once, block by block; afterwards `report` says what was left out."""

    def __init__(self, path: Path, *, wanted: Collection[str] | None = None, progress: Progress = silent) -> None:
        self._path, self._progress = path, progress
        self._wanted = None if wanted is None else frozenset(wanted)
        # A word with spaces is met by its first part.
        self._firsts = {first for word in self._wanted or () for first in word.encode().split(None, 1)[:1]}
        self._line_of: dict[str, int] = {}
        self._n_lines = 0
        self._n_announced: int | None = None
        self._skipped, self._duplicates = Cases(), Cases()

    def __iter__(self) -> Iterator[Rows]:
        """Words and their vectors; at least one block, which may be empty."""
        blocks = whole_lines(self._path, progress=self._progress)
        first = next(blocks)
        form = find_format(first, self._path)
        yield self._rows(form.clean(self._without_header(first, form)), form.width)
        for block in blocks:
            if self._has_all_wanted():
                return
            yield self._rows(form.clean(block), form.width)
        self._refuse_mostly_broken()

    def report(self) -> ReadReport:
        """What has been left out so far."""
        return ReadReport(
            n_lines=self._n_lines,
            n_skipped=self._skipped.n,
            n_duplicates=self._duplicates.n,
            first_skipped=tuple(self._skipped.first),
            first_duplicates=tuple(self._duplicates.first),
            n_announced=self._n_announced,
        )

    def _without_header(self, block: bytes, form: LineFormat) -> bytes:
        if form.n_announced is None:
            return block
        self._n_announced, self._n_lines = form.n_announced, 1
        return block.partition(b"\n")[2]

    def _has_all_wanted(self) -> bool:
        return self._wanted is not None and len(self._line_of) == len(self._wanted)

    def _rows(self, block: bytes, width: int) -> Rows:
        """Parse a block of lines: its new words and their vectors."""
        first = self._n_lines + 1
        if self._wanted is None:
            parsed = parse_lines(block, width=width)
            lines: Sequence[int] = range(first, first + parsed.n_lines)
            self._n_lines += parsed.n_lines
        else:
            texts = block.split(b"\n")
            chosen = [k for k, text in enumerate(texts) if text[: text.find(b" ")] in self._firsts]
            parsed = parse_lines(b"".join([texts[k] + b"\n" for k in chosen]), width=width)
            lines = [first + k for k in chosen]
            self._n_lines += len(texts) - 1
        for place, reason in parsed.broken:
            self._skipped.add(lines[place], reason)
        return self._new(parsed, lines)

    def _new(self, parsed: ParsedLines, lines: Sequence[int]) -> Rows:
        """Leave out words that were met before, and words that are not wanted."""
        if self._wanted is None and self._are_new(parsed.words):  # nearly every block
            self._line_of.update(zip(parsed.words, map(lines.__getitem__, parsed.places), strict=True))
            return parsed.words, parsed.rows
        kept = []
        for k, (place, word) in enumerate(zip(parsed.places, parsed.words, strict=True)):
            if self._wanted is None or word in self._wanted:
                line = lines[place]
                if self._line_of.setdefault(word, line) == line:
                    kept.append(k)
                else:
                    self._duplicates.add(line, f"{word!r} stands on line {self._line_of[word]:,} already")
        return [parsed.words[k] for k in kept], parsed.rows[kept]

    def _are_new(self, words: list[str]) -> bool:
        return len(set(words)) == len(words) and self._line_of.keys().isdisjoint(words)

    def _refuse_mostly_broken(self) -> None:
        n_kept = len(self._line_of) + self._duplicates.n
        if self._skipped.n > n_kept:
            first = self._skipped.first[0]
            raise InputFileError(
                f"{self._path} holds {self._skipped.n:,} broken lines and {n_kept:,} with word vectors; "
                f"line {first.line:,}: {first.reason}"
            )


class Cases:
    """A count of cases, with the first few of them."""

    def __init__(self) -> None:
        self.n = 0
        self.first: list[SkippedLine] = []

    def add(self, line: int, reason: str) -> None:
        """One more."""
        self.n += 1
        if len(self.first) < CASES_SHOWN:
            self.first.append(SkippedLine(line, reason))
