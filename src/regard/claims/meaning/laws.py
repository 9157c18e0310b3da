"""How the given symbols of a setting are drawn: raw numbers first, then the values that the law makes of them.

The raw numbers are floats and count as exact; what a law makes of them is worked out in the arithmetic at hand, so that
orthonormal keys are orthonormal to fifty digits where fifty are asked for.

    normal         any real numbers; besides normal ones: small whole numbers, zeros, equal, one-hot, large, small
    orthonormal    columns of an orthogonal matrix, a product of two reflections; sometimes unit vectors
    positive       numbers above 0; count: whole numbers above 1; probabilities: each between 0 and 1
    distribution   entries above 0 that sum to one; one-hot; sometimes with zeros
    noise          standard normal, drawn anew in every sample: never special
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from regard.claims.trial.numbers import Arithmetic, Value

GENERIC_DRAWS = 3
"""So many first draws of a batch have nothing special about them."""


@dataclass(frozen=True)
class Law:
    """`raw(rng, shape, place)` draws for the place-th instance of a batch; `value` makes the law true of it."""

    raw: Callable[[np.random.Generator, tuple[int, ...], int], np.ndarray]
    value: Callable[[Value, Arithmetic], Value]


def _normal(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    kind = "normal" if place < GENERIC_DRAWS else _KINDS[int(rng.integers(len(_KINDS)))]
    return _SPECIAL[kind](rng, shape)


def _one_hot(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    array = np.zeros(shape)
    array.flat[int(rng.integers(array.size))] = 1.0
    return array


def _with_zeros(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return rng.standard_normal(shape) * (rng.random(shape) < 0.5)


_SPECIAL: dict[str, Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]] = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "whole": lambda rng, shape: rng.integers(-2, 3, shape).astype(float),
    "zeros": _with_zeros,
    "equal": lambda rng, shape: np.full(shape, float(rng.integers(-2, 3))),
    "one-hot": _one_hot,
    "large": lambda rng, shape: 30.0 * rng.standard_normal(shape),
    "huge": lambda rng, shape: 1e6 * rng.standard_normal(shape),
    "small": lambda rng, shape: 1e-4 * rng.standard_normal(shape),
}
_KINDS = ("normal", "normal", "whole", "whole", "zeros", "equal", "one-hot", "large", "huge", "small")


def _reflections(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    """Two vectors to reflect at; the same one twice gives the identity."""
    width = shape[-1]
    vectors = rng.standard_normal((2, width))
    if place >= GENERIC_DRAWS and rng.random() < 0.4:
        vectors[1] = vectors[0]
    return np.round(vectors, 3) + 0.0005  # never zero


def _orthogonal(raw: Value, numbers: Arithmetic) -> Value:
    """(I − 2 w₁w₁ᵀ/w₁ᵀw₁)(I − 2 w₂w₂ᵀ/w₂ᵀw₂)."""
    width = raw.shape[-1]
    eye = numbers.from_floats(np.eye(width))
    two = numbers.number(2)
    first, second = raw[..., 0, :, None], raw[..., 1, :, None]
    left, right = (eye - two * (w @ w.swapaxes(-1, -2)) / (w.swapaxes(-1, -2) @ w) for w in (first, second))
    return left @ right


def _positive(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    if place >= GENERIC_DRAWS and rng.random() < 0.6:
        return rng.choice([0.5, 1.0, 2.0, 3.0, 10.0, 0.01], shape)
    return np.exp(rng.uniform(-1.5, 1.5, shape))


def _distribution(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    if place % 2:
        return _one_hot(rng, shape)
    weights = rng.exponential(size=shape) + 1e-3
    if place >= GENERIC_DRAWS and weights.size > 2 and rng.random() < 0.5:
        weights.flat[int(rng.integers(weights.size))] = 0.0
    return weights


def _probabilities(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    if place >= GENERIC_DRAWS and rng.random() < 0.5:
        return rng.choice([0.5, 0.25, 1.0, 0.125, 1e-6], shape)
    return rng.uniform(0.02, 1.0, shape)


def _as_is(raw: Value, numbers: Arithmetic) -> Value:
    return raw


def _normalised(raw: Value, numbers: Arithmetic) -> Value:
    return raw / raw.sum(axis=(-2, -1), keepdims=True)


LAWS = {
    "normal": Law(_normal, _as_is),
    "orthonormal": Law(_reflections, _orthogonal),
    "positive": Law(_positive, _as_is),
    "count": Law(lambda rng, shape, place: rng.integers(2, 12, shape).astype(float), _as_is),
    "probabilities": Law(_probabilities, _as_is),
    "distribution": Law(_distribution, _normalised),
    "one-hot": Law(lambda rng, shape, place: _one_hot(rng, shape), _as_is),
    "noise": Law(lambda rng, shape, place: rng.standard_normal(shape), _as_is),
}
