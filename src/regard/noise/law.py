"""The law of what attention returns when its keys are noisy: one record with its mean, covariance and questions.

keys, queries ─logit_law→ logits ─┬ one head: `moments`      closed forms and one-dimensional integrals
                                  ├ two heads: `pair`        their covariance, where they share noise
                                  ├ shared noise: `shared_noise`  average over the common factors
                                  └ the rest: `sampling`     randomised quasi-Monte Carlo, with its error
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np

from regard.arrays.attention import Scale, resolve_scale
from regard.arrays.namespace import float64_array, quiet, real_number, whole_number
from regard.display import facts_table, one_line_repr, short, short_repr
from regard.errors import LibraryError, MethodError, ShapeError, ValueRangeError
from regard.noise.joint import JointMoments, independent_joint_moments, moments_of_each_head
from regard.noise.keys import (
    GaussianKeys,
    LogitLaw,
    logit_law,
    logit_rounding,
    logit_shift,
    n_normal_axes,
    sample_weights,
)
from regard.noise.moments import Moments, check_size, weight_covariance
from regard.noise.one_weight.distribution import DensityCurve, density_curve, weight_density, weight_exceeds_each
from regard.noise.one_weight.event import Estimate
from regard.noise.shared_noise import average_over_shared_noise, sample_joint_moments
from regard.shapes import Array, Float

MAX_NUMBERS_ASKED = 2**30
"""Of draws; a sixteenth of them is in memory at once, some times over: two gigabytes."""

Combine = Literal["mean", "concat"]
Answer = TypeVar("Answer")
ASKED = "a weight to ask about"
EPS = float(np.finfo(float).eps)
MAX_DRAWS = 10**9
"""More outputs fill any memory; draw them in parts."""
METHODS = ("auto", "integral", "fast integral", "logistic-normal", "certain", "sampling")


@short_repr
@dataclass(frozen=True)
class WeightCovariance:
    """Cov(α_i, α_j) for some keys, how it was computed, and how far off an entry may be."""

    value: Float[np.ndarray, "row column"]
    method: str
    error: float


@dataclass(frozen=True)
class OutputLaw:
    """Exact mean and covariance of the combined output, each head's own moments, and questions to ask of them.

    `error` bounds the absolute error of every entry of `mean` and `covariance`, rounding of the logits included; where
    `method` is sampling, with 99.99 % confidence for each entry. For each head, `rounding` is what rounding of the
    logits adds to the error of a moment, and `logit_shift` how far it may move the difference of two logits.
    """

    logits: LogitLaw
    values: Float[np.ndarray, "key width"]
    heads: tuple[Moments, ...]
    mean: Float[np.ndarray, " output"]
    covariance: Float[np.ndarray, "output output"]
    combine: Combine
    method: str
    error: float
    rounding: Float[np.ndarray, " head"]
    logit_shift: Float[np.ndarray, " head"]

    def __repr__(self) -> str:
        return one_line_repr(self, self._facts())

    def _repr_html_(self) -> str:
        return str(facts_table(self, self._facts()))

    def _facts(self) -> dict[str, str]:
        """What a reader wants to know first."""
        sizes = {"heads": short(len(self.heads)), "keys": short(len(self.values)), "mean": short(self.mean.tolist())}
        return sizes | {"variance": short(self.variance), "method": repr(self.method), "error": f"{self.error:.2g}"}

    @property
    def variance(self) -> float:
        """Total variance of the output: the trace of its covariance."""
        return float(np.trace(self.covariance))

    def mean_squared_error(self, target: Float[np.ndarray, " output"]) -> float:
        """E |c − target|² = tr Cov c + |E c − target|²."""
        target = float64_array(target, name="the target")
        if target.shape != self.mean.shape:
            raise ShapeError(f"the target needs the output's shape {self.mean.shape}; got {target.shape}")
        with quiet():
            error = self.variance + float(((self.mean - target) ** 2).sum())
        if not math.isfinite(error):
            raise ValueRangeError("the target is not finite, or too far from the output for float64; make it smaller")
        return error

    def sample(self, rng: np.random.Generator, n_draws: int) -> Float[np.ndarray, "draw output"]:
        """Outputs for fresh draws of the keys."""
        if not 1 <= whole_number(n_draws, name="n_draws") <= MAX_DRAWS:
            raise ValueRangeError(f"n_draws must lie between 1 and {MAX_DRAWS:,}; got {short(n_draws)}")
        chunks = [
            _combine_heads(weights @ self.values, self.combine)
            for weights in sample_weights(self.logits, rng, n_draws=n_draws)
        ]
        return np.concatenate(chunks)

    def probability(self, key: int, *, above: float, head: int = 0, rng: np.random.Generator | None = None) -> Estimate:
        """P(α_key > above) in one head, with its method and error."""
        return self.probabilities(key, above=np.array([real_number(above, name=ASKED)]), head=head, rng=rng)[0]

    def probabilities(
        self,
        key: int,
        *,
        above: Float[np.ndarray, " threshold"],
        head: int = 0,
        rng: np.random.Generator | None = None,
    ) -> tuple[Estimate, ...]:
        """P(α_key > t) in one head for each t in `above`; quicker than one by one."""
        self._refuse_shared("a question about one weight")
        above = float64_array(above, name="above")
        if above.ndim != 1:
            raise ShapeError(f"above must list the thresholds, on one axis; got shape {above.shape}")
        return self._ask(weight_exceeds_each, key, above, head, rng)

    def density(self, key: int, *, at: float, head: int = 0, rng: np.random.Generator | None = None) -> Estimate:
        """The density of α_key at one point of (0, 1)."""
        self._refuse_shared("a question about one weight")
        return self._ask(weight_density, key, real_number(at, name=ASKED), head, rng)

    def density_curve(self, key: int, *, at: Float[np.ndarray, " node"], head: int = 0) -> DensityCurve:
        """The density of α_key at many points of (0, 1), for a figure, with the error at each."""
        self._refuse_shared("a question about one weight")
        at = float64_array(at, name="at")
        if at.ndim != 1:
            raise ShapeError(f"at must list the points, on one axis; got shape {at.shape}")
        self._check_question(key, at, head)
        mean, shift = np.asarray(self.logits.mean)[head], float(self.logit_shift[head])
        return density_curve(mean, self.logits.sd(head), key, at, shift=shift)

    def weight_covariance(
        self, rows: Sequence[int], columns: Sequence[int] | None = None, *, head: int = 0
    ) -> WeightCovariance:
        """Cov(α_i, α_j) for the keys asked for; the whole matrix only if all are."""
        self._refuse_shared("weight_covariance")
        i = np.array([self._check_key(key) for key in rows])
        j = i if columns is None else np.array([self._check_key(key) for key in columns])
        mean = np.asarray(self.logits.mean)[head]
        value, method, error = weight_covariance(mean, self.logits.sd(head), i, j)
        return WeightCovariance(value, method, error + float(self.rounding[head]))

    def _ask(
        self,
        question: Callable[..., Answer],
        key: int,
        at: float | Float[np.ndarray, " node"],
        head: int,
        rng: np.random.Generator | None,
    ) -> Answer:
        self._check_question(key, np.atleast_1d(at), head)
        generator = np.random.default_rng(0) if rng is None else rng
        mean = np.asarray(self.logits.mean)[head]
        return question(mean, self.logits.sd(head), key, at, rng=generator, shift=float(self.logit_shift[head]))

    def _check_question(self, key: int, at: Float[np.ndarray, " node"], head: int) -> None:
        outside = at[~((at > 0) & (at < 1))]
        if len(outside):
            raise ValueRangeError(f"the weight to ask about must lie strictly between 0 and 1; got {outside[0]:g}")
        self._check_key(key)
        if not 0 <= whole_number(head, name="head") < self.logits.n_heads:
            raise ShapeError(f"there are heads 0 to {self.logits.n_heads - 1}; got head {head}")

    def _check_key(self, key: int) -> int:
        if not 0 <= whole_number(key, name="key") < self.values.shape[0]:
            raise ShapeError(f"there are keys 0 to {self.values.shape[0] - 1}; got key {key}")
        return key

    def _refuse_shared(self, what: str) -> None:
        if self.logits.shared is not None:
            raise MethodError(f"{what} needs independent keys; with shared noise use `sample` instead")


def output_law(
    keys: GaussianKeys,
    values: Float[Array, "key width"],
    queries: Float[Array, "*head key_width"],
    *,
    combine: Combine = "mean",
    scale: Scale = 1.0,
    method: str = "auto",
    seed: int = 0,
    n_draws: int | None = None,
) -> OutputLaw:
    """The law of the output of one head, or of several heads that read the same keys.

    `seed` and `n_draws` matter only where the law, or a part of it, is sampled: by wish, or where everything else would
    take more than a few seconds.

    >>> from regard.noise import radial
    >>> keys = GaussianKeys(np.eye(2), radial(0.5, key=0))           # the classic exercise, n = 2
    >>> law = output_law(keys, np.eye(2), 10 * np.ones(2))
    >>> round(float(law.covariance[0, 0]), 10), law.method
    (0.1953206549, 'logistic-normal')
    """
    _check_libraries(keys, values, queries)
    values, queries = float64_array(values, name="values"), float64_array(queries, name="queries")
    queries = queries[None] if queries.ndim == 1 else queries
    _check_inputs(keys, values, combine, method)
    factor = resolve_scale(scale, keys.width)
    logits = logit_law(keys, queries, scale=factor)
    _check_sampling(logits, seed, n_draws)
    joint = joint_moments(logits, values, method, seed, n_draws)
    mean, covariance = joint.combine_heads(combine)
    rounding = logit_rounding(keys, factor * queries)
    heads = tuple(
        replace(head, error=head.error + float(extra)) for head, extra in zip(joint.heads, rounding, strict=True)
    )
    error = _output_error(heads, values, joint.cross_error)
    shift = np.array([logit_shift(keys, factor * query) for query in queries])
    return OutputLaw(logits, values, heads, mean, covariance, combine, joint.method, error, rounding, shift)


def _output_error(heads: tuple[Moments, ...], values: Float[np.ndarray, "key width"], cross_error: float) -> float:
    """The heads' errors times the values' range, or its square for a covariance; and rounding of the values."""
    size = float(np.ptp(values, axis=0).max())
    largest = max(head.error for head in heads)
    return max(largest * size + 4 * EPS * float(np.abs(values).max()), largest * size**2 + cross_error)


def joint_moments(
    logits: LogitLaw, values: Float[np.ndarray, "key width"], method: str, seed: int, n_draws: int | None
) -> JointMoments:
    """All heads' moments by the method asked for, or by the one that fits."""
    if method == "sampling":
        return sample_joint_moments(logits, values, seed=seed, n_draws=n_draws)
    if logits.shared is not None:
        return average_over_shared_noise(logits, values, method=method, seed=seed, n_draws=n_draws)
    found = independent_joint_moments(logits, values, method=method)
    if found is not None:
        return found
    heads = moments_of_each_head(logits, values, method=method)
    return _replace_heads(sample_joint_moments(logits, values, seed=seed, n_draws=n_draws), heads)


def _replace_heads(sampled: JointMoments, heads: tuple[Moments, ...]) -> JointMoments:
    """Exact moments of each head, and the covariances between them from draws."""
    cross = sampled.cross.copy()
    for h, head in enumerate(heads):
        cross[h, h] = head.output_covariance
    methods = dict.fromkeys([*(head.method for head in heads), "sampling"])
    return JointMoments(heads, cross, " + ".join(methods), sampled.cross_error)


def _combine_heads(outputs: Float[np.ndarray, "draw head width"], combine: Combine) -> Float[np.ndarray, "draw output"]:
    return outputs.mean(axis=1) if combine == "mean" else outputs.reshape(len(outputs), -1)


def _check_libraries(keys: GaussianKeys, values: Array, queries: Array) -> None:
    if not all(isinstance(array, np.ndarray) for array in (keys.mean, values, queries)):
        raise LibraryError("output_law works on NumPy arrays; for gradients through torch use logit_law and moments")


def _check_inputs(keys: GaussianKeys, values: Float[np.ndarray, " ..."], combine: str, method: str) -> None:
    if values.ndim != 2 or values.shape[0] != keys.n_keys or values.shape[1] == 0:
        raise ShapeError(f"each key needs one value row; got {keys.n_keys} keys and values of shape {values.shape}")
    if not np.isfinite(values).all():
        raise ValueRangeError(f"the value of key {int(np.argmin(np.isfinite(values).all(axis=1)))} is not finite")
    check_size(values)
    if combine not in ("mean", "concat"):
        raise MethodError(f"heads are combined by 'mean' or 'concat'; got {combine!r}")
    if method not in METHODS:
        raise MethodError(f"the methods are {', '.join(METHODS)}; got {method!r}")


def _check_sampling(logits: LogitLaw, seed: int, n_draws: int | None) -> None:
    """Raises DTypeError or ValueRangeError where nobody could draw so, or where the draws would not fit into memory."""
    if whole_number(seed, name="seed") < 0:
        raise ValueRangeError(f"seed must be 0 or more; got {short(seed)}")
    if n_draws is None:
        return
    most = MAX_NUMBERS_ASKED // n_normal_axes(logits)
    if not 1 <= whole_number(n_draws, name="n_draws") <= most:
        raise ValueRangeError(f"n_draws must lie between 1 and {most:,} for these keys and heads; got {short(n_draws)}")
