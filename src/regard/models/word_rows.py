"""From the hash of a word to its row in a table: exact, and quicker than a search.

A slot for each value of the hash's top bits says which word has it. Where two words of the vocabulary share a slot, a
binary search decides; with sixteen times as many slots as words that is one word in thirty.
"""

from __future__ import annotations

import numpy as np

from regard.shapes import Int, UInt

UNKNOWN = -1
_SHARED = -2
_SLOTS_PER_WORD = 16


class WordRows:
    """The row of each word of a vocabulary, which is given as hashes in ascending order."""

    def __init__(self, hashes: UInt[np.ndarray, " vocab"]) -> None:
        self.hashes = hashes
        bits = max(1, (_SLOTS_PER_WORD * max(1, len(hashes)) - 1).bit_length())
        self._shift = np.uint64(64 - bits)
        slots = (hashes >> self._shift).astype(np.int64)
        n_words = np.bincount(slots, minlength=1 << bits)
        self._row_of_slot = np.full(1 << bits, UNKNOWN, np.int32)
        self._row_of_slot[slots] = np.arange(len(hashes), dtype=np.int32)
        self._row_of_slot[n_words > 1] = _SHARED

    def __len__(self) -> int:
        return len(self.hashes)

    def rows(self, hashes: UInt[np.ndarray, " word"]) -> Int[np.ndarray, " word"]:
        """The row of each word; −1 for a word that is not in the vocabulary.

        >>> WordRows(np.array([5, 2**63], np.uint64)).rows(np.array([2**63, 6, 5], np.uint64))
        array([ 1, -1,  0], dtype=int32)
        """
        if not len(self.hashes):
            return np.full(len(hashes), UNKNOWN, np.int32)
        rows = self._row_of_slot[(hashes >> self._shift).astype(np.int64)]
        shared = np.flatnonzero(rows == _SHARED)
        rows[shared] = np.minimum(np.searchsorted(self.hashes, hashes[shared]), len(self.hashes) - 1)
        rows[self.hashes[rows] != hashes] = UNKNOWN
        return rows
