"""Whole numbers in a file: what is too long for memory is written once, from beginning to end, and read in blocks."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from regard.shapes import Int

BLOCK = 1 << 20
"""Numbers read at once: 8 MB."""
LARGEST_SHORT = np.iinfo(np.int32).max


class DiskArray:
    """Whole numbers in a file, appended to at its end and read in blocks; some may be in it already.

    Where no number will be larger than `bound`, and that has room in four bytes, each takes four, otherwise eight.
    """

    def __init__(self, path: Path, length: int = 0, largest: int = 0, *, bound: int | None = None) -> None:
        self.path, self.length, self.max = path, length, largest
        self._kind = np.int32 if bound is not None and bound <= LARGEST_SHORT else np.int64
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
