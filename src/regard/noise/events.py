"""The distribution of one weight: P(α_a > t) and its density.

α_a > t exactly when Y = Σ_{j≠a} e^{s_j} − c e^{s_a} < 0 with c = (1 − t)/t. The Laplace transform of Y is a product of
the kernels L of all keys, continued to the ray on which e^{s_a} enters with the other sign. Turned back onto the real
line for the other keys, the inversion integral becomes

    P(α_a > t) = 1/π ∫ Π_{j≠a} L_j(u) · Im L_a(u + ln c − iπ) du :

one more integral like those of the moments, exact for any number of keys. Continuing L_a to −iπ costs a factor
exp(π²/2sd_a²) in precision, so it serves for sd_a > 0.7; below, the event is averaged over draws of all other logits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.special import logsumexp, ndtr

from regard.noise.bands import N_STENCIL, table_error
from regard.noise.fast import fast_product
from regard.noise.integral import distinct_laws, graded_rule, law_kernels, smallest_scale, support
from regard.noise.kernel import GAUSS_SD, gauss_rule, left_end, trapezoid_rule
from regard.noise.sampling import normal_points
from regard.shapes import Float, Int

SMALLEST_SD = 0.7
FEW_LAWS = 8
N_REPLICATES, MOST_POINTS = 16, 2**12
MOST_NUMBERS = 2**22  # of one replicate, so that very many keys do not fill the memory


@dataclass(frozen=True)
class Estimate:
    """A number, how it was computed, and how far off it may be."""

    value: float
    method: str
    error: float


def weight_exceeds(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    key: int,
    threshold: float,
    *,
    rng: np.random.Generator,
) -> Estimate:
    """P(α_key > threshold) for independent logits.

    >>> law = weight_exceeds(np.array([10.0, 10.0]), np.array([50**0.5, 0.0]), 0, 0.95, rng=np.random.default_rng(0))
    >>> 1 - 2 * round(law.value, 6)                # erf(ln 19 / 10), not almost two-valued at C = 10
    0.32288...
    """
    return _about_weight(mean, sd, key, threshold, rng=rng, density=False)


def weight_density(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    key: int,
    at: float,
    *,
    rng: np.random.Generator,
) -> Estimate:
    """The density of α_key at one point."""
    return _about_weight(mean, sd, key, at, rng=rng, density=True)


def _about_weight(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    key: int,
    t: float,
    *,
    rng: np.random.Generator,
    density: bool,
) -> Estimate:
    others = np.delete(np.arange(len(mean)), key)
    odds = math.log1p(-t) - math.log(t)
    slope = 1 / (t * (1 - t)) if density else 1.0
    if not sd[others].any():
        gap = float(mean[key] - logsumexp(mean[others]) + odds)
        return Estimate(_normal(gap, float(sd[key]), density) * slope, "logistic-normal", 1e-15)
    if sd[key] >= SMALLEST_SD:
        values, error = _inversion(mean, sd, key, others, np.array([odds]), density)
        return Estimate(float(values[0]) * slope, "inversion", error * slope)
    [value], [error] = _average(mean, sd, key, others, np.array([odds]), rng, density)
    return Estimate(float(value) * slope, "sampling", float(error) * slope)


def _normal(gap: float, sd: float, density: bool) -> float:
    """Φ(gap/sd), or its derivative in gap."""
    if sd == 0:
        return 0.0 if density else float(gap > 0)
    if density:
        return math.exp(-((gap / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))
    return float(ndtr(gap / sd))


def density_curve(
    mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"], key: int, at: Float[np.ndarray, " node"]
) -> Float[np.ndarray, " node"]:
    """The density of α_key at many points, with what does not depend on the point computed once."""
    others = np.delete(np.arange(len(mean)), key)
    rng = np.random.default_rng(0)
    if not sd[others].any():
        return np.array([weight_density(mean, sd, key, float(point), rng=rng).value for point in at])
    odds = np.log1p(-at) - np.log(at)
    if sd[key] >= SMALLEST_SD:
        found, _ = _inversion(mean, sd, key, others, odds, density=True)
    else:
        found, _ = _average(mean, sd, key, others, odds, rng, density=True)
    return found / (at * (1 - at))


def _inversion(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    key: int,
    others: Int[np.ndarray, " other"],
    odds: Float[np.ndarray, " point"],
    density: bool,
) -> tuple[Float[np.ndarray, " point"], float]:
    """1/π ∫ Π_{j≠a} L_j(u) · Im L_a(u + odds − iπ) du for each of the odds, and its error."""
    log_p, table_error = _log_product(mean[others], sd[others])
    _, high = support(mean[others], sd[others], log_p)
    shifts = float(mean[key]) + odds
    low = float(left_end(sd[key : key + 1])[0] - shifts.max())
    if low >= high:
        return np.zeros(len(odds)), 1e-15
    rule = graded_rule(low, high, scale=min(smallest_scale(sd[others]), smallest_scale(sd[key : key + 1])))
    mass = rule.weight * np.exp(log_p(rule.u)) / math.pi
    values = np.array([mass @ _continued_kernel(rule.u + shift, float(sd[key]), density) for shift in shifts])
    error = (1e-14 + 4 * table_error) * math.exp(math.pi**2 / (2 * float(sd[key]) ** 2))
    return values if density else np.clip(values, 0.0, 1.0), error


def _continued_kernel(x: Float[np.ndarray, " node"], sd: float, density: bool) -> Float[np.ndarray, " node"]:
    """Im L(x − iπ), or its derivative in x, with L(x) = ∫ exp(w − eʷ) Φ((w − x)/sd) dw taken at complex x."""
    w, gumbel = gauss_rule() if sd >= GAUSS_SD else trapezoid_rule(float(x.min()), sd)
    standard = (w - x[:, None] + 1j * math.pi) / sd
    if density:
        return -np.imag(np.exp(-(standard**2) / 2) @ gumbel) / (sd * math.sqrt(2 * math.pi))
    return np.imag(ndtr(standard) @ gumbel)


def _log_product(
    mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"]
) -> tuple[Callable[[Float[np.ndarray, " node"]], Float[np.ndarray, " node"]], float]:
    """ln Π L_j as a function of u, and the error of the tables behind it."""
    laws, _, count = distinct_laws(np.stack([mean, sd], axis=1))
    if len(laws) > FEW_LAWS:
        product = fast_product(mean, sd)
        return product, product.error
    error = table_error(laws[(laws[:, 1] > 0) & (laws[:, 1] < GAUSS_SD), 1])
    return lambda u: law_kernels(u, laws[:, 0], laws[:, 1], order=1, stencil=N_STENCIL)[0] @ count, error


def _average(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    key: int,
    others: Int[np.ndarray, " other"],
    odds: Float[np.ndarray, " point"],
    rng: np.random.Generator,
    density: bool,
) -> tuple[Float[np.ndarray, " point"], Float[np.ndarray, " point"]]:
    """The mean over draws of all logits but one of Φ(gap/sd), the probability given these, at each of the odds; errors.

    The one left out is the key's own logit, or if that is certain the widest of the others.
    """
    left_out = key if sd[key] > 0 else int(np.argmax(sd))
    n_points = 2 ** int(math.log2(min(MOST_POINTS, max(16, MOST_NUMBERS // len(mean)))))
    replicates = []
    for _ in range(N_REPLICATES):
        logits = mean + sd * normal_points(rng, n_draws=n_points, n_axes=len(mean))
        if left_out == key:
            gaps = _gaps_of_own(float(mean[key]), logits[:, others], odds)
        else:
            taken = logits[:, others[others != left_out]]
            gaps = _gaps_of_other(float(mean[left_out]), logits[:, key], taken, odds)
        replicates.append([_mean_normal(gap, float(sd[left_out]), slope, density) for gap, slope in gaps])
    spread = np.std(replicates, axis=0, ddof=1) / math.sqrt(N_REPLICATES)
    return np.mean(replicates, axis=0), 4 * spread + 1e-12


Gap: TypeAlias = tuple[np.ndarray, np.ndarray]
"""For each draw, how far the logit left out may go, and the derivative of that in the odds."""


def _gaps_of_own(mean: float, others: Float[np.ndarray, "draw other"], odds: Float[np.ndarray, " point"]) -> list[Gap]:
    """The key's own logit must exceed ln Σ e^others − odds."""
    room = mean - logsumexp(others, axis=1)
    return [(room + each, np.ones(len(room))) for each in odds]


def _gaps_of_other(
    mean: float,
    own: Float[np.ndarray, " draw"],
    taken: Float[np.ndarray, "draw other"],
    odds: Float[np.ndarray, " point"],
) -> list[Gap]:
    """The widest of the others must stay in the room that those taken leave."""
    rooms = [_room_below(own + each, taken) for each in odds]
    return [(room - mean, slope) for room, slope in rooms]


def _room_below(
    top: Float[np.ndarray, " draw"], taken: Float[np.ndarray, "draw other"]
) -> tuple[Float[np.ndarray, " draw"], Float[np.ndarray, " draw"]]:
    """ln(e^top − Σ e^taken), −∞ where nothing is left, and its derivative in top."""
    filled = logsumexp(taken, axis=1) if taken.shape[1] else np.full(len(top), -np.inf)
    with np.errstate(divide="ignore"):
        log_share = np.log(-np.expm1(np.minimum(filled - top, 0.0)))
    return top + log_share, np.exp(-np.maximum(log_share, -700.0))


def _mean_normal(gap: Float[np.ndarray, " draw"], sd: float, slope: Float[np.ndarray, " draw"], density: bool) -> float:
    """The mean of Φ(gap/sd), or of its derivative."""
    if not density:
        return float(ndtr(gap / sd).mean())
    return float((np.exp(-((gap / sd) ** 2) / 2) * slope).mean()) / (sd * math.sqrt(2 * math.pi))
