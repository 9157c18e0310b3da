"""The n-gram model: counts of characters, bytes or words, and Kneser–Ney or context mixing on top of them.

`fit_ngram` counts a text in memory; one that is too long for that is counted by `regard.training.ngram_on_disk`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from regard.errors import CheckpointError, NothingScoredError, ValueRangeError
from regard.models.background import Background, make_background
from regard.models.base import LanguageModel
from regard.models.ngram.context_mixing import ContextMixing
from regard.models.ngram.counts import NgramCounts
from regard.models.ngram.kneser_ney import KneserNey, UnknownWords
from regard.models.ngram.predictions import (
    Predictions,
    adaptive_predictions,
    familiarity,
    static_predictions,
    totals_of,
)
from regard.shapes import Bool, Float, Int
from regard.text.tokenise.tokenisers import fit_tokeniser
from regard.text.tokenise.tokens import Tokeniser

HIGHEST_ORDER = 10


@dataclass(frozen=True)
class NgramConfig:
    """What to count. `order` None takes the best of each method and unit; `vocabulary` is for words alone."""

    unit: Literal["char", "byte", "word", "course"] = "char"
    order: int | None = None
    method: Literal["kneser-ney", "mixing"] = "mixing"
    vocabulary: int | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueRangeError(f"there is no method {self.method!r}; choose from {', '.join(METHODS)}")

    @property
    def chosen_order(self) -> int:
        """The order asked for, or the default."""
        return self.order or DEFAULT_ORDERS.get((self.method, self.unit), 5)


DEFAULT_ORDERS = {
    ("kneser-ney", "char"): 7,
    ("kneser-ney", "byte"): 7,
    ("mixing", "char"): 10,
    ("mixing", "byte"): 10,
}
"""The order where none is asked for; 5 for words."""


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


def fit_ngram(text: str, config: NgramConfig | None = None) -> NgramModel:
    """The counting model of a text."""
    config = config or NgramConfig()
    order = config.chosen_order
    if not 1 <= order <= HIGHEST_ORDER:
        raise ValueRangeError(f"the order lies between 1 and {HIGHEST_ORDER}; got {order}")
    if not text:
        raise NothingScoredError("there is nothing to learn from: the training text is empty")
    tokeniser = fit_tokeniser(text, unit=config.unit, vocabulary=config.vocabulary)
    tokens = tokeniser.encode(text)
    ids, _ = with_marks(tokens.ids, tokeniser)
    size, mark, words = len(tokeniser.vocabulary), start_mark(tokeniser), unknown_word_ids(tokeniser)
    estimator: Estimator
    if config.method == "kneser-ney":
        estimator = KneserNey.fit(ids, vocab_size=size, order=order, start_id=mark, unknown_words=words)
    else:
        estimator = ContextMixing.fit(
            ids, vocab_size=size, order=order, start_id=mark, adaptive=True, unknown_words=words
        )
    return NgramModel(estimator, make_background(text, tokens, tokeniser, training=asdict(config) | {"order": order}))


def unknown_word_ids(tokeniser: Tokeniser) -> UnknownWords | None:
    """The ids that stand for no word; None for characters and bytes, of which new text has next to no unknown ones."""
    if tokeniser.unknown is None or tokeniser.line_end is None:
        return None
    return UnknownWords(tokeniser.unknown, tokeniser.line_end)
