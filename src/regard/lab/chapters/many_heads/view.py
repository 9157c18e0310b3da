"""What chapter 4 asks of the package: one head against several under equal noise, and the best queries of all.

The values of h wanted keys are to be averaged; lengths of keys vary. Designs of one scale C are set side by side: one
head that pulls, one that pushes, two that share the wanted keys out, and h with one wanted key each.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.design import robust
from regard.design.squared_error import Queries
from regard.errors import ValueRangeError
from regard.lab.inputs import choice, matrix, number, whole_number
from regard.lab.jobs import JobProgress
from regard.lab.server.api import Question
from regard.noise import GaussianKeys, OutputLaw, isotropic, output_law, radial
from regard.shapes import Float
from regard.studies.one_vs_many import Config, Design, designs

MAX_STEPS = 120
"""Of the search: more improvements than that are thinned out."""
MAX_SHARED_SCALE = 40.0
"""With one noise for all lengths the law takes work in proportion to the scale."""


@dataclass(frozen=True)
class ExerciseInput:
    """`n_wanted` keys of `n_keys` are wanted; `variance` is that of a length, `everywhere` that in each direction.

    `noise` says whose length varies: that of one key, of each on its own, or of all together by one number. `design` is
    what a search has found, perhaps nothing.
    """

    n_keys: int = whole_number(3, 24)
    n_wanted: int = choice(2, 4, 6)
    variance: float = number(0, 1)
    everywhere: float = number(0, 0.01)
    noise: str = choice("one", "each", "together")
    scale: float = number(0.3, 100)
    design: tuple[tuple[float, ...], ...] = matrix(1000, most_rows=4, most_columns=24)


@dataclass(frozen=True)
class SearchInput:
    """The exercise, and for how many heads queries are wanted."""

    n_keys: int = whole_number(3, 24)
    n_wanted: int = choice(2, 4, 6)
    variance: float = number(0, 1)
    everywhere: float = number(0, 0.01)
    noise: str = choice("one", "each")
    n_heads: int = choice(1, 2, 4)


def exercise_keys(now: ExerciseInput | SearchInput) -> GaussianKeys:
    """Orthonormal means with the noise; together means k_i = (1 + g) μ_i with one g for all i."""
    if not now.n_wanted < now.n_keys:
        raise ValueRangeError(f"{now.n_wanted} wanted keys need at least one other key; got {now.n_keys} keys")
    axes = np.eye(now.n_keys)
    if now.noise == "together":
        if now.everywhere:
            raise ValueRangeError("when all lengths vary together, noise in every direction must be 0")
        return GaussianKeys(axes, isotropic(0.0), shared=math.sqrt(now.variance) * axes[None])
    return GaussianKeys(axes, isotropic(now.everywhere) + radial(now.variance, key=0 if now.noise == "one" else None))


def exercise_target(now: ExerciseInput | SearchInput) -> Float[np.ndarray, " key"]:
    """The average of the wanted values, which are orthonormal."""
    return np.where(np.arange(now.n_keys) < now.n_wanted, 1 / now.n_wanted, 0.0)


def candidate_designs(now: ExerciseInput) -> tuple[Design, ...]:
    """The designs: one pull head, one push head, two pull heads, and one for each wanted key where that is more."""
    pull, push, many = designs(Config(n_keys=now.n_keys, wanted=now.n_wanted))
    halves = np.stack([half.sum(axis=0) for half in np.split(np.eye(now.n_keys)[: now.n_wanted], 2)])
    two = Design("2 pull heads", lambda scale: scale * halves, 1.0)
    return (pull, push, many) if now.n_wanted == 2 else (pull, push, two, many)


def confirm(now: ExerciseInput) -> dict[str, Any]:
    """Variance, error and what these may be off by, of each design and of the one that was found."""
    keys, target = exercise_keys(now), exercise_target(now)
    if now.noise == "together" and now.scale > MAX_SHARED_SCALE:
        return {"outcomes": []}
    queries = [design.queries(now.scale) for design in candidate_designs(now)]
    if now.design:
        if len(now.design[0]) != now.n_keys:
            raise ValueRangeError(f"the queries of the design must have {now.n_keys} numbers; got {len(now.design[0])}")
        queries.append(np.array(now.design))
    laws = [output_law(keys, np.eye(now.n_keys), query) for query in queries]
    return {"outcomes": [_outcome(law, target) for law in laws]}


def _outcome(law: OutputLaw, target: Float[np.ndarray, " key"]) -> dict[str, float]:
    return {"variance": law.variance, "error": law.mean_squared_error(target), "uncertainty": law.error}


def search_design(now: SearchInput, progress: JobProgress) -> dict[str, Any]:
    """The queries of least error; `progress` shows each design that is better than all before, as JSON."""
    steps: list[dict[str, Any]] = []
    n_tried = 0

    def record(queries: Queries, error: float) -> None:
        nonlocal n_tried
        n_tried += 1
        if not steps or error < steps[-1]["error"]:
            steps.append({"number": n_tried, "error": error, "queries": queries.round(4).tolist()})
            progress.show(json.dumps(steps[-1]))
        progress(None, f"{n_tried} designs tried; the smallest error so far is {steps[-1]['error']:.4g}")

    target = exercise_target(now)
    robust(exercise_keys(now), np.eye(now.n_keys), target, heads=now.n_heads, watch=record)
    return {"steps": thin(steps)}


def thin(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """At most MAX_STEPS of them, evenly, the first and the last among them.

    >>> [step["number"] for step in thin([{"number": n} for n in range(3)])]
    [0, 1, 2]
    """
    if len(steps) <= MAX_STEPS:
        return steps
    return [steps[round(place)] for place in np.linspace(0, len(steps) - 1, MAX_STEPS)]


QUESTIONS = {
    "confirm": Question(ExerciseInput, confirm),
    "search": Question(SearchInput, search_design, is_long=True),
}
