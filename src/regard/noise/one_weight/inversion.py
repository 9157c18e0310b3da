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
from typing import TypeAlias

import numpy as np
from scipy.special import ndtr

from regard.noise.integral import QuadratureRule, distinct_laws, graded_rule, law_kernels, smallest_scale, support
from regard.noise.kernel import GAUSS_SD, N_STENCIL, gauss_rule, right_end, table_error, toeplitz
from regard.noise.many_keys import many_keys_product
from regard.noise.one_weight.event import EPS, WeightEvent
from regard.shapes import Float, Inexact

SMALLEST_SD = 0.25
"""Of the asked key's logit; below it, hardly a digit would be left."""
MAX_DIRECT_LAWS = 64
DEPTH = 42.0
TURN = 20.0
ANGLES = ((0.4, 1.45, 0.02), (0.8, 1.2, 0.0575), (GAUSS_SD, 0.0, 0.1875))
"""Below which sd the inner integral runs along Im w = −angle, nearer to −iπ, where less cancels; and in which steps."""
MAX_UNIT = 0.05
"""Of which the steps of both integrals are multiples."""
AT_ONCE = 2**20
N_OWN_STENCIL = 12
MAX_PLACES = 2**17
"""Of a table of the own key's transform."""
GOOD_ENOUGH = 4e-14
"""A doubt, as a share of the largest value, with which the step need not be halved."""

Transform = Callable[[Float[np.ndarray, " node"]], tuple[Inexact[np.ndarray, " node"], Float[np.ndarray, " node"]]]
"""From places to the values there, and the size of the terms of which they are made."""


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


@dataclass(frozen=True, eq=False)
class OwnGrid:
    """Im L(x − iπ) of the own key, or its derivative, and the size of its terms, at equal steps from the right end on.

    The nodes are those of the integral, and serve any odds.
    """

    x: Float[np.ndarray, " node"]
    step: float
    values: Float[np.ndarray, " node"]
    sizes: Float[np.ndarray, " node"]


@dataclass(frozen=True, eq=False)
class OwnTable:
    """A transform of the own logit, and the size of its terms, at equal steps from `low` on: a curve asks for it at
    many points, at nearly the same places.

    Between the places of the table a polynomial through twelve of them is taken; what one through ten of them gives
    instead is the doubt about it, and becomes part of the error.
    """

    low: float
    step: float
    values: Inexact[np.ndarray, " place"]
    sizes: Float[np.ndarray, " place"]

    def look_up(
        self, x: Float[np.ndarray, " node"]
    ) -> tuple[Inexact[np.ndarray, " node"], Float[np.ndarray, " node"], Float[np.ndarray, " node"]]:
        """The values at x, their sizes, and the doubt about the values; x lies within the table."""
        place = (x - self.low) / self.step
        first = np.clip(place.astype(int) - N_OWN_STENCIL // 2 + 1, 0, len(self.values) - N_OWN_STENCIL)
        inside = place - first
        near = first[:, None] + np.arange(N_OWN_STENCIL)
        stencil = self.values[near]
        wide = (stencil * (_powers(inside, N_OWN_STENCIL) @ WIDE)).sum(-1)
        narrow = (stencil[:, 1:-1] * (_powers(inside - 1, N_OWN_STENCIL - 2) @ NARROW)).sum(-1)
        sizes = np.maximum(self.sizes[near[:, N_OWN_STENCIL // 2 - 1]], self.sizes[near[:, N_OWN_STENCIL // 2]])
        return wide, sizes, np.abs(wide - narrow) + 4 * EPS * np.abs(wide)


OwnKernel: TypeAlias = OwnGrid | OwnTable


@dataclass(frozen=True, eq=False)
class OwnAtNodes:
    """A rule over u, and at its nodes the own key's Im L(u + odds − iπ), the size of its terms and its doubt."""

    rule: QuadratureRule
    values: Float[np.ndarray, " node"]
    sizes: Float[np.ndarray, " node"]
    doubt: Float[np.ndarray, " node"] | None = None


def own_kernel(event: WeightEvent, product: Product, odds: Float[np.ndarray, " point"], *, density: bool) -> OwnKernel:
    """The own key's kernel or its derivative, computed once for all these odds."""
    sd = event.own_sd
    if sd < GAUSS_SD:
        return _own_grid(sd, density)
    left, right = own_range(sd)
    right = max(min(right, product.high + float(odds.max())), left + sd)
    table = tabulate(lambda x: _imaginary_part(x, sd, density), left, right, step=sd / 10, n_nodes=MAX_PLACES)
    assert table is not None  # some hundred places, whatever the sd
    return table


def invert(
    event: WeightEvent, product: Product, odds: float, *, density: bool, own: OwnKernel | None = None
) -> tuple[float, float]:
    """P(α_a > t), or its derivative in the odds, and its error: halved steps, cancellation, rounding and ends.

    `own` is what `own_kernel` gives, where it was computed already.
    """
    left, right = own_range(event.own_sd)
    if left - odds >= min(product.high, right - odds):
        return 0.0, 1e-15
    own = own_kernel(event, product, np.array([odds]), density=density) if own is None else own
    found = _own_at_nodes(own, product, odds, event.own_sd)
    mass = found.rule.weight * np.exp(product.log_p(found.rule.u)) / math.pi
    terms = mass * found.values
    value = float(terms.sum())
    halved = abs(float(terms[::2].sum()) - float(terms[1::2].sum()))
    ends = float(np.abs(terms[[0, -1]]).max()) * 8 / (found.rule.weight[0] / product.scale)
    rounding = 64 * EPS * float(mass @ found.sizes) + (4 * product.error + 8 * EPS) * float(np.abs(terms).sum())
    if found.doubt is not None:
        rounding += float(mass @ found.doubt)
    return value, halved + ends + rounding + event.rounding_error(odds, density=density)


def _own_at_nodes(own: OwnKernel, product: Product, odds: float, sd: float) -> OwnAtNodes:
    """The part of a grid on which the product has not vanished, or of a table what the nodes of a graded rule need."""
    left, right = own_range(sd)
    low, high = left - odds, min(product.high, right - odds)
    if isinstance(own, OwnGrid):
        u = own.x - odds
        first = int(np.argmax(u <= high))
        rule = QuadratureRule(u[first:], np.full(len(u) - first, own.step))
        return OwnAtNodes(rule, own.values[first:], own.sizes[first:])
    rule = _choose_rule(low, high, product.scale, sd)
    return OwnAtNodes(rule, *own.look_up(rule.u + odds))


def _own_grid(sd: float, density: bool) -> OwnGrid:
    """A grid whose steps and those of the inner integral are multiples of one unit.

    So w − x takes few different values, and a function of it is evaluated some thousand times, not some 100,000 times.
    """
    w, gumbel, step_w = _gumbel_rule(sd)
    n_units = math.ceil(step_w / MAX_UNIT)
    unit = step_w / n_units
    n_units_x = max(1, math.floor(_finest_step(sd) / unit))
    left, right = own_range(sd)
    x = right - n_units_x * unit * np.arange(math.ceil((right - left) / (n_units_x * unit)) + 1)
    last = n_units * (len(w) - 1)
    gaps = w[0] - right + 1j * math.pi + unit * np.arange(-last, n_units_x * (len(x) - 1) + 1)
    terms = _normal_terms(gaps / sd, sd, density)
    matrices = (toeplitz(part, len(w), (n_units_x, n_units)) for part in (terms, np.abs(terms)))
    values, sizes = (matrix @ part[::-1] for matrix, part in zip(matrices, (gumbel, np.abs(gumbel)), strict=True))
    return OwnGrid(x, n_units_x * unit, values.imag, sizes)


def tabulate(transform: Transform, low: float, high: float, *, step: float, n_nodes: int) -> OwnTable | None:
    """A table of the transform from `low` to `high`, with steps halved until the doubt is small.

    None where a table would cost more than the `n_nodes` values that are wanted.
    """
    while True:
        n_places = math.ceil((high - low) / step) + 1 + N_OWN_STENCIL
        if n_places > min(MAX_PLACES, n_nodes / 2):
            return None
        start = low - step * (N_OWN_STENCIL // 2)
        table = OwnTable(start, step, *transform(start + step * np.arange(n_places)))
        middles = start + step * (np.arange(N_OWN_STENCIL // 2, n_places - N_OWN_STENCIL // 2) + 0.5)
        doubt = table.look_up(middles)[2]
        if doubt.max(initial=0.0) <= GOOD_ENOUGH * np.abs(table.values).max():
            return table
        step /= 2


def _powers(t: Float[np.ndarray, " node"], n: int) -> Float[np.ndarray, "node power"]:
    """Powers of t, centred so that they stay small: (t − middle)^k for k below n."""
    return np.vander(t - (n - 1) / 2, n, increasing=True)


def _lagrange(n: int) -> Float[np.ndarray, "power place"]:
    """What powers of the centred place must be multiplied by to give the weights of n equally spaced values."""
    places = np.arange(n) - (n - 1) / 2
    weights = np.empty((n, n))
    for i in range(n):
        others = np.delete(places, i)
        weights[:, i] = np.polynomial.polynomial.polyfromroots(others) / np.prod(places[i] - others)
    return weights


WIDE, NARROW = _lagrange(N_OWN_STENCIL), _lagrange(N_OWN_STENCIL - 2)


def _imaginary_part(
    x: Float[np.ndarray, " node"], sd: float, density: bool
) -> tuple[Float[np.ndarray, " node"], Float[np.ndarray, " node"]]:
    values, sizes = continued_kernel(x, sd, density)
    return values.imag, sizes


def _finest_step(sd: float) -> float:
    """The finest step of a rule over u for which every second node would do for the own kernel, too."""
    return 4.45 / (30 + 4.5 / sd**2)


def _choose_rule(low: float, high: float, scale: float, sd: float) -> QuadratureRule:
    """A graded rule, nowhere coarser than the own kernel allows even when only every second node is taken."""
    own = max(1.0, sd / 4)
    step = _finest_step(sd) * min(1.0, TURN * own / (high - low))
    return graded_rule(low, high, scale=min(scale, own), step=step)


def continued_kernel(
    x: Float[np.ndarray, " node"], sd: float, derivative: bool, *, angle: float = -math.pi
) -> tuple[Inexact[np.ndarray, " node"], Float[np.ndarray, " node"]]:
    """L(x + i angle), or its derivative in x, and the size of the terms of which it is made.

    L(x) = ∫ exp(w − eʷ) Φ((w − x)/sd) dw, taken at complex x.
    """
    w, gumbel, _ = _gumbel_rule(sd if angle < -2 else max(sd, 0.8))
    chunk = max(1, AT_ONCE // len(w))
    parts = [
        _sum_over_gumbel(x[i : i + chunk] + 1j * angle, w, gumbel, sd, derivative) for i in range(0, len(x), chunk)
    ]
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def _sum_over_gumbel(
    x: Inexact[np.ndarray, " node"], w: np.ndarray, gumbel: np.ndarray, sd: float, derivative: bool
) -> tuple[Inexact[np.ndarray, " node"], Float[np.ndarray, " node"]]:
    """L or its derivative at complex x, as a sum over the nodes w, and the sum of the terms' sizes."""
    terms = _normal_terms((w - x[:, None]) / sd, sd, derivative)
    return terms @ gumbel, np.abs(terms) @ np.abs(gumbel)


def _normal_terms(standard: Inexact[np.ndarray, "*node"], sd: float, derivative: bool) -> Inexact[np.ndarray, "*node"]:
    """Φ((w − x)/sd), or its derivative in x, where `standard` is (w − x)/sd."""
    return -np.exp(-(standard**2) / 2) / (sd * math.sqrt(2 * math.pi)) if derivative else ndtr(standard)


def _gumbel_rule(sd: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Nodes and weights for ∫ f(w) exp(w − eʷ) dw, for narrow logits along a line below the real one, and their step.

    From some sd on Gauss' rule is taken, whose nodes have no one step.
    """
    if sd >= GAUSS_SD:
        return (*gauss_rule(), math.nan)
    angle, step = next((angle, step) for end, angle, step in ANGLES if sd < end)
    top = 4.7 - math.log(math.cos(angle))
    w = top - step * np.arange(math.ceil((top + DEPTH) / step)) - 1j * angle
    return w, np.exp(w - np.exp(w)) * step, step


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
