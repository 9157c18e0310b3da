"""Moments of softmax weights under independent normal logits, as one integral over the line.

With S = Σ eˢⁱ, 1/S = ∫ e^{−tS} dt and t = eᵘ, independence turns every moment into a product of one-key kernels
(see `kernel`; P = Π L_k, r_i = D_i/L_i, q_i = Q_i/L_i):

    E α_i = ∫ r_i P du        E α_i α_j = ∫ r_i r_j P du   (i ≠ j)        E α_i² = ∫ q_i P du

Cost: keys × nodes. Keys with the same law are evaluated once. `many_keys` computes this integral for very many keys.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from regard.noise.kernel import DEPTH, GAUSS_SD, N_STENCIL, band_of, kernel, left_end, right_end, table_kernels
from regard.shapes import Float, Int

EPS = float(np.finfo(float).eps)

# Turning point of the graded rule, in units of the smallest scale on which a kernel varies.
TURN = 20.0


@dataclass(frozen=True)
class Precision:
    """How finely to integrate.

    `step`: of the rule, in units of the smallest scale on which a kernel varies; it errs by exp(−π²/step).
    `depth`: the integral begins where all weights are below e^−depth, and ends where P is, nearly.
    `same_law`: logits that differ by less, relatively, count as one law.
    `stencil`: from how many points of a table kernels are interpolated; 0 for none, but quadrature to all digits.
    """

    step: float
    depth: float
    same_law: float
    stencil: int


EXACT = Precision(step=0.25, depth=DEPTH, same_law=64 * EPS, stencil=0)
QUICK = Precision(step=0.25, depth=DEPTH, same_law=64 * EPS, stencil=N_STENCIL)
SEARCH = Precision(step=0.6, depth=24.0, same_law=1e-8, stencil=10)


@dataclass(frozen=True)
class QuadratureRule:
    """Nodes and weights of a quadrature rule over u."""

    u: Float[np.ndarray, " node"]
    weight: Float[np.ndarray, " node"]


@dataclass(frozen=True)
class WeightIntegral:
    """The integrand at its nodes: `mass` is the rule's weight times P, `ratios[k − 1]` is M_k / L of each law."""

    rule: QuadratureRule
    mass: Float[np.ndarray, " node"]
    ratios: Float[np.ndarray, "order node law"]
    law_of_key: Int[np.ndarray, " key"]

    def of_keys(self, order: int) -> Float[np.ndarray, "node key"]:
        """M_order / L of every key at every node."""
        return self.ratios[order - 1][:, self.law_of_key]


def weight_integral(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    *,
    order: int = 2,
    precision: Precision = EXACT,
) -> WeightIntegral:
    """Everything the moments of these weights need, at nodes chosen for these logits."""
    laws, law_of_key, count = distinct_laws(np.stack([mean, sd], axis=1), same_law=precision.same_law)
    mean, sd = laws[:, 0], laws[:, 1]
    rule = head_rule(mean, sd, count, precision)
    log_l, ratios = law_kernels(rule.u, mean, sd, order=order, stencil=precision.stencil)
    return WeightIntegral(rule, rule.weight * np.exp(log_l @ count), ratios, law_of_key)


def distinct_laws(
    parameters: Float[np.ndarray, "key parameter"], *, same_law: float = EXACT.same_law
) -> tuple[Float[np.ndarray, "law parameter"], Int[np.ndarray, " key"], Float[np.ndarray, " law"]]:
    """The different rows among the keys' parameters, which key has which, and how many have each.

    Rows that differ by rounding only count as one: μᵢ·q of orthonormal keys is rarely the same to the last bit.
    """
    unit = same_law * np.maximum(np.abs(parameters).max(axis=0), 1e-300)
    rounded = np.round(parameters / unit)
    order = np.lexsort(rounded.T[::-1])  # np.unique over rows does this in three times the time
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = (rounded[order[1:]] != rounded[order[:-1]]).any(axis=1)
    law_of_key = np.empty(len(order), dtype=np.int64)
    law_of_key[order] = np.cumsum(is_first) - 1
    count = np.diff(np.append(np.flatnonzero(is_first), len(order)))
    return parameters[order[is_first]], law_of_key, count.astype(float)


def head_rule(
    mean: Float[np.ndarray, " law"],
    sd: Float[np.ndarray, " law"],
    count: Float[np.ndarray, " law"],
    precision: Precision,
) -> QuadratureRule:
    """Nodes and weights for the logits of one head, given their different laws and how many keys have each."""

    def log_p(u: Float[np.ndarray, " node"]) -> Float[np.ndarray, " node"]:
        return law_kernels(u, mean, sd, order=1, stencil=precision.stencil or N_STENCIL)[0] @ count

    ends = support(mean, sd, log_p, depth=precision.depth)
    return graded_rule(*ends, scale=smallest_scale(sd), step=precision.step)


def centre_means(
    mean: Float[np.ndarray, "*head key"], sd: Float[np.ndarray, "*head key"]
) -> Float[np.ndarray, "*head key"]:
    """The means from where the integral ends on the right, which changes no weight.

    Kernels are narrow near that end alone, so that u + mean is rounded least where it matters.
    """
    return mean - (mean - right_end(sd)).max(axis=-1, keepdims=True)


def smallest_scale(sd: Float[np.ndarray, " key"]) -> float:
    """The smallest length on which a kernel varies: its sd, but never less than about one."""
    return float(max(1.0, sd.min() / 4))


def support(
    mean: Float[np.ndarray, " law"],
    sd: Float[np.ndarray, " law"],
    log_p: Callable[[Float[np.ndarray, " node"]], Float[np.ndarray, " node"]],
    *,
    depth: float = DEPTH,
) -> tuple[float, float]:
    """The interval of u outside which no key has weight: left of it D < e^−depth, right of it P < e^(−0.8 depth)."""
    low = float((left_end(sd, depth=depth) - mean).min())
    high = float((right_end(sd) - mean).min())
    below, scale = low, smallest_scale(sd)
    least = max(scale, 64 * EPS * max(abs(low), abs(high)))  # below that float64 has no numbers in between
    while high - below > least:  # P falls monotonically: narrow the place where it has vanished
        u = np.linspace(below, high, 24)
        vanished = np.append(log_p(u)[:-1] < -0.8 * depth, True)
        gone = int(np.argmax(vanished))
        below, high = float(u[max(gone - 1, 0)]), float(u[gone])
    return low, high


def graded_rule(low: float, high: float, *, scale: float, step: float = EXACT.step) -> QuadratureRule:
    """Trapezoid rule in v with u = high − turn · sinh v: fine where narrow kernels act, coarse far to the left.

    A kernel of scale s is spent within 20 s of the right end, so the step may grow with the distance from it, and
    standard deviations of thousands cost a few nodes more, not thousands of times more.
    """
    turn = TURN * scale
    in_v = step / TURN
    v = in_v * np.arange(math.ceil(math.asinh((high - low) / turn) / in_v) + 1)
    return QuadratureRule(high - turn * np.sinh(v), turn * np.cosh(v) * in_v)


def law_kernels(
    u: Float[np.ndarray, " node"],
    mean: Float[np.ndarray, " law"],
    sd: Float[np.ndarray, " law"],
    *,
    order: int,
    stencil: int = 0,
) -> tuple[Float[np.ndarray, "node law"], Float[np.ndarray, "order node law"]]:
    """ln L and M_k / L of each law at each node; laws of one sd, or of one table, are taken together."""
    log_l = np.empty((len(u), len(mean)))
    ratios = np.empty((order, len(u), len(mean)))
    tabulated = (sd > 0) & (sd < GAUSS_SD) & (stencil > 0)
    numbers = np.where(tabulated, -1.0 - band_of(sd), sd)
    for number in np.unique(numbers):
        columns = np.flatnonzero(numbers == number)
        x = u[:, None] + mean[columns]
        inside = np.clip(x, left_end(sd[columns]), right_end(sd[columns]))
        if number < 0:
            log_l[:, columns], ratios[:, :, columns] = table_kernels(inside, sd[columns], order=order, size=stencil)
        else:
            values = kernel(inside.reshape(-1), float(number), order=order)
            log_l[:, columns] = values.log_l.reshape(x.shape)
            ratios[:, :, columns] = values.ratios.reshape(order, *x.shape)
        beyond = np.exp(np.minimum(x - inside, 0.0))  # left of the end all M_k fall at least like eˣ
        log_l[:, columns] *= beyond
        ratios[:, :, columns] *= beyond
    return log_l, ratios
