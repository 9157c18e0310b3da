"""Interpolated modified Kneser–Ney: the highest order from counts, all lower ones from continuations.

A lower order speaks only where the higher one has not seen the symbol. There it matters not how often an n-gram
occurred but after how many different symbols: `Francisco` is frequent, and follows `San` alone. With the levels of
`discounting`, from the uniform distribution up:

    p₀(w) = 1/V        pₙ(w | c) = share(cw) + escape(c)·pₙ₋₁(w | c without its first symbol)

The conventions are those of KenLM's `lmplz` without pruning: n-grams that begin with the start mark keep their counts,
and the mark itself is never predicted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regard.display import short_repr
from regard.models.ngram.counts import NgramCounts
from regard.models.ngram.discounting import Estimate, Level, discounts_of
from regard.shapes import Bool, Float, Int


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
        """The words that were counted so often; marks are no words."""
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
    """For orders 1 to N − 1: in how many ways each n-gram is continued to the left."""
    return _levels(counts, counts.continuations())


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
        """The same for many contexts at once."""
        return self.log_probs_after(self.counts.context_ranks(contexts))

    def log_probs_after(self, ranks: Int[np.ndarray, "order batch"]) -> Float[np.ndarray, "batch vocab"]:
        """The same for contexts that are given by their ranks at every order."""
        size = self.counts.vocab_size
        estimates = (level.over_vocab(row, vocab_size=size) for level, row in zip(self.levels, ranks, strict=True))
        with np.errstate(divide="ignore"):
            return np.log(interpolate(np.tile(self.counts.uniform, (ranks.shape[1], 1)), estimates))
