"""What the counts trainer minimises: cross-entropy of all bigrams, in nats, and the price of large weights.

    f = Σ_c n_c J_c + ½ Σ decay · (parameter − centre)²        n_c: how often context c was read

Each context enters once, however often it occurs; its row of counts is its y. The pull on a word seen n times is
decay·(n/100)^power: it grows with the text, but more slowly than the text, so that the more is known of a word, the
less it is held back.

The search runs in scaled coordinates, parameter = scale · coordinate, with scales 1/√n. There all curvatures are alike,
which saves most of the steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from regard.errors import ValueRangeError
from regard.models.bigram import ACTIVATIONS, BigramNetwork
from regard.shapes import Bool, Float, Int

ROWS = 256  # contexts at once: their logits over thousands of tokens fit in a core's cache
SOFTENING = 1.0  # counts added before 1/√n
TINY = 1e-30
TYPICAL = 100  # how often a word is seen for which decays are meant as they stand
SHARED_SCALE = 3.0  # of W₁ and b₁: they see every example, but each unit has only a small part in it


@dataclass(frozen=True)
class Decay:
    """How strongly parameters are pulled towards their centres, for a word seen a hundred times. Biases are free."""

    vectors: float
    w1: float
    w2: float
    power: float = 0.4

    def __post_init__(self) -> None:
        for name in ("vectors", "w1", "w2", "power"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueRangeError(f"decay {name} must be a number from zero up; got {getattr(self, name)}")


class Block(NamedTuple):
    """A few contexts: how often each was read, and where in their matrix of logits which counts stand."""

    rows: slice
    n_read: Float[np.ndarray, " context"]
    row_of: Int[np.ndarray, " pair"]
    places: Int[np.ndarray, " pair"]
    counts: Float[np.ndarray, " pair"]


class ParameterGroups(NamedTuple):
    """One thing for each group of parameters: the parameters themselves, derivatives, scales or decays."""

    vectors: Any
    w1: Any
    b1: Any
    w2: Any
    b2: Any


class BigramObjective:
    """f and its gradient as functions of one flat vector of coordinates, in the precision of `network`.

    `network`, a tanh network, fixes the sizes and the vectors that do not learn; `learns` tells which do. All that
    learns is pulled towards `centres`.
    """

    def __init__(
        self,
        counts: csr_array,
        network: BigramNetwork,
        *,
        learns: Bool[np.ndarray, " context"],
        centres: BigramNetwork,
        decay: Decay,
    ) -> None:
        assert network.activation == "tanh"
        self._template, self._learning = network, np.flatnonzero(learns)
        self._centres = self._learning_parts(centres)
        dtype = network.w1.dtype
        self._blocks = tuple(cut_blocks(counts, dtype))
        n_read, n_written = counts.sum(axis=1).astype(dtype), counts.sum(axis=0).astype(dtype)
        self.n_tokens = float(counts.sum())
        shared = dtype.type(SHARED_SCALE / np.sqrt(self.n_tokens))
        by_context, by_token = 1 / np.sqrt(n_read[learns] + SOFTENING)[:, None], 1 / np.sqrt(n_written + SOFTENING)
        self._scales = ParameterGroups(by_context, shared, shared, by_token, by_token)
        of_vectors = decay.vectors * growth(n_read, decay.power)[learns][:, None]
        self._decays = ParameterGroups(of_vectors, decay.w1, 0.0, decay.w2 * growth(n_written, decay.power), 0.0)

    def coordinates(self, network: BigramNetwork) -> Float[np.ndarray, " parameter"]:
        """The point at which `network` stands."""
        parts = self._learning_parts(network)
        return np.concatenate([(part / scale).ravel() for part, scale in zip(parts, self._scales, strict=True)])

    def network(self, point: Float[np.ndarray, " parameter"]) -> BigramNetwork:
        """The network that stands at `point`."""
        parts = self._parts(point)
        vectors = self._template.vectors.copy()
        vectors[self._learning] = parts.vectors
        return replace(self._template, **(parts._asdict() | {"vectors": vectors}))

    def __call__(self, point: Float[np.ndarray, " parameter"]) -> tuple[float, Float[np.ndarray, " parameter"]]:
        """f and df/dcoordinate."""
        network, parts = self.network(point), self._parts(point)
        nats, slopes = self._cross_entropy(network)
        gradient = []
        for part, centre, slope, decay, scale in zip(
            parts, self._centres, slopes, self._decays, self._scales, strict=True
        ):
            pull = decay * (part - centre)
            nats += 0.5 * float(np.vdot(pull, part - centre))
            gradient.append(((slope + pull) * scale).ravel())
        return nats, np.concatenate(gradient)

    def _learning_parts(self, network: BigramNetwork) -> ParameterGroups:
        """The parameters of a network that learn."""
        return ParameterGroups(network.vectors[self._learning], network.w1, network.b1, network.w2, network.b2)

    def _parts(self, point: Float[np.ndarray, " parameter"]) -> ParameterGroups:
        """The learning parameters at `point`."""
        t = self._template
        shapes = [(len(self._learning), t.w1.shape[0]), t.w1.shape, t.b1.shape, t.w2.shape, t.b2.shape]
        pieces = np.split(point, np.cumsum([math.prod(shape) for shape in shapes])[:-1])
        return ParameterGroups(
            *(p.reshape(s) * scale for p, s, scale in zip(pieces, shapes, self._scales, strict=True))
        )

    def _cross_entropy(self, network: BigramNetwork) -> tuple[float, ParameterGroups]:
        """Σ_c n_c J_c and its derivatives: `forward` and `backward` of the model, for rows of counts, in place."""
        nats, dx = 0.0, np.zeros_like(network.vectors)
        dw1, db1, dw2, db2 = (np.zeros_like(part) for part in (network.w1, network.b1, network.w2, network.b2))
        for block in self._blocks:
            x = network.vectors[block.rows]
            hidden = np.tanh(x @ network.w1 + network.b1)
            block_nats, delta, share = unscaled_delta(hidden @ network.w2 + network.b2, block)
            nats += block_nats
            dw2 += (hidden * share[:, None]).T @ delta
            db2 += share @ delta
            dz = (delta @ network.w2.T) * (1 - hidden * hidden) * share[:, None]
            dw1 += x.T @ dz
            db1 += dz.sum(axis=0)
            dx[block.rows] = dz @ network.w1.T
        return nats, ParameterGroups(dx[self._learning], dw1, db1, dw2, db2)


def unscaled_delta(
    logits: Float[np.ndarray, "context vocab"], block: Block
) -> tuple[float, Float[np.ndarray, "context vocab"], Float[np.ndarray, " context"]]:
    """Σ_c n_c J_c of a block, and a matrix and a factor a row whose product is δ = n ŷ − counts.

    With e the exponentials of a row and s their sum, δ = (n/s)·(e − counts·s/n). Few tokens follow any one context, so
    this needs a single pass over the whole matrix once e is there; factors are cheaper applied to hidden units.
    `logits` is overwritten.
    """
    flat = logits.reshape(-1)
    predicted = flat[block.places].astype(np.float64)
    top = logits.max(axis=1)
    logits -= top[:, None]
    np.exp(logits, out=logits)
    total = logits.sum(axis=1)
    nats = float(block.n_read @ (np.log(total) + top).astype(np.float64) - predicted @ block.counts)
    flat[block.places] -= block.counts * (total / np.maximum(block.n_read, TINY))[block.row_of]
    return nats, logits, block.n_read / total


def cut_blocks(counts: csr_array, dtype: np.dtype) -> Iterator[Block]:
    """The rows of a count matrix, `ROWS` at a time."""
    n_contexts, vocab = counts.shape
    for first in range(0, n_contexts, ROWS):
        ends = counts.indptr[first : first + ROWS + 1].astype(np.int64)
        row_of = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
        places = row_of * vocab + counts.indices[ends[0] : ends[-1]]
        sizes = counts.data[ends[0] : ends[-1]].astype(dtype)
        n_read = np.bincount(row_of, weights=sizes, minlength=len(ends) - 1).astype(dtype)
        yield Block(slice(first, first + len(n_read)), n_read, row_of, places, sizes)


def growth(n_seen: Float[np.ndarray, " word"], power: float) -> Float[np.ndarray, " word"]:
    """(n / 100)^power, with one count more for every word.

    >>> growth(np.array([0.0, 99.0, 399.0]), 0.5)
    array([0.1, 1. , 2. ])
    """
    return ((n_seen + 1) / TYPICAL) ** power


def mean_nats(network: BigramNetwork, counts: csr_array) -> float:
    """Cross-entropy per token of these bigrams, in nats, without any decay."""
    total = 0.0
    for block in cut_blocks(counts, network.w2.dtype):
        hidden = ACTIVATIONS[network.activation].value(network.vectors[block.rows] @ network.w1 + network.b1)
        total += unscaled_delta(hidden @ network.w2 + network.b2, block)[0]
    return total / float(counts.sum())
