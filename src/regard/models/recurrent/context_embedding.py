"""A learnt vector for what was just read: the last two ids, the last three, … the last n, one vector for each.

An n-gram gets a vector where the training text has it often enough. Its key writes the ids as digits, the latest first
and each one more than its id, so that no digit of an n-gram is 0 and keys of different lengths differ:

    key(… c b a) = (a+1) + (b+1)·B + (c+1)·B² + …        B = vocab + 1, the largest digit being vocab

    ids              3    0    3    0       vocab 4, B = 5
    digits           4    1    4    1
    keys, length 2   –   21    9   21       1 + 4·5, 4 + 1·5, 1 + 4·5
          length 3   –    –  109   46       9 + 4·25, 21 + 1·25

Row 0 of the table, with key 0, stands for "too rare" and "nothing read there": it is fixed at zero.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from regard.shapes import Float, Int

NOTHING = -1
"""Stands for an id where none was read yet; its digit is 0."""
KEY_BITS = 63
START_SD = 0.02


def longest_context(vocab: int, contexts: int) -> int:
    """The longest n-gram up to `contexts` whose key fits into a 64-bit integer.

    >>> longest_context(66, 6), longest_context(256, 12), longest_context(20_000, 6)
    (6, 7, 4)
    """
    base, length = vocab + 1, 0
    while length < contexts and base ** (length + 1) < 2**KEY_BITS:
        length += 1
    return length


def context_keys(
    ids: Int[np.ndarray, " position"], *, vocab: int, contexts: int, least: int = 2, most: int | None = None
) -> Int[np.ndarray, " context"]:
    """The sorted keys of the 2- to `contexts`-grams that a text has at least `least` times, after a 0.

    Where there are more than `most`, those that the text has most often.

    >>> context_keys(np.array([3, 0, 3, 0]), vocab=4, contexts=3)
    array([ 0, 21])
    """
    digits, base = ids.astype(np.int64) + 1, vocab + 1
    keys, counts, found = digits, [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for earlier in range(1, longest_context(vocab, contexts)):
        keys = keys[1:]
        keys = keys + digits[: len(keys)] * base**earlier
        distinct, n_seen = np.unique(keys, return_counts=True)
        found.append(distinct[n_seen >= least])
        counts.append(n_seen[n_seen >= least])
    every, often = np.concatenate(found), np.argsort(-np.concatenate(counts), kind="stable")
    return np.concatenate([[0], np.sort(every[often[:most]])])


class ContextEmbedding(torch.nn.Module):
    """The sum of the vectors of all n-grams, n = 2 … length, that end at each position."""

    keys: Tensor

    def __init__(self, keys: Int[np.ndarray, " context"], *, vocab: int, length: int, width: int) -> None:
        super().__init__()
        self.length, self._base = longest_context(vocab, length), vocab + 1
        self.register_buffer("keys", torch.from_numpy(np.ascontiguousarray(keys, np.int64)))
        # one table for all lengths, summed in one go; its gradient holds only the rows that were read
        self.table = torch.nn.EmbeddingBag(len(keys), width, mode="sum", sparse=True, padding_idx=0)
        with torch.no_grad():
            self.table.weight.normal_(std=START_SD)[0] = 0

    def nothing(self, n_rows: int) -> Int[Tensor, "batch earlier"]:
        """What was read before where nothing was: the `earlier` argument at the start."""
        return torch.full((n_rows, self.length - 1), NOTHING)

    def forward(
        self, ids: Int[Tensor, "batch position"], earlier: Int[Tensor, "batch earlier"]
    ) -> tuple[Float[Tensor, "batch position width"], Int[Tensor, "batch earlier"]]:
        """The vector at each id, and the last length − 1 ids to read on with."""
        together = torch.cat([earlier, ids], dim=1)
        rows = self.rows(together, n_positions=ids.shape[1])
        vectors = self.table(rows.flatten(0, 1)).unflatten(0, ids.shape)
        return vectors, together[:, together.shape[1] - earlier.shape[1] :]

    def rows(self, ids: Int[Tensor, "batch together"], *, n_positions: int) -> Int[Tensor, "batch position context"]:
        """The row of each n-gram that ends at one of the last positions; 0 for those without a vector."""
        keys = self._keys(ids + 1, n_positions)
        places = torch.searchsorted(self.keys, keys, right=True) - 1  # key 0 comes first, so there is always one
        return torch.where(self.keys[places] == keys, places, 0)

    def _keys(self, digits: Int[Tensor, "batch together"], n_positions: int) -> Int[Tensor, "batch position context"]:
        first = self.length - 1
        key, keys = digits[:, first:], []
        for n_before in range(1, self.length):
            digit = digits[:, first - n_before : first - n_before + n_positions]
            # without an id there the n-gram would have the key of a shorter one
            key = torch.where(digit > 0, key + digit * self._base**n_before, 0)
            keys.append(key)
        return torch.stack(keys, dim=2)
