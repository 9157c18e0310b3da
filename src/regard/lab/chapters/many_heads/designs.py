"""What chapter 4 asks of the package: one head against several under the same noise, and where which is better.

The values of h wanted keys are to be averaged; lengths of keys vary. Four designs of one scale C are set side by
side: one head that pulls, one that pushes, two that share the wanted keys out, and h with one wanted key each.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np
from scipy.optimize import brentq

from regard.design.squared_error import Objective
from regard.noise import GaussianKeys, OutputLaw, isotropic, output_law, radial
from regard.shapes import Float
from regard.studies.one_vs_many import Config, Design, designs, target

Noise = Literal["one", "each", "together"]
NOISES: dict[str, Noise] = {
    "the first key alone": "one",
    "every key, independently": "each",
    "every key, all together": "together",
}
HEADS = ("2", "4", "6")
EVERYWHERE = ("0", "0.0001", "0.001", "0.01")
SCALES = np.geomspace(0.3, 100, 21)
MAP_SCALES, MAP_VARIANCES = np.geomspace(0.3, 100, 13), np.linspace(0, 1, 7)
SHARED_SCALES = np.geomspace(0.3, 30, 10)
"""With a shared noise the law takes work in proportion to the scale, and beyond some 50 it is sampled."""


@dataclass(frozen=True)
class Exercise:
    """`n_heads` keys of `n_keys` are wanted; `variance` is that of a length, `everywhere` that in each direction."""

    n_keys: int = 10
    n_heads: int = 2
    variance: float = 0.5
    everywhere: float = 1e-4
    noise: Noise = "one"

    @cached_property
    def config(self) -> Config:
        """This exercise as the study of one head against many takes it."""
        return Config(
            n_keys=self.n_keys, wanted=self.n_heads, radial=self.variance, isotropic=self.everywhere,
            all_noisy=self.noise != "one",
        )  # fmt: skip

    @cached_property
    def target(self) -> Float[np.ndarray, " key"]:
        """The average of the wanted values, which are orthonormal."""
        return target(self.config)

    @cached_property
    def keys(self) -> GaussianKeys:
        """Orthonormal means with the noise; together means k_i = (1 + g) μ_i with one g for all i."""
        axes = np.eye(self.n_keys)
        if self.noise == "together":
            return GaussianKeys(axes, isotropic(self.everywhere), shared=math.sqrt(self.variance) * axes[None])
        return GaussianKeys(axes, isotropic(self.everywhere) + radial(self.variance, key=self.noisy_key))

    @property
    def noisy_key(self) -> int | None:
        """The one key whose length varies; None for all."""
        return 0 if self.noise == "one" else None


def build_exercise(
    *, n_keys: int, n_heads: int, variance: float, everywhere: float, noise: Noise
) -> tuple[Exercise, str]:
    """The exercise that comes nearest to the controls, and a sentence where it is not what they say."""
    notes = []
    if n_keys <= n_heads:
        notes.append(
            f"{n_heads} wanted keys need at least one other key: {n_heads + 1} keys are used instead of {n_keys}."
        )
        n_keys = n_heads + 1
    if noise == "together" and everywhere:
        notes.append(
            "When all lengths vary together, noise in every direction is left out: computing it would take minutes."
        )
        everywhere = 0.0
    return Exercise(n_keys, n_heads, variance, everywhere, noise), " ".join(notes)


def candidate_designs(now: Exercise) -> tuple[Design, ...]:
    """The designs: one pull head, one push head, two pull heads, and one for each wanted key where that is more."""
    pull, push, many = designs(now.config)
    wanted = np.eye(now.n_keys)[: now.n_heads]
    halves = np.stack([half.sum(axis=0) for half in np.split(wanted, 2)])
    two = Design("2 pull heads", lambda scale: scale * halves, 1.0)
    return (pull, push, many) if now.n_heads == 2 else (pull, push, two, many)


@dataclass(frozen=True)
class DesignResult:
    """E |c − target|² = variance + squared bias, of one design at one scale; `law` bounds what these err by."""

    name: str
    variance: float
    squared_bias: float
    law: OutputLaw

    @property
    def error(self) -> float:
        """The mean squared error."""
        return self.variance + self.squared_bias


def evaluate_design(now: Exercise, design: Design, scale: float) -> DesignResult:
    """What a design does at this scale, exactly."""
    return evaluate_queries(now, design.name, design.queries(scale))


def evaluate_queries(now: Exercise, name: str, queries: Float[np.ndarray, "head width"]) -> DesignResult:
    """What heads with these queries do, exactly."""
    found = output_law(now.keys, np.eye(now.n_keys), queries)
    return DesignResult(name, found.variance, float(((found.mean - now.target) ** 2).sum()), found)


@lru_cache(maxsize=64)
def evaluate_designs(now: Exercise, scale: float) -> tuple[DesignResult, ...]:
    """All designs at this scale."""
    return tuple(evaluate_design(now, design, scale) for design in candidate_designs(now))


@lru_cache(maxsize=64)
def error_curves(now: Exercise) -> dict[str, Any]:
    """The exact error of each design against the scale."""
    scales = SHARED_SCALES if now.noise == "together" else SCALES
    curves = {
        design.name: np.array([evaluate_design(now, design, float(scale)).error for scale in scales])
        for design in candidate_designs(now)
    }
    return {"scale": scales, **curves}


@dataclass(frozen=True)
class Range:
    """Scales between which a design has a smaller error than many heads; None: as far as was looked."""

    low: float | None
    high: float | None


@lru_cache(maxsize=64)
def better_ranges(now: Exercise) -> dict[str, tuple[Range, ...]]:
    """For each design of one head, where it beats one head for each wanted key."""
    pull, push, *_, many = candidate_designs(now)
    return {one.name: _better(now, one, many) for one in (pull, push)}


def _better(now: Exercise, one: Design, many: Design) -> tuple[Range, ...]:
    curves = error_curves(now)
    is_better = curves[one.name] < curves[many.name] - 1e-12
    changes = [
        _equal_scale(now, one, many, *map(float, curves["scale"][place : place + 2]))
        for place in np.flatnonzero(np.diff(is_better))
    ]
    ends = [*([None] if is_better[0] else []), *changes, *([None] if is_better[-1] else [])]
    return tuple(Range(low, high) for low, high in zip(ends[::2], ends[1::2], strict=True))


def _equal_scale(now: Exercise, one: Design, many: Design, low: float, high: float) -> float:
    """The scale between these two at which both designs err alike."""

    def gap(log_scale: float) -> float:
        scale = math.exp(log_scale)
        return evaluate_design(now, one, scale).error - evaluate_design(now, many, scale).error - 1e-12

    return math.exp(brentq(gap, math.log(low), math.log(high), xtol=1e-5))


@lru_cache(maxsize=32)
def error_map(now: Exercise) -> Float[np.ndarray, "design variance scale"]:
    """The error of every design for each scale and each variance of the length, to 1e-6; `now.variance` is not used.

    Independent keys only.
    """
    found = np.empty((len(candidate_designs(now)), len(MAP_VARIANCES), len(MAP_SCALES)))
    for row, variance in enumerate(MAP_VARIANCES):
        here = Exercise(now.n_keys, now.n_heads, float(variance), now.everywhere, now.noise)
        objective = Objective(here.keys, np.eye(now.n_keys), now.target, bound=math.inf)
        for (place, design), (column, scale) in itertools.product(
            enumerate(candidate_designs(now)), enumerate(MAP_SCALES)
        ):
            found[place, row, column] = objective.error(design.queries(float(scale)))
    return found
