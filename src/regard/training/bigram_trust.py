"""How far to trust a network beside counts, after contexts seen rarely and often.

    p(v | c) = trust(c)·p_network(v | c) + (1 − trust(c))·p_counts(v | c)

Contexts seen about as often share one trust, found by expectation–maximisation on held-out counts, which only ever
gains: the new trust is the share of the held-out tokens that the network is answerable for.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from regard.shapes import Float, Int

EDGES = (10, 30, 100, 300, 1000, 3000, 10_000)
"""Contexts seen fewer times than the first, than the second, … share their trust."""
ROUNDS = 100


def groups(counts: csr_array) -> Int[np.ndarray, " context"]:
    """Which contexts share a trust."""
    return np.digitize(counts.sum(axis=1), EDGES)


def fit_trust(
    held_out: csr_array,
    *,
    by_network: Float[np.ndarray, "context vocab"],
    by_counts: Float[np.ndarray, "context vocab"],
    group: Int[np.ndarray, " context"],
) -> Float[np.ndarray, " group"]:
    """The trust of each group under which held-out tokens are likeliest; both tables hold probabilities."""
    pairs = held_out.tocoo()
    times, network, counts = pairs.data, by_network[pairs.row, pairs.col], by_counts[pairs.row, pairs.col]
    of = group[pairs.row]
    trust = np.full(len(EDGES) + 1, 0.5)
    for _ in range(ROUNDS):
        share = trust[of] * network / (trust[of] * network + (1 - trust[of]) * counts)
        # One token for either side keeps a group without held-out tokens at a half.
        answerable = np.bincount(of, weights=times * share, minlength=len(trust)) + 1
        trust = answerable / (np.bincount(of, weights=times, minlength=len(trust)) + 2)
    return trust
