"""A gate: how much each order of an n-gram model is trusted, given how much its context has been seen.

    weights = softmax(features · W)            features: 1, and for each order ln(1 + times seen), ln(1 + successors)

The features depend on the context alone, so a mixture Σₙ weightₙ·pₙ(w | c) of distributions is again one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regard.arrays import masked_softmax
from regard.arrays.threads import threads_for
from regard.display import short_repr
from regard.shapes import Float, Int

RIDGE = 5.0
"""Strength of the pull towards equal weights, in nats: what keeps a gate sane that was fitted on a few positions."""
ITERATIONS = 40
"""Steps of L-BFGS; more of them fit the held-out text closer and other texts no better."""
MAX_POSITIONS = 50_000
"""Positions that a gate of some two hundred numbers is fitted on; more cost time and gain nothing."""


@short_repr
@dataclass(frozen=True)
class Gate:
    """Weights of the orders as a function of what is known about a context."""

    matrix: Float[np.ndarray, "feature order"]

    def weights(self, features: Float[np.ndarray, "position feature"]) -> Float[np.ndarray, "position order"]:
        """How much each order counts; each row sums to one."""
        with threads_for(float(len(features) * self.matrix.size)):
            return masked_softmax(features @ self.matrix)


def gate_features(tallies: Sequence[Int[np.ndarray, "position 4"]]) -> Float[np.ndarray, "position feature"]:
    """1, then for each order from the second on ln(1 + times its context was seen), ln(1 + its successors)."""
    columns = [np.ones(len(tallies[0]))]
    for tally in tallies[1:]:
        columns += [np.log1p(tally[:, 0]), np.log1p(tally[:, 1:].sum(axis=1))]
    return np.stack(columns, axis=1)


def fit_gate(features: Float[np.ndarray, "position feature"], probs: Float[np.ndarray, "position order"]) -> Gate:
    """The gate under which the mixture Σₙ weightₙ·pₙ makes held-out symbols likeliest.

    `probs` has the probability that each order gave the symbol that came.
    """
    step = max(1, -(-len(probs) // MAX_POSITIONS))
    features, probs = features[::step], probs[::step]
    if len(probs) == 0:
        return Gate(np.zeros((features.shape[1], probs.shape[1])))
    mean, scale = features.mean(axis=0), features.std(axis=0)
    constant = scale < 1e-9
    mean, scale = np.where(constant, 0.0, mean), np.where(constant, 1.0, scale)
    matrix = _likeliest((features - mean) / scale, probs) / scale[:, None]
    matrix[0] -= mean @ matrix  # the first feature is 1: it takes up what centring the others took away
    return Gate(matrix)


def _likeliest(
    features: Float[np.ndarray, "position feature"], probs: Float[np.ndarray, "position order"]
) -> Float[np.ndarray, "feature order"]:
    """Least mean surprise with a small penalty on the matrix, from equal weights on."""
    from scipy.optimize import minimize

    shape = features.shape[1], probs.shape[1]

    def objective(flat: Float[np.ndarray, " number"]) -> tuple[float, Float[np.ndarray, " number"]]:
        surprise, gradient = mean_surprise(flat.reshape(shape), features, probs)
        pull = RIDGE / len(probs)
        return surprise + pull / 2 * float(flat @ flat), gradient.ravel() + pull * flat

    start = np.zeros(shape[0] * shape[1])
    with threads_for(float(features.size * shape[1])):
        found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS})
    return found.x.reshape(shape)


def mean_surprise(
    matrix: Float[np.ndarray, "feature order"],
    features: Float[np.ndarray, "position feature"],
    probs: Float[np.ndarray, "position order"],
) -> tuple[float, Float[np.ndarray, "feature order"]]:
    """−mean ln Σₙ wₙpₙ in nats, and its gradient mean x·(w − r), where rₙ = wₙpₙ / Σ wp is what order n contributed."""
    weights = masked_softmax(features @ matrix)
    parts = weights * probs
    mixed = parts.sum(axis=1, keepdims=True)
    gradient = features.T @ (weights - parts / mixed) / len(probs)
    return -float(np.log(mixed).mean()), gradient
