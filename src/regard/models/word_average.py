"""The words' part of an averaging classifier: the mean of the words' rows, then a few dense layers.

    m = Σᵢ αᵢ row(wᵢ),   αᵢ = 1/n            attention with the query zero; w₁ … wₙ: the different words of the text
                         αᵢ = softmax(score)  with one learnt query q: score(w) = q·vector(w)/√width
    logits = W₂ f(m + b₁) + b₂                and so on for more layers; without hidden layers, m + b

Each word counts once, however often a text has it: on IMDb that is worth 0.9 points of accuracy, and halves the work.

The first dense layer is linear, so that the mean of projected vectors is the projected mean: rows hold W₁ vector(w).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse, special

from regard.models.word_rows import UNKNOWN, WordRows
from regard.shapes import Array, Bool, Float, Int, UInt
from regard.text.word_bags import WordBags

_ROW_BITS = 32
Function = Callable[[np.ndarray], np.ndarray]


def _gelu(x: np.ndarray) -> np.ndarray:
    return x * special.ndtr(x)


def _gelu_slope(x: np.ndarray) -> np.ndarray:
    return special.ndtr(x) + x * np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


ACTIVATIONS: dict[str, tuple[Function, Function]] = {
    "relu": (lambda x: np.maximum(x, 0), lambda x: (x > 0).astype(x.dtype)),
    "tanh": (np.tanh, lambda x: 1 - np.tanh(x) ** 2),
    "sigmoid": (special.expit, lambda x: special.expit(x) * special.expit(-x)),
    "gelu": (_gelu, _gelu_slope),
    "linear": (lambda x: x, np.ones_like),
}
"""Each activation with its slope."""


@dataclass(frozen=True, eq=False)
class WordAverage:
    """Rows of the words, a bias, and the layers that follow: each a matrix [out, in] and its bias."""

    hashes: UInt[np.ndarray, " vocab"]
    rows: Float[np.ndarray, "vocab hidden"]
    bias: Float[np.ndarray, " hidden"]
    layers: tuple[tuple[Float[np.ndarray, "_ _"], Float[np.ndarray, " _"]], ...]
    activation: str
    scores: Float[np.ndarray, " vocab"] | None = None

    @cached_property
    def vocabulary(self) -> WordRows:
        """Where the row of each word is."""
        return WordRows(self.hashes)

    @property
    def is_linear(self) -> bool:
        """Whether the logits are a sum over words, up to what they are divided by."""
        return not self.layers and self.scores is None

    def is_known(self, hashes: UInt[np.ndarray, " word"]) -> Bool[np.ndarray, " word"]:
        """Which words have a row."""
        return self.vocabulary.rows(hashes) != UNKNOWN

    def logits(self, bags: WordBags) -> Float[np.ndarray, "batch label"]:
        """What the words of each text say; of no words, what the layers make of zero."""
        found, bounds = self.found(bags)
        matrix = sparse.csr_array((self.weights(found, bounds), found, bounds), shape=(len(bags), len(self.hashes)))
        return self.read_out(matrix @ self.rows + self.bias)

    def found(self, bags: WordBags) -> tuple[Int[np.ndarray, " word"], Int[np.ndarray, " bound"]]:
        """The rows of the different known words of each text, ascending, and where each text's begin."""
        return distinct_known(self.vocabulary.rows(bags.hashes), bags.offsets)

    def weights(self, found: Int[np.ndarray, " word"], bounds: Int[np.ndarray, " bound"]) -> Float[np.ndarray, " word"]:
        """α of each known word; they sum to one over a text."""
        counts = np.diff(bounds)
        if self.scores is None:
            return np.repeat(1 / np.maximum(counts, 1), counts).astype(self.rows.dtype)
        scores = self.scores[found]
        text = np.repeat(np.arange(len(counts)), counts)
        top = np.full(len(counts), -np.inf, scores.dtype)
        np.maximum.at(top, text, scores)
        unscaled = np.exp(scores - top[text])
        return (unscaled / np.bincount(text, unscaled, len(counts))[text]).astype(self.rows.dtype)

    def read_out(self, first: Float[np.ndarray, "batch hidden"]) -> Float[np.ndarray, "batch label"]:
        """The layers that follow the mean."""
        activation = ACTIVATIONS[self.activation][0]
        first = first.astype(np.float64)  # a float32 product depends on how many rows it has
        for matrix, bias in self.layers:
            first = activation(first) @ matrix.T + bias
        return first

    def slopes(self, first: Float[np.ndarray, " hidden"]) -> Float[np.ndarray, "label hidden"]:
        """The gradient of each logit by what the first layer gets."""
        activation, slope = ACTIVATIONS[self.activation]
        jacobian = np.eye(len(first), dtype=first.dtype)
        for matrix, bias in self.layers:
            jacobian = matrix @ (slope(first)[:, None] * jacobian)
            first = activation(first) @ matrix.T + bias
        return jacobian

    def gradient_shares(self, bags: WordBags, *, steps: int) -> Float[np.ndarray, "word label"]:
        """Of one text: αᵢ row(wᵢ) times the slopes' mean on the way m·t, t from 0 to 1, in the middle of each step.

        A word that the text has several times is given its share in equal parts.
        """
        found, bounds = self.found(bags)
        moved = self.weights(found, bounds)[:, None] * self.rows[found]
        times = (np.arange(steps) + 0.5) / steps
        mean = np.mean([self.slopes(self.bias + np.float32(t) * moved.sum(axis=0)) for t in times], axis=0)
        rows = self.vocabulary.rows(bags.hashes)
        known = np.flatnonzero(rows != UNKNOWN)
        places = np.searchsorted(found, rows[known])
        shares = np.zeros((len(rows), len(mean)))
        shares[known] = (moved @ mean.T / np.bincount(places, minlength=len(found))[:, None])[places]
        return shares

    def arrays(self) -> dict[str, Array]:
        """The numbers by name, tables rounded to float16."""
        found = {"hashes": self.hashes, "rows": self.rows.astype(np.float16), "bias": self.bias}
        for i, (matrix, bias) in enumerate(self.layers):
            found |= {f"layers.{i}.matrix": matrix, f"layers.{i}.bias": bias}
        return found if self.scores is None else found | {"scores": self.scores}

    @classmethod
    def restore(cls, arrays: dict[str, Array], *, activation: str) -> WordAverage:
        """What `arrays` came from."""
        n_layers = sum(name.endswith(".matrix") for name in arrays)
        layers = tuple((arrays[f"layers.{i}.matrix"], arrays[f"layers.{i}.bias"]) for i in range(n_layers))
        rows = arrays["rows"].astype(np.float32)
        return cls(arrays["hashes"], rows, arrays["bias"], layers, activation, arrays.get("scores"))


def distinct_known(
    rows: Int[np.ndarray, " word"], offsets: Int[np.ndarray, " bound"]
) -> tuple[Int[np.ndarray, " known"], Int[np.ndarray, " bound"]]:
    """The different rows of each text in ascending order, without the unknown, and where each text's begin.

    >>> distinct_known(np.array([3, 1, 3, -1, 2]), np.array([0, 4, 5]))
    (array([1, 3, 2]), array([0, 2, 3]))
    """
    text = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    is_known = rows != UNKNOWN
    keys = np.sort(text[is_known] << _ROW_BITS | rows[is_known])
    is_first = np.ones(len(keys), bool)
    is_first[1:] = keys[1:] != keys[:-1]
    kept = keys[is_first]
    return kept & ((1 << _ROW_BITS) - 1), np.searchsorted(kept, np.arange(len(offsets)) << _ROW_BITS)
