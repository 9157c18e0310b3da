"""What teaches an n-gram model how likely an unknown word is: the words that its text has once.

A word that was seen once was new when it came. Where the vocabulary holds such words, the unknown one is seen too
rarely, or never, and yet it is frequent in new text. So each position within reach of such a word is counted a second
time, with the unknown word in its place (order 2; `kraken` is seen once):

    text            <s> the kraken sings </s>
    counted         <s> the    the kraken     kraken sings     sings </s>
    counted again              the <unk>      <unk> sings

At lower orders the same positions are counted again, so that counts of all orders belong to one set of positions, as
continuations need. Where all words of the vocabulary were seen more often, nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regard.models.ngram.counts import NgramCounts
from regard.shapes import Bool, Int


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
