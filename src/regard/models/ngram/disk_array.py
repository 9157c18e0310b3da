"""Whole numbers in a file: written once, from beginning to end, read in blocks, and looked up in time of their sum.

`BatchSearch` looks up many numbers in a file of many numbers, neither of which memory holds:

    keys         3 5 8 │ 12 13 20 │ 21 40           rising, cut into parts that memory holds
    asked        13 3 21 20 │ 8 12 …                in any order, a chunk at a time
    ask          each number goes to the file of its part                     3 8 │ 13 20 12 │ 21
    answer       part after part: the keys are in memory, its file is read    0 2 │ 4 5 3 │ 6
    take         the numbers are given once more, chunk by chunk, as before; each takes the next answer of its part

That numbers are given twice saves a file of places: answers stand in the order in which their part was asked.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from regard.shapes import Int

BLOCK = 1 << 20
"""Numbers read at once: 8 MB."""
MAX_SHORT = np.iinfo(np.int32).max


class DiskArray:
    """Whole numbers in a file, appended to at its end and read in blocks; some may be in it already.

    Where no number will be larger than `bound`, and that has room in four bytes, each takes four, otherwise eight.
    """

    def __init__(self, path: Path, length: int = 0, largest: int = 0, *, bound: int | None = None) -> None:
        self.path, self.length, self.max = path, length, largest
        self._kind = np.int32 if bound is not None and bound <= MAX_SHORT else np.int64
        path.touch()

    def __len__(self) -> int:
        return self.length

    def append(self, numbers: Int[np.ndarray, " number"]) -> None:
        """Write further numbers."""
        self.max = max(self.max, int(numbers.max(initial=0)))
        assert self.max <= np.iinfo(self._kind).max, "a number beyond its bound"
        with self.path.open("ab") as file:
            np.ascontiguousarray(numbers, self._kind).tofile(file)
        self.length += len(numbers)

    def read(self, start: int, end: int) -> Int[np.ndarray, " number"]:
        """The numbers from `start` to before `end`."""
        count, offset = min(end, self.length) - start, np.dtype(self._kind).itemsize * start
        return np.fromfile(self.path, self._kind, count=count, offset=offset).astype(np.int64, copy=False)

    def blocks(self, size: int = BLOCK) -> Iterator[tuple[int, Int[np.ndarray, " number"]]]:
        """All numbers, a block at a time, each with the place of its first."""
        return ((start, self.read(start, start + size)) for start in range(0, self.length, size))

    def gather(self, places: Int[np.ndarray, " _"]) -> Int[np.ndarray, " _"]:
        """The numbers at these places, which never fall."""
        found = np.empty(len(places), np.int64)
        for block, low, high in shares(places // BLOCK):
            start = int(block) * BLOCK
            found[low:high] = self.read(start, start + BLOCK)[places[low:high] - start]
        return found

    def search(self, wanted: Int[np.ndarray, " _"]) -> Int[np.ndarray, " _"]:
        """Where numbers, which never fall, stand in this file of rising numbers; −1 for those not in it."""
        firsts = np.array([self.read(start, start + 1)[0] for start in range(0, self.length, BLOCK)], np.int64)
        found = np.full(len(wanted), -1)
        for block, low, high in shares(np.searchsorted(firsts, wanted, "right") - 1):
            if block < 0:
                continue
            start = int(block) * BLOCK
            values, asked = self.read(start, start + BLOCK), wanted[low:high]
            places = np.minimum(np.searchsorted(values, asked), len(values) - 1)
            found[low:high] = np.where(values[places] == asked, places + start, -1)
        return found

    def remove(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)


def shares(labels: Int[np.ndarray, " _"]) -> Iterator[tuple[int, int, int]]:
    """Each label of a sequence that never falls, with the first place that has it and the one after the last."""
    edges = np.flatnonzero(np.diff(labels, prepend=labels[:1] - 1))
    for low, high in itertools.pairwise([*edges.tolist(), len(labels)]):
        yield int(labels[low]), low, high


CHUNK = 1 << 22
"""Numbers asked for at once: with all that they need, some 300 MB."""
PART = 1 << 20
"""Keys in memory at once: 8 MB. With 32 MB, which the processor's cache does not hold, it takes twice as long."""

SHORT_PARTS = 1 << 16


class BatchSearch:
    """Where numbers stand in a file of rising keys, all of which are among them; its own files are beside that one.

    No change is larger than `largest`, whatever its sign.
    """

    def __init__(self, keys: DiskArray, *, largest: int | None = None) -> None:
        self._keys = keys
        starts = range(0, len(keys), PART)
        self._firsts = np.array([keys.read(start, start + 1)[0] for start in starts], np.int64)
        self._asked, self._changes, self._found = (
            [DiskArray(keys.path.with_name(f"{name}-{part}.part"), bound=bound) for part in range(len(starts))]
            for name, bound in (("asked", None), ("changes", largest), ("found", len(keys)))
        )
        self._n_taken = [0] * len(starts)

    def ask(self, numbers: Int[np.ndarray, " _"], changes: Int[np.ndarray, " _"] | None = None) -> None:
        """Ask for some numbers; `changes` are added up for each key."""
        order, parts = self._sort_by_part(numbers)
        for part, low, high in shares(parts):
            self._asked[part].append(numbers[order[low:high]])
            if changes is not None:
                self._changes[part].append(changes[order[low:high]])

    def answer(self) -> Iterator[tuple[int, Int[np.ndarray, " key"]]]:
        """Find all that was asked for; for each part the place of its first key, and the sum of changes at each key."""
        for part, (asked, changes, found) in enumerate(zip(self._asked, self._changes, self._found, strict=True)):
            begin = part * PART
            keys = self._keys.read(begin, begin + PART)
            sums = np.zeros(len(keys), np.int64)
            for start, numbers in asked.blocks(CHUNK):
                places = np.minimum(np.searchsorted(keys, numbers), len(keys) - 1)
                assert np.array_equal(keys[places], numbers), "a number that is no key"
                found.append(places + begin)
                if len(changes):
                    added = changes.read(start, start + len(numbers))
                    sums += np.bincount(places, weights=added, minlength=len(keys)).astype(np.int64)
            asked.remove()
            changes.remove()
            yield begin, sums

    def take(self, numbers: Int[np.ndarray, " _"]) -> Int[np.ndarray, " _"]:
        """The places of the numbers that were asked for next."""
        order, parts = self._sort_by_part(numbers)
        places = np.empty(len(numbers), np.int64)
        for part, low, high in shares(parts):
            start = self._n_taken[part]
            places[order[low:high]] = self._found[part].read(start, start + high - low)
            self._n_taken[part] += high - low
        return places

    def close(self) -> None:
        """Remove the answers."""
        for found in self._found:
            found.remove()

    def _sort_by_part(self, numbers: Int[np.ndarray, " _"]) -> tuple[Int[np.ndarray, " _"], Int[np.ndarray, " _"]]:
        """An order of the numbers in which those of a part stand together, as they came; and the part of each then."""
        parts = np.searchsorted(self._firsts, numbers, "right") - 1
        if len(self._firsts) <= SHORT_PARTS:  # numbers of two bytes are sorted by counting
            order = np.argsort(parts.astype(np.uint16), kind="stable")
        else:
            order = np.argsort(parts, kind="stable")
        return order, parts[order]
