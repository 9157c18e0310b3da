"""What preparation of a text gains, and which preparation is best: always in costs of the original text.

A step that turns capitals into small letters makes a text easier for a model that knows only small ones, and is charged
for the capitals it erased. Where the steps are chosen by trying them on the very text that is scored, telling which
of the 2ⁿ sets was chosen costs n bits more.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from regard.evaluation.costs import text_costs
from regard.evaluation.perplexity import evaluate
from regard.models.base import LanguageModel
from regard.records import PerplexityResult, StudyTable, SurpriseMap
from regard.text.normalise.prepare import STEPS, prepare

MAX_TRIED = 50_000  # characters; what helps the beginning of a long text helps the rest
Track = Callable[[Sequence[Any], str], Iterable[Any]]


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
    model: LanguageModel, text: str, *, adaptive: bool = False, track: Track | None = None
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
        wider = [_in_order({*chosen, *more}) for more in itertools.combinations(others, n_more)]
        tried = {steps: total_nats(steps) for steps in (wider if track is None else track(wider, "trying steps"))}
        best = min(tried, key=lambda steps: tried[steps], default=chosen)
        if best != chosen and tried[best] < least:
            chosen, least, n_more = best, tried[best], 1
        else:
            n_more += 1
    return chosen


def charge_choice(result: PerplexityResult) -> PerplexityResult:
    """The same result, charged for telling which of all sets of steps was chosen."""
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


def _in_order(steps: set[str]) -> tuple[str, ...]:
    return tuple(step for step in STEPS if step in steps)
