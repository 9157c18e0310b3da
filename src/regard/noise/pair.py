"""Two heads that read the same noisy keys: the covariance of their outputs, as an integral over the plane.

For one key with logits (s¹, s²), bivariate normal, and y_h = u_h + s^h, let

    M_ab(u₁, u₂) = E e^{a y₁ + b y₂} exp(−e^{y₁} − e^{y₂}).

With L = M_00, r¹ = M_10/L, r² = M_01/L, r¹² = M_11/L and P = Π L over keys,

    E c₁ c₂ᵀ = ∫∫ (G₁ G₂ᵀ + Σ_i v_i v_iᵀ (r¹²_i − r¹_i r²_i)) P du₁ du₂,      G_h = Σ_i v_i r^h_i.

Given a common factor z the two logits are independent, so each M_ab is a matrix product over z of one-head kernels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regard.noise.integral import (
    QUICK,
    Precision,
    QuadratureRule,
    distinct_laws,
    head_rule,
    law_kernels,
    smallest_scale,
)
from regard.noise.kernel import GAUSS_SD, table_error
from regard.shapes import Float, Int

PAIR_ROUNDING = 1e-13
DERIVATIVES = ("mean_1", "mean_2", "variance_1", "variance_2", "covariance")


@dataclass(frozen=True)
class PairLogits:
    """The logits of two heads: means, standard deviations, and the covariance of each key's two logits."""

    mean_1: Float[np.ndarray, " key"]
    mean_2: Float[np.ndarray, " key"]
    sd_1: Float[np.ndarray, " key"]
    sd_2: Float[np.ndarray, " key"]
    covariance: Float[np.ndarray, " key"]


@dataclass(frozen=True)
class PairIntegral:
    """The integrand at the nodes of the plane, flattened, and what its derivatives need."""

    mass: Float[np.ndarray, " node"]
    first: Float[np.ndarray, "node law"]
    second: Float[np.ndarray, "node law"]
    both: Float[np.ndarray, "node law"]
    laws: tuple[_LawKernels, ...]
    law_of_key: Int[np.ndarray, " key"]
    table_error: float

    def cross_covariance(
        self, values_1: Float[np.ndarray, "key width"], values_2: Float[np.ndarray, "key width"]
    ) -> Float[np.ndarray, "width width"]:
        """E c₁ c₂ᵀ; the covariance, if each head's values are given relative to its mean output."""
        sums_1, sums_2 = self._by_law(values_1), self._by_law(values_2)
        own = (self.mass @ (self.both - self.first * self.second))[self.law_of_key]
        between = self.first.T @ (self.second * self.mass[:, None])
        return sums_1.T @ between @ sums_2 + (values_1 * own[:, None]).T @ values_2

    def error(self, mean_1: Float[np.ndarray, " key"], mean_2: Float[np.ndarray, " key"]) -> float:
        """How far E α¹_i α²_j may be off, from sums that are known: over all j they are E α¹_i, over all i E α²_j."""
        own = self.mass @ (self.both - self.first * self.second)
        between = self.first.T @ (self.second * self.mass[:, None])
        count = np.bincount(self.law_of_key).astype(float)
        off_1 = (between @ count + own)[self.law_of_key] - mean_1
        off_2 = (count @ between + own)[self.law_of_key] - mean_2
        return PAIR_ROUNDING + 4 * self.table_error + 4 * float(max(np.abs(off_1).max(), np.abs(off_2).max()))

    def gradient(
        self, values_1: Float[np.ndarray, "key width"], values_2: Float[np.ndarray, "key width"]
    ) -> dict[str, Float[np.ndarray, " key"]]:
        """Derivatives of the trace of `cross_covariance` in each key's means, variances and covariance."""
        sums_1, sums_2 = self._by_law(values_1), self._by_law(values_2)
        own = (values_1 * values_2).sum(axis=1)
        inner = ((self.first @ (sums_1 @ sums_2.T)) * self.second).sum(axis=1)
        inner += (self.both - self.first * self.second) @ self._by_law(own[:, None])[:, 0]
        changes = {name: np.empty(len(own)) for name in DERIVATIVES}
        for index, law in enumerate(self.laws):
            keys = self.law_of_key == index
            r1, r2, r12 = self.first[:, index], self.second[:, index], self.both[:, index]
            for name in DERIVATIVES:
                d_l, d1, d2, d12 = law.derivatives(name)
                d1, d2, d12 = d1 - r1 * d_l, d2 - r2 * d_l, d12 - r12 * d_l
                with_2 = ((self.mass * d1) @ self.second) @ sums_2
                with_1 = ((self.mass * d2) @ self.first) @ sums_1
                changes[name][keys] = (
                    (self.mass * inner) @ d_l
                    + values_1[keys] @ with_2
                    + values_2[keys] @ with_1
                    + own[keys] * (self.mass @ (d12 - r2 * d1 - r1 * d2))
                )
        return changes

    def _by_law(self, values: Float[np.ndarray, "key width"]) -> Float[np.ndarray, "law width"]:
        total = np.zeros((len(self.laws), values.shape[1]))
        np.add.at(total, self.law_of_key, values)
        return total


@dataclass(frozen=True)
class _LawKernels:
    """One-head kernels of one law given z: `x[k]` is M_k of head 1, `y[k]` of head 2, `z_mass` the weights of z."""

    x: Float[np.ndarray, "moment node1 z"]
    y: Float[np.ndarray, "moment node2 z"]
    x_lack: Float[np.ndarray, "node1 z"]
    y_lack: Float[np.ndarray, "node2 z"]
    z_mass: Float[np.ndarray, " z"]

    @cached_property
    def level(self) -> Float[np.ndarray, "node1 node2"]:
        """M_00."""
        return self.joint(self.x[0], self.y[0])

    def log_l(self) -> Float[np.ndarray, " node"]:
        """ln M_00, by 1 − xy = (1 − x) + x (1 − y) so that values close to one keep their digits."""
        lack = (self.x_lack @ self.z_mass)[:, None] + (self.x[0] * self.z_mass) @ self.y_lack.T
        return np.where(lack < 0.5, np.log1p(-np.minimum(lack, 0.5)), np.log(self.level)).reshape(-1)

    def joint(
        self, x: Float[np.ndarray, "node1 z"], y: Float[np.ndarray, "node2 z"]
    ) -> Float[np.ndarray, "node1 node2"]:
        """E over z of the product of a kernel of head 1 and one of head 2."""
        return (x * self.z_mass) @ y.T

    def ratio(self, a: int, b: int) -> Float[np.ndarray, " node"]:
        """M_ab / L."""
        return (self.joint(self.x[a], self.y[b]) / self.level).reshape(-1)

    def derivatives(self, name: str) -> list[Float[np.ndarray, " node"]]:
        """∂M_ab / L for ab = 00, 10, 01, 11: the kernels' own identities, in one head or both."""
        n_1 = {"mean_1": 1, "variance_1": 2, "covariance": 1}.get(name, 0)
        n_2 = {"mean_2": 1, "variance_2": 2, "covariance": 1}.get(name, 0)
        half = 0.5 if name.startswith("variance") else 1.0
        pairs = ((0, 0), (1, 0), (0, 1), (1, 1))
        return [
            (half * self.joint(_differentiate(self.x, a, n_1), _differentiate(self.y, b, n_2)) / self.level).reshape(-1)
            for a, b in pairs
        ]


def _differentiate(moments: Float[np.ndarray, "moment node z"], k: int, times: int) -> Float[np.ndarray, "node z"]:
    """The n-th derivative of M_k in its mean, by M_k′ = k M_k − M_{k+1}."""
    if times == 0:
        return moments[k]
    return k * _differentiate(moments, k, times - 1) - _differentiate(moments, k + 1, times - 1)


def pair_integral(
    logits: PairLogits,
    *,
    order: int = 1,
    precision: Precision = QUICK,
    rules: tuple[QuadratureRule, QuadratureRule] | None = None,
) -> PairIntegral:
    """The integral for two heads; `order` 3 keeps what its gradient needs.

    `rules` are the heads' own quadrature rules, where these are known: where one head's P is gone, the product's is.
    """
    laws, law_of_key, count = distinct_laws(_parameters(logits), same_law=precision.same_law)
    rule_1, rule_2 = rules or (
        head_rule(laws[:, 0], laws[:, 1], count, precision),
        head_rule(laws[:, 2], laws[:, 3], count, precision),
    )
    factors = [_Factor.of(law, precision) for law in laws]
    x = _kernels_given_factors(rule_1.u, factors, 0, order, precision)
    y = _kernels_given_factors(rule_2.u, factors, 1, order, precision)
    kernels = tuple(
        _LawKernels(a, b, a_lack, b_lack, factor.mass)
        for (a, a_lack), (b, b_lack), factor in zip(x, y, factors, strict=True)
    )
    log_p = sum(n * law.log_l() for n, law in zip(count, kernels, strict=True))
    mass = np.outer(rule_1.weight, rule_2.weight).reshape(-1) * np.exp(log_p)
    first, second, both = (np.stack([law.ratio(a, b) for law in kernels], axis=1) for a, b in ((1, 0), (0, 1), (1, 1)))
    rests = np.array([factor.rests for factor in factors])
    error = table_error(rests[(rests > 0) & (rests < GAUSS_SD)]) if precision.stencil else 0.0
    return PairIntegral(mass, first, second, both, kernels, law_of_key, error)


def factor_sizes(logits: PairLogits, precision: Precision = QUICK) -> list[int]:
    """How many nodes the rule of each different law's common factor would have."""
    laws, _, _ = distinct_laws(_parameters(logits), same_law=precision.same_law)
    return [_Factor.n_nodes(law, precision) for law in laws]


def rule_sizes(logits: PairLogits, precision: Precision = QUICK) -> tuple[int, int]:
    """How many nodes the rule of each head would have."""
    laws, _, count = distinct_laws(_parameters(logits), same_law=precision.same_law)
    first, second = (head_rule(laws[:, k], laws[:, k + 1], count, precision) for k in (0, 2))
    return len(first.u), len(second.u)


def _parameters(logits: PairLogits) -> Float[np.ndarray, "key parameter"]:
    return np.stack([logits.mean_1, logits.sd_1, logits.mean_2, logits.sd_2, logits.covariance], axis=1)


@dataclass(frozen=True)
class _Factor:
    """The common factor z of one key's logits, s^h = mean_h + load_h z + rest_h, and the rule for z ~ N(0, 1)."""

    mass: Float[np.ndarray, " z"]
    means: tuple[Float[np.ndarray, " z"], Float[np.ndarray, " z"]]
    rests: tuple[float, float]

    @classmethod
    def of(cls, law: Float[np.ndarray, " parameter"], precision: Precision) -> _Factor:
        """The loads carry the correlation, half of it each: √|ρ| of each standard deviation."""
        mean_1, _, mean_2, _, _ = (float(number) for number in law)
        loads, rests, fastest = cls._split(law)
        z, mass = _factor_rule(fastest, precision)
        return cls(mass, (mean_1 + loads[0] * z, mean_2 + loads[1] * z), rests)

    @classmethod
    def n_nodes(cls, law: Float[np.ndarray, " parameter"], precision: Precision) -> int:
        """How many nodes the rule for z has."""
        fastest = cls._split(law)[2]
        return 1 if fastest == 0 else 1 + 2 * math.ceil(_factor_reach(precision) / _factor_step(fastest, precision))

    @staticmethod
    def _split(law: Float[np.ndarray, " parameter"]) -> tuple[tuple[float, float], tuple[float, float], float]:
        """Loads and rests of both heads, and by how many of its scales a kernel moves per unit of z."""
        _, sd_1, _, sd_2, covariance = (float(number) for number in law)
        product = sd_1 * sd_2  # zero where it underflows: such noise moves nothing
        correlation = min(max(covariance / product, -1.0), 1.0) if product else 0.0
        share = math.sqrt(abs(correlation))
        loads = sd_1 * share, math.copysign(sd_2 * share, correlation)
        alone = math.sqrt(1.0 - abs(correlation))
        rests = sd_1 * alone, sd_2 * alone
        scales = (smallest_scale(np.array([rest])) for rest in rests)
        return loads, rests, max(abs(load) / scale for load, scale in zip(loads, scales, strict=True))


def _factor_rule(load: float, precision: Precision) -> tuple[Float[np.ndarray, " z"], Float[np.ndarray, " z"]]:
    """Trapezoid rule for z ~ N(0, 1), fine enough for kernels that move by `load` of their scales per unit of z."""
    if load == 0:
        return np.zeros(1), np.ones(1)
    step = _factor_step(load, precision)
    reach = math.ceil(_factor_reach(precision) / step)
    z = step * np.arange(-reach, reach + 1)
    return z, np.exp(-(z**2) / 2) * step / math.sqrt(2 * math.pi)


def _factor_step(load: float, precision: Precision) -> float:
    return precision.step * min(2.0, 1.2 / load)


def _factor_reach(precision: Precision) -> float:
    return math.sqrt(1.1 * precision.depth)


def _kernels_given_factors(
    u: Float[np.ndarray, " node"], factors: list[_Factor], head: int, order: int, precision: Precision
) -> list[tuple[Float[np.ndarray, "moment node z"], Float[np.ndarray, "node z"]]]:
    """M_k and 1 − L of one head for each law, given each value of its factor."""
    sizes = [len(factor.mass) for factor in factors]
    means = np.concatenate([factor.means[head] for factor in factors])
    rests = np.repeat([factor.rests[head] for factor in factors], sizes)
    log_l, ratios = law_kernels(u, means, rests, order=order, stencil=precision.stencil)
    level = np.exp(log_l)
    moments, lack = np.concatenate([level[None], ratios * level]), -np.expm1(log_l)
    edges = np.cumsum(sizes)[:-1]
    return list(zip(np.split(moments, edges, axis=2), np.split(lack, edges, axis=1), strict=True))
