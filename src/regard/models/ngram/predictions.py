"""What an n-gram model says of every id at many positions of a text at once.

static      a position's context is known by the rank of the longest one that was seen, so positions that share it
            share one distribution, which is computed once a piece
adaptive    counts move on from position to position; each distribution is made of the counts as they stood there
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from regard.display import short_repr
from regard.models.base import POSITIONS_AT_ONCE
from regard.models.ngram.context_mixing import ContextMixing, Evidence, gate_features
from regard.models.ngram.counts import Occurrences
from regard.models.ngram.kneser_ney import KneserNey, Level, look_up
from regard.models.ngram.running_counts import RunningCounts
from regard.shapes import Bool, Float, Int


@short_repr
@dataclass(frozen=True)
class Predictions:
    """ln p of every id at some positions, and what is known of their contexts."""

    log_probs: Float[np.ndarray, "position vocab"]
    familiarity: Float[np.ndarray, "position feature"]

    @classmethod
    def plain(cls, log_probs: Float[np.ndarray, "position vocab"]) -> Predictions:
        """Predictions of a model that keeps no count of contexts."""
        return cls(log_probs, np.zeros((len(log_probs), 0)))

    def __len__(self) -> int:
        return len(self.log_probs)

    def __getitem__(self, here: slice) -> Predictions:
        """The predictions at some of the positions."""
        return Predictions(self.log_probs[here], self.familiarity[here])

    @classmethod
    def join(cls, pieces: list[Predictions]) -> Predictions:
        """Several, one after another."""
        if len(pieces) == 1:
            return pieces[0]
        return cls(*(np.concatenate([getattr(p, name) for p in pieces]) for name in ("log_probs", "familiarity")))


def cut_evenly(predictions: Iterable[Predictions], *, size: int = POSITIONS_AT_ONCE) -> Iterator[Predictions]:
    """Cut predictions into pieces of `size` positions, the last one shorter, to read models side by side."""
    waiting: list[Predictions] = []
    for prediction in predictions:
        place = 0
        while place < len(prediction):
            taken = prediction[place : place + size - sum(map(len, waiting))]
            waiting.append(taken)
            place += len(taken)
            if sum(map(len, waiting)) == size:
                yield Predictions.join(waiting)
                waiting = []
    if waiting:
        yield Predictions.join(waiting)


def plain_predictions(tables: Iterable[Float[np.ndarray, "_ vocab"]]) -> Iterator[Predictions]:
    """As `Predictions.plain`, of tables that come in pieces."""
    return (Predictions.plain(table) for table in tables)


NUMBERS_AT_ONCE = 1 << 19
"""Of a table [position vocab]: 4 MB, which a processor's cache still holds."""


def static_predictions(
    estimator: KneserNey | ContextMixing, marked: Int[np.ndarray, " marked"], is_id: Bool[np.ndarray, " marked"]
) -> Iterator[Predictions]:
    """At each id of a text with start marks, from the counts of the training text alone."""
    start = 0
    for seen in estimator.counts.pieces(marked):
        here = is_id[start : start + seen.ngrams.shape[1]]
        start += len(here)
        for positions in _pieces(np.flatnonzero(here), estimator.counts.vocab_size):
            contexts, which = distinct_contexts(seen.contexts[:, positions])
            known = familiarity(totals_of(estimator, contexts))
            yield Predictions(estimator.log_probs_after(contexts)[which], known[which])


def adaptive_predictions(
    estimator: ContextMixing, marked: Int[np.ndarray, " marked"], is_id: Bool[np.ndarray, " marked"]
) -> Iterator[Predictions]:
    """At each id of a text with start marks, once all that comes before it has been added to the counts."""
    start, gate, size = 0, estimator.adaptive_gate, estimator.counts.vocab_size
    assert gate is not None  # callers have checked
    for levels, seen in estimator.levels_before(marked):
        running = RunningCounts(levels.plain, levels.continued, seen)
        here = is_id[start : start + seen.ngrams.shape[1]]
        start += len(here)
        for positions, evidence in _running_evidence(running, seen, np.flatnonzero(here), size):
            totals = [tallies[positions, 0] for tallies in running.tallies]
            yield Predictions(estimator.log_next(evidence, gate), familiarity(totals))


def _running_evidence(
    running: RunningCounts, seen: Occurrences, positions: Int[np.ndarray, " position"], vocab_size: int
) -> Iterator[tuple[Int[np.ndarray, " batch"], Evidence]]:
    """What all orders say of every symbol, from the counts as they stood at each position."""
    plain, continued = running.histories()
    for piece in _pieces(positions, vocab_size):
        yield (
            piece,
            Evidence(
                (order.over_vocab(piece, vocab_size=vocab_size) for order in plain),
                (order.over_vocab(piece, vocab_size=vocab_size) for order in continued),
                gate_features([tallies[piece] for tallies in running.tallies]),
            ),
        )


def distinct_contexts(
    contexts: Int[np.ndarray, "order position"],
) -> tuple[Int[np.ndarray, "order context"], Int[np.ndarray, " position"]]:
    """The different contexts among those of some positions, and which of them each position has.

    The rank of the longest context that was seen tells all shorter ones, its own endings.
    """
    n_orders, n_positions = contexts.shape
    longest = (contexts >= 0).sum(axis=0) - 1
    keys = contexts[longest, np.arange(n_positions)] * n_orders + longest
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return contexts[:, first], which


def totals_of(
    estimator: KneserNey | ContextMixing, contexts: Int[np.ndarray, "order context"]
) -> list[Int[np.ndarray, " context"]]:
    """How often each context was seen, at every order; 0 for one that never was."""
    levels: Sequence[Level] = estimator.levels.plain if isinstance(estimator, ContextMixing) else estimator.levels
    return [look_up(level.tallies[:, 0], row, missing=0.0) for level, row in zip(levels, contexts, strict=True)]


def familiarity(totals: Sequence[Int[np.ndarray, " context"]]) -> Float[np.ndarray, "context 2"]:
    """The length of the longest context that was seen, and ln(1 + how often).

    >>> familiarity([np.array([9, 9]), np.array([1, 3]), np.array([0, 2])]).round(2)
    array([[1.  , 0.69],
           [2.  , 1.1 ]])
    """
    every = np.stack(totals)
    length = (every[1:] > 0).sum(axis=0)
    return np.stack([length, np.log1p(every[length, np.arange(len(length))])], axis=1).astype(np.float64)


def _pieces(positions: Int[np.ndarray, " position"], vocab_size: int) -> Iterator[Int[np.ndarray, " _"]]:
    """Positions, as many at once as make a table of a few megabytes."""
    size = max(1, NUMBERS_AT_ONCE // vocab_size)
    return (positions[start : start + size] for start in range(0, len(positions), size))
