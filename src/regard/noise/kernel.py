"""One noisy logit seen through exp(−eʸ): the kernels of which every moment of attention is built.

For y ~ N(x, sd²) let

    M_k(x, sd) = E eᵏʸ exp(−eʸ)          L = M_0,   D = M_1,   Q = M_2.

They are one family: ∂M_k/∂x = k M_k − M_{k+1}, and the heat equation ∂M_k/∂sd² = ½ ∂²M_k/∂x² gives the
derivative in the variance. L falls from 1 to 0; on its left 1 − L is kept to full relative precision,
because a product of a million factors close to one is decided by it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.special import ndtr

from regard.shapes import Float

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
    ratios: Float[np.ndarray, order * point]


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
    standard: Float[np.ndarray, ...],
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
    below, above, density = (_toeplitz(f, len(w), strides) if strides else f for f in functions)
    powers = np.stack([np.exp((k - 1) * w) * gumbel for k in range(1, order + 1)])
    return below @ gumbel, np.concatenate([(above @ gumbel)[None], powers @ density.T])


def _toeplitz(
    values: Float[np.ndarray, " value"], n_columns: int, strides: tuple[int, int]
) -> Float[np.ndarray, "row column"]:
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
