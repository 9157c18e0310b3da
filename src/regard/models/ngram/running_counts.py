"""Counts as they stood before each position of a text that is learnt from while it is read.

Nothing needs to be replayed: before position t an n-gram has the count it had before the text, plus the number of its
occurrences within the text before t. Positions are sorted by n-gram (and by context), and a running sum within each
group gives that number for all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from regard.models.ngram.counts import Occurrences, sort_with_places
from regard.models.ngram.kneser_ney import Estimate, Level, escape_of, look_up, share_of
from regard.shapes import Bool, Int


class Groups:
    """Positions that belong together, each group in the order of the text.

    >>> Groups(np.array([7, 3, 7, 7])).sum_before(np.array([1, 1, 1, 1]))
    array([0, 0, 1, 2])
    """

    def __init__(self, labels: Int[np.ndarray, " position"]) -> None:
        ordered, self._order = sort_with_places(labels)
        opens = np.append(True, ordered[1:] != ordered[:-1])[: len(labels)]
        self._first = np.maximum.accumulate(np.where(opens, np.arange(len(labels)), 0))

    def sum_before(self, values: Int[np.ndarray, "position ..."]) -> Int[np.ndarray, "position ..."]:
        """For each position, the sum of the values at earlier positions of its group."""
        ordered = values[self._order]
        before = np.cumsum(ordered, axis=0) - ordered
        sums = np.empty_like(before)
        sums[self._order] = before - before[self._first]
        return sums


def counts_before(
    level: Level, ngrams: Groups, ranks: Int[np.ndarray, " position"], events: Bool[np.ndarray, " position"]
) -> Int[np.ndarray, " position"]:
    """The count of the n-gram at each position before that position; an event raises it by one."""
    return look_up(level.counts, ranks, missing=0.0) + ngrams.sum_before(events.astype(np.int64))


def tallies_before(
    level: Level,
    contexts: Groups,
    ranks: Int[np.ndarray, " position"],
    *,
    counts: Int[np.ndarray, " position"],
    events: Bool[np.ndarray, " position"],
) -> Int[np.ndarray, "position 4"]:
    """The tallies of the context at each position before that position: total, ones, twos, three or more."""
    from_0, from_1, from_2 = (events & (counts == n) for n in range(3))
    changes = np.stack([events, from_0, from_1, from_2], axis=1).astype(np.int64)
    changes[:, 1:3] -= changes[:, 2:4]  # what becomes a two was a one, what becomes a three was a two
    return look_up(level.tallies, ranks, missing=0.0) + contexts.sum_before(changes)


class Times:
    """At which positions each n-gram was counted.

    >>> Times(np.array([7, 3, 7]), np.array([True, True, True])).n_before(np.array([7, 7, 3]), np.array([0, 2, 1]))
    array([0, 1, 0])
    """

    def __init__(self, ranks: Int[np.ndarray, " position"], events: Bool[np.ndarray, " position"]) -> None:
        self._n_positions, places = len(ranks), np.flatnonzero(events)
        self._keys = np.sort(ranks[places] * self._n_positions + places)

    def n_before(
        self, ranks: Int[np.ndarray, " ngram"], positions: Int[np.ndarray, " ngram"]
    ) -> Int[np.ndarray, " ngram"]:
        """How often each n-gram was counted before each position."""
        first = ranks * self._n_positions
        return np.searchsorted(self._keys, first + positions) - np.searchsorted(self._keys, first)


@dataclass(frozen=True)
class CountHistory:
    """One order along a text that is learnt from: what is known of each position's context, and of all n-grams when."""

    level: Level
    contexts: Int[np.ndarray, " position"]
    tallies: Int[np.ndarray, "position 4"]
    times: Times

    def over_vocab(self, positions: Int[np.ndarray, " batch"], *, vocab_size: int) -> Estimate:
        """Share of every symbol at each position [batch vocab], and escape [batch 1]."""
        rows, ranks, symbols = self.level.table.successors(self.contexts[positions])
        counted = symbols < vocab_size  # as in Level.over_vocab
        rows, ranks, symbols = rows[counted], ranks[counted], symbols[counted]
        counts = self.level.counts[ranks] + self.times.n_before(ranks, positions[rows])
        tallies, shares = self.tallies[positions], np.zeros((len(positions), vocab_size))
        shares[rows, symbols] = share_of(counts, tallies[rows, 0], self.level.discounts)
        return shares, escape_of(tallies, self.level.discounts)[:, None]


class RunningCounts:
    """Estimates of every order along a text, each from what was read before its position.

    The levels are those of the counts before the text, in tables that hold the n-grams of the text as well.
    """

    def __init__(self, plain: tuple[Level, ...], continued: tuple[Level, ...], seen: Occurrences) -> None:
        self._plain, self._continued, self._seen = plain, continued, seen
        self._ngrams = [Groups(ranks) for ranks in seen.ngrams]
        self._contexts = [Groups(ranks) for ranks in seen.contexts]
        self._is_there = seen.ngrams >= 0
        self._counts = [
            counts_before(level, groups, ranks, there)
            for level, groups, ranks, there in zip(plain, self._ngrams, seen.ngrams, self._is_there, strict=True)
        ]
        self.tallies = [
            tallies_before(level, groups, ranks, counts=counts, events=there)
            for level, groups, ranks, counts, there in zip(
                plain, self._contexts, seen.contexts, self._counts, self._is_there, strict=True
            )
        ]

    def plain_estimates(self) -> Iterator[Estimate]:
        """From the n-grams' counts, orders 1 to N."""
        for level, counts, tallies in zip(self._plain, self._counts, self.tallies, strict=True):
            yield _estimate(level, counts, tallies)

    def continuation_estimates(self) -> Iterator[Estimate]:
        """From their continuations, orders 1 to N − 1."""
        for n, level in enumerate(self._continued):
            yield _estimate(level, *self._continuations(n, level))

    def histories(self) -> tuple[list[CountHistory], list[CountHistory]]:
        """What the estimates of all symbols at all positions come from: plain counts, and continuations."""
        plain = [
            CountHistory(level, contexts, tallies, Times(ranks, there))
            for level, contexts, tallies, ranks, there in zip(
                self._plain, self._seen.contexts, self.tallies, self._seen.ngrams, self._is_there, strict=True
            )
        ]
        continued = [
            CountHistory(
                level,
                self._seen.contexts[n],
                self._continuations(n, level)[1],
                Times(self._seen.ngrams[n], self._is_new_to_the_left(n)),
            )
            for n, level in enumerate(self._continued)
        ]
        return plain, continued

    def _is_new_to_the_left(self, n: int) -> Bool[np.ndarray, " position"]:
        """A new way to continue to the left: with the symbol before it, or with none, this was never seen."""
        return self._is_there[n] & (self._counts[n + 1] == 0)

    def _continuations(
        self, n: int, level: Level
    ) -> tuple[Int[np.ndarray, " position"], Int[np.ndarray, "position 4"]]:
        """The continuations of each n-gram, and their tallies for its context, before each position."""
        events = self._is_new_to_the_left(n)
        counts = counts_before(level, self._ngrams[n], self._seen.ngrams[n], events)
        return counts, tallies_before(level, self._contexts[n], self._seen.contexts[n], counts=counts, events=events)


def _estimate(level: Level, counts: Int[np.ndarray, " position"], tallies: Int[np.ndarray, "position 4"]) -> Estimate:
    """Share and escape from counts at positions."""
    return share_of(counts, tallies[:, 0], level.discounts), escape_of(tallies, level.discounts)
