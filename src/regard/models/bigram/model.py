"""The neural bigram model of text: a network that reads one token and predicts the next, alone or beside counts.

    p(v | c) = trust(c)·p_network(v | c) + (1 − trust(c))·p_counts(v | c)

where counts are Kneser–Ney's, and trust is 1 everywhere for a network by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from regard.arrays.threads import threads_for
from regard.display import short_repr
from regard.errors import CheckpointError
from regard.models.base import POSITIONS_AT_ONCE, Background, LanguageModel
from regard.models.bigram.network import PARAMETERS, BigramNetwork, next_log_probs
from regard.models.ngram.counts import NgramCounts
from regard.models.ngram.kneser_ney import KneserNey
from regard.shapes import Float, Int
from regard.text.tokenise.tokens import Tokeniser

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
        """Take in one more id; after the end of a line, begin anew."""
        self._context = self._mark if token == self._model.tokeniser.line_end else token

    def next_log_probs(self) -> Float[np.ndarray, " vocab"]:
        """How likely each id is to come next, in nats."""
        return self._model.after(np.array([self._context]))[0]


def context_ids_before(ids: Int[np.ndarray, " position"], tokeniser: Tokeniser) -> Int[np.ndarray, " position"]:
    """The id before each id; the start mark, one beyond the vocabulary, at the beginning of a line or text."""
    mark = len(tokeniser.vocabulary)
    contexts = np.append(mark, ids[:-1])[: len(ids)]
    return contexts if tokeniser.line_end is None else np.where(contexts == tokeniser.line_end, mark, contexts)
