"""What noise in the keys does to the weights of a designed query, exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regard.noise import GaussianKeys, Moments, output_law
from regard.shapes import Bool, Float


@dataclass(frozen=True, eq=False)
class NoiseEffect:
    """The exact law of a query's weights under noise; `wanted_mean` and `wanted_sd` are of all wanted keys together."""

    weight_mean: Float[np.ndarray, " key"]
    weight_sd: Float[np.ndarray, " key"]
    wanted_mean: float
    wanted_sd: float
    method: str
    method_error: float


def noise_effect(
    keys: GaussianKeys, query: Float[np.ndarray, " width"], wanted: Bool[np.ndarray, " key"], *, seed: int = 0
) -> NoiseEffect:
    """The law of each weight, and of the weight on all `wanted` keys together, when the keys are noisy."""
    # With 1 for wanted keys and 0 for others as values, the output is the weight on the wanted keys.
    law = output_law(keys, wanted.astype(np.float64)[:, None], query, seed=seed)
    return NoiseEffect(
        weight_mean=law.heads[0].weight_mean,
        weight_sd=weight_sd(law.heads[0]),
        wanted_mean=float(law.mean[0]),
        wanted_sd=float(np.sqrt(max(law.variance, 0.0))),
        method=law.method,
        method_error=law.error,
    )


def weight_sd(moments: Moments) -> Float[np.ndarray, " key"]:
    """Standard deviation of each weight."""
    return np.sqrt(moments.weight_variance)
