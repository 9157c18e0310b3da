"""What chapter 5 asks about derivatives: the formulas of the neural bigram model against what is measured.

    h = σ(x W₁ + b₁)      ŷ = softmax(h W₂ + b₂)      J = −Σⱼ yⱼ ln ŷⱼ

A mistake can be made on purpose, to see that the check finds it, and where.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from regard.models.bigram import (
    PARAMETERS,
    ActivationName,
    BigramNetwork,
    Forward,
    Gradients,
    backward,
    cross_entropy,
    forward,
)
from regard.shapes import Float
from regard.training.bigram.gradient_check import TOLERANCES, central_difference, complex_step

WIDTH, HIDDEN, VOCAB, BATCH = 5, 4, 7, 3
METHODS = {"central difference": central_difference, "complex step": complex_step}


def _other_derivative(x: Any, passed: Forward, y: Any, network: BigramNetwork) -> Gradients:
    other: ActivationName = "tanh" if network.activation == "sigmoid" else "sigmoid"
    return backward(x, passed, y, replace(network, activation=other))


def _wrong_sign(x: Any, passed: Forward, y: Any, network: BigramNetwork) -> Gradients:
    return Gradients(*(-part for part in backward(x, passed, y, network)))


MISTAKES: dict[str, Callable[[Any, Forward, Any, BigramNetwork], Gradients]] = {
    "none": backward,
    "slope": _other_derivative,
    "sign": _wrong_sign,
}
"""Ways to work out the derivatives: the right one, with the derivative of the other σ, and with y − ŷ for ŷ − y."""


@dataclass(frozen=True)
class GradientCase:
    """A random network with random vectors to read and random soft targets that sum to one."""

    network: BigramNetwork
    x: Float[np.ndarray, "batch width"]
    y: Float[np.ndarray, "batch vocab"]


@dataclass(frozen=True)
class Gap:
    """The largest gap between formula and measurement, relative to the largest derivative, by each method."""

    parameter: str
    n_entries: int
    largest: float
    gaps: dict[str, float]

    @property
    def holds(self) -> bool:
        """Whether each gap is within what its method can tell."""
        return all(gap <= TOLERANCES[method] for method, gap in self.gaps.items())


def draw_network(seed: int, *, activation: ActivationName) -> GradientCase:
    """The network of this seed: 5 numbers a word, 4 hidden units, 7 words, 3 examples."""
    rng = np.random.default_rng(seed)
    shapes = [(VOCAB, WIDTH), (WIDTH, HIDDEN), (HIDDEN,), (HIDDEN, VOCAB), (VOCAB,)]
    vectors, w1, b1, w2, b2 = (rng.standard_normal(shape) for shape in shapes)
    network = BigramNetwork(vectors, w1, b1, w2, b2, activation=activation)
    return GradientCase(network, rng.standard_normal((BATCH, WIDTH)), rng.dirichlet(np.ones(VOCAB), size=BATCH))


def check_derivatives(given: GradientCase, *, mistake: str = "none") -> tuple[Gap, ...]:
    """A row for each of x, W₁, b₁, W₂, b₂: every entry is nudged, and J is seen to change."""
    passed = forward(given.x, given.network)
    formulas = MISTAKES[mistake](given.x, passed, given.y, given.network)._asdict()
    return tuple(_gap(name, formula, given) for name, formula in formulas.items())


def _gap(name: str, formula: Float[np.ndarray, "*axes"], given: GradientCase) -> Gap:
    at = given.x if name == "x" else getattr(given.network, name)
    places, claimed = np.arange(at.size), formula.reshape(-1)

    def loss(value: np.ndarray) -> Any:
        changed: dict[str, Any] = {name: value} if name in PARAMETERS else {}
        log_probs = forward(value if name == "x" else given.x, replace(given.network, **changed)).log_probs
        return cross_entropy(log_probs, given.y).sum()

    largest = float(np.abs(claimed).max())
    gaps = {
        method: float(np.abs(measured(loss, at, places) - claimed).max()) / largest
        for method, measured in METHODS.items()
    }
    return Gap(name, at.size, largest, gaps)
