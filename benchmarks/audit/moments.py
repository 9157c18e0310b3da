"""Is every moment inside its error? Random laws against truths that share no code with Regard.

    python benchmarks/audit/moments.py [--laws N] [--seed S]

Prints, for each method, how many laws were tried, the worst |answer − truth| / error, how many were outside, and the
longest CPU time of a law. A sampled number may be outside once in ten thousand: its interval says so.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import mpmath
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.audit.laws import correlated_heads, random_law, random_loading
from benchmarks.audit.truth import many_keys, two_heads, two_keys

from regard.noise import GaussianKeys, OutputLaw, head_moments, isotropic, output_law
from regard.noise.joint import JointMoments
from regard.noise.keys import LogitLaw
from regard.noise.law import joint_moments
from regard.noise.moments import weight_covariance


@dataclass
class Tally:
    """What became of one method's laws."""

    count: int = 0
    worst: float = 0.0
    outside: int = 0
    seconds: float = 0.0
    examples: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Trial:
    """One law tried: what answered, how far it was off, what it claimed, how long it took."""

    method: str
    off: float
    error: float
    seconds: float
    law: str


Trials = dict[Callable[[np.random.Generator], list[Trial]], float]
"""Kinds of trial, and what share of all trials each of them is."""


def timed(call: Callable[[], object]) -> tuple[object, float]:
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = call()
    return found, time.process_time() - start


def try_two_keys(rng: np.random.Generator) -> list[Trial]:
    """Two keys against 30 digits, by the fitting method or by one of the integrals."""
    law = random_law(rng, 2)
    first, second, variance = two_keys(law.mean, float(law.sd[0]) ** 2 + float(law.sd[1]) ** 2)
    truth = np.array([first, second, variance + first**2, variance, -variance])
    return [_compare(law, str(rng.choice(_methods(law.sd))), truth)]


def _methods(sd: np.ndarray) -> tuple[str, ...]:
    return ("auto", "integral", "fast integral") if np.count_nonzero(sd) else ("auto",)


def _compare(law: object, method: str, truth: np.ndarray) -> Trial:
    found, seconds = timed(lambda: head_moments(law.mean, law.sd, np.eye(2), method=method))
    numbers = [*found.weight_mean, found.weight_square[0], *found.output_covariance[0]]
    return Trial(found.method, float(np.abs(numbers - truth).max()), found.error, seconds, repr(law))


def try_many_keys(rng: np.random.Generator) -> list[Trial]:
    """Three to sixty keys against panels around every key; the truth's own error is added to the claim."""
    law = random_law(rng, int(rng.choice([3, 4, 5, 7, 12, 60], p=[0.3, 0.3, 0.2, 0.15, 0.04, 0.01])))
    first, products = many_keys(law.mean, law.sd)
    own = 4 * abs(first.sum() - 1) + 3e-14
    covariance = products - np.outer(first, first)
    trials = []
    for method in _methods(law.sd):
        found, seconds = timed(lambda method=method: head_moments(law.mean, law.sd, np.eye(len(law.sd)), method=method))
        off = max(
            np.abs(found.weight_mean - first).max(),
            np.abs(found.weight_square - np.diag(products)).max(),
            np.abs(found.output_covariance - covariance).max(),
        )
        trials.append(Trial(found.method, max(off - own, 0.0), found.error, seconds, repr(law)))
    rows = np.arange(len(law.sd))
    (value, _, error), seconds = timed(lambda: weight_covariance(law.mean, law.sd, rows, rows))
    off = max(np.abs(value - covariance).max() - own, 0.0)
    return [*trials, Trial("weight_covariance", off, error, seconds, repr(law))]


def try_two_heads(rng: np.random.Generator) -> list[Trial]:
    """Two keys, two heads with noise in common: the covariance of their outputs, given one the other."""
    law = random_law(rng, 2, decades=(-3.0, 2.0))
    second, covariance = correlated_heads(rng, law)
    logits = LogitLaw(np.stack([law.mean, second]), covariance)
    truth = two_heads(np.array([law.mean[0] - law.mean[1], second[0] - second[1]]), covariance.sum(axis=0))
    found, seconds = timed(lambda: joint_moments(logits, np.eye(2), "auto", int(rng.integers(2**31)), 2**12))
    off = max(abs(float(found.cross[0, 1, 0, 0]) - truth) - 1e-14, 0.0)
    error = found.cross_error + max(head.error for head in found.heads)
    return [Trial(_named(found), off, error, seconds, repr((law, second, covariance)))]


def try_shared(rng: np.random.Generator) -> list[Trial]:
    """Two keys that share one or two factors: their difference is still one normal variable."""
    law = random_law(rng, 2, decades=(-3.0, 2.0))
    loading = random_loading(rng, (int(rng.integers(1, 3)), 1, 2))
    spread = ((loading[:, 0, 0] - loading[:, 0, 1]) ** 2).sum()
    first, _, variance = two_keys(law.mean, float((law.sd**2).sum() + spread))
    logits = LogitLaw(law.mean[None], (law.sd**2)[:, None, None], loading)
    found, seconds = timed(lambda: joint_moments(logits, np.eye(2), "auto", int(rng.integers(2**31)), 2**12))
    head = found.heads[0]
    off = max(abs(head.weight_mean[0] - first), abs(head.weight_square[0] - variance - first**2))
    off = max(off, abs(found.cross[0, 0, 0, 0] - variance))
    return [Trial(_named(found), float(off), max(head.error, found.cross_error), seconds, repr((law, loading)))]


def _named(found: JointMoments) -> str:
    words = found.method.split(" + ")
    last = [word for word in ("sampling", "pair integral", "conditioning") if word in words]
    return last[0] if last else f"{words[0]}, heads apart"


def try_sampling(rng: np.random.Generator) -> list[Trial]:
    """Two keys, drawn on request; often rare events that few draws or none show."""
    law = random_law(rng, 2, decades=(-2.0, 3.0))
    first, _, variance = two_keys(law.mean, float((law.sd**2).sum()))
    logits = LogitLaw(law.mean[None], (law.sd**2)[:, None, None])
    found, seconds = timed(lambda: joint_moments(logits, np.eye(2), "sampling", int(rng.integers(2**31)), 2**9))
    head = found.heads[0]
    off = max(abs(head.weight_mean[0] - first), abs(head.weight_square[0] - variance - first**2))
    off = max(off, abs(found.cross[0, 0, 0, 0] - variance))
    return [Trial("sampling on request", float(off), min(head.error, found.cross_error), seconds, repr(law))]


def try_whole_keys(rng: np.random.Generator) -> list[Trial]:
    """Keys and queries, two of them, so large that rounding of the logits shows."""
    width = int(rng.integers(1, 12))
    keys = 10.0 ** rng.uniform(-2, 4) * rng.standard_normal((2, width))
    query, variance = 10.0 ** rng.uniform(-2, 3) * rng.standard_normal(width), 10.0 ** rng.uniform(-6, 2)
    values = 10.0 ** rng.uniform(-3, 3) * rng.standard_normal((2, 1)) + 10.0 ** rng.uniform(-3, 6)
    found, seconds = timed(lambda: output_law(GaussianKeys(keys, isotropic(variance)), values, query))
    assert isinstance(found, OutputLaw)
    with mpmath.workdps(40):
        logits = [mpmath.fdot(map(mpmath.mpf, row), map(mpmath.mpf, query)) for row in keys.tolist()]
        spread = 2 * mpmath.mpf(variance) * mpmath.fdot(map(mpmath.mpf, query), map(mpmath.mpf, query))
        gap = float(logits[0] - logits[1])
        first, second, own = two_keys(np.array([gap, 0.0]), float(spread))
        mean = float(mpmath.mpf(first) * mpmath.mpf(values[0, 0]) + mpmath.mpf(second) * mpmath.mpf(values[1, 0]))
    off = max(abs(found.mean[0] - mean), abs(found.covariance[0, 0] - own * (values[0, 0] - values[1, 0]) ** 2))
    return [Trial("output_law", float(off), found.error, seconds, repr((keys, query, variance, values)))]


TRIALS: Trials = {
    try_two_keys: 0.62,
    try_many_keys: 0.04,
    try_two_heads: 0.03,
    try_shared: 0.02,
    try_sampling: 0.15,
    try_whole_keys: 0.14,
}


def audit(trials: Trials, n_laws: int, seed: int) -> dict[str, Tally]:
    """Try so many laws, each kind of trial its share."""
    rng = np.random.default_rng(seed)
    tallies: dict[str, Tally] = defaultdict(Tally)
    for kind in rng.choice(len(trials), n_laws, p=list(trials.values())):
        for trial in list(trials)[kind](rng):
            count(tallies[trial.method], trial)
    return tallies


def count(tally: Tally, trial: Trial) -> None:
    """Add one trial to its method's tally."""
    ratio = trial.off / trial.error if np.isfinite(trial.off) else np.inf
    tally.count += 1
    tally.worst = max(tally.worst, ratio)
    tally.seconds = max(tally.seconds, trial.seconds)
    if not ratio <= 1:
        tally.outside += 1
        tally.examples.append(f"off by {trial.off:.3g}, claimed {trial.error:.3g}: {trial.law}")


def show(tallies: dict[str, Tally]) -> str:
    """A table with one row a method, and examples of what was outside."""
    rows = ["method                         laws   worst |off|/error   outside   longest CPU seconds"]
    rows += [
        f"{method:28s} {one.count:6d} {one.worst:19.3g} {one.outside:9d} {one.seconds:21.2f}"
        for method, one in sorted(tallies.items())
    ]
    rows += [f"outside, {method}: {example}" for method, one in sorted(tallies.items()) for example in one.examples[:5]]
    return "\n".join(rows)


def main(trials: Trials, description: str) -> None:
    """Run an audit from the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--laws", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    print(show(audit(trials, asked.laws, asked.seed)))


if __name__ == "__main__":
    main(TRIALS, __doc__)
