"""What claims about attention really are: plain NumPy, nothing of regard in it.

Each claim is a function of a world, one random instance. It gives the two sides of an equation, or for an inequality
whether it is true. `verdict` works out from it what a claim deserves: an equation must be true of every instance, an
approximation may also become true as C → ∞ and α → 0 (ε → 0).
"""

import math
from types import SimpleNamespace

import numpy as np

FAR = 1e6
NODES = 100_001


class Misfit(Exception):
    """Shapes that do not fit."""


def softmax(s):
    powers = np.exp(s - s.real.max())
    return powers / powers.sum()


def orthonormal(rng, n, d):
    return np.linalg.qr(rng.standard_normal((d, n)))[0].T


def world(rng, setting, *, C=None, alpha=None, eps=None, special=False):
    """One instance: rows of k, v, mu are keys, values, means; a and b are two of them, i and j any."""
    n = int(rng.integers(2, 6))
    d = n + int(rng.integers(0, 3))
    w = SimpleNamespace(n=n, d=d, rng=rng)
    w.C = float(rng.uniform(0.2, 4)) if C is None else C
    w.B = float(rng.uniform(0.2, 4)) if C is None else 1.7 * C
    w.alpha = float(rng.uniform(0.1, 2)) if alpha is None else alpha
    w.eps = float(rng.uniform(0.2, 3)) if eps is None else eps
    w.a, w.b = (int(one) for one in rng.permutation(n)[:2])
    w.i, w.j = (int(one) for one in rng.integers(0, n, 2))
    w.v = rng.standard_normal((n, d))
    w.q = rng.standard_normal(d)
    w.mu = orthonormal(rng, n, d)
    w.k = rng.standard_normal((n, d)) * (0 if special else 1)
    if setting == "orthonormal-keys":
        w.k = w.mu
    if setting not in ("attention", "orthonormal-keys"):
        w.g = float(rng.standard_normal()) if "magnitude" in setting else 0.0
        w.xi = rng.standard_normal((n, d))
        w.k = w.mu + math.sqrt(w.alpha) * w.xi
        w.k[w.a] += math.sqrt(0.5) * w.g * w.mu[w.a]
    w.sigma = [w.alpha * np.eye(d) for _ in range(n)]
    if "magnitude" in setting:
        w.sigma[w.a] = w.sigma[w.a] + 0.5 * np.outer(w.mu[w.a], w.mu[w.a])
    w.rest = [i for i in range(n) if i not in (w.a, w.b)]
    return w


def attend(w, q):
    weights = softmax(w.k @ q)
    return weights, weights @ w.v


def half(w):
    return (w.v[w.a] + w.v[w.b]) / 2


def goal(query):
    """c ≈ ½(v_a + v_b) for a query."""
    return lambda w: (attend(w, query(w))[1], half(w))


def heads(first, second):
    """c ≈ ½(v_a + v_b) for the average of two heads."""
    return lambda w: ((attend(w, first(w))[1] + attend(w, second(w))[1]) / 2, half(w))


def pull(w):
    return w.C * (w.mu[w.a] + w.mu[w.b])


def push(w):
    return -w.C * sum((w.mu[i] for i in w.rest), np.zeros(w.d))


def logistic_normal(shift, sd):
    """Mean and variance of 1/(1 + e^{-(shift + sd z)}), z ~ N(0, 1), by the trapezoid rule on a fine grid."""
    z = np.linspace(-12, 12, NODES)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) * (z[1] - z[0])
    weight = 1 / (1 + np.exp(-np.clip(shift + sd * z, -700, 700)))
    mean = float(weight @ density)
    return mean, float(((weight - mean) ** 2) @ density)


def noisy_a(w):
    """Moments of α_a for the pull query when only the length of k_a varies (α = 0)."""
    shift = -np.logaddexp(0, math.log(w.n - 2) - w.C) if w.n > 2 else 0.0
    return logistic_normal(shift, w.C * math.sqrt(0.5))


def output_moments(w):
    """E c and Cov c for the pull query at α = 0: c moves on the segment from r to v_a."""
    mean, variance = noisy_a(w)
    others = [i for i in range(w.n) if i != w.a]
    share = softmax(np.array([w.C if i == w.b else 0.0 for i in others]))
    r = share @ w.v[others]
    return r + mean * (w.v[w.a] - r), variance * np.outer(w.v[w.a] - r, w.v[w.a] - r)


def slope(f, x):
    """By complex steps, good to rounding: rows for f, columns for x."""
    columns = []
    for place in range(len(x)):
        moved = x.astype(complex)
        moved[place] += 1e-30j
        columns.append(np.imag(np.atleast_1d(f(moved))) / 1e-30)
    return np.stack(columns, axis=-1)


def gap(left, right):
    left, right = np.broadcast_arrays(np.asarray(left, float), np.asarray(right, float))
    size = max(np.abs(left).max(), np.abs(right).max())
    if not left.any() or not right.any():
        size = 1.0
    return float(np.abs(left - right).max() / size)


def verdict(claim, setting, *, is_approximate, tolerance=1e-8, n_worlds=80):
    """holds, holds-in-limit, fails or ill-formed."""
    rng = np.random.default_rng(5)
    try:
        worlds = [world(rng, setting, special=place % 10 == 9) for place in range(n_worlds)]
        if all(_is_true(claim(w), tolerance) for w in worlds):
            return "holds"
    except Misfit:
        return "ill-formed"
    if not is_approximate:
        return "fails"
    if all(gap(*claim(w)) <= 0.01 for w in worlds):
        return "holds"
    # α and ε first, then C: with C²α → 0, or the noise is never small
    far = [world(rng, setting, C=FAR, alpha=1e-30, eps=1e-6) for _ in range(n_worlds)]
    return "holds-in-limit" if all(gap(*claim(w)) <= 1e-3 for w in far) else "fails"


def _is_true(found, tolerance):
    return found if isinstance(found, bool | np.bool_) else gap(*found) <= tolerance
