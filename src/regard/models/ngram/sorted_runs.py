"""N-grams of a text that memory does not hold: sorted piece by piece, kept in files, and merged.

    ids        2 0 1 0 1 │ 1 0 …        a piece of the text: every position begins an n-gram of the highest order
    n-grams    201 010 101 01· 1··      · pads what reaches over the end of a segment, and sorts before all symbols
    run        01·:1 010:1 101:1 1··:1  sorted, equal ones counted: one file
    merge      all runs side by side, a block of each at a time; equal n-grams of several runs are added up

An n-gram is packed into one or a few whole numbers, the first symbols in the first, so that they sort as it does.
Runs are merged into longer ones as they come, so that what many runs share stands on the disk a few times only.

What is finished stands in a journal, so that a count that was killed can go on:

    journal.part     a checksum of the rest, then JSON: whose count it is, the pieces of text that are done, the files
                     that hold them with their lengths and checksums, and whatever is needed to read these

A file counts once it stands in the journal, which is replaced by renaming. The next process takes over what the journal
lists, if it is of the same count and every file is as it was; all other files of the folder it removes.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from regard.files import file_sha256, sha256
from regard.models.ngram.counts import distinct, sort_with_places
from regard.shapes import Int

PIECE_POSITIONS = 1 << 22
"""N-grams sorted at once: with all that sorting needs, some 300 MB."""
FAN_IN = 16
"""Runs that are merged into one."""
FIRST_BITS, LATER_BITS = 63, 40
"""Room of the first number of a packed n-gram, and of each further one: that times the rank of all before it, in a
piece of at most 2²³ n-grams, is a whole number of 64 bits again."""

Columns = list[np.ndarray]
"""Packed n-grams: the first number of each, the second number of each, …"""


@dataclass(frozen=True)
class Packing:
    """How n-grams of `order` symbols become whole numbers: symbol s is the digit s + 1, the padding 0."""

    n_symbols: int
    order: int

    @property
    def base(self) -> int:
        """One more than there are symbols."""
        return self.n_symbols + 1

    @property
    def widths(self) -> list[int]:
        """How many symbols each number holds."""
        first, later = (max(1, math.floor(bits / math.log2(self.base))) for bits in (FIRST_BITS, LATER_BITS))
        rest = max(self.order - first, 0)
        return [min(first, self.order), *[later] * (rest // later), *[rest % later] * (rest % later > 0)]

    @property
    def radices(self) -> list[int]:
        """One more than the largest of each number."""
        return [self.base**width for width in self.widths]

    def pack(self, digits: Sequence[Int[np.ndarray, " ngram"]]) -> Columns:
        """The numbers of n-grams, given as one array of digits for each of their places."""
        columns, place = [], 0
        for width in self.widths:
            column = digits[place].copy()
            for digit in digits[place + 1 : place + width]:
                column *= self.base
                column += digit
            columns.append(column)
            place += width
        return columns

    def unpack(self, columns: Columns) -> list[Int[np.ndarray, " ngram"]]:
        """The digits again."""
        digits = []
        for column, width in zip(columns, self.widths, strict=True):
            left, found = column, []
            for _ in range(width):
                rest = left // self.base
                found.append(left - rest * self.base)
                left = rest
            digits += found[::-1]
        return digits


def pack_ngrams(
    parts: Iterable[Int[np.ndarray, " _"]],
    *,
    packing: Packing,
    start_id: int | None,
    size: int = PIECE_POSITIONS,
    n_done: int = 0,
) -> Iterator[Columns]:
    """The n-gram that begins at each position of a sequence of ids, which comes in parts of any length.

    They come in pieces of `size`, the first `n_done` of which are left out.
    """
    pieces = _digit_pieces(parts, packing.order - 1, size)
    for digits in itertools.islice(pieces, n_done, None):
        yield _pack_windows(digits, packing, start_id)


def _digit_pieces(parts: Iterable[Int[np.ndarray, " _"]], reach: int, size: int) -> Iterator[Int[np.ndarray, " _"]]:
    """The digits of a sequence in pieces of `size` positions, each with the `reach` that come after it."""
    waiting: list[np.ndarray] = []
    n_waiting = 0
    for part in parts:
        waiting.append(part + 1)
        n_waiting += len(part)
        while n_waiting >= size + reach:
            digits = np.concatenate(waiting)
            yield digits[: size + reach]
            waiting, n_waiting = [digits[size:]], n_waiting - size
    if n_waiting:
        yield from _halves(np.concatenate([*waiting, np.zeros(reach, np.int64)]), size, reach)


def _halves(digits: Int[np.ndarray, " position"], size: int, reach: int) -> Iterator[Int[np.ndarray, " _"]]:
    """The end of a sequence, in pieces of at most `size` n-grams."""
    for start in range(0, len(digits) - reach, size):
        yield digits[start : start + size + reach]


def _pack_windows(digits: Int[np.ndarray, " position"], packing: Packing, start_id: int | None) -> Columns:
    """The windows that begin at all but the last few positions; what comes after a further start mark is padding."""
    n = len(digits) - packing.order + 1
    windows = [digits[j : j + n] for j in range(packing.order)]
    if start_id is not None:
        here = np.arange(len(digits))
        marks = np.where(digits == start_id + 1, here, len(digits))
        next_mark = np.minimum.accumulate(marks[::-1])[::-1]
        left = np.append(next_mark[1:], len(digits))[:n] - here[:n]  # symbols until the next mark, this one included
        windows = [np.where(left > j, window, 0) if j else window for j, window in enumerate(windows)]
    return packing.pack(windows)


def sort_rows(
    ids: Int[np.ndarray, " _"], following: Int[np.ndarray, " _"], *, packing: Packing, start_id: int | None
) -> bytes:
    """The n-grams that begin in a piece of a sequence, sorted and counted; `following` are the ids right after it."""
    reach = packing.order - 1
    ahead = (following[:reach] + 1).astype(np.int64)
    digits = np.concatenate([ids + 1, ahead, np.zeros(reach - len(ahead), np.int64)])
    columns, counts = count_rows(_pack_windows(digits, packing, start_id), packing.radices)
    return np.stack([*columns, counts], axis=1).tobytes()


def count_rows(
    columns: Columns, radices: Sequence[int], counts: Int[np.ndarray, " row"] | None = None
) -> tuple[Columns, Int[np.ndarray, " distinct"]]:
    """The different rows in order, and how often each is there; `counts` says how often each row counts.

    >>> count_rows([np.array([3, 1, 3]), np.array([0, 5, 0])], [10, 10])
    ([array([1, 3]), array([5, 0])], array([1, 2]))
    """
    keys, below = columns[0], []
    for column, radix in zip(columns[1:], radices[1:], strict=True):
        values, ranks, _ = distinct(keys)
        below.append(values)
        keys = ranks * radix + column
    if counts is None:
        keys = np.sort(keys)
    else:
        keys, order = sort_with_places(keys)
        counts = counts[order]
    is_first = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    places = np.flatnonzero(is_first)
    sums = np.diff(places, append=len(keys)) if counts is None else np.add.reduceat(counts, places)
    keys, found = keys[places], []
    for values, radix in zip(reversed(below), reversed(radices[1:]), strict=True):
        found.append(keys % radix)
        keys = values[keys // radix]
    return [keys, *reversed(found)], sums


class SortedRuns:
    """Files of sorted n-grams with their counts, in a folder: `run-NUMBER.part`, each a table of whole numbers.

    `key` says whose n-grams they are: what an earlier process of the same count has finished is taken over.
    """

    def __init__(self, folder: Path, packing: Packing, *, key: str = "") -> None:
        self.folder, self.packing = folder, packing
        self.journal = Journal(folder, key)
        found = self.journal.found
        self._levels = [[folder / name for name in level] for level in found.levels] or [[]]
        self._n_made, self.pieces = found.n_made, list(found.pieces)

    def add(self, columns: Columns, n_ids: int = 0) -> None:
        """Keep the n-grams of one more piece, which has `n_ids` ids."""
        self._keep_piece([count_rows(columns, self.packing.radices)], n_ids)

    def add_rows(self, rows: bytes, n_ids: int = 0) -> None:
        """Keep the sorted n-grams of a piece, as `sort_rows` gives them, of this process or another."""
        numbers = np.frombuffer(rows, np.int64).reshape(-1, len(self.packing.widths) + 1)
        self._keep_piece([(list(numbers[:, :-1].T), numbers[:, -1])], n_ids)

    def merge(self) -> Iterator[tuple[Columns, Int[np.ndarray, " row"]]]:
        """All n-grams in order with their counts, a block at a time."""
        yield from merge_files([path for level in self._levels for path in level], self.packing)

    def remove(self, tables: dict[str, Any]) -> None:
        """Note that tables with these files were made of all runs, which are gone then."""
        self._levels = [[]]
        self.journal.write(Finished(self.pieces, self._n_made, tables=tables), tables)

    def _keep_piece(self, batches: Iterable[tuple[Columns, Int[np.ndarray, " row"]]], n_ids: int) -> None:
        first = self._n_made + 1
        self._write_run(0, batches)
        self.pieces.append(n_ids)
        levels = [[path.name for path in level] for level in self._levels]
        new = [_run_name(number) for number in range(first, self._n_made + 1)]
        self.journal.write(Finished(self.pieces, self._n_made, levels), new)

    def _write_run(self, level: int, batches: Iterable[tuple[Columns, Int[np.ndarray, " row"]]]) -> None:
        self._n_made += 1
        path = self.folder / _run_name(self._n_made)
        write_rows(path, batches)
        if level == len(self._levels):
            self._levels.append([])
        self._levels[level].append(path)
        if len(self._levels[level]) >= FAN_IN:
            paths, self._levels[level] = self._levels[level], []
            self._write_run(level + 1, merge_files(paths, self.packing))


def _run_name(number: int) -> str:
    return f"run-{number}.part"


def write_rows(path: Path, batches: Iterable[tuple[Columns, Int[np.ndarray, " row"]]]) -> None:
    """Write packed n-grams and their counts, row after row."""
    with path.open("wb") as file:
        for columns, counts in batches:
            np.stack([*columns, counts], axis=1).tofile(file)


def merge_files(paths: Sequence[Path], packing: Packing) -> Iterator[tuple[Columns, Int[np.ndarray, " row"]]]:
    """The rows of several sorted files in order; equal ones are added up."""
    size = max(PIECE_POSITIONS // max(len(paths), 1), 1)
    readers = [_RunReader(path, len(packing.widths), size) for path in paths]
    try:
        while waiting := [reader for reader in readers if reader.fill()]:
            # Beyond the first of the last rows in sight, a file may still have something that comes before.
            lasts = [tuple(reader.rows[-1, :-1].tolist()) for reader in waiting if not reader.is_at_end]
            taken = [reader.take(min(lasts) if lasts else None) for reader in waiting]
            rows = taken[0] if len(taken) == 1 else np.concatenate(taken)
            columns = [np.ascontiguousarray(column) for column in rows[:, :-1].T]
            yield count_rows(columns, packing.radices, rows[:, -1])
    finally:
        for reader in readers:
            reader.close()


class _RunReader:
    """A sorted file, of which some rows are in memory."""

    def __init__(self, path: Path, n_columns: int, size: int) -> None:
        self._file, self._n_columns, self._size = path.open("rb"), n_columns, size
        self.rows = np.zeros((0, n_columns + 1), np.int64)
        self.is_at_end = False

    def fill(self) -> bool:
        """Read on where nothing is left in memory; whether there is something."""
        if len(self.rows) == 0 and not self.is_at_end:
            numbers = np.fromfile(self._file, np.int64, count=self._size * (self._n_columns + 1))
            self.rows = numbers.reshape(-1, self._n_columns + 1)
            self.is_at_end = len(self.rows) < self._size
        return len(self.rows) > 0

    def take(self, bound: tuple[int, ...] | None) -> Int[np.ndarray, "row column"]:
        """The rows up to `bound`, itself included; all where there is none."""
        n = len(self.rows) if bound is None else self._count_up_to(bound)
        taken, self.rows = self.rows[:n], self.rows[n:]
        return taken

    def _count_up_to(self, bound: tuple[int, ...]) -> int:
        low, high = 0, len(self.rows)
        for j, number in enumerate(bound):
            column = self.rows[low:high, j]
            low, high = low + int(np.searchsorted(column, number)), low + int(np.searchsorted(column, number, "right"))
        return high

    def close(self) -> None:
        self._file.close()


NAME, NEXT = "journal.part", "next.part"


@dataclass(frozen=True)
class Finished:
    """What is finished: ids in each piece of text, the sorted runs of each level or the tables made of all runs."""

    pieces: list[int] = field(default_factory=list)
    n_made: int = 0
    levels: list[list[str]] = field(default_factory=list)
    tables: dict[str, Any] | None = None

    @property
    def names(self) -> list[str]:
        """The files that hold it."""
        return [name for level in self.levels for name in level] + list(self.tables or {})


class Journal:
    """The journal of one count: `key` says which, by its text, its settings and the version."""

    def __init__(self, folder: Path, key: str) -> None:
        self._folder, self._key = folder, key
        self._checksums: dict[str, str | None] = {}
        self.found = self._read() or Finished()
        for path in folder.glob("*.part"):
            if path.name not in (*self.found.names, NAME):
                path.unlink()

    def _read(self) -> Finished | None:
        """What an earlier process of the same count has finished; None where there is nothing, or it is damaged."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            checksum, _, content = (self._folder / NAME).read_bytes().partition(b"\n")
            if checksum.decode("ascii", "replace") != sha256(content):
                return None
            noted = json.loads(content)
            found = Finished(**noted["finished"])
            self._checksums = {name: file_sha256(self._folder / name) for name in found.names}
            if noted["key"] == self._key and noted["files"] == self._checksums:
                return found
        return None

    def write(self, finished: Finished, new: Iterable[str] = ()) -> None:
        """Note what is finished, and remove the files that it does not need; `new` are those made since last time."""
        for name in new:
            self._checksums[name] = file_sha256(self._folder / name) if name in finished.names else None
        files = {name: self._checksums[name] for name in finished.names}
        content = json.dumps({"key": self._key, "finished": asdict(finished), "files": files}).encode()
        (self._folder / NEXT).write_bytes(sha256(content).encode() + b"\n" + content)
        (self._folder / NEXT).rename(self._folder / NAME)
        for name in self._checksums.keys() - files.keys():
            (self._folder / name).unlink(missing_ok=True)
            del self._checksums[name]
