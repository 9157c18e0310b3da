"""One noisy logit seen through exp(−eʸ): the kernels of which every moment of attention is built, and tables of them.

For y ~ N(x, sd²) let

    M_k(x, sd) = E eᵏʸ exp(−eʸ)          L = M_0,   D = M_1,   Q = M_2.

They are one family: ∂M_k/∂x = k M_k − M_{k+1}, and the heat equation ∂M_k/∂sd² = ½ ∂²M_k/∂x² gives the
derivative in the variance. L falls from 1 to 0; on its left 1 − L is kept to full relative precision,
because a product of a million factors close to one is decided by it.

Sums over very many keys go through tables, one per band of standard deviations. Inside a band a kernel is a polynomial
of the sd (Chebyshev nodes) times a polynomial of x (Lagrange's, on a uniform grid) to about 1e-13, so a million keys
act through some hundred numbers. A band's table depends on no data and is built once per process.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.special import ndtr

from regard.shapes import Float, Inexact, Int

# Left of its left end a key has no weight to speak of: D < e^−55 = 1e-24.
DEPTH = 55.0
# Right of its right end it leaves none to others: L < 1e-21.
FALL_SDS = 9.8
FALL_LOG = 3.92

# Below this sd the normal density is the narrower factor, above it exp(w − eʷ) is: integrate the other one.
SWITCH_SD = 0.5
STEP_Z, REACH_Z = 0.375, 12.0
# The strip in which exp(−eʷ) stays bounded has half-width π/2: the trapezoid rule errs by exp(−π²/h) = 1e-23.
STEP_W, TOP_W, BOTTOM_W = 0.1875, 4.6875, -105.0
# From this sd on a Gauss rule for the density exp(w − eʷ) gives the same digits with far fewer points.
GAUSS_SD, N_GAUSS = 6.0, 32
AT_ONCE = 8192


@dataclass(frozen=True)
class KernelValues:
    """ln L and the ratios M_k / L, k = 1 … order, at the points asked for."""

    log_l: Float[np.ndarray, "*point"]
    ratios: Float[np.ndarray, " order *point"]


def left_end(sd: Float[np.ndarray, "*key"], *, depth: float = DEPTH) -> Float[np.ndarray, "*key"]:
    """The x below which a key's weight is under e^−depth: eˣ⁺ˢᵈ²ᐟ² for small sd, a normal tail for large."""
    sds = math.sqrt(2 * depth)
    return np.where(sd < sds, -depth - sd**2 / 2, -sds * sd)


def right_end(sd: Float[np.ndarray, "*key"]) -> Float[np.ndarray, "*key"]:
    """An x above which L < 1e-21: P(y < 3.92) plus exp(−e^3.92)."""
    return FALL_LOG + FALL_SDS * sd


def kernel(x: Float[np.ndarray, " point"], sd: float, *, order: int = 2) -> KernelValues:
    """ln L and M_k / L for one standard deviation, by quadrature to full double precision.

    >>> float(kernel(np.zeros(1), 0.0).log_l[0])            # L = exp(−e⁰)
    -1.0
    """
    if len(x) > AT_ONCE:  # a matrix of points × quadrature nodes must fit into memory
        parts = [kernel(x[i : i + AT_ONCE], sd, order=order) for i in range(0, len(x), AT_ONCE)]
        return KernelValues(
            np.concatenate([part.log_l for part in parts]), np.concatenate([part.ratios for part in parts], axis=1)
        )
    if sd <= SWITCH_SD:
        lack, moments = _over_noise(x, sd, order)
    else:
        w, gumbel = gauss_rule() if sd >= GAUSS_SD else trapezoid_rule(float(x.min()), sd)
        lack, moments = _over_logit((w - x[:, None]) / sd, w, gumbel, sd, order)
    return _kernel_values(lack, moments)


def grid_kernel(first: int, n_points: int, step: float, sd: float, *, order: int = 2) -> KernelValues:
    """ln L and M_k / L at x = step · (first, first + 1, …), for a step that is a multiple of 1/16.

    Where the trapezoid rule is used, w − x takes few different values: normal functions are evaluated once each.
    """
    x = step * np.arange(first, first + n_points)
    if not SWITCH_SD < sd < GAUSS_SD:
        return kernel(x, sd, order=order)
    w, gumbel = trapezoid_rule(float(x[0]), sd)
    unit = 1 / 16
    gaps = np.arange(round((w[-1] - x[-1]) / unit), round((w[0] - x[0]) / unit) + 1) * (unit / sd)
    strides = round(step / unit), round(STEP_W / unit)
    lack, moments = _over_logit(gaps[::-1], w, gumbel, sd, order, strides=strides)
    return _kernel_values(lack[:n_points], moments[:, :n_points])


def _kernel_values(lack: Float[np.ndarray, " point"], moments: Float[np.ndarray, "moment point"]) -> KernelValues:
    with np.errstate(divide="ignore"):
        log_l = np.where(lack < 0.5, np.log1p(-np.minimum(lack, 0.5)), np.log(moments[0]))
    return KernelValues(log_l=log_l, ratios=moments[1:] / moments[0])


def _over_noise(
    x: Float[np.ndarray, " point"], sd: float, order: int
) -> tuple[Float[np.ndarray, " point"], Float[np.ndarray, "moment point"]]:
    """1 − L and M_0 … M_order by the trapezoid rule over the standard normal z, y = x + sd z."""
    z = np.arange(-REACH_Z, REACH_Z + STEP_Z / 2, STEP_Z) if sd > 0 else np.zeros(1)
    mass = np.exp(-(z**2) / 2) * STEP_Z / math.sqrt(2 * math.pi) if sd > 0 else np.ones(1)
    exp_y = np.exp(x[:, None] + sd * z)
    survive = np.exp(-exp_y)
    lack = -np.expm1(-exp_y) @ mass
    return lack, np.stack([(exp_y**k * survive) @ mass for k in range(order + 1)])


def _over_logit(
    standard: Float[np.ndarray, " ..."],
    w: Float[np.ndarray, " node"],
    gumbel: Float[np.ndarray, " node"],
    sd: float,
    order: int,
    *,
    strides: tuple[int, int] | None = None,
) -> tuple[Float[np.ndarray, " point"], Float[np.ndarray, "moment point"]]:
    """1 − L and M_0 … M_order over w: L = ∫ exp(w − eʷ) Φ((w − x)/sd) dw and M_k = ∫ exp(kw − eʷ) φ((w − x)/sd)/sd dw.

    `standard` is (w − x)/sd as a matrix, or its different values, of which `strides` makes that matrix.
    """
    standard = np.clip(standard, -26.0, 26.0)  # beyond, products are subnormal: zero for us, slow to compute
    functions = ndtr(-standard), ndtr(standard), np.exp(-(standard**2) / 2) / (sd * math.sqrt(2 * math.pi))
    below, above, density = (toeplitz(f, len(w), strides) if strides else f for f in functions)
    powers = np.stack([np.exp((k - 1) * w) * gumbel for k in range(1, order + 1)])
    return below @ gumbel, np.concatenate([(above @ gumbel)[None], powers @ density.T])


def toeplitz(
    values: Inexact[np.ndarray, " value"], n_columns: int, strides: tuple[int, int]
) -> Inexact[np.ndarray, "row column"]:
    """The matrix whose entry (i, j) is values[strides[0] i + strides[1] j], as a view."""
    rows, columns = strides
    n_rows = (len(values) - 1 - columns * (n_columns - 1)) // rows + 1
    size = values.itemsize
    return np.lib.stride_tricks.as_strided(values, (n_rows, n_columns), (rows * size, columns * size), writeable=False)


def trapezoid_rule(x: float, sd: float) -> tuple[Float[np.ndarray, " node"], Float[np.ndarray, " node"]]:
    """Nodes and weights for ∫ f(w) exp(w − eʷ) dw, begun where eʷ Φ((x − w)/sd) adds nothing to its peak."""
    bottom = max(BOTTOM_W, min(x - 40.0, x + sd**2 - 9.5 * sd, -40.0))
    w = TOP_W - STEP_W * np.arange(math.ceil((TOP_W - bottom) / STEP_W))
    return w, np.exp(w - np.exp(w)) * STEP_W


@cache
def gauss_rule() -> tuple[Float[np.ndarray, " node"], Float[np.ndarray, " node"]]:
    """The N-point Gauss rule of the density exp(w − eʷ), by Lanczos' recurrence on a fine trapezoid rule."""
    w, mass = trapezoid_rule(0.0, 20.0)
    basis = np.zeros((N_GAUSS, len(w)))
    diagonal, beside = np.zeros(N_GAUSS), np.zeros(N_GAUSS)
    vector = np.sqrt(mass)
    for k in range(N_GAUSS):
        basis[k] = vector / np.linalg.norm(vector)
        diagonal[k] = basis[k] ** 2 @ w
        vector = w * basis[k]
        for _ in range(2):  # once more than exact arithmetic would ask for, or orthogonality is lost
            vector = vector - basis[: k + 1].T @ (basis[: k + 1] @ vector)
        beside[k] = np.linalg.norm(vector)
    nodes, vectors = eigh_tridiagonal(diagonal, beside[:-1])
    return nodes, vectors[0] ** 2


N_STENCIL, STENCIL_LEFT = 16, 7
N_NODES = 16
GRID_STEP = 0.125
FINE_EDGE, N_FINE, RATIO = 0.125, 8, 1.25
FEW_AT = 64
MAX_KEPT_SDS = 4
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
) -> tuple[Int[np.ndarray, "*point"], Float[np.ndarray, " stencil *point"]]:
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
    number = int(band_of(sd[:1])[0])
    band = chebyshev_band(number)
    different, column = np.unique(sd, return_inverse=True)
    make_fields = _kept_fields if len(different) <= MAX_KEPT_SDS else _make_fields
    fields = make_fields(number, tuple(different.tolist()), order)
    start, weights = stencil(x, band.step, size=size)
    rows = np.clip(start - band.first + np.arange(size)[:, None, None], 0, len(fields) - 1)
    found = np.einsum("snl,snlf->fnl", weights, fields[rows, column])
    return found[0], found[1:]


def _make_fields(number: int, sds: tuple[float, ...], order: int) -> Float[np.ndarray, "x sd field"]:
    """ln L and M_1/L … of these sds, at the points of their band's table."""
    band = chebyshev_band(number)
    nodes = band.node_weights(np.array(sds))
    return np.stack([band.tables[name] @ nodes for name in ("log_l", *RATIOS[:order])], axis=-1)


_kept_fields = lru_cache(maxsize=64)(_make_fields)
"""One integral asks for its few laws three times, and a head beside it for most of them again."""


def table_error(sd: Float[np.ndarray, " law"]) -> float:
    """The largest error of the tables that `table_kernels` reads for these sds."""
    return max((chebyshev_band(int(number)).error for number in np.unique(band_of(sd))), default=0.0)
