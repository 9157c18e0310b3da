"""Numerical evidence for the labels of independent-d.toml.

Every function below measures by how much one claim is violated on a random instance: the gap between the two sides of
an equation, or the amount by which an inequality is broken. `attention_01` belongs to the first claim of kind
"attention" in the file, and so on. A claim that holds must show no gap on any instance, a claim that fails must show a
gap on at least one, and the gap of a claim that holds in the limit must vanish along the limit.

Run: python benchmarks/claims/evidence_d.py
"""

import math
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
Rng = np.random.Generator
Gap = Callable[[Rng], Any]
GapAt = Callable[[Rng, float], Any]

# name of a claim -> function that takes the label in the file and says whether the numbers agree with it
TABLE: dict[str, Callable[[str], bool]] = {}

INSTANCES = 25


def _name(function: Callable[..., Any]) -> str:
    return function.__name__.replace("_", "-")


def _gaps(gap: Gap) -> list[float]:
    return [float(gap(np.random.default_rng(7000 + i))) for i in range(INSTANCES)]


def holds(gap: Gap) -> Gap:
    """Register: no gap on any instance."""
    TABLE[_name(gap)] = lambda label: label == "holds" and max(_gaps(gap)) < 1e-6
    return gap


def fails(gap: Gap) -> Gap:
    """Register: a clear gap on at least one instance."""
    TABLE[_name(gap)] = lambda label: label == "fails" and max(_gaps(gap)) > 1e-3
    return gap


def in_limit(*places: float) -> Callable[[GapAt], GapAt]:
    """Register: the gap is there at the first place and (almost) gone at the last one, on every instance."""

    def register(gap: GapAt) -> GapAt:
        def check(label: str) -> bool:
            runs = [[float(gap(np.random.default_rng(9000 + i), t)) for t in places] for i in range(8)]
            start, end = max(run[0] for run in runs), max(run[-1] for run in runs)
            return label == "holds-in-limit" and start > 1e-4 and end < 5e-3 and end < start / 5

        TABLE[_name(gap)] = check
        return gap

    return register


# ---------------------------------------------------------------- tools


def softmax(z: Array) -> Array:
    e: Array = np.exp(z - z.max())
    p: Array = e / e.sum()
    return p


def lse(z: Array) -> float:
    m = float(z.max())
    return m + math.log(float(np.exp(z - m).sum()))


def sigma(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def orthonormal(rng: Rng, d: int, m: int) -> Array:
    """Draw a d x m matrix with orthonormal columns."""
    return np.linalg.qr(rng.normal(size=(d, m)))[0]


def covariance(rng: Rng, d: int) -> Array:
    a = rng.normal(size=(d, d))
    return a @ a.T / d + 0.2 * np.eye(d)


def probability(rng: Rng, n: int) -> Array:
    return rng.dirichlet(np.ones(n))


def far(a: Any, b: Any) -> float:
    """Largest absolute difference."""
    return float(np.max(np.abs(np.asarray(a) - np.asarray(b))))


def excess(a: Any, b: Any) -> float:
    """By how much a <= b is broken."""
    return float(max(0.0, np.max(np.asarray(a) - np.asarray(b))))


def gradient(f: Callable[[Array], Any], x: Array) -> Array:
    """Central differences of a scalar function, in the shape of x."""
    out = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[i] = 1e-5
        out[i] = (f(x + step) - f(x - step)) / 2e-5
    return out


def jacobian(f: Callable[[Array], Array], z: Array) -> Array:
    """J[i, j] = d f_i / d z_j by central differences."""
    columns = [(f(z + 1e-5 * e) - f(z - 1e-5 * e)) / 2e-5 for e in np.eye(len(z))]
    return np.stack(columns, axis=1)


def slope(f: Callable[[float], Any], x: float) -> float:
    return float((f(x + 1e-5) - f(x - 1e-5)) / 2e-5)


def normal_grid(mean: Array, cov: Array, nodes: int = 24) -> tuple[Array, Array]:
    """Gauss-Hermite points and weights for N(mean, cov)."""
    z, w = np.polynomial.hermite_e.hermegauss(nodes)
    d = len(mean)
    points = np.stack(np.meshgrid(*[z] * d, indexing="ij"), axis=-1).reshape(-1, d)
    weights = np.ones(1)
    for _ in range(d):
        weights = np.outer(weights, w / w.sum()).ravel()
    return mean + points @ np.linalg.cholesky(cov).T, weights


def scalar_mean(f: Callable[[Array], Array], mu: float, sd: float) -> float:
    """Mean of f(X) for X ~ N(mu, sd^2), by a fine trapezoid rule."""
    z = np.linspace(-12, 12, 48001)
    w = np.exp(-z * z / 2)
    return float((f(mu + sd * z) * w).sum() / w.sum())


def entropy(p: Array) -> float:
    return float(-(p * np.log(p)).sum())


def cross(p: Array, q: Array) -> float:
    return float(-(p * np.log(q)).sum())


def kl(p: Array, q: Array) -> float:
    return float((p * np.log(p / q)).sum())


def perplexity(p: Array) -> float:
    """Inverse geometric mean of the token probabilities."""
    return float(np.prod(p) ** (-1 / len(p)))


def norm(x: Array) -> float:
    return float(np.linalg.norm(x))


def attend(keys: Array, q: Array, values: Array) -> Array:
    return softmax(keys @ q) @ values


def orthonormal_keys(rng: Rng, n: int = 5, d: int = 7) -> tuple[Array, Array]:
    """Draw n orthonormal keys as rows, and n random values."""
    return orthonormal(rng, d, n).T, rng.normal(size=(n, 4))


# ---------------------------------------------------------------- attention


@holds
def attention_01(rng: Rng) -> float:
    e = np.exp(rng.normal(size=(5, 3)) @ rng.normal(size=3))
    return far((e / e.sum()).sum(), 1)


@holds
def attention_02(rng: Rng) -> float:
    k, q = rng.normal(size=(5, 3)), rng.normal(size=3)
    a = softmax(k @ q)
    return far(a[0] / a[1], np.exp((k[0] - k[1]) @ q))


@holds
def attention_03(rng: Rng) -> float:
    k, _ = orthonormal_keys(rng)
    c = rng.uniform(0.5, 4)
    return far(softmax(k @ (c * k[2]))[2], np.exp(c) / (np.exp(c) + 4))


@fails
def attention_04(rng: Rng) -> float:
    k, _ = orthonormal_keys(rng)
    c = rng.uniform(0.5, 4)
    return far(softmax(k @ (c * k[2]))[2], np.exp(c) / (np.exp(c) + 5))


@fails
def attention_05(rng: Rng) -> float:
    k, _ = orthonormal_keys(rng)
    c = rng.uniform(0.5, 4)
    return far(softmax(k @ (c * (k[0] + k[1])))[0], np.exp(c) / (np.exp(c) + 3))


@in_limit(1, 5, 20)
def attention_06(rng: Rng, c: float) -> float:
    k, v = orthonormal_keys(rng)
    return far(attend(k, c * (k[0] + k[1]), v), (v[0] + v[1]) / 2)


@fails
def attention_07(rng: Rng) -> float:
    k, v = orthonormal_keys(rng)
    return far(attend(k, 200 * (k[0] + k[1]), v), v[0] + v[1])


@holds
def attention_08(rng: Rng) -> float:
    k, q, u = rng.normal(size=(5, 3)), rng.normal(size=3), rng.normal(size=3)
    return far(softmax(k @ q), softmax((k + u) @ q))


@fails
def attention_09(rng: Rng) -> float:
    k, q, v, u = rng.normal(size=(5, 3)), rng.normal(size=3), rng.normal(size=(5, 3)), rng.normal(size=3)
    return far(attend(k, q, v), attend(k, q, v + u))


@fails
def attention_10(rng: Rng) -> float:
    a, v = softmax(rng.normal(size=5)), rng.normal(size=(5, 3))
    return far(norm(a @ v), a @ np.linalg.norm(v, axis=1))


@holds
def attention_11(rng: Rng) -> float:
    a, v = softmax(rng.normal(size=5)), rng.normal(size=(5, 3))
    return excess(norm(a @ v), np.linalg.norm(v, axis=1).max())


@fails
def attention_12(rng: Rng) -> float:
    s = rng.normal(size=5)
    return far(softmax(2 * s), softmax(s) ** 2)


@holds
def attention_13(rng: Rng) -> float:
    s = rng.normal(size=5)
    a = softmax(s)
    return far(softmax(2 * s), a**2 / (a**2).sum())


@holds
def attention_14(rng: Rng) -> float:
    a, v = softmax(rng.normal(size=5)), rng.normal(size=(5, 3))
    rest = (a[1:] @ v[1:]) / (1 - a[0])
    return far(a @ v - v[0], (1 - a[0]) * (rest - v[0]))


@fails
def attention_15(rng: Rng) -> float:
    k, v = orthonormal_keys(rng)
    q = rng.normal(size=7)
    return norm(attend(k, q - k.T @ (k @ q), v))


@in_limit(1, 100, 10_000)
def attention_16(rng: Rng, c: float) -> float:
    k, q, v = rng.normal(size=(5, 3)), rng.normal(size=3), rng.normal(size=(5, 3))
    return far(attend(k, c * q, v), v[np.argmax(k @ q)])


@fails
def attention_17(rng: Rng) -> float:
    k, _ = orthonormal_keys(rng)
    a = softmax(k @ (rng.uniform(0.5, 4) * (k[0] - k[1])))
    return far(a[0], a[1])


@fails
def attention_18(rng: Rng) -> float:
    k, q = rng.normal(size=(5, 3)), rng.normal(size=3)
    k[2] = (k[0] + k[1]) / 2
    a = softmax(k @ q)
    return far(a[2], (a[0] + a[1]) / 2)


@fails
def attention_19(rng: Rng) -> float:
    k, v = orthonormal_keys(rng)
    w = rng.uniform(0.1, 0.4)
    return far(attend(k, 500 * (w * k[0] + (1 - w) * k[1]), v), w * v[0] + (1 - w) * v[1])


@in_limit(1, 5, 20)
def attention_20(rng: Rng, c: float) -> float:
    k, _ = orthonormal_keys(rng)
    return far(softmax(k @ (c * k[:3].sum(axis=0)))[:3], 1 / 3)


# ---------------------------------------------------------------- noisy keys


def _linear_form(rng: Rng) -> tuple[float, float, float, float]:
    """Mean and variance of k.q for k ~ N(mu, S) by quadrature, and mu.q and q'Sq."""
    mu, s, q = rng.normal(size=2), covariance(rng, 2), rng.normal(size=2)
    x, w = normal_grid(mu, s)
    mean = w @ (x @ q)
    return float(mean), float(w @ (x @ q - mean) ** 2), float(mu @ q), float(q @ s @ q)


@holds
def noisy_keys_01(rng: Rng) -> float:
    _, var, _, form = _linear_form(rng)
    return far(var, form)


@fails
def noisy_keys_02(rng: Rng) -> float:
    _, var, mean, form = _linear_form(rng)
    return far(var, mean**2 + form)


@fails
def noisy_keys_03(rng: Rng) -> float:
    q, alpha = rng.normal(size=2), rng.uniform(0.1, 0.7)
    x, w = normal_grid(np.zeros(2), alpha * np.eye(2))
    return far(math.sqrt(w @ (x @ q) ** 2), alpha * norm(q))


@holds
def noisy_keys_04(rng: Rng) -> float:
    mu, alpha, c = orthonormal(rng, 3, 1)[:, 0], rng.uniform(0.1, 1), rng.uniform(1, 4)
    x, w = normal_grid(mu, alpha * np.eye(3) + np.outer(mu, mu) / 2)
    return far(w @ (x @ (c * mu) - c) ** 2, c**2 * (alpha + 0.5))


@fails
def noisy_keys_05(rng: Rng) -> float:
    mu = orthonormal(rng, 3, 1)[:, 0]
    return far(math.sqrt(mu @ (0.5 * np.outer(mu, mu)) @ mu), 0.5)


@fails
def noisy_keys_06(rng: Rng) -> float:
    k, _ = orthonormal_keys(rng)
    c, g = rng.uniform(0.5, 2), rng.normal(1, 0.7)
    q = c * (k[0] + k[1])
    k[0] *= g
    return far(softmax(k @ q)[0], 1 / (1 + np.exp(c * (1 - g)) + 3 * np.exp(-c)))


@holds
def noisy_keys_07(rng: Rng) -> float:
    k, _ = orthonormal_keys(rng, n=2)
    c, g = rng.uniform(0.5, 4), rng.normal(1, 0.7)
    q = c * (k[0] + k[1])
    k[0] *= g
    return far(softmax(k @ q)[1], 1 / (1 + np.exp(c * (g - 1))))


@in_limit(1, 100, 1000)
def noisy_keys_08(rng: Rng, c: float) -> float:
    k, _ = orthonormal_keys(rng, n=2)
    q = c * (k[0] + k[1])

    def weight(g: Array) -> Array:
        value: Array = 1 / (1 + np.exp(np.clip(k[1] @ q - (1 + g) * (k[0] @ q), -700, 700)))
        return value

    mean = scalar_mean(weight, 0, math.sqrt(0.5))
    return far(scalar_mean(lambda g: (weight(g) - mean) ** 2, 0, math.sqrt(0.5)), 0.25)


@fails
def noisy_keys_09(rng: Rng) -> float:
    a, b = rng.uniform(0.5, 2), rng.uniform(0.5, 2)
    x, w = normal_grid(np.zeros(2), np.diag([a, b]))
    return far(w @ x.mean(axis=1) ** 2, (a + b) / 2)


@holds
def noisy_keys_10(rng: Rng) -> float:
    mu, s, q, r = rng.normal(size=2), covariance(rng, 2), rng.normal(size=2), rng.normal(size=2)
    x, w = normal_grid(mu, s)
    return far(w @ ((x @ q - mu @ q) * (x @ r - mu @ r)), q @ s @ r)


@fails
def noisy_keys_11(rng: Rng) -> float:
    q, s = orthonormal(rng, 3, 2), covariance(rng, 3)
    return abs(float(q[:, 0] @ s @ q[:, 1]))


@fails
def noisy_keys_12(rng: Rng) -> float:
    k, q, v = rng.normal(size=(200, 5, 3)), rng.normal(size=3), rng.normal(size=(5, 3))
    c = np.stack([attend(one, q, v) for one in k])
    return far(np.var((c + c) / 2, axis=0) / np.var(c, axis=0), 0.5)


@holds
def noisy_keys_13(rng: Rng) -> float:
    s2 = rng.uniform(0.5, 2)
    x, w = normal_grid(rng.normal(size=3), s2 * np.eye(3))
    y = x.mean(axis=1)
    return far(w @ (y - w @ y) ** 2, s2 / 3)


@in_limit(1, 1e-3, 1e-8)
def noisy_keys_14(rng: Rng, eps: float) -> float:
    mu, _ = orthonormal_keys(rng)
    k = mu + math.sqrt(eps) * rng.normal(size=mu.shape)
    a = softmax(k @ (3 * (mu[0] + mu[1])))
    return far(a[0], a[1])


@in_limit(2, 100, 5000)
def noisy_keys_15(rng: Rng, c: float) -> float:
    mu, _ = orthonormal_keys(rng)
    z = np.linspace(-8, 8, 160001)  # normal grid for g / sd
    own = c * (mu[0] @ mu[0]) * (1 + math.sqrt(0.5) * z)
    others = np.log(np.exp(mu[1:] @ (c * mu[0])).sum())
    w = np.exp(-z * z / 2)
    return far((w * (own < others)).sum() / w.sum(), normal_cdf(-math.sqrt(2)))


@fails
def noisy_keys_16(rng: Rng) -> float:
    p = scalar_mean(lambda x: (1 + x < 0).astype(float), 0, math.sqrt(0.5))
    return far(p, normal_cdf(-1 / math.sqrt(2)))


@fails
def noisy_keys_17(rng: Rng) -> float:
    a, b, q = rng.uniform(0.5, 2), rng.uniform(0.5, 2), rng.normal()
    x, w = normal_grid(np.zeros(2), np.diag([a, b]))
    return far(w @ ((x[:, 0] - x[:, 1]) * q) ** 2, q * (a - b) * q)


@in_limit(1, 1e-3, 1e-8)
def noisy_keys_18(rng: Rng, eps: float) -> float:
    mu, q, v, noise = rng.normal(size=(5, 3)), rng.normal(size=3), rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    return far(attend(mu + math.sqrt(eps) * noise, q, v), attend(mu, q, v))


# ---------------------------------------------------------------- softmax


def _jacobian_of_softmax(rng: Rng) -> tuple[Array, Array]:
    z = rng.normal(size=4)
    return softmax(z), jacobian(softmax, z)


@holds
def softmax_01(rng: Rng) -> float:
    p, j = _jacobian_of_softmax(rng)
    return far(j, p[:, None] * (np.eye(4) - p[None, :]))


@fails
def softmax_02(rng: Rng) -> float:
    p, j = _jacobian_of_softmax(rng)
    return far(j[0, 1], p[0] * p[1])


@holds
def softmax_03(rng: Rng) -> float:
    p = softmax(5 * rng.normal(size=4))
    return excess(np.linalg.norm(np.diag(p) - np.outer(p, p), 2), 0.5)


@fails
def softmax_04(rng: Rng) -> float:
    z = rng.normal(size=4)
    return far(gradient(lse, z), np.log(softmax(z)))


@holds
def softmax_05(rng: Rng) -> float:
    p = softmax(3 * rng.normal(size=4))
    return excess(0, np.linalg.eigvalsh(np.diag(p) - np.outer(p, p)).min())


@fails
def softmax_06(rng: Rng) -> float:
    p = softmax(rng.normal(size=4))
    return float(4 - np.linalg.matrix_rank(np.diag(p) - np.outer(p, p)))


@holds
def softmax_07(rng: Rng) -> float:
    p, j = _jacobian_of_softmax(rng)
    return far(np.trace(j), 1 - (p**2).sum())


@fails
def softmax_08(rng: Rng) -> float:
    z = rng.normal(size=4)
    return far(softmax(z), softmax(2.5 * z))


@holds
def softmax_09(rng: Rng) -> float:
    z = rng.normal(size=6)
    return far(np.argsort(z), np.argsort(softmax(z)))


@holds
def softmax_10(rng: Rng) -> float:
    w = rng.uniform(0.1, 5, size=4)
    return far(softmax(np.log(w)), w / w.sum())


@fails
def softmax_11(rng: Rng) -> float:
    z = rng.normal(size=2)
    return far(softmax(z)[0], sigma(z[1] - z[0]))


@holds
def softmax_12(rng: Rng) -> float:
    z = rng.normal(size=4)
    return far(np.log(softmax(z)), z - np.log(np.exp(z).sum()))


@fails
def softmax_13(rng: Rng) -> float:
    a, b = rng.normal(size=4), rng.normal(size=4)
    return far(softmax(a + b), softmax(a) * softmax(b))


@fails
def softmax_14(rng: Rng) -> float:
    z, t = rng.normal(size=4), rng.uniform(1.5, 3)
    p = softmax(z / t)
    return far(np.diag(jacobian(lambda x: softmax(x / t), z)), p * (1 - p))


@fails
def softmax_15(rng: Rng) -> float:
    z = rng.normal(size=4)
    return far(z, z + 1) if far(softmax(z), softmax(z + 1)) < 1e-12 else 0.0


@holds
def softmax_16(rng: Rng) -> float:
    return far(_jacobian_of_softmax(rng)[1].sum(axis=0), 0)


@in_limit(1, 100, 10_000)
def softmax_17(rng: Rng, t: float) -> float:
    return far(softmax(rng.normal(size=4) / t), 0.25)


@fails
def softmax_18(rng: Rng) -> float:
    z = rng.normal(size=4)
    return far(1 / softmax(z)[0], 1 + np.exp(z[0] - z[1:]).sum())


@fails
def softmax_19(rng: Rng) -> float:
    z = rng.normal(size=4)
    return far(jacobian(lambda x: np.log(softmax(x)), z), np.eye(4) - np.outer(softmax(z), np.ones(4)))


# ---------------------------------------------------------------- entropy


def _two(rng: Rng, n: int = 4) -> tuple[Array, Array]:
    return probability(rng, n), probability(rng, n)


@holds
def entropy_01(rng: Rng) -> float:
    p, q = _two(rng)
    return far(cross(p, q), entropy(p) + kl(p, q))


@fails
def entropy_02(rng: Rng) -> float:
    p, q = _two(rng)
    return far(cross(p, q), entropy(q) + kl(p, q))


@holds
def entropy_03(rng: Rng) -> float:
    p = probability(rng, 4)
    return far(kl(p, np.full(4, 0.25)), math.log(4) - entropy(p))


@fails
def entropy_04(rng: Rng) -> float:
    p = probability(rng, 4)
    return far(kl(np.full(4, 0.25), p), math.log(4) - entropy(p))


@fails
def entropy_05(rng: Rng) -> float:
    p, q = _two(rng)
    return far(kl(p, q), kl(q, p))


@holds
def entropy_06(rng: Rng) -> float:
    return excess(entropy(probability(rng, 4)), entropy(np.full(4, 0.25)))


@holds
def entropy_07(rng: Rng) -> float:
    q = probability(rng, 4)
    return far(cross(np.eye(4)[2], q), -math.log(q[2]))


@fails
def entropy_08(rng: Rng) -> float:
    p, q = _two(rng)
    return far(gradient(lambda x: cross(p, x), q), -q / p)


@fails
def entropy_09(rng: Rng) -> float:
    y, theta = np.eye(4)[1], rng.normal(size=4)
    return far(gradient(lambda t: cross(y, softmax(t)), theta), y - softmax(theta))


@holds
def entropy_10(rng: Rng) -> float:
    y, theta = probability(rng, 4), rng.normal(size=4)
    return far(gradient(lambda t: cross(y, softmax(t)), theta), softmax(theta) - y)


@fails
def entropy_11(rng: Rng) -> float:
    y, theta = rng.uniform(0.5, 2, size=4), rng.normal(size=4)
    return far(gradient(lambda t: cross(y, softmax(t)), theta), softmax(theta) - y)


@holds
def entropy_12(rng: Rng) -> float:
    p = probability(rng, 4)
    return excess(-math.log(p.max()), entropy(p))


@fails
def entropy_13(rng: Rng) -> float:
    p = probability(rng, 4)
    return excess(entropy(p), -math.log((p**2).sum()))


@holds
def entropy_14(rng: Rng) -> float:
    p, q = _two(rng)
    return far(entropy(np.outer(p, q).ravel()), entropy(p) + entropy(q))


@fails
def entropy_15(rng: Rng) -> float:
    p, q = _two(rng)
    return excess(entropy(q), cross(p, q))


@fails
def entropy_16(rng: Rng) -> float:
    return excess(entropy(np.array([0.5, 0.5])) / math.log(2), math.log(2))


@holds
def entropy_17(rng: Rng) -> float:
    p = rng.uniform(0.05, 0.95)
    return far(slope(lambda t: entropy(np.array([t, 1 - t])), p), math.log((1 - p) / p))


@fails
def entropy_18(rng: Rng) -> float:
    p, q = _two(rng)
    r = probability(rng, 4)
    return excess(kl(p, r), kl(p, q) + kl(q, r))


@holds
def entropy_19(rng: Rng) -> float:
    a, b, s = rng.normal(), rng.normal(), rng.uniform(0.5, 2)
    log_ratio: Callable[[Array], Array] = lambda x: ((x - b) ** 2 - (x - a) ** 2) / (2 * s * s)
    return far(scalar_mean(log_ratio, a, s), (a - b) ** 2 / (2 * s * s))


# ---------------------------------------------------------------- gradients


class Network:
    """A small network with one hidden layer, a target, and its gradients by central differences."""

    def __init__(self, rng: Rng, d: int = 3, hidden: int = 4, n: int = 3) -> None:
        self.x, self.w1, self.b1 = rng.normal(size=d), rng.normal(size=(d, hidden)), rng.normal(size=hidden)
        self.w2, self.b2, self.y = rng.normal(size=(hidden, n)), rng.normal(size=n), np.eye(n)[rng.integers(n)]
        self.h = sigma(self.x @ self.w1 + self.b1)
        self.delta = softmax(self.h @ self.w2 + self.b2) - self.y

    def loss(self, x: Array, w1: Array, b1: Array, w2: Array) -> float:
        """Cross-entropy as a function of everything that a claim differentiates by."""
        return cross(self.y, softmax(sigma(x @ w1 + b1) @ w2 + self.b2))


@holds
def gradients_01(rng: Rng) -> float:
    x = rng.normal()
    return far(slope(sigma, x), sigma(x) * (1 - sigma(x)))


@fails
def gradients_02(rng: Rng) -> float:
    x = rng.normal()
    return far(slope(lambda t: math.log(sigma(t)), x), 1 - sigma(-x))


@holds
def gradients_03(rng: Rng) -> float:
    x = rng.normal()
    return far(math.tanh(x), 2 * sigma(2 * x) - 1)


@fails
def gradients_04(rng: Rng) -> float:
    x = rng.normal()
    return far(slope(math.tanh, x), 2 * slope(sigma, 2 * x))


@holds
def gradients_05(rng: Rng) -> float:
    m = Network(rng)
    return far(gradient(lambda w2: m.loss(m.x, m.w1, m.b1, w2), m.w2), np.outer(m.h, m.delta))


@fails
def gradients_06(rng: Rng) -> float:
    m = Network(rng, d=4)  # as many inputs as hidden units, so that the product is defined at all
    slip = (m.delta @ m.w2.T * m.h * (1 - m.h)) @ m.w1
    return far(gradient(lambda x: m.loss(x, m.w1, m.b1, m.w2), m.x), slip)


@fails
def gradients_07(rng: Rng) -> float:
    m = Network(rng)
    slip = m.delta @ m.w2.T * m.h * (1 - m.h)
    return far(gradient(lambda h: cross(m.y, softmax(h @ m.w2 + m.b2)), m.h), slip)


@holds
def gradients_08(rng: Rng) -> float:
    m = Network(rng)
    return far(gradient(lambda b1: m.loss(m.x, m.w1, b1, m.w2), m.b1), m.delta @ m.w2.T * m.h * (1 - m.h))


@holds
def gradients_09(rng: Rng) -> float:
    return excess(slope(sigma, rng.normal()), 0.25)


@fails
def gradients_10(rng: Rng) -> float:
    return excess(slope(math.tanh, rng.normal()), 0.25)


@holds
def gradients_11(rng: Rng) -> float:
    a, x = rng.normal(size=(3, 3)), rng.normal(size=3)
    return far(gradient(lambda t: t @ a @ t, x), (a + a.T) @ x)


@fails
def gradients_12(rng: Rng) -> float:
    a, x = rng.normal(size=(3, 3)), rng.normal(size=3)
    return far(gradient(lambda t: t @ a @ t, x), 2 * a @ x)


@holds
def gradients_13(rng: Rng) -> float:
    a, b, x = rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=3)
    return far(gradient(lambda t: norm(a @ t - b) ** 2 / 2, x), a.T @ (a @ x - b))


@fails
def gradients_14(rng: Rng) -> float:
    x = rng.normal(size=3)
    return far(gradient(norm, x), x / norm(x) ** 2)


@holds
def gradients_15(rng: Rng) -> float:
    x = rng.normal()
    first = slope(lambda t: math.log1p(math.exp(t)), x)
    return max(far(first, sigma(x)), far(slope(sigma, x), sigma(x) * (1 - sigma(x))))


@fails
def gradients_16(rng: Rng) -> float:
    w, x, y = rng.normal(size=3), rng.normal(size=3), rng.integers(2)
    p = sigma(w @ x)
    loss: Callable[[Array], Any] = lambda t: -y * np.log(sigma(t @ x)) - (1 - y) * np.log(1 - sigma(t @ x))
    return far(gradient(loss, w), (p - y) * p * (1 - p) * x)


@fails
def gradients_17(rng: Rng) -> float:
    x = rng.normal()
    s = sigma(x)
    return far(slope(lambda t: sigma(t) * (1 - sigma(t)), x), s * (1 - s) * (1 - s))


@holds
def gradients_18(rng: Rng) -> float:
    x, w = rng.normal(size=(4, 3)), rng.normal(size=(3, 2))
    loss: Callable[[Array], Any] = lambda y: np.sin(y).sum()
    return far(gradient(lambda t: loss(x @ t), w), x.T @ np.cos(x @ w))


# ---------------------------------------------------------------- perplexity


def _tokens(rng: Rng, n: int = 6) -> Array:
    """Draw the probabilities that a model gives to n tokens."""
    return rng.uniform(0.05, 0.9, size=n)


@holds
def perplexity_01(rng: Rng) -> float:
    p = _tokens(rng)
    return far(perplexity(p), math.exp(-np.log(p).mean()))


@fails
def perplexity_02(rng: Rng) -> float:
    p = _tokens(rng)
    return far(perplexity(p), 2 ** (-np.log(p).mean()))


@holds
def perplexity_03(rng: Rng) -> float:
    p, base = _tokens(rng), rng.uniform(1.5, 12)
    return far(base ** (-(np.log(p) / math.log(base)).mean()), perplexity(p))


@fails
def perplexity_04(rng: Rng) -> float:
    p = _tokens(rng)
    return far(perplexity(p), (1 / p).mean())


@holds
def perplexity_05(rng: Rng) -> float:
    v = int(rng.integers(2, 20))
    return far(perplexity(np.full(5, 1 / v)), v)


@fails
def perplexity_06(rng: Rng) -> float:
    return far(perplexity(np.full(4, math.exp(-3))), 8)


@holds
def perplexity_07(rng: Rng) -> float:
    p = _tokens(rng)
    return far(math.log2(perplexity(p)), -np.log2(p).mean())


@fails
def perplexity_08(rng: Rng) -> float:
    p = probability(rng, 4)
    return far(entropy(p), math.log2(math.e) * -(p * np.log2(p)).sum())


@fails
def perplexity_09(rng: Rng) -> float:
    p, q = _tokens(rng), _tokens(rng)
    return far(perplexity(np.concatenate([p, q])), (perplexity(p) + perplexity(q)) / 2)


@holds
def perplexity_10(rng: Rng) -> float:
    p, q = _tokens(rng, 4), _tokens(rng, 7)
    return far(perplexity(np.concatenate([p, q])), (perplexity(p) ** 4 * perplexity(q) ** 7) ** (1 / 11))


def _characters(rng: Rng) -> tuple[Array, list[int]]:
    """Draw probabilities of the characters of a text and the lengths of its tokens."""
    lengths = [int(n) for n in rng.integers(1, 6, size=5)]
    return _tokens(rng, sum(lengths)), lengths


@holds
def perplexity_11(rng: Rng) -> float:
    p, lengths = _characters(rng)
    tokens = np.array([part.prod() for part in np.split(p, np.cumsum(lengths)[:-1])])
    return far(perplexity(tokens) / 2 ** (-np.log2(p).mean() * np.mean(lengths)) - 1, 0)


@fails
def perplexity_12(rng: Rng) -> float:
    p, lengths = _characters(rng)
    tokens = np.array([part.prod() for part in np.split(p, np.cumsum(lengths)[:-1])])
    return far(perplexity(tokens), np.mean(lengths) * perplexity(p))


@holds
def perplexity_13(rng: Rng) -> float:
    return excess(1, perplexity(rng.uniform(0.01, 1, size=5)))


@fails
def perplexity_14(rng: Rng) -> float:
    p = _tokens(rng)
    return far(perplexity(p / 2), perplexity(p) + 1)


@fails
def perplexity_15(rng: Rng) -> float:
    p = _tokens(rng)
    return far(perplexity(p), math.exp(-np.log(p).sum()))


@holds
def perplexity_16(rng: Rng) -> float:
    p, q = _two(rng)
    return excess(math.exp(cross(p, p)), math.exp(cross(p, q)))


@fails
def perplexity_17(rng: Rng) -> float:
    p, q = _two(rng)
    return far(math.exp(cross(p, q)), math.exp(entropy(p)) + math.exp(kl(p, q)))


# ---------------------------------------------------------------- subspaces


def _projector(rng: Rng, d: int = 5, m: int = 2) -> Array:
    a = orthonormal(rng, d, m)
    return a @ a.T


@holds
def subspace_01(rng: Rng) -> float:
    p = _projector(rng)
    return far(p @ p, p)


@fails
def subspace_02(rng: Rng) -> float:
    return far(_projector(rng), np.eye(5))


@holds
def subspace_03(rng: Rng) -> float:
    basis = orthonormal(rng, 6, 4)
    a, v_a, v_b = basis[:, :2], basis[:, :2] @ rng.normal(size=2), basis[:, 2:] @ rng.normal(size=2)
    return far(a @ a.T @ (v_a + v_b), v_a)


@fails
def subspace_04(rng: Rng) -> float:
    a, b = orthonormal(rng, 6, 2), orthonormal(rng, 6, 2)
    v_a, v_b = a @ rng.normal(size=2), b @ rng.normal(size=2)
    return far(a @ a.T @ (v_a + v_b), v_a)


@fails
def subspace_05(rng: Rng) -> float:
    a = rng.normal(size=(5, 2))
    return far(a @ a.T, a @ np.linalg.inv(a.T @ a) @ a.T)


@holds
def subspace_06(rng: Rng) -> float:
    a = rng.normal(size=(5, 2))
    p = a @ np.linalg.inv(a.T @ a) @ a.T
    return max(far(p @ p, p), far(p, p.T))


@fails
def subspace_07(rng: Rng) -> float:
    p, x = _projector(rng), rng.normal(size=5)
    return far(norm(x), norm(p @ x) + norm(x - p @ x))


@holds
def subspace_08(rng: Rng) -> float:
    a = rng.normal(size=(5, 3))
    b = a + 0.3 * rng.normal(size=(5, 3))
    p = a @ np.linalg.inv(b.T @ a) @ b.T  # an oblique projection
    return max(far(p @ p, p), far(np.trace(p), np.linalg.matrix_rank(p, tol=1e-6)))


@holds
def subspace_09(rng: Rng) -> float:
    return far(np.linalg.eigvalsh(_projector(rng)), [0, 0, 0, 1, 1])


@fails
def subspace_10(rng: Rng) -> float:
    s = _projector(rng) + _projector(rng)
    return far(s @ s, s)


@holds
def subspace_11(rng: Rng) -> float:
    r = np.eye(5) - 2 * _projector(rng)
    return far(r.T @ r, np.eye(5))


@fails
def subspace_12(rng: Rng) -> float:
    x, a = rng.normal(size=3), rng.normal(size=3)
    best = a * np.linalg.lstsq(a[:, None], x, rcond=None)[0]
    return far(best, a @ x / norm(a) * a)


@fails
def subspace_13(rng: Rng) -> float:
    return far(np.linalg.det(np.eye(5) - 2 * _projector(rng)), -1)


@holds
def subspace_14(rng: Rng) -> float:
    y = rng.normal(size=2)
    return far(norm(orthonormal(rng, 5, 2) @ y), norm(y))


@fails
def subspace_15(rng: Rng) -> float:
    x = rng.normal(size=5)
    return far(norm(orthonormal(rng, 5, 2).T @ x), norm(x))


@fails
def subspace_16(rng: Rng) -> float:
    u, w = rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
    return float(6 - np.linalg.matrix_rank(np.hstack([u, w])))


@holds
def subspace_17(rng: Rng) -> float:
    a, x = orthonormal(rng, 5, 2), rng.normal(size=5)
    return far(a.T @ (x - a @ a.T @ x), 0)


@holds
def subspace_18(rng: Rng) -> float:
    a = rng.normal(size=(2, 5))
    null = np.linalg.svd(a)[2][2:].T
    rows = a.T @ np.linalg.inv(a @ a.T) @ a
    return far(null @ null.T, np.eye(5) - rows)


# ---------------------------------------------------------------- matrices


def _square(rng: Rng, n: int = 3) -> Array:
    return rng.normal(size=(n, n))


NILPOTENT = np.array([[0.0, 1.0], [0.0, 0.0]])


@holds
def matrices_01(rng: Rng) -> float:
    a, b, c = _square(rng), _square(rng), _square(rng)
    return far(np.trace(a @ b @ c), np.trace(c @ a @ b))


@fails
def matrices_02(rng: Rng) -> float:
    a, b, c = _square(rng), _square(rng), _square(rng)
    return far(np.trace(a @ b @ c), np.trace(b @ a @ c))


@fails
def matrices_03(rng: Rng) -> float:
    a, c = _square(rng), rng.uniform(1.5, 3)
    return far(np.linalg.det(c * a), c * np.linalg.det(a))


@holds
def matrices_04(rng: Rng) -> float:
    a = _square(rng) + 4 * np.eye(3)
    return far(np.linalg.det(np.linalg.inv(a)), 1 / np.linalg.det(a))


@holds
def matrices_05(rng: Rng) -> float:
    a = rng.normal(size=(5, 2)) @ rng.normal(size=(2, 4))
    b = rng.normal(size=(4, 3)) @ rng.normal(size=(3, 5))
    rank = np.linalg.matrix_rank
    return excess(rank(a @ b), min(rank(a), rank(b)))


@fails
def matrices_06(rng: Rng) -> float:
    b = np.array([[1.0, 0.0], [0.0, 0.0]])
    return far(np.linalg.matrix_rank(NILPOTENT @ b), np.linalg.matrix_rank(b @ NILPOTENT))


@holds
def matrices_07(rng: Rng) -> float:
    a = rng.normal(size=(3, 4))
    return far((a**2).sum(), np.trace(a.T @ a))


@fails
def matrices_08(rng: Rng) -> float:
    a = _square(rng)
    return excess(np.linalg.norm(a), np.linalg.norm(a, 2))


@holds
def matrices_09(rng: Rng) -> float:
    a = _square(rng)
    return far(np.trace(a), np.linalg.eigvals(a).sum())


@fails
def matrices_10(rng: Rng) -> float:
    a = _square(rng)
    return far(np.sort(np.linalg.svd(a)[1]), np.sort(np.abs(np.linalg.eigvals(a))))


@fails
def matrices_11(rng: Rng) -> float:
    a, b = _square(rng), _square(rng)
    p = (a + a.T) @ (b + b.T)
    return far(p, p.T)


@holds
def matrices_12(rng: Rng) -> float:
    a, q = _square(rng), orthonormal(rng, 3, 3)
    return far(np.linalg.eigvalsh(a + a.T), np.linalg.eigvalsh(q.T @ (a + a.T) @ q))


@holds
def matrices_13(rng: Rng) -> float:
    a = _square(rng)
    _, v = np.linalg.eig(a + a.T)  # the general routine: it does not orthogonalise
    return far(v.T @ v, np.eye(3))


@fails
def matrices_14(rng: Rng) -> float:
    a, b = _square(rng) + 4 * np.eye(3), _square(rng) + 4 * np.eye(3)
    return far(np.linalg.inv(a @ b), np.linalg.inv(a) @ np.linalg.inv(b))


@holds
def matrices_15(rng: Rng) -> float:
    u, v = rng.normal(size=4), rng.normal(size=4)
    return far(np.linalg.det(np.eye(4) + np.outer(u, v)), 1 + v @ u)


@fails
def matrices_16(rng: Rng) -> float:
    u, v = rng.uniform(0.1, 0.4, size=3), rng.uniform(0.1, 0.4, size=3)
    return far(np.linalg.inv(np.eye(3) + np.outer(u, v)), np.eye(3) - np.outer(u, v) / (1 - v @ u))


@holds
def matrices_17(rng: Rng) -> float:
    a, x = _square(rng), rng.normal(size=3)
    return far(x @ a @ x, np.trace(a @ np.outer(x, x)))


@fails
def matrices_18(rng: Rng) -> float:
    nonzero = (np.abs(np.linalg.eigvals(NILPOTENT)) > 1e-12).sum()
    return far(np.linalg.matrix_rank(NILPOTENT), nonzero)


# ---------------------------------------------------------------- Gaussian


@holds
def gaussian_01(rng: Rng) -> float:
    mu, s, a, b, t = rng.normal(size=2), covariance(rng, 2), _square(rng, 2), rng.normal(size=2), rng.normal(size=2)
    x, w = normal_grid(mu, s, nodes=100)
    t /= norm(a.T @ t)
    y = x @ a.T + b
    m, c = a @ mu + b, a @ s @ a.T
    return float(abs(w @ np.exp(1j * (y @ t)) - np.exp(1j * (t @ m) - t @ c @ t / 2)))


@fails
def gaussian_02(rng: Rng) -> float:
    mu, s, a = rng.normal(size=2), covariance(rng, 2), _square(rng, 2)
    x, w = normal_grid(mu, s)
    y = (x - mu) @ a.T
    return far((w[:, None] * y).T @ y, a.T @ s @ a)


@holds
def gaussian_03(rng: Rng) -> float:
    mu, s = rng.normal(size=3), covariance(rng, 3)
    x, w = normal_grid(mu, s)
    return far(w @ (x**2).sum(axis=1), mu @ mu + np.trace(s))


@fails
def gaussian_04(rng: Rng) -> float:
    d = int(rng.integers(1, 6))
    r = np.linspace(0, 14, 20001)
    density = r ** (d - 1) * np.exp(-r * r / 2)
    return far((r * density).sum() / density.sum(), math.sqrt(d))


@holds
def gaussian_05(rng: Rng) -> float:
    k = int(rng.integers(1, 4))
    x, w = normal_grid(np.zeros(k), np.eye(k))
    s = (x**2).sum(axis=1)
    return max(far(w @ s, k), far(w @ (s - k) ** 2, 2 * k))


@fails
def gaussian_06(rng: Rng) -> float:
    sd = rng.uniform(0.3, 2)
    return far(scalar_mean(lambda z: z**4, 0, sd), 3 * sd**2)


@holds
def gaussian_07(rng: Rng) -> float:
    mu, sd, t = rng.normal(), rng.uniform(0.3, 1), rng.normal()
    return far(scalar_mean(lambda x: np.exp(t * x), mu, sd), math.exp(mu * t + sd**2 * t**2 / 2))


@fails
def gaussian_08(rng: Rng) -> float:
    sd = rng.uniform(0.3, 2)
    return far(scalar_mean(np.abs, 0, sd), sd * math.sqrt(math.pi / 2))


@fails
def gaussian_09(rng: Rng) -> float:
    # Y = S X with a fair sign S: Y is normal, E[XY] = 0, but E[X^2 Y^2] = E[X^4] differs from E[X^2] E[Y^2] = 1
    correlation = 0.5 * scalar_mean(lambda x: x * x, 0, 1) + 0.5 * scalar_mean(lambda x: -x * x, 0, 1)
    return far(scalar_mean(lambda x: x**4, 0, 1), 1) if abs(correlation) < 1e-12 else 0.0


@holds
def gaussian_10(rng: Rng) -> float:
    m, s = rng.normal(size=2), rng.uniform(0.5, 2, size=2)
    x, w = normal_grid(m, np.diag(s**2), nodes=100)
    t = 1.3 / norm(s)
    return float(abs(w @ np.exp(1j * t * x.sum(axis=1)) - np.exp(1j * t * m.sum() - t * t * (s**2).sum() / 2)))


@fails
def gaussian_11(rng: Rng) -> float:
    s = rng.uniform(0.5, 2, size=2)
    x, w = normal_grid(np.zeros(2), np.diag(s**2))
    return far(math.sqrt(w @ x.sum(axis=1) ** 2), s.sum())


@holds
def gaussian_12(rng: Rng) -> float:
    s = covariance(rng, 3)
    x, w = normal_grid(np.zeros(3), s)
    return far(w @ np.einsum("ni,ij,nj->n", x, np.linalg.inv(s), x), 3)


@fails
def gaussian_13(rng: Rng) -> float:
    s = covariance(rng, 3)
    x, w = normal_grid(np.zeros(3), s)
    return far(w @ np.einsum("ni,ij,nj->n", x, s, x), 3)  # already the mean is another one


@fails
def gaussian_14(rng: Rng) -> float:
    mu, sd = rng.normal(), rng.uniform(0.5, 2)
    mean = scalar_mean(lambda x: x**2, mu, sd)
    return far(scalar_mean(lambda x: (x**2 - mean) ** 2, mu, sd), 2 * sd**4)


@holds
def gaussian_15(rng: Rng) -> float:
    mu, s, a, b = rng.normal(size=2), covariance(rng, 2), rng.normal(size=(3, 2)), rng.normal(size=(2, 2))
    x, w = normal_grid(mu, s)
    y, z = x @ a.T, x @ b.T
    return far((w[:, None] * (y - w @ y)).T @ (z - w @ z), a @ s @ b.T)


@fails
def gaussian_16(rng: Rng) -> float:
    mu, sd = rng.normal(), rng.uniform(0.5, 2)
    x, w = normal_grid(np.full(3, mu), sd**2 * np.eye(3))
    return far(w @ x.var(axis=1), sd**2)


@holds
def gaussian_17(rng: Rng) -> float:
    x, w = normal_grid(np.zeros(4), np.eye(4), nodes=6)  # q and k in the plane
    y = (x[:, :2] * x[:, 2:]).sum(axis=1) / math.sqrt(2)
    return max(far(w @ y, 0), far(w @ y**2, 1))


@fails
def gaussian_18(rng: Rng) -> float:
    rho, x = rng.uniform(-0.9, 0.9), rng.normal()
    y = np.linspace(-14, 14, 40001)
    density = np.exp(-(x * x - 2 * rho * x * y + y * y) / (2 * (1 - rho**2)))
    density /= density.sum()
    return far(density @ (y - density @ y) ** 2, 1 - rho)


@in_limit(3, 1000, 1_000_000)
def gaussian_19(rng: Rng, d: float) -> float:
    return far(norm(rng.normal(size=int(d))) / math.sqrt(d), 1)


# ---------------------------------------------------------------- inequalities


@holds
def inequality_01(rng: Rng) -> float:
    x = 4 * rng.normal(size=5)
    value = math.log(np.exp(x).sum())
    return max(excess(x.max(), value), excess(value, x.max() + math.log(5)))


@fails
def inequality_02(rng: Rng) -> float:
    x = rng.normal(size=5)
    return excess(lse(x), x.mean() + math.log(5))


@holds
def inequality_03(rng: Rng) -> float:
    x = rng.normal(size=5)
    return excess(x.sum() ** 2, 5 * (x**2).sum())


@fails
def inequality_04(rng: Rng) -> float:
    x = np.abs(rng.normal(size=5))
    return max(excess(norm(x), x.max()), excess(x.max(), x.sum()))


@holds
def inequality_05(rng: Rng) -> float:
    p, x = probability(rng, 5), rng.uniform(0.1, 5, size=5)
    return excess(p @ np.log(x), math.log(p @ x))


@fails
def inequality_06(rng: Rng) -> float:
    p, x = probability(rng, 5), rng.normal(size=5)
    return excess(p @ np.exp(x), math.exp(p @ x))


@fails
def inequality_07(rng: Rng) -> float:
    x = 0.0
    return 0.0 if math.exp(x) > 1 + x else 1.0


@holds
def inequality_08(rng: Rng) -> float:
    x = rng.uniform(0.01, 5)
    return excess(math.log(x), x - 1)


@holds
def inequality_09(rng: Rng) -> float:
    x = rng.uniform(0.1, 5, size=5)
    return excess(math.exp(np.log(x).mean()), x.mean())


@fails
def inequality_10(rng: Rng) -> float:
    x = rng.uniform(0.1, 5, size=5)
    return excess(math.exp(np.log(x).mean()), 1 / (1 / x).mean())


@fails
def inequality_11(rng: Rng) -> float:
    x, y = rng.normal(size=3), rng.normal(size=3)
    return excess(norm(x - y), abs(norm(x) - norm(y)))


@holds
def inequality_12(rng: Rng) -> float:
    x, y = rng.normal(size=3), rng.normal(size=3)
    return excess(abs(norm(x) - norm(y)), norm(x - y))


@fails
def inequality_13(rng: Rng) -> float:
    x = rng.uniform(0, 3)
    return excess(math.exp(-x), 1 - x)


@holds
def inequality_14(rng: Rng) -> float:
    x = 3 * rng.normal()
    value = math.log1p(math.exp(x))
    return max(excess(max(0, x), value), excess(value, max(0, x) + math.log(2)))


@fails
def inequality_15(rng: Rng) -> float:
    x, p = np.array([-2.0, 2.0]), np.array([0.5, 0.5])
    sd, t = math.sqrt(p @ x**2), 2.0
    return excess(p @ (np.abs(x) >= t), sd / t**2)


@holds
def inequality_16(rng: Rng) -> float:
    return excess(0.2, (probability(rng, 5) ** 2).sum())


@fails
def inequality_17(rng: Rng) -> float:
    x = rng.normal()
    return excess(math.tanh(x), x)


@holds
def inequality_18(rng: Rng) -> float:
    x, y, t = 3 * rng.normal(size=4), 3 * rng.normal(size=4), rng.uniform()
    return excess(lse(t * x + (1 - t) * y), t * lse(x) + (1 - t) * lse(y))


# ---------------------------------------------------------------- limits


@in_limit(1, 0.1, 0.001)
def limit_01(rng: Rng, tau: float) -> float:
    x = rng.normal(size=5)
    return far(tau * lse(x / tau), x.max())


@fails
def limit_02(rng: Rng) -> float:
    x = rng.normal(size=5)
    return far(1e4 * lse(x / 1e4), x.mean())


@in_limit(2, 100, 100_000)
def limit_03(rng: Rng, n: float) -> float:
    x = rng.normal()
    return far((1 + x / n) ** n, math.exp(x))


@fails
def limit_04(rng: Rng) -> float:
    return far((1 - 1e-7) ** 1e7, 1 - math.exp(-1))


@in_limit(2, 50, 2000)
def limit_05(rng: Rng, p: float) -> float:
    x = np.abs(rng.normal(size=4))
    return far(x.max() * ((x / x.max()) ** p).sum() ** (1 / p), x.max())


@fails
def limit_06(rng: Rng) -> float:
    x = rng.uniform(0.1, 5, size=4)
    return far((x**1e-6).mean() ** 1e6, 1 / (1 / x).mean())


@in_limit(1, 100, 10_000)
def limit_07(rng: Rng, t: float) -> float:
    return far(entropy(softmax(rng.normal(size=4) / t)), math.log(4))


@fails
def limit_08(rng: Rng) -> float:
    return far(softmax(np.array([1.0, 1.0, 0.2]) / 1e-6).max(), 1)


@in_limit(1, 10, 50)
def limit_09(rng: Rng, x: float) -> float:
    return abs(slope(sigma, x))


@fails
def limit_10(rng: Rng) -> float:
    return abs(math.tanh(-1e3))


@in_limit(1, 10, 30)
def limit_11(rng: Rng, x: float) -> float:
    return abs(math.log(1 + math.exp(x)) - x)


@fails
def limit_12(rng: Rng) -> float:
    k = 10_000
    s = rng.chisquare(k, size=4000)
    return far((s / k).var(), 2)


@in_limit(3, 1000, 1_000_000)
def limit_13(rng: Rng, n: float) -> float:
    return far((rng.normal(size=int(n)) ** 2).mean(), 1)


@in_limit(1, 100, 10_000)
def limit_14(rng: Rng, c: float) -> float:
    s = rng.normal(size=(5, 3)) @ rng.normal(size=3)
    return float(np.max(softmax(c * s)[s < s.max()]))


@in_limit(0.3, 1e-3, 1e-6)
def limit_15(rng: Rng, x: float) -> float:
    return abs(x * math.log(x))


@in_limit(0.5, 1e-2, 1e-5)
def limit_16(rng: Rng, eps: float) -> float:
    p = probability(rng, 4)
    return kl(p, (1 - eps) * p + eps / 4)


def main() -> None:
    """Compare every label with its evidence and print how many are supported."""
    claims = tomllib.loads((Path(__file__).parent / "independent-d.toml").read_text(encoding="utf-8"))["claim"]
    seen: Counter[str] = Counter()
    supported = 0
    for claim in claims:
        seen[claim["kind"]] += 1
        name = f"{claim['kind']}-{seen[claim['kind']]:02d}"
        if name not in TABLE:
            print(f"{name}: no evidence by number")
        elif TABLE[name](claim["label"]):
            supported += 1
        else:
            print(f"{name}: the numbers do not agree with {claim['label']!r}")
    print(f"{supported} of {len(claims)} labels supported by number")


if __name__ == "__main__":
    main()
