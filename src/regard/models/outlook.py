"""What a model says at positions of a text, in pieces: how likely every id is, and how well it knows the context.

The familiarity of an n-gram model has two numbers: the length of the longest context that it has seen before, and
ln(1 + how often). Other models know nothing of the kind, and have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from regard.models.base import POSITIONS_AT_ONCE
from regard.shapes import Float


@dataclass(frozen=True)
class Outlook:
    """ln p of every id at some positions, and what is known of their contexts."""

    log_probs: Float[np.ndarray, "position vocab"]
    familiarity: Float[np.ndarray, "position feature"]

    @classmethod
    def plain(cls, log_probs: Float[np.ndarray, "position vocab"]) -> Outlook:
        """Of a model that keeps no count of contexts."""
        return cls(log_probs, np.zeros((len(log_probs), 0)))

    def __len__(self) -> int:
        return len(self.log_probs)

    def __getitem__(self, here: slice) -> Outlook:
        """The same at some of the positions."""
        return Outlook(self.log_probs[here], self.familiarity[here])

    @classmethod
    def joined(cls, pieces: list[Outlook]) -> Outlook:
        """Several, one after another."""
        if len(pieces) == 1:
            return pieces[0]
        return cls(*(np.concatenate([getattr(p, name) for p in pieces]) for name in ("log_probs", "familiarity")))


def recut(outlooks: Iterable[Outlook], *, size: int = POSITIONS_AT_ONCE) -> Iterator[Outlook]:
    """The same positions in pieces of `size`, the last one shorter, so that models can be read side by side."""
    waiting: list[Outlook] = []
    for outlook in outlooks:
        place = 0
        while place < len(outlook):
            taken = outlook[place : place + size - sum(map(len, waiting))]
            waiting.append(taken)
            place += len(taken)
            if sum(map(len, waiting)) == size:
                yield Outlook.joined(waiting)
                waiting = []
    if waiting:
        yield Outlook.joined(waiting)


def plain_outlooks(tables: Iterable[Float[np.ndarray, "_ vocab"]]) -> Iterator[Outlook]:
    """Those of a model that keeps no count of contexts."""
    return (Outlook.plain(table) for table in tables)
