"""Subspaces: take one summand back out of a sum.

A basis is a matrix A whose columns span a subspace; with Q an orthonormal basis of the same subspace,

    P_A = Q Qᵀ            the orthogonal projector (A Aᵀ when A is orthonormal; Aᵀ s alone gives coordinates)

Of a sum s = v_a + v_b with v_a in span A and v_b in span B, it takes out P_A s = v_a + P_A v_b. So it
recovers v_a exactly when the subspaces are orthogonal, and otherwise errs by P_A v_b, whose length is at most
cos θ · |v_b|, where θ is the smallest principal angle between them. As long as θ > 0 the oblique projector,
along B, still recovers v_a exactly; its price is that noise in s grows by up to 1 / sin θ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.arrays.namespace import as_numpy, constant, floating, narrow, quiet, require_finite, widen
from regard.display import short_repr
from regard.errors import BasisError, ShapeError, ValueRangeError
from regard.shapes import Array, Float


@short_repr
@dataclass(frozen=True, eq=False)
class Recovery:
    """One summand, recovered from a sum, and what the orthogonal projector would have made of it.

    value                  v_a, by the oblique projector
    error                  P_A s − v_a = P_A v_b: what the orthogonal projector gets wrong
    angles                 the principal angles between the subspaces, in radians, smallest first
    worst_error_per_unit   cos θ: the largest |error| for |v_b| = 1
    noise_gain             1 / sin θ: how much longer noise in the sum can become in `value`
    """

    value: Float[Array, "*batch width"]
    error: Float[Array, "*batch width"]
    angles: Float[Array, " pair"]
    worst_error_per_unit: float
    noise_gain: float


def projector(basis: Float[Array, "width axis"]) -> Float[Array, "width width"]:
    """The matrix P with P s = the part of s in the span of the basis columns, whether orthonormal or not.

    >>> projector(np.array([[3.0], [4.0]])).round(2)
    array([[0.36, 0.48],
           [0.48, 0.64]])

    Raises BasisError, naming the columns, when some depend on the others.
    """
    xp, [basis] = floating(basis=basis)
    q = orthonormal(basis)
    return narrow(xp, q @ q.mT, basis)


def extract(total: Float[Array, "*batch width"], basis: Float[Array, "width axis"]) -> Float[Array, "*batch width"]:
    """The part of `total` in the span of the basis columns: P total.

    >>> extract(np.array([5.0, 7.0]), np.array([[2.0], [0.0]]))
    array([5., 0.])
    """
    xp, [given, basis] = floating(total=total, basis=basis)
    q = orthonormal(basis)
    _require_width(given, basis)
    [total] = widen(xp, given)
    return narrow(xp, require_finite(xp, _project_onto(total, q), what="the part of total", total=total), given)


def principal_angles(
    basis_a: Float[Array, "width axis_a"], basis_b: Float[Array, "width axis_b"]
) -> Float[Array, " pair"]:
    """The angles between two subspaces in radians, smallest first; as many as the smaller one has dimensions.

    Their cosines are the singular values of Qaᵀ Qb, their sines those of Qb − Qa Qaᵀ Qb; the two together are
    accurate at every angle.

    >>> np.degrees(principal_angles(np.array([[1.0], [0.0]]), np.array([[1.0], [1.0]]))).round(9)
    array([45.])
    """
    xp, [basis_a, basis_b] = floating(basis_a=basis_a, basis_b=basis_b)
    return narrow(xp, _principal_angles(xp, *_orthonormal_pair(basis_a, basis_b)), basis_a)


def _principal_angles(
    xp: Any, q_a: Float[Array, "width axis_a"], q_b: Float[Array, "width axis_b"]
) -> Float[Array, " pair"]:
    if q_a.shape[1] < q_b.shape[1]:
        q_a, q_b = q_b, q_a
    cosines = xp.linalg.svdvals(q_a.mT @ q_b)
    sines = xp.flip(xp.linalg.svdvals(_project_away(q_b, q_a)))
    return xp.atan2(sines, cosines)


def recover(
    total: Float[Array, "*batch width"],
    basis_a: Float[Array, "width axis_a"],
    basis_b: Float[Array, "width axis_b"],
) -> Recovery:
    """v_a from total = v_a + v_b, exactly, also where the subspaces of the two are not orthogonal.

    The part of the sum beside B determines v_a: with N = I − P_B, solve N Qa x = N s and take v_a = Qa x.
    A part of `total` outside of both subspaces is left out.

    >>> across = np.array([[1.0], [0.0]])
    >>> askew = np.array([[0.6], [0.8]])
    >>> found = recover(np.array([2.0, 0.0]) + np.array([3.0, 4.0]), across, askew)
    >>> found.value.round(9), found.error.round(9), round(found.worst_error_per_unit, 9)
    (array([2., 0.]), array([3., 0.]), 0.6)

    Raises BasisError when the subspaces share a direction: no projector can divide the sum there.
    """
    xp, [given, basis_a, basis_b] = floating(total=total, basis_a=basis_a, basis_b=basis_b)
    q_a, q_b = _orthonormal_pair(basis_a, basis_b)
    angles = _principal_angles(xp, q_a, q_b)
    smallest = float(constant(angles)[0])
    _require_width(given, basis_a)
    _require_apart(smallest, 16 * max(basis_a.shape) * float(xp.finfo(basis_a.dtype).eps))
    [total] = widen(xp, given)
    with quiet():
        # Twice, and of the sum too: at a small angle, what is left of B by rounding would be 1/θ² times as large.
        directions, triangle = xp.linalg.qr(_project_away(_project_away(q_a, q_b), q_b))
        beside = _project_away(_project_away(_as_columns(xp, total), q_b), q_b)
        coordinates = xp.linalg.solve(triangle, directions.mT @ beside)
        value = xp.reshape((q_a @ coordinates).mT, tuple(total.shape))
        error = _project_onto(total, q_a) - value
    for part in (value, error):
        require_finite(xp, part, what="the recovered part", total=total)
    return Recovery(
        value=narrow(xp, value, given),
        error=narrow(xp, error, given),
        angles=narrow(xp, angles, given),
        worst_error_per_unit=math.cos(smallest),
        noise_gain=1 / math.sin(smallest),
    )


def orthonormal(basis: Float[Array, "width axis"], *, name: str = "basis") -> Float[Array, "width axis"]:
    """An orthonormal basis of the subspace that these columns span, in float32 at least.

    Raises BasisError when columns depend on the others.
    """
    xp, [basis] = floating(**{name: basis})
    if basis.ndim != 2 or 0 in basis.shape:
        raise ShapeError(f"{name} must be a matrix with the basis vectors as columns; got shape {tuple(basis.shape)}")
    if not bool(xp.all(xp.isfinite(basis))):
        raise ValueRangeError(f"{name} must be finite; it holds NaN or infinity")
    _require_independent(as_numpy(basis), float(xp.finfo(basis.dtype).eps), name)
    [basis] = widen(xp, basis)
    # Lengths do not matter to a span, and squares of 1e200 would overflow.
    return xp.linalg.qr(basis / xp.max(xp.abs(basis), axis=0))[0]


def _require_independent(basis: Float[np.ndarray, "width axis"], rounding: float, name: str) -> None:
    """QR with pivoting takes the column farthest from those before; once nothing is left, the rest depend."""
    import scipy.linalg  # slow to load, and attention does without it

    basis = basis.astype(np.float64)  # SciPy knows no float16
    sizes = np.abs(basis).max(axis=0)
    columns = basis / np.where(sizes > 0, sizes, 1)
    triangle, order = scipy.linalg.qr(columns, mode="r", pivoting=True)
    left = np.abs(np.diagonal(triangle))
    rank = int((left > max(basis.shape) * rounding * left[0]).sum())
    if rank < basis.shape[1]:
        dependent = ", ".join(str(column) for column in sorted(order[rank:]))
        words = ("column", "depends") if rank == basis.shape[1] - 1 else ("columns", "depend")
        raise BasisError(
            f"the {basis.shape[1]} columns of {name} span only {rank} dimensions: "
            f"{words[0]} {dependent} {words[1]} on the others and can be left out"
        )


def _orthonormal_pair(
    basis_a: Float[Array, "width axis_a"], basis_b: Float[Array, "width axis_b"]
) -> tuple[Float[Array, "width axis_a"], Float[Array, "width axis_b"]]:
    q_a, q_b = orthonormal(basis_a, name="basis_a"), orthonormal(basis_b, name="basis_b")
    if q_a.shape[0] != q_b.shape[0]:
        raise ShapeError(
            f"both bases need vectors of one width; got basis_a {tuple(basis_a.shape)} "
            f"and basis_b {tuple(basis_b.shape)}"
        )
    return q_a, q_b


def _project_onto(vectors: Float[Array, "*batch width"], q: Float[Array, "width axis"]) -> Float[Array, "*batch width"]:
    """The part of each row of `vectors` in the span of q."""
    with quiet():
        return (vectors @ q) @ q.mT


def _project_away(
    vectors: Float[Array, "width axis_a"], q: Float[Array, "width axis_b"]
) -> Float[Array, "width axis_a"]:
    """The part of each column of `vectors` that is orthogonal to the span of q."""
    return vectors - q @ (q.mT @ vectors)


def _as_columns(xp: Any, total: Float[Array, "*batch width"]) -> Float[Array, "width flat_batch"]:
    return xp.reshape(total, (math.prod(total.shape[:-1]), total.shape[-1])).mT


def _require_width(total: Array, basis: Array) -> None:
    if total.ndim == 0 or total.shape[-1] != basis.shape[0]:
        raise ShapeError(
            f"the vectors to divide must be as wide as the basis vectors; got total {tuple(total.shape)} "
            f"and a basis {tuple(basis.shape)}, whose columns are the vectors"
        )


def _require_apart(smallest: float, rounding: float) -> None:
    if smallest <= rounding:
        raise BasisError(
            f"the two subspaces share a direction (smallest principal angle {smallest:.1e} rad), along which "
            "v_a cannot be distinguished from v_b: choose independent bases, or use extract and err by up to |v_b|"
        )
