"""Moments of functions of one or two normal numbers, by the trapezoidal rule on a grid.

For smooth functions the rule is good to some thirteen digits, for those with a kink to three or four. Its error is told
by two other grids with wider spaces: a kink that two of them meet alike does not fool all three.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from regard.claims.meaning.terms import Moment, Statement
from regard.claims.trial.arithmetic.numbers import DEFINED_FLOATS, CannotEvaluate, Value
from regard.claims.trial.instances.draws import DrawBatch, build_world
from regard.claims.trial.tree_evaluation import World, evaluate
from regard.claims.trial.trials import Trials

GRIDS = {1: (38.0, 64), 2: (12.0, 12)}
"""Where the nodes end and how many there are to one deviation, for one and for two normal numbers."""

OFFSETS = (0.31, 0.0)
"""Where the first node lies, in steps: not on 0, where functions have kinks, and not the same for both numbers."""
ROUNDING_SHARE = 1e-12


@dataclass(frozen=True)
class GridMoments:
    """Works out moments as weighted sums: the noise has one node of the grid to each place of its leading axis."""

    weights: np.ndarray
    sizes: list[float] = field(default_factory=list)
    """How large the values are that were summed, whatever cancels: rounding leaves a share of it."""

    def __call__(self, node: Moment, world: World, bound: Mapping[str, int]) -> Value:
        """The moment; raises CannotEvaluate for conditional ones."""
        if node.kind == "normal":
            raise CannotEvaluate("conditional moments are worked out for jointly normal letters only")
        values = [evaluate(argument, world, bound) for argument in node.arguments]
        values = [np.broadcast_to(value, (len(self.weights), *value.shape[-2:])) for value in values]
        if node.kind == "mean":
            return self.mean(values[0])
        left, right = values[0] - self.mean(values[0]), values[-1] - self.mean(values[-1])
        if node.kind == "variances":
            return self.mean(left * left)
        if node.kind == "total":
            return self.mean(left * left).sum(axis=(-2, -1), keepdims=True)
        self.mean(left * right if left.shape == right.shape else left)  # for its size
        flat = [one.reshape(len(self.weights), -1) for one in (left, right)]
        return ((self.weights[:, None] * flat[0]).T @ flat[1])[None]

    def mean(self, value: np.ndarray) -> np.ndarray:
        """Σ weight · value over the nodes."""
        self.sizes.append(float(np.einsum("n,nij->ij", self.weights, np.abs(value)).max()))
        return np.einsum("n,nij->ij", self.weights, value)[None]


def noise_of(trials: Trials, statement: Statement, draw: DrawBatch) -> list[str]:
    """The noise that a statement depends on."""
    depends = trials.depends(statement)
    return [spec.name for spec in trials.task.setting.symbols if spec.random and spec.name in depends]


def integrate_sides(
    trials: Trials, statement: Statement, draw: DrawBatch
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Both sides of one draw for every place of the free indices, flattened, and the error of their difference.

    None where they depend on more than two normal numbers, or on values too large for float64.
    """
    names = noise_of(trials, statement, draw)
    shapes = {name: draw.raw[name].shape[1:] for name in names}
    n_numbers = sum(math.prod(shape) for shape in shapes.values())
    if n_numbers not in GRIDS or (trials.task.premises and trials.task.free_indices):
        return None
    results, sizes = [], [0.0]
    for nodes, weights in _grids(n_numbers):
        moments = GridMoments(weights)
        results.append(_integrate(trials, statement, draw.having(**_split(nodes, shapes)), moments))
        sizes += moments.sizes
    if not all(np.isfinite(one).all() for pair in results for one in pair):
        return None
    [(left, right), *others] = results
    apart = [np.abs(left - other_left) + np.abs(right - other_right) for other_left, other_right in others]
    return left, right, 3 * np.max(apart, axis=0) + ROUNDING_SHARE * max(sizes)


def _grids(n_numbers: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Nodes (node, number) and their weights: a fine grid, and two with wider spaces."""
    end, per_deviation = GRIDS[n_numbers]
    for factor in (1.0, 1.23, 1.5):
        lines = [_line(end, factor / per_deviation, offset) for offset in OFFSETS[:n_numbers]]
        nodes = np.stack(np.meshgrid(*(line for line, _ in lines), indexing="ij"), axis=-1).reshape(-1, n_numbers)
        yield nodes, reduce(np.multiply.outer, [weights for _, weights in lines]).reshape(-1)


def _line(end: float, step: float, offset: float) -> tuple[np.ndarray, np.ndarray]:
    line = np.arange(-end, end + step, step) + offset * step
    weights = np.exp(-line * line / 2)
    return line, weights / weights.sum()


def _split(nodes: np.ndarray, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """The columns of the nodes, in the shape of each noise."""
    found, start = {}, 0
    for name, shape in shapes.items():
        size = math.prod(shape)
        found[name] = nodes[:, start : start + size].reshape(len(nodes), *shape)
        start += size
    return found


def _integrate(
    trials: Trials, statement: Statement, draw: DrawBatch, moments: Callable[..., Value]
) -> tuple[np.ndarray, np.ndarray]:
    definitions, families = trials.task.definitions, trials.task.families
    world = build_world(draw, definitions=definitions, families=families, numbers=DEFINED_FLOATS, moments=moments)
    world.deadline = trials.deadline
    return flatten_sides(statement, world, trials.assignments(draw) or [{}])


def flatten_sides(
    statement: Statement, world: World, assignments: list[dict[str, int]]
) -> tuple[np.ndarray, np.ndarray]:
    """Both sides, for each way to point the free indices, one after another as rows of numbers."""
    found: list[tuple[np.ndarray, np.ndarray]] = []
    for assignment in assignments:
        here = world.with_given(marked={**world.marked, **assignment})
        with np.errstate(all="ignore"):
            sides = [evaluate(side, here, assignment) for side in (statement.left, statement.right)]
        left, right = np.broadcast_arrays(*(side[-1] if side.ndim > 2 else side for side in sides))
        found.append((left.reshape(-1), right.reshape(-1)))
    left, right = (np.concatenate([one[side] for one in found]) for side in (0, 1))
    return left, right
