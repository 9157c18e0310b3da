"""The neural bigram model: a network with one hidden layer that reads one token and predicts the next.

    h = σ(x W₁ + b₁)        x: the vector of the token read; σ: sigmoid or tanh
    ŷ = softmax(h W₂ + b₂)
    J = −Σⱼ yⱼ ln ŷⱼ         cross-entropy in nats

Its derivatives, written with δ = ŷ Σⱼ yⱼ − y, which is ŷ − y for every y that sums to one, one-hot or not:

    dJ/dW₂ = hᵀ δ    dJ/db₂ = δ    dz = (δ W₂ᵀ) σ′    dJ/dW₁ = xᵀ dz    dJ/db₁ = dz    dJ/dx = dz W₁ᵀ

A row of y may hold counts: it then stands for as many examples as it sums to. Everything here is analytic and so takes
complex numbers too, which is how `regard.training.bigram.gradient_check` measures derivatives to the last digit.

`BigramModel` is the language model: the network alone, or beside the counts of Kneser–Ney, trusted by context:

    p(v | c) = trust(c)·p_network(v | c) + (1 − trust(c))·p_counts(v | c)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from regard.arrays.namespace import threads_for
from regard.display import short_repr
from regard.errors import CheckpointError, ShapeError, ValueRangeError
from regard.models.background import Background
from regard.models.base import POSITIONS_AT_ONCE, LanguageModel
from regard.models.ngram.counts import NgramCounts
from regard.models.ngram.kneser_ney import KneserNey
from regard.shapes import Float, Inexact, Int
from regard.text.tokenise.tokens import Tokeniser

ActivationName: TypeAlias = Literal["sigmoid", "tanh"]


class Activation(NamedTuple):
    """A function σ of z, and its derivative σ′ written in the value h = σ(z)."""

    value: Callable[[np.ndarray], np.ndarray]
    derivative: Callable[[np.ndarray], np.ndarray]


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
    dz = (delta @ network.w2.T) * ACTIVATIONS[network.activation].derivative(hidden)
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
    """A network with another activation that computes what `network` does: tanh(z) = 2 sigmoid(2z) − 1.

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


CONTEXTS_AT_ONCE = 1024  # with 10,000 tokens, 80 MB of log-probabilities


@short_repr
@dataclass(frozen=True)
class BesideCounts:
    """Kneser–Ney beside the network, and how far the network is trusted after each context."""

    counts: KneserNey
    trust: Float[np.ndarray, " context"]


@dataclass(frozen=True, repr=False)
class BigramModel(LanguageModel):
    """A network over the tokens of a tokeniser; its last context is the start mark."""

    kind: ClassVar[str] = "bigram"
    network: BigramNetwork
    background: Background
    beside: BesideCounts | None = None

    @cached_property
    def _to_float64(self) -> BigramNetwork:
        """In float64, so that probabilities sum to one to the last digit."""
        numbers = {name: getattr(self.network, name).astype(np.float64) for name in PARAMETERS}
        return replace(self.network, **numbers)

    def after(self, contexts: Int[np.ndarray, " batch"]) -> Float[np.ndarray, "batch vocab"]:
        """ln p(token | context) of every token after each context."""
        with threads_for(float(len(contexts) * self.network.w2.size)):
            by_network = next_log_probs(self._to_float64, contexts)
        if self.beside is None:
            return by_network
        by_counts = self.beside.counts.next_log_probs_of([np.array([context]) for context in contexts])
        trust = self.beside.trust[contexts, None]
        return np.log(trust * np.exp(by_network) + (1 - trust) * np.exp(by_counts))

    def token_log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """ln p(idᵢ | the id before it, or the start mark) for each i; each context is worked out once."""
        contexts, which = np.unique(context_ids_before(ids, self.tokeniser), return_inverse=True)
        log_probs = np.empty(len(ids))
        for start in range(0, len(contexts), CONTEXTS_AT_ONCE):
            table = self.after(contexts[start : start + CONTEXTS_AT_ONCE])
            here = np.flatnonzero((which >= start) & (which < start + CONTEXTS_AT_ONCE))
            log_probs[here] = table[which[here] - start, ids[here]]
        return log_probs

    def next_log_probs_along(self, ids: Int[np.ndarray, " position"]) -> Iterator[Float[np.ndarray, "position vocab"]]:
        """ln p(every id | the id before it, or the start mark) at each position, piece by piece."""
        contexts = context_ids_before(ids, self.tokeniser)
        for start in range(0, len(ids), POSITIONS_AT_ONCE):
            distinct, which = np.unique(contexts[start : start + POSITIONS_AT_ONCE], return_inverse=True)
            yield self.after(distinct)[which]

    def reader(self) -> BigramReader:
        """A reader that has read nothing yet."""
        return BigramReader(self)

    def config(self) -> dict[str, Any]:
        """What the arrays do not say."""
        return {"activation": self.network.activation, "beside_counts": self.beside is not None}

    def arrays(self) -> dict[str, np.ndarray]:
        """The parameters; the counts and the trust beside them."""
        arrays = {name: getattr(self.network, name) for name in PARAMETERS}
        if self.beside is not None:
            arrays |= self.beside.counts.counts.to_arrays() | {"trust": self.beside.trust}
        return arrays

    @classmethod
    def restore(cls, config: dict[str, Any], arrays: dict[str, np.ndarray], background: Background) -> BigramModel:
        """The model that `config` and `arrays` came from."""
        n_tokens = len(background.tokeniser.vocabulary)
        network = BigramNetwork(**{name: arrays[name] for name in PARAMETERS}, activation=config["activation"])
        if (len(network.vectors), len(network.b2)) != (n_tokens + 1, n_tokens):
            raise CheckpointError(
                f"the network reads {len(network.vectors)} and predicts {len(network.b2)} tokens, its tokeniser has "
                f"{n_tokens} and a start mark; they do not belong together"
            )
        if not config["beside_counts"]:
            return cls(network, background)
        return cls(network, background, BesideCounts(KneserNey(NgramCounts.from_arrays(arrays)), arrays["trust"]))


class BigramReader:
    """The last id, and what it says of the next."""

    def __init__(self, model: BigramModel) -> None:
        self._model = model
        self._context = self._mark = len(model.tokeniser.vocabulary)

    def read(self, token: int) -> None:
        """Take in one more id; after the end of a line, start with an empty context."""
        self._context = self._mark if token == self._model.tokeniser.line_end else token

    def next_log_probs(self) -> Float[np.ndarray, " vocab"]:
        """How likely each id is to come next, in nats."""
        return self._model.after(np.array([self._context]))[0]


def context_ids_before(ids: Int[np.ndarray, " position"], tokeniser: Tokeniser) -> Int[np.ndarray, " position"]:
    """The id before each id; the start mark, one beyond the vocabulary, at the beginning of a line or text."""
    mark = len(tokeniser.vocabulary)
    contexts = np.append(mark, ids[:-1])[: len(ids)]
    return contexts if tokeniser.line_end is None else np.where(contexts == tokeniser.line_end, mark, contexts)
