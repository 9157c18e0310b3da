"""What given word vectors say of the numbers that a network learns for each word, before it has read anything.

Words with alike vectors should get alike numbers. So the learnt numbers x of a word are predicted from its given
vector g by least squares with a ridge, each word with a weight,

    x ≈ g A + a        Σ_w weight_w |x_w − g_w A − a|² + ridge·|(A, a)|²  is least

and training then pulls x towards that prediction instead of towards zero. Frequent words hardly feel the pull; rare
ones learn from their likes. Ridge, and whether to predict at all, are chosen by leaving out one word at a time, for
which least squares needs no second fit: the error of word w, left out, is its residual / (1 − leverage_w).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regard.shapes import Float

RIDGES = (1.0, 10.0, 100.0, 1000.0)
MIN_GAIN = 1e-3  # what vectors must take off the error of words left out, to be more than rounding


class Fit(NamedTuple):
    """Predictions of a ridge regression, and its weighted squared error with each word left out in turn."""

    predicted: Float[np.ndarray, "word unit"]
    left_out_error: float


def predict_from_vectors(
    given: Float[np.ndarray, "word width"],
    learnt: Float[np.ndarray, "word unit"],
    weights: Float[np.ndarray, " word"],
) -> Float[np.ndarray, "word unit"] | None:
    """The learnt numbers of each word as its given vector predicts them; None where the mean over words does better."""
    constant = np.ones((len(given), 1))
    features = np.hstack([given / max(np.sqrt((given**2).mean()), 1e-12), constant]) if len(given) else constant
    best, by_mean = (best_ridge(inputs, learnt, weights) for inputs in (features, constant))
    return best.predicted if best.left_out_error < (1 - MIN_GAIN) * by_mean.left_out_error else None


def best_ridge(
    features: Float[np.ndarray, "word width"],
    targets: Float[np.ndarray, "word unit"],
    weights: Float[np.ndarray, " word"],
) -> Fit:
    """The fit whose ridge predicts words best that are left out."""
    fits = [fit_ridge(features, targets, weights, ridge=ridge) for ridge in RIDGES]
    return min(fits, key=lambda fit: fit.left_out_error)


def fit_ridge(
    features: Float[np.ndarray, "word width"],
    targets: Float[np.ndarray, "word unit"],
    weights: Float[np.ndarray, " word"],
    *,
    ridge: float,
) -> Fit:
    """Least squares with weights and a ridge.

    >>> fit_ridge(np.ones((2, 1)), np.array([[1.0], [3.0]]), np.ones(2), ridge=0.0)
    Fit(predicted=array([[2.], [2.]]), left_out_error=8.0)
    """
    weighted = features * weights[:, None]
    inverse = np.linalg.inv(features.T @ weighted + ridge * np.eye(features.shape[1]))
    predicted = features @ (inverse @ (weighted.T @ targets))
    leverage = ((features @ inverse) * weighted).sum(axis=1)
    left_out = (targets - predicted) / np.maximum(1 - leverage, 1e-12)[:, None]
    return Fit(predicted, float((weights[:, None] * left_out**2).sum()))
