"""From a text to a counting model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from regard.errors import NothingScoredError, ValueRangeError
from regard.models.background import make_background
from regard.models.ngram.context_mixing import ContextMixing
from regard.models.ngram.kneser_ney import KneserNey, UnknownWords
from regard.models.ngram.model import HIGHEST_ORDER, Estimator, NgramModel, start_mark, with_marks
from regard.text.tokenise.tokenisers import fit_tokeniser
from regard.text.tokenise.tokens import Tokeniser


@dataclass(frozen=True)
class NgramConfig:
    """What to count. `order` None takes the best of each method and unit; `vocabulary` is for words alone."""

    unit: Literal["char", "byte", "word", "course"] = "char"
    order: int | None = None
    method: Literal["kneser-ney", "mixing"] = "mixing"
    vocabulary: int | None = None

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


def train_ngram(text: str, config: NgramConfig | None = None) -> NgramModel:
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
    size, mark, words = len(tokeniser.vocabulary), start_mark(tokeniser), unknown_words(tokeniser)
    estimator: Estimator
    if config.method == "kneser-ney":
        estimator = KneserNey.fit(ids, vocab_size=size, order=order, start_id=mark, unknown_words=words)
    else:
        estimator = ContextMixing.fit(
            ids, vocab_size=size, order=order, start_id=mark, adaptive=True, unknown_words=words
        )
    return NgramModel(estimator, make_background(text, tokens, tokeniser, training=asdict(config) | {"order": order}))


def unknown_words(tokeniser: Tokeniser) -> UnknownWords | None:
    """What is not known of a text's words; None for characters and bytes, of which new text has next to none."""
    if tokeniser.unknown is None or tokeniser.line_end is None:
        return None
    return UnknownWords(tokeniser.unknown, tokeniser.line_end)
