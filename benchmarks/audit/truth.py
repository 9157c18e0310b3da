"""Truths for the audits, by methods that share no code with Regard.

two_keys      the difference of two normal logits is normal: E sig and E sig² to 30 digits, with mpmath
many_keys     E α_i α_j as P(two Gumbel races are won), by Gauss–Legendre panels around every key
two_heads     two keys, two heads: one logit difference given the other, by the same panels
"""

from __future__ import annotations

from functools import cache

import mpmath
import numpy as np
from scipy.special import ndtr, roots_legendre

NODES, WEIGHTS = roots_legendre(14)


def two_keys(mean: np.ndarray, variance: float) -> tuple[float, float, float]:
    """E α_0, E α_1 and Var α_0 for logits whose difference is N(mean_0 − mean_1, variance)."""
    with mpmath.workdps(34):
        x, s = mpmath.mpf(float(mean[0])) - mpmath.mpf(float(mean[1])), mpmath.sqrt(mpmath.mpf(variance))
        sign = 1 if x <= 0 else -1
        small, square = _narrow(sign * x, s) if s <= 1 else _wide(sign * x, s)
        large = 1 - small
        first, second = (small, large) if sign == 1 else (large, small)
        return float(first), float(second), float(square - small**2)


@cache
def _normal_nodes() -> list[tuple[mpmath.mpf, mpmath.mpf]]:
    """Nodes and weights of the trapezoid rule for a standard normal variable."""
    step = mpmath.mpf(1) / 5
    return [(k * step, mpmath.npdf(k * step) * step) for k in range(-60, 61)]


def _narrow(x: mpmath.mpf, s: mpmath.mpf) -> tuple[mpmath.mpf, mpmath.mpf]:
    first = second = mpmath.mpf(0)
    for z, p in _normal_nodes():
        value = 1 / (1 + mpmath.exp(-(x + s * z)))
        first, second = first + p * value, second + p * value**2
    return first, second


@cache
def _logistic_nodes() -> list[tuple[mpmath.mpf, mpmath.mpf, mpmath.mpf]]:
    """Nodes w, and what multiplies P(y > w) in E sig(y) and in E sig(y)²; the rule errs by e^(−2π²/step) = 4e-22."""
    step = mpmath.mpf(2) / 5
    nodes = []
    for k in range(-240, 151):
        value = 1 / (1 + mpmath.exp(-k * step))
        slope = value * value * mpmath.exp(-k * step) * step
        nodes.append((k * step, slope, 2 * value * slope))
    return nodes


def _wide(x: mpmath.mpf, s: mpmath.mpf) -> tuple[mpmath.mpf, mpmath.mpf]:
    """By parts: E f(y) = ∫ f′(w) P(y > w) dw, f = sig or sig²."""
    first = second = mpmath.mpf(0)
    for w, slope, of_square in _logistic_nodes():
        above = mpmath.ncdf((x - w) / s)
        first, second = first + slope * above, second + of_square * above
    return first, second


def many_keys(mean: np.ndarray, sd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """E α_i and E α_i α_j: ∫ D_i Π L du and ∫ D_i D_j Π L du (Q_i on the diagonal), to about 1e-14."""
    mean = mean - np.max(mean - 9 * sd)
    u, weight = _panels(mean, sd)
    level = np.empty((3, len(mean), len(u)))
    for i, (m, s) in enumerate(zip(mean, sd, strict=True)):
        level[:, i] = _kernels(u + m, s)
    safe = np.maximum(level[0], 1e-280)
    first, second = level[1] / safe, level[2] / safe
    mass = weight * np.exp(np.log(safe).sum(axis=0))
    products = (first * mass) @ first.T
    products[np.diag_indices(len(mean))] = second @ mass
    return first @ mass, products


def _panels(mean: np.ndarray, sd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    high = float(np.min(4.5 - mean + 10 * sd))
    edges = [np.array([high])]
    for m, s in zip(mean, sd, strict=True):
        edges += [-m + 0.8 * s * np.arange(-14, 15), -m + np.arange(-45.0, 6.0) - min(s, 8.0) ** 2 / 2]
    inside = np.unique(np.concatenate(edges))
    inside = inside[inside <= high]
    widths = np.diff(inside)
    keep = widths > 1e-9 * np.maximum(1, np.abs(inside[1:]))
    left, right = inside[:-1][keep], inside[1:][keep]
    left[1:] = right[:-1]
    half = (right - left) / 2
    return (left[:, None] + half[:, None] * (1 + NODES)).ravel(), (half[:, None] * WEIGHTS).ravel()


def _kernels(x: np.ndarray, s: float) -> np.ndarray:
    """E exp(−eʸ), E eʸ exp(−eʸ), E e²ʸ exp(−eʸ) for y ~ N(x, s²)."""
    if s <= 1:
        z = np.arange(-9.0, 9.01, 0.2) if s > 0 else np.zeros(1)
        p = np.exp(-(z**2) / 2) * 0.2 / np.sqrt(2 * np.pi) if s > 0 else np.ones(1)
        y = np.minimum(x[:, None] + s * z, 9.0)
        e = np.exp(y)
        gone = np.exp(-e)
        return np.stack([gone @ p, (e * gone) @ p, (e * e * gone) @ p])
    w = np.arange(-90.0, 4.6, 0.2)
    gumbel = np.exp(w - np.exp(w)) * 0.2
    t = (w - x[:, None]) / s
    density = np.exp(-np.minimum(t**2, 1400) / 2) / (s * np.sqrt(2 * np.pi))
    return np.stack([ndtr(t) @ gumbel, density @ gumbel, density @ (gumbel * np.exp(w))])


def two_heads(mean: np.ndarray, covariance: np.ndarray) -> float:
    """Cov(sig(d¹), sig(d²)) for (d¹, d²) bivariate normal."""
    s_1, s_2 = np.sqrt(np.diag(covariance))
    if s_1 == 0 or s_2 == 0:
        return 0.0
    slope = covariance[0, 1] / s_1**2
    rest = np.sqrt(max(covariance[1, 1] - slope * covariance[0, 1], 0.0))
    centre = [-mean[0] / s_1] + ([(-mean[1] / slope) / s_1] if slope else [])
    narrow = [1 / s_1] + ([max(1.0, rest) / abs(slope) / s_1] if slope else [])
    edges = [np.linspace(-9.5, 9.5, 61)]
    for c, scale in zip(centre, narrow, strict=True):
        edges.append(c + scale * np.arange(-45.0, 45.5, 0.75))
    points = np.unique(np.clip(np.concatenate(edges), -9.5, 9.5))
    half = np.diff(points) / 2
    z = (points[:-1, None] + half[:, None] * (1 + NODES)).ravel()
    p = (half[:, None] * WEIGHTS).ravel() * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    first = _sig(mean[0] + s_1 * z)
    second = _mean_sig(mean[1] + slope * s_1 * z, rest)
    return float(p @ ((first - p @ first) * (second - p @ second)))


def _sig(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(x, -700, 700)))


def _mean_sig(x: np.ndarray, s: float) -> np.ndarray:
    if s == 0:
        return _sig(x)
    if s <= 1:
        z = np.arange(-9.0, 9.01, 0.2)
        return _sig(x[:, None] + s * z) @ (np.exp(-(z**2) / 2) * 0.2 / np.sqrt(2 * np.pi))
    w = np.arange(-42.0, 42.1, 0.4)
    return ndtr((x[:, None] - w) / s) @ (_sig(w) * _sig(-w) * 0.4)
