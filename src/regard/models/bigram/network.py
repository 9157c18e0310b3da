"""The neural bigram model: a network with one hidden layer that reads one token and predicts the next.

    h = σ(x W₁ + b₁)        x: the vector of the token read; σ: sigmoid or tanh
    ŷ = softmax(h W₂ + b₂)
    J = −Σⱼ yⱼ ln ŷⱼ         cross-entropy in nats

Its derivatives, written with δ = ŷ Σⱼ yⱼ − y, which is ŷ − y for every y that sums to one, one-hot or not:

    dJ/dW₂ = hᵀ δ    dJ/db₂ = δ    dz = (δ W₂ᵀ) σ′    dJ/dW₁ = xᵀ dz    dJ/db₁ = dz    dJ/dx = dz W₁ᵀ

A row of y may hold counts: it then stands for as many examples as it sums to. Everything here is analytic and so takes
complex numbers too, which is how `regard.training.bigram.gradient_check` measures derivatives to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from regard.display import short_repr
from regard.errors import ShapeError, ValueRangeError
from regard.shapes import Inexact, Int

ActivationName: TypeAlias = Literal["sigmoid", "tanh"]


class Activation(NamedTuple):
    """A function σ of z, and its derivative σ′ written in the value h = σ(z)."""

    value: Callable[[np.ndarray], np.ndarray]
    slope: Callable[[np.ndarray], np.ndarray]


ACTIVATIONS = {
    # ½ + ½ tanh(z/2) = 1/(1 + e⁻ᶻ), and never overflows
    "sigmoid": Activation(lambda z: 0.5 + 0.5 * np.tanh(0.5 * z), lambda h: h * (1 - h)),
    "tanh": Activation(np.tanh, lambda h: 1 - h * h),
}


@short_repr
@dataclass(frozen=True)
class BigramNetwork:
    """All parameters. A context is a token that may be read: those of the vocabulary, and usually a start mark."""

    vectors: Inexact[np.ndarray, "context width"]
    w1: Inexact[np.ndarray, "width hidden"]
    b1: Inexact[np.ndarray, " hidden"]
    w2: Inexact[np.ndarray, "hidden vocab"]
    b2: Inexact[np.ndarray, " vocab"]
    activation: ActivationName = "sigmoid"

    def __post_init__(self) -> None:
        check_activation(self.activation)
        (width, hidden), vocab = self.w1.shape, len(self.b2)
        fits = (self.vectors.shape[1], self.b1.shape, self.w2.shape) == (width, (hidden,), (hidden, vocab))
        if not fits:
            shapes = {name: getattr(self, name).shape for name in PARAMETERS}
            raise ShapeError(f"vectors, w1, b1, w2 and b2 must chain from width to vocabulary; got {shapes}")


PARAMETERS = ("vectors", "w1", "b1", "w2", "b2")


class Forward(NamedTuple):
    """What a forward pass leaves behind."""

    hidden: Inexact[np.ndarray, "batch hidden"]
    log_probs: Inexact[np.ndarray, "batch vocab"]


class Gradients(NamedTuple):
    """Derivatives of the summed cross-entropy; `x` has one row an example, the others are summed over examples."""

    x: Inexact[np.ndarray, "batch width"]
    w1: Inexact[np.ndarray, "width hidden"]
    b1: Inexact[np.ndarray, " hidden"]
    w2: Inexact[np.ndarray, "hidden vocab"]
    b2: Inexact[np.ndarray, " vocab"]


def log_softmax(logits: Inexact[np.ndarray, "batch vocab"]) -> Inexact[np.ndarray, "batch vocab"]:
    """ln of e^uⱼ / Σₖ e^uₖ, for logits of any size, real or complex.

    >>> np.exp(log_softmax(np.array([[0.0, 0.0], [1000.0, 0.0]])))
    array([[0.5, 0.5], [1. , 0. ]])
    """
    below = logits - logits.real.max(axis=1, keepdims=True)  # complex numbers have no largest one
    return below - np.log(np.exp(below).sum(axis=1, keepdims=True))


def forward(x: Inexact[np.ndarray, "batch width"], network: BigramNetwork) -> Forward:
    """Hidden units σ(x W₁ + b₁) and ln softmax(h W₂ + b₂) for vectors x."""
    hidden = ACTIVATIONS[network.activation].value(x @ network.w1 + network.b1)
    return Forward(hidden, log_softmax(hidden @ network.w2 + network.b2))


def cross_entropy(
    log_probs: Inexact[np.ndarray, "batch vocab"], y: Inexact[np.ndarray, "batch vocab"]
) -> Inexact[np.ndarray, " batch"]:
    """−Σⱼ yⱼ ln ŷⱼ of each row, in nats.

    >>> cross_entropy(np.log([[0.5, 0.5]]), np.array([[0.0, 1.0]]))
    array([0.69314718])
    """
    return -(y * log_probs).sum(axis=1)


def logit_gradient(
    log_probs: Inexact[np.ndarray, "batch vocab"], y: Inexact[np.ndarray, "batch vocab"]
) -> Inexact[np.ndarray, "batch vocab"]:
    """δ = ŷ Σⱼ yⱼ − y: how the cross-entropy changes with the logits; ŷ − y where y sums to one.

    >>> logit_gradient(np.log([[0.5, 0.5]]), np.array([[0.2, 0.8]]))
    array([[ 0.3, -0.3]])
    """
    return np.exp(log_probs) * y.sum(axis=1, keepdims=True) - y


def backward(
    x: Inexact[np.ndarray, "batch width"],
    passed: Forward,
    y: Inexact[np.ndarray, "batch vocab"],
    network: BigramNetwork,
) -> Gradients:
    """Derivatives of Σ_examples J with respect to x, W₁, b₁, W₂ and b₂, after `passed = forward(x, network)`."""
    hidden, log_probs = passed
    delta = logit_gradient(log_probs, y)
    dz = (delta @ network.w2.T) * ACTIVATIONS[network.activation].slope(hidden)
    return Gradients(x=dz @ network.w1.T, w1=x.T @ dz, b1=dz.sum(axis=0), w2=hidden.T @ delta, b2=delta.sum(axis=0))


def next_log_probs(
    network: BigramNetwork, contexts: Int[np.ndarray, " batch"] | None = None
) -> Inexact[np.ndarray, "batch vocab"]:
    """ln P(next token | context) for the contexts asked for, or for every one."""
    x = network.vectors if contexts is None else network.vectors[contexts]
    return forward(x, network).log_probs


def one_hot(
    targets: Int[np.ndarray, " batch"], *, vocab: int, dtype: np.dtype | type = np.float64
) -> Inexact[np.ndarray, "batch vocab"]:
    """Rows that are 1 at the target and 0 elsewhere.

    >>> one_hot(np.array([1]), vocab=3)
    array([[0., 1., 0.]])
    """
    y = np.zeros((len(targets), vocab), dtype)
    y[np.arange(len(targets)), targets] = 1
    return y


def rename_parameters(network: BigramNetwork, activation: ActivationName) -> BigramNetwork:
    """The same function of x written with another activation: tanh(z) = 2 sigmoid(2z) − 1.

    Hidden units of tanh are centred, which is easier to train; so trainers may think in tanh and hand back sigmoid.
    """
    check_activation(activation)
    if activation == network.activation:
        return network
    if activation == "sigmoid":
        factor, b2 = 2.0, network.b2 - network.w2.sum(axis=0)
    else:
        factor, b2 = 0.5, network.b2 + 0.5 * network.w2.sum(axis=0)
    w1, b1, w2 = factor * network.w1, factor * network.b1, factor * network.w2
    return replace(network, w1=w1, b1=b1, w2=w2, b2=b2, activation=activation)


def check_activation(activation: str) -> None:
    """Refuse any other word than those of `ActivationName`."""
    if activation not in get_args(ActivationName):
        names = ", ".join(map(repr, get_args(ActivationName)))
        raise ValueRangeError(f"the activation must be one of {names}; got {activation!r}")
