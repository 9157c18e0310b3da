"""Draws of logits, weights and outputs; moments by randomised quasi-Monte Carlo where no integral applies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtri, softmax

from regard.noise.keys import LogitLaw
from regard.shapes import Float

# Sobol' points are tabulated up to this dimension; beyond it, draws are pseudo-random.
MAX_SOBOL_DIMENSIONS = 21201
CHUNK_NUMBERS = 2**22
# With more axes, points that fill space evenly are slow to make and hardly better than pseudo-random ones.
MAX_EVEN_AXES = 512


def normal_points(rng: np.random.Generator, *, n_draws: int, n_axes: int) -> Float[np.ndarray, "draw axis"]:
    """Standard normal points that fill space evenly: scrambled Sobol', transformed."""
    if n_axes > MAX_SOBOL_DIMENSIONS:
        return rng.standard_normal((n_draws, n_axes))
    from scipy.stats import qmc  # slow to load, and the exact laws do without it

    points = qmc.Sobol(n_axes, scramble=True, rng=rng).random(n_draws)
    return np.asarray(ndtri(np.clip(points, 1e-16, 1 - 1e-16)))


def logits_of_normal_points(
    law: LogitLaw, normal: Float[np.ndarray, "draw axis"]
) -> Float[np.ndarray, "draw head key"]:
    """Logits made of independent normal numbers: `n_normal_axes(law)` for each draw."""
    n_keys, n_heads = law.mean.shape[1], law.n_heads
    root = _roots(np.asarray(law.covariance))
    own = normal[:, : n_keys * n_heads].reshape(-1, n_keys, n_heads)
    logits = law.mean + np.einsum("dkf,khf->dhk", own, root)
    if law.shared is not None:
        logits = logits + np.einsum("dr,rhk->dhk", normal[:, n_keys * n_heads :], np.asarray(law.shared))
    return logits


def n_normal_axes(law: LogitLaw) -> int:
    """How many independent normal numbers one draw of all logits takes."""
    n_shared = 0 if law.shared is None else law.shared.shape[0]
    return int(law.mean.shape[1] * law.n_heads + n_shared)


def sample_weights(
    law: LogitLaw, rng: np.random.Generator, *, n_draws: int, spread_evenly: bool = False
) -> Iterator[Float[np.ndarray, "draw head key"]]:
    """Weights of each head for `n_draws` draws of the keys, in chunks that fit into memory."""
    n_axes = n_normal_axes(law)
    chunk = max(1, min(n_draws, CHUNK_NUMBERS // n_axes))
    is_even = spread_evenly and n_axes <= MAX_EVEN_AXES
    points = normal_points(rng, n_draws=n_draws, n_axes=n_axes) if is_even else None
    for start in range(0, n_draws, chunk):
        size = min(chunk, n_draws - start)
        normal = rng.standard_normal((size, n_axes)) if points is None else points[start : start + size]
        yield softmax(logits_of_normal_points(law, normal), axis=-1)


def _roots(covariance: Float[np.ndarray, "key head head"]) -> Float[np.ndarray, "key head head"]:
    """A square root of each key's head × head covariance; heads may depend on each other completely."""
    spectrum, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(spectrum, 0.0))[:, None, :])
