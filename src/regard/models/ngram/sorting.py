"""Whole numbers sorted together with their places, which takes most of the time of counting.

    number and place     7·0  3·1  7·2      as one number: the place is its lowest bits
    sorted               3·1  7·0  7·2      equal numbers in the order of their places

A plain sort of such numbers takes half of the time of `np.argsort`, which follows an index for each comparison.
"""

from __future__ import annotations

import numpy as np

from regard.shapes import Int

FEW = 512
"""Up to this many numbers are sorted faster by their index."""


def sort_with_places(
    numbers: Int[np.ndarray, " position"],
) -> tuple[Int[np.ndarray, " position"], Int[np.ndarray, " position"]]:
    """The numbers in rising order, and the place of each before; equal ones stay in order.

    >>> sort_with_places(np.array([7, 3, 7]))
    (array([3, 7, 7]), array([1, 0, 2]))
    """
    place_bits = len(numbers).bit_length()
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) > FEW else (0, 0)
    if len(numbers) <= FEW or (high - low) >> (63 - place_bits):  # both together do not fit into 64 bits
        places = np.argsort(numbers, kind="stable")
        return numbers[places], places
    both = (numbers.astype(np.int64) - low) << place_bits
    both |= np.arange(len(numbers))
    both.sort()
    places = both & ((1 << place_bits) - 1)
    both >>= place_bits
    both += low
    return both, places


def distinct(
    keys: Int[np.ndarray, " position"],
) -> tuple[Int[np.ndarray, " distinct"], Int[np.ndarray, " position"], Int[np.ndarray, " distinct"]]:
    """The different keys in rising order, which of them stands at each position, and how often each is there.

    >>> distinct(np.array([7, 3, 7]))
    (array([3, 7]), array([1, 0, 1]), array([1, 2]))
    """
    ordered, places = sort_with_places(keys)
    is_first = np.ones(len(keys), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    starts = np.flatnonzero(is_first)
    counts = np.diff(starts, append=len(keys))
    which = np.empty_like(places)
    which[places] = np.repeat(np.arange(len(starts)), counts)
    return ordered[starts], which, counts
