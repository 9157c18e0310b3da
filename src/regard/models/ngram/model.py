"""The n-gram model: counts of characters, bytes or words, and Kneser–Ney or context mixing on top of them.

`NgramModel` is the language model. `Predictions` are what it says of every id at many positions of a text at once:

    static      a position's context is known by the rank of the longest one that was seen, so positions that share it
                share one distribution, which is computed once a piece
    adaptive    counts move on from position to position; each distribution is made of the counts as they stood there
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

import numpy as np

from regard.display import short_repr
from regard.errors import CheckpointError, ValueRangeError
from regard.models.background import Background
from regard.models.base import POSITIONS_AT_ONCE, LanguageModel
from regard.models.ngram.context_mixing import ContextMixing, Evidence, gate_features
from regard.models.ngram.counts import NgramCounts, Occurrences
from regard.models.ngram.kneser_ney import KneserNey, Level, look_up
from regard.models.ngram.running_counts import RunningCounts
from regard.shapes import Bool, Float, Int
from regard.text.tokenise.tokens import Tokeniser


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
    """Predictions of a model that keeps no count of contexts."""
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


def start_mark(tokeniser: Tokeniser) -> int | None:
    """The id that opens a line, the first one outside the vocabulary; None where a text is one long sequence."""
    return None if tokeniser.line_end is None else len(tokeniser.vocabulary)


def with_marks(
    ids: Int[np.ndarray, " position"], tokeniser: Tokeniser, *, opens_line: bool = True
) -> tuple[Int[np.ndarray, " marked"], Bool[np.ndarray, " marked"]]:
    """The ids with a mark before each line, and where the ids themselves stand among them.

    The first id begins a line, unless `opens_line` is False.
    """
    mark = start_mark(tokeniser)
    if mark is None:
        return ids, np.ones(len(ids), bool)
    opens = np.zeros(len(ids), bool)
    opens[:1] = opens_line
    opens[1:] = ids[:-1] == tokeniser.line_end
    places = np.arange(len(ids)) + np.cumsum(opens)
    marked = np.full(len(ids) + int(opens.sum()), mark, dtype=np.int64)
    marked[places] = ids
    is_id = np.zeros(len(marked), bool)
    is_id[places] = True
    return marked, is_id


Estimator: TypeAlias = KneserNey | ContextMixing
METHODS: dict[str, Callable[[dict[str, np.ndarray]], Estimator]] = {
    "kneser-ney": lambda arrays: KneserNey(NgramCounts.from_arrays(arrays)),
    "mixing": ContextMixing.from_arrays,
}
"""How each method of estimating is restored from its arrays."""
HIGHEST_ORDER = 10


@dataclass(frozen=True, repr=False)
class NgramModel(LanguageModel):
    """A language model that counts; `estimator` makes probabilities of the counts."""

    kind: ClassVar[str] = "ngram"
    estimator: Estimator
    background: Background

    @property
    def method(self) -> str:
        """kneser-ney or mixing."""
        return "mixing" if isinstance(self.estimator, ContextMixing) else "kneser-ney"

    @property
    def order(self) -> int:
        """The longest n-gram, its last symbol included."""
        return self.estimator.counts.order

    @property
    def can_adapt(self) -> bool:
        """Whether it is a mixture with a gate for that."""
        return isinstance(self.estimator, ContextMixing) and self.estimator.adaptive_gate is not None

    def token_log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """ln p(idᵢ | the ids before it on its line) for each i."""
        marked, is_id = with_marks(ids, self.tokeniser)
        return self.estimator.log_probs(marked)[is_id]

    def adaptive_log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """ln p(idᵢ | the ids before it on its line) for each i; each id, once scored, is added to the counts."""
        marked, is_id = with_marks(ids, self.tokeniser)
        return self._adaptive_estimator().adaptive_log_probs(marked)[is_id]

    def _adaptive_estimator(self) -> ContextMixing:
        if not isinstance(self.estimator, ContextMixing) or not self.can_adapt:
            raise ValueRangeError(
                "this n-gram model cannot learn from the text it scores; train one with '--method mixing'"
            )
        return self.estimator

    def predictions(self, ids: Int[np.ndarray, " position"], *, adaptive: bool = False) -> Iterator[Predictions]:
        """ln p of every id at each position, and how well its context is known, piece by piece."""
        marked, is_id = with_marks(ids, self.tokeniser)
        if adaptive:
            return adaptive_predictions(self._adaptive_estimator(), marked, is_id)
        return static_predictions(self.estimator, marked, is_id)

    def next_log_probs_along(self, ids: Int[np.ndarray, " position"]) -> Iterator[Float[np.ndarray, "position vocab"]]:
        """ln p(every id | the ids before it on its line) at each position, piece by piece."""
        return (prediction.log_probs for prediction in self.predictions(ids))

    def adaptive_next_log_probs_along(
        self, ids: Int[np.ndarray, " position"], *, settings: Mapping[str, Any] | None = None
    ) -> Iterator[Float[np.ndarray, "position vocab"]]:
        """ln p of every id at each position; each id, once scored, is added to the counts. There are no settings."""
        return (prediction.log_probs for prediction in self.predictions(ids, adaptive=True))

    def unlearn(self, ids: Int[np.ndarray, " position"]) -> NgramModel:
        """The model with the n-grams of `ids` taken out of its counts; those across its ends stay."""
        marked, _ = with_marks(ids, self.tokeniser)
        counts = self.estimator.counts
        seen = counts.occurrences(marked)
        left = counts.without(seen)
        is_new = (seen.contexts >= 0) & (seen.ngrams < 0)
        if is_new.any() or any(table.counts.min(initial=0) < 0 for table in left.tables):
            raise ValueRangeError("this n-gram model cannot unlearn that text: it was not trained on all of it")
        return replace(self, estimator=replace(self.estimator, counts=left))

    def reader(self) -> NgramReader:
        """A reader that has read nothing yet."""
        return NgramReader(self)

    def config(self) -> dict[str, Any]:
        """Which estimator it is."""
        return {"method": self.method, "order": self.order}

    def arrays(self) -> dict[str, np.ndarray]:
        """The counts, and the gates of a mixture."""
        if isinstance(self.estimator, ContextMixing):
            return self.estimator.to_arrays()
        return self.estimator.counts.to_arrays()

    @classmethod
    def restore(cls, config: dict[str, Any], arrays: dict[str, np.ndarray], background: Background) -> NgramModel:
        """The model that `config` and `arrays` came from."""
        model = cls(METHODS[config["method"]](arrays), background)
        if model.estimator.counts.vocab_size != len(background.tokeniser.vocabulary):
            raise CheckpointError(
                f"the model counts {model.estimator.counts.vocab_size} symbols and its tokeniser has "
                f"{len(background.tokeniser.vocabulary)}; they do not belong together"
            )
        return model


class NgramReader:
    """The last few ids, and what they say of the next."""

    def __init__(self, model: NgramModel) -> None:
        self._model = model
        self._mark = start_mark(model.tokeniser)
        self._context = deque([] if self._mark is None else [self._mark], maxlen=max(model.order - 1, 1))

    def read(self, token: int) -> None:
        """Take in one more id; after the end of a line comes a mark, which contexts do not reach across."""
        self._context.append(token)
        if self._mark is not None and token == self._model.tokeniser.line_end:
            self._context.append(self._mark)

    def next_log_probs(self) -> Float[np.ndarray, " vocab"]:
        """How likely each id is to come next, in nats."""
        return self._model.estimator.next_log_probs(self._ids())

    def familiarity(self) -> Float[np.ndarray, " 2"]:
        """The length of the longest context that was seen, and ln(1 + how often)."""
        estimator = self._model.estimator
        return familiarity(totals_of(estimator, estimator.counts.context_ranks([self._ids()])))[0]

    def _ids(self) -> Int[np.ndarray, " position"]:
        return np.array(self._context, dtype=np.int64)
