"""All heads together: each head's moments and the covariances between their outputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regard.noise.integral import distinct_laws
from regard.noise.keys import LogitLaw
from regard.noise.moments import Moments, head_moments
from regard.noise.pair import PairLogits, pair_integral
from regard.shapes import Float

# A plane of nodes for each different key law: beyond this, sampling is the better use of time.
MOST_PAIR_LAWS = 128
# The common factor of two logits moves each by sd·√|correlation|; by thousands, it would need thousands of nodes.
MOST_PAIR_LOAD = 400.0
PAIR_ERROR = 1e-13


@dataclass(frozen=True)
class JointMoments:
    """`cross[g][h]` is Cov(c_g, c_h); its diagonal holds the heads' own covariances."""

    heads: tuple[Moments, ...]
    cross: Float[np.ndarray, "head head2 width width2"]
    method: str
    cross_error: float

    def combined(self, combine: str) -> tuple[Float[np.ndarray, " output"], Float[np.ndarray, "output output"]]:
        """Mean and covariance of the heads' average, or of their concatenation."""
        means = np.stack([head.output_mean for head in self.heads])
        n_heads, width = means.shape
        if combine == "mean":
            return means.mean(axis=0), self.cross.sum(axis=(0, 1)) / n_heads**2
        return means.reshape(-1), self.cross.transpose(0, 2, 1, 3).reshape(n_heads * width, -1)


def independent_joint(
    logits: LogitLaw, values: Float[np.ndarray, "key width"], *, method: str = "auto"
) -> JointMoments | None:
    """Moments of all heads where different keys are independent; None where a pair of heads is out of reach."""
    mean = np.asarray(logits.mean)
    heads = tuple(head_moments(mean[head], logits.sd(head), values, method=method) for head in range(logits.n_heads))
    n_heads, width = logits.n_heads, values.shape[1]
    cross = np.zeros((n_heads, n_heads, width, width))
    methods = sorted({head.method for head in heads})
    error = 0.0
    for first in range(n_heads):
        cross[first, first] = heads[first].output_covariance
        for second in range(first + 1, n_heads):
            found = _between(logits, values, heads, first, second)
            if found is None:
                return None
            cross[first, second], cross[second, first] = found[0], found[0].T
            if found[1]:
                methods, error = [*methods, found[1]], PAIR_ERROR * float(np.abs(values).max()) ** 2
    return JointMoments(heads, cross, " + ".join(dict.fromkeys(methods)), error)


def _between(
    logits: LogitLaw,
    values: Float[np.ndarray, "key width"],
    heads: tuple[Moments, ...],
    first: int,
    second: int,
) -> tuple[Float[np.ndarray, "width width"], str] | None:
    """Cov(c_first, c_second) and the method, if one was needed."""
    covariance = logits.between(first, second)
    width = values.shape[1]
    if not covariance.any():
        return np.zeros((width, width)), ""
    mean, sd_1, sd_2 = np.asarray(logits.mean), logits.sd(first), logits.sd(second)
    if np.array_equal(mean[first], mean[second]) and np.allclose(covariance, sd_1 * sd_2, rtol=1e-14, atol=0):
        return heads[first].output_covariance, ""  # the same query twice gives the same output twice
    pair = PairLogits(mean[first], mean[second], sd_1, sd_2, covariance)
    parameters = np.stack([pair.mean_1, sd_1, pair.mean_2, sd_2, covariance], axis=1)
    if len(distinct_laws(parameters)[0]) > MOST_PAIR_LAWS or _largest_load(pair) > MOST_PAIR_LOAD:
        return None
    found = pair_integral(pair)
    relative = (values - heads[first].output_mean, values - heads[second].output_mean)
    return found.cross_covariance(*relative), "pair integral"


def _largest_load(pair: PairLogits) -> float:
    """How far a standard deviation of the common factor moves a logit, at most."""
    is_tied = pair.covariance != 0
    sd_1, sd_2, covariance = pair.sd_1[is_tied], pair.sd_2[is_tied], pair.covariance[is_tied]
    return float((np.maximum(sd_1, sd_2) * np.sqrt(np.abs(covariance) / (sd_1 * sd_2))).max())
