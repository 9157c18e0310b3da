"""Expected squared error of one or several heads under noisy keys, with its gradient in the queries.

    F(q_1 … q_h) = E |(1/h) Σ c_h − target|² = |E c̄ − target|² + (1/h²) (Σ_h tr Cov c_h + 2 Σ_{g<h} tr Cov(c_g, c_h))

The exact laws give F in terms of each head's logit means m_i = μ_i·q and variances q·Σ_i q and of the heads'
covariances q_g·Σ_i q_h; the chain rule back to the queries is dm_i/dq = μ_i and d(q·Σ_i q)/dq = 2 Σ_i q.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from regard.errors import ValueRangeError
from regard.noise.gradient import Cotangents, integral_gradient
from regard.noise.integral import SEARCH, QuadratureRule, WeightIntegral, distinct_laws, weight_integral
from regard.noise.keys import GaussianKeys, LogitLaw, logit_law
from regard.noise.pair import PairLogits, factor_sizes, pair_integral
from regard.shapes import Float

Queries = Float[np.ndarray, "head width"]
Watch = Callable[[Queries, float], None]
"""Told the queries that were tried and their error; may raise to end the search."""


def ignore_step(queries: Queries, error: float) -> None:
    """Take no notice: what `robust` calls where no `watch` is given."""


MAX_PAIR_NUMBERS = 2**25
"""Of the integrand for two heads: a quarter of a gigabyte, which is needed some times over."""
FIRST_STEP = 10.0
"""By how much the first step of a descent may move the logits, about."""


@dataclass(frozen=True)
class Objective:
    """F to search precision (2e-6), over queries no longer than `bound`; `watch` is called at each evaluation."""

    keys: GaussianKeys
    values: Float[np.ndarray, "key value_width"]
    target: Float[np.ndarray, " value_width"]
    bound: float
    watch: Watch = ignore_step

    def descend(self, queries: Queries, *, tolerance: float = 1e-8) -> tuple[Queries, float]:
        """A local minimum, by L-BFGS from these queries, until a step gains less than `tolerance`.

        Keys that play the same part keep playing it: then the search is over one number a part, not one an axis.
        """
        parts = self.parts(queries)
        found, error = self._descend_along(queries, self._axes() if parts is None else parts, tolerance)
        if parts is not None and not self._is_along(found, parts):
            found, error = self._descend_along(found, self._axes(), tolerance)
        return found, error

    def _axes(self) -> Float[np.ndarray, "width width"]:
        """The axes, shorter for large keys: L-BFGS begins with a step of length 1, which should move logits by tens."""
        return np.eye(self.keys.width) / max(1.0, float(np.abs(self.keys.mean).max()) / FIRST_STEP)

    def parts(self, queries: Queries) -> Float[np.ndarray, "part width"] | None:
        """Directions that treat keys of one law alike, if the gradient does so too; None otherwise."""
        logits = logit_law(self.keys, queries)
        laws = np.concatenate([logits.mean.T, logits.covariance.reshape(self.keys.n_keys, -1)], axis=1)
        different, part_of_key, _ = distinct_laws(laws, same_law=SEARCH.same_law)
        parts = np.zeros((len(different), self.keys.width))
        np.add.at(parts, part_of_key, np.linalg.pinv(self.keys.mean).T)
        return parts if len(different) < self.keys.n_keys and self._is_along(queries, parts) else None

    def _is_along(self, queries: Queries, parts: Float[np.ndarray, "part width"]) -> bool:
        """Whether queries and gradient lie in the span of the parts, to search precision."""
        both = np.concatenate([queries, self.with_gradient(queries)[1]])
        beside = both - (both @ np.linalg.pinv(parts)) @ parts
        return bool(np.abs(beside).max() <= 1e-5)

    def _descend_along(
        self, queries: Queries, directions: Float[np.ndarray, "direction width"], tolerance: float
    ) -> tuple[Queries, float]:
        shape = len(queries), len(directions)

        def function(flat: Float[np.ndarray, " axis"]) -> tuple[float, Float[np.ndarray, " axis"]]:
            inside, pull_back = squash_into_ball(flat.reshape(shape) @ directions, self.bound)
            error, gradient = self.with_gradient(inside)
            return error, (pull_back(gradient) @ directions.T).reshape(-1)

        start = unsquash_from_ball(queries, self.bound) @ np.linalg.pinv(directions)
        options = {"maxiter": 60, "ftol": tolerance, "gtol": 1e-8, "maxcor": 20}
        found = minimize(function, start.reshape(-1), jac=True, method="L-BFGS-B", options=options)  # type: ignore[call-overload]
        return squash_into_ball(found.x.reshape(shape) @ directions, self.bound)[0], float(found.fun)

    def error(self, queries: Queries) -> float:
        """F alone."""
        return self._evaluate(queries, gradient=None)

    def with_gradient(self, queries: Queries) -> tuple[float, Queries]:
        """F and its gradient in every query."""
        gradient = np.zeros_like(queries)
        return self._evaluate(queries, gradient), gradient

    def _evaluate(self, queries: Queries, gradient: Queries | None) -> float:
        """F; its gradient is added to `gradient` where one is asked for."""
        logits = logit_law(self.keys, queries)
        order = 2 if gradient is None else 4
        heads = [
            weight_integral(logits.mean[h], logits.sd(h), order=order, precision=SEARCH) for h in range(len(queries))
        ]
        outputs = np.stack([self._output(head) for head in heads])
        miss = outputs.mean(axis=0) - self.target
        error = float(miss @ miss)
        for h, head in enumerate(heads):
            error += self._own_variance(head, outputs[h]) / len(queries) ** 2
            if gradient is not None:
                gradient[h] += self._own_gradient(head, queries[h], miss, len(queries))
        for g, h in itertools.combinations(range(len(queries)), 2):
            if logits.between(g, h).any():
                error += self._shared_variance(queries, logits, heads, (g, h), gradient)
        self.watch(queries, error)
        return error

    def _output(self, head: WeightIntegral) -> Float[np.ndarray, " value_width"]:
        """E c of one head."""
        return (head.mass @ head.of_keys(1)) @ self.values

    def _own_variance(self, head: WeightIntegral, output: Float[np.ndarray, " value_width"]) -> float:
        """tr Cov of one head's output."""
        first, second = head.of_keys(1), head.of_keys(2)
        apart = self.values - output
        own = head.mass @ (second - first**2)
        return float(head.mass @ ((first @ apart) ** 2).sum(axis=1) + own @ (apart**2).sum(axis=1))

    def _own_gradient(
        self,
        head: WeightIntegral,
        query: Float[np.ndarray, " width"],
        miss: Float[np.ndarray, " value_width"],
        n_heads: int,
    ) -> Float[np.ndarray, " width"]:
        cotangents = Cotangents(output_mean=2 * miss / n_heads, output_covariance=np.eye(len(miss)) / n_heads**2)
        change = integral_gradient(head, self.values, cotangents)
        return change.mean @ self.keys.mean + 2 * change.variance @ self.keys.product(query)

    def _shared_variance(
        self,
        queries: Queries,
        logits: LogitLaw,
        heads: list[WeightIntegral],
        pair: tuple[int, int],
        gradient: Queries | None,
    ) -> float:
        """2/h² tr Cov(c_g, c_h), and its part of the gradient."""
        g, h = pair
        logits_of_both = PairLogits(logits.mean[g], logits.mean[h], logits.sd(g), logits.sd(h), logits.between(g, h))
        _require_room(logits_of_both, heads[g].rule, heads[h].rule)
        found = pair_integral(
            logits_of_both,
            order=1 if gradient is None else 3,
            precision=SEARCH,
            rules=(heads[g].rule, heads[h].rule),
        )
        share = 2 / len(queries) ** 2
        apart = self.values - self._output(heads[g]), self.values - self._output(heads[h])
        if gradient is not None:
            change = found.gradient(*apart)
            for one, other, number in ((g, h, 1), (h, g, 2)):
                gradient[one] += share * change[f"mean_{number}"] @ self.keys.mean
                gradient[one] += 2 * share * change[f"variance_{number}"] @ self.keys.product(queries[one])
                gradient[one] += share * change["covariance"] @ self.keys.product(queries[other])
        return share * float(np.trace(found.cross_covariance(*apart)))


def _require_room(logits: PairLogits, rule_1: QuadratureRule, rule_2: QuadratureRule) -> None:
    """Raise ValueRangeError where the integral for two heads would take more than some gigabytes."""
    n_z, n_1, n_2 = factor_sizes(logits, SEARCH), len(rule_1.u), len(rule_2.u)
    if max(len(n_z) * n_1 * n_2, sum(n_z) * (n_1 + n_2)) > MAX_PAIR_NUMBERS:
        largest = max(float(np.max(sd)) for sd in (logits.sd_1, logits.sd_2))
        raise ValueRangeError(
            f"two heads whose noise they share moves logits by {largest:.3g} are out of the search's reach: make "
            "keys, noise or bound smaller, or ask for one head"
        )


def squash_into_ball(free: Queries, bound: float) -> tuple[Queries, Callable[[Queries], Queries]]:
    """q = x / √(1 + |x|²/bound²) for each head, and the map that takes gradients in q back to x."""
    squeeze = 1 / np.sqrt(1 + (free**2).sum(axis=1, keepdims=True) / bound**2)

    def pull_back(gradient: Queries) -> Queries:
        along = (gradient * free).sum(axis=1, keepdims=True)
        return squeeze * (gradient - free * along * squeeze**2 / bound**2)

    return free * squeeze, pull_back


def unsquash_from_ball(queries: Queries, bound: float) -> Queries:
    """The x of `squash_into_ball`, for queries that are first cut to 98 % of the bound where they are longer."""
    length = np.sqrt((queries**2).sum(axis=1, keepdims=True))
    inside = queries * np.minimum(1.0, 0.98 * bound / np.maximum(length, 1e-300))
    return inside / np.sqrt(1 - (inside**2).sum(axis=1, keepdims=True) / bound**2)
