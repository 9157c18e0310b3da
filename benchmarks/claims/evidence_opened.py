"""Numbers behind the labels of opened.toml, by NumPy and SciPy alone.

The collection was independent until 18 November 2026 and is development material since.

Each case belongs to one claim and returns how far the claim is from true: the largest gap between its sides over random
draws, or the gap at one counterexample. A claim that holds should show rounding errors only, a claim that fails a gap
that anyone can see, and a claim about a limit a list of gaps that shrinks to nothing. Laws of Gaussian vectors are
integrated by Gauss-Hermite quadrature, so no case depends on sampling noise. Run the file to compare all labels with
the numbers:

    python benchmarks/claims/evidence_opened.py
"""

import math
import sys
import tomllib
from collections.abc import Callable, Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
from scipy import integrate, optimize, stats
from scipy.special import gammaln

Array = np.ndarray[Any, np.dtype[Any]]
Gap = float | list[float]
Draw = Callable[[np.random.Generator], Any]

ROUNDING = 1e-8
VISIBLE = 1e-3


# --- tools ---


def worst(draw: Draw, times: int = 30) -> float:
    """Largest value of `draw` over generators with different seeds."""
    return float(max(draw(np.random.default_rng(seed)) for seed in range(times)))


def gap(left: Any, right: Any) -> float:
    """Largest difference between two arrays; infinite if their shapes differ."""
    left, right = np.asarray(left), np.asarray(right)
    return float(np.max(np.abs(left - right))) if left.shape == right.shape else math.inf


def excess(small: Any, large: Any) -> float:
    """By how much small <= large is violated."""
    return float(max(0.0, np.max(np.asarray(small) - np.asarray(large))))


def untrue(*statements: Any) -> float:
    """0 if all statements are true, else 1: for strict inequalities and for conditions."""
    return float(not all(bool(np.all(statement)) for statement in statements))


def agree(left: Any, right: Any) -> bool:
    """Whether two sides are equal to rounding."""
    return gap(left, right) < ROUNDING


def jac(f: Callable[[Array], Any], x: Any, step: float = 1e-30) -> Array:
    """Jacobian of f at x by complex steps, output axes first."""
    x = np.asarray(x, dtype=float)
    columns = []
    for index in np.ndindex(x.shape):
        moved = x.astype(complex)
        moved[index] += 1j * step
        columns.append(np.imag(f(moved)) / step)
    return np.moveaxis(np.asarray(columns), 0, -1).reshape((*np.shape(columns[0]), *x.shape))


def hess(f: Callable[[Array], Any], x: Any, step: float = 1e-4) -> Array:
    """Second derivatives of a scalar f by central differences of complex-step gradients."""
    x = np.asarray(x, dtype=float)
    unit = np.eye(x.size) * step
    return np.array([(jac(f, x + e) - jac(f, x - e)) / (2 * step) for e in unit])


def sm(x: Any) -> Array:
    x = np.asarray(x)
    e = np.exp(x - np.max(x.real))
    return e / e.sum()


def sig(x: Any) -> Any:
    return 1 / (1 + np.exp(-np.asarray(x)))


def lse(x: Any) -> Any:
    x = np.asarray(x)
    m = np.max(x.real)
    return m + np.log(np.sum(np.exp(x - m)))


def simplex(r: np.random.Generator, n: int = 4) -> Array:
    return r.dirichlet(np.ones(n))


def ent(p: Any) -> float:
    p = np.asarray(p, dtype=float)
    p = p[p > 0]
    return float(-np.sum(p * np.log(p)))


def cross(p: Any, q: Any) -> float:
    return float(-np.sum(np.asarray(p) * np.log(q)))


def kl(p: Any, q: Any) -> float:
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    some = p > 0
    return float(np.sum(p[some] * np.log(p[some] / q[some])))


def onehot(k: int, n: int) -> Array:
    return np.eye(n)[k]


def frame(r: np.random.Generator, rows: int, columns: int) -> Array:
    """Orthonormal columns."""
    return np.linalg.qr(r.normal(size=(rows, columns)))[0]


def attend(keys: Array, q: Any, values: Any = None) -> tuple[Array, Array]:
    """Weights and output of attention; one key a row."""
    weights = sm(keys @ q)
    return weights, weights @ (np.eye(len(keys)) if values is None else values)


def spd(r: np.random.Generator, d: int) -> Array:
    a = r.normal(size=(d, d))
    return a @ a.T + 0.3 * np.eye(d)


def mean(f: Callable[[Array], Any], mu: Any, cov: Any, nodes: int = 12) -> Any:
    """E f(x) for x ~ N(mu, cov), exact for polynomials of degree below twice the nodes."""
    mu, cov = np.atleast_1d(np.asarray(mu, dtype=float)), np.atleast_2d(np.asarray(cov, dtype=float))
    values, vectors = np.linalg.eigh(cov)
    root = vectors * np.sqrt(np.clip(values, 0, None))
    z, w = np.polynomial.hermite_e.hermegauss(nodes)
    w = w / w.sum()
    total: Any = 0.0
    for picks in product(range(nodes), repeat=mu.size):
        i = list(picks)
        total = total + np.prod(w[i]) * f(mu + root @ z[i])
    return total


def var(f: Callable[[Array], Any], mu: Any, cov: Any, nodes: int = 12) -> Any:
    """Variance of f(x) for x ~ N(mu, cov)."""
    return mean(lambda x: f(x) ** 2, mu, cov, nodes) - mean(f, mu, cov, nodes) ** 2


def line(f: Callable[[float], float], mu: float = 0.0, sd: float = 1.0) -> float:
    """E f(x) for x ~ N(mu, sd^2) by adaptive quadrature."""
    split = [-8.0, -1.0, 0.0, 1.0, 8.0]
    parts = [
        integrate.quad(lambda z: f(mu + sd * z) * stats.norm.pdf(z), a, b, epsabs=1e-12)[0] for a, b in pairwise(split)
    ]
    return float(sum(parts))


# --- softmax ---


def pairs(r: np.random.Generator, n: int = 5) -> tuple[Array, Array]:
    return r.normal(size=n) * 2, r.normal(size=n) * 2


def temperature(r: np.random.Generator) -> float:
    x, t = r.normal(size=4), r.uniform(0.3, 3)
    p = sm(x)
    return gap(sm(x / t), p ** (1 / t) / np.sum(p ** (1 / t)))


def shifted_only(r: np.random.Generator) -> float:
    """Equal softmax means equal up to a constant, and the other way round."""
    x, y = pairs(r)
    back = np.log(sm(x)) - x
    return max(np.ptp(back), gap(sm(x), sm(x + 1.7)), untrue(not agree(sm(x), sm(y))))


SOFTMAX: dict[str, Callable[[], Gap]] = {
    "softmax-shift-01": lambda: worst(lambda r: gap(sm((x := r.normal(size=4)) + r.normal() * 5), sm(x))),
    "softmax-scale-01": lambda: gap(sm([2, 0]), sm([1, 0])),
    "softmax-sum-01": lambda: worst(lambda r: gap(sm(r.normal(size=6)).sum(), 1)),
    "softmax-positive-01": lambda: worst(lambda r: untrue(sm(r.normal(size=6) * 9) > 0)),
    "softmax-max-01": lambda: worst(lambda r: gap(sm((x := r.normal(size=4)) - x.max()), np.exp(x) / np.exp(x).sum())),
    "softmax-logratio-01": lambda: worst(
        lambda r: gap(np.subtract.outer(np.log(sm(x := r.normal(size=4))), np.log(sm(x))), np.subtract.outer(x, x))
    ),
    "softmax-logratio-02": lambda: gap(sm([1, 2])[0] / sm([1, 2])[1], 1 / 2),
    "softmax-two-01": lambda: worst(lambda r: gap(sm([z := r.normal() * 3, 0]), [sig(z), 1 - sig(z)])),
    "softmax-two-02": lambda: gap(sm([1, 0]), [sig(-1), sig(1)]),
    "softmax-two-03": lambda: worst(lambda r: gap(sm(-(x := r.normal(size=2))), 1 - sm(x))),
    "softmax-two-04": lambda: gap(sm([-1, -2, -3]), 1 - sm([1, 2, 3])),
    "sigmoid-reflect-01": lambda: worst(lambda r: gap(sig(-(x := r.normal())), 1 - sig(x))),
    "sigmoid-derivative-01": lambda: worst(lambda r: gap(jac(sig, x := r.normal()), sig(x) * (1 - sig(x)))),
    "sigmoid-derivative-02": lambda: gap(jac(sig, 0.0), sig(0) * (1 + sig(0))),
    "sigmoid-second-01": lambda: worst(
        lambda r: gap(jac(lambda t: sig(t) * (1 - sig(t)), x := r.normal()), sig(x) * (1 - sig(x)) * (1 - 2 * sig(x)))
    ),
    "sigmoid-tanh-01": lambda: worst(lambda r: gap(np.tanh(x := r.normal()), 2 * sig(2 * x) - 1)),
    "sigmoid-tanh-02": lambda: gap(np.tanh(1), 2 * sig(1) - 1),
    "sigmoid-tanh-03": lambda: gap(sig(1), (1 + np.tanh(1)) / 2),
    "sigmoid-tanh-04": lambda: worst(lambda r: gap(sig(x := r.normal()), (1 + np.tanh(x / 2)) / 2)),
    "sigmoid-log-01": lambda: gap(np.log(sig(1)), -np.log(1 + np.e)),
    "sigmoid-log-02": lambda: worst(lambda r: gap(np.log(sig(x := r.normal())) - np.log(sig(-x)), x)),
    "softplus-01": lambda: worst(lambda r: gap(jac(lambda t: np.log(1 + np.exp(t)), x := r.normal()), sig(x))),
    "logsoftmax-01": lambda: worst(lambda r: gap(np.log(sm(x := r.normal(size=4))), x - np.log(np.exp(x).sum()))),
    "lse-lower-01": lambda: worst(lambda r: excess((x := r.normal(size=4)).max(), np.log(np.exp(x).sum()))),
    "lse-bounds-01": lambda: worst(
        lambda r: untrue((x := r.normal(size=4)).max() < lse(x), lse(x) <= x.max() + np.log(4) + 1e-12)
    ),
    "lse-bounds-02": lambda: excess(lse(np.zeros(10)), 1),
    "lse-shift-01": lambda: worst(lambda r: gap(lse((x := r.normal(size=4)) + 2.5), 2.5 + lse(x))),
    "lse-scale-01": lambda: gap(lse([0, 0]), 2 * lse([0, 0])),
    "softmax-product-01": lambda: worst(
        lambda r: np.ptp(sm((p := pairs(r))[0] + p[1]) / (sm(p[0]) * sm(p[1]))) / np.max(1 / (sm(p[0]) * sm(p[1])))
    ),
    "softmax-product-02": lambda: gap(sm([0, 0]), sm([0, 0]) * sm([0, 0])),
    "softmax-add-01": lambda: gap(sm([0, 0]), sm([0, 0]) + sm([0, 0])),
    "softmax-log-01": lambda: worst(lambda r: gap(sm(np.log(p := simplex(r))), p)),
    "softmax-log-02": lambda: gap(sm(np.log([1, 1])), [1, 1]),
    "softmax-log-03": lambda: worst(lambda r: gap(sm(2 * np.log(p := r.uniform(0.1, 3, 4))), p**2 / np.sum(p**2))),
    "softmax-order-01": lambda: worst(
        lambda r: untrue(np.diff(sm(x := np.sort(r.normal(size=5)))) > 0, np.diff(x) > 0)
    ),
    "softmax-order-02": lambda: worst(
        lambda r: untrue(
            np.greater_equal.outer(x := r.integers(0, 3, 5) * 1.0, x) == np.greater_equal.outer(sm(x), sm(x))
        )
    ),
    "softmax-order-03": lambda: excess(1 / 2, sm([1, 5])[0]),
    "softmax-maxweight-01": lambda: worst(lambda r: excess(1 / 5, sm(r.normal(size=5) * 0.1).max())),
    "softmax-maxweight-02": lambda: untrue(sm(np.zeros(4)).max() > 1 / 4),
    "softmax-injective-01": lambda: worst(shifted_only),
    "softmax-injective-02": lambda: untrue(not agree(sm([0, 1]), sm([1, 2]))),
    "softmax-mid-01": lambda: gap(sm([2, 0]), (sm([4, 0]) + sm([0, 0])) / 2),
    "softmax-literal-01": lambda: gap(sm([0, np.log(3)]), [1 / 4, 3 / 4]),
    "softmax-literal-02": lambda: gap(sm([1, 2, 3]), sm([0, 1, 2])),
    "softmax-literal-03": lambda: gap(sm([1, 2]), [1 / 3, 2 / 3]),
    "softmax-literal-04": lambda: gap(sm(np.log([2, 3, 5])), [0.2, 0.3, 0.5]),
    "softmax-literal-05": lambda: gap(sm([0, 0, np.log(2)]), [1 / 3, 1 / 3, 2 / 3]),
    "softmax-twice-01": lambda: gap(sm(sm([2, 0])), sm([2, 0])),
    "softmax-argmax-01": lambda: worst(lambda r: untrue(np.argmax(sm(x := r.normal(size=6))) == np.argmax(x))),
    "softmax-temperature-01": lambda: worst(temperature),
    "softmax-temperature-02": lambda: gap(sm([0, 0]), sm([0, 0]) ** 0.5),
    "softmax-norm-01": lambda: worst(
        lambda r: excess(1 / np.sqrt(5), n := np.linalg.norm(sm(r.normal(size=5)))) + excess(n, 1)
    ),
    "softmax-norm-02": lambda: excess(1 / np.sqrt(2), np.linalg.norm(sm(np.zeros(3)))),
    "softmax-lipschitz-01": lambda: worst(
        lambda r: excess(
            np.linalg.norm(sm((p := pairs(r))[0]) - sm(p[0] + 0.1 * p[1])), 0.5 * np.linalg.norm(0.1 * p[1])
        )
    ),
    "softmax-lipschitz-02": lambda: excess(np.linalg.norm(sm([0.1, -0.1]) - 0.5), 0.25 * np.linalg.norm([0.1, -0.1])),
}


def outer_jac(p: Array) -> Array:
    return np.diag(p) - np.outer(p, p)


def along(f: Callable[[Array, Array], float], times: int = 30) -> float:
    """Worst of f(x, softmax(x)) over random logits of several lengths."""
    return worst(lambda r: f(x := r.normal(size=int(r.integers(2, 6))) * 1.5, sm(x)), times)


X3 = np.array([0.5, -0.3, 1.1])
P3 = sm(X3)
J3 = jac(sm, X3)

DERIVATIVES: dict[str, Callable[[], Gap]] = {
    "jacobian-entry-01": lambda: along(lambda x, p: gap(jac(sm, x), p[:, None] * (np.eye(len(p)) - p[None, :]))),
    "jacobian-entry-02": lambda: gap(J3, P3[:, None] * (1 - P3[None, :])),
    "jacobian-matrix-01": lambda: along(lambda x, p: gap(jac(sm, x), outer_jac(p))),
    "jacobian-matrix-02": lambda: gap(J3, np.diag(P3) - P3 @ P3),
    "jacobian-diag-01": lambda: along(lambda x, p: gap(np.diag(jac(sm, x)), p * (1 - p))),
    "jacobian-off-01": lambda: along(
        lambda x, p: gap((jac(sm, x) + np.outer(p, p))[~np.eye(len(p), dtype=bool)], np.zeros(len(p) ** 2 - len(p)))
    ),
    "jacobian-off-02": lambda: gap(J3[0, 1], P3[0] * P3[1]),
    "jacobian-cases-01": lambda: along(
        lambda x, p: gap(jac(sm, x), np.where(np.eye(len(p)) > 0, p * (1 - p), -np.outer(p, p)))
    ),
    "jacobian-cases-02": lambda: gap(J3[0, 1], P3[0] * (1 - P3[1])),
    "jacobian-ones-01": lambda: along(lambda x, p: gap(outer_jac(p).sum(axis=1), np.zeros_like(x))),
    "jacobian-null-01": lambda: gap(outer_jac(sm([1, 0])) @ sm([1, 0]), np.zeros(2)),
    "jacobian-rank-01": lambda: along(lambda x, p: gap(np.linalg.matrix_rank(outer_jac(p), tol=1e-10), len(x) - 1)),
    "jacobian-rank-02": lambda: gap(np.linalg.matrix_rank(outer_jac(P3), tol=1e-10), 3),
    "jacobian-det-01": lambda: along(lambda x, p: abs(np.linalg.det(outer_jac(p)))),
    "jacobian-trace-01": lambda: along(lambda x, p: gap(np.trace(outer_jac(p)), 1 - p @ p)),
    "jacobian-trace-02": lambda: gap(np.trace(outer_jac(sm([0, 0]))), 1 - np.sqrt(0.5)),
    "jacobian-psd-01": lambda: along(lambda x, p: excess(0, np.linalg.eigvalsh(outer_jac(p)).min())),
    "jacobian-psd-02": lambda: untrue(np.ones(3) @ outer_jac(P3) @ np.ones(3) > 1e-12),
    "jacobian-variance-01": lambda: worst(
        lambda r: gap(
            (v := r.normal(size=4)) @ outer_jac(p := r.normal(size=4)) @ v, np.sum(p * v**2) - np.sum(p * v) ** 2
        )
    ),
    "jacobian-eig-01": lambda: along(lambda x, p: excess(np.linalg.eigvalsh(outer_jac(p)).max(), 0.5)),
    "jacobian-eig-02": lambda: excess(np.linalg.eigvalsh(outer_jac(sm([0, 0]))).max(), 0.25),
    "jacobian-dots-01": lambda: along(lambda x, p: abs(jac(sm, x)[0].sum())),
    "jacobian-temperature-01": lambda: along(
        lambda x, p: gap(jac(lambda t: sm(t / 1.7), x), outer_jac(sm(x / 1.7)) / 1.7)
    ),
    "jacobian-temperature-02": lambda: gap(jac(lambda t: sm(t / 2), X3), outer_jac(sm(X3 / 2)) * 2),
    "lse-gradient-01": lambda: along(lambda x, p: gap(jac(lse, x), p)),
    "lse-hessian-01": lambda: along(lambda x, p: gap(hess(lse, x), outer_jac(p))),
    "logp-gradient-01": lambda: along(lambda x, p: gap(jac(lambda t: np.log(sm(t)), x), np.eye(len(p)) - p)),
    "logp-gradient-02": lambda: gap(jac(lambda t: np.log(sm(t)), X3), np.eye(3) - P3[:, None]),
}


# --- cross-entropy and perplexity ---


def ce(theta: Any, y: Any) -> Any:
    return -np.sum(np.asarray(y) * np.log(sm(theta)))


def labelled(f: Callable[[Array, Array, Array], float], times: int = 30) -> float:
    """Worst of f(theta, y, softmax(theta)) over random logits and target distributions."""

    def draw(r: np.random.Generator) -> float:
        theta = r.normal(size=4) * 1.5
        y = simplex(r) if r.random() < 0.5 else onehot(int(r.integers(4)), 4)
        return f(theta, y, sm(theta))

    return worst(draw, times)


def two(f: Callable[[Array, Array], float]) -> float:
    """Worst of f(p, q) over random distributions."""
    return worst(lambda r: f(simplex(r), simplex(r)))


def smoothed(r: np.random.Generator) -> float:
    theta, k, eps = r.normal(size=4), int(r.integers(4)), r.random()
    y = (1 - eps) * onehot(k, 4) + eps / 4
    return gap(jac(lambda t: ce(t, y), theta), sm(theta) - (1 - eps) * onehot(k, 4) - eps / 4)


def binary(z: Any, y: float) -> Any:
    return -y * np.log(sig(z)) - (1 - y) * np.log(1 - sig(z))


def free_gradient(r: np.random.Generator) -> float:
    theta, y = r.normal(size=4), r.normal(size=4)
    return gap(jac(lambda t: ce(t, y), theta), y.sum() * sm(theta) - y)


def gauss_kl(m1: float, m2: float, s: float) -> float:
    log_ratio = lambda x: stats.norm.logpdf(x, m1, s) - stats.norm.logpdf(x, m2, s)
    return float(mean(lambda x: log_ratio(x[0]), [m1], [[s * s]]))


def concave(r: np.random.Generator) -> float:
    p, q, t = simplex(r), simplex(r), r.random()
    return excess(t * ent(p) + (1 - t) * ent(q), ent(t * p + (1 - t) * q))


def near(p: Array, q: Array, eps: float) -> float:
    """KL from p to a mixture, without cancellation for small eps."""
    return float(-np.sum(p * np.log1p(eps * (q - p) / p)))


NINE = np.array([0.9, 0.1])
HALF = np.array([0.5, 0.5])
T2, Y2 = np.array([1.0, 0.0]), np.array([0.3, 0.7])

CROSS: dict[str, Callable[[], Gap]] = {
    "ce-gradient-01": lambda: gap(jac(lambda t: ce(t, Y2), T2), Y2 - sm(T2)),
    "ce-gradient-02": lambda: labelled(lambda t, y, p: gap(jac(lambda s: ce(s, y), t), p - y)),
    "ce-gradient-03": lambda: worst(
        lambda r: gap(jac(lambda s: ce(s, onehot(2, 4)), t := r.normal(size=4)), sm(t) - np.eye(4)[2])
    ),
    "ce-gradient-04": lambda: gap(jac(lambda t: ce(t, onehot(0, 2)), T2), -onehot(0, 2) * (1 - sm(T2))),
    "ce-gradient-05": lambda: labelled(lambda t, y, p: abs(jac(lambda s: ce(s, y), t).sum())),
    "ce-gradient-06": lambda: gap(jac(lambda t: ce(t, [1, 1]), np.zeros(2)), sm([0, 0]) - np.ones(2)),
    "ce-gradient-07": lambda: worst(free_gradient),
    "ce-onehot-01": lambda: worst(lambda r: gap(ce(t := r.normal(size=4), onehot(1, 4)), -np.log(sm(t)[1]))),
    "ce-swap-01": lambda: gap(ce(T2, Y2), cross(sm(T2), Y2)),
    "ce-logits-01": lambda: labelled(lambda t, y, p: gap(ce(t, y), np.log(np.exp(t).sum()) - y @ t)),
    "ce-logits-02": lambda: gap(ce(T2, Y2), Y2 @ T2 - lse(T2)),
    "ce-hessian-01": lambda: labelled(lambda t, y, p: gap(hess(lambda s: ce(s, y), t), outer_jac(p))),
    "ce-hessian-02": lambda: gap(hess(lambda s: ce(s, onehot(0, 2)), T2), np.zeros((2, 2))),
    "ce-yhat-01": lambda: labelled(lambda t, y, p: gap(jac(lambda q: -np.sum(y * np.log(q)), p), -y / p)),
    "ce-yhat-02": lambda: gap(jac(lambda q: -np.sum(Y2 * np.log(q)), NINE), -NINE / Y2),
    "ce-bound-01": lambda: labelled(lambda t, y, p: excess(np.abs(sm(9 * t) - y).sum(), 2)),
    "ce-bound-02": lambda: excess(np.linalg.norm(sm([0, 10]) - onehot(0, 2)), 1),
    "ce-nonneg-01": lambda: labelled(lambda t, y, p: excess(0, ce(9 * t, y))),
    "ce-smoothing-01": lambda: worst(smoothed),
    "ce-binary-01": lambda: worst(
        lambda r: gap(jac(lambda t: binary(t, y), z := r.normal()), sig(z) - y) if (y := r.random()) else 0
    ),
    "ce-binary-02": lambda: gap(jac(lambda t: binary(t, 1.0), 0.0), (sig(0) - 1) * 0.25),
    "ce-decomposition-01": lambda: two(lambda p, q: gap(cross(p, q), ent(p) + kl(p, q))),
    "ce-decomposition-02": lambda: gap(cross(NINE, HALF), ent(HALF) + kl(NINE, HALF)),
    "ce-gibbs-01": lambda: two(lambda p, q: excess(ent(p), cross(p, q))),
    "ce-symmetric-01": lambda: gap(cross(NINE, HALF), cross(HALF, NINE)),
    "kl-nonneg-01": lambda: two(lambda p, q: excess(0, kl(p, q))),
    "kl-nonneg-02": lambda: untrue(kl(HALF, HALF) > 0),
    "kl-zero-01": lambda: two(lambda p, q: untrue(kl(p, p) == 0, kl(p, q) > 0)),
    "kl-symmetric-01": lambda: gap(kl(NINE, HALF), kl(HALF, NINE)),
    "kl-sign-01": lambda: gap(kl(NINE, HALF), np.sum(NINE * np.log(HALF / NINE))),
    "kl-sign-02": lambda: two(lambda p, q: gap(kl(p, q), -np.sum(p * np.log(q / p)))),
    "kl-uniform-01": lambda: two(lambda p, q: gap(kl(p, np.full(4, 0.25)), np.log(4) - ent(p))),
    "kl-uniform-02": lambda: gap(kl(HALF, NINE), np.log(2) - ent(NINE)),
    "kl-bound-01": lambda: excess(kl(HALF, [0.001, 0.999]), np.log(2)),
    "kl-softmax-01": lambda: worst(
        lambda r: gap(kl(sm((x := pairs(r))[0]), sm(x[1])), sm(x[0]) @ (x[0] - x[1]) - lse(x[0]) + lse(x[1]))
    ),
    "kl-softmax-02": lambda: gap(kl(sm(T2), HALF), sm(T2) @ T2 + lse(T2) - np.log(2)),
    "kl-pinsker-01": lambda: two(lambda p, q: excess(0.5 * np.abs(p - q).sum() ** 2, kl(p, q))),
    "kl-pinsker-02": lambda: excess(0.04, kl([0.6, 0.4], HALF)),
    "kl-gauss-01": lambda: worst(
        lambda r: gap(gauss_kl(a := r.normal(), b := r.normal(), s := r.uniform(0.5, 2)), (a - b) ** 2 / (2 * s * s))
    ),
    "kl-gauss-02": lambda: gap(gauss_kl(1, 0, 1), 1),
    "kl-gradient-01": lambda: two(lambda p, q: gap(jac(lambda t: np.sum(p * np.log(p / t)), q), -p / q)),
    "entropy-bounds-01": lambda: two(lambda p, q: excess(0, ent(p)) + excess(ent(p), np.log(4))),
    "entropy-bounds-02": lambda: untrue(ent(HALF) < np.log(2)),
    "entropy-uniform-01": lambda: two(lambda p, q: untrue(agree(ent(np.full(4, 0.25)), np.log(4)), ent(p) < np.log(4))),
    "entropy-sign-01": lambda: gap(ent(HALF), np.sum(HALF * np.log(HALF))),
    "entropy-softmax-01": lambda: along(lambda x, p: gap(ent(p), lse(x) - p @ x)),
    "entropy-softmax-02": lambda: gap(ent(sm([1, 1])), lse([1, 1]) - 2),
    "entropy-concave-01": lambda: worst(concave),
    "entropy-concave-02": lambda: excess(ent(HALF), 0),
    "entropy-literal-01": lambda: gap(ent([1 / 2, 1 / 4, 1 / 4]), 1.5 * np.log(2)),
    "entropy-literal-02": lambda: gap(ent([1 / 2, 1 / 4, 1 / 8, 1 / 8]), 2 * np.log(2)),
    "ce-limit-01": lambda: [float(ce([0.3, t, -1], onehot(1, 3))) for t in (1, 5, 20)],
    "ce-limit-02": lambda: [gap(ce(t * X3, [0.2, 0.3, 0.5]), np.log(3)) for t in (1, 0.1, 1e-6)],
    "ce-limit-03": lambda: float(ce(1e-9 * X3, [0.2, 0.3, 0.5])),
    "kl-limit-01": lambda: -math.log1p(-1e-6) / 1e-6,  # p = (1, 0), q = (0, 1)
    "kl-limit-02": lambda: near(NINE, HALF, 1e-4) / 1e-8,
    "kl-limit-03": lambda: [near(NINE, HALF, e) for e in (0.1, 1e-3, 1e-6)],
}


def pp(p: Any) -> float:
    """Perplexity as a root of the product, so that no logarithm is shared with the claims."""
    return float(np.prod(p) ** (-1 / len(p)))


def tokens(f: Callable[[Array], float]) -> float:
    return worst(lambda r: f(r.uniform(0.05, 1, int(r.integers(2, 8)))))


EIGHTH = np.array([1 / 2, 1 / 8])

PERPLEXITY: dict[str, Callable[[], Gap]] = {
    "pp-exp-01": lambda: tokens(lambda p: gap(pp(p), np.exp(-np.log(p).mean()))),
    "pp-exp-02": lambda: tokens(lambda p: gap(pp(p), np.exp(-np.log(p).sum() / len(p)))),
    "pp-prod-01": lambda: tokens(lambda p: gap(pp(p), np.prod(p) ** (-1 / len(p)))),
    "pp-prod-02": lambda: gap(pp(EIGHTH), np.prod(EIGHTH) ** 0.5),
    "pp-base-01": lambda: tokens(lambda p: gap(pp(p), 2 ** (-np.log2(p).mean()))),
    "pp-base-02": lambda: gap(pp(HALF), 2 ** np.log(2)),
    "pp-base-03": lambda: tokens(
        lambda p: max(gap(pp(p), b ** (-(np.log(p) / np.log(b)).mean())) for b in (1.1, 3, 10))
    ),
    "pp-base-04": lambda: tokens(lambda p: gap(pp(p), 2 ** (-np.log(p).mean() / np.log(2)))),
    "pp-base-05": lambda: gap(pp(HALF), 10 ** np.log(2)),
    "pp-log-01": lambda: tokens(lambda p: gap(np.log(pp(p)), -np.log(p).mean())),
    "pp-length-01": lambda: gap(pp(HALF), np.exp(2 * np.log(2))),
    "pp-lower-01": lambda: tokens(lambda p: excess(1, pp(p))),
    "pp-uniform-01": lambda: max(gap(pp(np.full(n, 1 / v)), v) for n in (1, 3, 6) for v in (2, 7)),
    "pp-mean-01": lambda: gap(pp(EIGHTH), np.mean(1 / EIGHTH)),
    "pp-mean-02": lambda: tokens(lambda p: excess(pp(p), np.mean(1 / p))),
    "pp-mean-03": lambda: gap(pp(EIGHTH), 2 / EIGHTH.sum()),
    "pp-mean-04": lambda: tokens(lambda p: excess(len(p) / p.sum(), pp(p))),
    "pp-one-01": lambda: tokens(lambda p: untrue(pp(p) > 1, pp(np.ones(3)) == 1)),
    "pp-split-01": lambda: tokens(
        lambda p: gap(np.log(pp(p)), (np.log(pp(p[:1])) + (len(p) - 1) * np.log(pp(p[1:]))) / len(p))
    ),
    "pp-split-02": lambda: gap(pp(EIGHTH), (pp(EIGHTH[:1]) + pp(EIGHTH[1:])) / 2),
    "pp-entropy-01": lambda: two(lambda p, q: excess(np.exp(ent(p)), 4)),
    "pp-entropy-02": lambda: gap(np.exp(ent(NINE)), 2),
    "pp-limit-01": lambda: [pp(np.full(4, 1 - e)) - 1 for e in (0.5, 1e-2, 1e-6)],
}


# --- attention ---


def instance(r: np.random.Generator, orthonormal: bool = False) -> tuple[Array, Array, Array]:
    """Keys (one a row), a query and values."""
    n, d = int(r.integers(3, 6)), 6
    keys = frame(r, d, n).T if orthonormal else r.normal(size=(n, d))
    return keys, r.normal(size=d), r.normal(size=(n, d))


def each(f: Callable[[Array, Array, Array, Array, Array], float], orthonormal: bool = False) -> float:
    """Worst of f(keys, query, values, weights, output) over random instances."""

    def draw(r: np.random.Generator) -> float:
        keys, q, values = instance(r, orthonormal)
        return f(keys, q, values, *attend(keys, q, values))

    return worst(draw)


def at(query: Callable[[Array], Array], orthonormal: bool = True, n: int = 5) -> tuple[Array, Array, Array, Array]:
    """Weights, output, values and keys for a query made from the keys of one fixed instance."""
    r = np.random.default_rng(11)
    keys = frame(r, 7, n).T if orthonormal else r.normal(size=(n, 7))
    values = r.normal(size=(n, 7))
    return (*attend(keys, query(keys), values), values, keys)


def copies(factors: Sequence[float], query: Callable[[Array, float], Array], target: Callable[[Array], Array]) -> Gap:
    """Gaps between the output and its target at growing factors."""
    gaps = []
    for factor in factors:
        _, output, values, _ = at(lambda k, f=factor: query(k, f))
        gaps.append(gap(output, target(values)))
    return gaps


BIG = (1.0, 5.0, 20.0, 60.0)
PAIR = lambda v: (v[0] + v[1]) / 2


def unit_keys(factor: float) -> float:
    r = np.random.default_rng(4)
    keys = r.normal(size=(5, 6))
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    return gap(attend(keys, factor * keys[2])[1], onehot(2, 5))


def margin(f: Callable[[Array, float], float]) -> float:
    """Worst of f(weights, Delta) where logit 0 leads all others by at least Delta."""

    def draw(r: np.random.Generator) -> float:
        n, delta = int(r.integers(2, 7)), r.uniform(0, 4)
        return f(sm(np.concatenate([[0.0], -delta - r.exponential(size=n - 1) * r.integers(0, 2)])), delta)

    return worst(draw)


def reached(r: np.random.Generator) -> float:
    keys, _, _ = instance(r, orthonormal=True)
    p = simplex(r, len(keys))
    return gap(attend(keys, np.log(p) @ keys)[0], p)


def scaled(power: float, d: int = 3) -> float:
    """Var(q.k / d^power) from products of independent standard normals."""
    one = var(lambda x: x[0] * x[1], np.zeros(2), np.eye(2))
    return float(d * one / d ** (2 * power))


def row_softmax(r: np.random.Generator) -> Array:
    return np.array([sm(row) for row in r.normal(size=(4, 3)) @ r.normal(size=(3, 4))])


def best_weight(n: int, target: Array) -> float:
    """Distance of the nearest reachable weights from a target on the border, for bounded logits."""
    found = optimize.minimize(lambda s: np.sum((sm(s) - target) ** 2), np.zeros(n), bounds=[(-5, 5)] * n)
    return float(np.sqrt(found.fun))


ATTENTION: dict[str, Callable[[], Gap]] = {
    "attn-hull-01": lambda: each(lambda k, q, v, w, c: max(excess(0, w.min()), gap(w.sum(), 1), gap(c, w @ v))),
    "attn-hull-02": lambda: each(lambda k, q, v, w, c: excess(np.linalg.norm(c), np.linalg.norm(v, axis=1).max())),
    "attn-hull-03": lambda: excess(1, np.linalg.norm(attend(np.eye(2), np.zeros(2), np.array([[1, 0], [-1, 0]]))[1])),
    "attn-equalvalues-01": lambda: each(lambda k, q, v, w, c: gap(w @ np.tile(v[0], (len(v), 1)), v[0])),
    "attn-zeroquery-01": lambda: each(lambda k, q, v, w, c: gap(attend(k, 0 * q, v)[1], v.mean(axis=0))),
    "attn-zeroquery-02": lambda: gap(attend(np.eye(2), np.zeros(2), np.eye(2))[1], np.zeros(2)),
    "attn-weights-01": lambda: each(
        lambda k, q, v, w, c: untrue(agree(w[0], w[1]) == agree(k[0] @ q, k[1] @ q), agree(*sm([1.0, 2, 1])[[0, 2]]))
    ),
    "attn-weights-02": lambda: gap(np.eye(2)[0], np.eye(2)[1]) * agree(*attend(np.eye(2), np.zeros(2))[0]),
    "attn-weights-03": lambda: each(lambda k, q, v, w, c: gap(*attend(np.vstack([k, k[:1]]), q)[0][[0, -1]])),
    "attn-orth-01": lambda: each(
        lambda k, q, v, w, c: gap(attend(k, q - np.linalg.pinv(k) @ k @ q)[0], np.full(len(k), 1 / len(k)))
    ),
    "attn-orth-02": lambda: float(attend(np.eye(2), np.array([1, 0]))[0][1]),
    "attn-copy-01": lambda: [1 - float(sm([g, 0, 0.3, -1])[0]) for g in BIG],
    "attn-copy-02": lambda: gap(sm([1, 0]), [1, 0]),
    "attn-copy-03": lambda: excess(0.5, sm([0.1, 0, 0])[0]),
    "attn-copy-04": lambda: each(lambda k, q, v, w, c: excess(1 / len(k), w[np.argmax(k @ q)])),
    "attn-copy-05": lambda: copies(BIG, lambda k, f: f * k[0], lambda v: v[0]),
    "attn-copy-06": lambda: [unit_keys(f) for f in (1, 10, 100, 1000)],
    "attn-copy-07": lambda: gap(attend(np.array([[1, 0], [3, 0]]), np.array([50, 0]))[1], [1, 0]),
    "attn-copy-08": lambda: excess(*attend(np.array([[1, 0], [3, 0]]), np.array([1, 0]))[0][::-1]),
    "attn-copy-09": lambda: best_weight(3, onehot(0, 3)),
    "attn-gap-01": lambda: margin(lambda w, g: excess(1 / (1 + (len(w) - 1) * np.exp(-g)), w[0])),
    "attn-gap-02": lambda: excess(1 / (1 + np.exp(-1)), sm([1, 0, 0])[0]),
    "attn-gap-03": lambda: margin(lambda w, g: excess(1 - w[0], (len(w) - 1) * np.exp(-g))),
    "attn-unit-01": lambda: max(gap(at(lambda k: k[0], n=n)[0][0], np.e / (np.e + n - 1)) for n in (2, 5, 7)),
    "attn-unit-02": lambda: gap(at(lambda k: k[0], n=2)[0][0], np.e / (np.e + 2)),
    "attn-pair-01": lambda: gap(*at(lambda k: 3.0 * (k[0] + k[1]))[0][:2]),
    "attn-pair-02": lambda: max(
        gap(at(lambda k, f=f: f * (k[0] + k[1]), n=n)[0][0], np.exp(f) / (2 * np.exp(f) + n - 2))
        for n in (2, 4, 7)
        for f in (0.5, 2, 5)
    ),
    "attn-pair-03": lambda: gap(at(lambda k: k[0] + k[1])[0][0], np.e / (2 * np.e + 5)),
    "attn-pair-04": lambda: copies(BIG, lambda k, f: f / 2 * (k[0] + k[1]), PAIR),
    "attn-pair-05": lambda: copies([60], lambda k, f: f * (k[0] - k[1]), PAIR)[0],
    "attn-pair-06": lambda: copies([60], lambda k, f: f * (k[0] + 2 * k[1]), PAIR)[0],
    "attn-pair-07": lambda: copies([0.5], lambda k, f: f * (k[0] + k[1]), PAIR)[0],
    "attn-pair-08": lambda: copies(BIG, lambda k, f: -f * k[2:].sum(axis=0), PAIR),
    "attn-pair-09": lambda: best_weight(3, np.array([0.5, 0.5, 0])),
    "attn-all-01": lambda: copies([1.7], lambda k, f: f * k.sum(axis=0), lambda v: v.mean(axis=0))[0],
    "attn-triple-01": lambda: copies(BIG, lambda k, f: f * k[:3].sum(axis=0), lambda v: v[:3].mean(axis=0)),
    "attn-triple-02": lambda: copies([60], lambda k, f: f * k[:3].sum(axis=0), lambda v: v[:3].sum(axis=0) / 2)[0],
    "attn-reach-01": lambda: each(lambda k, q, v, w, c: gap(attend(k, 0 * q)[0], np.full(len(k), 1 / len(k)))),
    "attn-reach-02": lambda: worst(reached),
    "attn-reach-03": lambda: worst(reached),
    "attn-reach-04": lambda: gap(sm(NINE), NINE),
    "attn-linear-01": lambda: each(lambda k, q, v, w, c: gap(w @ (v + q), c + q)),
    "attn-linear-02": lambda: each(lambda k, q, v, w, c: gap(w @ (v @ k.T), k @ c)),
    "attn-shiftkeys-01": lambda: each(lambda k, q, v, w, c: gap(attend(k + v[0], q)[0], w)),
    "attn-shiftquery-01": lambda: gap(attend(np.eye(2), np.array([1, 0]))[0], attend(np.eye(2), np.zeros(2))[0]),
    "attn-gradient-01": lambda: each(
        lambda k, q, v, w, c: gap(jac(lambda t: sm(k @ t) @ v, q), np.einsum("i,ij,ik->jk", w, v - c, k))
    ),
    "attn-gradient-02": lambda: gap(jac(sm, X3), np.einsum("i,ij,ik->jk", P3 * (1 - P3), np.eye(3), np.eye(3))),
    "attn-gradient-03": lambda: each(
        lambda k, q, v, w, c: gap(jac(lambda t: sm(k @ t), q), w[:, None] * (k - w @ k)),
    ),
    "attn-gradient-04": lambda: gap(J3, (P3 * (1 - P3))[:, None] * np.eye(3)),
    "attn-gradient-05": lambda: each(
        lambda k, q, v, w, c: gap(jac(lambda t: w[0] * t + w[1:] @ v[1:], v[0]), w[0] * np.eye(len(q))),
    ),
    "attn-error-01": lambda: each(lambda k, q, v, w, c: gap(c - v[0], w[1:] @ (v[1:] - v[0]))),
    "attn-error-02": lambda: each(
        lambda k, q, v, w, c: excess(np.linalg.norm(c - v[0]), (1 - w[0]) * np.linalg.norm(v - v[0], axis=1).max())
    ),
    "attn-error-03": lambda: gap(0.0, 0.5 * np.linalg.norm([1, 0])),
    "attn-iff-01": lambda: gap(sm([0, 0])[0], 1) * agree(sm([0, 0]) @ np.ones((2, 2)), np.ones(2)),
    "attn-rows-01": lambda: worst(lambda r: gap(row_softmax(r) @ np.ones(4), np.ones(4))),
    "attn-rows-02": lambda: gap(np.ones(4) @ row_softmax(np.random.default_rng(0)), np.ones(4)),
    "attn-literal-01": lambda: gap(attend(np.eye(2), np.array([np.log(3), 0]))[0], [3 / 4, 1 / 4]),
    "attn-literal-02": lambda: gap(attend(np.eye(2), np.array([2, 1]))[0][0], 2 / 3),
    "attn-normgrows-01": lambda: gap(attend(np.eye(3)[:2], np.array([0, 0, 1e6]))[0].max(), 1),
    "attn-scaled-01": lambda: max(gap(scaled(0.5, d), 1) for d in (1, 4, 9)),
    "attn-scaled-02": lambda: gap(scaled(1), 1),
    "attn-scaled-03": lambda: gap(scaled(0), np.sqrt(3)),
    "attn-limit-01": lambda: [1 - float(at(lambda k, f=f: f * (k[0] + k[1]))[0][:2].sum()) for f in BIG],
    "attn-limit-02": lambda: gap(at(lambda k: 60 * (k[0] + k[1]))[0][0], 1),
    "attn-limit-03": lambda: [float(at(lambda k, f=f: f * (k[0] + k[1]))[0][2:].max()) for f in BIG],
    "attn-limit-04": lambda: copies((1, 0.1, 1e-5), lambda k, f: f * k[0], lambda v: v.mean(axis=0)),
    "attn-limit-05": lambda: copies(BIG, lambda k, f: f * (k[0] + k[1]), PAIR),
    "attn-limit-06": lambda: copies([100], lambda k, f: f * (k[0] + k[1]), PAIR)[0],
    "attn-limit-07": lambda: copies([-60], lambda k, f: f * k[0], lambda v: v[0])[0],
}


# --- subspaces and projections ---


def spaces(f: Callable[[Array, Array, Array, Array], float], times: int = 20) -> float:
    """Worst of f(A, B, v_a, v_b) over orthogonal subspaces with orthonormal bases."""

    def draw(r: np.random.Generator) -> float:
        size, m, p = int(r.integers(4, 8)), int(r.integers(1, 3)), int(r.integers(1, 3))
        basis = frame(r, size, m + p)
        a, b = basis[:, :m], basis[:, m:]
        return f(a, b, a @ r.normal(size=m), b @ r.normal(size=p))

    return worst(draw, times)


EA, EB = np.eye(3)[:, :1], np.eye(3)[:, 1:2]
VA, VB = EA[:, 0] * 2.0, EB[:, 0] * 3.0
VS = VA + VB
OBLIQUE = np.array([[1.0, 1.0], [0.0, 0.0]])
norm = np.linalg.norm


def oblique(r: np.random.Generator) -> tuple[Array, int]:
    """A projection that need not be orthogonal, and its rank."""
    rank = int(r.integers(1, 4))
    base = r.normal(size=(4, 4))
    return base @ np.diag([1.0] * rank + [0.0] * (4 - rank)) @ np.linalg.inv(base), rank


def full_rank(r: np.random.Generator) -> float:
    basis = frame(r, 6, 4)
    a, b = basis[:, :2] @ r.normal(size=(2, 2)), basis[:, 2:] @ r.normal(size=(2, 2))
    c, d = r.normal(size=2), r.normal(size=2)
    return gap(a @ np.linalg.solve(a.T @ a, a.T @ (a @ c + b @ d)), a @ c)


SUBSPACE: dict[str, Callable[[], Gap]] = {
    "sub-recover-01": lambda: spaces(lambda a, b, x, y: gap(a @ a.T @ (x + y), x)),
    "sub-recover-02": lambda: spaces(lambda a, b, x, y: gap(a @ (a.T @ (x + y)), x)),
    "sub-recover-03": lambda: gap((np.eye(3) - EA @ EA.T) @ VS, VA),
    "sub-recover-04": lambda: gap((EA @ EA.T + EB @ EB.T) @ VS, VA),
    "sub-recover-05": lambda: spaces(lambda a, b, x, y: gap(a @ np.linalg.inv(a.T @ a) @ a.T @ (x + y), x)),
    "sub-recover-06": lambda: gap(EA @ EB.T @ VS, VA),
    "sub-recover-07": lambda: gap((EA.T @ EA).shape, (3, 3)),
    "sub-recover-08": lambda: spaces(lambda a, b, x, y: gap((np.eye(len(x)) - a @ a.T) @ (x + y), y)),
    "sub-recover-09": lambda: spaces(lambda a, b, x, y: gap(a @ a.T @ y, 0 * y)),
    "sub-recover-10": lambda: gap(EA @ EA.T @ VA, 0 * VA),
    "sub-general-01": lambda: worst(full_rank),
    "sub-general-02": lambda: gap(4 * EA @ EA.T @ (2 * EA[:, 0] + EB[:, 0]), 2 * EA[:, 0]),
    "sub-general-03": lambda: gap(EA @ EA.T @ (EA + (EA + EB)), EA),
    "sub-identity-01": lambda: gap(EA @ EA.T, np.eye(3)),
    "sub-identity-02": lambda: gap(np.eye(3) - EA @ EA.T, EB @ EB.T),
    "sub-orth-01": lambda: spaces(lambda a, b, x, y: gap(b.T @ x, np.zeros(b.shape[1]))),
    "sub-orth-02": lambda: spaces(lambda a, b, x, y: gap(a @ a.T @ b @ b.T, np.zeros((len(x), len(x))))),
    "sub-idem-01": lambda: spaces(lambda a, b, x, y: gap(a @ a.T @ a @ a.T, a @ a.T)),
    "sub-norm-01": lambda: spaces(lambda a, b, x, y: gap(norm(x + y) ** 2, norm(x) ** 2 + norm(y) ** 2)),
    "sub-norm-02": lambda: gap(norm(VS), norm(VA) + norm(VB)),
    "sub-norm-03": lambda: spaces(lambda a, b, x, y: gap(norm(a.T @ (x + y)), norm(x))),
    "sub-norm-04": lambda: spaces(lambda a, b, x, y: excess(norm(a @ a.T @ np.ones(len(x))), norm(np.ones(len(x))))),
    "sub-norm-05": lambda: untrue(norm(EA @ EA.T @ VA) < norm(VA)),
    "sub-dot-01": lambda: spaces(lambda a, b, x, y: gap(x @ (x + y), norm(x) ** 2)),
    "sub-dot-02": lambda: gap(VA @ VS, norm(VS) ** 2),
    "sub-rank-01": lambda: spaces(lambda a, b, x, y: gap(np.linalg.matrix_rank(a @ a.T), a.shape[1])),
    "sub-trace-01": lambda: spaces(lambda a, b, x, y: gap(np.trace(a @ a.T), a.shape[1])),
    "sub-det-01": lambda: spaces(lambda a, b, x, y: gap(np.linalg.det(a.T @ a), 1)),
    "proj-eig-01": lambda: worst(
        lambda r: max(min(abs(z), abs(z - 1)) for z in np.linalg.eigvals(oblique(r)[0])),
    ),
    "proj-sym-01": lambda: gap(OBLIQUE.T, OBLIQUE) * agree(OBLIQUE @ OBLIQUE, OBLIQUE),
    "proj-trace-01": lambda: worst(lambda r: gap(np.trace((p := oblique(r))[0]), p[1])),
    "proj-complement-01": lambda: worst(
        lambda r: gap((q := np.eye(4) - oblique(r)[0]) @ q, q),
    ),
    "proj-complement-02": lambda: gap((np.eye(2) - OBLIQUE) @ (np.eye(2) - OBLIQUE), np.eye(2)),
    "proj-reflect-01": lambda: worst(lambda r: gap((q := np.eye(4) - 2 * oblique(r)[0]) @ q, np.eye(4))),
    "proj-det-01": lambda: abs(float(np.linalg.det(np.eye(2)))),
    "proj-line-01": lambda: worst(lambda r: gap((p := (u := frame(r, 4, 1)) @ u.T) @ p, p)),
    "proj-line-02": lambda: gap(np.diag([16, 0]), np.diag([4, 0])),
    "proj-residual-01": lambda: worst(
        lambda r: abs((x := r.normal(size=4)) @ (u := r.normal(size=4)) - (u @ x / norm(u) ** 2) * (u @ u))
    ),
    "proj-residual-02": lambda: abs(float((np.array([1, 0]) - 2 / 2 * np.array([2, 0])) @ np.array([2, 0]))),
}


# --- noisy keys ---


def length_noise(f: Callable[[Array, Array, Array, float], float], times: int = 20) -> float:
    """Worst of f(mu_a, mu_b, covariance of k_a, alpha) under length noise."""

    def draw(r: np.random.Generator) -> float:
        basis, alpha = frame(r, 4, 2), r.uniform(0.05, 1)
        a, b = basis.T
        return f(a, b, alpha * np.eye(4) + 0.5 * np.outer(a, a), alpha)

    return worst(draw, times)


UA, UB = np.eye(2)
SLIP = 0.3 * np.eye(2) + 0.5 * np.outer(UA, UA)
COV05 = 0.5 * np.eye(2) + 0.5 * np.outer(UA, UA)
ROOT2 = math.sqrt(0.5)


def noisy_pair(gamma: float, factor: float, n: int = 5) -> Array:
    """Weights when only the length of key 0 varies and the query pulls keys 0 and 1."""
    logits = np.zeros(n)
    logits[:2] = factor * (1 + gamma), factor
    return sm(logits)


def spread(factor: float) -> float:
    """Variance of sigma(C gamma) for gamma ~ N(0, 1/2)."""
    square = line(lambda x: float(sig(np.clip(factor * x, -700, 700))) ** 2, 0, ROOT2)
    return square - line(lambda x: float(sig(np.clip(factor * x, -700, 700))), 0, ROOT2) ** 2


def normal_law(mu: float, variance: float, claimed: tuple[float, float]) -> float:
    return max(abs(mu - claimed[0]), abs(variance - claimed[1]))


def logit_law(r: np.random.Generator) -> float:
    mu, q, s = r.normal(size=2), r.normal(size=2), r.uniform(0.2, 2)
    moments = mean(lambda x: x @ q, mu, s * s * np.eye(2)), var(lambda x: x @ q, mu, s * s * np.eye(2))
    return normal_law(*moments, (mu @ q, s * s * (q @ q)))


def mgf(r: np.random.Generator) -> float:
    mu, q, cov = r.normal(size=2), 0.4 * r.normal(size=2), 0.5 * spd(r, 2)
    return gap(mean(lambda x: np.exp(x @ q), mu, cov, 40), np.exp(mu @ q + 0.5 * q @ cov @ q))


def heads(first: Callable[[Array, float], Array], second: Callable[[Array, float], Array], factor: float) -> Array:
    """Weights of the two heads, one a row."""
    keys = np.eye(5)
    return np.array([attend(keys, first(keys, factor))[0], attend(keys, second(keys, factor))[0]])


def lead(s: float) -> float:
    """P(k_a.mu_a > k_b.mu_a) for independent logits N(1, s^2) and N(0, s^2), by integrating over that of a."""
    return line(lambda x: float(stats.norm.cdf(x / s)), 1, s)


TARGET = np.array([0.5, 0.5, 0, 0, 0])

NOISY: dict[str, Callable[[], Gap]] = {
    "noisy-mean-01": lambda: length_noise(lambda a, b, cov, s: gap(a @ (3 * (a + b)), 3)),
    "noisy-mean-02": lambda: gap(UA @ (UA + UB), 2),
    "noisy-var-01": lambda: length_noise(
        lambda a, b, cov, s: gap((q := 3 * (a + b)) @ (s * np.eye(4)) @ q, 2 * s * 9),
    ),
    "noisy-var-02": lambda: gap(0.3 * (UA + UB) @ (UA + UB), 0.3),
    "noisy-var-03": lambda: length_noise(lambda a, b, cov, s: gap(9 * a @ cov @ a, 9 * (s + 0.5))),
    "noisy-var-04": lambda: gap(UA @ SLIP @ UA, 0.3 + 0.25),
    "noisy-var-05": lambda: length_noise(lambda a, b, cov, s: gap(b @ cov @ b, s)),
    "noisy-var-06": lambda: gap(UA @ SLIP @ UA, 0.5),
    "noisy-cov-01": lambda: length_noise(lambda a, b, cov, s: gap(np.trace(cov), 4 * s + 0.5)),
    "noisy-cov-02": lambda: length_noise(lambda a, b, cov, s: gap(np.linalg.det(cov), s**4 * (1 + 1 / (2 * s)))),
    "noisy-cov-03": lambda: gap(np.linalg.det(COV05), 0.5**2 + 0.5),
    "noisy-cov-04": lambda: length_noise(
        lambda a, b, cov, s: gap(np.linalg.inv(cov), (np.eye(4) - np.outer(a, a) / (1 + 2 * s)) / s)
    ),
    "noisy-cov-05": lambda: gap(np.linalg.inv(COV05), 2 * np.eye(2) + 2 * np.outer(UA, UA)),
    "noisy-cov-06": lambda: length_noise(lambda a, b, cov, s: gap(np.linalg.eigvalsh(cov).max(), s + 0.5)),
    "noisy-length-01": lambda: gap(var(lambda g: 1 + g[0], [0], [[0.5]]), 0.5),
    "noisy-length-02": lambda: gap(mean(lambda g: (1 + g[0]) ** 2, [0], [[0.5]]), 1),
    "noisy-length-03": lambda: gap(mean(lambda g: (1 + g[0]) ** 2, [0], [[0.5]]), 1.5),
    "noisy-length-04": lambda: gap(2 * stats.norm.cdf(0.5 / ROOT2) - 1, 0.68),
    "noisy-length-05": lambda: excess(abs(2 * stats.norm.cdf(1) - 1 - 0.68), 0.01 * 0.68),
    "noisy-length-06": lambda: gap(stats.norm(0, ROOT2).cdf(-1), stats.norm.cdf(-math.sqrt(2))),
    "noisy-length-07": lambda: gap(stats.norm(0, ROOT2).cdf(-1), stats.norm.cdf(-2)),
    "noisy-length-08": lambda: float(var(lambda g: (1 + g[0]) * (UA @ UB), [0], [[0.5]])),
    "noisy-ratio-01": lambda: max(
        gap((w := noisy_pair(g, f))[0] / w[1], np.exp(f * g)) for g in (-0.7, 0.3) for f in (1, 3)
    ),
    "noisy-ratio-02": lambda: gap((w := noisy_pair(0.3, 1))[0] / w[1], np.exp(1.3)),
    "noisy-ratio-03": lambda: max(gap(noisy_pair(g, f, 2)[0], sig(f * g)) for g in (-0.7, 0.3) for f in (1, 3)),
    "noisy-limit-01": lambda: [gap(noisy_pair(0.4, f), onehot(0, 5)) for f in (1, 10, 100)],
    "noisy-limit-02": lambda: [gap(noisy_pair(-0.4, f), onehot(1, 5)) for f in (1, 10, 100)],
    "noisy-limit-03": lambda: gap(noisy_pair(0.4, 100), TARGET),
    "noisy-limit-04": lambda: [gap(line(lambda x, f=f: float(sig(f * x)), 0, ROOT2), 0.5) for f in (1, 10)],
    "noisy-limit-05": lambda: [gap(spread(f), 0.25) for f in (1.0, 100.0, 1000.0)],
    "noisy-limit-06": lambda: spread(100.0),
    "noisy-limit-07": lambda: [float(mean(lambda x: x @ x, np.zeros(2), s * np.eye(2))) for s in (1, 0.01, 1e-5)],
    "noisy-limit-09": lambda: gap(sm([200 * 1.1, 200 * 0.9, 0, 0, 0]), TARGET),
    "noisy-limit-10": lambda: [gap(spread(f) / f**2, 1 / 32) for f in (1.0, 0.3, 0.02)],
    "noisy-limit-11": lambda: gap(spread(0.02) / 0.02**2, 1 / 16),
    "noisy-limit-12": lambda: [float(var(lambda x: x @ UA, np.zeros(2), s * s * np.eye(2))) for s in (1, 0.1, 1e-3)],
    "noisy-heads-01": lambda: length_noise(lambda a, b, cov, s: abs(9 * a @ (s * np.eye(4)) @ b)),
    "noisy-heads-02": lambda: abs(0.3 * float(UA @ (UA + UB))),
    "noisy-heads-03": lambda: gap(spread(2.0), spread(2.0) / 2),
    "noisy-heads-04": lambda: each(lambda k, q, v, w, c: gap((c + attend(k, q, v)[1]) / 2, c)),
    "noisy-heads-05": lambda: [
        gap(heads(lambda k, f: f * k[1], lambda k, f: f * k[0], f).mean(axis=0), TARGET) for f in BIG
    ],
    "noisy-heads-06": lambda: gap(heads(lambda k, f: f * k[0], lambda k, f: f * k[1], 60).sum(axis=0), TARGET),
    "noisy-heads-07": lambda: gap(
        heads(lambda k, f: f * (k[0] + k[1]), lambda k, f: -f * (k[0] + k[1]), 60).mean(axis=0), TARGET
    ),
    "noisy-heads-08": lambda: [gap(heads(lambda k, f: f * k[0], lambda k, f: f * k[1], f), np.eye(5)[:2]) for f in BIG],
    "noisy-logit-01": lambda: worst(logit_law, 5),
    "noisy-logit-02": lambda: gap(var(lambda x: x @ [2, 0], np.zeros(2), np.eye(2)), 2),
    "noisy-logit-03": lambda: length_noise(lambda a, b, cov, s: gap(2 * s * norm(3 * (a + b)) ** 2, 4 * s * 9)),
    "noisy-logit-04": lambda: float(var(lambda x: x[0] - x[1], np.zeros(2), np.eye(2))),
    "noisy-logit-05": lambda: worst(mgf, 3),
    "noisy-logit-06": lambda: gap(mean(lambda x: np.exp(x[0]), [0], [[1]], 40), 1),
    "noisy-logit-07": lambda: gap(line(lambda x: float(sig(x)), 2, 2), sig(2)),
    "noisy-norm-01": lambda: max(
        gap(mean(lambda x: x @ x, onehot(0, d), 0.3 * np.eye(d), 4), 1 + 0.3 * d) for d in (1, 2, 3)
    ),
    "noisy-norm-02": lambda: gap(mean(lambda x: x @ x, onehot(0, 2), 0.3 * np.eye(2)), 1.3),
    "noisy-prob-01": lambda: max(gap(lead(s), stats.norm.cdf(1 / (s * math.sqrt(2)))) for s in (0.5, 1, 2)),
    "noisy-prob-02": lambda: gap(lead(1), stats.norm.cdf(1)),
}


# --- Gaussian vectors ---


def law(f: Callable[[np.random.Generator, Array, Array], float], times: int = 8) -> float:
    """Worst of f(generator, mean, covariance) over Gaussian laws in the plane."""
    return worst(lambda r: f(r, r.normal(size=2), spd(r, 2)), times)


def linear_map(r: np.random.Generator, mu: Array, cov: Array) -> float:
    a, b = r.normal(size=(3, 2)), r.normal(size=3)
    first = mean(lambda x: a @ x + b, mu, cov, 4)
    second = mean(lambda x: np.outer(a @ x + b, a @ x + b), mu, cov, 4) - np.outer(first, first)
    return max(gap(first, a @ mu + b), gap(second, a @ cov @ a.T))


def quadratic(r: np.random.Generator, mu: Array, cov: Array) -> float:
    a = (m := r.normal(size=(2, 2))) + m.T
    exact = 2 * np.trace(a @ cov @ a @ cov) + 4 * mu @ a @ cov @ a @ mu
    return gap(var(lambda x: x @ a @ x, mu, cov), exact) / (1 + exact)


def chi(power: int, d: int) -> float:
    """E |x|^power for x ~ N(0, I_d)."""
    return math.exp(power / 2 * math.log(2) + float(gammaln((d + power) / 2) - gammaln(d / 2)))


def table(r: np.random.Generator) -> tuple[Array, Array, Array]:
    """A joint distribution of two discrete variables, with their values."""
    return r.dirichlet(np.ones(12)).reshape(3, 4), r.normal(size=3), r.normal(size=4)


def moments(r: np.random.Generator) -> dict[str, float]:
    """First and second moments of a discrete pair, and its conditional ones."""
    p, x, y = table(r)
    px, py = p.sum(axis=1), p.sum(axis=0)
    ex, ey, exy = px @ x, py @ y, x @ p @ y
    cond = (x @ p) / py
    return {
        "ex": ex,
        "vx": px @ x**2 - ex**2,
        "vy": py @ y**2 - ey**2,
        "cov": exy - ex * ey,
        "minus": float(np.sum(p * np.subtract.outer(x, y) ** 2)) - (ex - ey) ** 2,
        "affine": px @ (3 * x + 1) ** 2 - (px @ (3 * x + 1)) ** 2,
        "tower": py @ cond,
        "within": py @ ((x**2 @ p) / py - cond**2),
        "between": py @ cond**2 - (py @ cond) ** 2,
    }


def discrete(f: Callable[[dict[str, float]], float]) -> float:
    return worst(lambda r: f(moments(r)))


def independent(r: np.random.Generator) -> float:
    px, py, x, y = simplex(r, 3), simplex(r, 4), r.normal(size=3), r.normal(size=4)
    return gap(x @ np.outer(px, py) @ y, (px @ x) * (py @ y))


def conditional(cov: Any, y: float) -> tuple[float, float]:
    """Mean and variance of x_1 given x_2 = y for a centred Gaussian pair, by integrating its density."""
    density = stats.multivariate_normal(np.zeros(2), cov).pdf
    grid = np.linspace(-14, 14, 4001)
    weights = density(np.column_stack([grid, np.full_like(grid, y)]))
    weights /= weights.sum()
    first = float(weights @ grid)
    return first, float(weights @ grid**2) - first**2


def pair_cov(rho: float) -> Array:
    return np.array([[1, rho], [rho, 1]])


def signal(tau: float, s: float) -> Array:
    """Covariance of (x, z) with z = x + noise."""
    return np.array([[tau**2, tau**2], [tau**2, tau**2 + s**2]])


def sample_moment(f: Callable[[Array], float], n: int = 3) -> float:
    return float(mean(f, np.full(n, 0.7), 1.3 * np.eye(n), 4))


def factorises(rho: float) -> float:
    """How far the joint density of a Gaussian pair is from the product of its margins."""
    grid = np.array(list(product(np.linspace(-2, 2, 9), repeat=2)))
    return gap(stats.multivariate_normal(np.zeros(2), pair_cov(rho)).pdf(grid), np.prod(stats.norm.pdf(grid), axis=1))


def quad_mean(r: np.random.Generator, mu: Array, cov: Array) -> float:
    a = r.normal(size=(2, 2))
    return gap(mean(lambda x: x @ a @ x, mu, cov), np.trace(a @ cov) + mu @ a @ mu)


def quad_var(a: Array) -> float:
    return float(var(lambda x: x @ a @ x, np.zeros(2), np.eye(2)))


NILPOTENT = np.array([[0.0, 1.0], [0.0, 0.0]])
SHEAR = np.array([[1.0, 1.0], [0.0, 1.0]])

GAUSSIAN: dict[str, Callable[[], Gap]] = {
    "gauss-linear-01": lambda: law(linear_map),
    "gauss-linear-02": lambda: gap(SHEAR @ SHEAR.T, SHEAR.T @ SHEAR),
    "gauss-linear-03": lambda: worst(lambda r: gap((q := frame(r, 3, 3)) @ q.T, np.eye(3))),
    "gauss-linear-04": lambda: gap(var(lambda x: 2 * x[0], [0], [[1]]), 2),
    "gauss-linear-05": lambda: worst(
        lambda r: gap(var(lambda x: x @ u, np.zeros(2), np.eye(2)), 1) if (u := frame(r, 2, 1)[:, 0]).any() else 1.0, 5
    ),
    "gauss-linear-06": lambda: gap(var(lambda x: x @ [2, 0], np.zeros(2), np.eye(2)), 2),
    "gauss-quad-01": lambda: law(quad_mean),
    "gauss-quad-02": lambda: gap(mean(lambda x: x @ x, [1, 0], np.eye(2)), 2),
    "gauss-quad-03": lambda: law(quadratic),
    "gauss-quad-04": lambda: gap(var(lambda x: x[0] ** 2, [1], [[1]]), 4),
    "gauss-quad-05": lambda: gap(var(lambda x: x @ NILPOTENT @ x, np.zeros(2), np.eye(2)), 0),
    "gauss-quad-06": lambda: worst(
        lambda r: gap(quad_var(a := (m := r.normal(size=(2, 2))) + m.T), 2 * np.trace(a @ a)), 8
    ),
    "gauss-quad-07": lambda: law(
        lambda r, mu, cov: gap(mean(lambda x: x @ np.linalg.inv(cov) @ x, np.zeros(2), cov), 2)
    ),
    "gauss-norm-01": lambda: max(gap(var(lambda x: x @ x, np.zeros(d), np.eye(d), 6), 2 * d) for d in (1, 2, 3)),
    "gauss-norm-02": lambda: gap(var(lambda x: x @ x, np.zeros(2), np.eye(2)), 2),
    "gauss-norm-03": lambda: gap(chi(1, 1), 1),
    "gauss-norm-04": lambda: max(excess(chi(1, d), math.sqrt(d)) for d in (1, 2, 5, 50)),
    "gauss-norm-05": lambda: max(
        gap(mean(lambda x: (x @ x) ** 2, np.zeros(d), np.eye(d), 6), d * d + 2 * d) for d in (1, 2, 3)
    ),
    "gauss-norm-06": lambda: gap(mean(lambda x: (x @ x) ** 2, np.zeros(2), np.eye(2)), 12),
    "gauss-norm-08": lambda: law(lambda r, mu, cov: gap(mean(lambda x: x @ x, mu, cov), np.trace(cov) + mu @ mu)),
    "gauss-moment-01": lambda: gap(mean(lambda x: x[0] ** 4, [0], [[2]]), 6),
    "gauss-moment-02": lambda: max(gap(mean(lambda x: x[0] ** 4, [0], [[s]]), 3 * s**2) for s in (0.5, 1, 2)),
    "gauss-moment-03": lambda: max(gap(line(abs, 0, s), s * math.sqrt(2 / math.pi)) for s in (0.5, 1, 3)),
    "gauss-moment-04": lambda: gap(line(abs, 0, 1), 1),
    "gauss-moment-05": lambda: max(
        gap(mean(lambda x: np.exp(x[0]), [m], [[s * s]], 40), np.exp(m + s * s / 2))
        for m in (-1, 0.5)
        for s in (0.5, 1)
    ),
    "gauss-moment-06": lambda: gap(mean(lambda x: np.exp(x[0]), [0], [[1]], 40), np.e),
    "gauss-second-01": lambda: law(
        lambda r, mu, cov: gap(mean(lambda x: np.outer(x, x), mu, cov), cov + np.outer(mu, mu))
    ),
    "gauss-second-02": lambda: gap(mean(lambda x: np.outer(x, x), [1, 0], np.eye(2)), np.eye(2)),
    "gauss-stein-01": lambda: gap(line(lambda x: x * float(sig(x))), line(lambda x: float(sig(x) * (1 - sig(x))))),
    "gauss-sigmoid-01": lambda: max(gap(line(lambda x: float(sig(x)), 0, s), 0.5) for s in (0.5, 1, 3)),
    "gauss-sigmoid-02": lambda: gap(line(lambda x: float(sig(x)), 2, 2), sig(2)),
    "gauss-inverse-01": lambda: gap((1 + 1 / 3) / 2, 1 / 2),
    "gauss-inverse-02": lambda: worst(
        lambda r: excess(1 / ((p := simplex(r)) @ (x := r.uniform(0.1, 5, 4))), p @ (1 / x))
    ),
    "gauss-product-01": lambda: gap((1 * 1 + (-1) * (-1)) / 2, 0),
    "gauss-product-02": lambda: worst(independent),
    "gauss-uncorrelated-01": lambda: (
        gap(mean(lambda x: x[0] ** 4, [0], [[1]]), mean(lambda x: x[0] ** 2, [0], [[1]]) ** 2)
        * (abs(mean(lambda x: x[0] ** 3, [0], [[1]])) < ROUNDING)
    ),
    "gauss-uncorrelated-02": lambda: factorises(0.0),
    "gauss-uncorrelated-03": lambda: max(factorises(0.0), untrue(factorises(0.3) > VISIBLE)),
    "gauss-uncorrelated-04": lambda: factorises(0.5) * (UA @ UB == 0),
    "gauss-var-01": lambda: gap(4.0, 2.0),
    "gauss-var-02": lambda: discrete(lambda m: gap(m["minus"], m["vx"] + m["vy"] - 2 * m["cov"])),
    "gauss-var-03": lambda: gap(var(lambda x: x[0] - x[1], np.zeros(2), np.eye(2)), 0),
    "gauss-var-04": lambda: discrete(lambda m: gap(m["affine"], 9 * m["vx"])),
    "gauss-var-05": lambda: gap(var(lambda x: 2 * x[0], [0], [[1]]), 2),
    "gauss-var-06": lambda: gap(var(lambda x: (x[0] + x[1]) / 2, np.zeros(2), 1.7 * np.eye(2)), 1.7 / 2),
    "gauss-var-07": lambda: gap(var(lambda x: (x[0] + x[1]) / 2, np.zeros(2), np.eye(2)), 1 / 4),
    "gauss-mean-01": lambda: gap(sample_moment(lambda x: x.mean() ** 2) - 0.7**2, 1.3 / 3),
    "gauss-mean-02": lambda: gap(sample_moment(lambda x: x.mean() ** 2) - 0.7**2, 1.3 / 9),
    "gauss-mean-03": lambda: gap(sample_moment(lambda x: x.mean() ** 2), 0.7**2),
    "gauss-mean-04": lambda: gap(sample_moment(lambda x: x.var()), 1.3),
    "gauss-mean-05": lambda: gap(sample_moment(lambda x: x.var(ddof=1)), 1.3),
    "gauss-cond-01": lambda: max(gap(conditional(pair_cov(c), y)[0], c * y) for c in (-0.5, 0.3) for y in (1, -2)),
    "gauss-cond-02": lambda: gap(conditional(pair_cov(0.5), 1)[0], 2),
    "gauss-cond-03": lambda: max(gap(conditional(pair_cov(c), y)[1], 1 - c**2) for c in (-0.5, 0.3) for y in (1, -2)),
    "gauss-cond-04": lambda: gap(conditional(pair_cov(0.5), 1)[1], 0.5),
    "gauss-cond-05": lambda: gap(conditional(signal(1, 1), 1.4)[0], 0.7),
    "gauss-cond-06": lambda: gap(conditional(signal(1, 1), 1.4)[1], 1),
    "gauss-cond-07": lambda: gap(conditional(signal(1.5, 0.8), 1.1)[0], 1.1 * 1.5**2 / (1.5**2 + 0.8**2)),
    "gauss-cond-08": lambda: gap(conditional(signal(1.5, 0.8), 1.1)[0], 1.1 * 0.8**2 / (1.5**2 + 0.8**2)),
    "gauss-tower-01": lambda: discrete(lambda m: gap(m["tower"], m["ex"])),
    "gauss-tower-02": lambda: discrete(lambda m: gap(m["vx"], m["within"] + m["between"])),
    "gauss-tower-03": lambda: discrete(lambda m: gap(m["vx"], m["within"])),
    "gauss-sum-02": lambda: normal_law(
        mean(lambda x: x[0] - x[1], np.zeros(2), np.eye(2)), var(lambda x: x[0] - x[1], np.zeros(2), np.eye(2)), (0, 2)
    ),
    "gauss-prob-01": lambda: gap(stats.norm(1, 2).cdf(1.7), stats.norm.cdf(0.7 / 2)),
    "gauss-prob-02": lambda: gap(stats.norm(1, 2).cdf(1.7), stats.norm.cdf(0.7 / 4)),
    "gauss-prob-03": lambda: excess(abs(2 * stats.norm.cdf(1.96) - 1 - 0.95), 0.0095),
    "gauss-max-01": lambda: gap(2 * line(lambda x: x * float(stats.norm.cdf(x))), 1 / math.sqrt(math.pi)),
    "gauss-max-02": lambda: gap(2 * line(lambda x: x * float(stats.norm.cdf(x))), 0),
    "gauss-literal-01": lambda: gap(var(lambda x: x[0] + x[1], np.zeros(2), pair_cov(0.5)), 3),
    "gauss-literal-02": lambda: gap(var(lambda x: x[0] - x[1], np.zeros(2), pair_cov(0.5)), 2),
    "gauss-literal-03": lambda: gap(conditional([[2, 1], [1, 2]], 1.3)[0], 0.65),
    "gauss-limit-01": lambda: [1.3 / n for n in (1, 100, 100_000)],
    "gauss-limit-02": lambda: [gap(chi(1, d) / math.sqrt(d), 1) for d in (1, 100, 10_000)],
    "gauss-limit-03": lambda: [2 * float(stats.norm.cdf(-t)) for t in (1, 3, 8)],
    "gauss-limit-04": lambda: [gap(1.44 / (1.44 + s * s) * 0.9, 0.9) for s in (1, 0.1, 1e-3)],
    "gauss-limit-05": lambda: gap(conditional(signal(1, 100), 1.0)[0], 1),
}


# --- networks ---


class Net:
    """A network with one hidden layer, on rows, with gradients by complex steps."""

    def __init__(self, r: np.random.Generator, sizes: tuple[int, int, int] = (3, 4, 2)) -> None:
        d, h, k = sizes
        self.parts = {
            "x": r.normal(size=(1, d)),
            "w1": r.normal(size=(d, h)),
            "b1": r.normal(size=(1, h)),
            "w2": r.normal(size=(h, k)),
            "b2": r.normal(size=(1, k)),
        }
        self.y = r.dirichlet(np.ones(k))[None, :]

    def hidden(self, parts: dict[str, Array]) -> Array:
        """Output of the hidden layer."""
        return sig(parts["x"] @ parts["w1"] + parts["b1"])

    def loss(self, parts: dict[str, Array]) -> Any:
        """Cross-entropy of the output."""
        return -np.sum(self.y * np.log(sm(self.hidden(parts) @ parts["w2"] + parts["b2"])))

    def by(self, name: str) -> Array:
        """Gradient of the loss by one of the parts, of the shape of that part."""
        return jac(lambda value: self.loss({**self.parts, name: value}), self.parts[name])

    def by_hidden(self) -> Array:
        """Gradient of the loss by the hidden layer's output."""
        p = self.parts
        return jac(lambda h: -np.sum(self.y * np.log(sm(h @ p["w2"] + p["b2"]))), self.h)

    @property
    def h(self) -> Array:
        """The hidden layer's output as it is."""
        return self.hidden(self.parts)

    @property
    def delta(self) -> Array:
        """Output minus target."""
        return sm(self.h @ self.parts["w2"] + self.parts["b2"]) - self.y

    @property
    def back(self) -> Array:
        """The error carried back to the hidden layer's input."""
        return (self.delta @ self.parts["w2"].T) * self.h * (1 - self.h)


def nets(f: Callable[[Net], float]) -> float:
    return worst(lambda r: f(Net(r)), 10)


def times(left: Array, right: Array) -> Array:
    """Matrix product, or an empty array if the shapes do not fit."""
    return left @ right if left.shape[-1] == right.shape[0] else np.empty(0)


def silent(net: Net) -> Net:
    net.parts["w2"] = np.zeros_like(net.parts["w2"])
    return net


def right(net: Net) -> Net:
    net.y = net.y + net.delta
    return net


ONE = Net(np.random.default_rng(5))
SQUARE = Net(np.random.default_rng(6), (3, 3, 3))


def squared(r: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    return r.normal(size=(2, 3)), r.normal(size=3), r.normal(size=2), r.normal(size=(3, 3))


def square_loss(w: Array, x: Array, y: Array) -> Any:
    return 0.5 * np.sum((sig(w @ x) - y) ** 2)


def sigmoid_square(full: bool) -> Draw:
    def draw(r: np.random.Generator) -> float:
        w, x, y, _ = squared(r)
        a = sig(w @ x)
        claimed = np.outer((a - y) * (a * (1 - a) if full else 1), x)
        return gap(jac(lambda t: square_loss(t, x, y), w), claimed)

    return draw


def linear_square(r: np.random.Generator) -> float:
    w, x, y, _ = squared(r)
    return gap(jac(lambda t: 0.5 * np.sum((t @ x - y) ** 2), w), np.outer(w @ x - y, x))


def linear_slip(r: np.random.Generator) -> float:
    w, x, y, _ = squared(r)
    return gap(jac(lambda t: 0.5 * np.sum((t @ x - y) ** 2), w), np.outer(x, w @ x - y))


def residual(factor: float) -> Draw:
    def draw(r: np.random.Generator) -> float:
        w, x, y, _ = squared(r)
        return gap(jac(lambda t: np.sum((w @ t - y) ** 2), x), factor * w.T @ (w @ x - y))

    return draw


def form(make: Callable[[Array], Array], claimed: Callable[[Array, Array], Array]) -> float:
    def draw(r: np.random.Generator) -> float:
        _, x, _, a = squared(r)
        a = make(a)
        return gap(jac(lambda t: t @ a @ t, x), claimed(a, x))

    return worst(draw, 10)


NETWORK: dict[str, Callable[[], Gap]] = {
    "net-x-01": lambda: nets(lambda n: gap(n.by("x"), n.back @ n.parts["w1"].T)),
    "net-x-02": lambda: gap(ONE.by("x"), ONE.delta @ ONE.parts["w2"].T @ ONE.parts["w1"].T),
    "net-x-03": lambda: nets(lambda n: gap(n.by("x"), n.back @ n.parts["w1"].T)),
    "net-x-04": lambda: min(gap(n.by("x"), times(n.parts["w1"], n.back)) for n in (ONE, SQUARE)),
    "net-w2-01": lambda: nets(lambda n: gap(n.by("w2"), n.h.T @ n.delta)),
    "net-w2-02": lambda: min(gap(n.by("w2"), n.delta.T @ n.h) for n in (ONE, SQUARE)),
    "net-b2-01": lambda: nets(lambda n: gap(n.by("b2"), n.delta)),
    "net-h-01": lambda: nets(lambda n: gap(n.by_hidden(), n.delta @ n.parts["w2"].T)),
    "net-h-02": lambda: min(gap(n.by_hidden(), times(n.delta, n.parts["w2"])) for n in (ONE, SQUARE)),
    "net-w1-01": lambda: nets(lambda n: gap(n.by("w1"), n.parts["x"].T @ n.back)),
    "net-w1-02": lambda: gap(
        ONE.by("w1"), ONE.parts["x"].T @ (ONE.delta @ ONE.parts["w2"].T * sig(ONE.h) * (1 - sig(ONE.h)))
    ),
    "net-b1-01": lambda: nets(lambda n: gap(n.by("b1"), n.back)),
    "net-b1-02": lambda: gap(ONE.by("b1"), ONE.delta @ ONE.parts["w2"].T * ONE.h),
    "net-hidden-01": lambda: worst(lambda r: gap(jac(sig, z := r.normal(size=4)), np.diag(sig(z) * (1 - sig(z))))),
    "net-hidden-02": lambda: untrue(sig(0) * (1 - sig(0)) < 1 / 4),
    "net-hidden-03": lambda: excess(sig(z := np.linspace(-9, 9, 1001)) * (1 - sig(z)), 1 / 4),
    "net-zero-01": lambda: nets(lambda n: gap(silent(n).by("x"), np.zeros((1, 3)))),
    "net-zero-02": lambda: gap((n := silent(Net(np.random.default_rng(5)))).by("w2"), np.zeros_like(n.parts["w2"])),
    "net-zero-03": lambda: nets(lambda n: gap(right(n).by("w1"), np.zeros((3, 4)))),
    "net-square-01": lambda: worst(sigmoid_square(True)),
    "net-square-02": lambda: sigmoid_square(False)(np.random.default_rng(1)),
    "net-linear-01": lambda: worst(linear_square),
    "net-linear-02": lambda: linear_slip(np.random.default_rng(1)),
    "net-linear-03": lambda: residual(1)(np.random.default_rng(1)),
    "net-linear-04": lambda: worst(residual(2)),
    "net-quad-01": lambda: gap(jac(lambda t: t @ NILPOTENT @ t, [1, 1]), 2 * NILPOTENT @ [1, 1]),
    "net-quad-02": lambda: form(lambda a: a + a.T, lambda a, x: 2 * a @ x),
    "net-quad-03": lambda: form(lambda a: a, lambda a, x: (a + a.T) @ x),
    "net-norm-01": lambda: worst(
        lambda r: gap(jac(lambda t: np.sqrt(np.sum(t**2)), x := r.normal(size=4)), x / norm(x))
    ),
    "net-norm-02": lambda: gap(jac(lambda t: np.sqrt(np.sum(t**2)), [3, 4]), [6, 8]),
}


# --- inequalities, limits, matrices ---


def vectors(f: Callable[[Array, Array], float]) -> float:
    return worst(lambda r: f(r.normal(size=4), r.normal(size=4)), 50)


def units(f: Callable[[Array, Array], float]) -> float:
    return vectors(lambda x, y: f(x / norm(x), y / norm(y)))


def turned(x: Array, y: Array) -> Array:
    """The part of y orthogonal to x."""
    return y - (x @ y) / (x @ x) * x


def symmetric_trace(r: np.random.Generator) -> float:
    a = (m := r.normal(size=(3, 3))) + m.T
    return excess(np.trace(a) ** 2, 3 * np.trace(a @ a))


E1, E2 = np.eye(2)

INEQUALITY: dict[str, Callable[[], Gap]] = {
    "cs-01": lambda: vectors(lambda x, y: excess(abs(x @ y), norm(x) * norm(y))),
    "cs-02": lambda: untrue(abs(E1 @ E1) < norm(E1) * norm(E1)),
    "cs-03": lambda: gap(E1, 2 * E1) * agree(E1 @ (2 * E1), norm(E1) * norm(2 * E1)),
    "cs-04": lambda: vectors(
        lambda x, y: untrue(abs(x @ y) < norm(x) * norm(y), agree(abs(-2 * y @ y), norm(-2 * y) * norm(y)))
    ),
    "triangle-01": lambda: vectors(lambda x, y: excess(norm(x + y), norm(x) + norm(y))),
    "triangle-02": lambda: vectors(lambda x, y: excess(abs(norm(x) - norm(y)), norm(x - y))),
    "triangle-03": lambda: excess(norm(E1 - E2), norm(E1) - norm(E2)),
    "expand-01": lambda: gap(norm(E1 + E1) ** 2, 1 + 1 + 1),
    "expand-02": lambda: vectors(
        lambda x, y: max(gap(norm(x + s * y) ** 2, x @ x + 2 * s * (x @ y) + y @ y) for s in (1, -1))
    ),
    "expand-03": lambda: vectors(
        lambda x, y: gap(norm(x + y) ** 2 + norm(x - y) ** 2, 2 * norm(x) ** 2 + 2 * norm(y) ** 2)
    ),
    "expand-04": lambda: gap(norm(E1 - E2) ** 2, 0),
    "perp-01": lambda: vectors(
        lambda x, y: untrue(agree(norm(x + turned(x, y)), norm(x - turned(x, y))), not agree(norm(x + y), norm(x - y)))
    ),
    "perp-02": lambda: gap(norm(E1 + E2), 2),
    "norms-01": lambda: vectors(lambda x, y: excess(norm(x, 1), 2 * norm(x))),
    "norms-02": lambda: excess(2, norm([1, 1])),
    "norms-03": lambda: vectors(lambda x, y: excess(norm(x, np.inf), norm(x)) + excess(norm(x), norm(x, 1))),
    "norms-04": lambda: worst(
        lambda r: excess(norm((a := r.normal(size=(3, 4))) @ (x := r.normal(size=4))), norm(a) * norm(x))
    ),
    "norms-05": lambda: gap(norm(np.eye(2)), 2),
    "square-sum-01": lambda: vectors(lambda x, y: excess(x.sum() ** 2, 4 * x @ x)),
    "square-sum-02": lambda: excess(4, 2),
    "young-01": lambda: vectors(lambda x, y: excess(x @ y, (x @ x + y @ y) / 2)),
    "young-02": lambda: untrue(E1 @ E1 < (1 + 1) / 2),
    "unit-01": lambda: units(lambda x, y: excess(abs(x @ y), 1)),
    "unit-02": lambda: excess(0, E1 @ -E1),
    "unit-03": lambda: units(lambda x, y: gap(norm(x - y) ** 2, 2 - 2 * x @ y)),
    "unit-04": lambda: gap(norm(E1 + E1), math.sqrt(2)),
    "trace-cs-01": lambda: worst(symmetric_trace),
    "trace-cs-02": lambda: excess(4, 2 * np.trace((a := np.array([[1, 2], [-2, 1]])) @ a)),
    "exp-01": lambda: excess(1 + (x := np.linspace(-5, 5, 101)), np.exp(x)),
    "exp-02": lambda: untrue(math.exp(0) > 1),
    "log-01": lambda: excess(np.log(x := np.linspace(0.01, 5, 500)), x - 1),
    "root-01": lambda: gap(math.sqrt(2), 2),
    "jensen-01": lambda: worst(lambda r: excess((p := simplex(r)) @ np.log(x := r.uniform(0.1, 5, 4)), np.log(p @ x))),
    "cosh-01": lambda: excess(np.cosh(x := np.linspace(-6, 6, 301)) * np.exp(-(x**2) / 2), 1),
}


def soft(x: Any, t: float) -> float:
    return float(t * lse(np.asarray(x) / t))


def power_norm(x: Array, p: float) -> float:
    return float(np.max(np.abs(x)) * np.sum((np.abs(x) / np.max(np.abs(x))) ** p) ** (1 / p))


M3 = np.random.default_rng(8).normal(size=(3, 3))
TALL, Y5 = np.random.default_rng(9).normal(size=(5, 2)), np.random.default_rng(10).normal(size=5)
V3 = np.array([1.0, -2.0, 0.5])

LIMIT: dict[str, Callable[[], Gap]] = {
    "lim-cold-01": lambda: [gap(sm(X3 / t), onehot(2, 3)) for t in (1, 0.1, 0.01)],
    "lim-hot-01": lambda: [gap(sm(X3 / t), np.full(3, 1 / 3)) for t in (1, 100, 1e6)],
    "lim-zero-01": lambda: gap(sm(1e-9 * X3), onehot(2, 3)),
    "lim-tie-01": lambda: gap(sm([1e6, 1e6])[0], 1),
    "lim-max-01": lambda: [gap(soft(X3, t), X3.max()) for t in (1, 0.1, 1e-3)],
    "lim-max-02": lambda: [gap(soft(X3, 1 / b), X3.max()) for b in (1, 10, 1e3)],
    "lim-mean-01": lambda: gap(soft(X3, 1e3), X3.mean()),
    "lim-mean-02": lambda: [gap(t * (lse(X3 / t) - np.log(3)), X3.mean()) for t in (1, 100, 1e4)],
    "lim-sigmoid-01": lambda: [gap(sig(x), 0.5) for x in (1, 0.1, 1e-6)],
    "lim-sigmoid-02": lambda: gap(sig(-500.0), 0.5),
    "lim-sigmoid-03": lambda: [gap((sig(x) - 0.5) / x, 0.25) for x in (1, 0.1, 1e-4)],
    "lim-sigmoid-04": lambda: gap((sig(1e-4) - 0.5) / 1e-4, 0.5),
    "lim-sigmoid-05": lambda: [gap(sig(x), 1) for x in (1, 5, 30)],
    "lim-sigmoid-06": lambda: [gap(np.exp(-x) * sig(x), 1) for x in (-1.0, -5.0, -30.0)],
    "lim-finite-01": lambda: [gap(sm(f * X3), P3) for f in (1.5, 1.01, 1.000001)],
    "lim-finite-02": lambda: gap(sm(2.000001 * X3), P3),
    "lim-weight-01": lambda: [gap(np.exp(f) / (np.exp(f) + 4), 1 / 5) for f in (1, 0.1, 1e-5)],
    "lim-weight-02": lambda: gap(np.exp(50) / (np.exp(50) + 4), 1 / 2),
    "lim-entropy-01": lambda: [gap(ent(sm(X3 / t)), np.log(3)) for t in (1, 10, 1e4)],
    "lim-entropy-02": lambda: gap(ent(sm(X3 / 0.01)), np.log(3)),
    "lim-entropy-03": lambda: [ent(sm(b * X3)) for b in (1, 10, 100)],
    "lim-entropy-04": lambda: ent(sm(1e6 * np.zeros(3))),
    "lim-difference-01": lambda: [gap((sm(X3 + e * V3) - P3) / e, J3 @ V3) for e in (0.1, 1e-3, 1e-5)],
    "lim-exp-01": lambda: [gap((1 + 1.3 / n) ** n, math.exp(1.3)) for n in (1, 100, 1e6)],
    "lim-many-01": lambda: [np.exp(2) / (np.exp(2) + n - 1) for n in (2, 1e3, 1e7)],
    "lim-many-02": lambda: gap(1e7 * np.exp(2) / (np.exp(2) + 1e7 - 1), 1),
    "lim-softplus-01": lambda: [gap(np.log(1 + np.exp(x)) - x, 0) for x in (1, 5, 30)],
    "lim-softplus-02": lambda: gap(np.log(1 + np.exp(-30.0)) + 30, 0),
    "lim-continuous-01": lambda: [gap(sm(X3 + e * V3), P3) for e in (1, 0.01, 1e-6)],
    "lim-tanh-01": lambda: [gap(np.tanh(x), 1) for x in (1, 3, 20)],
    "lim-pnorm-01": lambda: [gap(power_norm(V3, p), 2) for p in (1, 4, 100)],
    "lim-hot-02": lambda: [gap(sm(b * X3), np.full(3, 1 / 3)) for b in (1, 0.01, 1e-6)],
    "lim-ridge-01": lambda: [
        gap(np.linalg.solve(TALL.T @ TALL + s * np.eye(2), TALL.T @ Y5), np.linalg.lstsq(TALL, Y5)[0])
        for s in (1, 0.01, 1e-6)
    ],
    "lim-det-01": lambda: [gap((np.linalg.det(np.eye(3) + e * M3) - 1) / e, np.trace(M3)) for e in (0.1, 1e-3, 1e-6)],
    "lim-det-02": lambda: gap((np.linalg.det(np.eye(3) + 1e-6 * M3) - 1) / 1e-6, np.linalg.det(M3)),
    "lim-power-01": lambda: [norm(np.linalg.matrix_power(0.9 * M3 / norm(M3, 2), k), 2) for k in (1, 10, 200)],
    "lim-power-02": lambda: float(norm(np.linalg.matrix_power(np.diag([2, 0.1]), 20))),
}


def squares(f: Callable[[Array, Array], float]) -> float:
    return worst(lambda r: f(r.normal(size=(3, 3)), r.normal(size=(3, 3))))


I2 = np.eye(2)
COUNT = np.array([[1, 2], [3, 4]])
det, matrix_rank = np.linalg.det, np.linalg.matrix_rank

MATRIX: dict[str, Callable[[], Gap]] = {
    "trace-01": lambda: squares(lambda a, b: gap(np.trace(a @ b), np.trace(b @ a))),
    "trace-02": lambda: gap(np.trace(I2 @ I2), np.trace(I2) ** 2),
    "trace-03": lambda: vectors(lambda x, y: gap(np.trace(np.outer(x, y)), x @ y)),
    "trace-04": lambda: gap(norm(NILPOTENT) ** 2, np.trace(NILPOTENT @ NILPOTENT)),
    "det-01": lambda: squares(lambda a, b: gap(det(1.7 * a), 1.7**3 * det(a))),
    "det-02": lambda: gap(det(2 * I2), 2 * det(I2)),
    "det-03": lambda: vectors(lambda x, y: gap(det(np.eye(4) + np.outer(x, y)), 1 + x @ y)),
    "det-04": lambda: gap(det(I2 + I2), det(I2) + det(I2)),
    "transpose-01": lambda: gap((NILPOTENT @ np.diag([1, 0])).T, NILPOTENT.T @ np.diag([1, 0]).T),
    "transpose-02": lambda: squares(lambda a, b: gap(b[0] @ a @ b[1], b[1] @ a.T @ b[0])),
    "transpose-03": lambda: gap(E1 @ NILPOTENT @ E2, E2 @ NILPOTENT @ E1),
    "inverse-01": lambda: gap(np.linalg.inv(SHEAR @ COUNT), np.linalg.inv(SHEAR) @ np.linalg.inv(COUNT)),
    "rank-01": lambda: vectors(lambda x, y: gap(matrix_rank(np.outer(x, y)), 1)),
    "rank-02": lambda: gap(matrix_rank(np.outer(E1, E1) + np.outer(E2, E2)), 1),
    "rank-03": lambda: worst(
        lambda r: gap(matrix_rank((a := r.normal(size=(5, 2)) @ r.normal(size=(2, 4))).T @ a), matrix_rank(a))
    ),
    "rank-04": lambda: gap(matrix_rank(I2 - I2), 4),
    "eig-01": lambda: worst(lambda r: excess(-1e-12, np.linalg.eigvalsh((a := r.normal(size=(2, 3))).T @ a).min())),
    "eig-02": lambda: untrue(np.linalg.eigvalsh(np.zeros((2, 2))).min() > 0),
    "eig-03": lambda: gap(np.linalg.eigvalsh([[2, 1], [1, 2]]), [1, 3]),
    "orth-01": lambda: worst(lambda r: gap(norm(frame(r, 5, 3) @ (x := r.normal(size=3))), norm(x))),
    "orth-02": lambda: gap(det(np.diag([1, -1])), 1),
    "literal-det-01": lambda: gap(det(COUNT), 2),
    "literal-product-01": lambda: gap(COUNT @ [1, 1], [3, 7]),
    "literal-rank-01": lambda: gap(matrix_rank([[1, 2], [2, 4]]), 1),
    "literal-trace-01": lambda: gap(np.trace(COUNT), 4),
}

CASES: dict[str, Callable[[], Gap]] = {
    **SOFTMAX,
    **DERIVATIVES,
    **CROSS,
    **PERPLEXITY,
    **ATTENTION,
    **SUBSPACE,
    **NOISY,
    **GAUSSIAN,
    **NETWORK,
    **INEQUALITY,
    **LIMIT,
    **MATRIX,
}


def supports(label: str, found: Gap) -> bool:
    """Whether the numbers agree with the label."""
    if isinstance(found, list):
        return label == "holds-in-limit" and found[-1] < 5 * VISIBLE and found[-1] <= found[0]
    return found < ROUNDING if label == "holds" else label == "fails" and found > VISIBLE


def main() -> int:
    """Compare every label with its numbers; the exit code says whether all agree."""
    with Path(__file__).with_name("opened.toml").open("rb") as file:
        labels = {claim["id"]: claim["label"] for claim in tomllib.load(file)["claim"]}
    unknown = sorted(CASES.keys() - labels.keys())
    wrong = []
    for name, case in CASES.items():
        if name in labels and not supports(labels[name], found := case()):
            wrong.append(f"{name}: {labels[name]}, but the numbers are {found}")
    without = [name for name in labels if name not in CASES]
    print("\n".join(wrong + [f"{name}: no such claim" for name in unknown]))
    print(f"{len(labels)} claims, {len(CASES)} with numbers, {len(CASES) - len(wrong) - len(unknown)} agree")
    print(f"without numbers: {', '.join(without)}")
    return int(bool(wrong or unknown))


if __name__ == "__main__":
    sys.exit(main())
