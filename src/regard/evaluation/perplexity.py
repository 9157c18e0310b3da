"""Perplexity in the model's own unit, and the honest cost of a text in units that all models share.

    perplexity          exp(−(1/n) Σ ln p(token))        per word, per character, per byte: never compare two units
    bits per character  all costs of the text / (characters of the original text · ln 2)

A model that calls everything unknown has perplexity 1. Its bits per character say what that is worth: every unknown
word is spelled out, and what normalisation erased is restored.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from regard.errors import NothingScoredError
from regard.evaluation.cautions import Scoring, cautions
from regard.evaluation.costs import Costs, text_costs
from regard.models.base import LanguageModel
from regard.records import PerplexityResult, SurpriseMap
from regard.shapes import Array, Float
from regard.text.normalise.prepare import prepare

BASES = {"2": 2.0, "e": math.e, "10": 10.0}


def perplexity(log_probs_nats: Float[Array, " position"]) -> float:
    """exp of the mean surprise per scored token.

    >>> round(perplexity(np.log([0.5, 0.125])), 12)
    4.0
    """
    return perplexity_in_base(log_probs_nats, base=math.e)


def perplexity_in_base(log_probs_nats: Float[Array, " position"], *, base: float) -> float:
    """The same by way of logarithms to another base, base^(−(1/n) Σ log_base p): the same number.

    >>> round(perplexity_in_base(np.log([0.5, 0.125]), base=10.0), 12)
    4.0
    """
    if len(log_probs_nats) == 0:
        raise NothingScoredError("no token was scored; is the corpus empty?")
    mean_surprise = -np.mean(np.asarray(log_probs_nats, np.float64) / math.log(base))
    return float(np.power(base, mean_surprise))


def evaluate(
    model: LanguageModel,
    text: str,
    *,
    name: str = "text",
    model_name: str = "",
    steps: Sequence[str] = (),
    adaptive: bool = False,
) -> PerplexityResult:
    """All that is to be said of `model` on `text`, once the text went through preparation `steps`.

    `name` is what the text is called, `model_name` what the model is called; without one, its kind.
    """
    try:
        costs = text_costs(model, prepare(text, tuple(steps)), adaptive=adaptive)
    except NothingScoredError as error:
        raise NothingScoredError(f"{name}: {error}") from error
    return _result(model, costs, text_name=name, model_name=model_name or model.kind)


def _result(model: LanguageModel, costs: Costs, *, text_name: str, model_name: str) -> PerplexityResult:
    scored, original = costs.scored, costs.prepared.original
    known = scored.log_probs_nats[scored.is_known]
    per_token, per_known = perplexity(scored.log_probs_nats), perplexity(known) if len(known) else None
    return PerplexityResult(
        model=model_name,
        text=text_name,
        unit=scored.unit,
        tokens=len(scored),
        line_ends=int(costs.is_line_end.sum()),
        unknown_share=float(np.mean(~scored.is_known)),
        perplexity=per_token,
        perplexity_known=per_known,
        perplexity_by_base={name: perplexity_in_base(scored.log_probs_nats, base=base) for name, base in BASES.items()},
        characters=len(original),
        bytes=len(original.encode("utf-8", "surrogatepass")),
        token_nats=-float(scored.log_probs_nats.sum(dtype=np.float64)),
        spelling_nats=float(costs.spelled.sum()),
        restoration_nats=float(costs.tokens_restored.sum() + costs.text_restored.sum()),
        choice_nats=0.0,
        adaptive=scored.is_adaptive,
        prepare=tuple(costs.prepared.steps),
        cautions=cautions(Scoring(model, costs, per_token, per_known)),
        surprise=SurpriseMap(original, costs.per_character),
    )
