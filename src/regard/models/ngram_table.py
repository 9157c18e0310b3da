"""The n-grams of one order as sorted integers.

The n-grams of an order are numbered in sorted order; that number is an n-gram's rank. An n-gram's key is made of the
rank of its context (all but its last symbol) in the table one order below, and of its last symbol:

    key(c w) = rank(c)·n_symbols + w            rank(w) = w,  rank(nothing) = 0

Keys never overflow, whatever the order, and the successors of a context lie side by side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regard.errors import InputFileError
from regard.shapes import Int


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
        order = np.argsort(wanted)  # a search for rising keys stays in the processor's cache: three times as fast
        wanted = wanted[order]
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
    fresh, inverse, added = np.unique(
        contexts[inside] * table.n_symbols + ids[inside], return_inverse=True, return_counts=True
    )
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
