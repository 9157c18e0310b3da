"""What chapter 3 asks of the package: two keys to be averaged, of which one keeps its direction but not its length.

k_a = (1 + g) μ_a + noise in every direction, g ~ N(0, variance). A query that pulls towards both keys,
q = C(μ_a + μ_b), turns g into a difference of logits C·g and flips between the two values; one that pushes away from
all other keys, q = −C Σ μ_other, does not see g at all. A second view has three keys in the plane, and queries of one
or several heads in up to four designs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.design import robust
from regard.design.squared_error import Queries
from regard.lab.inputs import choice, number, numbers, point_lists, points, whole_number
from regard.lab.jobs import JobProgress
from regard.lab.server.api import Question
from regard.noise import GaussianKeys, OutputLaw, isotropic, output_law, radial
from regard.studies.one_vs_many import Config, designs, output_law_of

LOPSIDED = 0.9
"""A weight above this, or below one minus this, is a flip: the output is one value, not the average of two."""
PLANE_TARGET = np.array([0.5, 0.5, 0.0])


@dataclass(frozen=True)
class ExerciseInput:
    """Orthonormal keys of which the first varies in length; two of them are wanted."""

    n_keys: int = whole_number(3, 20)
    variance: float = number(0, 1)
    everywhere: float = number(0, 0.01)
    scale: float = number(0.3, 100)


@dataclass(frozen=True)
class PlaneInput:
    """Three keys of the plane, standard deviations of their lengths and of noise in every direction, and designs.

    A design has a query for each of its heads.
    """

    keys: tuple[tuple[float, ...], ...] = points(2, least=3, most=3)
    lengths: tuple[float, ...] = numbers(0, 1, least=3, most=3)
    spread: float = number(0, 0.6)
    designs: tuple[tuple[tuple[float, ...], ...], ...] = point_lists(300, most_lists=4, most=3)


@dataclass(frozen=True)
class SearchInput:
    """The keys of the plane with their noise, and for how many heads queries are wanted."""

    keys: tuple[tuple[float, ...], ...] = points(2, least=3, most=3)
    lengths: tuple[float, ...] = numbers(0, 1, least=3, most=3)
    spread: float = number(0, 0.6)
    n_heads: int = choice(1, 2, 3)


def confirm(now: ExerciseInput) -> dict[str, Any]:
    """The exact variance of the output and the chance of a flip, for one head that pulls and one that pushes."""
    config = Config(n_keys=now.n_keys, wanted=2, radial=now.variance, isotropic=now.everywhere)
    laws = [output_law_of(config, design, now.scale) for design in designs(config)[:2]]
    return {"outcomes": [{"variance": law.variance, "flips": flip_chance(law)} for law in laws]}


def confirm_plane(now: PlaneInput) -> dict[str, Any]:
    """Mean and variance of each design's output; of the first, how often key 0 gets nearly all or nearly nothing.

    That chance is known for one head only, else None.
    """
    keys = plane_keys(now)
    laws = [output_law(keys, np.eye(3), np.array(queries)) for queries in now.designs]
    flips = flip_chance(laws[0]) if len(now.designs[0]) == 1 else None
    return {"outcomes": [{"mean": law.mean.tolist(), "variance": law.variance} for law in laws], "flips": flips}


def plane_keys(now: PlaneInput | SearchInput) -> GaussianKeys:
    """The keys of the plane with their noise."""
    noise = isotropic(now.spread**2) + radial(np.array(now.lengths) ** 2)
    return GaussianKeys(np.array(now.keys), noise)


def flip_chance(law: OutputLaw) -> float:
    """The probability that the first key weighs more than 0.9 or less than 0.1."""
    above, below = law.probabilities(0, above=np.array([LOPSIDED, 1 - LOPSIDED]))
    return min(1.0, max(0.0, above.value) + max(0.0, 1 - below.value))


def search_queries(now: SearchInput, progress: JobProgress) -> dict[str, Any]:
    """The queries with the least error for the average of values 0 and 1.

    `progress` shows each design that is better than those before it, as {"number", "queries"}. `path` has all of them:
    a page that listens now and then hears few of a quick search.
    """
    n_tried, best = 0, float("inf")
    path: list[list[list[float]]] = []

    def record(queries: Queries, error: float) -> None:
        nonlocal n_tried, best
        n_tried += 1
        if error < best:
            best = error
            path.append(queries.tolist())
            progress.show(json.dumps({"number": len(path), "queries": path[-1]}))
        progress(None, f"{n_tried} designs tried; the smallest error so far is {best:.4g}")

    found = robust(plane_keys(now), np.eye(3), PLANE_TARGET, heads=now.n_heads, watch=record)
    return {"queries": found.queries.tolist(), "error": found.mean_squared_error, "path": path}


QUESTIONS = {
    "confirm": Question(ExerciseInput, confirm),
    "plane": Question(PlaneInput, confirm_plane),
    "search": Question(SearchInput, search_queries, is_long=True),
}
