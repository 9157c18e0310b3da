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

from regard.models.ngram_table import NgramTable
from regard.shapes import Float, Int

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
        return looked_up(self.shares, ngrams, missing=0.0), looked_up(self.escapes, contexts, missing=1.0)

    def over_vocab(self, contexts: Int[np.ndarray, " batch"], *, vocab_size: int) -> Estimate:
        """Share of every symbol after each context [batch vocab], and escape [batch 1]."""
        shares = np.zeros((len(contexts), vocab_size))
        rows, ranks, symbols = self.table.successors(contexts)
        counted = symbols < vocab_size  # the table of order 1 lists a start id outside the vocabulary, never counted
        shares[rows[counted], symbols[counted]] = self.shares[ranks[counted]]
        return shares, looked_up(self.escapes, contexts, missing=1.0)[:, None]


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


def looked_up(
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
