"""Perplexity in the model's own unit, and the honest cost of a text in units that all models share.

    perplexity          exp(−(1/n) Σ ln p(token))        per word, per character, per byte: never compare two units
    bits per character  all costs of the text / (characters of the original text · ln 2)

A model that calls everything unknown has perplexity 1. Its bits per character say what that is worth: every unknown
word is spelled out, and what normalisation erased is restored.

Preparation may make a text easier, and is charged for what it erases: a step that turns capitals into small letters
helps a model that knows only small ones, and pays for the capitals. Where the steps are chosen by trying them on the
very text that is scored (`best_steps`), telling which of the 2ⁿ sets was chosen costs n bits more. `compare_perplexity`
does all this for several models on several texts.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from regard.arrays.namespace import float64_array, quiet, real_number
from regard.errors import NothingScoredError, ValueRangeError
from regard.evaluation.cautions import Scoring, cautions, table_cautions
from regard.evaluation.costs import Costs, text_costs
from regard.models.base import LanguageModel
from regard.progress import Progress, silent, track
from regard.records import Caution, PerplexityResult, SurpriseMap
from regard.shapes import Array, Float
from regard.tables import StudyTable
from regard.text.normalise.prepare import STEPS, prepare

AUTO: Literal["auto"] = "auto"
MAX_TRIED = 50_000  # characters; what helps the beginning of a long text helps the rest


def evaluate_step_by_step(
    model: LanguageModel,
    text: str,
    *,
    name: str,
    model_name: str = "",
    steps: Sequence[str],
    adaptive: bool = False,
) -> list[PerplexityResult]:
    """The results without preparation, with the first step, with the first two, …"""
    return [
        evaluate(model, text, name=name, model_name=model_name, steps=steps[:n], adaptive=adaptive)
        for n in range(len(steps) + 1)
    ]


def best_steps(
    model: LanguageModel, text: str, *, adaptive: bool = False, progress: Progress = silent
) -> tuple[str, ...]:
    """The steps that make `text` cheapest for `model`, found greedily: the best one more, or two, until none gains.

    Two, as some help only together: commas must stand apart before they can be dropped. The order in which steps are
    carried out is always that of the list of all steps. A long text is judged by its beginning.
    """

    def total_nats(steps: tuple[str, ...]) -> float:
        costs = text_costs(model, prepare(text[:MAX_TRIED], steps), adaptive=adaptive)
        restored = costs.tokens_restored.sum() + costs.text_restored.sum()
        return float(costs.spelled.sum() + restored - costs.scored.log_probs_nats.sum())

    chosen: tuple[str, ...] = ()
    least = total_nats(chosen)
    n_more = 1
    while n_more <= 2:
        others = [step for step in STEPS if step not in chosen]
        wider = [_sort_steps({*chosen, *more}) for more in itertools.combinations(others, n_more)]
        tried = {steps: total_nats(steps) for steps in track(wider, progress=progress, message="trying steps")}
        best = min(tried, key=lambda steps: tried[steps], default=chosen)
        if best != chosen and tried[best] < least:
            chosen, least, n_more = best, tried[best], 1
        else:
            n_more += 1
    return chosen


def charge_choice(result: PerplexityResult) -> PerplexityResult:
    """Add to a result what it costs to tell which of all sets of steps was chosen."""
    nats = len(STEPS) * math.log(2)
    surprise = SurpriseMap(result.surprise.text, result.surprise.nats + nats / result.characters)
    return dataclasses.replace(result, choice_nats=nats, surprise=surprise)


def gain_table(results: Sequence[PerplexityResult], *, chosen: bool = False) -> StudyTable:
    """Before and after: what each further step gained, in bits per character of the original text."""
    first = results[0]
    rows = []
    for before, result in zip([first, *results], results, strict=False):
        rows.append(
            (
                "+ " + result.prepare[-1] if result.prepare else "as it is",
                result.tokens,
                result.unknown_share,
                result.perplexity,
                result.restoration_nats / math.log(2) / result.characters,
                result.bits_per_character,
                before.bits_per_character - result.bits_per_character,
            )
        )
    columns = ("prepare", "tokens", "unknown", "perplexity", "restored_bits", "bits_per_character", "gained")
    notes = [f"costs are those of the original text, {first.characters:,} characters, what was erased restored"]
    if chosen:
        notes.append(
            f"the steps were chosen on this very text: {len(STEPS)} bits are added for telling which of the "
            f"{2 ** len(STEPS)} sets of steps it was, {len(STEPS) / first.characters:.2g} bits per character"
        )
    return StudyTable(f"{first.model} on {first.text}, step by step", columns, tuple(rows), tuple(notes))


def _sort_steps(steps: set[str]) -> tuple[str, ...]:
    return tuple(step for step in STEPS if step in steps)


BASES = {"2": 2.0, "e": math.e, "10": 10.0}


def perplexity(log_probs_nats: Float[Array, " position"]) -> float:
    """exp of the mean surprise per scored token.

    >>> round(perplexity(np.log([0.5, 0.125])), 12)
    4.0
    """
    return perplexity_in_base(log_probs_nats, base=math.e)


def perplexity_in_base(log_probs_nats: Float[Array, " position"], *, base: float) -> float:
    """Perplexity by way of logarithms to another base, base^(−(1/n) Σ log_base p): any base gives one number.

    It is infinite where a token had no chance, or so little that float64 has no room for the perplexity.

    >>> round(perplexity_in_base(np.log([0.5, 0.125]), base=10.0), 12)
    4.0
    """
    if len(log_probs_nats) == 0:
        raise NothingScoredError("no token was scored; is the corpus empty?")
    log_probs_nats = float64_array(log_probs_nats, name="log-probabilities")
    if not (log_probs_nats < math.inf).all():
        raise ValueRangeError("log-probabilities must be numbers below infinity; there is NaN or infinity")
    base = real_number(base, name="base")
    if not 0 < base < math.inf or base == 1:
        raise ValueRangeError(f"base must be a positive number other than 1; got {base:g}")
    with quiet():
        mean_surprise = -np.mean(log_probs_nats / math.log(base))
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
    """Perplexity, costs and cautions of `model` on `text`, which is first prepared by `steps`.

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


@dataclass(frozen=True)
class PerplexityComparison:
    """One result for each model and text, what each preparation step gained, what to be wary of in the table."""

    results: list[PerplexityResult]
    gains: list[StudyTable]
    cautions: tuple[Caution, ...]


def compare_perplexity(
    models: Mapping[str, LanguageModel],
    texts: Mapping[str, str],
    *,
    prepare: Sequence[str] | Literal["auto"] = (),
    adaptive: bool = False,
    progress: Progress = silent,
) -> PerplexityComparison:
    """Score each model on each text, both by name; `prepare` are steps, or `auto` for those that help.

    With `adaptive`, models that can learn from the text they have scored do so; an error where none can.
    """
    if adaptive and not any(model.can_adapt for model in models.values()):
        raise ValueRangeError(
            "no model here can learn from the text it scores; leave out --adaptive, "
            "or train one with 'regard train ngram --method mixing'"
        )
    results, gains = [], []
    pairs = [(model_name, text_name) for model_name in models for text_name in texts]
    # The search for steps shows its own progress.
    shown = silent if prepare == AUTO else progress
    for model_name, text_name in track(pairs, progress=shown, message="scoring"):
        model, text = models[model_name], texts[text_name]
        adapts = adaptive and model.can_adapt
        steps = best_steps(model, text, adaptive=adapts, progress=progress) if prepare == AUTO else tuple(prepare)
        rows = evaluate_step_by_step(model, text, name=text_name, model_name=model_name, steps=steps, adaptive=adapts)
        results.append(charge_choice(rows[-1]) if prepare == AUTO else rows[-1])
        if prepare:
            gains.append(gain_table(rows, chosen=prepare == AUTO))
    return PerplexityComparison(results, gains, table_cautions(results))
