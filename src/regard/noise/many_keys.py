"""The integral of `integral` for very many keys: time and memory grow with the number of keys alone.

Each band of standard deviations (see `kernel`) keeps its keys sorted by grid cell, so that spreading charges
onto the table and gathering results from it are small matrix products, one per cell:

    Σ_i charge_i f(u + mean_i, sd_i)   =  Σ_{point, node} table[u + point, node] · spread[point, node]
    Σ_u weight_u f(u + mean_i, sd_i)   =  Σ_{point, node} (stencil_i ⊗ node_i) · gathered[point, node]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regard.noise.integral import QuadratureRule, graded_rule, support
from regard.noise.kernel import (
    GRID_STEP,
    N_NODES,
    N_STENCIL,
    STENCIL_LEFT,
    Band,
    band_of,
    chebyshev_band,
    exact_band,
    left_end,
    right_end,
    stencil,
)
from regard.shapes import Float, Int

# The trapezoid rule takes every second grid point: h = 1/4 of a band's scale, error exp(−π²/h) = 7e-18.
NODES_EVERY = 2


@dataclass(frozen=True)
class BandKeys:
    """The keys of one band, sorted by grid cell."""

    band: Band
    keys: Int[np.ndarray, " key"]
    cells: Int[np.ndarray, " cell"]
    starts: Int[np.ndarray, " edge"]
    stencils: Float[np.ndarray, "stencil key"]
    nodes: Float[np.ndarray, "sd key"]
    lowest: float

    def spread(self, charges: Float[np.ndarray, "key charge"]) -> Float[np.ndarray, "point sd charge"]:
        """The keys' charges, summed onto grid points and sd nodes."""
        n_points = int(self.cells[-1] - self.cells[0]) + N_STENCIL
        total = np.zeros((n_points, len(self.nodes), charges.shape[1]))
        for cell, keys in self._slices():
            total[cell : cell + N_STENCIL] += self._spread_cell(keys, charges[self.keys[keys]])
        return total

    def _spread_cell(
        self, keys: slice, charges: Float[np.ndarray, "key charge"]
    ) -> Float[np.ndarray, "stencil sd charge"]:
        weights, nodes = self.stencils[:, keys], self.nodes[:, keys]
        if charges.shape[1] == 1:
            return (weights @ (nodes * charges[:, 0]).T)[:, :, None]
        both = (weights[:, None] * nodes).reshape(-1, len(charges))
        return (both @ charges).reshape(N_STENCIL, len(nodes), -1)

    def sum_at(
        self, u: Float[np.ndarray, " node"], name: str, spread: Float[np.ndarray, "point sd charge"]
    ) -> Float[np.ndarray, "node charge"]:
        """Σ_i charge_i f(u + mean_i, sd_i) at each u."""
        near, rows, weights = self._placement(u)
        charges = spread.reshape(-1, spread.shape[2])
        values = self._windows(rows, name).reshape(len(rows), len(charges)) @ charges
        total = np.zeros((len(u), spread.shape[2]))
        total[near] = weights @ values
        return total

    def gather(
        self, u: Float[np.ndarray, " node"], name: str, mass: Float[np.ndarray, " node"]
    ) -> Float[np.ndarray, " key"]:
        """Σ_u mass_u f(u + mean_i, sd_i) for each key of the band, in the order of `keys`."""
        near, rows, weights = self._placement(u)
        table = np.tensordot(mass[near] @ weights, self._windows(rows, name), axes=1)
        found = np.empty(len(self.keys))
        for cell, keys in self._slices():
            at_nodes = table[cell : cell + N_STENCIL].T @ self.stencils[:, keys]
            found[keys] = (at_nodes * self.nodes[:, keys]).sum(axis=0)
        return found

    def _slices(self) -> list[tuple[int, slice]]:
        """Each occupied cell, counted from the first, with the slice of its keys."""
        first = self.cells[0]
        return [
            (int(cell - first), slice(int(start), int(stop)))
            for cell, start, stop in zip(self.cells, self.starts[:-1], self.starts[1:], strict=True)
        ]

    def _placement(
        self, u: Float[np.ndarray, " node"]
    ) -> tuple[Int[np.ndarray, " near"], Int[np.ndarray, " row"], Float[np.ndarray, "near row"]]:
        """The nodes where this band has weight at all, the grid rows they need, and how they are made of these."""
        near = np.flatnonzero(u >= self.lowest)
        on_grid = u[near] / self.band.step
        if (on_grid == np.round(on_grid)).all():
            return near, on_grid.astype(np.int64), np.eye(len(near))
        start, weights = stencil(u[near], self.band.step)
        rows, places = np.unique(start + np.arange(N_STENCIL)[:, None], return_inverse=True)
        matrix = np.zeros((len(near), len(rows)))
        np.put_along_axis(matrix, places.reshape(weights.shape).T, weights.T, axis=1)
        return near, rows, matrix

    def _windows(self, rows: Int[np.ndarray, " row"], name: str) -> Float[np.ndarray, "row point sd"]:
        """table[x] for x = row + point, clipped to the table: nothing happens to its left, P is gone to its right."""
        table = self.band.tables[name]
        first = int(self.cells[0]) - STENCIL_LEFT
        points = np.arange(first, int(self.cells[-1]) - STENCIL_LEFT + N_STENCIL)
        return table[np.clip(rows[:, None] + points - self.band.first, 0, len(table) - 1)]


@dataclass(frozen=True)
class ManyKeysIntegral:
    """All keys by band, the nodes, and the rule's weights times P."""

    n_keys: int
    bands: tuple[BandKeys, ...]
    u: Float[np.ndarray, " node"]
    mass: Float[np.ndarray, " node"]
    table_error: float

    def per_key(self, name: str) -> Float[np.ndarray, " key"]:
        """∫ f(u + mean_i, sd_i) P du for every key; zero for keys too far below the others to weigh 1e-24."""
        found = np.zeros(self.n_keys)
        for band in self.bands:
            found[band.keys] = band.gather(self.u, name, self.mass)
        return found

    def sum_charges(self, name: str, charges: Float[np.ndarray, "key charge"]) -> Float[np.ndarray, "node charge"]:
        """Σ_i charge_i f(u + mean_i, sd_i) at each node."""
        total = np.zeros((len(self.u), charges.shape[1]))
        for band in self.bands:
            total += band.sum_at(self.u, name, band.spread(charges))
        return total


@dataclass(frozen=True)
class ManyKeysProduct:
    """ln P(u) = Σ_i ln L_i(u) for very many keys."""

    bands: tuple[BandKeys, ...]
    spreads: tuple[Float[np.ndarray, "_ _ charge"], ...]  # point, sd, charge of each band

    def __call__(self, u: Float[np.ndarray, " node"]) -> Float[np.ndarray, " node"]:
        """Ln P at each u."""
        total = np.zeros(len(u))
        for band, spread in zip(self.bands, self.spreads, strict=True):
            total += band.sum_at(u, "log_l", spread)[:, 0]
        return total

    @property
    def error(self) -> float:
        """The largest relative error of a tabulated kernel."""
        return max(band.band.error for band in self.bands)


def many_keys_product(mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"]) -> ManyKeysProduct:
    """The keys sorted into bands, without those too far below the others to weigh 1e-24 anywhere."""
    high = float((right_end(sd) - mean).min())
    alive = np.flatnonzero(high + mean >= left_end(sd))
    numbers = band_of(sd[alive])
    bands = tuple(_sort_keys(alive[numbers == number], mean, sd, int(number)) for number in np.unique(numbers))
    one = np.ones((len(mean), 1))
    return ManyKeysProduct(bands, tuple(band.spread(one) for band in bands))


def many_keys_integral(mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"]) -> ManyKeysIntegral:
    """The integral's nodes and masses, with every key sorted into its band."""
    product = many_keys_product(mean, sd)
    low, high = support(mean, sd, product)
    steps = [band.band.step for band in product.bands]
    if min(steps) == max(steps):
        rule = _aligned_rule(low, high, NODES_EVERY * steps[0])
    else:
        rule = graded_rule(low, high, scale=min(steps) / GRID_STEP)
    mass = rule.weight * np.exp(product(rule.u))
    return ManyKeysIntegral(len(mean), product.bands, rule.u, mass, product.error)


def _aligned_rule(low: float, high: float, step: float) -> QuadratureRule:
    """The trapezoid rule on grid points, where tables need no interpolation in u."""
    u = step * np.arange(np.floor(low / step), np.ceil(high / step) + 1)
    return QuadratureRule(u, np.full(len(u), step))


def _sort_keys(
    keys: Int[np.ndarray, " key"], mean: Float[np.ndarray, " all"], sd: Float[np.ndarray, " all"], number: int
) -> BandKeys:
    """The keys of one band in the order of their grid cells, with their interpolation weights."""
    band = _band_for(sd[keys], number)
    cell = np.floor(mean[keys] / band.step).astype(np.int64)
    order = np.argsort(cell, kind="stable")
    keys, cell = keys[order], cell[order]
    cells, starts = np.unique(cell, return_index=True)
    _, stencils = stencil(mean[keys], band.step)
    lowest = float((left_end(sd[keys]) - mean[keys]).min())
    nodes = band.node_weights(sd[keys])
    return BandKeys(band, keys, cells, np.append(starts, len(keys)), stencils, nodes, lowest)


def _band_for(sd: Float[np.ndarray, " key"], number: int) -> Band:
    """The table of just these sds where they are few, of their whole band otherwise."""
    if len(np.unique(sd[: 4 * N_NODES])) <= N_NODES:
        different = np.unique(sd)
        if len(different) <= N_NODES:
            return exact_band(tuple(different.tolist()))
    return chebyshev_band(number)
