"""All heads together: each head's moments and the covariances between their outputs."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from regard.display import short_repr
from regard.noise.integral import centre_means, distinct_laws
from regard.noise.keys import LogitLaw
from regard.noise.moments import Moments, head_moments
from regard.noise.pair import PairLogits, factor_sizes, pair_integral, rule_sizes
from regard.shapes import Float

# Beyond this many seconds of estimated CPU time, sampling is the better use of it.
MAX_PAIR_SECONDS = 3.0
MAX_PAIR_ERROR = 1e-5
MAX_FACTOR_NODES = 30_000
MAX_PAIR_NUMBERS = 2**25  # of the integrand at the nodes of the plane: a quarter of a gigabyte
# Measured once on one core; they decide between methods and nothing else.
SECONDS_PER_PRODUCT, SECONDS_PER_KERNEL, SECONDS_PER_LAW, SECONDS_PER_HEAD = 2e-10, 1e-6, 4e-4, 2.5e-3
MAX_LAWS = 100  # with more different laws, a head takes no longer


@short_repr
@dataclass(frozen=True)
class JointMoments:
    """`cross[g][h]` is Cov(c_g, c_h); its diagonal holds the heads' own covariances."""

    heads: tuple[Moments, ...]
    cross: Float[np.ndarray, "head head2 width width2"]
    method: str
    cross_error: float

    def combine_heads(self, combine: str) -> tuple[Float[np.ndarray, " output"], Float[np.ndarray, "output output"]]:
        """Mean and covariance of the heads' average, or of their concatenation."""
        means = np.stack([head.output_mean for head in self.heads])
        n_heads, width = means.shape
        if combine == "mean":
            return means.mean(axis=0), self.cross.sum(axis=(0, 1)) / n_heads**2
        return means.reshape(-1), self.cross.transpose(0, 2, 1, 3).reshape(n_heads * width, -1)


def independent_joint_moments(
    logits: LogitLaw, values: Float[np.ndarray, "key width"], *, method: str = "auto"
) -> JointMoments | None:
    """Moments of all heads where different keys are independent; None where a pair of heads is out of reach."""
    if estimate_pair_seconds(logits) > MAX_PAIR_SECONDS:
        return None
    found = join_heads(logits, moments_of_each_head(logits, values, method=method), values)
    return found if is_close(found, values) else None


def is_close(found: JointMoments, values: Float[np.ndarray, "key width"]) -> bool:
    """Whether the covariances between heads are known better than draws would tell them.

    Logits of two heads that move together by fifty and more make a ridge too sharp for the rules over the plane.
    """
    return found.cross_error <= MAX_PAIR_ERROR * float(np.ptp(values, axis=0).max()) ** 2


def join_heads(logits: LogitLaw, heads: tuple[Moments, ...], values: Float[np.ndarray, "key width"]) -> JointMoments:
    """The heads' own moments, joined by the covariances of their outputs."""
    n_heads, width = logits.n_heads, values.shape[1]
    cross = np.zeros((n_heads, n_heads, width, width))
    methods = sorted({head.method for head in heads})
    error = 0.0
    for first in range(n_heads):
        cross[first, first] = heads[first].output_covariance
        for second in range(first + 1, n_heads):
            found = _covariance_between_heads(logits, values, heads, first, second)
            cross[first, second], cross[second, first] = found.covariance, found.covariance.T
            methods, error = [*methods, *found.methods], max(error, found.error)
    return JointMoments(heads, cross, " + ".join(dict.fromkeys(methods)), error)


def moments_of_each_head(
    logits: LogitLaw, values: Float[np.ndarray, "key width"], *, method: str = "auto"
) -> tuple[Moments, ...]:
    """The moments of each head alone, where different keys are independent."""
    mean = np.asarray(logits.mean)
    return tuple(head_moments(mean[head], logits.sd(head), values, method=method) for head in range(logits.n_heads))


def estimate_seconds(logits: LogitLaw) -> float:
    """About how many seconds of CPU time `independent_joint_moments` takes, from the sizes of its arrays."""
    laws = [distinct_laws(np.stack([logits.mean[h], logits.sd(h)], axis=1))[0] for h in range(logits.n_heads)]
    heads = math.fsum(SECONDS_PER_HEAD + SECONDS_PER_LAW * min(len(law), MAX_LAWS) for law in laws)
    return heads + estimate_pair_seconds(logits)


def estimate_pair_seconds(logits: LogitLaw) -> float:
    """About how many seconds the covariances of all pairs of heads take; infinite where memory would not do."""
    pairs = itertools.combinations(range(logits.n_heads), 2)
    return math.fsum(_estimate_pair(_pair_logits(logits, *pair)) for pair in pairs if _are_tied(logits, *pair))


def _estimate_pair(pair: PairLogits) -> float:
    n_z = factor_sizes(pair)
    if sum(n_z) > MAX_FACTOR_NODES:  # far too many, whatever the heads' rules
        return math.inf
    n_1, n_2 = rule_sizes(pair)
    if max(len(n_z) * n_1 * n_2, sum(n_z) * (n_1 + n_2)) > MAX_PAIR_NUMBERS:
        return math.inf
    products = 5 * n_1 * n_2 * (sum(n_z) + 40 * len(n_z))
    return SECONDS_PER_PRODUCT * products + SECONDS_PER_KERNEL * (n_1 + n_2) * sum(n_z)


def _pair_logits(logits: LogitLaw, first: int, second: int) -> PairLogits:
    mean = centre_means(np.asarray(logits.mean), np.stack([logits.sd(h) for h in range(logits.n_heads)]))
    sds = logits.sd(first), logits.sd(second)
    return PairLogits(mean[first], mean[second], *sds, logits.between(first, second))


def _are_tied(logits: LogitLaw, first: int, second: int) -> bool:
    """Whether two heads have noise in common, yet are not one head twice."""
    return bool(logits.between(first, second).any()) and not _are_same(logits, first, second)


def _are_same(logits: LogitLaw, first: int, second: int) -> bool:
    mean, sd_1, sd_2 = np.asarray(logits.mean), logits.sd(first), logits.sd(second)
    same = np.array_equal(mean[first], mean[second]) and np.array_equal(sd_1, sd_2)
    return same and np.allclose(logits.between(first, second), sd_1 * sd_2, rtol=1e-14, atol=0)


@dataclass(frozen=True)
class Between:
    """Cov(c_g, c_h), the methods that were needed, and its error."""

    covariance: Float[np.ndarray, "width width"]
    methods: tuple[str, ...]
    error: float


def _covariance_between_heads(
    logits: LogitLaw,
    values: Float[np.ndarray, "key width"],
    heads: tuple[Moments, ...],
    first: int,
    second: int,
) -> Between:
    size = float(np.ptp(values, axis=0).max())
    if not _are_tied(logits, first, second):
        if not logits.between(first, second).any():
            return Between(np.zeros((values.shape[1],) * 2), (), 0.0)
        return Between(heads[first].output_covariance, (), heads[first].error * size**2)
    found = pair_integral(_pair_logits(logits, first, second))
    relative = (values - heads[first].output_mean, values - heads[second].output_mean)
    error = found.error(heads[first].weight_mean, heads[second].weight_mean)
    error += heads[first].error + heads[second].error
    return Between(found.cross_covariance(*relative), ("pair integral",), error * size**2)
