"""Several models on several texts: perplexity and comparable costs, what preparation gains, what to be wary of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from regard.errors import ValueRangeError
from regard.evaluation.cautions import table_cautions
from regard.evaluation.perplexity import best_steps, charge_choice, evaluate_step_by_step, gain_table
from regard.models.base import LanguageModel
from regard.progress import Progress, silent, track
from regard.records import Caution, PerplexityResult
from regard.tables import StudyTable

AUTO: Literal["auto"] = "auto"


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
