"""Tables of the kernels, one per band of standard deviations, for sums over very many keys.

A key enters the integral only through f(u + mean, sd) with f one of a few universal functions. Inside a band f is
a polynomial of the sd (Chebyshev nodes) times a polynomial of x (Lagrange's, on a uniform grid) to about 1e-13, so
a million keys act through some hundred numbers: `spread` sums their charges onto the table's points, `gather` reads
back what each of them gets. A band's table depends on no data and is built once per process.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from regard.noise.kernel import KernelValues, grid_kernel, kernel, left_end
from regard.shapes import Float, Int

N_STENCIL, STENCIL_LEFT = 16, 7
N_NODES = 16
GRID_STEP = 0.125
FINE_EDGE, N_FINE, RATIO = 0.125, 8, 1.25
FEW_AT = 64
RATIOS = ("mean", "square", "third", "fourth")


@dataclass(frozen=True)
class Band:
    """Kernel tables for the standard deviations between two edges, or for a few exact ones.

    `tables[name][x, sd]`: ln L ("log_l"), M_1/L … M_4/L ("mean" … "fourth") and M_2/L − (M_1/L)² ("spread").
    `error` is the largest relative error of an interpolated ln L, mean or square, measured between the nodes.
    """

    sds: tuple[float, ...]
    is_exact: bool
    step: float
    first: int
    tables: dict[str, Float[np.ndarray, "x sd"]]
    error: float

    def node_weights(self, sd: Float[np.ndarray, " key"]) -> Float[np.ndarray, "sd key"]:
        """How each key's sd is made up of the band's nodes."""
        if self.is_exact:
            return (np.asarray(self.sds)[:, None] == sd).astype(float)
        return lagrange(sd, np.asarray(self.sds))


def band_of(sd: Float[np.ndarray, " key"]) -> Int[np.ndarray, " key"]:
    """The number of the band that holds each sd: eighths below 1, then edges that grow by a factor 1.25."""
    eighths = np.floor(np.minimum(sd, 1.0) / FINE_EDGE)
    steps = np.floor(np.log(np.maximum(sd, 1.0)) / math.log(RATIO))
    return (eighths + steps).astype(np.int64)


def band_edges(number: int) -> tuple[float, float]:
    """The smallest and largest sd of a band."""
    if number < N_FINE:
        return number * FINE_EDGE, (number + 1) * FINE_EDGE
    return RATIO ** (number - N_FINE), RATIO ** (number - N_FINE + 1)


def band_scale(sd: float) -> float:
    """How much coarser than `GRID_STEP` the grid may be: a power of two, so that grids of all bands nest."""
    return 2.0 ** max(0, math.floor(math.log2(max(sd, 1.0) / 2)))


@lru_cache(maxsize=64)
def chebyshev_band(number: int) -> Band:
    """The band for any number of different sds between its edges."""
    low, high = band_edges(number)
    angle = (2 * np.arange(N_NODES) + 1) * np.pi / (2 * N_NODES)
    sds = (low + high) / 2 - (high - low) / 2 * np.cos(angle)
    return _tabulate(tuple(float(sd) for sd in sds), is_exact=False, top_sd=high, probe=low + 0.37 * (high - low))


@lru_cache(maxsize=256)
def exact_band(sds: tuple[float, ...]) -> Band:
    """The band for just these sds, which all fall into one numbered band."""
    return _tabulate(sds, is_exact=True, top_sd=max(sds), probe=sds[len(sds) // 2])


def lagrange(at: Float[np.ndarray, " key"], nodes: Float[np.ndarray, " sd"]) -> Float[np.ndarray, "sd key"]:
    """Lagrange's basis polynomials: the weights with which values at the nodes give the value `at` a point."""
    same = np.eye(len(nodes), dtype=bool)
    scale = 1 / np.where(same, 1.0, nodes[:, None] - nodes).prod(axis=1)
    if len(at) <= FEW_AT:  # all factors at once
        away = np.where(same[:, :, None], 1.0, at - nodes[:, None])
        return away.prod(axis=1) * scale[:, None]
    weights = np.empty((len(nodes), len(at)))
    product = np.ones(len(at))
    for k, node in enumerate(nodes):  # factors of the nodes before k …
        weights[k] = product * scale[k]
        product = product * (at - node)
    product = np.ones(len(at))
    for k in reversed(range(len(nodes))):  # … and of those after it
        weights[k] *= product
        product = product * (at - nodes[k])
    return weights


def stencil(
    position: Float[np.ndarray, "*point"], step: float, *, size: int = N_STENCIL
) -> tuple[Int[np.ndarray, "*point"], Float[np.ndarray, stencil * point]]:
    """The first grid point and the weights with which each position is interpolated on a uniform grid."""
    scaled = position / step
    cell = np.floor(scaled)
    centred = scaled - cell - 0.5
    powers = np.empty((size, *np.shape(position)))
    powers[0] = 1.0
    for k in range(1, size):
        np.multiply(powers[k - 1], centred, out=powers[k])
    return cell.astype(np.int64) - (size // 2 - 1), np.tensordot(_stencil_polynomials(size), powers, axes=1)


@lru_cache(maxsize=4)
def _stencil_polynomials(size: int) -> Float[np.ndarray, "stencil power"]:
    """Lagrange's polynomials for the grid points 1 − size/2 … size/2 in powers of x − ½; exact fractions, rounded once.

    |x − ½| ≤ ½ is small against the points' distances, so the powers are well conditioned.
    """
    points = [Fraction(2 * k + 1 - size, 2) for k in range(size)]
    rows = []
    for point in points:
        row = [Fraction(1)]
        for other in points:
            if other != point:
                shifted = [Fraction(0), *row]
                row = [a - other * b for a, b in zip(shifted, [*row, Fraction(0)], strict=True)]
                row = [entry / (point - other) for entry in row]
        rows.append([float(entry) for entry in row])
    return np.array(rows)


def _tabulate(sds: tuple[float, ...], *, is_exact: bool, top_sd: float, probe: float) -> Band:
    step = GRID_STEP * band_scale(min(sds))
    margin = N_STENCIL // 2
    first = math.floor(float(left_end(np.asarray(top_sd))) / step) - margin
    n_points = math.ceil(vanishing_point(top_sd) / step) + margin - first
    columns = [_kernel_fields(grid_kernel(first, n_points, step, sd, order=4)) for sd in sds]
    tables = {name: np.stack([column[name] for column in columns], axis=1) for name in columns[0]}
    band = Band(sds, is_exact, step, first, tables, error=0.0)
    return Band(sds, is_exact, step, first, tables, error=_measure_error(band, probe))


def _kernel_fields(values: KernelValues) -> dict[str, Float[np.ndarray, " x"]]:
    fields = dict(zip(RATIOS, values.ratios, strict=False))
    return {"log_l": values.log_l, "spread": fields["square"] - fields["mean"] ** 2, **fields}


def vanishing_point(sd: float) -> float:
    """The x at which ln L is about −47: max over z of x with −z²/2 − exp(x − sd z) = −47."""
    z = np.linspace(0.0, 9.6, 200)
    return float((np.log(47.0 - z**2 / 2) + sd * z).max())


def _measure_error(band: Band, probe_sd: float) -> float:
    """Largest |interpolated − exact| L, as the integral feels it.

    Relative to the exact value where that is below one (∫ M_k dx = 1 makes errors absolute where it is above), and to
    its value at L = 1 − 1e-6 further left: there even a million such keys have no say in the product.
    """
    n_x = len(band.tables["log_l"])
    inside = (band.first + np.linspace(N_STENCIL, n_x - N_STENCIL, 61)) * band.step
    exact = _kernel_fields(kernel(inside, probe_sd))
    start, weights = stencil(inside, band.step)
    rows = start - band.first + np.arange(N_STENCIL)[:, None]
    nodes = band.node_weights(np.array([probe_sd]))[:, 0]
    survive = np.exp(exact["log_l"])
    floor = int(np.argmax(exact["log_l"] < -1e-6))
    worst = 0.0
    for name in ("log_l", "mean", "square"):
        found = ((band.tables[name] @ nodes)[rows] * weights).sum(axis=0)
        size = np.minimum(np.maximum(np.abs(exact[name]), abs(exact[name][floor])), 1.0)
        worst = max(worst, float((np.abs(found - exact[name]) * survive / size).max()))
    return worst


def table_kernels(
    x: Float[np.ndarray, "node law"], sd: Float[np.ndarray, " law"], *, order: int = 2, size: int = N_STENCIL
) -> tuple[Float[np.ndarray, "node law"], Float[np.ndarray, "order node law"]]:
    """`kernel` from the tables, for laws of one band, interpolated from `size` points of the grid."""
    band = chebyshev_band(int(band_of(sd[:1])[0]))
    different, column = np.unique(sd, return_inverse=True)
    nodes = band.node_weights(different)
    start, weights = stencil(x, band.step, size=size)
    names = ("log_l", *RATIOS[:order])
    fields = np.stack([band.tables[name] @ nodes for name in names], axis=-1)
    rows = np.clip(start - band.first + np.arange(size)[:, None, None], 0, len(fields) - 1)
    found = np.einsum("snl,snlf->fnl", weights, fields[rows, column])
    return found[0], found[1:]


def table_error(sd: Float[np.ndarray, " law"]) -> float:
    """The largest error of the tables that `table_kernels` reads for these sds."""
    return max((chebyshev_band(int(number)).error for number in np.unique(band_of(sd))), default=0.0)
