"""Interpolated modified Kneser–Ney: discounted counts, the highest order from counts, lower ones from continuations.

After context c, a symbol w that was seen n(cw) > 0 times keeps its count less a discount. What is taken from all of
them together is the share that escapes to the order below:

    p(w | c) = share(cw) + escape(c)·p(w | c without its first symbol)              p₀(w) = 1/V
    share(cw) = (n(cw) − D(n)) / n(c)            escape(c) = (D₁·ones(c) + D₂·twos(c) + D₃·more(c)) / n(c)

with D(n) = D₁, D₂ or, from three on, D₃. Shares and escape of a context add up to one as long as D(n) ≤ n, so the
probabilities do too; a context never seen lets everything escape. One `Level` holds all this for one order.

A lower order speaks only where the higher one has not seen the symbol. There it matters not how often an n-gram
occurred but after how many different symbols: `Francisco` is frequent, and follows `San` alone. So lower orders count
continuations. The conventions are those of KenLM's `lmplz` without pruning: n-grams that begin with the start mark keep
their counts, and the mark itself is never predicted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array

from regard.display import short_repr
from regard.models.ngram.counts import NgramCounts, NgramTable
from regard.shapes import Bool, Float, Int

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
    return discounts_from(np.bincount(np.minimum(counts, 5), minlength=5))


def discounts_from(n_ngrams: Int[np.ndarray, " _"]) -> Float[np.ndarray, " 4"]:
    """The discounts where n_ngrams[n] n-grams were seen n times, for n = 0 to 4 at least."""
    k = n_ngrams.astype(float)
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


@dataclass(frozen=True)
class UnknownWords:
    """The ids of a vocabulary of words that are no words: the unknown one, and the end of a line."""

    unknown: int
    line_end: int | None

    def are_in(self, counts: NgramCounts) -> bool:
        """Whether some word was seen once, so that there is something to count a second time."""
        return bool(self._is_new(counts, n_seen=1).any())

    def count_again(self, counts: NgramCounts, ids: Int[np.ndarray, " position"]) -> NgramCounts:
        """The counts of `ids`, and once more those within reach of a word seen once, as an unknown one."""
        is_new = self._is_new(counts, n_seen=1)[ids]
        if not is_new.any():
            return counts
        extended, seen = counts.read(np.where(is_new, self.unknown, ids))
        seen.ngrams[:, _is_within_reach(is_new, counts.is_mark(ids), order=counts.order)] = -1  # these stay
        return extended.without(seen)

    def meet(self, ids: Int[np.ndarray, " position"], counts: NgramCounts) -> Int[np.ndarray, " position"]:
        """Further text as a model of these counts meets it: words that it has not seen are unknown."""
        return np.where(self._is_new(counts, n_seen=0)[ids], self.unknown, ids)

    def _is_new(self, counts: NgramCounts, *, n_seen: int) -> Bool[np.ndarray, " symbol"]:
        """The words that were counted `n_seen` times; marks are no words."""
        is_new = counts.tables[0].counts == n_seen
        marks = (self.unknown, self.line_end, counts.start_id)
        is_new[[mark for mark in marks if mark is not None]] = False
        return is_new


def _is_within_reach(
    is_new: Bool[np.ndarray, " position"], is_mark: Bool[np.ndarray, " position"], *, order: int
) -> Bool[np.ndarray, " position"]:
    """Where the longest n-gram that ends here has a new word; it does not reach across a mark."""
    here = np.arange(len(is_new))
    last_new, last_mark = (np.maximum.accumulate(np.where(at, here, -order)) for at in (is_new, is_mark))
    return (here - last_new < order) & (last_new > last_mark)


def plain_levels(counts: NgramCounts) -> tuple[Level, ...]:
    """For orders 1 to N: how often each n-gram was seen."""
    return _levels(counts, [table.counts for table in counts.tables])


def continuation_levels(counts: NgramCounts) -> tuple[Level, ...]:
    """For orders 1 to N − 1: the continuations of each n-gram, discounted."""
    return _levels(counts, continuations(counts))


def continuations(counts: NgramCounts) -> tuple[Int[np.ndarray, " _"], ...]:
    """For orders 1 to N − 1: in how many ways each n-gram is continued to the left.

    That is the number of different symbols before it, plus its occurrences with nothing before them: an n-gram
    that begins with a start mark keeps its count.
    """
    return tuple(
        np.bincount(longer.suffixes[longer.counts > 0], minlength=len(table.keys))
        + table.counts
        - np.bincount(longer.suffixes, weights=longer.counts, minlength=len(table.keys)).astype(np.int64)
        for table, longer in zip(counts.tables[:-1], counts.tables[1:], strict=True)
    )


def _levels(counts: NgramCounts, used: Sequence[Int[np.ndarray, " _"]]) -> tuple[Level, ...]:
    """Discounted counts of each order, from the lowest up."""
    n_contexts = [1] + [len(table.keys) for table in counts.tables]
    return tuple(
        Level(table, numbers, discounts_of(numbers), below)
        for table, numbers, below in zip(counts.tables, used, n_contexts, strict=False)
    )


def interpolate(lower: np.ndarray, estimates: Iterable[Estimate]) -> np.ndarray:
    """p = share + escape·p of the order below, from the lowest order up."""
    for share, escape in estimates:
        lower = share + escape * lower
    return lower


@short_repr
@dataclass(frozen=True)
class KneserNey:
    """A static n-gram model: the counts decide everything.

    >>> model = KneserNey.fit(np.array([0, 1, 0, 1, 0]), vocab_size=2, order=2)
    >>> np.exp(model.next_log_probs(np.array([0]))).round(3)
    array([0.292, 0.708])
    """

    counts: NgramCounts

    @classmethod
    def fit(
        cls,
        ids: Int[np.ndarray, " position"],
        *,
        vocab_size: int,
        order: int,
        start_id: int | None = None,
        unknown_words: UnknownWords | None = None,
    ) -> KneserNey:
        """The model of a sequence of ids; see `counts` for what a start id does.

        Given `unknown_words`, words that the sequence has once are counted a second time as unknown.
        """
        counts = NgramCounts.count(ids, vocab_size=vocab_size, order=order, start_id=start_id)
        return cls(counts if unknown_words is None else unknown_words.count_again(counts, ids))

    @classmethod
    def of_bigrams(cls, matrix: csr_array) -> KneserNey:
        """The model of counted pairs, in a matrix [context, token] whose last context is the start mark."""
        vocab_size = matrix.shape[1]
        counts = NgramCounts.empty(vocab_size=vocab_size, order=2, start_id=vocab_size)
        pairs = csr_array(matrix)
        pairs.sort_indices()
        contexts, tokens = np.repeat(np.arange(vocab_size + 1), np.diff(pairs.indptr)), pairs.indices.astype(np.int64)
        seen = np.bincount(tokens, weights=pairs.data, minlength=vocab_size + 1).astype(np.int64)
        keys = contexts * counts.n_symbols + tokens
        second = NgramTable(counts.n_symbols, keys, pairs.data.astype(np.int64), tokens)
        return cls(replace(counts, tables=(replace(counts.tables[0], counts=seen), second)))

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """Continuations for all orders but the highest, which has its counts."""
        return (*continuation_levels(self.counts), plain_levels(self.counts)[-1])

    def log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """Nats of each symbol given all before it in its segment; 0 for a start mark, which is given."""
        pieces = [np.zeros(0)]
        for seen in self.counts.pieces(ids):
            estimates = (
                level.at(*ranks) for level, *ranks in zip(self.levels, seen.ngrams, seen.contexts, strict=True)
            )
            pieces.append(np.log(interpolate(np.full(seen.ngrams.shape[1], self.counts.uniform.max()), estimates)))
        return np.where(self.counts.is_mark(ids), 0.0, np.concatenate(pieces))

    def next_log_probs(self, context: Int[np.ndarray, " position"]) -> Float[np.ndarray, " vocab"]:
        """Nats of every symbol of the vocabulary after `context`; −∞ for a start id within the vocabulary."""
        return self.next_log_probs_of([context])[0]

    def next_log_probs_of(self, contexts: Sequence[Int[np.ndarray, " _"]]) -> Float[np.ndarray, "batch vocab"]:
        """Nats of every symbol of the vocabulary after each of many contexts."""
        return self.log_probs_after(self.counts.context_ranks(contexts))

    def log_probs_after(self, ranks: Int[np.ndarray, "order batch"]) -> Float[np.ndarray, "batch vocab"]:
        """Nats of every symbol after contexts that are given by their ranks at every order."""
        size = self.counts.vocab_size
        estimates = (level.over_vocab(row, vocab_size=size) for level, row in zip(self.levels, ranks, strict=True))
        with np.errstate(divide="ignore"):
            return np.log(interpolate(np.tile(self.counts.uniform, (ranks.shape[1], 1)), estimates))
