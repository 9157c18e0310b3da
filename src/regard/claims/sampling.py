"""Moments from samples, for what no exact law gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regard.claims.meaning.resolved import Moment
from regard.claims.trial.evaluate import World, evaluate
from regard.claims.trial.numbers import Value


@dataclass
class BySampling:
    """Works out moments from samples: the noise has draws on its leading axis, and nothing else has more than one.

    `seen` holds, for each moment, the largest squared deviation of a single sample and the sum of all.
    """

    seen: dict[Any, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    @property
    def dominance(self) -> float:
        """The largest share that one sample has in a variance: near 1/n for tame laws, near 1 for heavy tails."""
        shares = [top[total > 0] / total[total > 0] for top, total in self.seen.values()]
        return max((float(share.max()) for share in shares if share.size), default=0.0)

    def __call__(self, node: Moment, world: World, bound: Mapping[str, int]) -> Value:
        """The sample moment, unbiased."""
        values = [evaluate(argument, world, bound) for argument in node.arguments]
        n_draws = max(len(value) if value.ndim > 2 else 1 for value in world.given.values())
        values = [np.broadcast_to(value, (n_draws, *value.shape[-2:])) for value in values]
        place = (id(node), *sorted({**world.marked, **bound}.items()))
        if node.kind == "mean":
            self.note(place, values[0])
            return values[0].mean(axis=0, keepdims=True)
        centred = [value - value.mean(axis=0) for value in values]
        for side, value in enumerate(centred):
            self.note((side, *place), value * value)
        return _spread(node.kind, centred[0], centred[-1])

    def note(self, place: Any, value: np.ndarray) -> None:
        """Adds the squared deviations of some samples."""
        with np.errstate(all="ignore"):
            squares = (value - value.mean(axis=0)) ** 2
            top, total = squares.max(axis=0), squares.sum(axis=0)
        before = self.seen.get(place, (np.zeros_like(top), np.zeros_like(total)))
        self.seen[place] = (np.maximum(top, before[0]), total + before[1])


def _spread(kind: str, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """A covariance, the variances of all entries, or their sum, from centred samples."""
    n_draws = len(left)
    if kind == "variances":
        return (left * left).sum(axis=0, keepdims=True) / (n_draws - 1)
    if kind == "total":
        return (left * left).sum(axis=(0, 1, 2), keepdims=True) / (n_draws - 1)
    flat = [one.reshape(n_draws, -1) for one in (left, right)]
    return (flat[0].T @ flat[1])[None] / (n_draws - 1)
