"""The network behind the words' part of an averaging classifier, as it learns.

    m = Σᵢ αᵢ vector(wᵢ)    logits = dense layers of m

αᵢ = 1/n, or with one learnt query q, αᵢ = softmax(q·vector(wᵢ)/√width): what `attend` gives for that query with the
vectors as keys and values. Texts lie one after another, without padding.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from regard.models.classifier.words import WordAverage
from regard.shapes import Float, Int, UInt

MODULES: dict[str, type[torch.nn.Module]] = {
    "relu": torch.nn.ReLU,
    "tanh": torch.nn.Tanh,
    "sigmoid": torch.nn.Sigmoid,
    "gelu": torch.nn.GELU,
    "linear": torch.nn.Identity,
}


@dataclass(frozen=True)
class NetworkShape:
    """What the layers after the mean are."""

    n_labels: int
    layers: int = 1
    hidden: int = 100
    activation: str = "relu"
    dropout: float = 0.0
    attention: bool = False


class SharedDropout(torch.nn.Module):
    """Dropout of a batch of which this process has some rows: it drops what one process with all rows would drop."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share
        self.n_rows: int | None = None
        self.own = slice(None)

    def forward(self, hidden: Float[Tensor, "batch width"]) -> Float[Tensor, "batch width"]:
        """Some entries zero, in training; the others larger, so that their mean stays."""
        if self.n_rows is None or not self.training or self.share == 0:
            return torch.nn.functional.dropout(hidden, self.share, self.training)
        whole = torch.ones(self.n_rows, hidden.shape[1], requires_grad=True)  # drawn from just as `hidden` would be
        return hidden * torch.nn.functional.dropout(whole, self.share).detach()[self.own]


class AveragingNetwork(torch.nn.Module):
    """Vectors of words, perhaps a query, and dense layers."""

    def __init__(self, vectors: Float[Tensor, "vocab width"], shape: NetworkShape) -> None:
        super().__init__()
        self.shape = shape
        self.vectors = torch.nn.Parameter(vectors)
        width = vectors.shape[1]
        self.query = torch.nn.Parameter(torch.zeros(width)) if shape.attention else None
        sizes = [width, *[shape.hidden] * shape.layers, shape.n_labels]
        self.dense = torch.nn.ModuleList(torch.nn.Linear(a, b) for a, b in pairwise(sizes))
        self.activation = MODULES[shape.activation]()
        self.dropout = SharedDropout(shape.dropout)

    def forward(self, rows: Int[Tensor, " word"], offsets: Int[Tensor, " bound"]) -> Float[Tensor, "batch label"]:
        """The logits of each text; text t has the words rows[offsets[t]:offsets[t + 1]]."""
        hidden = self.mean(rows, offsets)
        for i, layer in enumerate(self.dense):
            hidden = layer(self.dropout(hidden if i == 0 else self.activation(hidden)))
        return hidden

    def mean(self, rows: Int[Tensor, " word"], offsets: Int[Tensor, " bound"]) -> Float[Tensor, "batch width"]:
        """Σᵢ αᵢ vector(wᵢ) of each text; zero where there is no word."""
        if self.query is None:
            return torch.nn.functional.embedding_bag(rows, self.vectors, offsets, mode="mean", include_last_offset=True)
        weights = text_softmax((self.vectors @ self.query)[rows] / math.sqrt(self.vectors.shape[1]), offsets)
        return torch.nn.functional.embedding_bag(
            rows, self.vectors, offsets, mode="sum", include_last_offset=True, per_sample_weights=weights
        )

    def as_average(self, hashes: UInt[np.ndarray, " vocab"]) -> WordAverage:
        """What the network has learnt, for prediction without torch: the first layer is folded into the words' rows."""
        vectors, (first, *others) = self.vectors.detach(), self.dense
        scores = None if self.query is None else vectors @ self.query.detach() / math.sqrt(vectors.shape[1])
        return WordAverage(
            hashes=hashes,
            rows=(vectors @ first.weight.detach().T).half().float().numpy(),  # as they are kept on disk
            bias=numbers(first.bias),
            layers=tuple((numbers(layer.weight), numbers(layer.bias)) for layer in others),
            activation=self.shape.activation,
            scores=None if scores is None else scores.numpy(),
        )


def numbers(parameter: Tensor) -> Float[np.ndarray, "*axes"]:
    """A copy for NumPy."""
    array: np.ndarray = parameter.detach().numpy().copy()
    return array


def text_softmax(scores: Float[Tensor, " word"], offsets: Int[Tensor, " bound"]) -> Float[Tensor, " word"]:
    """exp(score) over the sum of exp(score) in its text."""
    n_texts = len(offsets) - 1
    text = torch.repeat_interleave(torch.arange(n_texts), offsets.diff())
    top = torch.full((n_texts,), -math.inf).scatter_reduce(0, text, scores.detach(), "amax")
    unscaled = (scores - top[text]).exp()
    sums = torch.zeros(n_texts).index_add(0, text, unscaled)
    return unscaled / sums[text]
