"""Endings of texts that were held out: what a classifier does with texts shorter than those it learnt from.

How a text ends says most about what its writer thinks, so that an ending mostly deserves the label of its text. Words
that the classifier cannot know are made by putting random hashes in the place of some words.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regard.shapes import Int
from regard.text.bags.word_bags import WordBags

SHORTEST = 4


class Endings(NamedTuple):
    """The last words of some texts, and which texts these are."""

    bags: WordBags
    text: Int[np.ndarray, " ending"]


def ending_lengths(longest: float) -> list[int]:
    """The powers of two from 4 words on that are below `longest`.

    >>> ending_lengths(40.0), ending_lengths(4.0)
    ([4, 8, 16, 32], [])
    """
    lengths = [SHORTEST]
    while lengths[-1] < longest:
        lengths.append(2 * lengths[-1])
    return lengths[:-1]


def cut_endings(bags: WordBags, n_words: int) -> Endings:
    """The last so many words of each text that has more.

    >>> cut_endings(WordBags(np.arange(6, dtype=np.uint64), np.array([0, 2, 6])), 2)
    Endings(bags=WordBags(hashes=array([4, 5], dtype=uint64), offsets=array([0, 2])), text=array([1]))
    """
    text = np.flatnonzero(np.diff(bags.offsets) > n_words)
    places = (bags.offsets[text + 1] - n_words)[:, None] + np.arange(n_words)
    return Endings(WordBags(bags.hashes[places.ravel()], np.arange(len(text) + 1) * n_words), text)


def hide_words(bags: WordBags, share: float, rng: np.random.Generator) -> WordBags:
    """The texts with about this share of their words replaced by words that nobody knows."""
    strange = rng.integers(0, 1 << 64, len(bags.hashes), dtype=np.uint64)
    return WordBags(np.where(rng.random(len(bags.hashes)) < share, strange, bags.hashes), bags.offsets)
