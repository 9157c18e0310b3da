"""Naive-Bayes ratios of n-grams, so that no text takes part in the ratios that it is trained on.

    r(g) = ln (p_g + a)/Σ(p + a) − ln (q_g + a)/Σ(q + a)

p_g and q_g: how many texts of the label, and of all other labels, have the n-gram g. For a text in fold f both are
counted in the other folds only; at prediction in all of them. A text that saw its own label in its ratios would learn
to trust n-grams that occur in it alone.
"""

from __future__ import annotations

import numpy as np

from regard.shapes import Float, Int


def fold_of_each(label_ids: Int[np.ndarray, " batch"], n_folds: int) -> Int[np.ndarray, " batch"]:
    """A fold for each text: within each label, stretches of the given order.

    Neighbours in a collection are often about the same thing, a film or a product. They go to the same fold, as the
    texts to be classified will be about other things.

    >>> fold_of_each(np.array([0, 0, 1, 1, 0, 0]), 2)
    array([0, 0, 0, 1, 1, 1])
    """
    folds = np.empty(len(label_ids), np.int64)
    for label in np.unique(label_ids):
        members = np.flatnonzero(label_ids == label)
        folds[members] = np.arange(len(members)) * n_folds // len(members)
    return folds


def log_ratios(
    inside: Float[np.ndarray, "*fold ngram"], outside: Float[np.ndarray, "*fold ngram"], *, smoothing: float
) -> Float[np.ndarray, "*fold ngram"]:
    """r of each n-gram; 0 where it was never met.

    >>> log_ratios(np.array([1.0, 0.0]), np.array([0.0, 0.0]), smoothing=1.0).round(3)
    array([0.288, 0.   ])
    """
    p, q = inside + smoothing, outside + smoothing
    ratios = np.log(p / q)
    ratios += np.log(q.sum(axis=-1, keepdims=True) / p.sum(axis=-1, keepdims=True))
    ratios[inside + outside == 0] = 0
    return ratios
