"""Numbers behind the labels of opened-b.toml, from NumPy, SciPy and mpmath alone.

A case returns, for a claim that holds, the largest gap between its two sides (or the largest violation of its
inequality) over random draws; for one that fails, the gap or violation at a counterexample; for one that holds in a
limit, gaps on the way to it. Laws come from closed forms and quadrature, never from samples.

    python benchmarks/claims/evidence_b.py
"""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
from scipy import linalg, special, stats

Array = np.ndarray
Gap = float | list[float]
CLAIMS = Path(__file__).with_name("opened-b.toml")
EXACT, APART = 1e-8, 1e-3  # a claim that holds stays below the first, one that fails comes above the second
CASES: dict[str, Callable[[], Gap]] = {}
GROWING = (1.0, 10.0, 100.0, 1000.0)
SHRINKING = (1.0, 0.1, 0.01, 0.001)
NILPOTENT = np.array([[0.0, 1.0], [0.0, 0.0]])
E1, E2 = np.eye(2)


def case(name: str) -> Callable[[Callable[[], Gap]], Callable[[], Gap]]:
    """Register a function as the evidence for the claim of that id."""

    def register(function: Callable[[], Gap]) -> Callable[[], Gap]:
        CASES[name] = function
        return function

    return register


def largest(value: Any) -> float:
    """Largest absolute entry."""
    return float(np.max(np.abs(value)))


def over_draws(gap: Callable[[np.random.Generator], Any], n_draws: int = 12) -> float:
    """Largest gap over seeded draws."""
    return max(largest(gap(np.random.default_rng(seed))) for seed in range(n_draws))


def violation(*ordered: float) -> float:
    """By how much a chain of numbers, claimed to ascend, fails to do so."""
    return max(0.0, *(float(low - high) for low, high in itertools.pairwise(ordered)))


def rows(rng: np.random.Generator, *shape: int) -> Array:
    return rng.standard_normal(shape)


def covariance(rng: np.random.Generator, size: int) -> Array:
    root = rows(rng, size, size)
    return root @ root.T + 0.1 * np.eye(size)


def symmetric(rng: np.random.Generator, size: int) -> Array:
    root = rows(rng, size, size)
    return root + root.T


def basis(rng: np.random.Generator, size: int, rank: int) -> Array:
    """Orthonormal columns."""
    return np.linalg.qr(rows(rng, size, rank))[0]


def projection(columns: Array) -> Array:
    """Orthogonal projection onto the span, by singular vectors."""
    left, values, _ = np.linalg.svd(columns, full_matrices=False)
    kept = left[:, values > 1e-9]
    return kept @ kept.T


def gaussian_nodes(mean: Array, cov: Array, n_nodes: int = 8) -> tuple[Array, Array]:
    """Points and weights of a product Gauss-Hermite rule for N(mean, cov): exact for moments up to 2 n_nodes - 1."""
    node, weight = np.polynomial.hermite_e.hermegauss(n_nodes)
    size = len(mean)
    grid = np.array(list(itertools.product(node, repeat=size)))
    weights = np.array([math.prod(w) for w in itertools.product(weight / weight.sum(), repeat=size)])
    return mean + grid @ np.linalg.cholesky(cov).T, weights


def expectation(weights: Array, values: Array) -> Array:
    return np.tensordot(weights, values, axes=1)


def cov_of(weights: Array, left: Array, right: Array | None = None) -> Array:
    """Covariance of two columns (or matrices of rows) under the weights."""
    right = left if right is None else right
    left, right = left - expectation(weights, left), right - expectation(weights, right)
    return np.einsum("n,n...->...", weights, left * right) if left.ndim == 1 else (left.T * weights) @ right


Z = np.linspace(-10.0, 10.0, 400_001)
Z_WEIGHTS = stats.norm.pdf(Z) * (Z[1] - Z[0])
logistic = special.expit
softmax = special.softmax
lse = special.logsumexp


def normal_mean(values: Array) -> float:
    """Expectation of a function of N(0,1) from its values at Z."""
    return float(Z_WEIGHTS @ values)


def normal_var(values: Array) -> float:
    return normal_mean(values**2) - normal_mean(values) ** 2


def signs(size: int) -> Array:
    """All outcomes of fair independent signs."""
    return np.array(list(itertools.product((-1.0, 1.0), repeat=size)))


# --- Gaussian vectors -------------------------------------------------------------------------------------------------


@case("gaussian-affine-01")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        cov, matrix, shift = covariance(rng, 3), rows(rng, 2, 3), rows(rng, 2)
        x, w = gaussian_nodes(rows(rng, 3), cov, 4)
        return cov_of(w, x @ matrix.T + shift) - matrix @ cov @ matrix.T

    return over_draws(gap)


@case("gaussian-affine-02")
def _() -> Gap:
    x, w = gaussian_nodes(np.zeros(2), np.eye(2))
    return largest(cov_of(w, x @ NILPOTENT) - NILPOTENT @ NILPOTENT.T)


@case("gaussian-quadform-03")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        mean, cov, matrix = rows(rng, 3), covariance(rng, 3), rows(rng, 3, 3)
        x, w = gaussian_nodes(mean, cov, 4)
        return w @ np.einsum("ni,ij,nj->n", x, matrix, x) - np.trace(matrix @ cov) - mean @ matrix @ mean

    return over_draws(gap)


@case("gaussian-quadform-04")
def _() -> Gap:
    swap, cov = np.array([[0.0, 1.0], [1.0, 0.0]]), np.diag([1.0, 2.0])
    x, w = gaussian_nodes(np.zeros(2), cov)
    return largest(cov_of(w, np.einsum("ni,ij,nj->n", x, swap, x)) - 2 * np.trace(swap @ cov @ cov @ swap))


@case("gaussian-norm-05")
def _() -> Gap:
    def gap(size: int) -> float:
        x, w = gaussian_nodes(np.zeros(size), np.eye(size))
        square = (x**2).sum(axis=1)
        return max(abs(w @ square - size), abs(cov_of(w, square) - 2 * size))

    return max(gap(size) for size in (1, 2, 3, 4))


def mean_norm(size: float) -> float:
    return math.sqrt(2) * math.exp(special.gammaln((size + 1) / 2) - special.gammaln(size / 2))


CASES["gaussian-norm-06"] = lambda: abs(mean_norm(1) - 1)
CASES["gaussian-norm-07"] = lambda: [abs(mean_norm(d) / math.sqrt(d) - 1) for d in GROWING]


def dot_variance(size: int, scale: float) -> float:
    """Variance of q.k for independent q, k with entries of standard deviation `scale`."""
    x, w = gaussian_nodes(np.zeros(2 * size), scale**2 * np.eye(2 * size), 4)
    return float(cov_of(w, (x[:, :size] * x[:, size:]).sum(axis=1)))


CASES["gaussian-dot-08"] = lambda: max(abs(dot_variance(d, 1.0) / d - 1) for d in (1, 2, 3))
CASES["gaussian-dot-09"] = lambda: abs(dot_variance(2, 2.0) - 2 * 4)
CASES["gaussian-dot-10"] = lambda: abs(stats.chi2.var(3) - 3)
CASES["gaussian-lognormal-11"] = lambda: abs(normal_mean(np.exp(Z)) - math.e)


@case("gaussian-lognormal-12")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        mean, sd = rng.uniform(-1, 1), rng.uniform(0.1, 0.8)
        return normal_var(np.exp(mean + sd * Z)) - math.expm1(sd**2) * math.exp(2 * mean + sd**2)

    return over_draws(gap)


@case("gaussian-mgf-13")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        mean, cov, t = rows(rng, 2), 0.3 * covariance(rng, 2), 0.4 * rows(rng, 2)
        x, w = gaussian_nodes(mean, cov, 40)
        return w @ np.exp(x @ t) / math.exp(t @ mean + t @ cov @ t / 2) - 1

    return over_draws(gap)


def conditional(x: float, sx: float, sy: float, rho: float) -> tuple[float, float]:
    """Mean and variance of Y given X = x from the joint density, both means zero."""
    joint = stats.multivariate_normal([0, 0], [[sx**2, rho * sx * sy], [rho * sx * sy, sy**2]])
    y = np.linspace(-12 * sy, 12 * sy, 20_001)
    weight = joint.pdf(np.column_stack([np.full_like(y, x), y]))
    weight /= weight.sum()
    return float(weight @ y), float(weight @ y**2 - (weight @ y) ** 2)


CASES["gaussian-cond-14"] = lambda: abs(conditional(0.7, 1, 1, 0.5)[1] - (1 + 0.25))
CASES["gaussian-cond-15"] = lambda: over_draws(
    lambda rng: [
        np.subtract(conditional(x, 1, 1, rho), (rho * x, 1 - rho**2))
        for x, rho in [(rng.uniform(-2, 2), rng.uniform(-0.9, 0.9))]
    ]
)
CASES["gaussian-cond-16"] = lambda: abs(conditional(1.0, 1, 2, 0.5)[0] - 0.5 * 0.5)


@case("gaussian-indep-17")
def _() -> Gap:
    inside = stats.norm.cdf(1) - stats.norm.cdf(-1)  # Y = ±X with a fair sign: |X| < 1 and |Y| < 1 are one event
    return abs(inside - inside**2)


@case("gaussian-indep-18")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        cov_x, cov_y, point = covariance(rng, 2), covariance(rng, 2), rows(rng, 4)
        joint = stats.multivariate_normal(np.zeros(4), linalg.block_diag(cov_x, cov_y)).logpdf(point)
        parts = [(cov_x, point[:2]), (cov_y, point[2:])]
        return joint - sum(stats.multivariate_normal(np.zeros(2), cov).logpdf(part) for cov, part in parts)

    return over_draws(gap)


@case("gaussian-sum-19")
def _() -> Gap:
    outcome = signs(2)
    return abs(np.var(outcome[:, 0] - outcome[:, 1]) - (np.var(outcome[:, 0]) - np.var(outcome[:, 1])))


@case("gaussian-sum-20")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        (a, b), (x, y), w = rows(rng, 2), rows(rng, 2, 6), rng.dirichlet(np.ones(6))
        return cov_of(w, a * x + b * y) - a**2 * cov_of(w, x) - b**2 * cov_of(w, y) - 2 * a * b * cov_of(w, x, y)

    return over_draws(gap)


CASES["gaussian-mean-21"] = lambda: abs(signs(4).mean(axis=1).std() - 1 / 4)


@case("gaussian-mean-22")
def _() -> Gap:
    x, w = gaussian_nodes(np.zeros(2), np.array([[1.0, 0.5], [0.5, 1.0]]))
    return abs(cov_of(w, x.mean(axis=1)) - (1 / 2 + 0.5))


CASES["gaussian-samplevar-23"] = lambda: abs(signs(2).var(axis=1).mean() - 1)


@case("gaussian-chi-24")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> list[float]:
        mean, cov = rows(rng, 3), covariance(rng, 3)
        x, w = gaussian_nodes(mean, cov)
        form = np.einsum("ni,ij,nj->n", x - mean, np.linalg.inv(cov), x - mean)
        return [w @ form**k / stats.chi2.moment(k, 3) - 1 for k in (1, 2, 3, 4)]

    return over_draws(gap)


CASES["gaussian-chi-25"] = lambda: abs(np.trace(np.diag([1.0, 0.0, 0.0])) - stats.chi2.mean(3 - 1))


@case("gaussian-isserlis-26")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        cov = covariance(rng, 3)
        x, w = gaussian_nodes(np.zeros(3), cov, 4)
        pairs = [np.einsum(f"{p},{q}->ijkl", cov, cov) for p, q in (("ij", "kl"), ("ik", "jl"), ("il", "jk"))]
        return np.einsum("n,ni,nj,nk,nl->ijkl", w, x, x, x, x, optimize=True) - sum(pairs)

    return over_draws(gap)


CASES["gaussian-moment-27"] = lambda: abs(normal_mean((2 * Z) ** 4) - 3 * 4)


@case("gaussian-rotation-28")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        rotation, points = basis(rng, 3, 3), rows(rng, 5, 3)
        density = stats.multivariate_normal(np.zeros(3), np.eye(3)).logpdf
        return density(points @ rotation.T) - density(points)  # |det Q| = 1: equal densities are equal laws

    return over_draws(gap)


CASES["gaussian-stein-29"] = lambda: max(
    abs(normal_mean(Z * np.sin(t * Z)) - normal_mean(t * np.cos(t * Z))) for t in (-3.0, -0.5, 0.0, 1.0, 4.0)
)
CASES["gaussian-density-30"] = lambda: abs(stats.norm(0, 2).pdf(0) - (2 * math.pi) ** -0.5 * 4**0.5)
CASES["gaussian-entropy-31"] = lambda: abs(normal_mean(-stats.norm.logpdf(Z)) - math.log(2 * math.pi) / 2)


@case("gaussian-kl-32")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        first, second = rows(rng, 2, 2)
        x, w = gaussian_nodes(first, np.eye(2))
        ratio = [stats.multivariate_normal(mean, np.eye(2)).logpdf(x) for mean in (first, second)]
        return w @ (ratio[0] - ratio[1]) - ((first - second) ** 2).sum() / 2

    return over_draws(gap)


CASES["gaussian-abs-33"] = lambda: abs(stats.foldnorm.mean(0) - math.sqrt(math.pi / 2))
CASES["gaussian-tail-34"] = lambda: [abs(stats.norm.sf(t) * t / stats.norm.pdf(t) - 1) for t in (1, 4, 12, 36)]
CASES["gaussian-chi-35"] = lambda: [stats.chi2.var(d) / d**2 for d in GROWING]

# --- Noisy keys -------------------------------------------------------------------------------------------------------

ROOT_HALF = math.sqrt(0.5)


def pull_weights(scale: float, n_keys: int, factor: Array) -> Array:
    """Weights over orthonormal keys, the first multiplied by `factor`, for the query scale (mu_a + mu_b)."""
    logits = np.zeros((len(factor), n_keys))
    logits[:, 0], logits[:, 1] = scale * factor, scale
    return softmax(logits, axis=1)


def pull_moments(scale: float, n_keys: int = 2) -> tuple[float, float, float]:
    """Mean and variance of alpha_a, mean of alpha_b, for relative noise of variance 1/2 in the length of k_a."""
    weights = pull_weights(scale, n_keys, 1 + ROOT_HALF * Z)
    return normal_mean(weights[:, 0]), normal_var(weights[:, 0]), normal_mean(weights[:, 1])


@case("noisy-logit-01")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> list[float]:
        mean, cov, query = rows(rng, 3), covariance(rng, 3), rows(rng, 3)
        x, w = gaussian_nodes(mean, cov)
        centred, var = (x - mean) @ query, query @ cov @ query
        return [w @ (x @ query) - mean @ query, *(w @ centred**k / var ** (k / 2) - m for k, m in ((2, 1), (4, 3)))]

    return over_draws(gap)


def isotropic_sd(query: Array) -> float:
    x, w = gaussian_nodes(np.zeros(len(query)), np.eye(len(query)))
    return math.sqrt(cov_of(w, x @ query))


CASES["noisy-logit-02"] = lambda: abs(isotropic_sd(2 * E1) - 4)
CASES["noisy-scale-03"] = lambda: abs(isotropic_sd(2 * E1) ** 2 - 2 * isotropic_sd(E1) ** 2)
CASES["noisy-order-04"] = lambda: [normal_var(logistic(2 * C * C**-2 * Z)) for C in GROWING]


@case("noisy-shared-05")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        keys, query, noise = rows(rng, 5, 3), rows(rng, 3), rows(rng, 3)
        return softmax((keys + noise) @ query) - softmax(keys @ query)

    return over_draws(gap)


CASES["noisy-mag-06"] = lambda: abs(math.sqrt(normal_var(1 + ROOT_HALF * Z)) - 0.5)


@case("noisy-mag-07")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> list[float]:
        (mean, other), eps = basis(rng, 3, 2).T, rng.uniform(0.01, 2)
        x, w = gaussian_nodes(mean, eps * np.eye(3) + np.outer(mean, mean) / 2)
        return [cov_of(w, x @ mean) - eps - 0.5, cov_of(w, x @ other) - eps]

    return over_draws(gap)


CASES["noisy-mag-08"] = lambda: abs(np.linalg.det(2 * np.eye(2) + np.outer(E1, E1) / 2) - 4.5)


@case("noisy-iso-09")
def _() -> Gap:
    means = np.array([0.5, -0.3, 1.0])  # the logits; |q| = 1

    def gap(eps: float) -> float:
        x, w = gaussian_nodes(means, eps * np.eye(3), 30)
        return largest(w @ softmax(x, axis=1) - softmax(means))

    return [gap(eps) for eps in SHRINKING]


CASES["noisy-iso-10"] = lambda: abs(pull_weights(1.0, 3, np.ones(1))[0, 0] - 0.5)
CASES["noisy-pair-11"] = lambda: [largest(pull_weights(C, 7, np.ones(1))[0, :2] - 0.5) for C in (1, 3, 9, 27)]
CASES["noisy-pull-12"] = lambda: [abs(pull_moments(C)[1] - 0.25) for C in GROWING]
CASES["noisy-pull-13"] = lambda: normal_mean((logistic(1000 * ROOT_HALF * Z) - 0.5) ** 2)
CASES["noisy-pull-14"] = lambda: max(abs(pull_moments(C)[0] - 0.5) for C in (0.1, 1, 5, 20))
CASES["noisy-pull-15"] = lambda: abs(np.subtract(*pull_moments(1.0, 3)[::2]))
CASES["noisy-pull-16"] = lambda: [abs(pull_moments(C, 10)[0] - 0.5) for C in (1, 3, 9, 27)]


@case("noisy-cov-17")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        logits, values, sd = rows(rng, 4), rows(rng, 4, 3), rng.uniform(0.5, 3)
        node, w = gaussian_nodes(np.zeros(1), np.eye(1), 40)
        drawn = np.tile(logits, (len(w), 1))
        drawn[:, 0] += sd * node[:, 0]
        alpha = softmax(drawn, axis=1)
        rest = softmax(logits[1:]) @ values[1:]
        return cov_of(w, alpha @ values) - cov_of(w, alpha[:, 0]) * np.outer(values[0] - rest, values[0] - rest)

    return over_draws(gap)


CASES["noisy-cov-18"] = lambda: abs(pull_moments(1000.0)[1] - 0.5)
CASES["noisy-delta-19"] = lambda: [abs(normal_var(logistic(t * Z)) / (t**2 / 16) - 1) for t in SHRINKING]
CASES["noisy-order-20"] = lambda: normal_var(logistic(2 * Z))  # the same for every C


def own_weight(scale: float, n_keys: int, factor: Array) -> Array:
    """Weight of k_a = factor mu_a among orthonormal keys for the query scale mu_a."""
    return logistic(scale * factor - math.log(n_keys - 1))


CASES["noisy-heads-21"] = lambda: [float(1 - own_weight(C, 6, np.ones(1))[0]) for C in (1, 3, 9, 27)]
CASES["noisy-heads-22"] = lambda: 1 - normal_mean(own_weight(1000.0, 5, 1 + ROOT_HALF * Z))


@case("noisy-heads-23")
def _() -> Gap:
    def failing(scale: float) -> float:
        edge = np.flatnonzero(own_weight(scale, 10, 1 + ROOT_HALF * Z) < 0.5)[-1]  # the weight ascends in g
        return float(stats.norm.cdf(Z[edge]))

    return [abs(failing(C) - stats.norm.cdf(-math.sqrt(2))) for C in GROWING]


@case("noisy-heads-24")
def _() -> Gap:
    outputs = signs(2)  # two independent one-dimensional outputs of variance 1
    return abs(np.var(outputs.mean(axis=1)) - (np.var(outputs[:, 0]) + np.var(outputs[:, 1])) / 2)


CASES["noisy-heads-25"] = lambda: abs(normal_var((logistic(Z) + logistic(Z)) / 2) - normal_var(logistic(Z)) / 2)


@case("noisy-heads-26")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        cov, first, second = covariance(rng, 3), rows(rng, 3), rows(rng, 3)
        x, w = gaussian_nodes(rows(rng, 3), cov, 4)
        return cov_of(w, x @ first, x @ second) - first @ cov @ second

    return over_draws(gap)


@case("noisy-heads-27")
def _() -> Gap:
    x, w = gaussian_nodes(np.zeros(2), np.array([[1.0, 0.5], [0.5, 1.0]]))
    return abs(cov_of(w, x @ E1, x @ E2))


@case("noisy-push-28")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        means, scale = basis(rng, 6, 5).T, rng.uniform(0, 9)
        query = -scale * means[2:].sum(axis=0)

        def weights(noise: float) -> Array:
            return softmax(np.vstack([(1 + noise) * means[0], means[1:]]) @ query)

        return weights(rng.normal()) - weights(0.0)

    return over_draws(gap)


CASES["noisy-plugin-29"] = lambda: abs(normal_mean(logistic(2 + 3 * Z)) - logistic(2))
CASES["noisy-annealed-30"] = lambda: abs(
    normal_mean(logistic(math.sqrt(5) * Z)) - math.exp(2) / (math.exp(2) + math.exp(0.5))
)

# --- Subspaces --------------------------------------------------------------------------------------------------------


def split(rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """Two orthogonal orthonormal bases and a coordinate vector for each."""
    both = basis(rng, 7, 5)
    return both[:, :2], both[:, 2:], rows(rng, 2), rows(rng, 3)


@case("subspace-copy-01")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        a, b, c, d = split(rng)
        b = b @ rows(rng, 3, 3)  # only A'B = 0 is asked of B
        return a @ a.T @ (a @ c + b @ d) - a @ c

    return over_draws(gap)


CASES["subspace-copy-02"] = lambda: largest((np.eye(2) - np.outer(E1, E1)) @ (E1 + E2) - E1)


@case("subspace-copy-03")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        a, b, c, d = split(rng)
        return a.T @ (a @ c + b @ d) - c

    return over_draws(gap)


CASES["subspace-copy-04"] = lambda: largest(np.outer(E1, E1) @ (E1 + E1) - E1)


@case("subspace-proj-05")
def _() -> Gap:
    oblique = np.array([[1.0, 1.0], [0.0, 0.0]])
    return largest(oblique - oblique.T) - largest(oblique @ oblique - oblique)


@case("subspace-proj-06")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        p, x = projection(rows(rng, 6, 3)), rows(rng, 6)
        return x @ x - (p @ x) @ (p @ x) - (x - p @ x) @ (x - p @ x)

    return over_draws(gap)


# The claim says that some sum is no projection: zero gap when 2I fails to be idempotent.
CASES["subspace-proj-07"] = lambda: float(np.allclose(2 * np.eye(2), 2 * np.eye(2) @ (2 * np.eye(2))))


@case("subspace-proj-08")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> list[float]:
        a = rows(rng, 6, 3)
        p = a @ np.linalg.inv(a.T @ a) @ a.T
        return [largest(p @ p - p), np.trace(p) - np.linalg.matrix_rank(a)]

    return over_draws(gap)


CASES["subspace-proj-09"] = lambda: largest(projection(2 * E1[:, None]) - 4 * np.outer(E1, E1))
# The claim says that some I - P is no projection: it fails by one where every draw is idempotent.
CASES["subspace-complement-10"] = lambda: float(
    over_draws(lambda rng: [p @ p - p for p in [np.eye(5) - projection(rows(rng, 5, 2))]]) < EXACT
)
CASES["subspace-complement-11"] = lambda: abs(np.linalg.matrix_rank(np.column_stack([E1, E1])) - 2.0)


def meet(first: Array, second: Array) -> Array:
    """Projection onto the intersection of the ranges of two projections: the null space of (I-P) + (I-Q)."""
    return projection(linalg.null_space(2 * np.eye(len(first)) - first - second, rcond=1e-9))


@case("subspace-complement-12")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        u, v = rows(rng, 6, 2), rows(rng, 6, 2)
        v[:, 0] = u[:, 0]  # so that the subspaces meet
        eye = np.eye(6)
        return eye - projection(np.hstack([u, v])) - meet(eye - projection(u), eye - projection(v))

    return over_draws(gap)


CASES["subspace-complement-13"] = lambda: abs(2.0 - np.trace(meet(np.outer(E2, E2), np.outer(E1, E1))))
CASES["subspace-rank-14"] = lambda: 1.0 - float(np.linalg.matrix_rank(np.outer(E1, E1) @ np.outer(E2, E2)))


@case("subspace-rank-15")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> list[float]:
        a = rows(rng, 6, 3) @ rows(rng, 3, 5)
        ranks = [float(np.linalg.matrix_rank(m, tol=1e-9)) for m in (a, a.T @ a, a @ a.T)]
        return [ranks[1] - ranks[0], ranks[2] - ranks[0]]

    return over_draws(gap)


@case("subspace-rank-16")
def _() -> Gap:
    a, b = np.outer(E1, [1.0, 2.0]), np.outer(E2, [1.0, 2.0])
    return abs(sum(map(np.linalg.matrix_rank, (a, b))) - float(np.linalg.matrix_rank(a + b))) - largest(a.T @ b)


@case("subspace-angle-17")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        first, second = basis(rng, 6, 2), basis(rng, 6, 2)
        best = np.sort(linalg.eigvals(projection(first) @ projection(second)).real)[::-1][:2]  # cos^2, by projections
        return np.linalg.svd(first.T @ second, compute_uv=False) - np.sqrt(best)

    return over_draws(gap)


def line(angle: float) -> Array:
    direction = np.array([math.cos(angle), math.sin(angle)])
    return np.outer(direction, direction)


CASES["subspace-angle-18"] = lambda: abs(np.linalg.norm(line(0) - line(math.pi / 6), 2) - math.cos(math.pi / 6))
CASES["subspace-angle-19"] = lambda: abs(np.trace(line(0) @ line(math.pi / 3)) - math.cos(math.pi / 3))
CASES["subspace-angle-20"] = lambda: max(
    abs(np.linalg.norm(line(0.3) - line(0.3 + t)) - math.sqrt(2) * abs(math.sin(t))) for t in np.linspace(0, math.pi, 9)
)


@case("subspace-ridge-21")
def _() -> Gap:
    rng = np.random.default_rng(1)
    a, b = rows(rng, 6, 2) @ rows(rng, 2, 4), rows(rng, 6)
    exact = np.linalg.pinv(a, rcond=1e-9) @ b
    return [largest(np.linalg.solve(a.T @ a + eps * np.eye(4), a.T @ b) - exact) for eps in SHRINKING]


@case("subspace-alternate-22")
def _() -> Gap:
    rng = np.random.default_rng(1)
    shared = rows(rng, 6, 1)
    p, q = (projection(np.hstack([shared, rows(rng, 6, 2)])) for _ in range(2))
    return [largest(np.linalg.matrix_power(p @ q, k) - meet(p, q)) for k in (1, 4, 16, 64)]


CASES["subspace-null-23"] = lambda: abs(linalg.null_space(NILPOTENT)[:, 0] @ linalg.orth(NILPOTENT)[:, 0])


@case("subspace-null-24")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        a = rows(rng, 5, 2) @ rows(rng, 2, 4)
        return projection(linalg.null_space(a, rcond=1e-9)) - projection(linalg.null_space(a.T @ a, rcond=1e-9))

    return over_draws(gap)


@case("subspace-commute-25")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> list[float]:
        axes = basis(rng, 6, 6)
        p, q, r = axes[:, :3] @ axes[:, :3].T, axes[:, 2:5] @ axes[:, 2:5].T, projection(rows(rng, 6, 3))
        together = largest(p @ q - q @ p) + largest(p @ q @ p @ q - p @ q) + largest(p @ q - (p @ q).T)
        apart = largest(p @ r - r @ p) < APART or largest(p @ r - (p @ r).T) < APART  # neither commutes nor symmetric
        return [together, float(apart)]

    return over_draws(gap)


# --- Linear algebra ---------------------------------------------------------------------------------------------------

CASES["linear-det-01"] = lambda: abs(np.linalg.det(2 * np.eye(2)) - 2)
CASES["linear-det-02"] = lambda: over_draws(
    lambda rng: [np.linalg.det(np.eye(4) + np.outer(u, v)) - 1 - v @ u for u, v in [rows(rng, 2, 4)]]
)
CASES["linear-det-03"] = lambda: abs(np.linalg.det(np.eye(2) + np.eye(2)) - 2)
CASES["linear-trace-04"] = lambda: abs(
    np.trace(np.outer(E1, E1) @ NILPOTENT @ NILPOTENT.T) - np.trace(NILPOTENT.T @ NILPOTENT @ np.outer(E1, E1))
)


@case("linear-trace-05")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        a, b, c = (symmetric(rng, 4) for _ in range(3))
        return np.trace(a @ b @ c) - np.trace(a @ c @ b)

    return over_draws(gap)


# The claim says that the traces can differ: it fails by one where no draw shows a difference.
CASES["linear-trace-06"] = lambda: float(
    over_draws(lambda rng: [np.trace(a @ b) - np.trace(b @ a) for a, b in [rows(rng, 2, 4, 4)]]) < EXACT
)
CASES["linear-eigen-07"] = lambda: over_draws(
    lambda rng: [(np.linalg.eigvalsh(a) ** 2).sum() - (a**2).sum() for a in [symmetric(rng, 5)]]
)
CASES["linear-eigen-08"] = lambda: abs((np.abs(np.linalg.eigvals(NILPOTENT)) ** 2).sum() - (NILPOTENT**2).sum())
CASES["linear-eigen-09"] = lambda: abs(np.linalg.eigvalsh(np.eye(2))[-1] - 2)


@case("linear-eigen-10")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        a, x = symmetric(rng, 4), rows(rng, 4)
        values = np.linalg.eigvalsh(a) * (x @ x)
        return violation(values[0], x @ a @ x, values[-1])

    return over_draws(gap)


@case("linear-posdef-11")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> list[float]:
        full, thin = rows(rng, 6, 3), rows(rng, 6, 2) @ rows(rng, 2, 3)
        smallest = [np.linalg.eigvalsh(x.T @ x)[0] for x in (full, thin)]
        return [float(smallest[0] < 1e-6), smallest[1]]

    return over_draws(gap)


CASES["linear-posdef-12"] = lambda: -float(min(np.diag([4.0, -1.0, -1.0]).diagonal()))


@case("linear-posdef-13")
def _() -> Gap:
    a, b, x = np.diag([1.0, 100.0]), np.array([[1.0, 0.9], [0.9, 1.0]]), np.array([1.0, -0.5])
    return -float(x @ a @ b @ x)


@case("linear-norm-14")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        a = rows(rng, 5, 2) @ rows(rng, 2, 4)
        top = np.linalg.norm(a, 2)
        return violation(top, np.linalg.norm(a), math.sqrt(2) * top)

    return over_draws(gap)


CASES["linear-norm-15"] = lambda: np.linalg.norm(NILPOTENT, 2) - largest(np.linalg.eigvals(NILPOTENT))


@case("linear-inverse-16")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        a, (u, v) = covariance(rng, 4) + np.eye(4), 0.3 * rows(rng, 2, 4)
        inverse = np.linalg.inv(a)
        update = np.outer(inverse @ u, v @ inverse) / (1 + v @ inverse @ u)
        return np.linalg.inv(a + np.outer(u, v)) - inverse + update

    return over_draws(gap)


@case("linear-inverse-17")
def _() -> Gap:
    a, b = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [1.0, 1.0]])
    return largest(np.linalg.inv(a @ b) - np.linalg.inv(a) @ np.linalg.inv(b))


@case("linear-inverse-18")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> Array:
        a, b = covariance(rng, 3) + rows(rng, 3, 3) / 9, covariance(rng, 3) + rows(rng, 3, 3) / 9
        right = np.linalg.inv(a.T) @ np.linalg.inv(b.T)
        return (np.linalg.inv((a @ b).T) - right) / largest(right)

    return over_draws(gap)


@case("linear-logdet-19")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> list[float]:
        a = covariance(rng, 4)
        logs = np.log(np.linalg.eigvalsh(a)).sum()
        return [math.log(np.linalg.det(a)) - logs, violation(logs, np.trace(a) - 4)]

    return over_draws(gap)


@case("linear-power-20")
def _() -> Gap:
    a = np.array([[0.5, 3.0], [0.0, 0.8]])
    return [abs(np.linalg.norm(np.linalg.matrix_power(a, k), 2) ** (1 / k) - 0.8) for k in (1, 10, 100, 1000)]


# --- Inequalities -----------------------------------------------------------------------------------------------------

CASES["inequality-lse-01"] = lambda: over_draws(
    lambda rng: [violation(x.max(), lse(x), x.max() + math.log(5)) for x in [3 * rows(rng, 5)]]
)
CASES["inequality-lse-02"] = lambda: violation(lse(np.zeros(3)), math.log(2))
CASES["inequality-lse-03"] = lambda: over_draws(
    lambda rng: [violation(math.log(5) + x.mean(), lse(x)) for x in [3 * rows(rng, 5)]]
)


@case("inequality-lse-04")
def _() -> Gap:
    x, y = np.array([0.3, -1.0]), np.array([1.3, 0.0])
    return float(lse((x + y) / 2) > (lse(x) + lse(y)) / 2 - 1e-12)  # equal, hence not strictly smaller


def weighted(rng: np.random.Generator) -> tuple[Array, Array]:
    """A positive discrete random variable: values and probabilities."""
    return np.exp(rows(rng, 6)), rng.dirichlet(np.ones(6))


CASES["inequality-jensen-05"] = lambda: over_draws(
    lambda rng: [violation(w @ np.log(x), math.log(w @ x)) for x, w in [weighted(rng)]]
)
CASES["inequality-jensen-06"] = lambda: violation((1 + 1 / 3) / 2, 1 / 2)


@case("inequality-cauchy-07")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> list[float]:
        x, y = rows(rng, 2, 4)
        tied = -2.5 * x
        equal = (x @ tied) ** 2 - (x @ x) * (tied @ tied)
        strict = (x @ y) ** 2 >= (x @ x) * (y @ y) - 1e-9  # independent draws
        return [float(strict), equal / (x @ x) ** 2]

    return over_draws(gap)


CASES["inequality-cauchy-08"] = lambda: violation(normal_mean(Z**2), normal_mean(np.abs(Z)) ** 2)


@case("inequality-reach-09")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        keys, delta = rows(rng, 4, 6), rng.uniform(1e-6, 0.9)
        query = np.linalg.pinv(keys)[:, 2] * math.log(4 / delta)  # logit ln(n/δ) on key 2, zero on the others
        return violation(1 - delta, softmax(keys @ query)[2])

    return over_draws(gap)


CASES["inequality-norm-10"] = lambda: violation(np.linalg.norm(E1 + E1), abs(np.linalg.norm(E1) - np.linalg.norm(-E1)))


@case("inequality-softmax-11")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        s = np.sort(rows(rng, 6) * rng.uniform(0, 5))
        return violation(1 - softmax(s)[-1], 5 * math.exp(s[-2] - s[-1]))

    return over_draws(gap)


CASES["inequality-softmax-12"] = lambda: violation(1 - math.exp(-1), softmax([1.0, 0.0, 0.0])[0])


@case("inequality-softmax-13")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        x, y = rows(rng, 2, 5) * rng.uniform(0.1, 4)
        return violation(np.linalg.norm(softmax(x) - softmax(y)), np.linalg.norm(x - y))

    return over_draws(gap)


CASES["inequality-softmax-14"] = lambda: violation(0.5, softmax([0.1, 0.0, 0.0])[0])


@case("inequality-hull-15")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        alpha, values, w = softmax(rows(rng, 5)), rows(rng, 5, 3), rows(rng, 3)
        return violation((values @ w).min(), alpha @ values @ w, (values @ w).max())

    return over_draws(gap)


CASES["inequality-hull-16"] = lambda: violation(1.0, abs(softmax([0.0, 0.0]) @ [1.0, -1.0]))


@case("inequality-hull-17")
def _() -> Gap:
    def gap(rng: np.random.Generator) -> float:
        keys = rows(rng, 6, 3)
        keys[2] = (keys[0] + keys[1]) / 2
        kept = keys[: rng.integers(3, 7)]
        return max(violation(softmax(kept @ rows(rng, 3))[2], 1 / 3), violation(softmax(kept @ np.zeros(3))[2], 1 / 3))

    return over_draws(gap)


CASES["inequality-entropy-18"] = lambda: violation(stats.entropy([0.9, 0.1]), -math.log(0.9))
CASES["inequality-entropy-19"] = lambda: violation(0.2**2, stats.entropy([0.6, 0.4], [0.5, 0.5]))
CASES["inequality-variance-20"] = lambda: over_draws(
    lambda rng: [violation(cov_of(w, x), (x.max() - x.min()) ** 2 / 4) for x, w in [weighted(rng)]]
)

# --- Limits -----------------------------------------------------------------------------------------------------------

LOGITS = np.array([0.4, 1.0, -0.7])
TIED = np.array([1.0, 0.2, 1.0, -0.5])

CASES["limit-temperature-01"] = lambda: [largest(softmax(LOGITS / T) - 1 / 3) for T in GROWING]
CASES["limit-temperature-02"] = lambda: largest(softmax(LOGITS / 1e6) - np.eye(3)[1])
CASES["limit-temperature-03"] = lambda: 1 - float(softmax(np.zeros(2) / 1e-6).max())
CASES["limit-lse-04"] = lambda: [abs(T * lse(LOGITS / T) - LOGITS.max()) for T in SHRINKING[:3]]
CASES["limit-lse-05"] = lambda: abs(1e6 * lse(LOGITS / 1e6) - LOGITS.mean())
CASES["limit-lse-06"] = lambda: [abs(T * (lse(LOGITS / T) - math.log(3)) - LOGITS.mean()) for T in GROWING]
CASES["limit-ties-07"] = lambda: [largest(softmax(TIED / T) - [0.5, 0, 0.5, 0]) for T in (1, 0.3, 0.1, 0.03)]
CASES["limit-exp-08"] = lambda: abs((1 + 1 / 1e6) ** 2e6 - math.e)
CASES["limit-stirling-09"] = lambda: [
    abs(special.gammaln(n + 1) / (n * math.log(n) - n) - 1) for n in (10, 100, 1e4, 1e8)
]
CASES["limit-sigmoid-10"] = lambda: abs(30 * logistic(-30.0) - 1)
CASES["limit-tanh-11"] = lambda: [float(abs((1 - mpmath.tanh(x)) * mpmath.exp(2 * x) - 2)) for x in (1, 3, 6, 12)]
CASES["limit-pnorm-12"] = lambda: abs(np.linalg.norm([1.0, 2.0], 500) - 1)


@case("limit-powermean-13")
def _() -> Gap:
    x = np.array([0.5, 2.0, 7.0])
    return [abs((x**p).mean() ** (1 / p) - math.exp(np.log(x).mean())) for p in (1, -0.1, 0.01, -0.001)]


CASES["limit-geometric-14"] = lambda: min(abs(sum((-1.0) ** k for k in range(n)) - 0.5) for n in (100, 101))
CASES["limit-copy-15"] = lambda: [largest(softmax(b * LOGITS) @ np.eye(3) - np.eye(3)[1]) for b in (1, 4, 16, 64)]
CASES["limit-unscaled-16"] = lambda: abs(own_weight(1.0, 10**9, np.ones(1))[0] - math.exp(-1))
CASES["limit-neumann-17"] = lambda: abs(sum(2.0**k for k in range(20)) - 1 / (1 - 2))


@case("limit-expm-18")
def _() -> Gap:
    a = rows(np.random.default_rng(1), 3, 3)
    return [largest(np.linalg.matrix_power(np.eye(3) + a / n, n) - linalg.expm(a)) for n in (1, 10, 100, 1000)]


CASES["limit-xlogx-19"] = lambda: [abs(x * math.log(x)) for x in (0.1, 1e-2, 1e-4, 1e-8)]
CASES["limit-logquery-20"] = lambda: abs(own_weight(math.log(1e9), 10**9, np.ones(1))[0] - 1)


# --- Comparison -------------------------------------------------------------------------------------------------------


def supports(label: str, gap: Gap) -> bool:
    """Whether a gap, or a list of gaps on the way to a limit, speaks for the label."""
    if isinstance(gap, list):
        falling = all(after < before for before, after in itertools.pairwise(gap))
        return label == "holds-in-limit" and falling and gap[-1] < 0.05 * gap[0]
    return gap < EXACT if label == "holds" else label == "fails" and gap > APART


def disagreements(claims: list[dict[str, str]]) -> Iterator[str]:
    for claim in claims:
        if claim["id"] in CASES:
            gap = CASES[claim["id"]]()
            if not supports(claim["label"], gap):
                yield f"{claim['id']}: label {claim['label']}, but the numbers say {gap}"


def main() -> None:
    claims = tomllib.loads(CLAIMS.read_text(encoding="utf-8"))["claim"]
    unknown = CASES.keys() - {claim["id"] for claim in claims}
    assert not unknown, f"cases without a claim: {sorted(unknown)}"
    found = list(disagreements(claims))
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(CASES) - len(found)} of {len(claims)} labels agree with numbers; {len(claims) - len(CASES)} have none")


if __name__ == "__main__":
    main()
