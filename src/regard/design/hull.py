"""Geometry of the hull of the keys: what a query can tell apart, and what it cannot.

Three questions, each with a classical answer:

    separate          is there u with dᵢ·u ≥ 1 for all i?         least distance, non-negative least squares
    smallest_face     which points share a face with the origin?  one linear program
    maximum_entropy   the most even mix with a given mean         Newton on its smooth convex dual
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog, nnls

from regard.arrays.softmax import log_sum_exp, masked_softmax
from regard.shapes import Bool, Float

# √eps of float64: what lies closer than this part of the largest difference of keys counts as coinciding, for a
# query that distinguished it would be so long that its logits would be rounded away.
TOLERANCE = 1e-8
# Not a difference of keys but rounding of their entries, relative to the largest entry.
ENTRY_ROUNDING = 8 * np.finfo(np.float64).eps
# Not a direction but rounding of a decomposition, relative to the largest singular value.
AXIS_ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class Separation:
    """A direction in which every difference is positive, or a mix of the differences that is zero: one of the two."""

    direction: Float[np.ndarray, " width"] | None = None
    mix: Float[np.ndarray, " pair"] | None = None


def relative_to_mean(
    keys: Float[np.ndarray, "key width"], weights: Float[np.ndarray, " key"]
) -> Float[np.ndarray, "key width"]:
    """The keys as seen from their mean Σ wᵢkᵢ; what is mere rounding of their entries is 0.

    Differences of keys come first: they are exact where keys lie close together far from the origin.
    """
    seen = keys - keys[np.argmax(weights)]
    seen = seen - weights @ seen
    seen[np.abs(seen) <= ENTRY_ROUNDING * np.abs(keys).max()] = 0.0
    return seen


def solve_least_norm(
    rows: Float[np.ndarray, "key width"], targets: Float[np.ndarray, " key"]
) -> tuple[Float[np.ndarray, " width"], Float[np.ndarray, " key"]]:
    """The shortest x with rows·x as near to the targets as can be, and what is missing: targets − rows·x.

    What is missing is square to every column of the rows, up to rounding, however nearly dependent they are.
    """
    left, sizes, axes = np.linalg.svd(rows, full_matrices=False)
    kept = sizes > TOLERANCE * sizes.max()
    parts = left[:, kept].T @ targets
    return (parts / sizes[kept]) @ axes[kept], targets - left[:, kept] @ parts


def solve_least_norm_shifted(
    keys: Float[np.ndarray, "key width"], logits: Float[np.ndarray, " key"]
) -> tuple[Float[np.ndarray, " width"], Float[np.ndarray, " key"]]:
    """The shortest q with keys·q = logits + t·1 for the best t, and what is missing (with sum zero).

    A free shift amounts to centred keys and logits: (K − mean)q = logits − mean.
    """
    centred = relative_to_mean(keys, np.full(len(keys), 1 / len(keys)))
    query, missing = solve_least_norm(centred, logits - logits.mean())
    return query, missing - missing.mean()  # rounding in thin directions brings the free shift back in


def is_rounding(
    missing: Float[np.ndarray, " key"], targets: Float[np.ndarray, " key"], *, tolerance: float = 1e-9
) -> bool:
    """Whether what is missing of the targets is nothing but rounding."""
    return bool(np.abs(missing).max() <= tolerance * max(1.0, np.abs(targets).max()))


def remove_span(
    vectors: Float[np.ndarray, "key width"], spanning: Float[np.ndarray, "pair width"]
) -> Float[np.ndarray, "key width"]:
    """The vectors without their part in the span of others."""
    _, sizes, axes = np.linalg.svd(spanning, full_matrices=False)
    basis = axes[sizes > AXIS_ROUNDING * sizes.max()]
    return np.asarray(vectors - vectors @ basis.T @ basis)


def separate(differences: Float[np.ndarray, "pair width"], *, size: float, equal_gaps: bool = True) -> Separation:
    """A direction u with dᵢ·u ≥ 1 for every difference, or the mix of differences that forbids it.

    With `equal_gaps`, the shortest u that makes every dᵢ·u exactly 1 is preferred where there is one. Otherwise
    u is the shortest with dᵢ·u ≥ 1, which is p/|p|² with p the point of the differences' hull nearest to the
    origin. `size` is the length against which a distance counts as zero.
    """
    if size == 0:  # all keys coincide
        return Separation(mix=np.full(len(differences), 1 / len(differences)))
    scaled = differences / size
    if equal_gaps:
        level = np.ones(len(scaled))
        direction, missing = solve_least_norm(scaled, level)
        if is_rounding(missing, level) and np.linalg.norm(direction) * TOLERANCE < 1:
            return Separation(direction=direction / size)
    mix = _find_nearest_mix(scaled)
    nearest = mix @ scaled
    gaps = scaled @ nearest
    if np.linalg.norm(nearest) <= TOLERANCE or gaps.min() <= 0:
        return Separation(mix=mix)
    return Separation(direction=nearest / gaps.min() / size)


def _find_nearest_mix(points: Float[np.ndarray, "pair width"]) -> Float[np.ndarray, " pair"]:
    """The convex weights whose mix of the points lies nearest to the origin.

    Least distance programming: minimise |Σ yᵢpᵢ|² + (1 − Σ yᵢ)² over y ≥ 0; y is the mix, up to a factor.
    """
    n_points, width = points.shape
    system = np.vstack([points.T, np.ones(n_points)])
    goal = np.append(np.zeros(width), 1.0)
    amounts, _ = nnls(system, goal, maxiter=30 * (n_points + width))
    return np.asarray(amounts / amounts.sum())


def separate_from_rest(
    keys: Float[np.ndarray, "key width"], support: Bool[np.ndarray, " key"], *, equal_gaps: bool = True
) -> Separation:
    """A direction whose logits are equal on the support and at least 1 lower elsewhere; or why there is none.

    There is one exactly if the support is the set of keys on a face of the keys' hull.
    """
    seen = relative_to_mean(keys, support / np.count_nonzero(support))
    size = float(np.linalg.norm(seen[~support], axis=1).max())
    return separate(-remove_span(seen[~support], seen[support]), size=size, equal_gaps=equal_gaps)


def smallest_face(points: Float[np.ndarray, "key width"]) -> Bool[np.ndarray, " key"]:
    """True at the points on the smallest face of their hull that holds the origin; all False if none does.

    These are the points that some mix with mean zero uses. The linear program

        maximise Σ tᵢ   subject to   Σ (tᵢ + rᵢ) pᵢ = 0,  0 ≤ tᵢ ≤ 1,  rᵢ ≥ 0

    finds them all at once: a usable point reaches tᵢ = 1 (scale the mix up), any other stays at 0.
    """
    white, _ = _whiten(points)
    n_points, n_axes = white.shape
    if n_axes == 0:
        return np.ones(n_points, dtype=bool)
    answer = linprog(
        -np.repeat([1.0, 0.0], n_points),
        A_eq=np.hstack([white.T, white.T]),
        b_eq=np.zeros(n_axes),
        bounds=[(0.0, 1.0)] * n_points + [(0.0, None)] * n_points,
        method="highs",
    )
    assert answer.x is not None, f"t = r = 0 is feasible and Σ tᵢ bounded, yet: {answer.message}"
    return np.asarray(answer.x[:n_points] > 0.5)


def maximum_entropy(
    points: Float[np.ndarray, "key width"],
) -> tuple[Float[np.ndarray, " key"], Float[np.ndarray, " width"]]:
    """The most even mix of the points with mean zero, and the q whose softmax it is.

    The origin must lie inside the hull of the points, not on its rim. Then the mix is l = softmax(Pq), q the
    minimum of the convex ln Σ exp(pᵢ·q), with gradient Σ lᵢpᵢ and the points' covariance under l as Hessian.
    """
    white, axes = _whiten(points)
    tilt = np.zeros(white.shape[1])
    for _ in range(200 if tilt.size else 0):
        mix = masked_softmax(white @ tilt)
        mean = mix @ white
        covariance = (white * mix[:, None]).T @ white - np.outer(mean, mean)
        step = np.linalg.lstsq(covariance, mean, rcond=None)[0]
        decrement = float(mean @ step)
        tilt = tilt - _choose_step_size(white, tilt, step, decrement) * step
        if decrement < 1e-26:
            break
    return masked_softmax(white @ tilt), tilt @ axes


def _whiten(
    points: Float[np.ndarray, "key width"],
) -> tuple[Float[np.ndarray, "key axis"], Float[np.ndarray, "axis width"]]:
    """Coordinates with unit second moments, and the axes that take a functional on them back to a query.

    points @ (f @ axes) = coordinates @ f; thin directions count as much as wide ones, vanishing ones are dropped.
    """
    left, sizes, axes = np.linalg.svd(points, full_matrices=False)
    kept = sizes > TOLERANCE * sizes.max()
    root = np.sqrt(len(points))
    return left[:, kept] * root, axes[kept] * (root / sizes[kept])[:, None]


def _choose_step_size(
    points: Float[np.ndarray, "key axis"],
    tilt: Float[np.ndarray, " axis"],
    step: Float[np.ndarray, " axis"],
    decrement: float,
) -> float:
    """The first of 1, ½, ¼, … by which the step lowers ln Σ exp enough."""
    if decrement < 1e-8:  # quadratic convergence; the decrease would drown in rounding
        return 1.0
    start, share = log_sum_exp(points @ tilt), 1.0
    while share > 1e-9 and log_sum_exp(points @ (tilt - share * step)) > start - share * decrement / 4:
        share /= 2
    return share
