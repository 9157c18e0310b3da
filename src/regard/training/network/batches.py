"""Which ids a network reads at each step: a pure function of the seed and the step.

The text is taken as a ring of n ids. Every round through it starts at another place, so that it is cut elsewhere:

    StreamBatches, 2 rows of 3 ids         ids    0  1  2  3  4  5  6  7  8  9 10 11 12
                                          row 0         a  a  a  b  b  b  c  c  c
        steps a, b, c; shift 2            row 1   b  c  c  c                       a  a  a  b  b
        Row r reads on where it stopped, its state is carried; `fresh` tells when a new round begins.

    WindowBatches, windows of 3 ids        ids    0  1  2  3  4  5  6  7  8  9 10 11 12
        shift 2                                   w4 w4 w0 w0 w0 w1 w1 w1 w2 w2 w2 w3 w3 …
        Each round takes all windows in a new order; nothing is carried, every batch is `fresh`.

These ids are the targets; the inputs are the ids before them. Before the text's first id stands the start id.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from regard.errors import NothingScoredError, ValueRangeError
from regard.shapes import Int


class Batch(NamedTuple):
    """Ids to read, the ids that follow each of them, and whether the state of the batch before must be dropped."""

    inputs: Int[np.ndarray, "batch position"]
    targets: Int[np.ndarray, "batch position"]
    fresh: bool


@runtime_checkable
class Batches(Protocol):
    """A batch for every step."""

    @property
    def n_rows(self) -> int:
        """How many rows a batch has."""
        ...

    @property
    def length(self) -> int:
        """How many ids a row has."""
        ...

    def batch(self, step: int) -> Batch:
        """The batch of this step, counted from 0."""
        ...


@dataclass(frozen=True, eq=False)
class Ring:
    """A text's ids one after the other, the first following the last; `start_id` stands before the first."""

    ids: Int[np.ndarray, " position"]
    start_id: int

    def __post_init__(self) -> None:
        if len(self.ids) == 0:
            raise NothingScoredError("there is nothing to learn from: the training text is empty")

    def cut(self, starts: Int[np.ndarray, " batch"], length: int, *, fresh: bool) -> Batch:
        """The `length` targets from each start, going round, and their inputs."""
        n = len(self.ids)
        places = (starts[:, None] + np.arange(length)) % n
        inputs = np.where(places == 0, self.start_id, self.ids[places - 1])
        return Batch(inputs.astype(np.int64), self.ids[places].astype(np.int64), fresh)


class StreamBatches:
    """A text read as parallel streams, chunk after chunk, with the state carried from each chunk to the next."""

    def __init__(
        self, ids: Int[np.ndarray, " position"], *, start_id: int, n_rows: int, length: int, seed: int
    ) -> None:
        self._ring, self._seed = Ring(_compact(ids), start_id), seed
        self.length, self.n_rows = shrink_batch(len(ids), n_rows=n_rows, length=length)
        # rounded up: a round reads every id, a few of them twice
        self.n_chunks = -(-len(ids) // (self.n_rows * self.length))

    def batch(self, step: int) -> Batch:
        """Chunk `step` of the round that it falls into."""
        n_round, chunk = divmod(step, self.n_chunks)
        shift = _shift(self._seed, n_round, len(self._ring.ids))
        rows = np.arange(self.n_rows) * (self.n_chunks * self.length)
        return self._ring.cut(shift + rows + chunk * self.length, self.length, fresh=chunk == 0)


class WindowBatches:
    """Windows of a text in a random order, each read from a fresh start."""

    def __init__(
        self, ids: Int[np.ndarray, " position"], *, start_id: int, n_rows: int, length: int, seed: int
    ) -> None:
        self._ring, self._seed = Ring(_compact(ids), start_id), seed
        self.length, self.n_rows = shrink_batch(len(ids), n_rows=n_rows, length=length)
        self.n_windows = -(-len(ids) // self.length)

    def batch(self, step: int) -> Batch:
        """The next windows in the order of their round; a batch may take the last of one and the first of the next."""
        which = np.arange(step * self.n_rows, (step + 1) * self.n_rows)
        starts = [self._start(*divmod(int(i), self.n_windows)) for i in which]
        return self._ring.cut(np.array(starts), self.length, fresh=True)

    def _start(self, n_round: int, place: int) -> int:
        window = _order(self._seed, n_round, self.n_windows)[place]
        return _shift(self._seed, n_round, len(self._ring.ids)) + int(window) * self.length


def shrink_batch(n_ids: int, *, n_rows: int, length: int) -> tuple[int, int]:
    """Length and number of rows, both smaller where the text has too few ids for them.

    >>> shrink_batch(1000, n_rows=64, length=256), shrink_batch(200, n_rows=64, length=256)
    ((256, 3), (200, 1))
    """
    if n_rows < 1 or length < 1:
        raise ValueRangeError(f"a batch needs at least one row of one id; got {n_rows} rows of {length}")
    length = min(length, max(n_ids, 1))
    return length, max(1, min(n_rows, n_ids // length))


def _compact(ids: Int[np.ndarray, " position"]) -> Int[np.ndarray, " position"]:
    """The ids in as few bytes as they need: texts are long, and stay in memory for the whole run."""
    return ids.astype(
        np.min_scalar_type(-int(ids.max(initial=0)) - 1), copy=False
    )  # the negative one asks for a signed type


@lru_cache(maxsize=4)
def _shift(seed: int, n_round: int, n_ids: int) -> int:
    """The place at which a round through the text starts."""
    return int(np.random.default_rng([seed, n_round]).integers(n_ids))


@lru_cache(maxsize=4)
def _order(seed: int, n_round: int, n_windows: int) -> Int[np.ndarray, " window"]:
    """The order in which a round takes its windows."""
    return np.random.default_rng([seed, n_round, 1]).permutation(n_windows)
