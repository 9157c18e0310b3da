"""Whether an instance satisfies what a claim takes as given: equations to rounding of their sides, bounds exactly."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from regard.claims.meaning.statements import Premise
from regard.claims.meaning.terms import Constant, Statement, applies
from regard.claims.trial.arithmetic.decimals import Decimals
from regard.claims.trial.arithmetic.numbers import Arithmetic, Value
from regard.claims.trial.comparison import parts_of, with_draws
from regard.claims.trial.instances.draws import DrawBatch
from regard.claims.trial.tree_evaluation import evaluate

if TYPE_CHECKING:
    from regard.claims.trial.trials import Trials

MAX_PLACES = 60
EXACT = frozenset({"=", "<", "≤", ">", "≥", "≠"})
LIMITS = frozenset({"≈", "→", "≫", "≪"})


def are_met(trials: Trials, batch: DrawBatch, numbers: Arithmetic, assignment: Mapping[str, int]) -> np.ndarray:
    """Which draws satisfy every exact premise, with the claim's own indices at these places."""
    met = np.ones(len(batch), dtype=bool)
    for premise in trials.task.premises:
        comparison = premise.statement.comparison
        if comparison not in EXACT:
            continue
        before = met.copy()
        floor = int(_may_vanish(premise.statement))
        for left, right in premise_sides(trials, premise, batch, numbers, assignment):
            met &= _holds(comparison, left, right, numbers, floor=floor)
        if comparison in "=≠" and not floor:
            met = before & _holds_beside_parts(trials, premise, batch, numbers, assignment, met)
    return met


def _holds_beside_parts(
    trials: Trials,
    premise: Premise,
    batch: DrawBatch,
    numbers: Arithmetic,
    assignment: Mapping[str, int],
    met: np.ndarray,
) -> np.ndarray:
    """Whether an equation holds to rounding of what its sides are made of, where they are next to nothing.

    Of P x = λ x with λ = 0, both sides are but rounding.
    """
    comparison, holds = premise.statement.comparison, np.ones(len(batch), dtype=bool)
    if met.all() if comparison == "=" else not met.any():
        return met
    whole = replace(premise, statement=parts_of(premise.statement))
    sides = premise_sides(trials, premise, batch, numbers, assignment)
    parts = premise_sides(trials, whole, batch, numbers, assignment)
    for (left, right), sizes in zip(sides, parts, strict=True):
        size = np.maximum(*(np.abs(one).max(axis=(-2, -1)) for one in sizes))
        holds &= _holds(comparison, left, right, numbers, floor=size)
    return holds


def _may_vanish(statement: Statement) -> bool:
    """Whether a side is 0 as it is written, or where indices differ: k_iᵀ k_j = δ_ij."""
    sides = (statement.left, statement.right)
    return any(side == Constant(Fraction(0)) or applies(side, "delta") for side in sides)


def premise_sides(
    trials: Trials, premise: Premise, batch: DrawBatch, numbers: Arithmetic, assignment: Mapping[str, int]
) -> list[tuple[Value, Value]]:
    """Both sides of a premise, for every place of the indices that are its own."""
    world, n_draws = trials.world(batch, numbers), len(batch)
    names = list(premise.indices)
    sizes = [batch.n_places(size) for size in premise.indices.values()]
    every = itertools.islice(itertools.product(*map(range, sizes)), 400)
    places = [dict(zip(names, one, strict=True)) for one in every]
    places = [one for one in places if trials.fits({**batch.marked, **assignment, **one})]
    found = []
    with np.errstate(all="ignore"):
        for one in places[:MAX_PLACES]:
            bound = {**assignment, **one}
            here = world.with_given(marked={**world.marked, **bound}) if trials.names_indices else world
            sides = [evaluate(side, here, bound) for side in (premise.statement.left, premise.statement.right)]
            left, right = (with_draws(side, n_draws) for side in sides)
            found.append((left, right))
    return found


def _holds(comparison: str, left: Value, right: Value, numbers: Arithmetic, *, floor: int | Value) -> np.ndarray:
    """Whether a premise holds for each draw, an equation to rounding of its sides; beside a written 0, of `floor`."""
    with np.errstate(all="ignore"):
        difference = right - left
        size = np.maximum(np.abs(left).max(axis=(-2, -1)), np.abs(right).max(axis=(-2, -1)))
        if isinstance(numbers, Decimals):
            tolerance = numbers.number(10).flat[0] ** -(numbers.digits - 15) * (size + floor)
        else:
            tolerance = 1e-9 * (size + floor)
        if comparison in ("=", "≠"):
            gap = np.abs(difference).max(axis=(-2, -1))
            is_equal = np.asarray((gap <= tolerance) & (gap < np.inf), dtype=bool)  # nothing equals ∞
            return ~is_equal if comparison == "≠" else is_equal
        signed = difference if comparison in "<≤" else -difference
        least = signed.min(axis=(-2, -1))
        return np.asarray(least >= -tolerance if comparison in "≤≥" else least > tolerance, dtype=bool)


def places_apart(assignments: list[dict[str, int]]) -> list[dict[str, int]]:
    """The places at which all indices differ, where there are any: at i = j, s_i = s_j says nothing."""
    return [one for one in assignments if len({*one.values()}) == len(one)] or assignments
