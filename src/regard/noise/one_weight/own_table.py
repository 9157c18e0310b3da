"""The transform of the asked key's own logit as a table, for a curve: many points ask for it at nearly the same places.

Between the places of the table a polynomial through twelve of them is taken; what one through ten of them gives instead
is the doubt about it, and becomes part of the error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from regard.noise.one_weight.event import EPS
from regard.shapes import Float, Inexact

N_STENCIL = 12
MAX_PLACES = 2**17
GOOD_ENOUGH = 4e-14
"""A doubt, as a share of the largest value, with which the step need not be halved."""

Transform = Callable[[Float[np.ndarray, " node"]], tuple[Inexact[np.ndarray, " node"], Float[np.ndarray, " node"]]]
"""From places to the values there, and the size of the terms of which they are made."""


@dataclass(frozen=True, eq=False)
class OwnTable:
    """Values and sizes at equal steps from `low` on."""

    low: float
    step: float
    values: Inexact[np.ndarray, " place"]
    sizes: Float[np.ndarray, " place"]

    def look_up(
        self, x: Float[np.ndarray, " node"]
    ) -> tuple[Inexact[np.ndarray, " node"], Float[np.ndarray, " node"], Float[np.ndarray, " node"]]:
        """The values at x, their sizes, and the doubt about the values; x lies within the table."""
        place = (x - self.low) / self.step
        first = np.clip(place.astype(int) - N_STENCIL // 2 + 1, 0, len(self.values) - N_STENCIL)
        inside = place - first
        near = first[:, None] + np.arange(N_STENCIL)
        stencil = self.values[near]
        wide = (stencil * (_powers(inside, N_STENCIL) @ WIDE)).sum(-1)
        narrow = (stencil[:, 1:-1] * (_powers(inside - 1, N_STENCIL - 2) @ NARROW)).sum(-1)
        sizes = np.maximum(self.sizes[near[:, N_STENCIL // 2 - 1]], self.sizes[near[:, N_STENCIL // 2]])
        return wide, sizes, np.abs(wide - narrow) + 4 * EPS * np.abs(wide)


def tabulate(transform: Transform, low: float, high: float, *, step: float, n_nodes: int) -> OwnTable | None:
    """A table of the transform from `low` to `high`, with steps halved until the doubt is small.

    None where a table would cost more than the `n_nodes` values that are wanted.
    """
    while True:
        n_places = math.ceil((high - low) / step) + 1 + N_STENCIL
        if n_places > min(MAX_PLACES, n_nodes / 2):
            return None
        start = low - step * (N_STENCIL // 2)
        table = OwnTable(start, step, *transform(start + step * np.arange(n_places)))
        middles = start + step * (np.arange(N_STENCIL // 2, n_places - N_STENCIL // 2) + 0.5)
        doubt = table.look_up(middles)[2]
        if doubt.max(initial=0.0) <= GOOD_ENOUGH * np.abs(table.values).max():
            return table
        step /= 2


def _powers(t: Float[np.ndarray, " node"], n: int) -> Float[np.ndarray, "node power"]:
    """Powers of t, centred so that they stay small: (t − middle)^k for k below n."""
    return np.vander(t - (n - 1) / 2, n, increasing=True)


def _lagrange(n: int) -> Float[np.ndarray, "power place"]:
    """What powers of the centred place must be multiplied by to give the weights of n equally spaced values."""
    places = np.arange(n) - (n - 1) / 2
    weights = np.empty((n, n))
    for i in range(n):
        others = np.delete(places, i)
        weights[:, i] = np.polynomial.polynomial.polyfromroots(others) / np.prod(places[i] - others)
    return weights


WIDE, NARROW = _lagrange(N_STENCIL), _lagrange(N_STENCIL - 2)
