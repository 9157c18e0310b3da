"""What a model pays for a text, cost by cost: tokens, spelling of unknown words, restoration of what was erased.

    cost of a text  =  Σ −ln p(token)  +  Σ spelling of each unknown word  +  restoration

Restoration is due twice where both apply: from the tokens to the prepared text (a tokeniser that puts everything into
lower case), and from the prepared text to the original (preparation that does).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import logsumexp

from regard.evaluation.restoration import cut_at, restoration_nats, word_cuts
from regard.models.base import LanguageModel
from regard.records import ScoredText
from regard.shapes import Bool, Float, Int
from regard.text.normalise.prepare import Prepared
from regard.text.tokenise.tokens import Tokeniser, Tokens


def spread(
    nats: Float[np.ndarray, " pair"],
    starts: Int[np.ndarray, " pair"],
    ends: Int[np.ndarray, " pair"],
    *,
    n_characters: int,
) -> Float[np.ndarray, " character"]:
    """Each cost in equal parts over characters start … end − 1, or on the one before an empty span; the sum is kept.

    >>> spread(np.array([3.0, 1.0]), np.array([0, 2]), np.array([2, 2]), n_characters=2)
    array([1.5, 2.5])
    """
    lengths = np.maximum(ends - starts, 1)
    starts = np.where(ends > starts, starts, np.maximum(starts - 1, 0))
    ramp = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    places = np.repeat(starts, lengths) + ramp
    counted = np.bincount(places, weights=np.repeat(nats / lengths, lengths), minlength=n_characters)
    return counted.astype(np.float64)  # of nothing at all, bincount makes integers


MAX_POSITIONS = 5000
"""Tokens that are looked at: at each of them a model says how likely every token is."""


def perplexity_behind(perplexity: float, *, unknown_share: float) -> float:
    """The perplexity on known tokens of a reader who learns from elsewhere which tokens are unknown.

    ln PPL = H(u) + (1 − u) ln PPL_known, where H(u) = −u ln u − (1 − u) ln(1 − u) is what a calibrated model pays
    for telling the unknown ones from the rest, if the context does not help it. A model that knows from the context
    where unknown words stand pays less, so of such a model this makes a figure that is too small, even below 1.

    >>> round(perplexity_behind(5.7706, unknown_share=2 / 3), 1)
    28.5
    """
    u = unknown_share
    telling = -sum(p * math.log(p) for p in (u, 1 - u) if p > 0)
    return math.exp((math.log(perplexity) - telling) / (1 - u))


def perplexity_given_known(model: LanguageModel, costs: Costs) -> float | None:
    """The perplexity of `model` on known tokens, given that they are known; None where there are none.

    Of a long text, that of its first tokens. It is never below 1: a known token is one of those that are summed over.
    """
    ids, unknown = model.tokeniser.encode(costs.scored.text).ids[:MAX_POSITIONS], model.tokeniser.unknown
    along = model.adaptive_next_log_probs_along if costs.scored.is_adaptive else model.next_log_probs_along
    surprises, place = [np.zeros(0)], 0
    for log_probs in along(ids):
        here = ids[place : place + len(log_probs)]
        surprises.append(_surprises_given_known(log_probs, here, unknown))
        place += len(log_probs)
    nats = np.concatenate(surprises)
    return float(np.exp(nats.mean())) if len(nats) else None


def _surprises_given_known(
    log_probs: Float[np.ndarray, "position vocab"], ids: Int[np.ndarray, " position"], unknown: int | None
) -> Float[np.ndarray, " known"]:
    """−ln p(id | known) of each id that is known."""
    rows = np.flatnonzero(ids != unknown)
    known = log_probs[rows] if unknown is None else np.delete(log_probs[rows], unknown, axis=1)
    return logsumexp(known, axis=1) - log_probs[rows, ids[rows]]


@dataclass(frozen=True)
class Costs:
    """Costs of one text in nats; `tokens_restored` and `spelled` go with the tokens, `text_restored` with words."""

    prepared: Prepared
    scored: ScoredText
    pieces: list[str]
    is_line_end: Bool[np.ndarray, " position"]
    spelled: Float[np.ndarray, " position"]
    tokens_restored: Float[np.ndarray, " position"]
    text_restored: Float[np.ndarray, " word"]
    word_bounds: Int[np.ndarray, " cut"]

    @cached_property
    def per_character(self) -> Float[np.ndarray, " character"]:
        """All costs over the characters of the original text."""
        prepared, scored = self.prepared, self.scored
        token_nats = self.spelled + self.tokens_restored - scored.log_probs_nats
        starts, ends = prepared.original_places(scored.starts), prepared.original_places(scored.ends)
        words, n_characters = self.word_bounds, len(prepared.original)
        return spread(token_nats, starts, ends, n_characters=n_characters) + spread(
            self.text_restored, words[:-1], words[1:], n_characters=n_characters
        )


def text_costs(model: LanguageModel, prepared: Prepared, *, adaptive: bool = False) -> Costs:
    """What `model` pays for a prepared text, and for the original behind it."""
    scored = model.score(prepared.text, adaptive=adaptive)
    tokens = model.tokeniser.encode(prepared.text)
    pieces = model.tokeniser.pieces(prepared.text, tokens)
    text_restored, word_bounds = _preparation_nats(prepared)
    return Costs(
        prepared=prepared,
        scored=scored,
        pieces=pieces,
        is_line_end=_is_line_end(tokens, model.tokeniser),
        spelled=_spelling_nats(model, pieces, scored),
        tokens_restored=_tokeniser_nats(model, pieces, scored),
        text_restored=text_restored,
        word_bounds=word_bounds,
    )


def _is_line_end(tokens: Tokens, tokeniser: Tokeniser) -> Bool[np.ndarray, " position"]:
    return np.zeros(len(tokens), bool) if tokeniser.line_end is None else tokens.ids == tokeniser.line_end


def _spelling_nats(model: LanguageModel, pieces: list[str], scored: ScoredText) -> Float[np.ndarray, " position"]:
    """The cost of each unknown token's word; the white space after a word is restored, not spelled."""
    unknown = np.flatnonzero(~scored.is_known)
    nats = np.zeros(len(scored))
    words = [pieces[i] if model.tokeniser.is_lossless else pieces[i].strip() for i in unknown.tolist()]
    nats[unknown] = model.background.speller.nats(words) if words else 0.0
    return nats


def _tokeniser_nats(model: LanguageModel, pieces: list[str], scored: ScoredText) -> Float[np.ndarray, " position"]:
    """What it costs to write down the text behind the tokens; nothing where they are the text itself."""
    if model.tokeniser.is_lossless:
        return np.zeros(len(scored))
    spans = zip(scored.starts.tolist(), scored.ends.tolist(), strict=True)
    originals = [scored.text[start:end] for start, end in spans]
    return restoration_nats(pieces, originals, is_spelled=~scored.is_known)


def _preparation_nats(prepared: Prepared) -> tuple[Float[np.ndarray, " word"], Int[np.ndarray, " cut"]]:
    """What it costs to undo the preparation, word by word, and where those words stand in the original.

    The words are those of the prepared text, which is known by then; any split of the original that goes with them
    would do.
    """
    if not prepared.steps:
        return np.zeros(0), np.zeros(1, np.int64)
    cuts = np.array(word_cuts(prepared.text))
    places = prepared.original_places(cuts)
    places[0], places[-1] = 0, len(prepared.original)
    pieces, originals = cut_at(prepared.text, cuts.tolist()), cut_at(prepared.original, places.tolist())
    return restoration_nats(pieces, originals), places
