"""First and second moments of the weights and the output of one head, by the method that fits its logits.

method            when                                             error
certain           no logit is noisy                                rounding
logistic-normal   one logit is                                     rounding
integral          few different logit laws (`integral`)            of tables and of the sum of weights, measured
fast integral     many (`many_keys`)                               of tables and of the sum of weights, measured

With one noisy logit among several, its weight is sig(x + sd·g) for a standard normal g: `logistic_normal` has the
moments of that variable, in one sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit, logsumexp, ndtr, softmax

from regard.arrays.namespace import float64_array
from regard.display import short_repr
from regard.errors import MethodError, ShapeError, ValueRangeError
from regard.noise.integral import QUICK, WeightIntegral, centre_means, distinct_laws, law_kernels, weight_integral
from regard.noise.kernel import GAUSS_SD, N_STENCIL, table_error
from regard.noise.many_keys import ManyKeysIntegral, many_keys_integral
from regard.shapes import Array, Float, Int

STEP_Z, REACH_Z = 0.25, 9.5
STEP_W, REACH_W, FAR_W = 0.25, 42.0, 160.0  # sig(−160) = 3e-70


@dataclass(frozen=True)
class LogisticNormal:
    """Mean, the mean's distance from one, and variance of sig(x + sd·g); each to its own relative precision."""

    mean: float
    lack: float
    variance: float


def logistic_normal(x: float, sd: float) -> LogisticNormal:
    """Moments of sig(x + sd·g), g ~ N(0, 1), for any x and sd.

    >>> round(logistic_normal(0.0, 10 / 2**0.5).variance, 12)      # the classic exercise at C = 10, n = 2
    0.19532065485
    """
    if x > 0:  # sig(−y) = 1 − sig(y): work on the side where the value is small
        mirrored = logistic_normal(-x, sd)
        return LogisticNormal(mean=mirrored.lack, lack=mirrored.mean, variance=mirrored.variance)
    mean, variance = _moments_of_narrow(x, sd) if sd <= 1 else _moments_of_wide(x, sd)
    return LogisticNormal(mean=mean, lack=1.0 - mean, variance=variance)


def _moments_of_narrow(x: float, sd: float) -> tuple[float, float]:
    """Trapezoid rule over g for sig(x + sd·g) − sig(x) = sig(x) (e^{sd·g} − 1) sig(−x − sd·g)."""
    g = np.arange(-REACH_Z, REACH_Z + STEP_Z / 2, STEP_Z)
    mass = np.exp(-(g**2) / 2) * STEP_Z / math.sqrt(2 * math.pi)
    # expm1 keeps the difference exact to the last bit however small sd is.
    change = expit(x) * np.expm1(sd * g) * expit(-(x + sd * g))
    first = float(mass @ change)
    return float(expit(x)) + first, float(mass @ change**2) - first**2


def _moments_of_wide(x: float, sd: float) -> tuple[float, float]:
    """E sig = ∫ sig′(w) Φ((x−w)/sd) dw and E sig² = ∫ 2 sig sig′ Φ((x−w)/sd) dw: the step has moved into sig′."""
    w = np.arange(max(x - REACH_W, -FAR_W), REACH_W + STEP_W / 2, STEP_W)
    slope = np.exp(log_expit(w) + log_expit(-w))
    above = ndtr((x - w) / sd) * STEP_W
    mean = float(slope @ above)
    return mean, float((2 * expit(w) * slope) @ above) - mean**2


ROUNDING = 64 * float(np.finfo(float).eps)
# The square of a mean, sd or value must stay inside float64.
MAX_LOGIT = 1e150
# Up to this many different laws the plain integral is as quick as the fast one.
FEW_LAWS = 32

METHODS = ("auto", "certain", "logistic-normal", "integral", "fast integral")


@short_repr
@dataclass(frozen=True)
class Moments:
    """E α_i, E α_i², E c and Cov c of one head.

    `error` bounds the absolute error of the weights' moments; those of the output err by at most that times the
    range of the values (its square, for the covariance), and by rounding of the values. Where `method` is sampling,
    it does so with 99.99 % confidence for each number.
    """

    weight_mean: Float[Array, " key"]
    weight_square: Float[Array, " key"]
    output_mean: Float[Array, " width"]
    output_covariance: Float[Array, "width width"]
    method: str
    error: float

    @property
    def weight_variance(self) -> Float[Array, " key"]:
        """Var α_i."""
        return (self.weight_square - self.weight_mean**2).clip(min=0.0)


def head_moments(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    values: Float[np.ndarray, "key width"],
    *,
    method: str = "auto",
) -> Moments:
    """Exact moments for independent logits s_i ~ N(mean_i, sd_i²).

    >>> law = head_moments(np.zeros(2), np.array([0.1 / 2**0.5, 0.0]), np.eye(2))
    >>> law.method, round(float(law.weight_variance[0]), 12)
    ('logistic-normal', 0.000311721504)
    """
    if method not in METHODS:
        raise MethodError(f"the methods for one head are {', '.join(METHODS)}; got {method!r}")
    mean, sd, values = check_logits(mean, sd, values)
    chosen = _choose_method(mean, sd) if method == "auto" else method
    return _COMPUTE[chosen](mean, sd, values)


def check_logits(
    mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"], values: Float[np.ndarray, "key width"]
) -> tuple[Float[np.ndarray, " key"], Float[np.ndarray, " key"], Float[np.ndarray, "key width"]]:
    """Means, standard deviations and values as float64, the means as `centred`, once they fit together."""
    mean, sd = float64_array(mean, name="the logits' means"), float64_array(sd, name="their standard deviations")
    values = float64_array(values, name="values")
    if mean.ndim != 1 or len(mean) == 0 or sd.shape != mean.shape or values.ndim != 2 or len(values) != len(mean):
        raise ShapeError(
            "each key needs a mean, a standard deviation and one value row; "
            f"got shapes {mean.shape}, {sd.shape} and {values.shape}"
        )
    for name, numbers in (("mean", mean), ("standard deviation", sd)):
        wrong = ~(np.abs(numbers) <= MAX_LOGIT) | ((numbers < 0) & (name != "mean"))
        if wrong.any():
            key = int(np.argmax(wrong))
            sign = "" if name == "mean" else " and not negative"
            raise ValueRangeError(f"a logit's {name} must be at most 1e150{sign}; that of key {key} is {numbers[key]}")
    check_size(values)
    return centre_means(mean, sd), sd, values


def check_size(values: Float[np.ndarray, "key width"]) -> None:
    """Raises ValueRangeError where squares of the values leave float64."""
    if not (np.abs(values) <= MAX_LOGIT).all():
        raise ValueRangeError(
            "values must be finite and at most 1e150, for their squares are needed; make them smaller"
        )


def _choose_method(mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"]) -> str:
    n_noisy = np.count_nonzero(sd)
    if n_noisy <= 1:
        return "logistic-normal" if n_noisy and len(sd) > 1 else "certain"
    few = len(mean) <= FEW_LAWS or all(_n_laws(mean[:n], sd[:n]) <= FEW_LAWS for n in (8 * FEW_LAWS, len(mean)))
    return "integral" if few else "fast integral"


def _n_laws(mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"]) -> int:
    return len(distinct_laws(np.stack([mean, sd], axis=1))[0])


def _moments_without_noise(
    mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"], values: Float[np.ndarray, "key width"]
) -> Moments:
    if np.count_nonzero(sd) and len(sd) > 1:
        raise MethodError(f"'certain' needs logits without noise; {np.count_nonzero(sd)} of {len(sd)} are noisy")
    weights = softmax(mean)
    zero = np.zeros((values.shape[1], values.shape[1]))
    return Moments(weights, weights**2, _mean_output(weights, values), zero, "certain", ROUNDING)


def _moments_of_one_noisy(
    mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"], values: Float[np.ndarray, "key width"]
) -> Moments:
    """α_a = sig(x + sd_a g); the others share 1 − α_a; c = r + α_a (v_a − r) moves on a segment."""
    noisy = np.flatnonzero(sd)
    if len(noisy) != 1 or len(sd) == 1:
        raise MethodError(f"'logistic-normal' needs exactly one noisy logit among several; {len(noisy)} are noisy")
    a, others = noisy[0], np.delete(np.arange(len(mean)), noisy)
    law = logistic_normal(float(mean[a] - logsumexp(mean[others])), float(sd[a]))
    share = softmax(mean[others])
    weight_mean, weight_square = np.empty(len(mean)), np.empty(len(mean))
    weight_mean[a], weight_mean[others] = law.mean, law.lack * share
    weight_square[a] = law.variance + law.mean**2
    weight_square[others] = share**2 * (law.variance + law.lack**2)
    along = -_mean_output(share, values[others] - values[a])
    covariance = law.variance * np.outer(along, along)
    output = _mean_output(weight_mean, values)
    return Moments(weight_mean, weight_square, output, covariance, "logistic-normal", ROUNDING)


def _moments_by_integral(
    mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"], values: Float[np.ndarray, "key width"]
) -> Moments:
    found = weight_integral(mean, sd, precision=QUICK)
    first, second = found.ratios
    by_law = found.law_of_key
    weight_mean, square = (found.mass @ first)[by_law], (found.mass @ second)[by_law]
    own = (found.mass @ (second - first**2))[by_law]
    pulled = _relative_to_mean_output(weight_mean, values)
    along = first @ _sum_by_law(pulled, by_law, first.shape[1])
    tables = table_error(sd[(sd > 0) & (sd < GAUSS_SD)])
    return _output_moments(
        weight_mean, square, own, pulled, values, along, found.mass, "integral", ROUNDING + 4 * tables
    )


def _moments_of_many_keys(
    mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"], values: Float[np.ndarray, "key width"]
) -> Moments:
    found = many_keys_integral(mean, sd)
    weight_mean, square, own = (found.per_key(name) for name in ("mean", "square", "spread"))
    pulled = _relative_to_mean_output(weight_mean, values)
    along = found.sum_charges("mean", pulled)
    error = ROUNDING + 4 * found.table_error
    return _output_moments(weight_mean, square, own, pulled, values, along, found.mass, "fast integral", error)


def _output_moments(
    weight_mean: Float[np.ndarray, " key"],
    weight_square: Float[np.ndarray, " key"],
    own: Float[np.ndarray, " key"],
    pulled: Float[np.ndarray, "key width"],
    values: Float[np.ndarray, "key width"],
    along: Float[np.ndarray, "node width"],
    mass: Float[np.ndarray, " node"],
    method: str,
    error: float,
) -> Moments:
    """Cov c = ∫ G Gᵀ P du + Σ_i v_i v_iᵀ ∫ (q_i − r_i²) P du with G = Σ_i v_i r_i, never an n × n matrix.

    The values are taken relative to E c, which changes nothing (weights sum to one) and avoids cancellation.
    The quadrature shows its own error: Σ E α_i must be one.
    """
    covariance = (along * mass[:, None]).T @ along + (pulled * own[:, None]).T @ pulled
    quadrature = abs(float(weight_mean.sum()) - 1.0)
    return Moments(
        weight_mean,
        weight_square,
        _mean_output(weight_mean, values),
        (covariance + covariance.T) / 2,
        method,
        error + 4 * quadrature,
    )


def _mean_output(
    weight_mean: Float[np.ndarray, " key"], values: Float[np.ndarray, "key width"]
) -> Float[np.ndarray, " width"]:
    """Σ E α_i v_i; what the values have in common is not multiplied by weights that sum to one but for rounding."""
    centre = values[np.argmax(weight_mean)]
    return centre + weight_mean @ (values - centre)


def _relative_to_mean_output(
    weight_mean: Float[np.ndarray, " key"], values: Float[np.ndarray, "key width"]
) -> Float[np.ndarray, "key width"]:
    """The values relative to E c."""
    apart = values - values[np.argmax(weight_mean)]
    return apart - weight_mean @ apart


def weight_covariance(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    rows: Int[np.ndarray, " row"],
    columns: Int[np.ndarray, " column"],
) -> tuple[Float[np.ndarray, "row column"], str, float]:
    """Cov(α_i, α_j) of some keys, with its method and error: ∫ r_i r_j P du − E α_i E α_j, and ∫ q_i P du for i = j."""
    mean, sd, _ = check_logits(mean, sd, np.zeros((len(mean), 1)))
    is_few = _n_laws(mean, sd) <= FEW_LAWS
    found: WeightIntegral | ManyKeysIntegral
    found = weight_integral(mean, sd, precision=QUICK) if is_few else many_keys_integral(mean, sd)
    u = found.rule.u if isinstance(found, WeightIntegral) else found.u
    asked, place = np.unique(np.concatenate([rows, columns]), return_inverse=True)
    _, (first, second) = law_kernels(u, mean[asked], sd[asked], order=2, stencil=N_STENCIL)
    weight = found.mass @ first
    i, j = place[: len(rows)], place[len(rows) :]
    products = (first[:, i] * found.mass[:, None]).T @ first[:, j]
    own = np.where(rows[:, None] == columns, (found.mass @ (second - first**2))[i][:, None], 0.0)
    whole = found.mass @ found.of_keys(1) if isinstance(found, WeightIntegral) else found.per_key("mean")
    tables = table_error(sd[(sd > 0) & (sd < GAUSS_SD)])
    tables = tables if isinstance(found, WeightIntegral) else max(tables, found.table_error)
    error = ROUNDING + 4 * tables + 4 * abs(float(whole.sum()) - 1.0)
    return products + own - np.outer(weight[i], weight[j]), "integral" if is_few else "fast integral", error


def _sum_by_law(
    values: Float[np.ndarray, "key width"], law_of_key: Int[np.ndarray, " key"], n_laws: int
) -> Float[np.ndarray, "law width"]:
    total = np.zeros((n_laws, values.shape[1]))
    np.add.at(total, law_of_key, values)
    return total


_COMPUTE = {
    "certain": _moments_without_noise,
    "logistic-normal": _moments_of_one_noisy,
    "integral": _moments_by_integral,
    "fast integral": _moments_of_many_keys,
}
