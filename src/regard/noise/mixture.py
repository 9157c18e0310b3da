"""Laws that are averages of simpler ones: over the factors that keys share, or over draws."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from regard.noise.joint import JointMoments, independent_joint
from regard.noise.keys import LogitLaw
from regard.noise.moments import Moments
from regard.noise.sampling import sample_weights
from regard.shapes import Float

REACH_Z = 8.5
MOST_NODES = 1000
N_REPLICATES = 16


def condition_on_shared(
    logits: LogitLaw,
    values: Float[np.ndarray, "key width"],
    *,
    method: str = "auto",
    seed: int = 0,
    n_draws: int = 2**16,
) -> JointMoments:
    """Given the common factors z the keys are independent: average over z by the trapezoid rule.

    Leaving out every second node shows the error: it falls like exp(−c/step), so that of the full rule is at most
    the square of the change. With too many factors, or factors too strong for some hundred nodes, the law is sampled.
    """
    shared = np.asarray(logits.shared)
    fine = _factor_nodes(shared)
    if fine is None:
        return sampled_joint(logits, values, seed=seed, n_draws=n_draws)
    laws = []
    for z in fine.points:
        given = LogitLaw(np.asarray(logits.mean) + np.tensordot(z, shared, axes=1), np.asarray(logits.covariance))
        law = independent_joint(given, values, method=method)
        if law is None:
            return sampled_joint(logits, values, seed=seed, n_draws=n_draws)
        laws.append(law)
    found = _mixture(laws, fine.mass)
    coarse = _mixture(laws, fine.coarse_mass)
    error = float(np.abs(found.cross - coarse.cross).max()) ** 2 + found.cross_error
    heads = tuple(
        _with_error(head, float(np.abs(head.weight_mean - other.weight_mean).max()) ** 2, "conditioning")
        for head, other in zip(found.heads, coarse.heads, strict=True)
    )
    return JointMoments(heads, found.cross, f"conditioning + {laws[0].method}", error)


@dataclass(frozen=True)
class _FactorNodes:
    points: Float[np.ndarray, "node rank"]
    mass: Float[np.ndarray, " node"]
    coarse_mass: Float[np.ndarray, " node"]


def _factor_nodes(shared: Float[np.ndarray, "rank head key"]) -> _FactorNodes | None:
    """A trapezoid rule for all factors, fine enough for logits that move apart by the loadings' spread."""
    axes, coarse = [], []
    for loading in shared:
        spread = float(np.ptp(loading, axis=-1).max())
        step = min(0.7, 0.6 / max(spread, 1e-12))
        half = 2 * math.ceil(REACH_Z / step / 2)
        if 2 * half + 1 > MOST_NODES:
            return None
        axes.append(step * np.arange(-half, half + 1))
        coarse.append(np.where(np.arange(-half, half + 1) % 2 == 0, 2.0, 0.0))
    if math.prod(len(axis) for axis in axes) > MOST_NODES:
        return None
    points = np.array(list(itertools.product(*axes)))
    mass = np.exp(-(points**2).sum(axis=1) / 2)
    thinned = mass * np.array([math.prod(both) for both in itertools.product(*coarse)])
    return _FactorNodes(points, mass / mass.sum(), thinned / thinned.sum())


def _mixture(laws: list[JointMoments], mass: Float[np.ndarray, " node"]) -> JointMoments:
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
            error=max(law.heads[h].error for law in laws),
        )
        for h in range(n_heads)
    )
    return JointMoments(heads, cross, "conditioning", max(law.cross_error for law in laws))


def sampled_joint(
    logits: LogitLaw, values: Float[np.ndarray, "key width"], *, seed: int = 0, n_draws: int = 2**16
) -> JointMoments:
    """Moments by randomised quasi-Monte Carlo: independent scramblings show the error (four standard errors)."""
    rng = np.random.default_rng(seed)
    each = 2 ** max(4, round(math.log2(max(n_draws, 2) / N_REPLICATES)))
    replicates = [_sampled_once(logits, values, rng, each) for _ in range(N_REPLICATES)]
    found = _mixture(replicates, np.full(N_REPLICATES, 1 / N_REPLICATES))
    crosses = np.array([law.cross for law in replicates])
    errors = 4 * np.std(crosses, axis=0, ddof=1) / math.sqrt(N_REPLICATES)
    heads = []
    for h, head in enumerate(found.heads):
        means = np.array([law.heads[h].weight_mean for law in replicates])
        heads.append(
            _with_error(head, float(4 * means.std(axis=0, ddof=1).max() / math.sqrt(N_REPLICATES)), "sampling")
        )
    return JointMoments(tuple(heads), found.cross, "sampling", float(errors.max()))


def _sampled_once(
    logits: LogitLaw, values: Float[np.ndarray, "key width"], rng: np.random.Generator, n_draws: int
) -> JointMoments:
    n_heads, n_keys = logits.mean.shape
    first, second = np.zeros((n_heads, n_keys)), np.zeros((n_heads, n_keys))
    outputs = []
    for weights in sample_weights(logits, rng, n_draws=n_draws, spread_evenly=True):
        first += weights.sum(axis=0) / n_draws
        second += (weights**2).sum(axis=0) / n_draws
        outputs.append(weights @ values)
    output = np.concatenate(outputs)
    mean = output.mean(axis=0)
    cross = np.einsum("dgw,dhx->ghwx", output - mean, output - mean) / n_draws
    heads = tuple(Moments(first[h], second[h], mean[h], cross[h, h], "sampling", 0.0) for h in range(n_heads))
    return JointMoments(heads, cross, "sampling", 0.0)


def _with_error(head: Moments, extra: float, method: str) -> Moments:
    return Moments(
        head.weight_mean,
        head.weight_square,
        head.output_mean,
        head.output_covariance,
        method,
        head.error + extra,
    )
