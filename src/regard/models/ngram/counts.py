"""How often each n-gram of a sequence of ids occurs, for all orders up to N.

An `NgramTable` holds the n-grams of one order in sorted order: the key of an n-gram is the rank of its context, one
order below, times the number of symbols, plus its last symbol. So one walks up the orders of a text by one look-up
each: the context of the n-gram that ends at position t is the (n−1)-gram that ends at t − 1, and its rank is half of
the key.

A start id, where there is one, opens a segment: contexts do not reach across it, and it is given, never predicted,
so it is part of contexts but not counted itself. Without one the sequence is a single segment without marks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from regard.display import short_repr
from regard.errors import InputFileError, ValueRangeError
from regard.shapes import Bool, Float, Int

RankFinder: TypeAlias = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Rank of each context followed by each symbol, in the table of one order; −1 for those not in it."""

PIECE = 1 << 18
"""Positions scored at once: the ranks of ten orders then take some forty megabytes."""


@short_repr
@dataclass(frozen=True)
class NgramTable:
    """The n-grams of one order in sorted order.

    `suffixes` has the rank, one order below, of each n-gram without its first symbol.
    """

    n_symbols: int
    keys: Int[np.ndarray, " ngram"]
    counts: Int[np.ndarray, " ngram"]
    suffixes: Int[np.ndarray, " ngram"]

    @property
    def contexts(self) -> Int[np.ndarray, " ngram"]:
        """The rank of each n-gram's context, one order below; it never falls."""
        return self.keys // self.n_symbols

    def ranks(
        self, contexts: Int[np.ndarray, " position"], symbols: Int[np.ndarray, " position"]
    ) -> Int[np.ndarray, " position"]:
        """Rank of each context followed by each symbol, −1 for those not in the table."""
        if len(self.keys) == 0:
            return np.full(len(symbols), -1)
        wanted = contexts * self.n_symbols + symbols
        # a search for rising keys stays in the processor's cache: three times as fast
        wanted, order = sort_with_places(wanted)
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        found = np.empty_like(places)
        found[order] = np.where(self.keys[places] == wanted, places, -1)
        return found

    def successors(
        self, contexts: Int[np.ndarray, " batch"]
    ) -> tuple[Int[np.ndarray, " ngram"], Int[np.ndarray, " ngram"], Int[np.ndarray, " ngram"]]:
        """Every n-gram that continues one of the contexts: (row of the context, rank, last symbol)."""
        low = np.searchsorted(self.keys, contexts * self.n_symbols)
        high = np.searchsorted(self.keys, (contexts + 1) * self.n_symbols)
        sizes = high - low  # none for rank −1, which lies below all keys
        rows = np.repeat(np.arange(len(contexts)), sizes)
        ranks = np.arange(len(rows)) + np.repeat(low - (np.cumsum(sizes) - sizes), sizes)
        return rows, ranks, self.keys[ranks] % self.n_symbols


def merge(
    table: NgramTable,
    moved_below: Int[np.ndarray, " lower"],
    ids: Int[np.ndarray, " position"],
    *,
    contexts: Int[np.ndarray, " position"],
    suffixes: Int[np.ndarray, " position"],
) -> tuple[NgramTable, Int[np.ndarray, " ngram"], Int[np.ndarray, " position"]]:
    """The table with new n-grams in it, the new ranks of its old n-grams, and the ranks of those of `ids`.

    `moved_below` has the new ranks of the old n-grams one order below; as they keep their order, so do old keys.
    """
    inside = contexts >= 0
    fresh, inverse, added = distinct(contexts[inside] * table.n_symbols + ids[inside])
    old = moved_below[table.contexts] * table.n_symbols + table.keys % table.n_symbols
    places = np.searchsorted(old, fresh)
    is_new = np.append(old, -1)[places] != fresh
    keys = np.insert(old, places[is_new], fresh[is_new])
    moved, placed = np.searchsorted(keys, old), np.searchsorted(keys, fresh)

    counts, lower = np.zeros_like(keys), np.empty_like(keys)
    counts[moved] = table.counts
    counts[placed] += added
    lower[moved] = moved_below[table.suffixes]
    lower[placed[inverse]] = suffixes[inside]
    ranks = np.full(len(ids), -1)
    ranks[inside] = placed[inverse]
    return NgramTable(table.n_symbols, keys, counts, lower), moved, ranks


def require_sound(table: NgramTable, *, order: int, n_below: int) -> None:
    """Raise InputFileError where keys are not sorted or ranks point outside the table one order below."""
    sound = bool(np.all(table.keys[1:] > table.keys[:-1])) and bool(np.all(table.counts >= 0))
    if order == 1:
        sound = sound and len(table.keys) == table.n_symbols
    for ranks in (table.contexts, table.suffixes):
        sound = sound and (len(ranks) == 0 or (int(ranks.min()) >= 0 and int(ranks.max()) < n_below))
    if not sound:
        raise InputFileError(f"the n-gram counts of order {order} contradict themselves; the file is damaged")


@short_repr
@dataclass(frozen=True)
class Occurrences:
    """Which n-gram ends at each position, and which context precedes it: ranks by order, −1 where there is none."""

    ngrams: Int[np.ndarray, "order position"]
    contexts: Int[np.ndarray, "order position"]

    def after(self, n_positions: int) -> Occurrences:
        """All but the first positions."""
        return Occurrences(self.ngrams[:, n_positions:], self.contexts[:, n_positions:])


@short_repr
@dataclass(frozen=True)
class NgramCounts:
    """Counts of all n-grams of orders 1 to N: `tables[n − 1]` holds those of order n."""

    vocab_size: int
    start_id: int | None
    tables: tuple[NgramTable, ...]

    @classmethod
    def empty(cls, *, vocab_size: int, order: int, start_id: int | None = None) -> NgramCounts:
        """No n-gram seen yet. `start_id` may be an id of the vocabulary, or `vocab_size`, the first one outside it."""
        _require_sizes(vocab_size, order, start_id)
        n_symbols = vocab_size + (start_id == vocab_size)
        symbols, none = np.arange(n_symbols), np.zeros(0, dtype=np.int64)
        first = NgramTable(n_symbols, symbols, np.zeros(n_symbols, dtype=np.int64), np.zeros_like(symbols))
        return cls(vocab_size, start_id, (first,) + (NgramTable(n_symbols, none, none, none),) * (order - 1))

    @classmethod
    def count(
        cls, ids: Int[np.ndarray, " position"], *, vocab_size: int, order: int, start_id: int | None = None
    ) -> NgramCounts:
        """The n-grams of a sequence.

        >>> counts = NgramCounts.count(np.array([0, 1, 0, 1, 1]), vocab_size=2, order=2)
        >>> counts.tables[0].counts, counts.tables[1].keys, counts.tables[1].counts
        (array([2, 3]), array([1, 2, 3]), array([2, 1, 1]))
        """
        return cls.empty(vocab_size=vocab_size, order=order, start_id=start_id).extend(ids)

    @property
    def order(self) -> int:
        """The longest n-gram counted."""
        return len(self.tables)

    @property
    def n_symbols(self) -> int:
        """Ids that may occur: the vocabulary, and the start id where it lies outside."""
        return self.tables[0].n_symbols

    @property
    def uniform(self) -> Float[np.ndarray, " vocab"]:
        """One probability for all ids that can be predicted, and zero for a start id, which cannot."""
        possible = np.arange(self.vocab_size) != (-1 if self.start_id is None else self.start_id)
        return possible / possible.sum()

    def extend(self, ids: Int[np.ndarray, " position"]) -> NgramCounts:
        """These counts and those of a further segment (or several, where marks open them)."""
        return replace(self, tables=tuple(table for table, _, _ in self._merge(self._check(ids))))

    def read(self, ids: Int[np.ndarray, " position"], *, n_before: int = 0) -> tuple[NgramCounts, Occurrences]:
        """The counts extended by `ids`, and where its n-grams stand in them.

        The first `n_before` symbols only serve as context of the others: they are not counted and not returned.
        """
        tables, ngrams, contexts = zip(*self._merge(self._check(ids)), strict=True)
        found = remove_at(self.is_mark(ids), Occurrences(np.stack(ngrams), np.stack(contexts)))
        not_counted = Occurrences(found.ngrams[:, :n_before], found.contexts[:, :n_before])
        extended = replace(self, tables=tables)
        return extended.without(not_counted) if n_before else extended, found.after(n_before)

    def readings(self, ids: Int[np.ndarray, " position"]) -> Iterator[tuple[NgramCounts, Occurrences]]:
        """Read a long sequence piece by piece, each with the counts of those before: in less memory than at once."""
        counts = self
        for begin in range(0, len(ids), PIECE):
            before = min(begin, self.order - 1)
            counts, occurrences = counts.read(ids[begin - before : begin + PIECE], n_before=before)
            yield counts, occurrences

    def without(self, occurrences: Occurrences) -> NgramCounts:
        """The counts as they were before these occurrences; n-grams that are left with none stay in the tables."""
        tables = []
        for table, ranks in zip(self.tables, occurrences.ngrams, strict=True):
            taken = np.bincount(ranks[ranks >= 0], minlength=len(table.keys))
            tables.append(replace(table, counts=table.counts - taken))
        return replace(self, tables=tuple(tables))

    def occurrences(self, ids: Int[np.ndarray, " position"]) -> Occurrences:
        """Where the n-grams of `ids` stand in these counts."""
        ids = self._check(ids)
        return remove_at(self.is_mark(ids), self._walk(ids, self._openings(ids)))

    def pieces(self, ids: Int[np.ndarray, " position"]) -> Iterator[Occurrences]:
        """The occurrences of a long sequence, piece by piece: each position once, with its whole context."""
        for begin in range(0, len(ids), PIECE):
            before = min(begin, self.order - 1)
            yield self.occurrences(ids[begin - before : begin + PIECE]).after(before)

    def context_ranks(self, contexts: Sequence[Int[np.ndarray, " _"]]) -> Int[np.ndarray, "order batch"]:
        """For each context, the rank of its last n − 1 symbols at every order n; −1 where they were never seen."""
        reach = self.order - 1
        parts = [np.append(self._check(context)[len(context) - min(reach, len(context)) :], 0) for context in contexts]
        if not parts:
            return np.zeros((self.order, 0), dtype=np.int64)
        ids, ends = np.concatenate(parts), np.cumsum([len(part) for part in parts])
        opens = self._openings(ids)
        opens[ends[:-1]] = True
        opens[ends - 1] = [len(part) == 1 for part in parts]  # the symbol to come, written 0, opens no segment itself
        return self._walk(ids, opens).contexts[:, ends - 1]

    def is_mark(self, ids: Int[np.ndarray, " position"]) -> Bool[np.ndarray, " position"]:
        """Where a start mark stands."""
        return np.zeros(len(ids), dtype=bool) if self.start_id is None else ids == self.start_id

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything as named arrays, to be written to a file."""
        header = [self.vocab_size, self.order, -1 if self.start_id is None else self.start_id]
        arrays = {"ngram.header": np.array(header, dtype=np.int64)}
        for n, table in enumerate(self.tables, start=1):
            arrays[f"ngram.{n}.keys"] = table.keys
            arrays[f"ngram.{n}.counts"] = _compact(table.counts)
            arrays[f"ngram.{n}.suffixes"] = _compact(table.suffixes)
        return arrays

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> NgramCounts:
        """The counts that `to_arrays` wrote; InputFileError where an array is missing or cannot be right."""
        vocab_size, order, start = (int(number) for number in _array(arrays, "ngram.header", length=3))
        start_id = None if start < 0 else start
        try:
            _require_sizes(vocab_size, order, start_id)
        except ValueRangeError as error:
            raise InputFileError(f"the n-gram counts' header is damaged: {error}") from error
        n_symbols, tables, below = vocab_size + (start_id == vocab_size), [], 1
        for n in range(1, order + 1):
            keys = _array(arrays, f"ngram.{n}.keys")
            rest = (_array(arrays, f"ngram.{n}.{name}", length=len(keys)) for name in ("counts", "suffixes"))
            table = NgramTable(n_symbols, keys, *rest)
            require_sound(table, order=n, n_below=below)
            tables.append(table)
            below = len(keys)
        return cls(vocab_size, start_id, tuple(tables))

    def _check(self, ids: Int[np.ndarray, " position"]) -> Int[np.ndarray, " position"]:
        """The ids as int64, if they are all possible."""
        if len(ids) and (ids.min() < 0 or ids.max() >= self.n_symbols):
            wrong = int(ids.min()) if ids.min() < 0 else int(ids.max())
            raise ValueRangeError(f"ids run from 0 to {self.n_symbols - 1}; got {wrong}: use the model's own tokeniser")
        return ids.astype(np.int64)

    def _openings(self, ids: Int[np.ndarray, " position"]) -> Bool[np.ndarray, " position"]:
        """Where a segment begins: at the first symbol and at each start mark."""
        opens = self.is_mark(ids)
        opens[:1] = True
        return opens

    def _walk(self, ids: Int[np.ndarray, " position"], opens: Bool[np.ndarray, " position"]) -> Occurrences:
        """Ranks at every order; start marks are still among them."""
        return walk([table.ranks for table in self.tables], ids, opens)

    def _merge(
        self, ids: Int[np.ndarray, " position"]
    ) -> Iterator[tuple[NgramTable, Int[np.ndarray, " position"], Int[np.ndarray, " position"]]]:
        """For each order: the table with the n-grams of `ids` added, their ranks and those of their contexts."""
        opens, table, ranks = self._openings(ids), self.tables[0], ids
        fresh = np.bincount(ids[~self.is_mark(ids)], minlength=self.n_symbols)
        yield replace(table, counts=table.counts + fresh), ranks, np.zeros_like(ids)
        moved = table.keys
        for table in self.tables[1:]:
            contexts = _one_before(ranks, opens)
            merged, moved, ranks = merge(table, moved, ids, contexts=contexts, suffixes=ranks)
            yield merged, ranks, contexts


def walk(
    ranks_at: Sequence[RankFinder], ids: Int[np.ndarray, " position"], opens: Bool[np.ndarray, " position"]
) -> Occurrences:
    """Ranks of n-grams and contexts at every order, by one look-up each in the tables of the orders from 1 on."""
    order = len(ranks_at)
    ngrams, contexts = np.full((order, len(ids)), -1), np.full((order, len(ids)), -1)
    ngrams[0], contexts[0] = ids, 0
    for n in range(1, order):
        contexts[n] = _one_before(ngrams[n - 1], opens)
        # what was never seen without its first symbol was never seen with it
        likely = np.flatnonzero((contexts[n] >= 0) & (ngrams[n - 1] >= 0))
        ngrams[n, likely] = ranks_at[n](contexts[n, likely], ids[likely])
    return Occurrences(ngrams, contexts)


def remove_at(places: Bool[np.ndarray, " position"], occurrences: Occurrences) -> Occurrences:
    """The occurrences with none at these places, where start marks stand: they are given."""
    for ranks in (occurrences.ngrams, occurrences.contexts):
        ranks[:, places] = -1
    return occurrences


def _one_before(
    ranks: Int[np.ndarray, " position"], opens: Bool[np.ndarray, " position"]
) -> Int[np.ndarray, " position"]:
    """The rank at the position before, −1 where a segment opens."""
    contexts = np.empty_like(ranks)
    contexts[1:] = ranks[:-1]
    contexts[opens] = -1
    return contexts


def _require_sizes(vocab_size: int, order: int, start_id: int | None) -> None:
    """Raise ValueRangeError unless there is something to predict."""
    if order < 1:
        raise ValueRangeError(f"the order of an n-gram model is at least 1; got {order}")
    if start_id is not None and not 0 <= start_id <= vocab_size:
        raise ValueRangeError(f"the start id lies between 0 and the vocabulary size {vocab_size}; got {start_id}")
    if vocab_size - (start_id is not None and start_id < vocab_size) < 1:
        raise ValueRangeError(
            f"a vocabulary needs an id that can be predicted; got size {vocab_size}, start {start_id}"
        )


def _compact(numbers: Int[np.ndarray, " ngram"]) -> Int[np.ndarray, " ngram"]:
    """Four bytes a number where that is enough: a third off the size of the file."""
    return numbers if numbers.max(initial=0) > np.iinfo(np.int32).max else numbers.astype(np.int32)


def _array(arrays: dict[str, np.ndarray], name: str, *, length: int | None = None) -> Int[np.ndarray, " _"]:
    """One array of a file, as int64."""
    if name not in arrays:
        raise InputFileError(f"the n-gram counts have no array {name!r}; the file is truncated or of another kind")
    array = arrays[name]
    if array.ndim != 1 or array.dtype.kind not in "iu" or (length is not None and len(array) != length):
        wanted = "integers" if length is None else f"{length} integers"
        raise InputFileError(
            f"the n-gram counts' {name!r} should be {wanted}; got {array.dtype} of shape {array.shape}"
        )
    return array.astype(np.int64)


FEW = 512
"""Up to this many numbers are sorted faster by their index."""


def sort_with_places(
    numbers: Int[np.ndarray, " position"],
) -> tuple[Int[np.ndarray, " position"], Int[np.ndarray, " position"]]:
    """The numbers in rising order, and the place of each before; equal ones stay in order.

    Number and place are sorted as one number, whose lowest bits are the place: in half of the time of `np.argsort`,
    which follows an index for each comparison. Most of the time of counting is spent here.

    >>> sort_with_places(np.array([7, 3, 7]))
    (array([3, 7, 7]), array([1, 0, 2]))
    """
    place_bits = len(numbers).bit_length()
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) > FEW else (0, 0)
    if len(numbers) <= FEW or (high - low) >> (63 - place_bits):  # both together do not fit into 64 bits
        places = np.argsort(numbers, kind="stable")
        return numbers[places], places
    both = (numbers.astype(np.int64) - low) << place_bits
    both |= np.arange(len(numbers))
    both.sort()
    places = both & ((1 << place_bits) - 1)
    both >>= place_bits
    both += low
    return both, places


def distinct(
    keys: Int[np.ndarray, " position"],
) -> tuple[Int[np.ndarray, " distinct"], Int[np.ndarray, " position"], Int[np.ndarray, " distinct"]]:
    """The different keys in rising order, which of them stands at each position, and how often each is there.

    >>> distinct(np.array([7, 3, 7]))
    (array([3, 7]), array([1, 0, 1]), array([1, 2]))
    """
    ordered, places = sort_with_places(keys)
    is_first = np.ones(len(keys), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    starts = np.flatnonzero(is_first)
    counts = np.diff(starts, append=len(keys))
    which = np.empty_like(places)
    which[places] = np.repeat(np.arange(len(starts)), counts)
    return ordered[starts], which, counts
