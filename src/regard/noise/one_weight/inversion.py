"""The distribution of one weight as one integral, for any number of keys.

α_a > t exactly when Y = Σ_{j≠a} e^{s_j} − c e^{s_a} < 0 with c = (1 − t)/t. The Laplace transform of Y is a product of
the kernels L of all keys, continued to the ray on which e^{s_a} enters with the other sign. Turned back onto the real
line for the other keys, the inversion integral becomes

    P(α_a > t) = 1/π ∫ Π_{j≠a} L_j(u) · Im L_a(u + ln c − iπ) du.

Continuing L_a to −iπ costs digits where sd_a is small: terms of size exp(1.7²/2sd_a²) cancel. The sizes are summed
along, so that the error says what was lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from regard.noise.integral import QuadratureRule, distinct_laws, graded_rule, law_kernels, smallest_scale, support
from regard.noise.kernel import GAUSS_SD, N_STENCIL, gauss_rule, right_end, table_error
from regard.noise.many_keys import many_keys_product
from regard.noise.one_weight.event import EPS, WeightEvent
from regard.noise.one_weight.own_table import OwnTable, tabulate
from regard.shapes import Float, Inexact

SMALLEST_SD = 0.25
"""Of the asked key's logit; below it, hardly a digit would be left."""
MAX_DIRECT_LAWS = 64
DEPTH = 42.0
TURN = 20.0
ANGLES = ((0.4, 1.45, 0.02), (0.8, 1.2, 0.0575), (GAUSS_SD, 0.0, 0.1875))
"""Below which sd the inner integral runs along Im w = −angle, nearer to −iπ, where less cancels; and in which steps."""
AT_ONCE = 2**20


@dataclass(frozen=True)
class Product:
    """ln Π L_j of the other keys as a function of u, its relative error, and the u from which on it has vanished."""

    log_p: Callable[[Float[np.ndarray, " node"]], Float[np.ndarray, " node"]]
    error: float
    high: float
    scale: float


def kernel_product(event: WeightEvent) -> Product:
    """The product of all other keys' kernels."""
    certain = math.isfinite(event.certain)
    mean = np.append(event.mean, event.certain) if certain else event.mean
    sd = np.append(event.sd, 0.0) if certain else event.sd
    log_p, error = _log_product(mean, sd)
    return Product(log_p, error, support(mean, sd, log_p)[1], smallest_scale(sd))


def own_range(sd: float) -> tuple[float, float]:
    """From where to where the own key's kernel is wanted."""
    left = -DEPTH - sd**2 / 2 if sd < 9 else -9.2 * sd - 3
    return left, float(right_end(np.array([sd]))[0])


def tabulate_own(event: WeightEvent, product: Product, odds: Float[np.ndarray, " point"]) -> OwnTable | None:
    """The derivative of the own key's kernel as a table for all these odds; None where it would not pay."""
    sd = event.own_sd
    left, right = own_range(sd)
    right = min(right, product.high + float(odds.max()))
    if left >= right:
        return None
    n_nodes = len(odds) * len(_choose_rule(left, right, product.scale, sd).u)
    step = sd * min(1.0, sd) / 8
    return tabulate(lambda x: continued_kernel(x, sd, True), left, right, step=step, n_nodes=n_nodes)


def invert(
    event: WeightEvent, product: Product, odds: float, *, density: bool, own: OwnTable | None = None
) -> tuple[float, float]:
    """P(α_a > t), or its derivative in the odds, and its error: halved steps, cancellation, rounding and ends.

    `own` is a table of the own key's kernel, for a density.
    """
    sd = event.own_sd
    left, right = own_range(sd)
    low, high = left - odds, min(product.high, right - odds)
    if low >= high:
        return 0.0, 1e-15
    rule = _choose_rule(low, high, product.scale, sd)
    log_p = product.log_p(rule.u)
    mass = rule.weight * np.exp(log_p) / math.pi
    continued, sizes, doubt = look_up_or_compute(own, rule.u + odds, sd, density)
    values = continued.imag
    terms = mass * values
    value = float(terms.sum())
    halved = abs(float(terms[::2].sum()) - float(terms[1::2].sum()))
    ends = float(np.abs(terms[[0, -1]]).max()) * 8 / (rule.weight[0] / product.scale)
    rounding = 64 * EPS * float(mass @ sizes) + (4 * product.error + 8 * EPS) * float(np.abs(terms).sum())
    rounding += float(mass @ doubt)
    return value, halved + ends + rounding + event.rounding_error(odds, density=density)


def look_up_or_compute(
    own: OwnTable | None, x: Float[np.ndarray, " node"], sd: float, density: bool, *, angle: float = -math.pi
) -> tuple[Inexact[np.ndarray, " node"], Float[np.ndarray, " node"], Float[np.ndarray, " node"]]:
    """L(x + i angle) or its derivative, the size of its terms, and how far it may be off for having been looked up."""
    if own is not None:
        return own.look_up(x)
    return (*continued_kernel(x, sd, density, angle=angle), np.zeros(len(x)))


def _choose_rule(low: float, high: float, scale: float, sd: float) -> QuadratureRule:
    """A graded rule, nowhere coarser than the own kernel allows even when only every second node is taken."""
    own = max(1.0, sd / 4)
    finest = 4.45 / (30 + 4.5 / sd**2)
    step = finest * min(1.0, TURN * own / (high - low))
    return graded_rule(low, high, scale=min(scale, own), step=step)


def continued_kernel(
    x: Float[np.ndarray, " node"], sd: float, derivative: bool, *, angle: float = -math.pi
) -> tuple[Inexact[np.ndarray, " node"], Float[np.ndarray, " node"]]:
    """L(x + i angle), or its derivative in x, and the size of the terms of which it is made.

    L(x) = ∫ exp(w − eʷ) Φ((w − x)/sd) dw, taken at complex x.
    """
    w, gumbel = _gumbel_rule(sd if angle < -2 else max(sd, 0.8))
    chunk = max(1, AT_ONCE // len(w))
    parts = [
        _sum_over_gumbel(x[i : i + chunk] + 1j * angle, w, gumbel, sd, derivative) for i in range(0, len(x), chunk)
    ]
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def _sum_over_gumbel(
    x: Inexact[np.ndarray, " node"], w: np.ndarray, gumbel: np.ndarray, sd: float, derivative: bool
) -> tuple[Inexact[np.ndarray, " node"], Float[np.ndarray, " node"]]:
    """L or its derivative at complex x, as a sum over the nodes w, and the sum of the terms' sizes."""
    standard = (w - x[:, None]) / sd
    terms = -np.exp(-(standard**2) / 2) / (sd * math.sqrt(2 * math.pi)) if derivative else ndtr(standard)
    return terms @ gumbel, np.abs(terms) @ np.abs(gumbel)


def _gumbel_rule(sd: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights for ∫ f(w) exp(w − eʷ) dw, for narrow logits along a line below the real one."""
    if sd >= GAUSS_SD:
        return gauss_rule()
    angle, step = next((angle, step) for end, angle, step in ANGLES if sd < end)
    top = 4.7 - math.log(math.cos(angle))
    w = top - step * np.arange(math.ceil((top + DEPTH) / step)) - 1j * angle
    return w, np.exp(w - np.exp(w)) * step


def _log_product(
    mean: Float[np.ndarray, " key"], sd: Float[np.ndarray, " key"]
) -> tuple[Callable[[Float[np.ndarray, " node"]], Float[np.ndarray, " node"]], float]:
    """ln Π L_j as a function of u, and the error of the tables behind it."""
    laws, _, count = distinct_laws(np.stack([mean, sd], axis=1))
    if len(laws) > MAX_DIRECT_LAWS:
        product = many_keys_product(mean, sd)
        return product, product.error
    error = table_error(laws[(laws[:, 1] > 0) & (laws[:, 1] < GAUSS_SD), 1])
    return lambda u: law_kernels(u, laws[:, 0], laws[:, 1], order=1, stencil=N_STENCIL)[0] @ count, error
