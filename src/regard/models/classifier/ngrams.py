"""The n-grams' part of an averaging classifier: a number for each n-gram and label, added up over a text.

    score(text, label) = bias(label) + sums(text) + 0.2 · sums(its last 20 words)
    sums(words)        = Σ_orders Σ_g number(g, label) / √n                    g: the n different n-grams of an order

How a text ends says most about what its writer thinks, so that its last words count a little more.

Each n-gram reads the row of a table that its hash points to. A text's n different rows are found by sorting: a text
says "bad" no more loudly by saying it twice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regard.display import short, short_repr
from regard.shapes import Array, Bool, Float, Int, UInt
from regard.text.word_bags import WordBags, bag_sums, buckets, ngram_hashes

HIGHEST_ORDER = 20
MAX_CODE = 127  # of an int8
END_WORDS, END_SHARE = 20, 0.2
"""How many words are the end of a text, and how much that counts again; 10 to 50 words do about as well on IMDb."""


def endings(bags: WordBags) -> WordBags:
    """The last words of each text."""
    begins = np.maximum(bags.offsets[1:] - END_WORDS, bags.offsets[:-1])
    counts = bags.offsets[1:] - begins
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    places = np.repeat(begins - offsets[:-1], counts) + np.arange(offsets[-1])
    return WordBags(bags.hashes[places], offsets)


def distinct_rows(bags: WordBags, n: int, *, bits: int) -> tuple[Int[np.ndarray, " ngram"], Int[np.ndarray, " bound"]]:
    """The different rows that the n-grams of each text point to, in ascending order, and where each text's begin."""
    hashes, offsets = ngram_hashes(bags, n)
    text = np.repeat(np.arange(len(bags), dtype=np.int64), np.diff(offsets))
    every = np.sort(text << bits | buckets(hashes, bits))
    is_first = np.ones(len(every), bool)
    is_first[1:] = every[1:] != every[:-1]
    kept = every[is_first]
    return kept & ((1 << bits) - 1), np.searchsorted(kept, np.arange(len(bags) + 1) << bits)


@short_repr
@dataclass(frozen=True, eq=False)
class NgramAverage:
    """A table of codes [bucket label], which stand for what an n-gram adds to the score of a label.

    number(code) = largest · (code/127)³        finer steps near zero, where most numbers are
    """

    table: Int[np.ndarray, "bucket label"]
    largest: Float[np.ndarray, " label"]
    bias: Float[np.ndarray, " label"]
    orders: tuple[int, ...]

    def __post_init__(self) -> None:
        if not all(type(order) is int and 1 <= order <= HIGHEST_ORDER for order in self.orders):
            raise ValueError(f"the orders of n-grams lie between 1 and {HIGHEST_ORDER}; got {short(self.orders)}")

    @classmethod
    def round_numbers(
        cls,
        numbers: Float[np.ndarray, "bucket label"],
        orders: tuple[int, ...],
        *,
        bias: Float[np.ndarray, " label"] | None = None,
    ) -> NgramAverage:
        """The table nearest to these numbers."""
        largest = np.maximum(np.abs(numbers).max(axis=0), np.finfo(np.float32).tiny).astype(np.float32)
        codes = np.rint(np.cbrt(numbers / largest) * MAX_CODE).astype(np.int8)
        return cls(codes, largest, np.zeros_like(largest) if bias is None else bias, orders)

    @classmethod
    def of_rows(
        cls,
        rows: Int[np.ndarray, " ngram"],
        numbers: Float[np.ndarray, "ngram label"],
        *,
        bits: int,
        orders: tuple[int, ...],
        bias: Float[np.ndarray, " label"],
    ) -> NgramAverage:
        """The average whose numbers are zero but in these rows; a row that is given several times gets the sum."""
        every, place = np.unique(rows, return_inverse=True)
        sums = np.stack([np.bincount(place, column, len(every)) for column in numbers.T], axis=1).astype(np.float32)
        few = cls.round_numbers(sums, orders, bias=bias)
        table = np.zeros((1 << bits, numbers.shape[1]), np.int8)
        table[every] = few.table
        return cls(table, few.largest, few.bias, orders)

    @cached_property
    def levels(self) -> Float[np.ndarray, " code"]:
        """(code/127)³ of each code, those of negative ones at the end, where an index below zero finds them."""
        codes = np.arange(256)
        return ((np.where(codes < 128, codes, codes - 256) / MAX_CODE) ** 3).astype(np.float32)

    @cached_property
    def bits(self) -> int:
        """The table has 2^bits rows."""
        return len(self.table).bit_length() - 1

    def scores(self, bags: WordBags) -> Float[np.ndarray, "batch label"]:
        """What the n-grams of each text add up to; the bias where there are none."""
        ends = endings(bags)
        parts = (self._sums(bags, n) + END_SHARE * self._sums(ends, n) for n in self.orders)
        return sum(parts, self.bias).astype(np.float32)

    def _sums(self, bags: WordBags, n: int) -> Float[np.ndarray, "batch label"]:
        rows, bounds = distinct_rows(bags, n, bits=self.bits)
        sums = bag_sums(self.levels[self.table[rows].view(np.uint8)], np.arange(len(rows)), bounds)
        return sums * self.largest / np.sqrt(np.maximum(np.diff(bounds), 1))[:, None]

    def shares(self, bags: WordBags) -> Float[np.ndarray, "word label"]:
        """What each word of a text adds; an n-gram's number is split equally among its words and its places."""
        shares, end = self._sum_shares(bags), self._sum_shares(endings(bags))
        shares[len(shares) - len(end) :] += END_SHARE * end
        return shares

    def _sum_shares(self, bags: WordBags) -> Float[np.ndarray, "word label"]:
        shares = np.zeros((len(bags.hashes), self.table.shape[1]))
        for n in self.orders:
            rows = buckets(ngram_hashes(bags, n)[0], self.bits)
            every, place, n_places = np.unique(rows, return_inverse=True, return_counts=True)
            numbers = self.levels[self.table[rows].view(np.uint8)] * self.largest
            parts = numbers / n_places[place][:, None] / (n * math.sqrt(max(1, len(every))))
            for k in range(n):
                shares[k : k + len(rows)] += parts
        return shares

    def is_known(self, bags: WordBags) -> Bool[np.ndarray, " word"]:
        """Which words have a number other than zero of their own."""
        return self.has_number(bags.hashes)

    def has_number(self, hashes: UInt[np.ndarray, " ngram"]) -> Bool[np.ndarray, " ngram"]:
        """Which n-grams have a number other than zero, their own or one that they share with another of their row."""
        return self.table[buckets(hashes, self.bits)].any(axis=1)

    def arrays(self) -> dict[str, Array]:
        """The numbers by name."""
        return {"table": self.table, "largest": self.largest, "bias": self.bias}
