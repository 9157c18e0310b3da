"""What is wanted of the keys, as people type it; and what noise in the keys makes of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regard.cli.inputs import read_array
from regard.cli.key_file import KeyFile
from regard.design.inputs import checked_subset, checked_weights
from regard.noise import Moments, output_law
from regard.shapes import Array, Bool, Float


@dataclass(frozen=True, eq=False)
class NoiseEffect:
    """The exact law of a query's weights under noise; `wanted_mean` and `wanted_sd` are of all wanted keys together."""

    weight_mean: Float[np.ndarray, " key"]
    weight_sd: Float[np.ndarray, " key"]
    wanted_mean: float
    wanted_sd: float
    method: str
    method_error: float


def typed_weights(text: str) -> Float[Array, ...]:
    """Weights typed with commas between, 0.2,0.3,0.5, or in a file."""
    try:
        return np.array([float(part) for part in text.split(",")])
    except ValueError:
        return read_array(text)


def wanted_mix(*, subset: list[int] | None, weights: str | None, n_keys: int) -> Float[np.ndarray, " key"]:
    """The mix of values to come close to: the average over a subset, or weights as typed."""
    if weights is not None:
        return checked_weights(typed_weights(weights), n_keys=n_keys)
    places = checked_subset(subset or [], n_keys=n_keys)
    wanted = np.zeros(n_keys)
    wanted[places] = 1 / len(places)
    return wanted


def under_noise(
    described: KeyFile, query: Float[np.ndarray, " width"], wanted: Bool[np.ndarray, " key"], *, seed: int
) -> NoiseEffect | None:
    """What the noise of the keys does to the weights, if there is any noise."""
    if not described.is_noisy:
        return None
    # With 1 for wanted keys and 0 for others as values, the output is the weight on the wanted keys.
    law = output_law(described.keys, wanted.astype(np.float64)[:, None], query, seed=seed)
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
