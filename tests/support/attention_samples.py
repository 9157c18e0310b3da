"""What claims about moments of weights deserve, found by drawing the keys themselves: plain NumPy.

A mean counts as equal within five standard errors and as different beyond twenty; a limit is looked at with noise so
small, or a factor so large, that what is left is far below what is asked.
"""

import math
from functools import cache

import numpy as np

from tests.support.attention_claims import attend, world

EQUAL = 5
DIFFERENT = 20
N_DRAWS = 100_000


@cache
def noisy(alpha, setting="noisy-keys", seed=3):
    """An instance with more than two keys."""
    w = world(np.random.default_rng(seed), setting, C=1.5, alpha=alpha)
    assert w.n > 2
    return w


def sampled_weights(w, query, *, n_draws=N_DRAWS, seed=0):
    """Weights (draw, key) of fresh keys."""
    rng = np.random.default_rng(seed)
    keys = w.mu + math.sqrt(w.alpha) * rng.standard_normal((n_draws, w.n, w.d))
    if hasattr(w, "g") and w.g:
        keys[:, w.a] += math.sqrt(0.5) * rng.standard_normal((n_draws, 1)) * w.mu[w.a]
    powers = np.exp(keys @ query)
    return powers / powers.sum(axis=1, keepdims=True)


def deviation(samples, expected):
    """How many standard errors a sample mean is away from what is expected."""
    samples = samples.reshape(len(samples), -1)
    return float(np.abs((samples.mean(axis=0) - expected) / (samples.std(axis=0) / math.sqrt(len(samples)))).max())


def equation(is_equal, is_different):
    """The verdict on an equation; nothing in between will do."""
    assert is_equal != is_different
    return "holds" if is_equal else "fails"


def pull(w):
    return w.C * (w.mu[w.a] + w.mu[w.b])


@cache
def pulled(alpha):
    w = noisy(alpha)
    return w, sampled_weights(w, pull(w))


def noiseless(w):
    return math.exp(w.C) / (2 * math.exp(w.C) + w.n - 2)


def weights_alike():
    w, weights = pulled(0.5)
    away = deviation(weights[:, w.a] - weights[:, w.b], 0)
    return equation(away < EQUAL, away > DIFFERENT)


def output_mean():
    """E of one half of the samples against the other half."""
    w, weights = pulled(0.5)
    first, second = weights[::2], weights[1::2]
    away = deviation(first @ w.v - second @ w.v, 0)
    mean_of_weights = weights.mean(axis=0) @ w.v
    np.testing.assert_allclose((weights @ w.v).mean(axis=0), mean_of_weights, rtol=1e-9)
    return equation(away < EQUAL, away > DIFFERENT)


def output_itself():
    w, weights = pulled(0.5)
    spread = (weights @ w.v).std(axis=0).max()
    return equation(spread < 1e-9, spread > 0.05)


def plug_in():
    w, weights = pulled(0.5)
    away = deviation(weights[:, w.a], noiseless(w))
    return equation(away < EQUAL, away > DIFFERENT)


def plug_in_nearly():
    w, weights = pulled(1e-10)
    assert plug_in() == "fails"
    return "holds-in-limit" if np.abs(weights[:, w.a] - noiseless(w)).max() < 1e-4 else "fails"


def spread():
    w, weights = pulled(1e-10)
    assert spread_none() == "fails"
    return "holds-in-limit" if (weights @ w.v).var(axis=0).sum() < 1e-8 else "fails"


def spread_none():
    w, weights = pulled(0.5)
    variance = (weights @ w.v).var(axis=0).sum()
    return equation(variance < 1e-12, variance > 1e-3)


@cache
def two_heads():
    """Centred outputs of two heads that pull different keys, of the same draws."""
    w = noisy(0.5, seed=4)
    outputs = [sampled_weights(w, w.C * w.mu[key], seed=1) @ w.v for key in (w.a, w.b)]
    return [one - one.mean(axis=0) for one in outputs]


def outputs_pull():
    first, second = two_heads()
    away = deviation(first[:, :, None] * second[:, None, :], 0)
    return equation(away < EQUAL, away > DIFFERENT)


def variance_times(factor):
    """Whether Var c is the factor times Var c_1 + Var c_2."""
    first, second = two_heads()
    own = (first**2).sum(axis=1) + (second**2).sum(axis=1)
    away = deviation((((first + second) / 2) ** 2).sum(axis=1) - factor * own, 0)
    return equation(away < EQUAL, away > DIFFERENT)


def variance_copies():
    """Two equal queries give equal outputs, draw by draw."""
    w = noisy(0.5, seed=4)
    first, second = (sampled_weights(w, w.q, n_draws=1000, seed=2) @ w.v for _ in range(2))
    gap = np.abs((first + second) / 2 - first).max()
    return equation(gap == 0, gap > 1e-3)


def variance_second():
    """With α = 0, k_a only varies along μ_a, which q_2 = C μ_b does not see."""
    variances = []
    for alpha in (0.5, 1e-12):
        w = noisy(alpha, "two-heads-magnitude")
        variances.append((sampled_weights(w, w.C * w.mu[w.b]) @ w.v).var(axis=0).sum())
    assert variances[0] > 1e-3
    return "holds-in-limit" if variances[1] < 1e-9 else "fails"


def large_said():
    """α_a > 0.99 for q = C k_a: not for every C, but for all large ones."""
    rng = np.random.default_rng(0)
    answers = {}
    for C in (0.5, 20.0, 200.0):
        worlds = [world(rng, "orthonormal-keys", C=C) for _ in range(40)]
        answers[C] = all(attend(w, w.C * w.k[w.a])[0][w.a] > 0.99 for w in worlds)
    assert not answers[0.5]
    return "holds-in-limit" if answers[20.0] and answers[200.0] else "fails"


SAMPLED = {
    ("orthonormal-keys", "large-said"): large_said,
    ("noisy-keys", "weights-alike"): weights_alike,
    ("noisy-keys", "output-mean"): output_mean,
    ("noisy-keys", "output-itself"): output_itself,
    ("noisy-keys", "plug-in"): plug_in,
    ("noisy-keys", "plug-in-nearly"): plug_in_nearly,
    ("noisy-keys", "spread"): spread,
    ("noisy-keys", "spread-none"): spread_none,
    ("two-heads", "outputs-pull"): outputs_pull,
    ("two-heads", "variance-pull"): lambda: variance_times(1 / 4),
    ("two-heads", "variance-half"): lambda: variance_times(1 / 2),
    ("two-heads", "variance-copies"): variance_copies,
    ("two-heads-magnitude", "variance-second"): variance_second,
}
