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

from regard.display import short_repr
from regard.shapes import Array, Bool, Float, Int, UInt
from regard.text.word_bags import WordBags

UNKNOWN = -1
_SHARED = -2
_SLOTS_PER_WORD = 16


class WordRows:
    """The row of each word of a vocabulary, which is given as hashes in ascending order."""

    def __init__(self, hashes: UInt[np.ndarray, " vocab"]) -> None:
        self.hashes = hashes
        bits = max(1, (_SLOTS_PER_WORD * max(1, len(hashes)) - 1).bit_length())
        self._shift = np.uint64(64 - bits)
        slots = (hashes >> self._shift).astype(np.int64)
        n_words = np.bincount(slots, minlength=1 << bits)
        self._row_of_slot = np.full(1 << bits, UNKNOWN, np.int32)
        self._row_of_slot[slots] = np.arange(len(hashes), dtype=np.int32)
        self._row_of_slot[n_words > 1] = _SHARED

    def __len__(self) -> int:
        return len(self.hashes)

    def rows(self, hashes: UInt[np.ndarray, " word"]) -> Int[np.ndarray, " word"]:
        """The row of each word; −1 for a word that is not in the vocabulary.

        >>> WordRows(np.array([5, 2**63], np.uint64)).rows(np.array([2**63, 6, 5], np.uint64))
        array([ 1, -1,  0], dtype=int32)
        """
        if not len(self.hashes):
            return np.full(len(hashes), UNKNOWN, np.int32)
        rows = self._row_of_slot[(hashes >> self._shift).astype(np.int64)]
        shared = np.flatnonzero(rows == _SHARED)
        rows[shared] = np.minimum(np.searchsorted(self.hashes, hashes[shared]), len(self.hashes) - 1)
        rows[self.hashes[rows] != hashes] = UNKNOWN
        return rows


_ROW_BITS = 32
Function = Callable[[np.ndarray], np.ndarray]


def _gelu(x: np.ndarray) -> np.ndarray:
    return x * special.ndtr(x)


def _gelu_derivative(x: np.ndarray) -> np.ndarray:
    return special.ndtr(x) + x * np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


ACTIVATIONS: dict[str, tuple[Function, Function]] = {
    "relu": (lambda x: np.maximum(x, 0), lambda x: (x > 0).astype(x.dtype)),
    "tanh": (np.tanh, lambda x: 1 - np.tanh(x) ** 2),
    "sigmoid": (special.expit, lambda x: special.expit(x) * special.expit(-x)),
    "gelu": (_gelu, _gelu_derivative),
    "linear": (lambda x: x, np.ones_like),
}
"""Each activation with its derivative."""


def _gauss_legendre(n_nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Times from 0 to 1 and their weights: the mean of a polynomial of degree 2 n_nodes − 1 comes out exactly."""
    nodes, weights = np.polynomial.legendre.leggauss(n_nodes)
    return (nodes + 1) / 2, weights / 2


_NODES = _gauss_legendre(64)


@short_repr
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
        """The row of each word."""
        return WordRows(self.hashes)

    @property
    def n_labels(self) -> int:
        """How many logits a text gets."""
        return len(self.layers[-1][1]) if self.layers else len(self.bias)

    @property
    def is_linear(self) -> bool:
        """Whether the logits are a sum over words, up to what they are divided by."""
        return not self.layers and self.scores is None

    def is_known(self, hashes: UInt[np.ndarray, " word"]) -> Bool[np.ndarray, " word"]:
        """Which words have a row."""
        return self.vocabulary.rows(hashes) != UNKNOWN

    def logits(self, bags: WordBags) -> Float[np.ndarray, "batch label"]:
        """What the words of each text say; of no words, what the layers make of zero."""
        found, bounds = self.find_rows(bags)
        matrix = sparse.csr_array((self.weights(found, bounds), found, bounds), shape=(len(bags), len(self.hashes)))
        return self.read_out(matrix @ self.rows + self.bias)

    def find_rows(self, bags: WordBags) -> tuple[Int[np.ndarray, " word"], Int[np.ndarray, " bound"]]:
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

    def gradient_shares(self, bags: WordBags) -> Float[np.ndarray, "word label"]:
        """Shares of the words of a text: αᵢ row(wᵢ) times the mean derivative of the logits along m·t, t from 0 to 1.

        The weights α stay those of the text. A word that the text has several times is given its share in equal parts.
        """
        found, bounds = self.find_rows(bags)
        moved = (self.weights(found, bounds)[:, None] * self.rows[found]).astype(np.float64)
        derivatives = self.mean_derivatives(moved.sum(axis=0))
        rows = self.vocabulary.rows(bags.hashes)
        known = np.flatnonzero(rows != UNKNOWN)
        places = np.searchsorted(found, rows[known])
        shares = np.zeros((len(rows), len(derivatives)))
        shares[known] = (moved @ derivatives.T / np.bincount(places, minlength=len(found))[:, None])[places]
        return shares

    def mean_derivatives(self, change: Float[np.ndarray, " hidden"]) -> Float[np.ndarray, "label hidden"]:
        """∫₀¹ ∂logits/∂first at first = bias + t · change, dt: its product with `change` is what the logits gain."""
        if self.activation == "relu":  # between two kinks, the derivatives do not change at all
            kinks = self.kinks(change)
            times, widths = (kinks[1:] + kinks[:-1]) / 2, np.diff(kinks)
        else:
            times, widths = _NODES
        first = self.bias + times[:, None] * change
        return np.einsum("t,tlh->lh", widths, self.derivatives(first))

    def derivatives(self, first: Float[np.ndarray, "batch hidden"]) -> Float[np.ndarray, "batch label hidden"]:
        """The gradient of each logit by what the first layer gets."""
        derivative = ACTIVATIONS[self.activation][1]
        found = np.broadcast_to(np.eye(self.n_labels), (len(first), self.n_labels, self.n_labels))
        for (matrix, _), inputs in zip(self.layers[::-1], self.layer_inputs(first)[::-1], strict=True):
            found = found @ matrix * derivative(inputs)[:, None, :]
        return found

    def layer_inputs(self, first: Float[np.ndarray, "batch hidden"]) -> list[Float[np.ndarray, "batch _"]]:
        """What each hidden layer's activation gets."""
        activation, inputs = ACTIVATIONS[self.activation][0], [first]
        for matrix, bias in self.layers:
            inputs.append(activation(inputs[-1]) @ matrix.T + bias)
        return inputs[:-1]

    def kinks(self, change: Float[np.ndarray, " hidden"]) -> Float[np.ndarray, " time"]:
        """0, 1, and all times between at which a relu opens or closes on the way from bias to bias + change, ascending.

        Up to the kinks of earlier layers, what a layer gets is a straight line in time.
        """
        times = np.array([0.0, 1.0])
        for depth in range(len(self.layers)):
            inputs = self.layer_inputs(self.bias + times[:, None] * change)[depth]
            place, unit = np.nonzero(inputs[:-1] * inputs[1:] < 0)
            before, after = inputs[place, unit], inputs[place + 1, unit]
            crossings = times[place] + (times[place + 1] - times[place]) * before / (before - after)
            times = np.union1d(times, crossings)
        return times

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
