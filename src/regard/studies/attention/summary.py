"""What each query reads, summed up a block of queries at a time, so that memory stays bounded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from regard.arrays import attend, attention_weights, effective_count, entropy, is_copying, top
from regard.arrays.attention import causal_mask
from regard.errors import ShapeError
from regard.shapes import Bool, Float
from regard.studies.attention.array_files import is_description, read_rows

WEIGHTS_AT_ONCE = 2**22
"""32 MiB of weights in a block; summing them up takes a few times as much."""


@dataclass(frozen=True)
class QuerySummary:
    """What one query reads: the keys with most weight, and the one it copies, with all the weight but 1 %."""

    query: int
    entropy_nats: float
    effective_count: float
    copies: int | None
    top_keys: list[int]
    top_weights: list[float]
    output: list[float] | None


@dataclass(frozen=True, eq=False)
class AttentionInput:
    """Queries, keys, values, and which keys each query may read."""

    queries: Float[np.ndarray, "query width"]
    keys: Float[np.ndarray, "key width"]
    values: Float[np.ndarray, "key value_width"] | None = None
    scale: float = 1.0
    allowed: Bool[np.ndarray, "query key"] | None = None

    def weights(self, rows: slice = slice(None)) -> Float[np.ndarray, "some key"]:
        """The attention weights of some of the queries, or of all."""
        return attention_weights(self.queries[rows], self.keys, scale=self.scale, allowed=self._allowed(rows))

    def output(self, rows: slice = slice(None)) -> Float[np.ndarray, "some value_width"] | None:
        """The values mixed with the weights, if there are values."""
        if self.values is None:
            return None
        return attend(self.queries[rows], self.keys, self.values, scale=self.scale, allowed=self._allowed(rows))

    def summaries(self, *, n_top: int) -> Iterator[QuerySummary]:
        """One for each query, with its `n_top` strongest keys."""
        step = max(1, WEIGHTS_AT_ONCE // len(self.keys))
        for start in range(0, len(self.queries), step):
            rows = slice(start, start + step)
            weights, output = self.weights(rows), self.output(rows)
            strongest = top(weights, count=n_top)
            spread, count, copying = entropy(weights), effective_count(weights), is_copying(weights)
            for i in range(len(weights)):
                yield QuerySummary(
                    query=start + i,
                    entropy_nats=float(spread[i]),
                    effective_count=float(count[i]),
                    copies=int(strongest.indices[i, 0]) if copying[i] else None,
                    top_keys=strongest.indices[i].tolist(),
                    top_weights=strongest.weights[i].tolist(),
                    output=None if output is None else output[i].tolist(),
                )

    def _allowed(self, rows: slice) -> Bool[np.ndarray, "some key"] | None:
        return None if self.allowed is None else self.allowed[rows]


class MeanKeys(NamedTuple):
    """The means of the keys, the values that come with them, and whether the file describes noise as well."""

    rows: Float[np.ndarray, "key width"]
    values: Float[np.ndarray, "key value_width"] | None = None
    is_noisy: bool = False


def read_mean_keys(source: str) -> MeanKeys:
    """The keys in a file; the mathematics of noise, slow to load, is imported only for a file that describes some."""
    if not is_description(source):
        return MeanKeys(read_rows(source))
    from regard.studies.attention.key_files import read_keys

    described = read_keys(source)
    return MeanKeys(described.keys.mean, described.values, described.is_noisy)


def combine_masks(
    queries: Float[np.ndarray, "query width"],
    keys: Float[np.ndarray, "key width"],
    *,
    allowed: Bool[np.ndarray, " ..."] | None,
    causal: bool,
) -> Bool[np.ndarray, "query key"] | None:
    """True where both masks allow the query to read the key; None where neither is given."""
    shape = (len(queries), len(keys))
    if allowed is not None and allowed.shape not in (shape, shape[1:]):
        raise ShapeError(f"allowed needs the shape {shape}, query × key, or {shape[1:]}; got {allowed.shape}")
    masks = [] if allowed is None else [np.broadcast_to(allowed, shape)]
    if causal:
        masks.append(causal_mask(np, queries, keys))
    return np.logical_and.reduce(masks) if masks else None
