"""Covariances of keys as people think of them, kept in that form: a d × d matrix is never made where none was given.

Each part answers two questions about key i and queries p, q: the bilinear form pᵀ Σ_i q and the product Σ_i q.
Parts add up with `+`:

    isotropic(0.01) + radial(0.5, key=0)         Σ_0 = 0.01 I + ½ μ_0 μ_0ᵀ,   Σ_i = 0.01 I

A matrix for all keys (width × width), or one for each (key × width × width), may be given as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.arrays.namespace import float64_array, floating, whole_number
from regard.display import MAX_REPR, one_line, short
from regard.errors import CovarianceError, ShapeError
from regard.shapes import Array, Float


@dataclass(frozen=True)
class Part:
    """One summand of the covariance: `numbers` is per key, or a single one for all keys."""

    numbers: Array
    key: int | None = None

    def __post_init__(self) -> None:
        if self.key is not None:
            whole_number(self.key, name="key")

    def for_keys(self, mean: Float[Array, "key width"]) -> Array:
        """The numbers with a key axis: broadcast over keys, or zero for all but the one key meant."""
        xp = _namespace(mean)
        numbers = xp.asarray(self.numbers, dtype=mean.dtype)
        per_key = numbers[None, ...] if numbers.ndim == self.n_axes else numbers
        full = xp.broadcast_to(per_key, (mean.shape[0], *per_key.shape[1:]))
        if self.key is None:
            return full
        chosen = np.zeros(mean.shape[0])
        chosen[self.key] = 1.0
        return full * xp.reshape(xp.asarray(chosen, dtype=mean.dtype), (-1,) + (1,) * self.n_axes)

    n_axes = 0
    name = "part"
    """The function that makes such a part."""

    def form(self, mean: Array, left: Array, right: Array) -> Float[Array, " key"]:
        """leftᵀ Σ_i right for every key i."""
        raise NotImplementedError

    def product(self, mean: Array, query: Array) -> Float[Array, "key width"]:
        """Σ_i query for every key i."""
        raise NotImplementedError

    def form_rounding(
        self, mean: Float[np.ndarray, "key width"], query: Float[np.ndarray, " width"], unit: float
    ) -> Float[np.ndarray, " key"]:
        """How far queryᵀ Σ_i query may be off where a sum of products errs by `unit` times their absolute sum."""
        absolute = type(self)(np.abs(self.numbers), self.key)
        return 2 * unit * absolute.form(np.abs(mean), np.abs(query), np.abs(query))

    def __add__(self, other: Part | Covariance) -> Covariance:
        return Covariance((self,)) + other

    def __repr__(self) -> str:
        chosen = "" if self.key is None else f", key={self.key}"
        return f"{self.name}({short(self.numbers)}{chosen})"


class Isotropic(Part):
    """Σ_i = variance_i · I."""

    name = "isotropic"

    def form(self, mean: Array, left: Array, right: Array) -> Float[Array, " key"]:
        return self.for_keys(mean) * (left * right).sum()

    def product(self, mean: Array, query: Array) -> Float[Array, "key width"]:
        return self.for_keys(mean)[:, None] * query


class Radial(Part):
    """Σ_i = variance_i · μ_i μ_iᵀ: the key keeps its direction, its length varies."""

    name = "radial"

    def form(self, mean: Array, left: Array, right: Array) -> Float[Array, " key"]:
        return self.for_keys(mean) * (mean @ left) * (mean @ right)

    def product(self, mean: Array, query: Array) -> Float[Array, "key width"]:
        return (self.for_keys(mean) * (mean @ query))[:, None] * mean

    def form_rounding(
        self, mean: Float[np.ndarray, "key width"], query: Float[np.ndarray, " width"], unit: float
    ) -> Float[np.ndarray, " key"]:
        along, off = np.abs(mean @ query), unit * (np.abs(mean) @ np.abs(query))
        return self.for_keys(mean) * (2 * along * off + off**2)


class Diagonal(Part):
    """Σ_i = diag(variance_i)."""

    n_axes, name = 1, "diagonal"

    def form(self, mean: Array, left: Array, right: Array) -> Float[Array, " key"]:
        return self.for_keys(mean) @ (left * right)

    def product(self, mean: Array, query: Array) -> Float[Array, "key width"]:
        return self.for_keys(mean) * query


class LowRank(Part):
    """Σ_i = F_i F_iᵀ with F_i of shape width × rank."""

    n_axes, name = 2, "low_rank"

    def form(self, mean: Array, left: Array, right: Array) -> Float[Array, " key"]:
        factor = self.for_keys(mean)
        return ((factor * left[:, None]).sum(1) * (factor * right[:, None]).sum(1)).sum(-1)

    def product(self, mean: Array, query: Array) -> Float[Array, "key width"]:
        factor = self.for_keys(mean)
        return (factor * (factor * query[:, None]).sum(1)[:, None, :]).sum(-1)


class Full(Part):
    """Σ_i given as a matrix."""

    n_axes, name = 2, "full"

    def form(self, mean: Array, left: Array, right: Array) -> Float[Array, " key"]:
        return (self.for_keys(mean) @ right) @ left

    def product(self, mean: Array, query: Array) -> Float[Array, "key width"]:
        return self.for_keys(mean) @ query


@dataclass(frozen=True)
class Covariance:
    """A sum of parts."""

    parts: tuple[Part, ...]

    def __add__(self, other: Part | Covariance) -> Covariance:
        return Covariance(self.parts + (other.parts if isinstance(other, Covariance) else (other,)))

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __repr__(self) -> str:
        return one_line(" + ".join(map(repr, self.parts)), max_length=MAX_REPR)


def as_covariance(given: Any) -> Covariance:
    """A covariance as it is, or one made of a matrix for all keys or of a matrix for each key.

    >>> as_covariance([[2.0, 0.0], [0.0, 1.0]])
    full(float64[2 × 2])
    """
    if isinstance(given, Covariance):
        return given
    if isinstance(given, Part):
        return Covariance((given,))
    n_axes = given.ndim if hasattr(given, "ndim") else np.ndim(given)
    if n_axes < 2:
        raise ShapeError(
            "the covariance needs one (width, width) matrix for all keys or a (key, width, width) array; "
            f"got {n_axes} axes: for one variance use isotropic(…), for one a coordinate diagonal(…)"
        )
    return full(given)


def isotropic(variance: Any, *, key: int | None = None) -> Covariance:
    """One variance in every direction; one number, one per key, or one for a single `key`."""
    return Covariance((Isotropic(_check(variance, "an isotropic variance", axes=0), key),))


def radial(variance: Any, *, key: int | None = None) -> Covariance:
    """Noise along the mean: k = μ (1 + g) with g ~ N(0, variance), the classic exercise at ½."""
    return Covariance((Radial(_check(variance, "a radial variance", axes=0), key),))


def diagonal(variance: Any, *, key: int | None = None) -> Covariance:
    """A variance for each coordinate: shape (width,) for all keys alike, or (key, width)."""
    return Covariance((Diagonal(_check(variance, "a diagonal of variances", axes=1), key),))


def low_rank(factor: Any, *, key: int | None = None) -> Covariance:
    """F Fᵀ: shape (width, rank) for all keys alike, or (key, width, rank)."""
    return Covariance((LowRank(_check(factor, "a low-rank factor", axes=2, signed=True), key),))


def full(matrix: Any, *, key: int | None = None) -> Covariance:
    """A covariance matrix: shape (width, width) for all keys alike, or (key, width, width)."""
    matrices = _check(matrix, "a covariance matrix", axes=2, signed=True)
    _check_positive(float64_array(matrices, name="a covariance matrix"), key, rounding=_relative_rounding(matrix))
    return Covariance((Full(matrices / 2 + matrices.swapaxes(-1, -2) / 2, key),))


def _check(numbers: Any, what: str, *, axes: int, signed: bool = False) -> Array:
    values = float64_array(numbers, name=what)
    if values.ndim not in (axes, axes + 1):
        raise ShapeError(f"{what} needs {axes} axes, or {axes + 1} with one row per key; got shape {values.shape}")
    keys = np.unique(np.argwhere(~np.isfinite(values) | ((values < 0) & (not signed)))[:, :1])
    bad = ~np.isfinite(values).all() or (not signed and (values < 0).any())
    if bad:
        where = f"key {keys[0]}" if values.ndim == axes + 1 else "all keys"
        wanted = "finite" if signed else "finite and not negative"
        raise CovarianceError(f"{what} must be {wanted}; that of {where} is not")
    return floating(numbers=numbers)[1][0] if hasattr(numbers, "detach") else values


def _relative_rounding(matrix: Any) -> float:
    """How far from symmetric and positive a matrix may be, relative to its largest entry: rounding in its dtype."""
    dtype = str(getattr(matrix, "dtype", "float64")).removeprefix("torch.")
    return {"float32": 1e-5, "float16": 1e-2, "bfloat16": 1e-1}.get(dtype, 1e-10)


def _check_positive(matrices: Float[np.ndarray, "*key width width2"], key: int | None, *, rounding: float) -> None:
    stack = matrices if matrices.ndim == 3 else matrices[None]
    for index, matrix in enumerate(stack):
        name = f"of key {key if key is not None else index}" if matrices.ndim == 3 or key is not None else "of all keys"
        if matrix.shape[0] != matrix.shape[1]:
            raise ShapeError(f"the covariance {name} must be square; got shape {matrix.shape}")
        if matrix.size == 0:
            raise ShapeError(f"the covariance {name} is empty: it needs a row for each coordinate of a key")
        size = float(np.abs(matrix).max())
        if not np.allclose(matrix, matrix.T, rtol=0, atol=rounding * size):
            raise CovarianceError(f"the covariance {name} is not symmetric; use (S + S.T) / 2")
        smallest = float(np.linalg.eigvalsh(matrix)[0])
        if smallest < -rounding * size:
            raise CovarianceError(
                f"the covariance {name} is not positive semi-definite: its smallest eigenvalue is {smallest:.3g}"
            )


def _namespace(array: Array) -> Any:
    from array_api_compat import array_namespace

    return array_namespace(array)
