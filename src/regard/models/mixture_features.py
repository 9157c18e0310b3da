"""What the weights of a mixture may depend on: simple facts about a context, each from before the next id is known.

1
of each n-gram member     the length of the longest context it has seen, ln(1 + how often)
of each member            the entropy H = −Σ p ln p of what it says, and its largest ln p
of each pair of members   ln Σ pᵢ pⱼ: how likely the two would draw the same id
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from regard.models.outlook import Outlook
from regard.shapes import Float

LEAST = -100.0
"""Nats. Below e⁻¹⁰⁰ one unlikely id is like another; what is impossible would make weights of it meaningless."""


def floored(log_probs: Float[np.ndarray, "position vocab"]) -> Float[np.ndarray, "position vocab"]:
    """ln p, not below what counts."""
    return np.maximum(log_probs, LEAST)


def context_features(outlooks: Sequence[Outlook]) -> Float[np.ndarray, "position feature"]:
    """All of them, at the positions of some outlooks.

    >>> even = Outlook.plain(np.log([[0.5, 0.5]]))
    >>> context_features([even, even]).round(3)
    array([[ 1.   ,  0.693, -0.693,  0.693, -0.693, -0.693]])
    """
    every = [floored(outlook.log_probs) for outlook in outlooks]
    probs = [np.exp(log_probs) for log_probs in every]
    columns = [np.ones(len(every[0]))]
    for log_probs, p in zip(every, probs, strict=True):
        columns += [-np.vecdot(p, log_probs), log_probs.max(axis=1)]
    columns += [np.log(np.maximum(np.vecdot(p, q), np.exp(LEAST))) for p, q in combinations(probs, 2)]
    return np.concatenate([np.stack(columns, axis=1), *(outlook.familiarity for outlook in outlooks)], axis=1)


def no_features(outlooks: Sequence[Outlook]) -> Float[np.ndarray, "position feature"]:
    """1 alone: the weights are the same everywhere."""
    return np.ones((len(outlooks[0]), 1))


FEATURES = {"features": context_features, "fixed": no_features}
"""What each kind of gate looks at."""
