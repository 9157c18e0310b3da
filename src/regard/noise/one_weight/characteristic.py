"""The distribution of one weight from characteristic functions, where no logit is wide enough for `inversion`.

α_a > t exactly when Y = Σ_{j≠a} e^{s_j} − c e^{s_a} < 0 with c = (1 − t)/t, and with ω = eᵘ

    P(Y < 0) = ½ − 1/π ∫ Im E exp(iωY) du        E exp(iωY) = Π_j E exp(iω e^{s_j}) · E exp(−iωc e^{s_a}).

No term exceeds one, so nothing cancels; but e^{iωY} turns ever faster until the narrowest keys have damped it. Where
that takes too many nodes the error says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from regard.noise.integral import QuadratureRule, distinct_laws, graded_rule
from regard.noise.kernel import GAUSS_SD
from regard.noise.one_weight.event import EPS, WeightEvent
from regard.noise.one_weight.inversion import OwnTable, continued_kernel, tabulate
from regard.shapes import Float, Inexact

STEP, COARSE_STEP = 0.0125, 0.05
MAX_COARSE_RATE = 60.0
"""Radians in a unit of u: three from one node of the coarse rule to the next."""
MAX_EVALUATIONS = 150_000
"""Nodes × different laws: two seconds at most."""
MAX_LIFT, MAX_STEP_Z, REACH_Z = 2.0, 0.3, 9.0
"""The line above the real one, the step along it, and its end."""
ANGLE, STEP_TIMES_SD = math.pi / 2, 0.21
"""exp(i e^y) is bounded where 0 ≤ Im y ≤ π: for wide logits the line runs midway, in steps that err by e^−39."""
AT_ONCE = 2**15
"""Numbers that fit into the processor's cache."""
SERIES_TERMS = 6
MAX_TURN = 1.5
"""Radians, from one node to the next."""


@dataclass(frozen=True)
class Damping:
    """The product of the other keys' characteristic functions at the nodes of a rule, and the rounding in it."""

    rule: QuadratureRule
    values: Inexact[np.ndarray, " node"]
    rounding: Float[np.ndarray, " node"]


def characteristic_product(
    event: WeightEvent, odds: Float[np.ndarray, " point"], *, step: float = STEP
) -> Damping | None:
    """What all other keys contribute, at nodes that serve any of the odds; None where that would take too long."""
    mean, sd = event.mean, event.sd
    if math.isfinite(event.certain):
        mean, sd = np.append(mean, event.certain), np.append(sd, 0.0)
    laws, _, count = distinct_laws(np.stack([mean, sd], axis=1))
    rule = _choose_rule(laws, event, odds, step)
    if len(rule.u) * len(laws) > MAX_EVALUATIONS:
        return None
    values, turning = np.ones(len(rule.u), dtype=complex), np.zeros(len(rule.u))
    for (law_mean, law_sd), n_keys in zip(laws, count, strict=True):
        values *= characteristic(rule.u + law_mean, float(law_sd)) ** n_keys
        turning += n_keys * _rounding(rule.u, law_mean)
    return Damping(rule, values, turning * np.abs(values) + 16 * EPS * (len(laws) + 1))


def turns_slowly(event: WeightEvent, odds: float) -> bool:
    """Whether e^{iωY} is likely to be damped before it turns too fast for a coarse rule.

    A logit of mean m has damped it where ω e^m sd is about 8; up to there it turns by ω Σ eᵐ in a unit of u.
    """
    mean, sd = np.append(event.mean, odds), np.append(event.sd, event.own_sd)
    noisy = sd > 0
    log_end = float((math.log(8.0) - mean[noisy] - np.log(np.minimum(sd[noisy], 1.0))).min())
    return log_end + float(np.logaddexp.reduce(np.append(mean, event.certain))) < math.log(MAX_COARSE_RATE)


def tabulate_own(event: WeightEvent, damping: Damping, odds: Float[np.ndarray, " point"]) -> OwnTable | None:
    """The derivative of the own key's characteristic function as a table for all odds; None where it would not pay."""
    u, sd = damping.rule.u, event.own_sd
    if sd == 0:
        return None

    def transform(x: Float[np.ndarray, " node"]) -> tuple[Inexact[np.ndarray, " node"], Float[np.ndarray, " node"]]:
        values = characteristic(x, sd, derivative=True)
        return values, np.abs(values)

    low, high = float(u.min() + odds.min()), float(u.max() + odds.max())
    return tabulate(transform, low, high, step=min(sd, 1.0) / 8, n_nodes=len(u) * len(odds))


def invert_characteristic(
    event: WeightEvent, damping: Damping, odds: float, *, density: bool, table: OwnTable | None = None
) -> tuple[float, float]:
    """P(α_a > t), or its derivative in the odds, and its error: halved steps, unresolved turns, rounding and ends.

    `table` is one of the own key's characteristic function, for a density.
    """
    rule = damping.rule
    if table is None:
        own, doubt = np.conj(characteristic(rule.u + odds, event.own_sd, derivative=density)), np.zeros(len(rule.u))
    else:
        values, _, doubt = table.look_up(rule.u + odds)
        own = np.conj(values)
    product = damping.values * own
    terms = -rule.weight * product.imag / math.pi
    value = float(terms.sum()) + (0.0 if density else 0.5)
    halved = abs(float(terms[::2].sum()) - float(terms[1::2].sum()))
    unresolved = float(rule.weight[1:] @ np.where(_turns(product) > MAX_TURN, np.abs(product[1:]), 0.0))
    ends = 8 * float(np.abs(product[0]) + np.abs(terms[-1])) / STEP
    size = np.maximum(np.abs(own), 0.0 if density else 1.0)
    rounding = float(rule.weight @ (damping.rounding * size + _rounding(rule.u, odds) * np.abs(product)))
    doubted = float(rule.weight @ (np.abs(damping.values) * doubt))
    return value, halved + unresolved + ends + rounding + doubted + event.rounding_error(odds, density=density)


def _rounding(u: Float[np.ndarray, " node"], mean: float) -> Float[np.ndarray, " node"]:
    """The relative error of exp(i e^{u + mean}): the rounding of its exponent."""
    return 8 * EPS * (1 + (np.abs(u) + abs(mean)) * np.exp(np.minimum(u + mean, 300.0)))


def _turns(product: Inexact[np.ndarray, " node"]) -> Float[np.ndarray, " step"]:
    """By how much the product turns from each node to the next; halving the step proves nothing where that is much."""
    return np.abs(np.angle(product[1:] * np.conj(product[:-1])))


def characteristic(
    x: Float[np.ndarray, " node"], sd: float, *, derivative: bool = False
) -> Inexact[np.ndarray, " node"]:
    """E exp(i e^y) for y ~ N(x, sd²), or its derivative in x."""
    if sd == 0:
        exp_y = np.exp(np.minimum(x, 300.0))
        return np.exp(1j * exp_y) * (1j * exp_y if derivative else 1)
    if sd >= GAUSS_SD:
        return continued_kernel(x, sd, derivative, angle=-math.pi / 2)[0]
    is_small = x < series_end(sd)
    values = np.empty(len(x), dtype=complex)
    values[is_small] = _sum_series(x[is_small], sd, derivative=derivative)
    values[~is_small] = _integrate_above_real_line(x[~is_small], sd, derivative=derivative)
    return values


def series_end(sd: float) -> float:
    """The x at which E e^{6y}/6! is 3e-23, and its derivative below a unit in the last place of e^x."""
    return -7.53 - 3 * sd**2


def _sum_series(x: Float[np.ndarray, " node"], sd: float, *, derivative: bool) -> Inexact[np.ndarray, " node"]:
    """Σ_k iᵏ/k! E e^{ky}, for x so small that what follows the last term is nothing beside the first."""
    k = np.arange(SERIES_TERMS)
    factor = 1j**k / np.array([math.factorial(each) for each in k]) * np.exp((k * sd) ** 2 / 2)
    return np.exp(np.outer(x, k)) @ (factor * k if derivative else factor)


def _integrate_above_real_line(
    x: Float[np.ndarray, " node"], sd: float, *, derivative: bool
) -> Inexact[np.ndarray, " node"]:
    """The integral over the normal variable, on a line above the real one, where exp(i e^y) decays, not turns."""
    step = min(MAX_STEP_Z, STEP_TIMES_SD / sd)
    z = np.arange(-REACH_Z, REACH_Z + step / 2, step) + 1j * min(MAX_LIFT, ANGLE / sd)
    mass = np.exp(-(z**2) / 2) * step / math.sqrt(2 * math.pi)
    turn = 1j * np.exp(sd * z)
    parts = []
    rows = AT_ONCE // len(z)
    for i in range(0, len(x), rows):
        turning = np.exp(np.minimum(x[i : i + rows, None], 300.0)) * turn
        values = np.exp(turning)
        parts.append((values * turning if derivative else values) @ mass)
    return np.concatenate(parts) if parts else np.empty(0, dtype=complex)


def _choose_rule(
    laws: Float[np.ndarray, "law parameter"], event: WeightEvent, odds: Float[np.ndarray, " point"], step: float
) -> QuadratureRule:
    """From where every e^{iωe^s} is still one, to where the narrowest keys have damped the product."""
    mean = np.concatenate([laws[:, 0], odds[[odds.argmin(), odds.argmax()]]])
    sd = np.concatenate([laws[:, 1], np.full(2, event.own_sd)])
    left = np.where(sd < 9, -40 - sd**2 / 2, -9.2 * sd - 3)
    noisy = (sd > 0) & (np.arange(len(sd)) < len(sd) - 1)  # the own logit at the smallest of the odds
    right = np.log(12 / np.minimum(sd[noisy], 1.0)) + 9.8 * sd[noisy]
    return graded_rule(float((left - mean).min()), float((right - mean[noisy]).min()), scale=1.0, step=step)
