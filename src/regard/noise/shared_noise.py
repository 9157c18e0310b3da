"""Laws of keys that share noise: averages over the common factors, by a quadrature rule or over draws."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from regard.noise.integral import centre_means
from regard.noise.joint import JointMoments, estimate_seconds, is_close, join_heads, moments_of_each_head
from regard.noise.keys import LogitLaw, n_normal_axes, sample_weights
from regard.noise.moments import Moments
from regard.shapes import Float

REACH_Z = 8.5  # beyond, a standard normal variable has probability 2e-17
EPS = float(np.finfo(float).eps)
MAX_WORK_SECONDS = 3.0
N_REPLICATES = 16
MAX_DRAWS, MAX_NUMBERS = 2**16, 2**24
# Of a sampled number's interval: two-sided, for each number alone.
CONFIDENCE = 0.9999
# The error that the rule over one factor may have, and how many multiples of it the moments' sums of such rules have.
RULE_ERROR, N_RULES = 1e-14, 4


def average_over_shared_noise(
    logits: LogitLaw,
    values: Float[np.ndarray, "key width"],
    *,
    method: str = "auto",
    seed: int = 0,
    n_draws: int | None = None,
) -> JointMoments:
    """Given the common factors z the keys are independent: average over z by the trapezoid rule.

    Its step is chosen so that the rule errs by less than `RULE_ERROR`, by a bound (see `_largest_step`). Where its
    nodes would take longer than a few seconds, the law is sampled.
    """
    rule = _factor_rule(logits, MAX_WORK_SECONDS / estimate_seconds(logits))
    if rule is None:
        return sample_joint_moments(logits, values, seed=seed, n_draws=n_draws)
    own = centre_means(np.asarray(logits.mean), np.stack([logits.sd(head) for head in range(logits.n_heads)]))
    means = own + np.tensordot(rule.points, np.asarray(logits.shared), axes=1)
    given = [LogitLaw(mean, np.asarray(logits.covariance)) for mean in means]
    laws = [join_heads(law, moments_of_each_head(law, values, method=method), values) for law in given]
    found = _average_laws(laws, rule.mass)
    if not is_close(found, values):
        return sample_joint_moments(logits, values, seed=seed, n_draws=n_draws)
    error = N_RULES * RULE_ERROR * len(np.asarray(logits.shared))
    heads = tuple(replace(head, method="conditioning", error=head.error + error) for head in found.heads)
    size = float(np.ptp(values, axis=0).max())
    methods = dict.fromkeys(itertools.chain(*(law.method.split(" + ") for law in laws)))
    return JointMoments(heads, found.cross, " + ".join(["conditioning", *methods]), found.cross_error + error * size**2)


@dataclass(frozen=True)
class _FactorRule:
    points: Float[np.ndarray, "node rank"]
    mass: Float[np.ndarray, " node"]


def _factor_rule(logits: LogitLaw, max_nodes: float) -> _FactorRule | None:
    """The trapezoid rule over all factors, or None if it would need more than this many nodes."""
    shared = np.asarray(logits.shared)
    halves, steps, n_nodes = [], [], 1
    for loading in shared:
        steps.append(_largest_step(loading, logits.sd(0) if logits.n_heads == 1 else None))
        halves.append(math.ceil(min(REACH_Z / steps[-1], 1e6)))
        n_nodes *= 2 * halves[-1] + 1
        if n_nodes > max_nodes:
            return None
    axes = [step * np.arange(-half, half + 1) for step, half in zip(steps, halves, strict=True)]
    points = np.array(list(itertools.product(*axes))).reshape(n_nodes, len(shared))
    mass = np.exp(-(points**2).sum(axis=1) / 2)
    return _FactorRule(points, mass / mass.sum())


def _largest_step(loading: Float[np.ndarray, "head key"], sd: Float[np.ndarray, " key"] | None) -> float:
    """The largest step h of the trapezoid rule over one factor z for which its error is below `RULE_ERROR`.

    If |f(z + iy')| ≤ B for |y'| ≤ y, the rule for E f(z) errs by less than 2 B e^{y²/2} / (e^{2πy/h} − 1). At z + iy
    the logits turn by the angles y (load − centre). As long as these stay within ±θ/2, no weight exceeds 1/cos(θ/2).
    What a key turns further, b, is moved into its own noise, where it costs a factor exp(b²/2sd²).
    """
    theta = 2.8
    apart = loading - (loading.max(axis=-1, keepdims=True) + loading.min(axis=-1, keepdims=True)) / 2
    reach = float(np.abs(apart).max())  # every y at which no key turns too far is tried, and some further ones
    y = np.append(np.geomspace(1e-4, 1.0, 200) * 10.0, theta / 2 / max(reach, theta / 20))
    own = np.zeros(loading.shape[-1]) if sd is None else sd
    further = np.maximum(y[:, None] * np.abs(apart).max(axis=0) * (1 - 1e-12) - theta / 2, 0.0)
    with np.errstate(over="ignore"):
        cost = ((further / np.maximum(own, 1e-160)) ** 2).sum(axis=1) / 2
    digits = math.log(2 / RULE_ERROR) - 2 * math.log(math.cos(theta / 2))
    return float((2 * math.pi * y / (digits + y**2 / 2 + cost)).max())


def _average_laws(laws: list[JointMoments], mass: Float[np.ndarray, " node"]) -> JointMoments:
    """Means average; covariances average and gain the covariance of the means."""
    n_heads = len(laws[0].heads)
    means = np.array([[head.output_mean for head in law.heads] for law in laws])
    centre = np.tensordot(mass, means, axes=1)
    apart = means - centre
    cross = sum(m * law.cross for m, law in zip(mass, laws, strict=True))
    cross = cross + np.einsum("n,ngw,nhx->ghwx", mass, apart, apart)
    heads = tuple(
        Moments(
            weight_mean=sum(m * law.heads[h].weight_mean for m, law in zip(mass, laws, strict=True)),
            weight_square=sum(m * law.heads[h].weight_square for m, law in zip(mass, laws, strict=True)),
            output_mean=centre[h],
            output_covariance=cross[h, h],
            method=laws[0].heads[h].method,
            error=sum(m * law.heads[h].error for m, law in zip(mass, laws, strict=True)),
        )
        for h in range(n_heads)
    )
    cross_error = sum(m * law.cross_error for m, law in zip(mass, laws, strict=True))
    return JointMoments(heads, cross, "conditioning", float(cross_error))


def sample_joint_moments(
    logits: LogitLaw, values: Float[np.ndarray, "key width"], *, seed: int = 0, n_draws: int | None = None
) -> JointMoments:
    """Moments by randomised quasi-Monte Carlo, with an interval that holds each number with probability 99.99 %.

    Sixteen independent scramblings show how far their mean varies (Student's t). What is so rare that no draw shows it
    has, at this confidence, a probability below ln(1/(1 − confidence)) / draws, and moves a moment by no more than that
    times the range of what is averaged: this is added. Unless `n_draws` is given, there are as many draws as a
    few seconds allow, at most 65,536.
    """
    rng = np.random.default_rng(seed)
    n_draws = min(MAX_DRAWS, MAX_NUMBERS // n_normal_axes(logits)) if n_draws is None else n_draws
    each = 2 ** max(4, math.floor(math.log2(max(n_draws, 2) / N_REPLICATES)))
    replicates = [_sample_replicate(logits, values, rng, each) for _ in range(N_REPLICATES)]
    found = _average_laws(replicates, np.full(N_REPLICATES, 1 / N_REPLICATES))
    unseen = math.log(1 / (1 - CONFIDENCE)) / (N_REPLICATES * each)
    size = float(np.ptp(values, axis=0).max())
    unit = max(size, EPS * float(np.abs(values).max()))  # a smaller range is rounding
    numbers = [[_relative_numbers(head, unit) for head in law.heads] for law in replicates]
    spreads = [_spread_of_mean(list(of_head)) for of_head in zip(*numbers, strict=True)]
    heads = tuple(
        replace(head, method="sampling", error=unseen + spread)
        for head, spread in zip(found.heads, spreads, strict=True)
    )
    error = _spread_of_mean([law.cross for law in replicates]) + unseen * size**2
    return JointMoments(heads, found.cross, "sampling", error)


def _relative_numbers(head: Moments, size: float) -> Float[np.ndarray, " number"]:
    """All that a head's error speaks of, as multiples of the values' range."""
    return np.concatenate([head.weight_mean, head.weight_square, head.output_mean / max(size, 1e-300)])


def _spread_of_mean(replicates: list[Float[np.ndarray, "*number"]]) -> float:
    """Half the length of the interval for the mean of the replicates, the largest over all numbers."""
    quantile = float(stdtrit(N_REPLICATES - 1, (1 + CONFIDENCE) / 2))
    return float(np.std(replicates, axis=0, ddof=1).max()) * quantile / math.sqrt(N_REPLICATES)


def _sample_replicate(
    logits: LogitLaw, values: Float[np.ndarray, "key width"], rng: np.random.Generator, n_draws: int
) -> JointMoments:
    n_heads, n_keys = logits.mean.shape
    first, second = np.zeros((n_heads, n_keys)), np.zeros((n_heads, n_keys))
    centre = values.mean(axis=0)
    outputs = []
    for weights in sample_weights(logits, rng, n_draws=n_draws, spread_evenly=True):
        first += weights.sum(axis=0) / n_draws
        second += (weights**2).sum(axis=0) / n_draws
        outputs.append(weights @ (values - centre))
    output = np.concatenate(outputs)
    mean = output.mean(axis=0)
    cross = np.einsum("dgw,dhx->ghwx", output - mean, output - mean) / n_draws
    heads = tuple(Moments(first[h], second[h], centre + mean[h], cross[h, h], "sampling", 0.0) for h in range(n_heads))
    return JointMoments(heads, cross, "sampling", 0.0)
