"""Keys that are known only up to normal noise, and the law of the logits they give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regard.errors import ShapeError, ValueRangeError
from regard.noise.covariance import Covariance, Part
from regard.shapes import Array, Float


@dataclass(frozen=True)
class GaussianKeys:
    """Independent keys k_i ~ N(mean_i, Σ_i), with Σ_i a sum of parts (see `covariance`).

    `shared` adds noise that all keys have in common: k_i += Σ_r z_r shared[r, i] with z_r ~ N(0, 1).
    """

    mean: Float[Array, "key width"]
    covariance: Covariance
    shared: Float[Array, "rank key width"] | None = None

    def __post_init__(self) -> None:
        if self.mean.ndim != 2:
            raise ShapeError(f"the mean needs the axes (key, width); got shape {tuple(self.mean.shape)}")
        if 0 in self.mean.shape:
            raise ShapeError(f"at least one key and one coordinate are needed; got shape {tuple(self.mean.shape)}")
        finite = np.isfinite(_plain(self.mean)).all(axis=1)
        if not finite.all():
            raise ValueRangeError(f"the mean of key {int(np.argmin(finite))} has NaN or infinite entries")
        for part in self.covariance:
            _check_part(part, self.n_keys, self.width)
        if self.shared is not None and tuple(self.shared.shape[1:]) != (self.n_keys, self.width):
            raise ShapeError(
                f"shared noise needs the shape (rank, {self.n_keys}, {self.width}); got {tuple(self.shared.shape)}"
            )

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
        return sum(part.form(self.mean, left, right) for part in self.covariance)

    def product(self, query: Float[Array, " width"]) -> Float[Array, "key width"]:
        """Σ_i query for every key."""
        return sum(part.product(self.mean, query) for part in self.covariance)

    def matrix(self, key: int) -> Float[np.ndarray, "width width"]:
        """Σ_key written out, for small examples and checks."""
        columns = [_plain(self.product(column))[key] for column in np.eye(self.width)]
        return np.stack(columns, axis=1)


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


def logit_law(keys: GaussianKeys, queries: Float[Array, "head width"], *, scale: float = 1.0) -> LogitLaw:
    """Means, variances and covariances across heads of the logits: n means and n variances decide everything.

    >>> from regard.noise import GaussianKeys, radial
    >>> law = logit_law(GaussianKeys(np.eye(2), radial(0.5, key=0)), np.array([[4.0, 4.0]]))
    >>> law.mean, law.sd(0) ** 2
    (array([[4., 4.]]), array([8., 0.]))
    """
    if queries.ndim != 2 or queries.shape[-1] != keys.width:
        raise ShapeError(f"queries need the shape (head, {keys.width}) to meet these keys; got {tuple(queries.shape)}")
    if not np.isfinite(_plain(queries)).all():
        raise ValueRangeError("the queries have NaN or infinite entries")
    from array_api_compat import array_namespace

    xp = array_namespace(keys.mean, queries)
    queries = queries * scale
    mean = queries @ keys.mean.T
    rows = [xp.stack([keys.form(left, right) for right in queries], axis=-1) for left in queries]
    covariance = xp.stack(rows, axis=1)
    shared = None if keys.shared is None else xp.stack([queries @ factor.T for factor in keys.shared])
    return LogitLaw(mean=mean, covariance=covariance, shared=shared)


def _check_part(part: Part, n_keys: int, width: int) -> None:
    shape = tuple(part.numbers.shape) if hasattr(part.numbers, "shape") else np.shape(part.numbers)
    name = type(part).__name__.lower()
    if len(shape) > part.n_axes and shape[0] not in (1, n_keys):
        raise ShapeError(f"the {name} part speaks of {shape[0]} keys, but there are {n_keys}")
    if part.n_axes and shape[-part.n_axes] != width:
        raise ShapeError(f"the {name} part speaks of {shape[-part.n_axes]} coordinates, but keys have {width}")
    if part.key is not None and not -n_keys <= part.key < n_keys:
        raise ShapeError(f"the {name} part is for key {part.key}, but there are keys 0 to {n_keys - 1}")


def _plain(array: Array) -> Float[np.ndarray, ...]:
    return np.asarray(array.detach() if hasattr(array, "detach") else array, dtype=float)
