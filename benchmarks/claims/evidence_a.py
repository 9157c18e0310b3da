"""Numbers for the labels of opened-a.toml, with NumPy, SciPy and mpmath alone.

CASES maps a claim's id to a function of a random generator. It returns the gap between the two sides of the claim (for
an inequality the amount by which it is violated, for a statement without an amount 0 or 1), or for a limit the list of
gaps along the way. Derivatives are taken by complex steps, so they do not rest on the formulas under trial.
"""

import itertools
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
from scipy.special import expit
from scipy.stats import norm

Array = Any
DRAWS = 40
LABEL = np.array([0.0, 0.0, 1.0, 0.0])
STEP = 1e-30  # complex steps lose no digits, however small


def softmax(z: Array) -> Array:
    e = np.exp(z - np.real(z).max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def lse(z: Array) -> Array:
    return np.log(np.exp(z).sum())


def entropy(p: Array) -> float:
    return cross(p, p)


def cross(p: Array, q: Array) -> Array:
    return -(p[p > 0] * np.log(q[p > 0])).sum()


def kl(p: Array, q: Array) -> float:
    return cross(p, q) - entropy(p)


def perplexity(p: Array) -> float:
    return np.exp(-np.log(p).mean())


def gap(left: Array, right: Array) -> float:
    return float(np.abs(np.asarray(left, dtype=float) - np.asarray(right, dtype=float)).max())


def above(left: Array, right: Array) -> float:
    """By how much left ≤ right is violated."""
    return float(max(0, np.max(np.asarray(left) - np.asarray(right))))


def derivative(f: Callable[[Array], Array], x: Array) -> Array:
    """∂f_a/∂x_b by complex steps; for a scalar f in the shape of x."""
    x = np.asarray(x, dtype=float)
    columns = []
    for index in np.ndindex(x.shape):
        moved = x.astype(complex)
        moved[index] += 1j * STEP
        columns.append(np.imag(f(moved)) / STEP)
    return np.reshape(columns, x.shape) if np.ndim(columns[0]) == 0 else np.stack(columns, axis=-1)


def hessian(f: Callable[[Array], Array], x: Array, h: float = 1e-4) -> Array:
    rows = [(derivative(f, x + h * e) - derivative(f, x - h * e)) / (2 * h) for e in np.eye(len(x))]
    fine = [(derivative(f, x + h / 2 * e) - derivative(f, x - h / 2 * e)) / h for e in np.eye(len(x))]
    return (4 * np.array(fine) - np.array(rows)) / 3


def probabilities(g: np.random.Generator, n: int = 4) -> Array:
    return softmax(g.normal(size=n))


def one_hot(k: int, n: int) -> Array:
    return np.eye(n)[k]


# ---- attention ----


def weights(q: Array, keys: Array) -> Array:
    return softmax(keys @ q)


def output(q: Array, keys: Array, values: Array) -> Array:
    return weights(q, keys) @ values


def scene(g: np.random.Generator, n: int = 5, d: int = 4) -> tuple[Array, Array, Array]:
    return g.normal(size=d), g.normal(size=(n, d)), g.normal(size=(n, 3))


def orthonormal(g: np.random.Generator, n: int = 4, d: int = 6) -> Array:
    return np.linalg.qr(g.normal(size=(d, n)))[0].T


def query_shift(g: np.random.Generator) -> float:
    q, keys, values = scene(g, n=3, d=5)
    u = _orthogonal_to_differences(g.normal(size=5), keys)
    return gap(output(q + u, keys, values), output(q, keys, values))


def _orthogonal_to_differences(w: Array, keys: Array) -> Array:
    differences = keys[1:] - keys[0]
    return w - np.linalg.pinv(differences) @ (differences @ w)


def large_beta(g: np.random.Generator) -> list[float]:
    q, keys, values = scene(g)
    target = values[np.argmax(keys @ q)]
    return [gap(output(beta * q, keys, values), target) for beta in (1, 4, 16, 64)]


def pulled_mean(g: np.random.Generator, beta: float) -> float:
    keys, values = orthonormal(g), g.normal(size=(4, 3))
    return gap(output(beta * (keys[0] + keys[1]), keys, values), values[:2].mean(axis=0))


def threshold(_: np.random.Generator) -> float:
    n, eps, c = 2, 0.5, 0.3
    alpha = softmax(c * one_hot(0, n))[0]
    return min(alpha - (1 - eps), np.log((n - 1) / eps) - c)


def gap_bound(g: np.random.Generator) -> float:
    s = g.normal(size=5)
    delta = s[0] - s[1:].max()
    return above(1 / (1 + 4 * np.exp(-delta)), softmax(s)[0])


def score_variance(d: int) -> float:
    """Var(q·k) by enumeration, entries 2 with probability 1/5 and -1/2 otherwise: mean 0, variance 1."""
    total = 0.0
    for twos in itertools.product((True, False), repeat=2 * d):
        x = np.where(twos, 2, -0.5)
        total += np.prod(np.where(twos, 0.2, 0.8)) * (x[:d] @ x[d:]) ** 2
    return total


def gaussian_variance(_: np.random.Generator) -> float:
    x, w = np.polynomial.hermite_e.hermegauss(10)
    w, sigma = w / w.sum(), 2.0
    return gap(w @ np.outer(sigma * x, sigma * x) ** 2 @ w, sigma**2)


def self_attention(x: Array, matrices: Array) -> Array:
    query, key, value = matrices
    return softmax(x @ query @ key.T @ x.T / np.sqrt(x.shape[1])) @ x @ value


def reorder_tokens(g: np.random.Generator) -> float:
    x, matrices, order = g.normal(size=(5, 3)), g.normal(size=(3, 3, 3)), g.permutation(5)
    return gap(self_attention(x[order], matrices), self_attention(x, matrices)[order])


def reorder_keys(_: np.random.Generator) -> float:
    keys, values = np.eye(2), np.array([1.0, 0.0])
    return gap(softmax(keys[::-1] / np.sqrt(2)) @ values, softmax(keys / np.sqrt(2)) @ values)


def causal_mean(g: np.random.Generator) -> float:
    values = g.normal(size=(4, 3))
    causal = np.tril(np.ones((4, 4)))
    return gap(causal / causal.sum(axis=1, keepdims=True) @ values, np.cumsum(values, axis=0) / 4)


def hot(g: np.random.Generator) -> list[float]:
    q, keys, values = scene(g)
    return [gap(output(q / tau, keys, values), values.mean(axis=0)) for tau in (1, 10, 100, 1000)]


def cold_tie(_: np.random.Generator) -> float:
    c = output(np.zeros(2) / 1e-6, np.eye(2), np.eye(2))
    return min(gap(c, v) for v in np.eye(2))


def jacobian_query(g: np.random.Generator) -> float:
    q, keys, values = scene(g)
    alpha = weights(q, keys)
    formula = ((values - alpha @ values).T * alpha) @ (keys - alpha @ keys)
    return gap(derivative(lambda x: output(x, keys, values), q), formula)


def jacobian_key(g: np.random.Generator) -> float:
    q, keys, values = scene(g)
    alpha = weights(q, keys)
    exact = derivative(lambda k: output(q, np.vstack([k[None], keys[1:]]), values), keys[0])
    return gap(exact, alpha[0] * (1 - alpha[0]) * np.outer(values[0], q))


def two_keys(g: np.random.Generator) -> float:
    q, keys, v = scene(g, n=2)
    formula = (v[0] + v[1]) / 2 + np.tanh((keys[0] - keys[1]) @ q) * (v[0] - v[1]) / 2
    return gap(output(q, keys, v), formula)


def uniform_iff(g: np.random.Generator) -> float:
    q, keys, _ = scene(g, n=3, d=5)
    inside = gap(weights(_orthogonal_to_differences(q, keys), keys), 1 / 3)
    outside = gap(np.diff(np.log(weights(q, keys))), np.diff(keys @ q))
    return max(inside, outside)


def same_heads(g: np.random.Generator) -> float:
    c = np.array([output(np.ones(3), g.normal(size=(4, 3)), np.arange(4.0)) for _ in range(300)])
    return gap(((c + c) / 2).var(), c.var() / 2)


def length_noise(n_points: int = 200_000) -> Array:
    return norm.ppf((np.arange(n_points) + 0.5) / n_points) * np.sqrt(0.5)


def coin(_: np.random.Generator) -> list[float]:
    return [0.25 - expit(c * length_noise() - np.log1p(np.exp(-c))).var() for c in (5, 50, 500)]


def copy_failure(_: np.random.Generator) -> float:
    return float((expit(50 * (1 + length_noise()) - np.log(2)) < 0.5).mean())


def coin_flip(g: np.random.Generator) -> float:
    c = g.uniform(0.1, 20)
    alpha = softmax(np.stack([c * (1 + length_noise(1000)), np.full(1000, c)], axis=1))
    return gap((alpha[:, 0] > alpha[:, 1]).mean(), 0.5)


def small_noise(g: np.random.Generator) -> list[float]:
    q, means, _ = scene(g)
    noise = g.normal(size=(200, 5, 4))
    return [float(softmax((means + np.sqrt(eps) * noise) @ q).var(axis=0).max()) for eps in (1, 0.1, 0.01, 0.001)]


def projector(g: np.random.Generator, *, correct: bool) -> float:
    a = g.normal(size=(5, 2))
    v_a, v_b = a @ g.normal(size=2), np.linalg.qr(np.hstack([a, g.normal(size=(5, 2))]))[0][:, 2]
    matrix = a @ np.linalg.inv(a.T @ a) @ a.T if correct else a @ a.T
    return gap(matrix @ (v_a + v_b), v_a)


def midpoint_key(g: np.random.Generator) -> float:
    q, keys, _ = scene(g)
    keys[2] = keys[:2].mean(axis=0)
    alpha = weights(q, keys)
    return gap(alpha[2], np.sqrt(alpha[0] * alpha[1]))


def nearest_key(g: np.random.Generator) -> float:
    q, keys, _ = scene(g)
    keys *= 2 / np.linalg.norm(keys, axis=1, keepdims=True)
    alpha = weights(q, keys)
    return gap(alpha.max(), alpha[np.argmin(np.linalg.norm(keys - q, axis=1))])


def error_bound(g: np.random.Generator) -> float:
    q, keys, v = scene(g)
    alpha, c = weights(q, keys), output(q, keys, v)
    return max(
        above(np.linalg.norm(c - v[j]), (1 - alpha[j]) * np.linalg.norm(v - v[j], axis=1).max()) for j in range(5)
    )


def many_keys(_: np.random.Generator) -> list[float]:
    return [float(softmax(1.5 * np.r_[1, -np.ones(n - 1)]).max()) for n in (10, 100, 1000, 10_000)]


def small_query(g: np.random.Generator) -> list[float]:
    q, keys, v = scene(g)
    mean = v.mean(axis=0)
    linear = (keys @ q) @ (v - mean) / 5
    return [gap(output(t * q, keys, v), mean + t * linear) / t for t in (1, 0.1, 0.01, 0.001)]


def rotated_keys(_: np.random.Generator) -> float:
    return gap(weights(np.array([1, 0]), -np.eye(2)), weights(np.array([1, 0]), np.eye(2)))  # R = -I


def doubled_query(g: np.random.Generator) -> float:
    q, keys, _ = scene(g)
    return gap(weights(2 * q, keys), weights(q, keys) ** 2)


ATTENTION = {
    "attention-query-shift-01": query_shift,
    "attention-rotated-keys-02": rotated_keys,
    "attention-norm-bounds-03": lambda g: 1 - gap(output(np.zeros(2), np.eye(2), np.array([[1.0], [-1.0]])), 0),
    "attention-large-beta-04": large_beta,
    "attention-two-keys-mean-05": lambda g: pulled_mean(g, 1),
    "attention-two-keys-mean-06": lambda g: [pulled_mean(np.random.default_rng(1), b) for b in (1, 5, 10, 20)],
    "attention-weight-threshold-07": threshold,
    "attention-gap-bound-08": gap_bound,
    "attention-winner-share-09": lambda g: above(0.5, softmax(np.array([0.1, 0, 0, 0]))[0]),
    "attention-score-variance-10": lambda g: gap(score_variance(4), 2),
    "attention-score-variance-11": lambda g: max(gap(score_variance(d) / d, 1) for d in (1, 2, 3)),
    "attention-score-variance-12": gaussian_variance,
    "attention-reorder-tokens-13": reorder_tokens,
    "attention-reorder-keys-14": reorder_keys,
    "attention-causal-mean-15": causal_mean,
    "attention-hot-temperature-16": hot,
    "attention-cold-temperature-17": cold_tie,
    "attention-jacobian-query-18": jacobian_query,
    "attention-jacobian-key-19": jacobian_key,
    "attention-two-keys-tanh-20": two_keys,
    "attention-uniform-weights-21": lambda g: 1 - gap(weights(np.array([1, 0]), np.array([[1, 0], [1, 1]])), 0.5),
    "attention-uniform-weights-22": uniform_iff,
    "attention-same-query-heads-23": same_heads,
    "attention-length-noise-24": coin,
    "attention-length-noise-25": copy_failure,
    "attention-length-noise-26": coin_flip,
    "attention-small-noise-27": small_noise,
    "attention-projector-28": lambda g: projector(g, correct=False),
    "attention-projector-29": lambda g: projector(g, correct=True),
    "attention-midpoint-key-30": midpoint_key,
    "attention-nearest-key-31": nearest_key,
    "attention-error-bound-32": error_bound,
    "attention-doubled-query-33": doubled_query,
    "attention-many-keys-34": many_keys,
    "attention-small-query-35": small_query,
}

# ---- softmax ----


def equal_outputs(g: np.random.Generator) -> float:
    z = g.normal(size=4)
    logs = np.log(softmax(z))
    return max(gap(softmax(z + 3.7), softmax(z)), gap(logs - logs.mean(), z - z.mean()))


def above_average(_: np.random.Generator) -> float:
    z = np.array([0.5, 2, -2])
    return min(z[0] - z.mean(), 1 / 3 - softmax(z)[0])


def lipschitz(g: np.random.Generator) -> float:
    x, y = g.normal(size=(2, 4)) * g.choice([0.1, 1, 5])
    return above(np.linalg.norm(softmax(x) - softmax(y)), np.linalg.norm(x - y))


def entropy_temperature(g: np.random.Generator) -> float:
    z = g.normal(size=4)
    return above(0, np.diff([entropy(softmax(z / t)) for t in np.linspace(0.1, 20, 200)]))


def drop_class(g: np.random.Generator) -> float:
    z = g.normal(size=5)
    return gap(softmax(z[1:]), softmax(z)[1:] / (1 - softmax(z)[0]))


def flat_direction(g: np.random.Generator) -> float:
    x = g.normal(size=4)
    return float(gap(lse(x + 0.5), (lse(x) + lse(x + 1)) / 2) < 1e-12)


def order(g: np.random.Generator) -> float:
    z = g.integers(-2, 3, size=4)
    p = softmax(z)
    return gap(z[:, None] > z, p[:, None] > p + 1e-12)


def monotone(_: np.random.Generator) -> float:
    return above(softmax(np.array([0, 0]))[0], softmax(np.array([0, 1]))[0])


def variational(g: np.random.Generator) -> float:
    z, p = g.normal(size=4), probabilities(g)
    s = softmax(z)
    return max(above(p @ z + entropy(p), lse(z)), gap(s @ z + entropy(s), lse(z)))


def first_order(g: np.random.Generator) -> list[float]:
    z = g.normal(size=4)
    return [t * gap(softmax(z / t), 0.25 + (z - z.mean()) / (4 * t)) for t in (1, 10, 100, 1000)]


def lse_temperature(g: np.random.Generator) -> list[float]:
    z = g.normal(size=4)
    return [gap(t * lse(z / t), z.max()) for t in (1, 0.3, 0.1, 0.03, 0.01)]


def hot_softmax(g: np.random.Generator) -> list[float]:
    z = g.normal(size=4)
    return [gap(softmax(z / t), 0.25) for t in (1, 10, 100, 1000)]


def masked_logit(g: np.random.Generator) -> list[float]:
    z = g.normal(size=4)
    return [gap(softmax(np.r_[-m, z])[1:], softmax(z)) for m in (1, 5, 10, 20)]


def log_odds(g: np.random.Generator) -> float:
    z = g.normal(size=4)
    p = softmax(z)
    return gap(np.log(p)[:, None] - np.log(p), z[:, None] - z)


def two_classes(g: np.random.Generator) -> float:
    z = g.normal(size=2) * 3
    return gap(softmax(z)[1], 1 / (1 + np.exp(z[0] - z[1])))


def ties(_: np.random.Generator) -> list[float]:
    z = np.array([1.0, 2.0, 0.5, 2.0])
    return [gap(softmax(beta * z), np.array([0, 0.5, 0, 0.5])) for beta in (1, 4, 16, 32)]


UNIT = np.array([1.0, 0.0])  # the smallest logits that are not constant

SOFTMAX = {
    "softmax-equal-outputs-01": equal_outputs,
    "softmax-positive-scaling-02": lambda g: gap(softmax(2 * UNIT), softmax(UNIT)),
    "softmax-sum-of-logits-03": lambda g: gap(softmax(np.zeros(2)), softmax(np.zeros(2)) ** 2),
    "softmax-lse-strict-04": lambda g: float(not lse(np.zeros(2)) < np.log(2)),
    "softmax-lse-temperature-05": lse_temperature,
    "softmax-hot-06": lambda g: gap(softmax(UNIT / 1e9), UNIT),
    "softmax-hot-07": hot_softmax,
    "softmax-above-average-08": above_average,
    "softmax-two-classes-09": two_classes,
    "softmax-two-classes-10": lambda g: gap(softmax(np.array([1, -1])), sigmoid(np.array([1, -1]))),
    "softmax-lipschitz-11": lipschitz,
    "softmax-entropy-temperature-13": entropy_temperature,
    "softmax-sum-of-squares-14": lambda g: above((softmax(UNIT) ** 2).sum(), 0.5),
    "softmax-drop-class-15": drop_class,
    "softmax-lse-convexity-16": flat_direction,
    "softmax-order-17": order,
    "softmax-orthogonal-map-18": lambda g: gap(softmax(-UNIT), -softmax(UNIT)),
    "softmax-base-two-19": lambda g: gap(2**UNIT / (2**UNIT).sum(), softmax(UNIT / np.log(2))),
    "softmax-ties-20": ties,
    "softmax-monotone-21": monotone,
    "softmax-masked-logit-22": masked_logit,
    "softmax-variational-23": variational,
    "softmax-log-odds-24": log_odds,
    "softmax-first-order-25": first_order,
}

# ---- softmax-derivatives ----


def jacobian(z: Array) -> Array:
    return derivative(softmax, z)


def versus(formula: Callable[[Array], Array], exact: Callable[[Array], Array]) -> Callable[..., float]:
    """The gap between a formula and a derivative at random logits."""

    def case(g: np.random.Generator) -> float:
        z = g.normal(size=4)
        return gap(formula(z), exact(z))

    return case


def entrywise(z: Array) -> Array:
    p = softmax(z)
    return p[:, None] * (np.eye(4) - p[:, None])


def log_jacobian(z: Array) -> Array:
    return derivative(lambda x: np.log(softmax(x)), z)


def rank(g: np.random.Generator) -> float:
    singular = np.linalg.svd(jacobian(g.normal(size=5)), compute_uv=False)
    return singular[-1] + float(singular[-2] < 1e-6)


def sigmoid_second(g: np.random.Generator) -> float:
    x = g.normal() * 2
    s = sigmoid(x)
    return gap(float(mpmath.diff(lambda t: 1 / (1 + mpmath.exp(-t)), x, 2)), s * (1 - s) * (1 - 2 * s))


def temperature_slope(g: np.random.Generator) -> float:
    z, t = g.normal(size=4), np.array([2.0])
    p = softmax(z / 2)
    return gap(derivative(lambda x: softmax(z / x), t)[:, 0], -(p / 2) * (z - p @ z))


def temperature_jacobian(g: np.random.Generator) -> float:
    z, t = g.normal(size=4), g.uniform(0.3, 5)
    p = softmax(z / t)
    return gap(derivative(lambda x: softmax(x / t), z), (np.diag(p) - np.outer(p, p)) / t)


def backward(g: np.random.Generator, *, weighted: bool) -> float:
    """L = Σ g_i p_i has ∂L/∂p = g."""
    z, upstream = g.normal(size=(2, 4))
    p = softmax(z)
    formula = p * (upstream - (upstream @ p if weighted else upstream.sum()))
    return gap(derivative(lambda x: softmax(x) @ upstream, z), formula)


def log_sigmoid(g: np.random.Generator) -> float:
    x = g.normal(size=1) * 3
    exact = derivative(lambda t: np.log(sigmoid(t)), x)[0]
    return max(gap(exact, 1 - sigmoid(x)), gap(exact, sigmoid(-x)))


def layer(g: np.random.Generator) -> float:
    w, x = g.normal(size=(4, 3)), g.normal(size=3)
    y = softmax(w @ x)
    return gap(derivative(lambda t: softmax(w @ t), x), y[:, None] * (w - y @ w))


def layer_transposed(g: np.random.Generator) -> float:
    b, x, a = g.normal(size=(3, 3)), g.normal(size=3), g.normal(size=3)
    p = softmax(b @ x)
    return gap(derivative(lambda t: a @ softmax(b @ t), x), b @ (np.diag(p) - np.outer(p, p)) @ a)


def finite_difference(g: np.random.Generator) -> list[float]:
    z, u = g.normal(size=(2, 4))
    p = softmax(z)
    return [gap((softmax(z + e * u) - p) / e, p * u - (p @ u) * p) for e in (0.1, 0.01, 1e-3, 1e-4)]


def saturation(g: np.random.Generator) -> list[float]:
    z = np.array([0.3, -1, 1.1, 0.2])
    return [gap(jacobian(beta * z), 0) for beta in (1, 4, 16, 64)]


def tanh_slope(_: np.random.Generator) -> float:
    return gap(derivative(lambda x: np.tanh(2 * x), np.array([0.0])), 1)


def definite(g: np.random.Generator) -> float:
    return float(np.linalg.eigvalsh(jacobian(g.normal(size=4)))[0] < 1e-12)


SKEWED = np.log([0.7, 0.2, 0.1])

DERIVATIVES = {
    "derivative-log-softmax-01": versus(lambda z: np.eye(4) - softmax(z), log_jacobian),
    "derivative-softmax-entry-02": versus(entrywise, jacobian),
    "derivative-log-softmax-03": versus(lambda z: np.eye(4) - softmax(z)[:, None], log_jacobian),
    "derivative-jacobian-rank-04": rank,
    "derivative-jacobian-definite-05": definite,
    "derivative-sigmoid-second-06": sigmoid_second,
    "derivative-tanh-scaled-07": tanh_slope,
    "derivative-tanh-sigmoid-08": lambda g: min(gap(np.tanh(1), 2 * sigmoid(1) - 1), gap(1, 2 * sigmoid(0) / 2)),
    "derivative-temperature-09": temperature_slope,
    "derivative-temperature-10": temperature_jacobian,
    "derivative-sigmoid-peak-11": lambda g: gap(derivative(sigmoid, np.array([0.0])), 0.5),
    "derivative-lse-hessian-12": lambda g: gap(hessian(lse, np.zeros(2))[0, 1], 0.25),
    "derivative-row-column-sums-13": lambda g: gap(jacobian(g.normal(size=4)).sum(axis=0), 1),
    "derivative-backward-pass-14": lambda g: backward(g, weighted=True),
    "derivative-backward-pass-15": lambda g: backward(g, weighted=False),
    "derivative-log-sigmoid-16": log_sigmoid,
    "derivative-entry-bound-17": lambda g: above(np.abs(jacobian(g.choice([0, 1, 3]) * g.normal(size=2))), 0.25),
    "derivative-eigenvalue-bound-18": lambda g: above(np.linalg.eigvalsh(jacobian(np.zeros(2))), 0.25),
    "derivative-trace-19": versus(lambda z: 1 - softmax(z) @ softmax(z), lambda z: np.trace(jacobian(z))),
    "derivative-linear-then-softmax-20": layer,
    "derivative-linear-then-softmax-21": layer_transposed,
    "derivative-one-logit-up-22": lambda g: gap(jacobian(SKEWED)[1, 0], jacobian(SKEWED)[2, 0]),
    "derivative-sigmoid-tail-23": lambda g: [gap(derivative(sigmoid, [-x])[0] * np.exp(x), 1) for x in (1, 5, 10, 20)],
    "derivative-saturation-24": saturation,
    "derivative-finite-difference-25": finite_difference,
}

# ---- cross-entropy ----

SKEW, FAIR = np.array([0.9, 0.1]), np.array([0.5, 0.5])


def loss(y: Array) -> Callable[[Array], Array]:
    return lambda z: -(y * np.log(softmax(z))).sum()


def bernoulli(p: float) -> Array:
    return np.array([p, 1 - p])


def kl_and_equality(g: np.random.Generator) -> float:
    p, q = probabilities(g), probabilities(g)
    direct = (p * np.log(p / q)).sum()
    return max(gap(kl(p, q), direct), above(1e-9, direct), gap(kl(p, p), 0))


def symmetric(_: np.random.Generator) -> float:
    p, q = bernoulli(0.3), bernoulli(0.7)
    return gap(p, q) if gap(cross(p, q), cross(q, p)) < 1e-12 else 0.0


def triangle(_: np.random.Generator) -> float:
    p, q, r = map(bernoulli, (0.5, 0.25, 0.1))
    return above(kl(p, r), kl(p, q) + kl(q, r))


def pinsker(g: np.random.Generator) -> float:
    p, q = probabilities(g), probabilities(g)
    return above(np.abs(p - q).sum(), np.sqrt(2 * kl(p, q)))


def binary_gradient(_: np.random.Generator) -> float:
    exact = derivative(lambda z: -np.log(sigmoid(z)), np.array([0.0]))[0, 0]
    return gap(exact, (sigmoid(0) - 1) / 4)


def binary_form(g: np.random.Generator) -> float:
    z, y = g.normal() * 3, g.integers(2)
    s = sigmoid(z)
    return gap(-(y * np.log(s) + (1 - y) * np.log(1 - s)), np.log(1 + np.exp(z)) - y * z)


def gaussian_kl(mean_1: float, sd_1: float, mean_2: float, sd_2: float) -> float:
    x = np.linspace(-12, 12, 4001) * sd_1 + mean_1
    density = norm.pdf(x, mean_1, sd_1)
    ratio = norm.logpdf(x, mean_1, sd_1) - norm.logpdf(x, mean_2, sd_2)
    return float((density * ratio).sum() * (x[1] - x[0]))


def gaussian_means(g: np.random.Generator) -> float:
    a, b, sd = g.normal(), g.normal(), g.uniform(0.5, 2)
    return gap(gaussian_kl(a, sd, b, sd), (a - b) ** 2 / (2 * sd**2))


def smoothed_gradient(g: np.random.Generator) -> float:
    z, y, eps = g.normal(size=4), one_hot(1, 4), 0.1
    return gap(derivative(loss((1 - eps) * y + eps / 4), z), softmax(z) - (1 - eps) * y)


def smoothed_loss(g: np.random.Generator) -> float:
    p, y, u, eps = probabilities(g), probabilities(g), np.full(4, 0.25), g.uniform()
    return gap(cross((1 - eps) * y + eps * u, p), (1 - eps) * cross(y, p) + eps * cross(u, p))


def mutual_information(_: np.random.Generator) -> float:
    joint = np.array([[0.4, 0.1], [0.1, 0.4]])
    product = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    return gap(kl(joint, product), kl(product, joint))


def label_free_hessian(g: np.random.Generator) -> float:
    z, y = g.normal(size=4), probabilities(g)
    p = softmax(z)
    return gap(hessian(loss(y), z), np.diag(p) - np.outer(p, p))


def empirical(g: np.random.Generator) -> float:
    q, x = probabilities(g), g.integers(4, size=30)
    return gap(-np.log(q[x]).mean(), cross(np.bincount(x, minlength=4) / 30, q))


def small_step(g: np.random.Generator) -> list[float]:
    p, h = probabilities(g), np.array([1.0, -2.0, 0.5, 0.5]) / 40
    return [gap(kl(p, p + e * h) / (e**2 / 2 * (h**2 / p).sum()), 1) for e in (1, 0.1, 0.01)]


def distillation(g: np.random.Generator) -> list[float]:
    z, v = (x - x.mean() for x in g.normal(size=(2, 4)))
    return [gap(t * (softmax(z / t) - softmax(v / t)), (z - v) / 4) for t in (1, 10, 100, 1000)]


def logit_form(g: np.random.Generator) -> float:
    z = g.normal(size=4)
    return gap(-np.log(softmax(z)[2]), np.log(np.exp(z - z[2]).sum()))


def vanishing_entropy(_: np.random.Generator) -> list[float]:
    return [entropy(np.r_[1 - e, np.full(4, e / 4)]) for e in (0.1, 1e-3, 1e-6)]


CROSS_ENTROPY = {
    "cross-entropy-gradient-01": versus(lambda z: LABEL - softmax(z), lambda z: derivative(loss(LABEL), z)),
    "cross-entropy-kl-entropy-02": lambda g: gap(kl(SKEW, FAIR), cross(SKEW, FAIR) - entropy(FAIR)),
    "cross-entropy-kl-entropy-03": kl_and_equality,
    "cross-entropy-symmetric-04": symmetric,
    "cross-entropy-triangle-05": triangle,
    "cross-entropy-pinsker-06": lambda g: above(2 * 0.2**2, kl(FAIR, bernoulli(0.6))),
    "cross-entropy-pinsker-07": pinsker,
    "cross-entropy-soft-target-08": lambda g: min(loss(FAIR)(np.array([t, 0.0])) for t in np.linspace(-9, 9, 181)),
    "cross-entropy-max-entropy-09": lambda g: gap(entropy(one_hot(0, 3)), np.log(3)),
    "cross-entropy-uniform-10": lambda g: gap(kl(p := probabilities(g), np.full(4, 0.25)), np.log(4) - entropy(p)),
    "cross-entropy-conditioning-11": lambda g: above(np.log(2), entropy(bernoulli(0.95))),
    "cross-entropy-gradient-probabilities-12": lambda g: gap(derivative(lambda q: -0.5 * np.log(q[0]), [0.25]), -0.5),
    "cross-entropy-binary-gradient-13": binary_gradient,
    "cross-entropy-binary-form-14": binary_form,
    "cross-entropy-gaussian-15": lambda g: gap(gaussian_kl(0, 2, 0, 1), (4 - 1 - np.log(2)) / 2),
    "cross-entropy-gaussian-16": gaussian_means,
    "cross-entropy-jensen-17": lambda g: above(-np.log([1, 0.1]).mean(), -np.log(0.55)),
    "cross-entropy-smoothing-18": smoothed_gradient,
    "cross-entropy-smoothing-19": smoothed_loss,
    "cross-entropy-mutual-information-20": mutual_information,
    "cross-entropy-gradient-norm-21": lambda g: above(np.linalg.norm(derivative(loss(UNIT), [0, 20])), 1),
    "cross-entropy-logit-form-22": logit_form,
    "cross-entropy-hessian-23": label_free_hessian,
    "cross-entropy-not-symmetric-24": lambda g: float(gap(kl(SKEW, FAIR), kl(FAIR, SKEW)) < 1e-3),
    "cross-entropy-positive-25": lambda g: float(loss(one_hot(0, 4))(5 * g.normal(size=4)) <= 0),
    "cross-entropy-empirical-26": empirical,
    "cross-entropy-small-step-27": small_step,
    "cross-entropy-confident-28": lambda g: [loss(one_hot(0, 3))(np.array([t, 0.4, -1])) for t in (1, 5, 10, 20)],
    "cross-entropy-distillation-29": distillation,
    "cross-entropy-vanishing-30": vanishing_entropy,
}

# ---- perplexity ----


def token_probabilities(g: np.random.Generator, n: int = 6) -> Array:
    return g.uniform(0.01, 1, size=n)


def two_texts(g: np.random.Generator) -> float:
    a, b = token_probabilities(g, 3), token_probabilities(g, 7)
    return gap(perplexity(np.r_[a, b]), (perplexity(a) ** 3 * perplexity(b) ** 7) ** 0.1)


def at_least_one(g: np.random.Generator) -> float:
    return max(above(1 + 1e-9, perplexity(token_probabilities(g))), gap(perplexity(np.ones(5)), 1))


def bits_per_character(g: np.random.Generator) -> float:
    p = token_probabilities(g)
    return gap(-np.log2(p).sum() / 31, 6 / 31 * np.log2(perplexity(p)))


def mixture(_: np.random.Generator) -> float:
    a, b = SKEW, SKEW[::-1]
    return above(min(perplexity(a), perplexity(b)), perplexity((a + b) / 2))


def accuracy(_: np.random.Generator) -> float:
    return above(perplexity(np.array([0.5, 0.5, 0.5, 1e-6])), perplexity(np.full(4, 0.34)))


def long_sample(g: np.random.Generator) -> list[float]:
    """Root mean square gap over 40 texts."""
    p, q = probabilities(g), probabilities(g)
    texts = [g.choice(4, p=p, size=(40, n)) for n in (10, 1000, 100_000)]
    return [float(np.sqrt(np.mean((np.exp(-np.log(q[t]).mean(1)) - np.exp(cross(p, q))) ** 2))) for t in texts]


def power_mean(g: np.random.Generator) -> list[float]:
    p = token_probabilities(g)
    return [gap(np.mean(p**s) ** (-1 / s), perplexity(p)) for s in (0.1, -0.01, 0.001, -0.0001)]


def kl_factor(g: np.random.Generator) -> float:
    p, q = probabilities(g), probabilities(g)
    return gap(np.exp(cross(p, q)), np.exp(entropy(p)) * np.exp((p * np.log(p / q)).sum()))


QUARTERS = np.full(3, 0.25)

PERPLEXITY = {
    "perplexity-geometric-mean-01": lambda g: gap(perplexity(p := token_probabilities(g)), np.prod(1 / p) ** (1 / 6)),
    "perplexity-product-form-02": lambda g: gap(perplexity(FAIR), np.prod(FAIR) ** -2),
    "perplexity-batches-03": lambda g: gap(perplexity(np.repeat([1 / 2, 1 / 8], 4)), (2 + 8) / 2),
    "perplexity-half-loss-04": lambda g: gap(np.exp(np.log(16) / 2), 8),
    "perplexity-nats-05": lambda g: gap(perplexity(np.full(3, 1 / 8)), 2 ** np.log(8)),
    "perplexity-two-texts-06": two_texts,
    "perplexity-vocabulary-07": lambda g: above(perplexity(np.array([0.01])), 2),
    "perplexity-at-least-one-08": at_least_one,
    "perplexity-mean-probability-09": lambda g: gap(perplexity(SKEW), 1 / SKEW.mean()),
    "perplexity-inverse-mean-10": lambda g: above(perplexity(p := token_probabilities(g)), (1 / p).mean()),
    "perplexity-per-character-11": lambda g: gap((32.0**-2) ** (-1 / 10), 32 / 5),  # two words, ten characters
    "perplexity-bits-per-character-12": bits_per_character,
    "perplexity-kl-factor-13": kl_factor,
    "perplexity-mixture-14": mixture,
    "perplexity-accuracy-15": accuracy,
    "perplexity-doubled-probabilities-16": lambda g: gap(perplexity(QUARTERS) / perplexity(2 * QUARTERS), 2**3),
    "perplexity-long-sample-17": long_sample,
    "perplexity-single-miss-18": lambda g: [1 / perplexity(np.r_[p, QUARTERS]) for p in (0.1, 1e-4, 1e-8, 1e-16)],
    "perplexity-single-miss-19": lambda g: [
        gap(perplexity(np.r_[1e-3, np.full(n - 1, 0.5)]), 2) for n in (10, 100, 1000, 10_000)
    ],
    "perplexity-power-mean-20": power_mean,
}

# ---- network ----

SIZES = {"w1": (3, 4), "b1": (4,), "w2": (4, 4), "b2": (4,)}  # three inputs, four hidden units, four classes


def network(g: np.random.Generator) -> dict[str, Array]:
    return {"x": g.normal(size=3)} | {name: g.normal(size=shape) for name, shape in SIZES.items()}


def hidden(part: dict[str, Array], activation: Callable[[Array], Array] = sigmoid) -> Array:
    return activation(part["x"] @ part["w1"] + part["b1"])


def predict(part: dict[str, Array], activation: Callable[[Array], Array] = sigmoid) -> Array:
    return softmax(hidden(part, activation) @ part["w2"] + part["b2"])


def gradient(part: dict[str, Array], name: str) -> Array:
    return derivative(lambda value: -np.log(predict(part | {name: value})) @ LABEL, part[name])


def delta(part: dict[str, Array]) -> Array:
    return (predict(part) - LABEL) @ part["w2"].T


def input_gradient(g: np.random.Generator) -> float:
    part = network(g)
    h = hidden(part)
    return gap(gradient(part, "x"), (delta(part) * h * (1 - h)) @ part["w1"].T)


def first_weights(g: np.random.Generator) -> float:
    part = network(g)
    return gap(gradient(part, "w1"), np.outer(part["x"], delta(part)))


def hidden_gradient(g: np.random.Generator) -> float:
    part = network(g)
    exact = derivative(lambda h: -np.log(softmax(h @ part["w2"] + part["b2"])) @ LABEL, hidden(part))
    return gap(exact, (predict(part) - LABEL) @ part["w2"])


def sigma_prime(g: np.random.Generator) -> float:
    part = network(g)
    s = sigmoid(hidden(part))
    return gap(gradient(part, "b1"), delta(part) * s * (1 - s))


def batch(g: np.random.Generator) -> tuple[Array, Array, Array]:
    return g.normal(size=(5, 3)), g.normal(size=(3, 4)), np.eye(4)[g.integers(4, size=5)]


def batch_mean(g: np.random.Generator) -> float:
    h, w, y = batch(g)
    exact = derivative(lambda v: -(y * np.log(softmax(h @ v))).sum() / 5, w)
    return gap(exact, h.T @ (softmax(h @ w) - y))


def batch_bias(g: np.random.Generator) -> float:
    """As many examples as classes, so that the shapes at least agree."""
    h, w, y = (part[:4] for part in batch(g))
    exact = derivative(lambda b: -(y * np.log(softmax(h @ w + b))).sum(), np.zeros(4))
    return gap(exact, (softmax(h @ w) - y).sum(axis=1))


def zero_start(g: np.random.Generator) -> float:
    return gap(gradient(network(g) | {name: np.zeros(shape) for name, shape in SIZES.items()}, "b2"), 0)


def rescaled(g: np.random.Generator) -> float:
    part = network(g)
    return gap(predict(part), predict(part | {"w1": 2 * part["w1"], "b1": 2 * part["b1"], "w2": part["w2"] / 2}))


def sign_flip(g: np.random.Generator) -> float:
    part = network(g)
    return gap(predict(part, np.tanh), predict(part | {name: -part[name] for name in ("w1", "b1", "w2")}, np.tanh))


def collapse(g: np.random.Generator) -> float:
    part = network(g)
    w, b = part["w1"] @ part["w2"], part["b1"] @ part["w2"] + part["b2"]
    return gap(predict(part, lambda x: x), softmax(part["x"] @ w + b))


def parameter_gap(*, count: Callable[[int, int, int], int]) -> float:
    return gap(sum(np.zeros(shape).size for shape in SIZES.values()), count(3, 4, 4))


def hard_threshold(_: np.random.Generator) -> list[float]:
    z = np.array([0.5, -0.2, 1.3])
    return [gap(sigmoid(beta * z), z > 0) for beta in (1, 10, 50, 100)]


def small_weights(g: np.random.Generator) -> list[float]:
    z = g.normal(size=3) @ g.normal(size=(3, 4))
    return [gap(sigmoid(t * z), 0.5 + t * z / 4) / t for t in (1, 0.1, 0.01)]


NETWORK = {
    "network-parameter-count-01": lambda g: parameter_gap(count=lambda d, h, k: (d + 1) * h + (h + 1) * k),
    "network-parameter-count-02": lambda g: parameter_gap(count=lambda d, h, k: (d + 1) * h + h * k),
    "network-input-gradient-03": input_gradient,
    "network-first-weights-04": first_weights,
    "network-hidden-gradient-05": hidden_gradient,
    "network-sigma-prime-06": sigma_prime,
    "network-batch-mean-07": batch_mean,
    "network-batch-bias-08": batch_bias,
    "network-zero-start-09": zero_start,
    "network-rescaled-layers-10": rescaled,
    "network-sign-flip-11": sign_flip,
    "network-linear-collapse-12": collapse,
    "network-gradient-rank-13": lambda g: np.linalg.svd(gradient(network(g), "w1"), compute_uv=False)[1],
    "network-hard-threshold-14": hard_threshold,
    "network-small-weights-15": small_weights,
}

CASES: dict[str, Callable[[np.random.Generator], Any]] = (
    ATTENTION | SOFTMAX | DERIVATIVES | CROSS_ENTROPY | PERPLEXITY | NETWORK
)


def verdict(case: Callable[[np.random.Generator], Any]) -> tuple[str, Any]:
    """The label that the numbers support, and the numbers."""
    g = np.random.default_rng(0)
    first = case(g)
    if isinstance(first, list):
        shrinks = all(b < a for a, b in itertools.pairwise(first)) and first[-1] < 0.02 * first[0]
        return "holds-in-limit" if shrinks else "fails", first
    largest = max(first, *(case(g) for _ in range(DRAWS - 1))) if first < 1e-3 else first
    return "holds" if largest < 1e-8 else "fails" if largest > 1e-3 else "undecided", largest


def main() -> None:
    claims = tomllib.loads((Path(__file__).parent / "opened-a.toml").read_text(encoding="utf-8"))["claim"]
    unknown = CASES.keys() - {claim["id"] for claim in claims}
    assert not unknown, f"no such claims: {sorted(unknown)}"
    agree = 0
    for claim in claims:
        if claim["id"] in CASES:
            label, numbers = verdict(CASES[claim["id"]])
            agree += label == claim["label"]
            if label != claim["label"]:
                print(f"{claim['id']}: labelled {claim['label']}, the numbers say {label}: {numbers}")
    print(f"{agree} of {len(CASES)} labels agree with their numbers; {len(claims)} claims")


if __name__ == "__main__":
    main()
