"""What each claim about attention in the collection really is, under the name that it has there.

"=" must be true of every instance; "~" is an approximation, which may also become true in the limit. None marks a claim
that is verified by samples (`attention_samples`), or that cannot be read at all.
"""

import math

import numpy as np

from tests.support.attention_claims import (
    Misfit,
    attend,
    goal,
    half,
    heads,
    logistic_normal,
    noisy_a,
    output_moments,
    pull,
    push,
    slope,
    softmax,
)


def misfit(w):
    raise Misfit


def weight_slope(w, i, j, claimed):
    """∂α_i/∂s_j by differences, and what is claimed of it."""
    logits = w.k @ w.q
    return slope(softmax, logits)[i, j], claimed(softmax(logits))


def log_normal(w, factor):
    """E exp(k_aᵀq) by quadrature over the logit, and exp(μ_aᵀq + factor · |q|²); as logarithms."""
    q = w.q / np.linalg.norm(w.q)  # whatever the length
    z, weight = np.polynomial.hermite_e.hermegauss(80)
    mean = (np.exp(math.sqrt(w.alpha) * z) @ weight) / math.sqrt(2 * math.pi)
    return math.log(mean) + w.mu[w.a] @ q, w.mu[w.a] @ q + factor * q @ q


def half_heads(w):
    return attend(w, w.q)[1] / 2 + attend(w, -w.q)[1] / 2


ORACLES = {
    "attention": {
        "sum-one": ("=", lambda w: (attend(w, w.q)[0].sum(), 1)),
        "positive": ("=", lambda w: bool((attend(w, w.q)[0] > 0).all())),
        "below-one": ("=", lambda w: bool((attend(w, w.q)[0] < 1).all())),
        "below-half": ("=", lambda w: bool((attend(w, w.q)[0] < 0.5).all())),
        "definition": (
            "=",
            lambda w: (attend(w, w.q)[0][w.a], math.exp(w.k[w.a] @ w.q) / sum(math.exp(k @ w.q) for k in w.k)),
        ),
        "no-denominator": ("=", lambda w: (attend(w, w.q)[0][w.a], math.exp(w.k[w.a] @ w.q))),
        "odds": (
            "=",
            lambda w: (attend(w, w.q)[0][w.a] / attend(w, w.q)[0][w.b], math.exp((w.k[w.a] - w.k[w.b]) @ w.q)),
        ),
        "odds-upside-down": (
            "=",
            lambda w: (attend(w, w.q)[0][w.a] / attend(w, w.q)[0][w.b], math.exp((w.k[w.b] - w.k[w.a]) @ w.q)),
        ),
        "log-odds": (
            "=",
            lambda w: (
                math.log(attend(w, w.q)[0][w.a]) - math.log(attend(w, w.q)[0][w.b]),
                (w.k[w.a] - w.k[w.b]) @ w.q,
            ),
        ),
        "matrix-output": ("=", lambda w: (attend(w, w.q)[1], w.v.T @ attend(w, w.q)[0])),
        "matrix-output-untransposed": ("=", misfit),
        "matrix-weights": ("=", lambda w: (attend(w, w.q)[0], softmax(np.array([k @ w.q for k in w.k])))),
        "matrix-weights-reversed": ("=", misfit),
        "matrix-weights-row": ("=", lambda w: (attend(w, w.q)[0], softmax(np.array([k @ w.q for k in w.k])))),
        "product-without-transpose": ("=", misfit),
        "dotted": ("=", lambda w: ((w.k @ w.q)[w.a], sum(x * y for x, y in zip(w.k[w.a], w.q, strict=True)))),
        "number-plus-vector": ("=", misfit),
        "shift": ("=", lambda w: (attend(w, w.q)[0], softmax(w.k @ w.q + 5))),
        "temperature": ("=", lambda w: (attend(w, w.q)[0], softmax(2 * w.k @ w.q))),
        "plain-mean": ("=", lambda w: (attend(w, w.q)[1], w.v.mean(axis=0))),
        "no-query": ("=", lambda w: (attend(w, 0 * w.q)[1], w.v.mean(axis=0))),
        "copy-unscaled": ("~", lambda w: (attend(w, w.k[w.a])[1], w.v[w.a])),
        "copy-scaled": ("~", lambda w: (attend(w, w.C * w.k[w.a])[1], w.v[w.a])),
        "copy-weight": ("~", lambda w: (attend(w, w.C * w.k[w.a])[0][w.a], 1)),
        "own-key-first": ("=", lambda w: bool(attend(w, w.k[w.a])[0][w.a] >= attend(w, w.k[w.a])[0][w.b] - 1e-12)),
        "norm-bound": (
            "=",
            lambda w: bool(
                np.linalg.norm(attend(w, w.q)[1]) <= attend(w, w.q)[0] @ np.linalg.norm(w.v, axis=1) + 1e-12
            ),
        ),
        "square-bound": (
            "=",
            lambda w: bool(attend(w, w.q)[1] @ attend(w, w.q)[1] <= attend(w, w.q)[0] @ (w.v**2).sum(axis=1) + 1e-12),
        ),
        "square-of-sum": (
            "=",
            lambda w: (attend(w, w.q)[1] @ attend(w, w.q)[1], attend(w, w.q)[0] ** 2 @ (w.v**2).sum(axis=1)),
        ),
        "double-sum": (
            "=",
            lambda w: (attend(w, w.q)[1] @ attend(w, w.q)[1], attend(w, w.q)[0] @ (w.v @ w.v.T) @ attend(w, w.q)[0]),
        ),
        "error": (
            "=",
            lambda w: (
                attend(w, w.q)[1] - w.v[w.a],
                sum(attend(w, w.q)[0][i] * (w.v[i] - w.v[w.a]) for i in range(w.n) if i != w.a),
            ),
        ),
        "rest": (
            "=",
            lambda w: (1 - attend(w, w.q)[0][w.a], sum(attend(w, w.q)[0][i] for i in range(w.n) if i != w.a)),
        ),
        "rest-without-b": ("=", lambda w: (1 - attend(w, w.q)[0][w.a], sum(attend(w, w.q)[0][i] for i in w.rest))),
        "slope-own": ("=", lambda w: weight_slope(w, w.a, w.a, lambda p: p[w.a] * (1 - p[w.a]))),
        "slope-other": ("=", lambda w: weight_slope(w, w.a, w.b, lambda p: -p[w.a] * p[w.b])),
        "slope-other-sign": ("=", lambda w: weight_slope(w, w.a, w.b, lambda p: p[w.a] * p[w.b])),
        "slope-any": ("=", lambda w: weight_slope(w, w.i, w.j, lambda p: -p[w.i] * p[w.j])),
        "slope-any-apart": ("=", lambda w: weight_slope(w, w.a, w.b, lambda p: -p[w.a] * p[w.b])),
        "slope-jacobian": (
            "=",
            lambda w: (
                slope(softmax, w.k @ w.q),
                np.diag(softmax(w.k @ w.q)) - np.outer(softmax(w.k @ w.q), softmax(w.k @ w.q)),
            ),
        ),
        "slope-output": (
            "=",
            lambda w: (
                slope(lambda s: softmax(s) @ w.v, w.k @ w.q)[:, w.a],
                attend(w, w.q)[0][w.a] * (w.v[w.a] - attend(w, w.q)[1]),
            ),
        ),
        "slope-value": (
            "=",
            lambda w: (
                slope(lambda v: attend(w, w.q)[0] @ np.where(np.arange(w.n)[:, None] == w.a, v, w.v), w.v[w.a]),
                attend(w, w.q)[0][w.a] * np.eye(w.d),
            ),
        ),
        "slope-log": (
            "=",
            lambda w: (slope(lambda q: np.log(attend(w, q)[0][w.a]), w.q)[0], w.k[w.a] - attend(w, w.q)[0] @ w.k),
        ),
        "slope-query": (
            "=",
            lambda w: (
                slope(lambda q: attend(w, q)[1], w.q),
                sum(attend(w, w.q)[0][i] * np.outer(w.v[i] - attend(w, w.q)[1], w.k[i]) for i in range(w.n)),
            ),
        ),
        "slope-query-transposed": (
            "=",
            lambda w: (
                slope(lambda q: attend(w, q)[1], w.q),
                sum(attend(w, w.q)[0][i] * np.outer(w.k[i], w.v[i] - attend(w, w.q)[1]) for i in range(w.n)),
            ),
        ),
        "two-keys": ("=", lambda w: (attend(w, w.q)[0][w.a], 1 / (1 + math.exp((w.k[w.b] - w.k[w.a]) @ w.q)))),
        "two-keys-said": (
            "=",
            lambda w: (softmax((w.k @ w.q)[[w.a, w.b]])[0], 1 / (1 + math.exp((w.k[w.b] - w.k[w.a]) @ w.q))),
        ),
        "gaps-only": (
            "=",
            lambda w: (
                attend(w, w.q)[0][w.a],
                1 / (1 + sum(math.exp((w.k[i] - w.k[w.a]) @ w.q) for i in range(w.n) if i != w.a)),
            ),
        ),
        "largest": ("=", lambda w: bool(attend(w, w.q)[0].max() >= 1 / w.n - 1e-12)),
        "entropy": ("=", lambda w: bool(-(attend(w, w.q)[0] @ np.log(attend(w, w.q)[0])) <= math.log(w.n) + 1e-12)),
        "unknown-letter": None,
        "half-written": None,
    },
    "orthonormal-keys": {
        "orthogonal": ("=", lambda w: (w.k[w.a] @ w.k[w.b] + 1, 1)),
        "orthogonal-any": ("=", lambda w: (w.k[w.i] @ w.k[w.j] + 1, 1)),
        "orthogonal-apart": ("=", lambda w: (w.k[w.a] @ w.k[w.b] + 1, 1)),
        "unit": ("=", lambda w: (np.linalg.norm(w.k[w.i]), 1)),
        "rows": ("=", lambda w: (w.k @ w.k.T, np.eye(w.n))),
        "columns": ("=", lambda w: (w.k.T @ w.k, np.eye(w.d))),
        "pull": ("~", goal(pull)),
        "pull-apart": ("~", goal(pull)),
        "pull-greek": ("~", goal(pull)),
        "pull-unscaled": ("~", goal(lambda w: w.k[w.a] + w.k[w.b])),
        "pull-mean": ("~", goal(lambda w: (w.k[w.a] + w.k[w.b]) / 2)),
        "pull-unit": ("~", goal(lambda w: pull(w) / math.sqrt(2))),
        "pull-log": ("~", goal(lambda w: math.log(w.C) * (w.k[w.a] + w.k[w.b]))),
        "pull-small": ("~", goal(lambda w: (w.k[w.a] + w.k[w.b]) / w.eps)),
        "pull-difference": ("~", goal(lambda w: w.C * (w.k[w.a] - w.k[w.b]))),
        "pull-one": ("~", goal(lambda w: w.C * w.k[w.a])),
        "pull-unequal": ("~", goal(lambda w: w.C * w.k[w.a] + w.B * w.k[w.b])),
        "pull-nearly": ("~", goal(lambda w: pull(w) + w.k[w.a])),
        "pull-hundred": ("~", goal(lambda w: 100 * (w.k[w.a] + w.k[w.b]))),
        "pull-two": ("~", goal(lambda w: 2 * (w.k[w.a] + w.k[w.b]))),
        "pull-transposed": ("~", misfit),
        "pull-value": ("~", goal(lambda w: w.C * (w.v[w.a] + w.v[w.b]))),
        "push": ("~", goal(push)),
        "pull-exact": ("=", goal(pull)),
        "copy": ("~", lambda w: (attend(w, w.C * w.k[w.a])[1], w.v[w.a])),
        "copy-any": ("~", lambda w: (attend(w, w.C * w.k[w.j])[1], w.v[w.j])),
        "copy-unscaled": ("~", lambda w: (attend(w, w.k[w.j])[1], w.v[w.j])),
        "copy-weight": ("=", lambda w: (attend(w, w.C * w.k[w.a])[0][w.a], math.exp(w.C) / (math.exp(w.C) + w.n - 1))),
        "copy-weight-n": ("=", lambda w: (attend(w, w.C * w.k[w.a])[0][w.a], math.exp(w.C) / (math.exp(w.C) + w.n))),
        "copy-weight-one": ("=", lambda w: (attend(w, w.k[w.a])[0][w.a], math.e / (math.e + w.n - 1))),
        "pull-weight": ("=", lambda w: (attend(w, pull(w))[0][w.a], math.exp(w.C) / (2 * math.exp(w.C) + w.n - 2))),
        "pull-weight-half": ("~", lambda w: (attend(w, pull(w))[0][w.a], 0.5)),
        "pull-weight-equals-half": ("=", lambda w: (attend(w, pull(w))[0][w.a], 0.5)),
        "pull-weights-alike": ("=", lambda w: (attend(w, pull(w))[0][w.a], attend(w, pull(w))[0][w.b])),
        "pull-others": ("~", lambda w: (attend(w, pull(w))[0][w.rest].sum(), 0)),
        "pull-all": ("~", lambda w: (attend(w, pull(w))[0].max(), 0)),
        "needed-scale": ("=", lambda w: (attend(w, math.log(99 * (w.n - 1)) * w.k[w.a])[0][w.a], 0.99)),
        "needed-scale-off": ("=", lambda w: (attend(w, math.log(100 * (w.n - 1)) * w.k[w.a])[0][w.a], 0.99)),
        "logit-gap": ("=", lambda w: bool(abs((w.k @ (w.C * w.k[w.a]))[w.b]) < 1e-9 * (w.k @ (w.C * w.k[w.a]))[w.a])),
        "logit-gap-own": ("=", lambda w: bool((w.k @ (w.C * w.k[w.a])).max() < 0.01 * w.C)),
        "equal-logits": ("=", lambda w: (attend(w, w.C * w.k.sum(axis=0))[1], w.v.mean(axis=0))),
        "outside-bound": (
            "=",
            lambda w: bool(attend(w, pull(w))[0][w.rest].sum() <= (w.n - 2) / 2 * math.exp(-w.C) + 1e-12),
        ),
        "outside-bound-tight": ("=", lambda w: bool(attend(w, pull(w))[0][w.rest].sum() < math.exp(-w.C) / 4)),
        "length": ("=", lambda w: (pull(w) @ pull(w), 2 * w.C**2)),
        "length-off": ("=", lambda w: (np.linalg.norm(pull(w)), 2 * w.C)),
        "large-said": None,
        "abbreviation": ("~", goal(pull)),
    },
    "noisy-keys": {
        "pull": ("~", goal(pull)),
        "pull-unscaled": ("~", goal(lambda w: w.mu[w.a] + w.mu[w.b])),
        "push": ("~", goal(push)),
        "copy": ("~", lambda w: (attend(w, w.C * w.mu[w.a])[1], w.v[w.a])),
        "law": ("=", lambda w: (w.sigma[w.a], w.alpha * np.eye(w.d))),
        "law-number": ("=", misfit),
        "law-logit": ("=", lambda w: (w.q @ w.sigma[w.a] @ w.q, w.alpha * w.q @ w.q)),
        "law-square": ("=", lambda w: (1 + w.d * w.alpha, 1)),
        "mean": ("=", lambda w: (w.mu[w.a], w.mu[w.a])),
        "key-itself": ("=", lambda w: (w.k[w.a], w.mu[w.a])),
        "key-nearly": ("~", lambda w: (w.k[w.a], w.mu[w.a])),
        "logit-variance": ("=", lambda w: (w.q @ w.sigma[w.a] @ w.q, w.alpha * w.q @ w.q)),
        "logit-variance-squared": ("=", lambda w: (w.q @ w.sigma[w.a] @ w.q, w.alpha**2 * w.q @ w.q)),
        "covariance": ("=", lambda w: (w.sigma[w.a], w.alpha * np.eye(w.d))),
        "covariance-between": ("=", lambda w: (0, 0)),
        "inner-product": ("=", lambda w: (1 + w.mu[w.a] @ w.mu[w.b], 1)),
        "length": ("=", lambda w: (1 + np.trace(w.sigma[w.a]), 1 + w.d * w.alpha)),
        "length-unit": ("=", lambda w: (1 + np.trace(w.sigma[w.a]), 1)),
        "length-nearly": ("~", lambda w: (1 + np.trace(w.sigma[w.a]), 1)),
        "length-variance": (
            "=",
            lambda w: (
                4 * w.mu[w.a] @ w.sigma[w.a] @ w.mu[w.a] + 2 * np.trace(w.sigma[w.a] @ w.sigma[w.a]),
                4 * w.alpha + 2 * w.d * w.alpha**2,
            ),
        ),
        "length-variance-off": (
            "=",
            lambda w: (
                4 * w.mu[w.a] @ w.sigma[w.a] @ w.mu[w.a] + 2 * np.trace(w.sigma[w.a] @ w.sigma[w.a]),
                4 * w.alpha + w.d * w.alpha**2,
            ),
        ),
        "logit-square": (
            "=",
            lambda w: ((w.mu[w.a] @ w.q) ** 2 + w.q @ w.sigma[w.a] @ w.q, (w.mu[w.a] @ w.q) ** 2 + w.alpha * w.q @ w.q),
        ),
        "difference": ("=", lambda w: (pull(w) @ (w.sigma[w.a] + w.sigma[w.b]) @ pull(w), 4 * w.C**2 * w.alpha)),
        "difference-off": ("=", lambda w: (pull(w) @ (w.sigma[w.a] + w.sigma[w.b]) @ pull(w), 2 * w.C**2 * w.alpha)),
        "log-normal": ("=", lambda w: log_normal(w, w.alpha / 2)),
        "log-normal-off": ("=", lambda w: log_normal(w, w.alpha)),
        "weights-sum": ("=", lambda w: (attend(w, w.q)[0].sum(), 1)),
        "weights-alike": None,
        "output-mean": None,
        "output-itself": None,
        "plug-in": None,
        "plug-in-nearly": None,
        "spread": None,
        "spread-none": None,
    },
    "magnitude-noise": {
        "pull": ("~", goal(pull)),
        "push": ("~", goal(push)),
        "copy": ("~", lambda w: (attend(w, w.C * w.mu[w.a])[1], w.v[w.a])),
        "copy-b": ("~", lambda w: (attend(w, w.C * w.mu[w.b])[1], w.v[w.b])),
        "logit-variance": ("=", lambda w: (pull(w) @ w.sigma[w.a] @ pull(w), w.C**2 * (2 * w.alpha + 0.5))),
        "logit-variance-off": ("=", lambda w: (pull(w) @ w.sigma[w.a] @ pull(w), w.C**2 * (w.alpha + 0.5))),
        "logit-variance-linear": ("=", lambda w: (pull(w) @ w.sigma[w.a] @ pull(w), w.C * (2 * w.alpha + 0.5))),
        "logit-variance-b": ("=", lambda w: (pull(w) @ w.sigma[w.b] @ pull(w), 2 * w.C**2 * w.alpha)),
        "logit-form": ("=", lambda w: (w.q @ w.sigma[w.a] @ w.q, w.alpha * w.q @ w.q + (w.mu[w.a] @ w.q) ** 2 / 2)),
        "difference-nearly": ("~", lambda w: (pull(w) @ (w.sigma[w.a] + w.sigma[w.b]) @ pull(w), w.C**2 / 2)),
        "difference-exactly": ("=", lambda w: (pull(w) @ (w.sigma[w.a] + w.sigma[w.b]) @ pull(w), w.C**2 / 2)),
        "covariance": ("=", lambda w: (w.sigma[w.a], w.alpha * np.eye(w.d) + np.outer(w.mu[w.a], w.mu[w.a]) / 2)),
        "covariance-b": ("=", lambda w: (w.sigma[w.b], w.sigma[w.a])),
        "law": ("=", lambda w: (w.mu[w.a] @ w.sigma[w.a] @ w.mu[w.a], w.alpha + 0.5)),
        "law-nearly": ("~", lambda w: (w.mu[w.a] @ w.sigma[w.a] @ w.mu[w.a], 0.5)),
        "length": ("=", lambda w: (1 + np.trace(w.sigma[w.a]), 1.5 + w.d * w.alpha)),
        "length-off": ("=", lambda w: (1 + np.trace(w.sigma[w.a]), 1 + w.d * w.alpha)),
        "mean": ("=", lambda w: (w.mu[w.a], w.mu[w.a])),
        "key-nearly": ("~", lambda w: (w.k[w.a], w.mu[w.a])),
        "key-b-nearly": ("~", lambda w: (w.k[w.b], w.mu[w.b])),
        "weight-variance": ("~", lambda w: (noisy_a(w)[1], 0.25)),
        "weight-variance-off": ("~", lambda w: (noisy_a(w)[1], 0.5)),
        "weight-mean": ("~", lambda w: (noisy_a(w)[0], 0.5)),
        "output-mean": ("~", lambda w: (output_moments(w)[0], half(w))),
        "output-variance": ("~", lambda w: (np.trace(output_moments(w)[1]), ((w.v[w.a] - w.v[w.b]) ** 2).sum() / 4)),
        "output-covariance": (
            "~",
            lambda w: (output_moments(w)[1], np.outer(w.v[w.a] - w.v[w.b], w.v[w.a] - w.v[w.b]) / 4),
        ),
        "output-certain": ("~", lambda w: (np.trace(output_moments(w)[1]), 0)),
        "copy-mean": ("~", lambda w: (logistic_normal(w.C - math.log(w.n - 1), w.C * math.sqrt(0.5))[0], 1)),
    },
    "two-heads": {
        "pull": ("~", heads(lambda w: w.C * w.mu[w.a], lambda w: w.C * w.mu[w.b])),
        "pull-swapped": ("~", heads(lambda w: w.C * w.mu[w.b], lambda w: w.C * w.mu[w.a])),
        "pull-both": ("~", heads(pull, pull)),
        "pull-unscaled": ("~", heads(lambda w: w.mu[w.a], lambda w: w.mu[w.b])),
        "pull-same": ("~", heads(lambda w: w.C * w.mu[w.a], lambda w: w.C * w.mu[w.a])),
        "pull-one": ("~", heads(lambda w: w.C * w.mu[w.a], lambda w: w.q)),
        "pull-letters": ("~", heads(lambda w: w.C * w.mu[w.a], lambda w: w.B * w.mu[w.b])),
        "average": ("=", lambda w: (half_heads(w), (attend(w, w.q)[1] + attend(w, -w.q)[1]) / 2)),
        "average-sum": ("=", lambda w: (half_heads(w), attend(w, w.q)[1] + attend(w, -w.q)[1])),
        "copy": ("~", lambda w: (attend(w, w.C * w.mu[w.a])[1], w.v[w.a])),
        "copy-weight": ("~", lambda w: (attend(w, w.C * w.mu[w.a])[0][w.a], 1)),
        "copy-weight-label": ("~", lambda w: (attend(w, w.C * w.mu[w.a])[0][w.a], 1)),
        "logits": ("=", lambda w: (w.q @ w.sigma[w.a] @ w.v[0], w.alpha * w.q @ w.v[0])),
        "logits-apart": ("=", lambda w: (0, 0)),
        "logits-none": ("=", lambda w: (1 + w.q @ w.sigma[w.a] @ w.v[0], 1)),
        "logits-pull": ("=", lambda w: (1 + w.mu[w.a] @ w.sigma[w.a] @ w.mu[w.b], 1)),
        "outputs-pull": None,
        "variance-pull": None,
        "variance-half": None,
        "variance-copies": None,
    },
    "two-heads-magnitude": {
        "pull": ("~", heads(lambda w: w.C * w.mu[w.a], lambda w: w.C * w.mu[w.b])),
        "push": ("~", heads(lambda w: -w.C * sum(w.mu[i] for i in range(w.n) if i != w.a), lambda w: w.C * w.mu[w.b])),
        "pull-both": ("~", heads(pull, pull)),
        "second-head": ("~", lambda w: (attend(w, w.C * w.mu[w.b])[1], w.v[w.b])),
        "first-head": ("~", lambda w: (attend(w, w.C * w.mu[w.a])[1], w.v[w.a])),
        "logit-variance": ("=", lambda w: (w.C**2 * w.mu[w.a] @ w.sigma[w.a] @ w.mu[w.a], w.C**2 * (w.alpha + 0.5))),
        "logit-variance-second": ("=", lambda w: (w.C**2 * w.mu[w.b] @ w.sigma[w.a] @ w.mu[w.b], w.C**2 * w.alpha)),
        "logit-variance-second-off": (
            "=",
            lambda w: (w.C**2 * w.mu[w.b] @ w.sigma[w.a] @ w.mu[w.b], w.C**2 * (w.alpha + 0.5)),
        ),
        "logits-pull": ("=", lambda w: (1 + w.mu[w.a] @ w.sigma[w.a] @ w.mu[w.b], 1)),
        "logits-general": ("=", lambda w: (w.q @ w.sigma[w.a] @ w.v[0], w.alpha * w.q @ w.v[0])),
        "first-weight": ("~", lambda w: (logistic_normal(w.C - math.log(w.n - 1), w.C * math.sqrt(0.5))[0], 1)),
        "variance-second": None,
    },
}
