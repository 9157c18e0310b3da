"""What a perplexity says of the words that a model knows, where most words are unknown to it.

To call a word unknown costs little where most words are, and says little. Two figures look behind it:

    perplexity_behind       of a model that is only known by its perplexity and its share of unknown tokens,
                            if it tells known from unknown without looking at the context
    perplexity_given_known  of a model at hand, exactly: each known token among all that are known there,
                            p(token | context, known) = p(token | context) / (1 − p(unknown | context))
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import logsumexp

from regard.evaluation.costs import Costs
from regard.models.base import LanguageModel
from regard.shapes import Float, Int

MAX_POSITIONS = 5000
"""Tokens that are looked at: at each of them a model says how likely every token is."""


def perplexity_behind(perplexity: float, *, unknown_share: float) -> float:
    """The perplexity on known tokens of one who is told which tokens are unknown.

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
    """The perplexity of `model` on known tokens if it is told that they are known; None where there are none.

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
