"""Shapley values of words: what a word adds to the answer, on average over all orders in which the words may come.

    share(i) = mean over all orders of  v(words before i, and i) − v(words before i)

v of some words are the logits of the text of which only these words are kept. Within each order the differences
telescope, so that the shares sum to v(all words) − v(no word) however few orders are tried.

In a mean, a word also takes weight from the words that are there before it: one that says nothing by itself pulls the
answer towards that of an empty text, and gets a share for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from regard.shapes import Bool, Float, Int

Value = Callable[[Bool[np.ndarray, "batch word"]], Float[np.ndarray, "batch label"]]
"""v of several choices of words at once."""
MAX_EXACT_WORDS = 11
"""Up to so many words all 2ⁿ choices are asked for, 2,048 of them; from there on orders are sampled."""
N_PAIRS = 16
"""Sampled orders come in pairs, each with its reverse: a word that is early in one is late in the other."""
PIECE = 1 << 20
"""Words times choices of them that are asked for at once."""


def shapley_values(value: Value, n_words: int) -> Float[np.ndarray, "word label"]:
    """Shares from all 2ⁿ choices of words: Σ over choices without i of |S|! (n − |S| − 1)!/n! · (v(S + i) − v(S))."""
    choices = np.arange(1 << n_words)
    kept = choices[:, None] >> np.arange(n_words) & 1 == 1
    values, sizes = _in_pieces(value, kept), kept.sum(axis=1)
    weights = np.array([1 / (n_words * math.comb(n_words - 1, size)) for size in range(n_words)])
    return np.array(
        [
            weights[sizes[without]] @ (values[without | 1 << i] - values[without])
            for i in range(n_words)
            for without in [choices[~kept[:, i]]]
        ]
    ).reshape(n_words, values.shape[1])


def sample_shapley_values(
    value: Value, n_words: int, rng: np.random.Generator, *, n_pairs: int = N_PAIRS
) -> Float[np.ndarray, "sample word label"]:
    """Estimates of the shares, one from each pair of orders; their mean is the best one."""
    return np.stack([_of_orders(value, _pair_of_orders(rng, n_words)) for _ in range(n_pairs)])


def _pair_of_orders(rng: np.random.Generator, n_words: int) -> Int[np.ndarray, "2 word"]:
    order = rng.permutation(n_words)
    return np.stack([order, order[::-1]])


def _of_orders(value: Value, orders: Iterable[Int[np.ndarray, " word"]]) -> Float[np.ndarray, "word label"]:
    """The mean, over these orders, of what each word changes when it joins those before it."""
    return np.mean([_of_order(value, order) for order in orders], axis=0)


def _of_order(value: Value, order: Int[np.ndarray, " word"]) -> Float[np.ndarray, "word label"]:
    n_words = len(order)
    kept = np.argsort(order) < np.arange(n_words + 1)[:, None]  # row k keeps the first k words of the order
    changes = np.diff(_in_pieces(value, kept), axis=0)
    shares = np.empty_like(changes)
    shares[order] = changes
    return shares


def _in_pieces(value: Value, kept: Bool[np.ndarray, "batch word"]) -> Float[np.ndarray, "batch label"]:
    at_once = max(1, PIECE // max(1, kept.shape[1]))
    return np.concatenate([value(kept[first : first + at_once]) for first in range(0, len(kept), at_once)])
