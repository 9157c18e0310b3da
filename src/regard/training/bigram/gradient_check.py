"""Whether the derivatives of the neural bigram model are right: a table of the largest deviations.

Two ways to measure the derivative of f that share nothing with the formula under test:

    central difference    (f(θ + ε) − f(θ − ε)) / 2ε          error of order ε², and of rounding/ε
    complex step          Im f(θ + iε) / ε                    nothing is subtracted: right to the last digits

The second asks that f be analytic and take complex numbers, as `regard.models.bigram` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from regard.errors import ShapeError
from regard.models.bigram import (
    PARAMETERS,
    ActivationName,
    BigramNetwork,
    backward,
    cross_entropy,
    forward,
    log_softmax,
    logit_gradient,
)
from regard.shapes import Float, Int

DIFFERENCE_STEP = 1e-5  # about where ε² and rounding/ε are equal
COMPLEX_STEP = 1e-30
TOLERANCES = {"central difference": 1e-7, "complex step": 1e-13}

MAX_ENTRIES = 200

Loss: TypeAlias = Callable[[np.ndarray], Any]
"""A real number, or a complex one where the array is."""


@dataclass(frozen=True)
class GradientRow:
    """One group of parameters: how large its derivatives are and how far off at most, where they were tried."""

    parameter: str
    n_entries: int
    n_tried: int
    largest_derivative: float
    central_difference: float
    complex_step: float

    @property
    def holds(self) -> bool:
        """Whether both deviations are within what the methods can tell, relative to the largest derivative."""
        size = max(self.largest_derivative, 1.0)
        deviations = (self.central_difference, self.complex_step)
        return all(d <= size * t for d, t in zip(deviations, TOLERANCES.values(), strict=True))


def central_difference(
    loss: Loss, at: Float[np.ndarray, "*axes"], places: Int[np.ndarray, " entry"]
) -> Float[np.ndarray, " entry"]:
    """The derivative of a function of an array by some of its entries, counted in C order, from differences.

    >>> central_difference(lambda x: x[0] ** 2, np.array([3.0]), np.array([0])).round(6)
    array([6.])
    """
    ahead, behind = (
        [loss(_move(at, place, by)).real for place in places] for by in (DIFFERENCE_STEP, -DIFFERENCE_STEP)
    )
    return (np.array(ahead) - np.array(behind)) / (2 * DIFFERENCE_STEP)


def complex_step(
    loss: Loss, at: Float[np.ndarray, "*axes"], places: Int[np.ndarray, " entry"]
) -> Float[np.ndarray, " entry"]:
    """The derivative of an analytic function by some of its entries, from steps along the imaginary axis.

    >>> complex_step(lambda x: x[0] ** 2, np.array([3.0]), np.array([0]))
    array([6.])
    """
    return np.array([loss(_move(at, place, 1j * COMPLEX_STEP)).imag for place in places]) / COMPLEX_STEP


def check_gradients(
    network: BigramNetwork,
    x: Float[np.ndarray, "batch width"],
    y: Float[np.ndarray, "batch vocab"],
    rng: np.random.Generator,
    *,
    max_entries: int = MAX_ENTRIES,
) -> tuple[GradientRow, ...]:
    """A row for each of logits, x, W₁, b₁, W₂, b₂: derivatives of the summed cross-entropy against both measurements.

    `y` holds any targets: one-hot, soft, or counts. Of a group with more than `max_entries`, that many are drawn at
    random. Everything is computed in float64.
    """
    if x.shape[0] != y.shape[0]:
        raise ShapeError(f"each vector needs one row of targets; got {x.shape[0]} and {y.shape[0]} rows")
    exact = replace(network, **{name: getattr(network, name).astype(np.float64) for name in PARAMETERS})
    x, y = x.astype(np.float64), y.astype(np.float64)
    passed = forward(x, exact)
    formulas = {"logits": logit_gradient(passed.log_probs, y)} | backward(x, passed, y, exact)._asdict()
    points = {"logits": passed.hidden @ exact.w2 + exact.b2, "x": x} | {
        name: getattr(exact, name) for name in PARAMETERS
    }
    return tuple(
        _row(name, _loss_of(name, exact, x, y), points[name], formula, rng, max_entries)
        for name, formula in formulas.items()
    )


def check_random(
    rng: np.random.Generator,
    *,
    width: int = 5,
    hidden: int = 4,
    vocab: int = 7,
    batch: int = 3,
    activation: ActivationName = "sigmoid",
) -> tuple[GradientRow, ...]:
    """Check the derivatives of a random network, with random soft targets that sum to one."""
    shapes = [(vocab, width), (width, hidden), (hidden,), (hidden, vocab), (vocab,)]
    vectors, w1, b1, w2, b2 = (rng.standard_normal(shape) for shape in shapes)
    network = BigramNetwork(vectors, w1, b1, w2, b2, activation=activation)
    return check_gradients(network, rng.standard_normal((batch, width)), rng.dirichlet(np.ones(vocab), size=batch), rng)


def _row(
    name: str,
    loss: Loss,
    at: Float[np.ndarray, "*axes"],
    formula: Float[np.ndarray, "*axes"],
    rng: np.random.Generator,
    max_entries: int,
) -> GradientRow:
    """The largest deviations of one group."""
    places = rng.permutation(at.size)[:max_entries]
    claimed = formula.reshape(-1)[places]
    difference, step = (
        float(np.abs(measured(loss, at, places) - claimed).max()) for measured in (central_difference, complex_step)
    )
    return GradientRow(name, at.size, len(places), float(np.abs(claimed).max()), difference, step)


def _loss_of(
    name: str, network: BigramNetwork, x: Float[np.ndarray, "batch width"], y: Float[np.ndarray, "batch vocab"]
) -> Loss:
    """The summed cross-entropy as a function of the logits, of x, or of one of the network's parameters."""

    def log_probs(value: np.ndarray) -> np.ndarray:
        if name == "logits":
            return log_softmax(value)
        if name == "x":
            return forward(value, network).log_probs
        parameter: dict[str, Any] = {name: value}
        return forward(x, replace(network, **parameter)).log_probs

    return lambda value: cross_entropy(log_probs(value), y).sum()


def _move(at: Float[np.ndarray, "*axes"], place: int | np.integer, by: float | complex) -> np.ndarray:
    """A copy with one entry moved."""
    moved = at.astype(np.result_type(at, type(by)))
    moved.reshape(-1)[place] += by
    return moved
