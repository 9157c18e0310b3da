"""Random laws of logits for the audits: ten decades of means and standard deviations, ties, zeros, offsets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

DECADES = (-5.0, 5.0)
KINDS = ("alike", "mixed", "zeros", "ties", "offset", "rare")


@dataclass(frozen=True)
class Law:
    """Independent logits s_i ~ N(mean_i, sd_i²), and what is special about them."""

    mean: np.ndarray
    sd: np.ndarray
    kind: str


def random_law(rng: np.random.Generator, n_keys: int, *, decades: tuple[float, float] = DECADES) -> Law:
    """One law of one of the kinds.

    alike    all standard deviations of one size        mixed    each of a size of its own
    zeros    some keys are certain                      ties     some keys have the law of another
    offset   a large number is added to all means       rare     one key lies far below the others
    """
    kind = str(rng.choice(KINDS))
    sizes = rng.uniform(*decades, n_keys) if kind == "mixed" else np.full(n_keys, rng.uniform(*decades))
    sd = 10.0**sizes * rng.uniform(0.3, 3.0, n_keys)
    # Half of the laws have means as large as their noise, or as the softmax is wide: these are not decided beforehand.
    size = 10.0 ** rng.uniform(*decades) if rng.random() < 0.5 else rng.choice([1.0, np.median(sd)])
    mean = size * rng.standard_normal(n_keys)
    if kind == "zeros":
        sd[rng.random(n_keys) < 0.5] = 0.0
    if kind == "ties":
        copied = rng.integers(0, n_keys, n_keys)
        mean, sd = mean[copied], sd[copied]
    if kind == "offset":
        mean = mean + 10.0 ** rng.uniform(2, 9)
    if kind == "rare":
        mean[0] -= rng.uniform(1, 8) * (sd.max() + 3)
    return Law(mean, sd, kind)


def random_loading(rng: np.random.Generator, shape: tuple[int, ...], *, widest: float = 3.0) -> np.ndarray:
    """How strongly shared factors move each logit, over some decades."""
    return 10.0 ** rng.uniform(-3, np.log10(widest)) * rng.standard_normal(shape)


def correlated_heads(rng: np.random.Generator, law: Law, *, widest: float = 100.0) -> tuple[np.ndarray, np.ndarray]:
    """A second head's means, and for each key the 2 × 2 covariance of its two logits; often ±1 correlated."""
    second = law.mean + 10.0 ** rng.uniform(-3, 2) * rng.standard_normal(len(law.mean))
    sd_1 = np.minimum(law.sd, widest)
    sd_2 = np.minimum(sd_1 * 10.0 ** rng.uniform(-1, 1, len(sd_1)), widest)
    correlation = np.clip(rng.uniform(-1.3, 1.3, len(sd_1)), -1, 1)
    between = correlation * sd_1 * sd_2
    return second, np.stack([np.stack([sd_1**2, between], -1), np.stack([between, sd_2**2], -1)], 1)
