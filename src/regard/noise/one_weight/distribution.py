"""The distribution of one weight: P(α_a > t) and its density, each with its method and an error that holds.

    one normal variable decides            `event`           closed form
    two noisy logits                       `quadrature`      one integral over panels
    all but impossible, or all but sure    `event`           two bounds that meet
    the asked key's logit is wide          `inversion`       one integral over products of kernels, any number of keys
    it is narrow                           `characteristic`  one integral over products of characteristic functions
    neither reaches a small error          `sampling`        randomised quasi-Monte Carlo

Each method measures its own error; where the first that applies is not good enough the next is tried, and the best of
them is the answer. None takes more than a few seconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from regard.arrays.namespace import quiet
from regard.noise.one_weight import characteristic, inversion
from regard.noise.one_weight.characteristic import (
    COARSE_STEP,
    Damping,
    characteristic_product,
    invert_characteristic,
    turns_slowly,
)
from regard.noise.one_weight.event import MAX_FLOAT, Estimate, WeightEvent, closed_form, tight_bounds, weight_event
from regard.noise.one_weight.inversion import SMALLEST_SD, OwnKernel, OwnTable, Product, invert, kernel_product
from regard.noise.one_weight.quadrature import integrate_two_noisy
from regard.noise.one_weight.sampling import sample_density, sample_probability
from regard.shapes import Float

GOOD_ENOUGH = 1e-9
"""An error below which no other method is tried; for a density, in units of the largest that these logits may have."""
FINE = 1e-11
"""An error of a coarse rule below which a finer one is not tried: not much more than rounding."""
MIN_CURVE = 12
"""Points from which on the own key's transform is tabulated."""
WIDE_SD = 0.8
"""Of the asked key's logit; from here on the kernels are the quicker."""


@dataclass(frozen=True, eq=False)
class DensityCurve:
    """The density of one weight at many points, with the error of each; `method` names all that were used."""

    at: Float[np.ndarray, " node"]
    value: Float[np.ndarray, " node"]
    error: Float[np.ndarray, " node"]
    method: str

    def __repr__(self) -> str:
        largest = f"{self.error.max():.1e}" if len(self.error) else "none"
        return f"DensityCurve({len(self.at)} points, by {self.method or 'none'}, largest error {largest})"


def weight_exceeds(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    key: int,
    threshold: float,
    *,
    rng: np.random.Generator,
    shift: float = 0.0,
) -> Estimate:
    """P(α_key > threshold) for independent logits, any two of which differ from what is given by at most `shift`.

    >>> law = weight_exceeds(np.array([10.0, 10.0]), np.array([50**0.5, 0.0]), 0, 0.95, rng=np.random.default_rng(0))
    >>> 1 - 2 * round(law.value, 6)                # erf(ln 19 / 10), not almost two-valued at C = 10
    0.32288...
    """
    return weight_exceeds_each(mean, sd, key, np.array([threshold]), rng=rng, shift=shift)[0]


def weight_exceeds_each(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    key: int,
    thresholds: Float[np.ndarray, " threshold"],
    *,
    rng: np.random.Generator,
    shift: float = 0.0,
) -> tuple[Estimate, ...]:
    """P(α_key > t) for each of the thresholds, with what does not depend on the threshold computed once."""
    event, odds = weight_event(mean, sd, key, shift=shift), log_odds(thresholds)
    transforms = Transforms(event, odds)
    return tuple(_find_probability(transforms, float(each), rng) for each in odds)


def _find_probability(transforms: Transforms, odds: float, rng: np.random.Generator) -> Estimate:
    event = transforms.event
    found = solve_few_noisy(event, odds, density=False) or tight_bounds(event, odds)
    if found is None:
        found = _invert_best(transforms, odds, density=False)
        if found is None or found.error > GOOD_ENOUGH:
            value, error = sample_probability(event, odds, rng)
            found = _choose_better(found, value, error)
    return replace(found, value=min(max(found.value, 0.0), 1.0))


def weight_density(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    key: int,
    at: float,
    *,
    rng: np.random.Generator,
    shift: float = 0.0,
) -> Estimate:
    """The density of α_key at one point."""
    curve = density_curve(mean, sd, key, np.array([at]), rng=rng, shift=shift)
    return Estimate(float(curve.value[0]), curve.method, float(curve.error[0]))


def density_curve(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    key: int,
    at: Float[np.ndarray, " node"],
    *,
    rng: np.random.Generator | None = None,
    shift: float = 0.0,
) -> DensityCurve:
    """The density of α_key at many points, with what does not depend on the point computed once."""
    event, odds = weight_event(mean, sd, key, shift=shift), log_odds(at)
    found = _find_densities(event, odds, np.random.default_rng(0) if rng is None else rng)
    with np.errstate(over="ignore"):
        slope = np.minimum(1 / (at * (1 - at)), MAX_FLOAT)
        value = np.minimum(slope * np.array([max(each.value, 0.0) for each in found]), MAX_FLOAT)
        error = np.minimum(slope * np.array([each.error for each in found]), MAX_FLOAT)
    return DensityCurve(at, value, error, ", ".join(dict.fromkeys(each.method for each in found)))


def _find_densities(event: WeightEvent, odds: Float[np.ndarray, " node"], rng: np.random.Generator) -> list[Estimate]:
    """The derivative of P in the odds at each of them; draws serve all those at which nothing else is good enough."""
    direct = [solve_few_noisy(event, float(each), density=True) for each in odds]
    found = [each for each in direct if each is not None]
    if len(found) == len(odds):
        return found
    transforms = Transforms(event, odds)
    inverted = [_invert_best(transforms, float(each), density=True) for each in odds]
    scale = GOOD_ENOUGH / max(event.own_sd, float(event.sd.max()))
    poor = np.array([each is None or each.error > scale for each in inverted], dtype=bool)
    draws = iter(np.transpose(sample_density(event, odds[poor], rng))) if poor.any() else iter(())
    return [
        _choose_better(each, *next(draws)) if each is None or is_poor else each
        for each, is_poor in zip(inverted, poor, strict=True)
    ]


def _choose_better(found: Estimate | None, value: float, error: float) -> Estimate:
    """What was found, or what was sampled if that has the smaller error."""
    return Estimate(float(value), "sampling", float(error)) if found is None or error < found.error else found


def log_odds(t: Float[np.ndarray, "*node"]) -> Float[np.ndarray, "*node"]:
    """ln((1 − t)/t), to its last digit also where t is near ½ and the odds near 0."""
    with quiet():  # of both forms one is kept; the other may overflow where t is next to 0
        return np.where(np.abs(t - 0.5) < 0.25, np.log1p((1 - 2 * t) / t), np.log1p(-t) - np.log(t))


@dataclass
class Transforms:
    """The transforms of all other keys' logits, each computed when it is first needed, for any of some odds."""

    event: WeightEvent
    odds: Float[np.ndarray, " node"]

    @cached_property
    def product(self) -> Product:
        """The product of the kernels, for `inversion`."""
        return kernel_product(self.event)

    @cached_property
    def damping(self) -> Damping | None:
        """The damping of the characteristic functions; None where these take too many nodes."""
        return characteristic_product(self.event, self.odds)

    @cached_property
    def coarse_damping(self) -> Damping | None:
        """At a quarter of the nodes, which do where the product turns slowly."""
        return characteristic_product(self.event, self.odds, step=COARSE_STEP)

    @cached_property
    def own_kernel(self) -> OwnKernel:
        """The own key's kernel, for P; see `inversion`."""
        return inversion.own_kernel(self.event, self.product, self.odds, density=False)

    @cached_property
    def own_slope(self) -> OwnKernel:
        """The derivative of `own_kernel`, for a density."""
        return inversion.own_kernel(self.event, self.product, self.odds, density=True)

    @cached_property
    def characteristic_table(self) -> OwnTable | None:
        """A table of the own key's characteristic function, for curves that need it at many points."""
        is_curve = len(self.odds) >= MIN_CURVE and self.damping is not None
        return characteristic.tabulate_own(self.event, self.damping, self.odds) if is_curve and self.damping else None


def solve_few_noisy(event: WeightEvent, odds: float, *, density: bool) -> Estimate | None:
    """The closed form or the quadrature, where one or two logits are noisy; no other method would be more exact."""
    return closed_form(event, odds, density=density) or integrate_two_noisy(event, odds, density=density)


def _invert_best(transforms: Transforms, odds: float, *, density: bool) -> Estimate | None:
    """The better of the two inversions; None where neither applies."""
    best = None
    for value, error in _try_inversions(transforms, odds, density):
        if math.isfinite(value + error) and (best is None or error < best.error):
            best = Estimate(float(value), "inversion", float(error))
        if best is not None and best.error <= GOOD_ENOUGH:
            break
    return best


def _try_inversions(transforms: Transforms, odds: float, density: bool) -> Iterator[tuple[float, float]]:
    """By kernels, and by characteristic functions; the one that is likely to do first."""
    event = transforms.event
    if event.own_sd >= WIDE_SD:
        yield _invert_kernels(transforms, odds, density)
    yield from _try_characteristic(transforms, odds, density)
    if SMALLEST_SD <= event.own_sd < WIDE_SD:
        yield _invert_kernels(transforms, odds, density)


def _try_characteristic(transforms: Transforms, odds: float, density: bool) -> Iterator[tuple[float, float]]:
    """By characteristic functions, with few nodes where these are enough; never where all would be too many."""
    event = transforms.event
    if not density and turns_slowly(event, odds) and transforms.coarse_damping is not None:
        found = invert_characteristic(event, transforms.coarse_damping, odds, density=False)
        if found[1] <= FINE:
            yield found
            return
    if transforms.damping is not None:
        table = transforms.characteristic_table if density else None
        yield invert_characteristic(event, transforms.damping, odds, density=density, table=table)


def _invert_kernels(transforms: Transforms, odds: float, density: bool) -> tuple[float, float]:
    own = transforms.own_slope if density else transforms.own_kernel
    return invert(transforms.event, transforms.product, odds, density=density, own=own)
