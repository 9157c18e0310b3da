"""Tables of n-grams on a disk: what `counts.NgramCounts` holds in memory, in files that are read a block at a time.

From the n-grams of the highest order, sorted, the tables of all orders follow in one pass, for those of order n are
the beginnings of the longer ones:

    sorted     01·  010  101  1··          order 1   0 0 1 1      order 2   01 01 10 ·      order 3   · 010 101 ·
    key        rank of the context, one order below, times the number of symbols, plus the last symbol

The suffix of an n-gram is found by one look-up: its own context has a suffix, and that followed by its last symbol is
the n-gram without its first (`BatchSearch`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import numpy as np

from regard.models.ngram.context_mixing import Levels
from regard.models.ngram.counts import PIECE, NgramCounts, NgramTable, Occurrences, remove_at, sort_with_places, walk
from regard.models.ngram.disk_array import CHUNK, BatchSearch, DiskArray
from regard.models.ngram.kneser_ney import Level, discounts_from
from regard.models.ngram.sorted_runs import Columns, Packing
from regard.progress import Progress, silent
from regard.shapes import Bool, Int

NOTHING: Mapping[str, list[int]] = MappingProxyType({})


@dataclass(frozen=True)
class DiskTable:
    """The n-grams of one order in sorted order, as `NgramTable` has them; `continuations` where they were counted."""

    n_symbols: int
    keys: DiskArray
    counts: DiskArray
    suffixes: DiskArray
    continuations: DiskArray

    @classmethod
    def make(
        cls, folder: Path, *, order: int, n_symbols: int, n_positions: int, noted: Mapping[str, list[int]] = NOTHING
    ) -> DiskTable:
        """A table with its files in a folder; they are empty but for those of which length and maximum were `noted`.

        Neither counts nor ranks are larger than the text has positions, or symbols.
        """
        bounds = dict.fromkeys(("counts", "suffixes", "continuations"), max(n_positions, n_symbols))
        paths = {name: folder / f"{name}-{order}.part" for name in ("keys", *bounds)}
        return cls(
            n_symbols,
            *(DiskArray(path, *noted.get(path.name, ()), bound=bounds.get(name)) for name, path in paths.items()),
        )

    def ranks(
        self, contexts: Int[np.ndarray, " position"], symbols: Int[np.ndarray, " position"]
    ) -> Int[np.ndarray, " position"]:
        """Rank of each context followed by each symbol, −1 for those not in the table."""
        wanted, order = sort_with_places(contexts * self.n_symbols + symbols)
        found = np.empty_like(wanted)
        found[order] = self.keys.search(wanted)
        return found

    def tallies(self, contexts: Int[np.ndarray, " context"], numbers: DiskArray) -> Int[np.ndarray, "context 4"]:
        """As `Level.tallies`, of these contexts, which rise: the sum of `numbers`, and how many are one, two, more."""
        found = np.zeros((len(contexts), 4), np.int64)
        low, high = contexts * self.n_symbols, (contexts + 1) * self.n_symbols
        for start, keys in self.keys.blocks():
            here = slice(np.searchsorted(high, keys[0], "right"), np.searchsorted(low, keys[-1], "right"))
            if here.start >= here.stop:
                continue
            values = numbers.read(start, start + len(keys))
            sums = np.zeros((len(values) + 1, 4), np.int64)
            np.cumsum(values, out=sums[1:, 0])
            for n, is_so in enumerate((values == 1, values == 2, values >= 3), start=1):
                np.cumsum(is_so, out=sums[1:, n])
            found[here] += sums[np.searchsorted(keys, high[here])] - sums[np.searchsorted(keys, low[here])]
        return found


@dataclass
class _Growing:
    """One order while its table is written: the number of its last n-gram is not known before the next one comes."""

    table: DiskTable
    n_made: int = 0
    last: int = 0

    def add(self, keys: Int[np.ndarray, " ngram"], sums: Int[np.ndarray, " _"]) -> None:
        """Further n-grams; sums[0] belongs to the last one so far."""
        self.last += int(sums[0])
        if len(keys) == 0:
            return
        self.table.keys.append(keys)
        self.table.counts.append(np.append(self.last, sums[1:-1])[self.n_made == 0 :])
        self.n_made, self.last = self.n_made + len(keys), int(sums[-1])

    def close(self) -> None:
        """Write the count of the last n-gram."""
        if self.n_made:
            self.table.counts.append(np.array([self.last]))


@dataclass(frozen=True)
class DiskCounts:
    """Counts of all n-grams of orders 1 to N in files: `tables[n − 1]` holds those of order n."""

    vocab_size: int
    start_id: int | None
    tables: tuple[DiskTable, ...]
    histograms: dict[tuple[int, bool], np.ndarray] = field(default_factory=dict, repr=False)

    @classmethod
    def build(
        cls,
        batches: Iterable[tuple[Columns, np.ndarray]],
        folder: Path,
        *,
        packing: Packing,
        vocab_size: int,
        start_id: int | None,
        n_positions: int,
    ) -> DiskCounts:
        """The tables of sorted n-grams, as `sorted_runs` gives them; suffixes and continuations are still empty."""
        n_symbols, order = packing.n_symbols, packing.order
        tables = [
            DiskTable.make(folder, order=n, n_symbols=n_symbols, n_positions=n_positions) for n in range(1, order + 1)
        ]
        growing = [_Growing(table) for table in tables[1:]]
        seen, before = np.zeros(n_symbols, np.int64), np.full(order, -1)
        for columns, counts in batches:
            digits = packing.unpack(columns)
            seen += np.bincount(digits[0] - 1, weights=counts, minlength=n_symbols).astype(np.int64)
            _grow(growing, digits, counts, before, n_symbols)
            before = np.array([digit[-1] for digit in digits])
        if start_id is not None:
            seen[start_id] = 0  # it is given, and part of contexts alone
        for one in growing:
            one.close()
        tables[0].keys.append(np.arange(n_symbols))
        tables[0].counts.append(seen)
        tables[0].suffixes.append(np.zeros(n_symbols, np.int64))
        return cls(vocab_size, start_id, tuple(tables))

    @classmethod
    def restore(
        cls,
        noted: dict[str, list[int]],
        folder: Path,
        *,
        packing: Packing,
        vocab_size: int,
        start_id: int | None,
        n_positions: int,
    ) -> DiskCounts:
        """The tables as `build` left them, of which `notes` were taken."""
        orders, n_symbols = range(1, packing.order + 1), packing.n_symbols
        tables = (
            DiskTable.make(folder, order=n, n_symbols=n_symbols, n_positions=n_positions, noted=noted) for n in orders
        )
        return cls(vocab_size, start_id, tuple(tables))

    def notes(self) -> dict[str, list[int]]:
        """The files that `build` has written, each with its length and its largest number."""
        arrays = [array for table in self.tables for array in (table.keys, table.counts, table.suffixes)]
        return {array.path.name: [array.length, array.max] for array in arrays if array.length}

    @property
    def order(self) -> int:
        """The longest n-gram counted."""
        return len(self.tables)

    @property
    def n_ngrams(self) -> int:
        """How many different ones there are, of all orders."""
        return sum(len(table.keys) for table in self.tables)

    @property
    def in_short(self) -> NgramCounts:
        """Empty counts of these sizes, for what depends on the sizes alone."""
        return NgramCounts.empty(vocab_size=self.vocab_size, order=self.order, start_id=self.start_id)

    def find_suffixes(self, *, continuations: bool, progress: Progress = silent) -> None:
        """Write the suffixes of all tables, and in how many ways each n-gram is continued to the left."""
        for n in range(1, self.order):
            progress((n - 1) / (self.order - 1), f"order {n + 1} of {self.order}")
            if n == 1:
                self._find_last_symbols(continuations)
            else:
                self._find_suffixes_of(n, continuations)

    def _find_last_symbols(self, continuations: bool) -> None:
        """Write the suffixes of pairs: the last symbols themselves."""
        symbols_seen, pairs = self.tables[:2]
        ways = symbols_seen.counts.read(0, len(symbols_seen.counts))
        for start, keys in pairs.keys.blocks(CHUNK):
            symbols = keys % pairs.n_symbols
            pairs.suffixes.append(symbols)
            ways += _sum_at(symbols, 1 - pairs.counts.read(start, start + len(keys)), len(ways))
        if continuations:
            symbols_seen.continuations.append(ways)

    def _find_suffixes_of(self, n: int, continuations: bool) -> None:
        """Write the suffixes of the n-grams of `tables[n]`, looked up in the table below."""
        below, table = self.tables[n - 1], self.tables[n]
        search = BatchSearch(below.keys, largest=table.counts.max)
        for start, keys in table.keys.blocks(CHUNK):
            # one more way, and its occurrences no longer stand with nothing before them
            changes = 1 - table.counts.read(start, start + len(keys)) if continuations else None
            search.ask(self._suffix_keys(n, keys), changes)
        for start, changes in search.answer():
            if continuations:
                below.continuations.append(below.counts.read(start, start + len(changes)) + changes)
        for _, keys in table.keys.blocks(CHUNK):
            table.suffixes.append(search.take(self._suffix_keys(n, keys)))
        search.close()

    def _suffix_keys(self, n: int, keys: Int[np.ndarray, " ngram"]) -> Int[np.ndarray, " ngram"]:
        """The keys that the suffixes of some n-grams have in the table below."""
        contexts, symbols = np.divmod(keys, self.tables[n].n_symbols)
        return self.tables[n - 1].suffixes.gather(contexts) * self.tables[n].n_symbols + symbols

    def pieces(self, ids: Int[np.ndarray, " position"]) -> Iterator[Occurrences]:
        """The occurrences of a sequence, piece by piece: each position once, with its whole context."""
        for begin in range(0, len(ids), PIECE):
            before = min(begin, self.order - 1)
            yield self.occurrences(ids[begin - before : begin + PIECE]).after(before)

    def occurrences(self, ids: Int[np.ndarray, " position"]) -> Occurrences:
        """Where the n-grams of `ids` stand in these tables."""
        is_mark = self.in_short.is_mark(ids)
        opens = is_mark.copy()
        opens[:1] = True
        return remove_at(is_mark, walk([table.ranks for table in self.tables], ids, opens))

    def levels_at(self, seen: Occurrences, *, take_out: bool = False) -> tuple[Levels, Occurrences]:
        """What all orders say at some positions, and these positions in it; `take_out` their n-grams of the counts.

        The levels hold the n-grams and contexts of these positions alone, under new ranks.
        """
        places = [_Places.find(*ranks) for ranks in zip(seen.ngrams, seen.contexts, strict=True)]
        counted = [table.counts.gather(at.ngrams) for table, at in zip(self.tables, places, strict=True)]
        taken = [at.tally() if take_out else np.zeros(len(at.ngrams), np.int64) for at in places]
        plain = [self._level(n, at, counted[n], counted[n] - taken[n], continued=False) for n, at in enumerate(places)]
        continued = []
        for n, at in enumerate(places[:-1]):
            ways = self.tables[n].continuations.gather(at.ngrams)
            above, longer = places[n + 1], (counted[n + 1] > 0) & (counted[n + 1] == taken[n + 1])
            suffixes = above.suffixes(at)
            left = ways - taken[n] + _sum_at(suffixes, taken[n + 1], len(ways)) - _sum_at(suffixes, longer, len(ways))
            continued.append(self._level(n, at, ways, left, continued=True))
        compact = Occurrences(np.stack([at.ngrams_at for at in places]), np.stack([at.contexts_at for at in places]))
        return Levels(tuple(plain), tuple(continued)), compact

    def _level(
        self,
        n: int,
        at: _Places,
        before: Int[np.ndarray, " ngram"],
        after: Int[np.ndarray, " ngram"],
        *,
        continued: bool,
    ) -> Level:
        """One order at some places, where the numbers of its n-grams change from `before` to `after`."""
        table = self.tables[n]
        tallies = table.tallies(at.contexts, table.continuations if continued else table.counts)
        totals = tallies[:, 0] + _sum_at(at.context_of, after - before, len(at.contexts))
        for numbers, sign in ((before, -1), (after, 1)):
            tallies += sign * np.bincount(
                at.context_of * 4 + np.minimum(numbers, 3), minlength=4 * len(at.contexts)
            ).reshape(-1, 4)
        tallies[:, 0] = totals
        histogram = self._histogram(n, continued) + _histogram_of(after) - _histogram_of(before)
        nothing = np.zeros(len(after), np.int64)
        level = Level(NgramTable(1, at.context_of, after, nothing), after, discounts_from(histogram), len(at.contexts))
        vars(level)["tallies"] = tallies  # of all n-grams of the contexts, not of those at these places alone
        return level

    def _histogram(self, n: int, continued: bool) -> Int[np.ndarray, " 6"]:
        """How many n-grams of an order were seen 0, 1, … 4 or more times."""
        if (n, continued) not in self.histograms:
            numbers = self.tables[n].continuations if continued else self.tables[n].counts
            self.histograms[n, continued] = sum(
                (_histogram_of(block) for _, block in numbers.blocks()), np.zeros(6, int)
            )
        return self.histograms[n, continued]


@dataclass(frozen=True)
class _Places:
    """The different n-grams and contexts of one order at some positions, and which of them each position has."""

    ngrams: Int[np.ndarray, " ngram"]
    contexts: Int[np.ndarray, " context"]
    ngrams_at: Int[np.ndarray, " position"]
    contexts_at: Int[np.ndarray, " position"]

    @classmethod
    def find(cls, ngrams: Int[np.ndarray, " position"], contexts: Int[np.ndarray, " position"]) -> _Places:
        (known, ngrams_at), (preceding, contexts_at) = _number(ngrams), _number(contexts)
        return cls(known, preceding, ngrams_at, contexts_at)

    @property
    def context_of(self) -> Int[np.ndarray, " ngram"]:
        """The context of each n-gram."""
        return _value_of(self.ngrams_at, self.contexts_at, len(self.ngrams))

    def tally(self) -> Int[np.ndarray, " ngram"]:
        """How often each n-gram occurs."""
        return np.bincount(self.ngrams_at[self.ngrams_at >= 0], minlength=len(self.ngrams))

    def suffixes(self, below: _Places) -> Int[np.ndarray, " ngram"]:
        """Each n-gram without its first symbol, which ends at the same position one order below."""
        return _value_of(self.ngrams_at, below.ngrams_at, len(self.ngrams))


def _number(ranks: Int[np.ndarray, " position"]) -> tuple[Int[np.ndarray, " _"], Int[np.ndarray, " position"]]:
    """The different ranks, and the number of each position's among them; −1 stays."""
    ordered = np.sort(ranks[ranks >= 0])  # np.unique would gather them in a hash table: ten times the time
    known = ordered[np.diff(ordered, prepend=-1) != 0]
    return known, np.where(ranks >= 0, np.searchsorted(known, ranks), -1)


def _value_of(
    owners: Int[np.ndarray, " position"], values: Int[np.ndarray, " position"], n_owners: int
) -> Int[np.ndarray, " owner"]:
    """What each owner has at all of its positions."""
    found = np.zeros(n_owners, np.int64)
    found[owners[owners >= 0]] = values[owners >= 0]
    return found


def _sum_at(
    places: Int[np.ndarray, " ngram"], numbers: Int[np.ndarray, " ngram"] | Bool[np.ndarray, " ngram"], n: int
) -> Int[np.ndarray, " _"]:
    """The sum of the numbers at each of n places."""
    return np.bincount(places, weights=numbers, minlength=n).astype(np.int64)


def _histogram_of(numbers: Int[np.ndarray, " _"]) -> Int[np.ndarray, " 6"]:
    """How many numbers are 0, 1, … 4 or more."""
    return np.bincount(np.minimum(numbers, 5), minlength=6)


def _grow(
    growing: list[_Growing],
    digits: list[Int[np.ndarray, " ngram"]],
    counts: Int[np.ndarray, " ngram"],
    before: Int[np.ndarray, " order"],
    n_symbols: int,
) -> None:
    """Add a block of sorted n-grams to the tables of orders 2 to N; `before` has the digits of the last one so far."""
    differs = np.diff(digits[0], prepend=before[:1]) != 0
    ranks = digits[0] - 1
    for one, digit, last in zip(growing, digits[1:], before[1:], strict=True):
        differs |= np.diff(digit, prepend=last) != 0
        is_new = differs & (digit != 0)
        local = np.cumsum(is_new)
        sums = np.bincount(local, weights=counts * (digit != 0), minlength=int(local[-1]) + 1).astype(np.int64)
        keys = (ranks * n_symbols + digit - 1)[is_new]
        ranks = one.n_made + local - 1
        one.add(keys, sums)
