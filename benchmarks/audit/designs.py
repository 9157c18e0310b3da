"""Do designs keep what they say? Random keys against 40 digits, many queries, and the exact laws.

python benchmarks/audit/designs.py [--laws N] [--seed S]

query       error of a design, against softmax(keys @ query) to 40 digits; allowed: rounding of its logits
scale       what outside_weight leaves at average_scale, against the error that was asked for
hull bound  no query of many gives the key more than its bound; the one that attains it does
search      the search's mean squared error, good to 2e-6, against the exact law's (twice: one head, two heads)
robust      the mean squared error that a robust design states, against plain draws of whole keys (5 standard errors)
"""

from __future__ import annotations

import sys
from pathlib import Path

import mpmath
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.audit.moments import Trial, Trials, main, timed

from regard.design import average, average_scale, copy, hull_bound, outside_weight, robust
from regard.design.squared_error import Objective
from regard.errors import MethodError, UnreachableError
from regard.noise import GaussianKeys, isotropic, output_law, radial


def random_keys(rng: np.random.Generator, n_keys: int, width: int) -> np.ndarray:
    """Rows of one size or of very different sizes, sometimes far from the origin."""
    sizes = 10.0 ** (rng.uniform(-3, 3, (n_keys, 1)) if rng.random() < 0.3 else rng.uniform(-3, 3))
    offset = 10.0 ** rng.uniform(-3, 3) * rng.standard_normal(width) if rng.random() < 0.3 else 0.0
    return sizes * rng.standard_normal((n_keys, width)) + offset


def try_query(rng: np.random.Generator) -> list[Trial]:
    n_keys = int(rng.integers(2, 9))
    keys = random_keys(rng, n_keys, int(rng.integers(n_keys, 12)))
    family, asked = str(rng.choice(["dual", "margin", "pull", "push"])), 10.0 ** rng.uniform(-12, -0.5)
    subset = rng.choice(n_keys, int(rng.integers(1, n_keys)), replace=False).tolist()
    make = (lambda: copy(keys, subset[0], error=asked, family=family)) if rng.random() < 0.5 else None
    try:
        design, seconds = timed(make or (lambda: average(keys, subset, error=asked, family=family)))
    except (MethodError, UnreachableError):
        return []
    rounding = keys.shape[1] * 2.0**-52 * float((np.abs(keys) @ np.abs(design.query)).max()) + 1e-15
    off = abs(design.error - _distance(keys, design.query, design.wanted))
    kept = "rounding of these logits" in design.note or design.error <= 1.01 * asked
    return [Trial("query", off if kept else np.inf, rounding, seconds, repr((keys, family, asked)))]


def _distance(keys: np.ndarray, query: np.ndarray, wanted: np.ndarray) -> float:
    """½ Σ |α − wanted| to 40 digits."""
    with mpmath.workdps(40):
        logits = [mpmath.fdot(map(mpmath.mpf, row), map(mpmath.mpf, query.tolist())) for row in keys.tolist()]
        top = max(logits)
        powers = [mpmath.exp(logit - top) for logit in logits]
        total = sum(powers)
        return float(sum(abs(p / total - mpmath.mpf(w)) for p, w in zip(powers, wanted.tolist(), strict=True)) / 2)


def try_scale(rng: np.random.Generator) -> list[Trial]:
    n_keys = int(10.0 ** rng.uniform(0.5, 6))
    n_chosen, asked = int(rng.integers(1, max(2, n_keys // 3))), 10.0 ** rng.uniform(-200, -0.5)
    scale, seconds = timed(lambda: average_scale(n_keys, n_chosen, asked))
    left = outside_weight(n_keys, n_chosen, scale)
    off = 0.0 if scale == 0 and left <= asked else abs(left / asked - 1)
    return [Trial("scale", off, 4e-16 * (1 + scale + abs(np.log(asked))), seconds, repr((n_keys, n_chosen, asked)))]


def try_hull(rng: np.random.Generator) -> list[Trial]:
    width = int(rng.integers(1, 4))
    others = rng.standard_normal((int(rng.integers(width + 1, width + 5)), width))
    keys = np.vstack([others, rng.dirichlet(np.ones(len(others))) @ others])
    found, seconds = timed(lambda: hull_bound(keys, len(others)))
    tried = 10.0 ** rng.uniform(-1, 2, (300, 1)) * rng.standard_normal((300, width))
    queries = tried if found.query is None else np.vstack([tried, found.query + 1e-3 * tried[:100], found.query])
    logits = queries @ keys.T
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights = weights[:, -1] / weights.sum(axis=1)
    over = max(float(weights.max()) - found.bound, 0.0)
    short = 0.0 if found.query is None else abs(float(weights[-1]) - found.bound)
    return [Trial("hull bound", max(over, short), 1e-9, seconds, repr(keys))]


def try_search(rng: np.random.Generator) -> list[Trial]:
    n_keys, width, heads = int(rng.integers(2, 6)), int(rng.integers(2, 6)), int(rng.integers(1, 3))
    keys = GaussianKeys(
        rng.standard_normal((n_keys, width)), isotropic(10.0 ** rng.uniform(-5, 0)) + radial(0.5, key=0)
    )
    values = rng.standard_normal((n_keys, 2))
    target = values[0]
    queries = 10.0 ** rng.uniform(-1, 1.3) * rng.standard_normal((heads, width))
    found, seconds = timed(lambda: Objective(keys, values, target, 60.0).error(queries))
    law = output_law(keys, values, queries)
    off = abs(found - law.mean_squared_error(target)) / max(1.0, float(np.ptp(values)) ** 2)
    allowed = 2e-6 + 4 * law.error
    return [Trial("search", off, allowed, seconds, repr((keys, queries)))]


def try_robust(rng: np.random.Generator) -> list[Trial]:
    n_keys, heads = int(rng.integers(2, 5)), int(rng.integers(1, 3))
    keys = GaussianKeys(rng.standard_normal((n_keys, 4)), isotropic(10.0 ** rng.uniform(-4, -1)))
    values = rng.standard_normal((n_keys, 2))
    target = values.mean(axis=0)
    design, seconds = timed(lambda: robust(keys, values, target, heads=heads))
    noise = np.sqrt(np.linalg.eigvalsh(keys.matrix(0))[0]) * rng.standard_normal((20_000, n_keys, 4))
    logits = np.einsum("dkw,hw->dhk", keys.mean + noise, design.queries)
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    squared = (((weights @ values).mean(axis=1) - target) ** 2).sum(axis=1)
    allowed = 5 * squared.std() / np.sqrt(len(squared)) + 1e-9
    return [Trial("robust", abs(squared.mean() - design.mean_squared_error), allowed, seconds, repr(keys))]


TRIALS: Trials = {try_query: 0.55, try_scale: 0.2, try_hull: 0.2, try_search: 0.04, try_robust: 0.01}


if __name__ == "__main__":
    main(TRIALS, __doc__)
