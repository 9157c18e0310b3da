"""Logistic regression on a sparse matrix: convex, hence one minimum, found by L-BFGS over all texts at once."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from regard.shapes import Bool, Float
from regard.training.lbfgs import minimise


def logistic(
    matrix: sparse.csr_array,
    is_label: Bool[np.ndarray, " batch"],
    *,
    penalty: float,
    iterations: int,
    offset: Float[np.ndarray, " batch"] | None = None,
) -> tuple[Float[np.ndarray, " ngram"], float]:
    """Weights w and bias b that make least   mean ln(1 + e^(−y·score)) + penalty/2·|w|²,   score = offset + X w + b.

    y is 1 for texts of the label and −1 for others.
    """
    sign = np.where(is_label, 1, -1).astype(np.float32)
    base = np.zeros_like(sign) if offset is None else offset.astype(np.float32)
    n, columns = len(sign), matrix.T

    def objective(point: np.ndarray) -> tuple[float, np.ndarray]:
        weights = point[1:]
        margin = sign * (matrix @ weights + point[0] + base)
        small = np.exp(-np.abs(margin))  # never above 1, whatever the margin
        wrong = np.where(margin > 0, small, 1) / (1 + small)
        pull = (-sign * wrong / n).astype(np.float32)
        gradient = np.empty_like(point)
        gradient[0], gradient[1:] = pull.sum(), columns @ pull + np.float32(penalty) * weights
        loss = (np.log1p(small) + np.maximum(-margin, 0)).mean(dtype=np.float64)
        return float(loss + penalty / 2 * (weights @ weights)), gradient

    point = minimise(objective, np.zeros(matrix.shape[1] + 1, np.float32), max_iterations=iterations).point
    return point[1:], float(point[0])
