"""Discounted counts: what an n-gram model keeps for the n-grams it has seen, and what it hands down an order.

After context c, a symbol w seen n(cw) > 0 times keeps its count less a discount; what is taken from all of them
together is the share that escapes to the order below:

    p(w | c) = share(cw) + escape(c)·p(w | c without its first symbol)
    share(cw) = (n(cw) − D(n)) / n(c)            escape(c) = (D₁·ones(c) + D₂·twos(c) + D₃·more(c)) / n(c)

with D(n) = D₁, D₂ or, from three on, D₃. Shares and escape of a context add up to one as long as D(n) ≤ n, so the
probabilities do too; a context never seen lets everything escape.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from regard.display import short_repr
from regard.errors import InputFileError
from regard.shapes import Float, Int


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


FALLBACK = (0.0, 0.5, 1.0, 1.5)
"""Discounts where counts of counts say nothing: small or strange texts. KenLM falls back to the same."""

Estimate: TypeAlias = tuple[np.ndarray, np.ndarray]
"""Share and escape where they are asked for: p = share + escape·(p of the order below)."""


def discounts_of(counts: Int[np.ndarray, " ngram"]) -> Float[np.ndarray, " 4"]:
    """(0, D₁, D₂, D₃) after Chen and Goodman, from how many n-grams were seen n times, for n = 1 to 4.

    Dₙ = n − (n + 1)·Y·kₙ₊₁/kₙ with Y = k₁/(k₁ + 2k₂), where kₙ n-grams were seen n times. The fallback stands in where
    k₁, k₂ or k₃ is zero or a discount is not in (0, n].

    >>> discounts_of(np.array([1, 1, 1, 1, 2, 2, 3, 4]))
    array([0.  , 0.5 , 1.25, 1.  ])
    """
    k = np.bincount(np.minimum(counts, 5), minlength=5).astype(float)
    if k[1:4].min() == 0:
        return np.array(FALLBACK)
    n = np.arange(1, 4)
    discounts = n - (n + 1) * k[1] / (k[1] + 2 * k[2]) * k[2:5] / k[1:4]
    if discounts.min() <= 0:  # they cannot exceed n
        return np.array(FALLBACK)
    return np.append(0.0, discounts)


@short_repr
@dataclass(frozen=True)
class Level:
    """One order of the model: its n-grams, the counts to be used (plain, or continuations), and their discounts."""

    table: NgramTable
    counts: Int[np.ndarray, " ngram"]
    discounts: Float[np.ndarray, " 4"]
    n_contexts: int

    @cached_property
    def tallies(self) -> Int[np.ndarray, "context 4"]:
        """For each context: the sum of its n-grams' counts, and how many of them count one, two, three or more."""
        contexts = self.table.contexts
        total = np.bincount(contexts, weights=self.counts, minlength=self.n_contexts).astype(np.int64)
        tallies = np.bincount(contexts * 4 + np.minimum(self.counts, 3), minlength=4 * self.n_contexts).reshape(-1, 4)
        tallies[:, 0] = total
        return tallies

    @cached_property
    def shares(self) -> Float[np.ndarray, " ngram"]:
        """What each n-gram keeps of its context."""
        total = self.tallies[:, 0][self.table.contexts]
        return share_of(self.counts, total, self.discounts)

    @cached_property
    def escapes(self) -> Float[np.ndarray, " context"]:
        """What each context hands down."""
        return escape_of(self.tallies, self.discounts)

    def at(self, ngrams: Int[np.ndarray, " position"], contexts: Int[np.ndarray, " position"]) -> Estimate:
        """Share and escape at positions of a text, given by the ranks of n-gram and context."""
        return look_up(self.shares, ngrams, missing=0.0), look_up(self.escapes, contexts, missing=1.0)

    def over_vocab(self, contexts: Int[np.ndarray, " batch"], *, vocab_size: int) -> Estimate:
        """Share of every symbol after each context [batch vocab], and escape [batch 1]."""
        shares = np.zeros((len(contexts), vocab_size))
        rows, ranks, symbols = self.table.successors(contexts)
        counted = symbols < vocab_size  # the table of order 1 lists a start id outside the vocabulary, never counted
        shares[rows[counted], symbols[counted]] = self.shares[ranks[counted]]
        return shares, look_up(self.escapes, contexts, missing=1.0)[:, None]


def share_of(
    counts: Int[np.ndarray, " ngram"], totals: Int[np.ndarray, " ngram"], discounts: Float[np.ndarray, " 4"]
) -> Float[np.ndarray, " ngram"]:
    """(n − D(n)) / total, zero where nothing was counted."""
    return (counts - discounts[np.minimum(counts, 3)]) / np.maximum(totals, 1)


def escape_of(
    tallies: Int[np.ndarray, "context 4"], discounts: Float[np.ndarray, " 4"]
) -> Float[np.ndarray, " context"]:
    """(D₁·ones + D₂·twos + D₃·more) / total, one where nothing was counted."""
    total = tallies[:, 0]
    return np.where(total > 0, tallies[:, 1:] @ discounts[1:] / np.maximum(total, 1), 1.0)


def look_up(
    values: Float[np.ndarray, "rank ..."] | Int[np.ndarray, "rank ..."],
    ranks: Int[np.ndarray, " position"],
    *,
    missing: float,
) -> Float[np.ndarray, "position ..."] | Int[np.ndarray, "position ..."]:
    """The values at each rank, `missing` for rank −1."""
    if len(values) == 0:
        return np.full((len(ranks), *values.shape[1:]), missing, dtype=values.dtype)
    found = values[ranks]
    found[ranks < 0] = missing
    return found
