"""E, Var and Cov, by the best means that fit.

    polynomials in the noise        Gaussian algebra, exact in every arithmetic
    up to squares of the weights    the exact laws of `noise`, in float64, error around 1e-13
    anything else                   samples: `NeedsSampling` is raised, and the judge runs a sequential test

A covariance is taken of what is left after the mean has been subtracted, so that nothing cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.claims.meaning.setting import Setting
from regard.claims.meaning.terms import Moment
from regard.claims.trial.arithmetic.numbers import FLOATS, CannotEvaluate, NotPolynomial, Value
from regard.claims.trial.arithmetic.polynomial import Monomial, Polynomial, Polynomials, gaussian_moment, variables
from regard.claims.trial.normal_means import expectation, normal_mean, with_axes
from regard.claims.trial.tree_evaluation import World, evaluate
from regard.shapes import Float

UNCORRELATED = 1e-13
"""Two logits whose correlation is no larger: rounding has made it."""

MAX_PAIR_LOAD = 100.0
"""What the joint law of two heads may cost: at 100 it takes about a second and little memory."""


class NeedsSampling(Exception):
    """No exact means fits."""


@dataclass(frozen=True)
class ExactMoments:
    """Works out moments in a setting; `random` are its random symbols and all that follow from them."""

    setting: Setting
    random: frozenset[str]

    def __call__(self, node: Moment, world: World, bound: Mapping[str, int]) -> Value:
        """The moment, noting in `world.how` by what means.

        Raises: CannotEvaluate where nothing is random: every variance would be 0.
        """
        if not self.random:
            raise CannotEvaluate("nothing is random here: E, Var and Cov need a letter with a law, as in X ~ N(0, 1)")
        try:
            found = moment_of(node, self.of_noise(world), bound, gaussian_moment)
            world.how.add("Gaussian algebra")
        except NotPolynomial:
            if node.kind == "normal":
                raise CannotEvaluate("conditional moments are worked out for jointly normal letters only") from None
            if world.numbers is not FLOATS:
                raise NeedsSampling("laws of weights are worked out in float64 only") from None
            found = self.by_laws(node, world, bound)
            world.how.add("exact laws of the weights")
        return found

    def of_noise(self, world: World) -> World:
        """A copy of the world in which the noise is made of variables; one for all moments in it."""
        if world.noise_world is None:
            noise = {
                spec.name: variables(spec.name, world.given[spec.name].shape[1:])
                for spec in self.setting.symbols
                if spec.random
            }
            world.noise_world = self._polynomial_world(world, noise)
        return world.noise_world

    def by_laws(self, node: Moment, world: World, bound: Mapping[str, int]) -> Value:
        """The moment of something that is a polynomial of at most second degree in the weights."""
        weights = [weight for weight, _ in self.setting.weights]
        try:
            atoms = {weight: variables(weight, self._weight_shape(weight, world)) for weight in weights}
            bare = self._polynomial_world(world, atoms)
            if world.weight_law is None:
                world.weight_law = WeightMoments(self.of_noise(world), self.setting.weights)
            return moment_of(node, bare, bound, world.weight_law)
        except NotPolynomial as error:
            raise NeedsSampling(str(error)) from error

    def _weight_shape(self, weight: str, world: World) -> tuple[int, int]:
        if weight in world.given or world.borrow is not None:
            raise NotPolynomial("weights that are set from outside")
        rows, columns = self.setting.symbol(weight).shape
        return world.size(rows), world.size(columns)

    def _polynomial_world(self, world: World, atoms: dict[str, Value]) -> World:
        """Symbols that are not random keep their values; random ones are atoms or follow from them."""
        numbers = Polynomials(world.numbers)

        def borrow(name: str) -> Value | None:
            if name in self.random and name not in world.definitions:
                raise NotPolynomial(f"{name} beside the weights")
            return None if name in self.random else with_axes(world.value(name))

        def inner(node: Moment, _: World, bound: Mapping[str, int]) -> Value:
            return with_axes(self(node, world, bound))

        return world.with_given(numbers=numbers, given=atoms, moments=inner, borrow=borrow)


def moment_of(node: Moment, world: World, bound: Mapping[str, int], moment: Callable[[Monomial], Any]) -> Value:
    """A moment of expressions that are polynomials in this world."""
    if node.kind == "mean" and moment is gaussian_moment:
        found = normal_mean(node.arguments[0], world, bound)
        if found is not None:
            return found
    values = [evaluate(argument, world, bound) for argument in node.arguments]
    if node.kind == "mean":
        return expectation(values[0], moment, world)
    if node.kind == "normal" and any(entry.degree > 1 for value in values for entry in value.flat):
        raise NotPolynomial("a conditional moment of what is not normal")
    centred = [value - with_axes(expectation(value, moment, world)) for value in values]
    left, right = centred[0], centred[-1]
    if moment is gaussian_moment and all(entry.degree <= 1 for value in values for entry in value.flat):
        return _linear_moment(node.kind, left, right, world)
    if node.kind == "variances":
        return expectation(left * left, moment, world)
    if node.kind == "total":
        return expectation((left * left).sum(axis=(-2, -1), keepdims=True), moment, world)
    return expectation(left.reshape(-1, 1) @ right.reshape(1, -1), moment, world)


def _linear_moment(kind: str, left: Value, right: Value, world: World) -> Value:
    """Covariances of what is linear in independent standard noise: sums of products of like coefficients."""
    first, second = left.reshape(-1), right.reshape(-1)
    if kind in ("variances", "total"):
        pairs = [[_covariance(entry, entry)] for entry in first]
    else:
        pairs = [[_covariance(one, other) for other in second] for one in first]
    constants = np.empty((len(pairs), len(pairs[0])), dtype=object)
    for place in np.ndindex(constants.shape):
        constants[place] = Polynomial({(): pairs[place[0]][place[1]]})
    if kind == "total":
        constants = constants.sum(keepdims=True)
    elif kind == "variances":
        constants = constants.reshape(left.shape)
    return expectation(constants, gaussian_moment, world)


class WeightMoments:
    """E of products of at most two weights, of one head or of two, for each draw; each law is asked once."""

    def __init__(self, noise_world: World, weights: tuple[tuple[str, str], ...]) -> None:
        self.noise_world = noise_world
        self.logits_of = dict(weights)
        self.laws: dict[tuple[str, ...], tuple[np.ndarray, np.ndarray]] = {}

    def __call__(self, monomial: Monomial) -> Any:
        """E of a monomial in weights."""
        if not monomial:
            return 1.0
        if len(monomial) > 2:
            raise NotPolynomial("a third power of weights")
        heads = tuple(sorted({name for name, _ in monomial}))
        if heads not in self.laws:
            self.laws[heads] = self.work_out(heads)
        first, second = self.laws[heads]
        n_keys = first.shape[1] // len(heads)
        places = [heads.index(name) * n_keys + place for name, place in monomial]
        return first[:, places[0]] if len(places) == 1 else second[:, places[0], places[1]]

    def work_out(self, heads: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
        """E α_i and E α_i α_j of these heads, by the law of the logits."""
        logits = [self.noise_world.value(self.logits_of[head]).reshape(-1) for head in heads]
        require_normal(logits)
        found = []
        for mean, covariance in zip(*logit_law(logits), strict=True):
            self.noise_world.check_time()
            found.append(_weight_moments(mean, covariance))
        return np.stack([first for first, _ in found]), np.stack([second for _, second in found])


def require_normal(logits: list[np.ndarray]) -> None:
    """Logits must be linear in the noise, and different keys must not share any of it."""
    seen: dict[Monomial, int] = {}
    for head in logits:
        for key, logit in enumerate(head):
            if logit.degree > 1:
                raise NotPolynomial("logits that are not normal")
            for monomial in logit.terms:
                if monomial and seen.setdefault(monomial, key) != key:
                    raise NotPolynomial("keys that share noise")


def logit_law(logits: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Means (draw, head, key) and covariances (draw, key, head, head) of normal logits."""
    n_heads, n_keys = len(logits), len(logits[0])
    constant = [np.atleast_1d(logit.coefficient()) for head in logits for logit in head]
    mean = np.stack(np.broadcast_arrays(*constant), axis=-1).reshape(-1, n_heads, n_keys).astype(float)
    covariance = np.zeros((len(mean), n_keys, n_heads, n_heads))
    for key in range(n_keys):
        for g in range(n_heads):
            for h in range(n_heads):
                covariance[:, key, g, h] = _covariance(logits[g][key], logits[h][key])
    variance = np.einsum("dkhh->dkh", covariance)
    largest = variance.max(axis=(1, 2))[:, None, None, None]
    is_rounding = np.abs(covariance) <= UNCORRELATED * variance.max(axis=2)[..., None, None]
    is_rounding &= ~np.eye(n_heads, dtype=bool)
    return mean, np.where(is_rounding | (np.abs(covariance) <= UNCORRELATED**2 * largest), 0.0, covariance)


def _covariance(left: Polynomial, right: Polynomial) -> Any:
    shared = [monomial for monomial in left.terms if monomial and monomial in right.terms]
    return sum(left.terms[one] * right.terms[one] for one in shared)


def _weight_moments(mean: np.ndarray, covariance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """E α_i and E α_i α_j over all heads: the laws of `noise` for values that are unit vectors."""
    from regard.noise.joint import independent_joint_moments
    from regard.noise.keys import LogitLaw

    if not (np.isfinite(mean).all() and np.isfinite(covariance).all()):
        size = mean.size
        return np.full(size, np.nan), np.full((size, size), np.nan)
    if pair_load(mean, covariance) > MAX_PAIR_LOAD:
        raise NotPolynomial("two heads whose joint law takes too long")
    joint = independent_joint_moments(LogitLaw(mean, covariance), np.eye(mean.shape[1]))
    if joint is None:
        raise NotPolynomial("two heads whose joint law is out of reach")
    first, spread = joint.combine_heads("concat")
    return first, spread + np.outer(first, first)


def pair_load(mean: Float[np.ndarray, "head key"], covariance: Float[np.ndarray, "key head head2"]) -> float:
    """How far the common noise of two heads moves their logits, summed over keys: so grow the nodes that it needs.

    Given a key's common factor its two logits are independent; it moves each by sd·√|correlation|. The same query
    twice needs no nodes at all.
    """
    if len(mean) == 1:
        return 0.0
    sd = np.sqrt(np.einsum("khh->kh", covariance))
    between, product = np.abs(covariance[:, 0, 1]), sd.prod(axis=1)
    if np.array_equal(mean[0], mean[1]) and np.allclose(covariance[:, 0, 1], product, rtol=1e-14, atol=0):
        return 0.0
    share = np.sqrt(np.divide(between, product, out=np.zeros(len(sd)), where=between > 0))
    return float((sd.max(axis=1) * share).sum())
