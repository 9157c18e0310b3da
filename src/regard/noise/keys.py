"""Keys that are known only up to normal noise, the law of the logits they give, and draws of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from array_api_compat import array_namespace
from scipy.special import ndtri, softmax

from regard.arrays.attention import Scale, resolve_scale
from regard.arrays.namespace import float64_array, floating, quiet
from regard.display import short_repr
from regard.errors import ShapeError, ValueRangeError
from regard.noise.covariance import Covariance, Part, as_covariance
from regard.shapes import Array, Float

REDUCE = "make keys, queries, noise or scale smaller"


@short_repr
@dataclass(frozen=True)
class GaussianKeys:
    """Independent keys k_i ~ N(mean_i, Σ_i), with Σ_i a sum of parts (see `covariance`) or given as a matrix.

    One width × width matrix holds for all keys; an array of shape (key, width, width) has one for each:

    >>> GaussianKeys(np.eye(2), [[0.5, 0.1], [0.1, 0.5]])
    GaussianKeys(mean=float64[2 × 2], covariance=full(float64[2 × 2]))

    `shared` adds noise that all keys have in common: k_i += Σ_r z_r shared[r, i] with z_r ~ N(0, 1).
    NumPy arrays of any real dtype are kept as float64, tensors in their own floating-point dtype.
    """

    mean: Float[Array, "key width"]
    covariance: Covariance | Array
    shared: Float[Array, "rank key width"] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "covariance", as_covariance(self.covariance))
        given = {"mean": self.mean} | ({} if self.shared is None else {"shared": self.shared})
        for name, array in zip(given, floats(**given), strict=True):
            object.__setattr__(self, name, array)
        if self.mean.ndim != 2:
            raise ShapeError(f"the mean needs the axes (key, width); got shape {tuple(self.mean.shape)}")
        if 0 in self.mean.shape:
            raise ShapeError(f"at least one key and one coordinate are needed; got shape {tuple(self.mean.shape)}")
        finite = np.isfinite(_plain(self.mean)).all(axis=1)
        if not finite.all():
            raise ValueRangeError(f"the mean of key {int(np.argmin(finite))} has NaN or infinite entries")
        for part in self.covariance:
            _check_part(part, self.n_keys, self.width)
        if self.shared is not None:
            _check_shared(self.shared, self.n_keys, self.width)

    @property
    def n_keys(self) -> int:
        """How many keys."""
        return int(self.mean.shape[0])

    @property
    def width(self) -> int:
        """How many coordinates each has."""
        return int(self.mean.shape[1])

    def form(self, left: Float[Array, " width"], right: Float[Array, " width"]) -> Float[Array, " key"]:
        """leftᵀ Σ_i right for every key."""
        _, left, right = floats(mean=self.mean, left=left, right=right)
        return sum(part.form(self.mean, left, right) for part in self.covariance)

    def product(self, query: Float[Array, " width"]) -> Float[Array, "key width"]:
        """Σ_i query for every key."""
        _, query = floats(mean=self.mean, query=query)
        return sum(part.product(self.mean, query) for part in self.covariance)

    def matrix(self, key: int) -> Float[np.ndarray, "width width"]:
        """Σ_key written out, for small examples and checks."""
        columns = [_plain(self.product(_convert_like(column, self.mean)))[key] for column in np.eye(self.width)]
        return np.stack(columns, axis=1)


@short_repr
@dataclass(frozen=True)
class LogitLaw:
    """The joint normal law of the logits s_i^h = k_i · q_h.

    `covariance[i]` is the head × head matrix q_gᵀ Σ_i q_h; different keys are independent but for `shared[r, h, i]`,
    the loading of head h's logit i on the common factor z_r.
    """

    mean: Float[Array, "head key"]
    covariance: Float[Array, "key head head2"]
    shared: Float[Array, "rank head key"] | None = None

    @property
    def n_heads(self) -> int:
        """How many queries."""
        return int(self.mean.shape[0])

    def sd(self, head: int) -> Float[np.ndarray, " key"]:
        """Standard deviation of each logit of one head, without what is shared."""
        return np.sqrt(np.maximum(_plain(self.covariance)[:, head, head], 0.0))

    def between(self, first: int, second: int) -> Float[np.ndarray, " key"]:
        """Covariance of each key's logits in two heads."""
        return _plain(self.covariance)[:, first, second]


def logit_law(keys: GaussianKeys, queries: Float[Array, "head width"], *, scale: Scale = 1.0) -> LogitLaw:
    """Means, variances and covariances across heads of the logits scale · k_i · q_h: they decide everything else.

    >>> from regard.noise import GaussianKeys, radial
    >>> law = logit_law(GaussianKeys(np.eye(2), radial(0.5, key=0)), np.array([[4.0, 4.0]]))
    >>> law.mean, law.sd(0) ** 2
    (array([[4., 4.]]), array([8., 0.]))
    """
    _, queries = floats(keys=keys.mean, queries=queries)
    if queries.ndim != 2 or queries.shape[-1] != keys.width or len(queries) == 0:
        raise ShapeError(f"queries need the shape (head, {keys.width}) to meet these keys; got {tuple(queries.shape)}")
    if not np.isfinite(_plain(queries)).all():
        raise ValueRangeError("the queries have NaN or infinite entries")
    factor = resolve_scale(scale, keys.width)
    xp = array_namespace(keys.mean, queries)
    with quiet():
        queries = queries * factor
        mean = queries @ keys.mean.T
        rows = [xp.stack([keys.form(left, right) for right in queries], axis=-1) for left in queries]
        covariance = xp.stack(rows, axis=1)
        shared = None if keys.shared is None else xp.stack([queries @ one.T for one in keys.shared])
    for what, array in (("means", mean), ("variances", covariance), ("shared noise", shared)):
        if array is not None and not bool(xp.all(xp.isfinite(array))):
            raise ValueRangeError(f"the {what} of the logits are beyond the range of {array.dtype}: {REDUCE}")
    return LogitLaw(mean=mean, covariance=covariance, shared=shared)


def logit_rounding(keys: GaussianKeys, queries: Float[np.ndarray, "head width"]) -> Float[np.ndarray, " head"]:
    """How far rounding of the logits' means and variances may move a moment of each head's weights, at most.

    A sum of d products errs by at most d u Σ |term| (u = 2⁻⁵³). All means being off by e, a weight or its square is
    off by at most e; all variances being off by e, by the heat equation at most e/2, for wide logits at most e/2sd.
    """
    unit = (keys.width + 4) * float(np.finfo(float).eps) / 2
    bound = np.empty(len(queries))
    for head, query in enumerate(queries):
        of_means = unit * (np.abs(keys.mean) @ np.abs(query)).max()
        of_variances = sum(part.form_rounding(keys.mean, query, unit) for part in keys.covariance)
        of_variances = of_variances / np.maximum(1.0, np.sqrt(np.maximum(keys.form(query, query), 0.0)))
        of_factors = 0.0 if keys.shared is None else unit * float((np.abs(keys.shared) @ np.abs(query)).max())
        bound[head] = of_means + np.max(of_variances) / 2 + 8 * of_factors
    return bound


def logit_shift(keys: GaussianKeys, query: Float[np.ndarray, " width"]) -> float:
    """How far rounding of means and standard deviations may move the difference of two logits of one head.

    A mean errs by d u Σ |term|; a standard deviation whose square errs by e does so by at most e/sd and √e, and a logit
    by 38.5 times that, beyond which no normal variable lies.
    """
    unit = (keys.width + 4) * float(np.finfo(float).eps) / 2
    of_means = unit * float((np.abs(keys.mean) @ np.abs(query)).max())
    of_variances = np.asarray(sum(part.form_rounding(keys.mean, query, unit) for part in keys.covariance))
    sd = np.sqrt(np.maximum(keys.form(query, query), 0.0))
    of_sds = np.minimum(of_variances / np.maximum(sd, 1e-300), np.sqrt(of_variances))
    return 2 * (of_means + 38.5 * float(of_sds.max(initial=0.0)))


def _check_part(part: Part, n_keys: int, width: int) -> None:
    shape = tuple(part.numbers.shape) if hasattr(part.numbers, "shape") else np.shape(part.numbers)
    name = type(part).__name__.lower()
    if len(shape) > part.n_axes and shape[0] not in (1, n_keys):
        raise ShapeError(f"the {name} part has numbers for {shape[0]} keys; there are {n_keys}")
    if part.n_axes and shape[-part.n_axes] != width:
        raise ShapeError(f"the {name} part has numbers for {shape[-part.n_axes]} coordinates; keys have {width}")
    if part.key is not None and not -n_keys <= part.key < n_keys:
        raise ShapeError(f"the {name} part is for key {part.key}, but there are keys 0 to {n_keys - 1}")


def _check_shared(shared: Array, n_keys: int, width: int) -> None:
    if tuple(shared.shape[1:]) != (n_keys, width):
        raise ShapeError(f"shared noise needs the shape (rank, {n_keys}, {width}); got {tuple(shared.shape)}")
    if not np.isfinite(_plain(shared)).all():
        raise ValueRangeError("the shared noise has NaN or infinite entries")


def floats(**arrays: Array) -> list[Array]:
    """The arrays as floating point: NumPy's as float64, in which laws are computed, tensors in their own dtype."""
    _, found = floating(**{name: _as_float64(array, name) for name, array in arrays.items()})
    return found


def _convert_like(array: Float[np.ndarray, " width"], mean: Array) -> Array:
    return array_namespace(mean).asarray(array, dtype=mean.dtype)


def _as_float64(array: Array, name: str) -> Array:
    return float64_array(array, name=name) if isinstance(array, np.ndarray) else array


def _plain(array: Array) -> Float[np.ndarray, " ..."]:
    return float64_array(array, name="an array")


# Sobol' points are tabulated up to this dimension; beyond it, draws are pseudo-random.
MAX_SOBOL_DIMENSIONS = 21201
CHUNK_NUMBERS = 2**22
# With more axes, points that fill space evenly are slow to make and hardly better than pseudo-random ones.
MAX_EVEN_AXES = 512


def normal_points(rng: np.random.Generator, *, n_draws: int, n_axes: int) -> Float[np.ndarray, "draw axis"]:
    """Standard normal points that fill space evenly: scrambled Sobol', transformed."""
    if n_axes > MAX_SOBOL_DIMENSIONS:
        return rng.standard_normal((n_draws, n_axes))
    from scipy.stats import qmc  # slow to load, and the exact laws do without it

    points = qmc.Sobol(n_axes, scramble=True, rng=rng).random(n_draws)
    return np.asarray(ndtri(np.clip(points, 1e-16, 1 - 1e-16)))


def logits_of_normal_points(
    law: LogitLaw, normal: Float[np.ndarray, "draw axis"]
) -> Float[np.ndarray, "draw head key"]:
    """Logits made of independent normal numbers: `n_normal_axes(law)` for each draw."""
    n_keys, n_heads = law.mean.shape[1], law.n_heads
    root = _roots(np.asarray(law.covariance))
    own = normal[:, : n_keys * n_heads].reshape(-1, n_keys, n_heads)
    logits = law.mean + np.einsum("dkf,khf->dhk", own, root)
    if law.shared is not None:
        logits = logits + np.einsum("dr,rhk->dhk", normal[:, n_keys * n_heads :], np.asarray(law.shared))
    return logits


def n_normal_axes(law: LogitLaw) -> int:
    """How many independent normal numbers one draw of all logits takes."""
    n_shared = 0 if law.shared is None else law.shared.shape[0]
    return int(law.mean.shape[1] * law.n_heads + n_shared)


def sample_weights(
    law: LogitLaw, rng: np.random.Generator, *, n_draws: int, spread_evenly: bool = False
) -> Iterator[Float[np.ndarray, "draw head key"]]:
    """Weights of each head for `n_draws` draws of the keys, in chunks that fit into memory."""
    n_axes = n_normal_axes(law)
    chunk = max(1, min(n_draws, CHUNK_NUMBERS // n_axes))
    is_even = spread_evenly and n_axes <= MAX_EVEN_AXES
    points = normal_points(rng, n_draws=n_draws, n_axes=n_axes) if is_even else None
    for start in range(0, n_draws, chunk):
        size = min(chunk, n_draws - start)
        normal = rng.standard_normal((size, n_axes)) if points is None else points[start : start + size]
        yield softmax(logits_of_normal_points(law, normal), axis=-1)


def _roots(covariance: Float[np.ndarray, "key head head"]) -> Float[np.ndarray, "key head head"]:
    """A square root of each key's head × head covariance; heads may depend on each other completely."""
    spectrum, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(spectrum, 0.0))[:, None, :])
