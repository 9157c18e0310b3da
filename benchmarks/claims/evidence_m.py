"""Numerical evidence for the labels in the collection of claims beside this script.

Each claim has one function, registered under the name kind-NN (its running number within its kind, in file
order). It tests the claim on one random instance and returns

* a bool: the instance satisfies the claim. Satisfied by every instance: "holds"; violated by one: "fails";
* Errors: the distance from the claimed limit along a sequence. They die out: "holds-in-limit"; else "fails".

Where a claim slips, `slip` also checks that the repaired statement is right, so that a mistake in the test cannot
pass for a violation. Run the script to compare what the numbers say with the labels; it prints every disagreement
and exits with status 1 if there is one.
"""

from __future__ import annotations

import math
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Errors:
    """Distances from a claimed limit, ordered towards the limit."""

    values: Sequence[float]
    tolerance: float = 1e-3

    def die_out(self) -> bool:
        """Whether the distances from the limit go to nothing."""
        first, last = abs(self.values[0]), abs(self.values[-1])
        return last < self.tolerance and last < first / 5


Finding = bool | Errors
Check = Callable[[Generator], Finding]

CHECKS: dict[str, tuple[Check, int]] = {}
TRIALS = 20
DRAWS = 200_000


def claim(name: str, trials: int = TRIALS) -> Callable[[Check], Check]:
    """Register a check for the claim of that name, to be run on so many random instances."""

    def register(check: Check) -> Check:
        if name in CHECKS:
            raise ValueError(f"two checks for {name}")
        CHECKS[name] = (check, trials)
        return check

    return register


def verdict(name: str) -> str:
    """The label that the numbers support."""
    check, trials = CHECKS[name]
    rng = np.random.default_rng(list(name.encode()))
    label = "holds"
    for _ in range(trials):
        finding = check(rng)
        if isinstance(finding, Errors):
            if not finding.die_out():
                return "fails"
            label = "holds-in-limit"
        elif not finding:
            return "fails"
    return label


# ---------------------------------------------------------------------------------------------------------------------
# Comparisons


def same(left: ArrayLike, right: ArrayLike, tolerance: float = 1e-7) -> bool:
    """Equal in shape and, up to a mixed tolerance, in value."""
    a, b = np.asarray(left, float), np.asarray(right, float)
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=tolerance, atol=tolerance))


def slip(actual: ArrayLike, claimed: ArrayLike, repaired: ArrayLike, tolerance: float = 1e-7) -> bool:
    """Whether the claimed value is right, once the repaired one has been seen to be right."""
    if not same(actual, repaired, tolerance):
        raise AssertionError(f"the repaired statement is wrong: {np.asarray(actual)} is not {np.asarray(repaired)}")
    return same(actual, claimed, tolerance)


def matches(samples: Array, mean: ArrayLike, covariance: ArrayLike) -> bool:
    """Whether samples (one per row) agree with a normal law in mean, covariance and fourth moments."""
    x = samples.reshape(len(samples), -1)
    m, cov = np.atleast_1d(np.asarray(mean, float)), np.atleast_2d(np.asarray(covariance, float))
    sd = np.sqrt(np.diag(cov))
    z = (x - m) / sd
    bound = 6 / math.sqrt(len(x))
    return bool(
        np.all(np.abs(z.mean(axis=0)) < bound)
        and np.all(np.abs(z.T @ z / len(x) - cov / np.outer(sd, sd)) < 2 * bound)
        and np.all(np.abs((z**4).mean(axis=0) - 3) < 10 * bound)
    )


# ---------------------------------------------------------------------------------------------------------------------
# Functions and instances


def softmax(x: ArrayLike) -> Array:
    """Softmax along the last axis."""
    z = np.asarray(x, float)
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def log_sum_exp(x: ArrayLike) -> float:
    z = np.asarray(x, float)
    return float(z.max() + np.log(np.exp(z - z.max()).sum()))


def sigma(x: ArrayLike) -> Array:
    return np.asarray(0.5 * (1 + np.tanh(np.asarray(x, float) / 2)))


def normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def cross_entropy(y: ArrayLike, prediction: ArrayLike) -> float:
    return float(-np.sum(np.asarray(y) * np.log(prediction)))


def entropy(p: ArrayLike) -> float:
    return cross_entropy(p, p)


def divergence(p: Array, q: Array) -> float:
    return float(np.sum(p * np.log(p / q)))


def perplexity(p: ArrayLike) -> float:
    return float(np.exp(-np.mean(np.log(p))))


def softmax_jacobian(p: Array) -> Array:
    return np.diag(p) - np.outer(p, p)


def one_hot(n: int, k: int) -> Array:
    return np.asarray(np.eye(n)[k])


def gradient(f: Callable[[Array], float], x: Array, step: float = 1e-5) -> Array:
    """Central differences, in the shape of x."""
    result = np.empty_like(x)
    for index in np.ndindex(*x.shape):
        shift = np.zeros_like(x)
        shift[index] = step
        result[index] = (f(x + shift) - f(x - shift)) / (2 * step)
    return result


def jacobian(f: Callable[[Array], Array], x: Array, step: float = 1e-5) -> Array:
    """Central differences of a vector function, one row per output."""
    columns = [(f(x + step * e) - f(x - step * e)) / (2 * step) for e in np.eye(len(x))]
    return np.stack(columns, axis=1)


def slope(f: Callable[[float], ArrayLike], x: float, step: float = 1e-5) -> float:
    return float((np.asarray(f(x + step)) - np.asarray(f(x - step))) / (2 * step))


def rotation(rng: Generator, d: int) -> Array:
    return np.asarray(np.linalg.qr(rng.normal(size=(d, d)))[0])


def orthonormal_rows(rng: Generator, n: int, d: int) -> Array:
    return rotation(rng, d)[:n]


def orthonormal_columns(rng: Generator, d: int, *widths: int) -> list[Array]:
    """Matrices of the given widths with all their columns orthonormal to each other."""
    return np.split(rotation(rng, d)[:, : sum(widths)], np.cumsum(widths)[:-1], axis=1)


def covariance(rng: Generator, d: int) -> Array:
    root = rng.normal(size=(d, d))
    return np.asarray(root @ root.T / d + 0.1 * np.eye(d))


def distribution(rng: Generator, n: int) -> Array:
    return softmax(rng.normal(size=n))


def normals(rng: Generator, mean: Array, cov: Array, draws: int = DRAWS) -> Array:
    return np.asarray(mean + rng.normal(size=(draws, len(mean))) @ np.linalg.cholesky(cov).T)


def normal_mean(f: Callable[[Array], Array], mean: float = 0.0, sd: float = 1.0) -> float:
    """E f(X) for X ~ N(mean, sd^2), by the trapezoid rule."""
    z = np.linspace(-10, 10, 40_001)
    weights = np.exp(-z * z / 2)
    return float(np.sum(weights * f(mean + sd * z)) / weights.sum())


def normal_variance(f: Callable[[Array], Array], mean: float = 0.0, sd: float = 1.0) -> float:
    m = normal_mean(f, mean, sd)
    return normal_mean(lambda x: (f(x) - m) ** 2, mean, sd)


@dataclass
class Attention:
    """One attention layer: keys and values by rows, and a query."""

    keys: Array
    values: Array
    query: Array

    @staticmethod
    def random(rng: Generator, n: int = 5, d: int = 4, width: int = 3) -> Attention:
        """One drawn at random."""
        return Attention(rng.normal(size=(n, d)), rng.normal(size=(n, width)), rng.normal(size=d))

    @staticmethod
    def orthonormal(rng: Generator, n: int = 5, d: int = 7, width: int = 3) -> Attention:
        """One with orthonormal keys."""
        return Attention(orthonormal_rows(rng, n, d), rng.normal(size=(n, width)), rng.normal(size=d))

    def weights(self, query: Array | None = None) -> Array:
        """α = softmax(Kq)."""
        return softmax(self.keys @ (self.query if query is None else query))

    def output(self, query: Array | None = None) -> Array:
        """c = Σ αᵢ vᵢ."""
        return np.asarray(self.weights(query) @ self.values)


@dataclass
class Network:
    """h = sigma(x W1 + b1), prediction = softmax(h W2 + b2), with row vectors and a one-hot target."""

    x: Array
    w1: Array
    b1: Array
    w2: Array
    b2: Array
    y: Array

    @staticmethod
    def random(rng: Generator, inputs: int = 4, hidden: int = 4, classes: int = 3) -> Network:
        """One drawn at random."""
        return Network(
            rng.normal(size=(1, inputs)),
            rng.normal(size=(inputs, hidden)),
            rng.normal(size=(1, hidden)),
            rng.normal(size=(hidden, classes)),
            rng.normal(size=(1, classes)),
            one_hot(classes, int(rng.integers(classes)))[None],
        )

    def hidden(self) -> Array:
        """h = σ(x W₁ + b₁)."""
        return sigma(self.x @ self.w1 + self.b1)

    def prediction(self) -> Array:
        """ŷ = softmax(h W₂ + b₂)."""
        return softmax(self.hidden() @ self.w2 + self.b2)

    def error(self) -> Array:
        """ŷ − y."""
        return self.prediction() - self.y

    def hidden_error(self) -> Array:
        """(ŷ − y) W₂ᵀ ∘ h ∘ (1 − h)."""
        h = self.hidden()
        return np.asarray((self.error() @ self.w2.T) * h * (1 - h))

    def gradient(self, name: str) -> Array:
        """The numerical gradient of the loss with respect to the named field."""

        def loss(value: Array) -> float:
            changed = Network(**{**vars(self), name: value})
            return cross_entropy(changed.y, changed.prediction())

        return gradient(loss, vars(self)[name])


# ---------------------------------------------------------------------------------------------------------------------
# attention


@claim("attention-01")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    e = np.exp(a.keys @ a.query)
    return same(sum(e_i / e.sum() for e_i in e), 1)


@claim("attention-02")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    alpha, s = a.weights(), a.keys @ a.query
    return slip(alpha[0] / alpha[1], math.exp(s[0] / s[1]), math.exp(s[0] - s[1]))


@claim("attention-03")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    return same(softmax((a.keys + rng.normal(size=4)) @ a.query), a.weights())


@claim("attention-04")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    u = rng.normal(size=4)
    return slip(a.weights(a.query + u), a.weights(), softmax(a.keys @ a.query + a.keys @ u))


@claim("attention-05")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    a.keys[:] = a.keys[0]
    return slip(a.output(), a.values.sum(axis=0), a.values.mean(axis=0))


@claim("attention-06")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    return same(a.output(np.zeros(4)), a.values.sum(axis=0) / 5)


@claim("attention-07")
def _(rng: Generator) -> Finding:
    a, beta = Attention.orthonormal(rng), 2 * rng.normal()
    return same(a.weights(beta * a.keys[0])[0], math.exp(beta) / (math.exp(beta) + 4))


@claim("attention-08")
def _(rng: Generator) -> Finding:
    a, beta, n = Attention.orthonormal(rng), rng.normal(), 5
    e = math.exp(beta)
    return slip(1 - a.weights(beta * a.keys[2])[2], n / (e + n), (n - 1) / (e + n - 1))


@claim("attention-09")
def _(rng: Generator) -> Finding:
    s = rng.normal(size=5)
    s[3] = s.max() + rng.uniform(0.2, 1)
    return Errors([1 - softmax(t * s)[3] for t in (1, 4, 16, 64)])


@claim("attention-10")
def _(rng: Generator) -> Finding:
    s = rng.normal(size=5)
    s[:2] = s.max() + 1
    return Errors([1 - softmax(t * s)[0] for t in (1, 10, 100, 1000)])


@claim("attention-11")
def _(rng: Generator) -> Finding:
    a = Attention.orthonormal(rng)
    alpha = a.weights(3 * rng.normal() * (a.keys[0] + a.keys[3]))
    return same(alpha[0], alpha[3])


@claim("attention-12")
def _(rng: Generator) -> Finding:
    a = Attention.orthonormal(rng)
    target = (a.values[0] + a.values[1]) / 2
    pull = a.keys[0] + a.keys[1]
    return Errors([float(np.linalg.norm(a.output(c * pull) - target)) for c in (1, 3, 10, 20)])


@claim("attention-13")
def _(rng: Generator) -> Finding:
    n = int(rng.integers(3, 7))
    a = Attention.orthonormal(rng, n)
    alpha = a.weights((a.keys[0] + a.keys[1]) / 2)
    half = math.exp(0.5)
    return slip(alpha[:2], [0.5, 0.5], [half / (2 * half + n - 2)] * 2)


@claim("attention-14")
def _(rng: Generator) -> Finding:
    return bool(softmax(rng.normal(size=5)).max() > 0.5)


@claim("attention-15", trials=200)
def _(rng: Generator) -> Finding:
    n = int(rng.integers(2, 9))
    s = np.append(-rng.exponential(0.1, size=n - 1), math.log(n - 1))
    return bool(softmax(s)[-1] >= 0.5)


@claim("attention-16", trials=200)
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    return bool(np.all(a.output() <= a.values.max(axis=0)))


@claim("attention-17")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    lengths = np.linalg.norm(a.values, axis=1)
    length = float(np.linalg.norm(a.output(3 * a.keys[0])))
    if length > lengths.max():
        raise AssertionError("longer than the longest")
    return length <= float(lengths.min())


@claim("attention-18")
def _(rng: Generator) -> Finding:
    a, order = Attention.random(rng), rng.permutation(5)
    return same(Attention(a.keys[order], a.values[order], a.query).output(), a.output())


@claim("attention-19")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    alpha = a.weights()
    return slip(a.weights(2 * a.query), alpha, alpha**2 / np.sum(alpha**2))


@claim("attention-20")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    a.values[:] = a.values[0]
    length, longest = float(np.linalg.norm(a.output())), float(np.linalg.norm(a.values[0]))
    return length < longest - 1e-9


@claim("attention-21")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    alpha, centred = a.weights(), a.values - a.output()
    claimed = (alpha[:, None] * a.values).T @ a.keys
    return slip(jacobian(a.output, a.query), claimed, (alpha[:, None] * centred).T @ a.keys)


@claim("attention-22")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    alpha, c = a.weights(), a.output()
    claimed = sum(alpha[i] * np.outer(a.values[i] - c, a.keys[i]) for i in range(5))
    return same(jacobian(a.output, a.query), claimed)


@claim("attention-23")
def _(rng: Generator) -> Finding:
    s = rng.normal(size=5)
    return Errors([1 - softmax(s / t)[s.argmax()] for t in (1, 10, 100, 1000)])


@claim("attention-24")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng, n=2)
    return same(a.weights()[0], sigma((a.keys[0] - a.keys[1]) @ a.query))


@claim("attention-25")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng, n=2)
    s = a.keys @ a.query
    return slip(a.weights()[0], sigma(s[1] - s[0]), sigma(s[0] - s[1]))


@claim("attention-26", trials=1)
def _(rng: Generator) -> Finding:
    small = Attention.orthonormal(rng, n=6, d=8)
    if not same(small.weights(small.keys[0])[0], math.e / (math.e + 5)):
        raise AssertionError("closed form")
    return Errors([math.e / (math.e + n - 1) for n in (2, 10, 100, 10_000)])


# ---------------------------------------------------------------------------------------------------------------------
# noisy-keys


@claim("noisy-keys-01", trials=3)
def _(rng: Generator) -> Finding:
    mean, cov, q = rng.normal(size=4), covariance(rng, 4), rng.normal(size=4)
    return matches(normals(rng, mean, cov) @ q, mean @ q, q @ cov @ q)


@claim("noisy-keys-02")
def _(rng: Generator) -> Finding:
    alpha, q = rng.uniform(0.1, 0.6), rng.normal(size=3)
    score = normals(rng, rng.normal(size=3), alpha * np.eye(3)) @ q
    length = float(np.linalg.norm(q))
    return slip(score.std(), alpha * length, math.sqrt(alpha) * length, 0.01)


@claim("noisy-keys-03")
def _(rng: Generator) -> Finding:
    first, second, q = covariance(rng, 3), covariance(rng, 3), rng.normal(size=3)
    zero = np.zeros(3)
    gap = normals(rng, zero, first) @ q - normals(rng, zero, second) @ q
    return slip(gap.var(), q @ (first - second) @ q, q @ (first + second) @ q, 0.02)


@claim("noisy-keys-04", trials=3)
def _(rng: Generator) -> Finding:
    first, second, q = covariance(rng, 3), covariance(rng, 3), rng.normal(size=3)
    mean = rng.normal(size=3)
    gap = normals(rng, mean, first) @ q - normals(rng, mean, second) @ q
    return same(gap.var(), q @ (first + second) @ q, 0.02)


@claim("noisy-keys-05", trials=1)
def _(rng: Generator) -> Finding:
    q, noise = rng.normal(size=3), rng.normal(size=(DRAWS, 3))
    return Errors([float(np.mean((math.sqrt(alpha) * noise @ q) ** 2)) for alpha in (1, 1e-2, 1e-4, 1e-6)])


@claim("noisy-keys-06", trials=1)
def _(rng: Generator) -> Finding:
    # The difference of the two scores is normal with variance 2 alpha |q|^2 = 4 alpha C^2.
    variances = [normal_variance(sigma, sd=2 * c * math.sqrt(0.01)) for c in (1, 10, 100, 1000)]
    if abs(variances[-1] - 0.25) > 0.01:
        raise AssertionError("the variance should tend to 1/4")
    return Errors(variances)


@claim("noisy-keys-07")
def _(rng: Generator) -> Finding:
    alpha, mu = rng.uniform(0, 1), rotation(rng, 4)[0]
    return same(mu @ (alpha * np.eye(4) + 0.5 * np.outer(mu, mu)) @ mu, alpha + 0.5)


@claim("noisy-keys-08", trials=1)
def _(rng: Generator) -> Finding:
    mu, alpha = rotation(rng, 4)[0], 1e-9
    gamma = normals(rng, mu, alpha * np.eye(4) + 0.5 * np.outer(mu, mu)) @ mu
    return slip(gamma.std(), 0.5, math.sqrt(0.5), 0.01)


@claim("noisy-keys-09")
def _(rng: Generator) -> Finding:
    d, alpha = int(rng.integers(2, 7)), rng.uniform(0, 1)
    mu = rotation(rng, d)[0]
    return same(np.trace(alpha * np.eye(d) + 0.5 * np.outer(mu, mu)), alpha * d + 0.5)


@claim("noisy-keys-10")
def _(rng: Generator) -> Finding:
    d, alpha = int(rng.integers(2, 7)), rng.uniform(0.1, 2)
    mu = rotation(rng, d)[0]
    actual = np.linalg.det(alpha * np.eye(d) + 0.5 * np.outer(mu, mu))
    return slip(actual, alpha**d + 0.5, alpha ** (d - 1) * (alpha + 0.5))


@claim("noisy-keys-11")
def _(rng: Generator) -> Finding:
    d, alpha = int(rng.integers(2, 7)), rng.uniform(0.01, 2)
    mu = rotation(rng, d)[0]
    return same(np.linalg.eigvalsh(alpha * np.eye(d) + 0.5 * np.outer(mu, mu))[-1], alpha + 0.5)


@claim("noisy-keys-12")
def _(rng: Generator) -> Finding:
    (a, b), c = orthonormal_rows(rng, 2, 4), rng.uniform(1.5, 5)
    q = c * (a + b)
    return slip(q @ (0.5 * np.outer(a, a)) @ q, c / 2, c * c / 2)


@claim("noisy-keys-13")
def _(rng: Generator) -> Finding:
    c = float(rng.uniform(-20, 20))

    def weight_of_a(g: Array) -> Array:
        return np.asarray(softmax(np.stack([c * (1 + g), np.full_like(g, c)], axis=-1))[..., 0])

    return same(normal_mean(weight_of_a, sd=math.sqrt(0.5)), 0.5)


@claim("noisy-keys-14", trials=1)
def _(rng: Generator) -> Finding:
    scales = (1, 10, 100, 1000)
    return Errors([0.25 - normal_variance(sigma, sd=c * math.sqrt(0.5)) for c in scales], tolerance=2e-3)


@claim("noisy-keys-15", trials=3)
def _(rng: Generator) -> Finding:
    v_a, v_b = rng.normal(size=(2, 3))
    gap = float(np.sum((v_a - v_b) ** 2))
    # c - (v_a + v_b)/2 = (alpha_a - 1/2)(v_a - v_b)
    errors = [normal_mean(lambda x: (sigma(x) - 0.5) ** 2, sd=c * math.sqrt(0.5)) * gap for c in (1, 10, 100, 1000)]
    if abs(errors[-1] - gap / 4) > 0.01 * gap:
        raise AssertionError("the error should tend to |v_a - v_b|^2 / 4")
    return Errors(errors)


@claim("noisy-keys-16", trials=5)
def _(rng: Generator) -> Finding:
    mean, cov = rng.normal(size=3), 4 * covariance(rng, 3)
    return same(softmax(normals(rng, mean, cov)).mean(axis=0), softmax(mean), 0.01)


@claim("noisy-keys-17")
def _(rng: Generator) -> Finding:
    mean, cov, q = rng.normal(size=3), covariance(rng, 3), 0.3 * rng.normal(size=3)
    m, v = float(mean @ q), float(q @ cov @ q)
    return slip(normal_mean(np.exp, m, math.sqrt(v)), math.exp(m + v), math.exp(m + v / 2))


@claim("noisy-keys-18")
def _(rng: Generator) -> Finding:
    mean, cov, q = rng.normal(size=3), covariance(rng, 3), rng.normal(size=3)
    q /= rng.uniform(0.5, 2) * math.sqrt(q @ cov @ q)  # at most two sd: well within the range of the quadrature
    m, v = float(mean @ q), float(q @ cov @ q)
    return same(normal_mean(np.exp, m, math.sqrt(v)), math.exp(m + v / 2))


@claim("noisy-keys-19", trials=3)
def _(rng: Generator) -> Finding:
    mean, a, turn = rng.normal(size=3), rng.uniform(0.1, 2), rotation(rng, 3)
    draws = normals(rng, mean, a * np.eye(3))
    return matches(mean + (draws - mean) @ turn.T, mean, a * np.eye(3))


@claim("noisy-keys-20")
def _(rng: Generator) -> Finding:
    cov, q = covariance(rng, 3), rng.normal(size=3)
    draws = normals(rng, np.zeros(3), cov, 1000)
    return slip((draws @ (10 * q)).var() / (draws @ q).var(), 10, 100)


@claim("noisy-keys-21")
def _(rng: Generator) -> Finding:
    noise, q = rng.normal(size=3), rng.normal(size=3)
    noise -= (noise @ q) / (q @ q) * q
    score = (rng.normal(size=3) + rng.normal(size=(100, 1)) * noise) @ q
    return bool(score.std() > 1e-9)


@claim("noisy-keys-22")
def _(rng: Generator) -> Finding:
    first, second, shift, q = rng.normal(size=(4, 3))
    return same((first + shift) @ q - (second + shift) @ q, (first - second) @ q)


@claim("noisy-keys-23", trials=2)
def _(rng: Generator) -> Finding:
    n, d, draws = 4, 5, 4000
    mu, values = orthonormal_rows(rng, n, d), rng.normal(size=(n, 3))
    noise, target = rng.normal(size=(draws, n, d)), (values[0] + values[1]) / 2
    errors = []
    for c in (2.0, 8.0, 32.0, 128.0):
        scores = (mu + c**-2.0 * noise) @ (c * (mu[0] + mu[1]))
        errors.append(float(np.mean(np.sum((softmax(scores) @ values - target) ** 2, axis=1))))
    return Errors(errors)


@claim("noisy-keys-24", trials=1)
def _(rng: Generator) -> Finding:
    mu, noise = orthonormal_rows(rng, 3, 4), rng.normal(size=(20_000, 3, 4))
    far = []
    for c in (4.0, 16.0, 64.0, 256.0):
        alpha = softmax((mu + math.sqrt(1 / c) * noise) @ (c * (mu[0] + mu[1])))[:, 0]
        far.append(float(np.mean(np.abs(alpha - 0.5) > 0.1)))
    return Errors(far)


@claim("noisy-keys-25")
def _(rng: Generator) -> Finding:
    n, d = 4, 5
    q = rng.normal(size=d)
    clear = np.eye(d) - np.outer(q, q) / (q @ q)
    roots = clear @ rng.normal(size=(n, d, d))
    means = rng.normal(size=(n, d))
    draws = means + np.einsum("nij,tnj->tni", roots, rng.normal(size=(50, n, d)))
    return same(softmax(draws @ q), np.tile(softmax(means @ q), (50, 1)))


@claim("noisy-keys-26")
def _(rng: Generator) -> Finding:
    mean, cov = rng.normal(size=3), covariance(rng, 3)
    draws = normals(rng, mean, cov)
    return slip(draws.T @ draws / len(draws), cov, cov + np.outer(mean, mean), 0.05)


# ---------------------------------------------------------------------------------------------------------------------
# heads


def independent(x: Array, y: Array) -> bool:
    """Whether samples show no correlation, in themselves or in their squares."""
    bound = 8 / math.sqrt(len(x))
    pairs = ((x, y), ((x - x.mean()) ** 2, (y - y.mean()) ** 2))
    return all(abs(float(np.corrcoef(a, b)[0, 1])) < bound for a, b in pairs)


@claim("heads-01")
def _(rng: Generator) -> Finding:
    a = Attention.random(rng)
    return same((a.output() + a.output(a.query.copy())) / 2, a.output())


@claim("heads-02")
def _(rng: Generator) -> Finding:
    keys, values, q = rng.normal(size=(5000, 4, 3)), rng.normal(size=4), rng.normal(size=3)
    first, second = softmax(keys @ q) @ values, softmax(keys @ q.copy()) @ values
    return slip(((first + second) / 2).var(), first.var() / 2, first.var())


@claim("heads-03", trials=3)
def _(rng: Generator) -> Finding:
    x, y = rng.exponential(rng.uniform(0.5, 2), DRAWS), rng.uniform(0, rng.uniform(1, 4), DRAWS)
    return same(((x + y) / 2).var(), x.var() / 4 + y.var() / 4, 0.02)


@claim("heads-04")
def _(rng: Generator) -> Finding:
    q, values = rng.normal(size=3), rng.normal(size=4)
    first, second = (softmax(rng.normal(size=(DRAWS, 4, 3)) @ q) @ values for _ in range(2))
    total = first.var() + second.var()
    return slip(((first + second) / 2).var() / total, 0.5, 0.25, 0.02)


@claim("heads-05")
def _(rng: Generator) -> Finding:
    a = Attention.orthonormal(rng)
    target = (a.values[0] + a.values[1]) / 2
    outputs = [(a.output(c * a.keys[0]) + a.output(c * a.keys[1])) / 2 for c in (1, 3, 10, 20)]
    return Errors([float(np.linalg.norm(c - target)) for c in outputs])


@claim("heads-06")
def _(rng: Generator) -> Finding:
    a = Attention.orthonormal(rng)
    outputs = [(a.output(c * a.keys[0]) + a.output(c * a.keys[1])) / 2 for c in (1, 10, 100)]
    slip(outputs[-1], a.values[0] + a.values[1], (a.values[0] + a.values[1]) / 2)
    return Errors([float(np.linalg.norm(c - a.values[0] - a.values[1])) for c in outputs])


@claim("heads-07", trials=1)
def _(rng: Generator) -> Finding:
    n, errors = 6, []
    gamma = 1 + math.sqrt(0.5) * rng.normal(size=DRAWS)
    for c in (2.0, 20.0, 200.0, 20_000.0):
        exact = normal_cdf((1 - math.log(n - 1) / c) / math.sqrt(0.5))
        alpha = sigma(c * gamma - math.log(n - 1))
        if abs(float(np.mean(alpha > 0.5)) - exact) > 0.01:
            raise AssertionError("closed form")
        errors.append(exact - normal_cdf(math.sqrt(2)))
    return Errors(errors)


@claim("heads-08", trials=1)
def _(rng: Generator) -> Finding:
    gamma = 1 + math.sqrt(0.5) * rng.normal(size=DRAWS)
    return slip(np.mean(gamma < 0), normal_cdf(-2), normal_cdf(-math.sqrt(2)), 0.005)


@claim("heads-09", trials=3)
def _(rng: Generator) -> Finding:
    cov, (q1, q2) = covariance(rng, 3), rng.normal(size=(2, 3))
    k = normals(rng, rng.normal(size=3), cov)
    return same(np.cov(k @ q1, k @ q2)[0, 1], q1 @ cov @ q2, 0.05)


@claim("heads-10")
def _(rng: Generator) -> Finding:
    h, s = int(rng.integers(2, 6)), rng.uniform(0.5, 2)
    mean = (s * rng.normal(size=(DRAWS, h))).mean(axis=1)
    return slip(mean.var(), s * s / h**2, s * s / h, 0.02)


@claim("heads-11", trials=3)
def _(rng: Generator) -> Finding:
    keys, values, q = rng.normal(size=(5000, 4, 3)), rng.normal(size=4), rng.normal(size=3)
    heads = [softmax(keys @ q) @ values for _ in range(3)]
    return same(np.mean(heads, axis=0).var(), heads[0].var())


@claim("heads-12", trials=3)
def _(rng: Generator) -> Finding:
    keys, values = rng.normal(size=(DRAWS, 4, 3)), rng.normal(size=4)
    q = rng.normal(size=3)
    first, second = softmax(keys @ q) @ values, softmax(keys @ (q + 0.5 * rng.normal(size=3))) @ values
    return independent(first, second)


@claim("heads-13", trials=3)
def _(rng: Generator) -> Finding:
    s = rng.uniform(0.5, 2)
    x, y = s * rng.normal(size=DRAWS), s * rng.choice([-1.0, 1.0], size=DRAWS)
    return same(((x + y) / 2).var(), s * s / 2, 0.02)


@claim("heads-14")
def _(rng: Generator) -> Finding:
    x, y = rng.normal(size=DRAWS), 10 * rng.normal(size=DRAWS)
    return bool(((x + y) / 2).var() <= min(x.var(), y.var()))


@claim("heads-15", trials=200)
def _(rng: Generator) -> Finding:
    c1, c2, t = rng.normal(size=(3, 4))
    left = np.sum(((c1 + c2) / 2 - t) ** 2)
    return bool(left <= np.sum((c1 - t) ** 2) / 2 + np.sum((c2 - t) ** 2) / 2)


@claim("heads-16")
def _(rng: Generator) -> Finding:
    rho, s = rng.uniform(-0.9, 0.9), rng.uniform(0.5, 2)
    cov = s * s * np.array([[1, rho], [rho, 1]])
    half = np.array([0.5, 0.5])
    return slip(half @ cov @ half, s * s * (1 - rho) / 2, s * s * (1 + rho) / 2)


@claim("heads-17", trials=3)
def _(rng: Generator) -> Finding:
    cov, (q1, q2) = covariance(rng, 3), orthonormal_rows(rng, 2, 3)
    k = normals(rng, rng.normal(size=3), cov)
    return independent(k @ q1, k @ q2)


@claim("heads-18", trials=5)
def _(rng: Generator) -> Finding:
    cov, (q1, q2) = covariance(rng, 3), rng.normal(size=(2, 3))
    q2 -= (q1 @ cov @ q2) / (q1 @ cov @ q1) * q1
    k = normals(rng, rng.normal(size=3), cov)
    return independent(k @ q1, k @ q2) and not independent(k @ q1, k @ (q2 + 0.5 * q1))


# ---------------------------------------------------------------------------------------------------------------------
# softmax


@claim("softmax-01")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    return same(softmax(x + 10 * rng.normal()), softmax(x))


@claim("softmax-02")
def _(rng: Generator) -> Finding:
    x, c = rng.normal(size=5), rng.uniform(1.5, 3)
    return slip(softmax(c * x), softmax(x), softmax(x) ** c / np.sum(softmax(x) ** c))


@claim("softmax-03")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    p = softmax(x)
    return same(jacobian(softmax, x), [[p[i] * ((i == j) - p[j]) for j in range(5)] for i in range(5)])


@claim("softmax-04")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    p = softmax(x)
    return slip(jacobian(softmax, x)[1, 3], p[1] * p[3], -p[1] * p[3])


@claim("softmax-05")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    j = jacobian(softmax, x)
    return same(j, softmax_jacobian(softmax(x))) and same(j @ np.ones(5), np.zeros(5)) and same(np.linalg.det(j), 0)


@claim("softmax-06")
def _(rng: Generator) -> Finding:
    n = int(rng.integers(2, 7))
    return slip(np.linalg.matrix_rank(softmax_jacobian(distribution(rng, n)), tol=1e-10), n, n - 1)


@claim("softmax-07")
def _(rng: Generator) -> Finding:
    p = distribution(rng, 5)
    return same(np.trace(softmax_jacobian(p)), 1 - np.sum(p**2))


@claim("softmax-08")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    length = np.linalg.norm(softmax(x))
    return slip(np.trace(jacobian(softmax, x)), 1 - length, 1 - length**2)


@claim("softmax-09")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    return same(np.log(softmax(x)), x - math.log(np.exp(x).sum()))


@claim("softmax-10")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    return slip(np.log(softmax(x)), x - x.sum(), x - math.log(np.exp(x).sum()))


@claim("softmax-11", trials=200)
def _(rng: Generator) -> Finding:
    n = int(rng.integers(1, 7))
    x = rng.normal(size=n) * rng.choice([0, 0.1, 10])
    value, slack = log_sum_exp(x), 1e-12
    return bool(x.max() - slack <= value <= x.max() + math.log(n) + slack)


@claim("softmax-12")
def _(rng: Generator) -> Finding:
    n = int(rng.integers(2, 7))
    x = np.full(n, rng.normal())
    return log_sum_exp(x) <= float(x.max()) + math.log(n - 1)


@claim("softmax-13")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    return Errors([t * log_sum_exp(x / t) - x.max() for t in (10, 1, 0.1, 0.0001)])


@claim("softmax-14")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    values = [log_sum_exp(beta * x) / beta for beta in (1, 100, 1e8)]
    slip(values[-1], x.min(), x.max())
    return Errors([value - x.min() for value in values])


@claim("softmax-15")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    return Errors([float(np.abs(softmax(x / t) - 0.2).max()) for t in (1, 10, 100, 10_000)])


@claim("softmax-16")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    p, doubled = softmax(x), softmax(2 * x)
    return slip(doubled[0] / doubled[1], 2 * p[0] / p[1], (p[0] / p[1]) ** 2)


@claim("softmax-17")
def _(rng: Generator) -> Finding:
    x = rng.integers(-2, 3, size=6).astype(float)
    p = softmax(x)
    return bool(np.all((p[:, None] >= p[None]) == (x[:, None] >= x[None])))


@claim("softmax-18")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    y = x + 1
    return not same(softmax(x), softmax(y)) or same(x, y)


@claim("softmax-19")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    shifted, other = x + rng.normal(), x + rng.normal(size=5)
    return same(softmax(x), softmax(shifted)) and not same(softmax(x), softmax(other))


@claim("softmax-20", trials=200)
def _(rng: Generator) -> Finding:
    n = int(rng.integers(1, 7))
    eigenvalues = np.linalg.eigvalsh(softmax_jacobian(rng.dirichlet(np.full(n, rng.choice([0.1, 1, 10])))))
    return bool(np.all((eigenvalues >= -1e-12) & (eigenvalues <= 0.5 + 1e-12)))


@claim("softmax-21")
def _(rng: Generator) -> Finding:
    p = softmax(np.append(rng.normal() * np.ones(2), rng.normal(size=3) - 8))
    top = float(np.linalg.eigvalsh(softmax_jacobian(p))[-1])
    if not 0.45 < top <= 0.5:
        raise AssertionError("the top eigenvalue should be near 1/2")
    return top <= 0.25


@claim("softmax-22")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=4)
    hessian = jacobian(lambda z: gradient(log_sum_exp, z, 1e-4), x, 1e-4)
    return same(hessian, softmax_jacobian(softmax(x)), 1e-5) and bool(np.linalg.eigvalsh(hessian)[0] > -1e-5)


@claim("softmax-23")
def _(rng: Generator) -> Finding:
    x, ones = rng.normal(size=4), np.ones(4)
    middle = log_sum_exp(x + 0.5 * ones)
    strictly = middle < (log_sum_exp(x) + log_sum_exp(x + ones)) / 2 - 1e-9
    return strictly and bool(ones @ softmax_jacobian(softmax(x)) @ ones > 1e-9)


@claim("softmax-24")
def _(rng: Generator) -> Finding:
    return bool(np.all(softmax(50 * rng.normal(size=5)) > 0))


@claim("softmax-25")
def _(rng: Generator) -> Finding:
    x = rng.normal(size=5)
    p, raised = softmax(x), softmax(x + one_hot(5, 0))
    slip(raised[1:] / p[1:], np.ones(4), np.full(4, raised[1] / p[1]))
    third = np.argsort(p[1:])[-2] + 1
    return same(raised[third], p[third])


@claim("softmax-26")
def _(rng: Generator) -> Finding:
    x, y = rng.normal(size=(2, 5))
    p, r = softmax(x), softmax(y)
    return slip(softmax(x + y), (p + r) / 2, p * r / np.sum(p * r))


# ---------------------------------------------------------------------------------------------------------------------
# cross-entropy


def loss_of_logits(y: Array) -> Callable[[Array], float]:
    """The cross-entropy of softmax(theta) against y, as a function of theta."""
    return lambda theta: float(-np.sum(y * (theta - log_sum_exp(theta))))


@claim("cross-entropy-01")
def _(rng: Generator) -> Finding:
    k, prediction = int(rng.integers(5)), distribution(rng, 5)
    return same(cross_entropy(one_hot(5, k), prediction), -math.log(prediction[k]))


@claim("cross-entropy-02")
def _(rng: Generator) -> Finding:
    p, q = distribution(rng, 5), distribution(rng, 5)
    return same(cross_entropy(p, q), cross_entropy(q, p))


@claim("cross-entropy-03")
def _(rng: Generator) -> Finding:
    p, q = distribution(rng, 5), distribution(rng, 5)
    return same(cross_entropy(p, q), entropy(p) + divergence(p, q))


@claim("cross-entropy-04")
def _(rng: Generator) -> Finding:
    p, q = distribution(rng, 5), distribution(rng, 5)
    return slip(cross_entropy(p, q), entropy(q) + divergence(p, q), entropy(p) + divergence(p, q))


@claim("cross-entropy-05", trials=200)
def _(rng: Generator) -> Finding:
    p, q = distribution(rng, 5), distribution(rng, 5)
    return divergence(p, q) > 1e-9 and same(divergence(p, p), 0)


@claim("cross-entropy-06")
def _(rng: Generator) -> Finding:
    p = distribution(rng, 5)
    return divergence(p, p.copy()) > 0


@claim("cross-entropy-07")
def _(rng: Generator) -> Finding:
    y, theta = rng.dirichlet(np.ones(5)), rng.normal(size=5)
    return same(gradient(loss_of_logits(y), theta), softmax(theta) - y)


@claim("cross-entropy-08")
def _(rng: Generator) -> Finding:
    y, theta = one_hot(5, int(rng.integers(5))), rng.normal(size=5)
    return slip(gradient(loss_of_logits(y), theta), y - softmax(theta), softmax(theta) - y)


@claim("cross-entropy-09")
def _(rng: Generator) -> Finding:
    y, prediction = one_hot(5, int(rng.integers(5))), rng.uniform(0.2, 1, size=5)
    actual = gradient(lambda z: cross_entropy(y, z), prediction)
    return slip(actual, -1 / prediction, -y / prediction, 1e-6)


@claim("cross-entropy-10")
def _(rng: Generator) -> Finding:
    y, theta = one_hot(4, int(rng.integers(4))), rng.normal(size=4)
    hessian = jacobian(lambda z: gradient(loss_of_logits(y), z, 1e-4), theta, 1e-4)
    return same(hessian, softmax_jacobian(softmax(theta)), 1e-5)


@claim("cross-entropy-11")
def _(rng: Generator) -> Finding:
    theta, k = rng.normal(size=5), int(rng.integers(5))
    return Errors([-math.log(softmax(theta + t * one_hot(5, k))[k]) for t in (0, 5, 10, 20)])


@claim("cross-entropy-12", trials=200)
def _(rng: Generator) -> Finding:
    return bool(0 <= -math.log(rng.uniform(1e-6, 1)) <= 1)


@claim("cross-entropy-13")
def _(rng: Generator) -> Finding:
    v = int(rng.integers(2, 50))
    return same(cross_entropy(one_hot(v, int(rng.integers(v))), np.full(v, 1 / v)), math.log(v))


@claim("cross-entropy-14")
def _(rng: Generator) -> Finding:
    return slip(cross_entropy(one_hot(10, int(rng.integers(10))), np.full(10, 0.1)), 1, math.log(10))


@claim("cross-entropy-15")
def _(rng: Generator) -> Finding:
    v = int(rng.integers(2, 50))
    margins = [math.log(v) + t for t in (0, 4, 8, 12)]
    losses = [loss_of_logits(one_hot(v, 0))(m * one_hot(v, 0)) for m in margins]
    return Errors([loss / ((v - 1) * math.exp(-m)) - 1 for loss, m in zip(losses, margins, strict=True)])


@claim("cross-entropy-16")
def _(rng: Generator) -> Finding:
    v, eps = int(rng.integers(2, 9)), rng.uniform(0.05, 0.9)
    y = (1 - eps) * one_hot(v, 0) + eps / v
    if any(cross_entropy(y, distribution(rng, v)) < entropy(y) for _ in range(50)):
        raise AssertionError("the minimum should be at y")
    return same(cross_entropy(y, y), 0)


@claim("cross-entropy-17")
def _(rng: Generator) -> Finding:
    y = distribution(rng, 5)
    others = [softmax(np.log(y) + scale * rng.normal(size=5)) for scale in (0.01, 0.1, 1) for _ in range(20)]
    return same(cross_entropy(y, y), entropy(y)) and all(cross_entropy(y, other) > entropy(y) for other in others)


@claim("cross-entropy-18")
def _(rng: Generator) -> Finding:
    v = int(rng.integers(100, 10_000))
    actual = loss_of_logits(one_hot(v, 3))(10 * one_hot(v, 3))
    return slip(actual, math.log(math.exp(10) + v) - 10, math.log(math.exp(10) + v - 1) - 10, 1e-9)


@claim("cross-entropy-19")
def _(rng: Generator) -> Finding:
    y = distribution(rng, 5)
    loss, theta = loss_of_logits(y), np.log(y)
    if not (same(loss(theta), entropy(y)) and same(gradient(loss, theta), np.zeros(5))):
        raise AssertionError("log y is a minimiser")
    return not same(loss(theta + 1), loss(theta))


@claim("cross-entropy-20")
def _(rng: Generator) -> Finding:
    y, theta = rng.uniform(0, 2, size=5), rng.normal(size=5)
    p = softmax(theta)
    return slip(gradient(loss_of_logits(y), theta), p - y, y.sum() * p - y)


@claim("cross-entropy-21")
def _(rng: Generator) -> Finding:
    y, theta = rng.normal(size=5), rng.normal(size=5)
    return same(gradient(loss_of_logits(y), theta), y.sum() * softmax(theta) - y)


@claim("cross-entropy-22", trials=200)
def _(rng: Generator) -> Finding:
    truth, forecast = distribution(rng, 5), distribution(rng, 5)
    return cross_entropy(truth, truth) <= cross_entropy(truth, forecast)


@claim("cross-entropy-23")
def _(rng: Generator) -> Finding:
    logits, labels = rng.normal(size=(20, 4)), rng.integers(4, size=20)
    first, second = softmax(logits), softmax(3 * logits)
    if not same(first.argmax(axis=1), second.argmax(axis=1)):
        raise AssertionError("equal accuracy")
    y = np.eye(4)[labels]
    return same(cross_entropy(y, first), cross_entropy(y, second))


@claim("cross-entropy-24")
def _(rng: Generator) -> Finding:
    p, q = distribution(rng, 5), distribution(rng, 5)
    return same(-np.sum(p * np.log2(q)), cross_entropy(p, q) / math.log(2))


# ---------------------------------------------------------------------------------------------------------------------
# gradients


@claim("gradients-01")
def _(rng: Generator) -> Finding:
    x = 3 * rng.normal()
    return same(slope(sigma, x), sigma(x) * (1 - sigma(x)))


@claim("gradients-02")
def _(rng: Generator) -> Finding:
    z = 3 * rng.normal()
    h = sigma(z)
    return slip(slope(sigma, z), z * (1 - z), h * (1 - h))


@claim("gradients-03", trials=5)
def _(rng: Generator) -> Finding:
    net = Network.random(rng, inputs=5, hidden=4, classes=3)
    h = net.hidden()
    return same(net.gradient("x"), (((net.prediction() - net.y) @ net.w2.T) * h * (1 - h)) @ net.w1.T)


@claim("gradients-04", trials=5)
def _(rng: Generator) -> Finding:
    net = Network.random(rng)  # as many inputs as hidden units, so that the claimed product exists
    return slip(net.gradient("x"), net.hidden_error() @ net.w1, net.hidden_error() @ net.w1.T)


@claim("gradients-05", trials=5)
def _(rng: Generator) -> Finding:
    net = Network.random(rng)
    return same(net.gradient("w2"), net.hidden().T @ (net.prediction() - net.y))


@claim("gradients-06", trials=5)
def _(rng: Generator) -> Finding:
    net = Network.random(rng)
    return slip(net.gradient("w2"), net.error().T @ net.hidden(), net.hidden().T @ net.error())


@claim("gradients-07", trials=5)
def _(rng: Generator) -> Finding:
    net = Network.random(rng)
    return slip(net.gradient("b1"), net.error() @ net.w2.T, net.hidden_error())


@claim("gradients-08", trials=5)
def _(rng: Generator) -> Finding:
    net = Network.random(rng)
    return same(net.gradient("b2"), softmax(net.hidden() @ net.w2 + net.b2) - net.y)


@claim("gradients-09")
def _(rng: Generator) -> Finding:
    a, x = rng.normal(size=(4, 4)), rng.normal(size=4)
    return slip(gradient(lambda z: float(z @ a @ z), x), 2 * a @ x, (a + a.T) @ x)


@claim("gradients-10")
def _(rng: Generator) -> Finding:
    a, x = rng.normal(size=(4, 4)), rng.normal(size=4)
    return same(gradient(lambda z: float(z @ a @ z), x), (a + a.T) @ x)


@claim("gradients-11")
def _(rng: Generator) -> Finding:
    x = rng.uniform(-1, 1)
    return Errors([slope(sigma, x, step) - float(sigma(x) * sigma(-x)) for step in (1, 0.1, 0.01, 0.001)])


@claim("gradients-12")
def _(rng: Generator) -> Finding:
    x = rng.normal()
    return slip(slope(np.tanh, x), 1 - math.tanh(x), 1 - math.tanh(x) ** 2)


@claim("gradients-13")
def _(rng: Generator) -> Finding:
    slopes = [slope(sigma, x) for x in 5 * rng.normal(size=20)]
    return same(slope(sigma, 0.0), 0.25) and all(value < 0.25 for value in slopes)


@claim("gradients-14")
def _(rng: Generator) -> Finding:
    x = np.linspace(-5, 5, 101)
    slopes = sigma(x) * (1 - sigma(x))
    return bool(np.all((slopes > 0) & (slopes < 0.25)))


@claim("gradients-15")
def _(rng: Generator) -> Finding:
    x = rng.normal()
    return slip(math.tanh(x), 2 * sigma(x) - 1, 2 * sigma(2 * x) - 1)


@claim("gradients-16")
def _(rng: Generator) -> Finding:
    x = rng.normal()
    return same(math.tanh(x), 2 * sigma(2 * x) - 1) and same(slope(np.tanh, x), 4 * sigma(2 * x) * sigma(-2 * x))


@claim("gradients-17", trials=5)
def _(rng: Generator) -> Finding:
    n = 6
    x, w, y = rng.normal(size=(n, 4)), rng.normal(size=(4, 3)), np.eye(3)[rng.integers(3, size=n)]
    actual = gradient(lambda z: cross_entropy(y, softmax(x @ z)) / n, w)
    return same(actual, x.T @ (softmax(x @ w) - y) / n)


@claim("gradients-18", trials=5)
def _(rng: Generator) -> Finding:
    n = 6
    x, w, b = rng.normal(size=(n, 4)), rng.normal(size=(4, 3)), rng.normal(size=3)
    y = np.eye(3)[rng.integers(3, size=n)]
    error = softmax(x @ w + b) - y
    actual = gradient(lambda z: cross_entropy(y, softmax(x @ w + z)), b)
    return slip(actual, error.mean(axis=0), error.sum(axis=0))


@claim("gradients-19", trials=2)
def _(rng: Generator) -> Finding:
    sign = rng.choice([-1, 1])
    return Errors([float(sigma(sign * z) * (1 - sigma(sign * z))) for z in (0, 5, 10, 20)])


@claim("gradients-20")
def _(rng: Generator) -> Finding:
    slopes = [slope(sigma, z) for z in (1.0, 5.0, 10.0, 30.0)]
    slip(slopes[-1], 1, 0)
    return Errors([1 - value for value in slopes])


@claim("gradients-21")
def _(rng: Generator) -> Finding:
    x = 2 * rng.normal()
    first = slope(lambda z: np.log1p(np.exp(z)), x)
    second = slope(lambda z: slope(lambda t: np.log1p(np.exp(t)), z, 1e-4), x, 1e-4)
    return same(first, sigma(x)) and same(second, sigma(x) * (1 - sigma(x)), 1e-5)


@claim("gradients-22")
def _(rng: Generator) -> Finding:
    x = rng.uniform(0.5, 2) * rng.choice([-1, 1])
    s = sigma(x)
    actual = slope(lambda z: slope(sigma, z, 1e-4), x, 1e-4)
    return slip(actual, s * (1 - s) * (1 - s), s * (1 - s) * (1 - 2 * s), 1e-5)


@claim("gradients-23")
def _(rng: Generator) -> Finding:
    w, x, t = rng.normal(size=(3, 4)), rng.normal(size=4), rng.normal(size=3)
    delta = w @ x - t
    actual = gradient(lambda z: float(np.sum((z @ x - t) ** 2) / 2), w)
    return slip(actual, np.outer(x, delta), np.outer(delta, x))


@claim("gradients-24")
def _(rng: Generator) -> Finding:
    y, theta = one_hot(5, int(rng.integers(5))), rng.normal(size=5)
    return same(gradient(loss_of_logits(y), theta).sum(), 0)


@claim("gradients-25")
def _(rng: Generator) -> Finding:
    x, h = rng.uniform(0.3, 1), 1e-2
    exact = math.exp(x)
    forward = [(math.exp(x + s) - exact) / s - exact for s in (h, h / 10)]
    central = [(math.exp(x + s) - math.exp(x - s)) / (2 * s) - exact for s in (h, h / 10)]
    orders = [math.log10(forward[0] / forward[1]), math.log10(central[0] / central[1])]
    return slip(orders, [2, 1], [1, 2], 0.01)


@claim("gradients-26")
def _(rng: Generator) -> Finding:
    y, theta = one_hot(5, int(rng.integers(5))), 2 * rng.normal(size=5)
    loss = loss_of_logits(y)
    return all(loss(theta - step * (softmax(theta) - y)) < loss(theta) for step in (1e-2, 1e-3, 1e-4))


# ---------------------------------------------------------------------------------------------------------------------
# perplexity


def token_probabilities(rng: Generator, tokens: int = 12) -> Array:
    return np.asarray(rng.uniform(0.05, 1, size=tokens))


@claim("perplexity-01")
def _(rng: Generator) -> Finding:
    p = token_probabilities(rng)
    return same(np.prod(p) ** (-1 / 12), math.exp(-np.log(p).sum() / 12))


@claim("perplexity-02")
def _(rng: Generator) -> Finding:
    p = token_probabilities(rng)
    return slip(np.prod(p) ** (-1 / 12), 2 ** (-np.log(p).mean()), 2 ** (-np.log2(p).mean()))


@claim("perplexity-03")
def _(rng: Generator) -> Finding:
    p = token_probabilities(rng)
    return same(2 ** (-np.log2(p).mean()), math.exp(-np.log(p).mean()))


@claim("perplexity-04")
def _(rng: Generator) -> Finding:
    p = token_probabilities(rng)
    return slip(np.prod(p) ** (-1 / 12), math.exp(-np.log(p).sum()), math.exp(-np.log(p).sum() / 12))


@claim("perplexity-05")
def _(rng: Generator) -> Finding:
    v = int(rng.integers(1, 1000))
    return same(perplexity(np.full(9, 1 / v)), v)


@claim("perplexity-06")
def _(rng: Generator) -> Finding:
    p = token_probabilities(rng)
    return slip(np.prod(p) ** (-1 / 12), np.mean(1 / p), np.exp(np.mean(np.log(1 / p))))


@claim("perplexity-07", trials=200)
def _(rng: Generator) -> Finding:
    p = rng.uniform(0.001, 1, size=int(rng.integers(1, 9)))
    return bool(1 <= perplexity(p) <= 1 / p.min() + 1e-9)


@claim("perplexity-08")
def _(rng: Generator) -> Finding:
    p, n, m = token_probabilities(rng, 30), 30, 7
    per_word = np.prod(p) ** (-1 / m)
    return same(per_word, perplexity(p) ** (n / m))


@claim("perplexity-09")
def _(rng: Generator) -> Finding:
    words = int(rng.integers(1, 20))
    log_probability = -5 * words * math.log(3)
    return slip(math.exp(-log_probability / words), 15, 3**5)


@claim("perplexity-10")
def _(rng: Generator) -> Finding:
    pp = rng.uniform(5, 100)
    return slip(math.log(pp / 2), math.log(pp) / 2, math.log(pp) - math.log(2))


@claim("perplexity-11")
def _(rng: Generator) -> Finding:
    p = token_probabilities(rng) / 2
    better = softmax(rng.normal(size=12))  # spread one bit per token unevenly
    gains = 12 * better
    improved = np.exp2(np.log2(p) + gains)
    other = np.exp2(np.log2(p) + 1.1 * gains)
    return same(perplexity(improved), perplexity(p) / 2) and not same(perplexity(other), perplexity(p) / 2)


@claim("perplexity-12")
def _(rng: Generator) -> Finding:
    p = token_probabilities(rng)
    return slip(10 ** (-np.log10(p).mean()) / math.exp(-np.log(p).mean()), 10 / math.e, 1)


@claim("perplexity-13")
def _(rng: Generator) -> Finding:
    p = token_probabilities(rng)
    p *= perplexity(p) / 8
    slip(perplexity(p), 1, 8)
    return slip(-np.log2(p).mean(), 8, 3)


@claim("perplexity-14")
def _(rng: Generator) -> Finding:
    p = token_probabilities(rng, 6)
    inverses = []
    for small in (1e-2, 1e-20, 1e-60, 1e-120):
        p[2] = small
        inverses.append(1 / perplexity(p))
    return Errors(inverses)


@claim("perplexity-15")
def _(rng: Generator) -> Finding:
    first, second = token_probabilities(rng, 10), token_probabilities(rng, 30) / 5
    a, b = perplexity(first), perplexity(second)
    return slip(perplexity(np.append(first, second)), (10 * a + 30 * b) / 40, a**0.25 * b**0.75)


@claim("perplexity-16")
def _(rng: Generator) -> Finding:
    t1, t2 = int(rng.integers(1, 30)), int(rng.integers(1, 30))
    first, second = token_probabilities(rng, t1), token_probabilities(rng, t2)
    w = t1 / (t1 + t2)
    return same(perplexity(np.append(first, second)), perplexity(first) ** w * perplexity(second) ** (1 - w))


@claim("perplexity-17")
def _(rng: Generator) -> Finding:
    v = 8
    counts, text = rng.integers(0, 20, size=v), rng.integers(v, size=30)
    ks = (1, 100, 10_000, 10_000_000)
    return Errors([perplexity((counts[text] + k) / (counts.sum() + k * v)) - v for k in ks])


@claim("perplexity-18")
def _(rng: Generator) -> Finding:
    p, base = token_probabilities(rng), rng.uniform(1.5, 20)
    return same(base ** (-np.mean(np.log(p) / np.log(base))), perplexity(p))


@claim("perplexity-19")
def _(rng: Generator) -> Finding:
    # One text of 100 words and 550 characters, the same total bits plus a handicap for the character model.
    word_bits = rng.uniform(500, 900)
    character_bits = word_bits + rng.uniform(10, 100)
    lower = 2 ** (character_bits / 550) < 2 ** (word_bits / 100)
    return not lower or character_bits < word_bits


@claim("perplexity-20")
def _(rng: Generator) -> Finding:
    counts = np.append(rng.integers(1, 50, size=6), np.ones(6)).astype(float)

    def figure(numbers: Array) -> float:
        frequencies = numbers / numbers.sum()
        return math.exp(entropy(frequencies))

    return figure(np.append(counts[:-6], counts[-6:].sum())) >= figure(counts)


@claim("perplexity-21", trials=200)
def _(rng: Generator) -> Finding:
    text = np.append(np.arange(5), rng.integers(5, size=20))
    frequencies = np.bincount(text) / len(text)
    rival = softmax(np.log(frequencies) + rng.choice([0.01, 0.1, 1]) * rng.normal(size=5))
    return perplexity(frequencies[text]) <= perplexity(rival[text])


@claim("perplexity-22")
def _(rng: Generator) -> Finding:
    return slip(perplexity(np.ones(int(rng.integers(1, 20)))), 0, 1)


# ---------------------------------------------------------------------------------------------------------------------
# projections


@claim("projections-01")
def _(rng: Generator) -> Finding:
    a, b = orthonormal_columns(rng, 7, 2, 3)
    v_a, v_b = a @ rng.normal(size=2), b @ rng.normal(size=3)
    return same(a @ a.T @ (v_a + v_b), v_a)


@claim("projections-02")
def _(rng: Generator) -> Finding:
    a, b = orthonormal_columns(rng, 7, 2, 3)
    x = rng.normal(size=2)
    v_a, v_b = a @ x, b @ rng.normal(size=3)
    return slip(a.T @ (v_a + v_b), v_a, x)


@claim("projections-03")
def _(rng: Generator) -> Finding:
    (a,) = orthonormal_columns(rng, 6, int(rng.integers(1, 6)))
    p = a @ a.T
    return same(p @ p, p) and same(p, p.T)


@claim("projections-04")
def _(rng: Generator) -> Finding:
    (a,) = orthonormal_columns(rng, 6, int(rng.integers(1, 6)))
    return same(a @ a.T, np.eye(6))


@claim("projections-05")
def _(rng: Generator) -> Finding:
    m = int(rng.integers(1, 6))
    (a,) = orthonormal_columns(rng, 6, m)
    return same(np.trace(a @ a.T), m)


@claim("projections-06")
def _(rng: Generator) -> Finding:
    (a,) = orthonormal_columns(rng, 5, 2)
    return slip(np.linalg.matrix_rank(np.eye(5) - a @ a.T, tol=1e-9), 2, 3)


@claim("projections-07")
def _(rng: Generator) -> Finding:
    (a,), v = orthonormal_columns(rng, 6, int(rng.integers(1, 6))), rng.normal(size=6)
    pv = a @ a.T @ v
    return same(v @ v, pv @ pv + (v - pv) @ (v - pv))


@claim("projections-08")
def _(rng: Generator) -> Finding:
    (a,) = orthonormal_columns(rng, 6, 3)
    v = a @ rng.normal(size=3)
    return bool(np.linalg.norm(a @ a.T @ v) < np.linalg.norm(v) - 1e-9)


@claim("projections-09")
def _(rng: Generator) -> Finding:
    a, v = rng.normal(size=(6, 3)), rng.normal(size=6)
    p = a @ np.linalg.inv(a.T @ a) @ a.T
    nearest = a @ np.linalg.lstsq(a, v, rcond=None)[0]
    return same(p @ v, nearest) and same(p @ p, p) and same(p, p.T)


@claim("projections-10")
def _(rng: Generator) -> Finding:
    a, v = rng.normal(size=(6, 3)), rng.normal(size=6)
    nearest = a @ np.linalg.lstsq(a, v, rcond=None)[0]
    return slip(nearest, a @ a.T @ v, a @ np.linalg.inv(a.T @ a) @ a.T @ v)


@claim("projections-11")
def _(rng: Generator) -> Finding:
    m = int(rng.integers(0, 7))
    a = rotation(rng, 6)[:, :m]
    p = a @ a.T
    return same(np.linalg.eigvalsh(p), np.sort(np.r_[np.zeros(6 - m), np.ones(m)])) and same(np.trace(p), m)


@claim("projections-12")
def _(rng: Generator) -> Finding:
    (a,), (b,) = orthonormal_columns(rng, 6, 2), orthonormal_columns(rng, 6, 2)
    v_a, v_b = a @ rng.normal(size=2), b @ rng.normal(size=2)
    return slip(a @ a.T @ (v_a + v_b), v_a, v_a + a @ (a.T @ v_b))


@claim("projections-13")
def _(rng: Generator) -> Finding:
    a, b = orthonormal_columns(rng, 7, 2, 3)
    v_a, v_b = a @ rng.normal(size=2), b @ rng.normal(size=3)
    return same((np.eye(7) - b @ b.T) @ (v_a + v_b), v_a)


@claim("projections-14")
def _(rng: Generator) -> Finding:
    a = rng.normal(size=(6, 3))
    p = a @ np.linalg.pinv(a)
    ridges = (a @ np.linalg.inv(a.T @ a + lam * np.eye(3)) @ a.T for lam in (1, 1e-2, 1e-4, 1e-6))
    return Errors([float(np.linalg.norm(ridge - p)) for ridge in ridges])


@claim("projections-15")
def _(rng: Generator) -> Finding:
    (a,), (b,) = orthonormal_columns(rng, 6, 2), orthonormal_columns(rng, 6, 2)
    total = a @ a.T + b @ b.T
    return same(total @ total, total)


@claim("projections-16")
def _(rng: Generator) -> Finding:
    (a,) = orthonormal_columns(rng, 6, 2)
    p = a @ a.T
    return slip(p @ p, np.eye(6), p)


# ---------------------------------------------------------------------------------------------------------------------
# gaussian


@claim("gaussian-01", trials=3)
def _(rng: Generator) -> Finding:
    mean, cov = rng.normal(size=3), covariance(rng, 3)
    a, b = rng.normal(size=(2, 3)), rng.normal(size=2)
    return matches(normals(rng, mean, cov) @ a.T + b, a @ mean + b, a @ cov @ a.T)


@claim("gaussian-02", trials=3)
def _(rng: Generator) -> Finding:
    cov, a = covariance(rng, 3), rng.normal(size=(3, 3))
    draws = normals(rng, rng.normal(size=3), cov) @ a.T
    return slip(np.cov(draws.T), a.T @ cov @ a, a @ cov @ a.T, 0.05)


@claim("gaussian-03", trials=3)
def _(rng: Generator) -> Finding:
    mean, cov = rng.normal(size=3), covariance(rng, 3)
    return same(np.mean(np.sum(normals(rng, mean, cov) ** 2, axis=1)), mean @ mean + np.trace(cov), 0.02)


def mean_length(d: int) -> float:
    """E|x| for x ~ N(0, I_d)."""
    return math.sqrt(2) * math.exp(math.lgamma((d + 1) / 2) - math.lgamma(d / 2))


@claim("gaussian-04", trials=3)
def _(rng: Generator) -> Finding:
    d, s = int(rng.integers(1, 5)), rng.uniform(0.5, 2)
    lengths = np.linalg.norm(s * rng.normal(size=(DRAWS, d)), axis=1)
    return slip(lengths.mean(), s * math.sqrt(d), s * mean_length(d), 0.01)


@claim("gaussian-05", trials=1)
def _(rng: Generator) -> Finding:
    sampled = np.linalg.norm(rng.normal(size=(DRAWS, 4)), axis=1).mean()
    if not same(sampled, mean_length(4), 0.01):
        raise AssertionError("closed form")
    return Errors([mean_length(d) / math.sqrt(d) - 1 for d in (1, 10, 100, 10_000)])


@claim("gaussian-06")
def _(rng: Generator) -> Finding:
    n, s = int(rng.integers(2, 7)), rng.uniform(0.5, 2)
    biased = (s * rng.normal(size=(DRAWS, n))).var(axis=1)
    return slip(biased.mean(), s * s, s * s * (n - 1) / n, 0.02)


@claim("gaussian-07")
def _(rng: Generator) -> Finding:
    (m1, m2), s = rng.normal(size=2), float(rng.uniform(0.5, 2))
    ratio = normal_mean(lambda x: ((x - m2) ** 2 - (x - m1) ** 2) / (2 * s * s), m1, s)
    return same(ratio, (m1 - m2) ** 2 / (2 * s * s))


@claim("gaussian-08")
def _(rng: Generator) -> Finding:
    m, s = float(rng.normal()), float(rng.uniform(0.5, 2))
    actual = normal_mean(lambda x: (x - m) ** 2 / (2 * s * s) + 0.5 * math.log(2 * math.pi * s * s), m, s)
    return slip(actual, 0.5 * math.log(2 * math.pi * s * s), 0.5 * math.log(2 * math.pi * math.e * s * s))


@claim("gaussian-09", trials=3)
def _(rng: Generator) -> Finding:
    mean, root = rng.normal(size=3), rng.normal(size=(3, 3))
    return matches(mean + rng.normal(size=(DRAWS, 3)) @ root.T, mean, root @ root.T)


@claim("gaussian-10", trials=3)
def _(rng: Generator) -> Finding:
    mean, cov = rng.normal(size=3), covariance(rng, 3)
    draws = mean + rng.normal(size=(DRAWS, 3)) @ cov.T
    return slip(np.cov(draws.T), cov, cov @ cov, 0.05)


@claim("gaussian-11", trials=3)
def _(rng: Generator) -> Finding:
    mean, diagonal = rng.normal(size=2), np.diag(rng.uniform(0.5, 2, size=2))
    coupled = diagonal + 0.2 * np.array([[0, 1], [1, 0]])
    plain, linked = normals(rng, mean, diagonal), normals(rng, mean, coupled)
    return independent(plain[:, 0], plain[:, 1]) and not independent(linked[:, 0], linked[:, 1])


@claim("gaussian-12", trials=3)
def _(rng: Generator) -> Finding:
    x = rng.normal(size=DRAWS)
    y = rng.choice([-1.0, 1.0], size=DRAWS) * x
    if not (matches(y, 0, 1) and abs(float(np.mean(x * y))) < 0.02):
        raise AssertionError("both standard normal and uncorrelated")
    return independent(x, y)


@claim("gaussian-13", trials=1)
def _(rng: Generator) -> Finding:
    s, sizes = 1.5, (1, 16, 256)
    sampled = [(s * rng.normal(size=(5000, n))).mean(axis=1).var() for n in sizes]
    if not all(same(v * n, s * s, 0.1) for v, n in zip(sampled, sizes, strict=True)):
        raise AssertionError("the variance of the mean is sigma^2/n")
    return Errors([s * s / n for n in (1, 10**2, 10**4, 10**6)])


@claim("gaussian-14")
def _(rng: Generator) -> Finding:
    s = rng.uniform(0.3, 0.8)
    x = s * rng.normal(size=DRAWS)
    slip(np.mean(np.abs(x) <= s), 0, 0.683, 0.005)
    return same(np.mean(np.abs(x) <= s * s), 0.683, 0.005)


@claim("gaussian-15", trials=3)
def _(rng: Generator) -> Finding:
    mean, cov, kept = rng.normal(size=5), covariance(rng, 5), np.sort(rng.permutation(5)[:3])
    return matches(normals(rng, mean, cov)[:, kept], mean[kept], cov[np.ix_(kept, kept)])


@claim("gaussian-16", trials=1)
def _(rng: Generator) -> Finding:
    product = rng.normal(size=DRAWS) * rng.normal(size=DRAWS)
    return matches(product, 0, 1)


# ---------------------------------------------------------------------------------------------------------------------


def named_labels(path: Path) -> dict[str, str]:
    """The label of every claim in the collection, by the name kind-NN."""
    seen: Counter[str] = Counter()
    labels = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["claim"]:
        seen[entry["kind"]] += 1
        labels[f"{entry['kind']}-{seen[entry['kind']]:02d}"] = entry["label"]
    return labels


def main() -> int:
    labels = named_labels(Path(__file__).with_name("independent-m.toml"))
    troubles = [f"{name}: no check" for name in labels.keys() - CHECKS.keys()]
    troubles += [f"{name}: no claim" for name in CHECKS.keys() - labels.keys()]
    for name in sorted(labels.keys() & CHECKS.keys()):
        try:
            found = verdict(name)
        except AssertionError as error:
            troubles.append(f"{name}: {error}")
            continue
        if found != labels[name]:
            troubles.append(f"{name}: labelled {labels[name]}, the numbers say {found}")
    for trouble in sorted(troubles):
        print(trouble)
    print(f"{len(labels)} claims, {len(troubles)} disagreements")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
