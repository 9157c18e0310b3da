"""Models × texts → results: what `regard perplexity` does between reading its options and printing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from regard.cli.output import tracked
from regard.cli.text_input import find_text, reading
from regard.errors import ValueRangeError
from regard.evaluation.cautions import table_cautions
from regard.evaluation.preparation import best_steps, charge_choice, evaluate_step_by_step, gain_table
from regard.models.base import LanguageModel
from regard.models.checkpoint import load_model
from regard.records import Caution, PerplexityResult, StudyTable

AUTO = "auto"


@dataclass(frozen=True)
class Outcome:
    """One result for each model and text, what each preparation step gained, what to be wary of in the table."""

    results: list[PerplexityResult]
    gains: list[StudyTable]
    cautions: tuple[Caution, ...]


def run(models: Sequence[str], texts: Sequence[str], *, prepare: str, adaptive: bool) -> Outcome:
    """Score each model on each text; `prepare` holds steps with commas between, or `auto`."""
    with reading(*texts):
        contents = {corpus.name: corpus.text for corpus in map(find_text, texts)}
        loaded = {name: load_model(name) for name in dict.fromkeys(models)}
    if adaptive and not any(model.can_adapt for model in loaded.values()):
        raise ValueRangeError(
            "no model here can learn from the text it scores; leave out --adaptive, "
            "or train one with 'regard train ngram --method mixing'"
        )
    results, gains = [], []
    pairs = [(model_name, text_name) for model_name in loaded for text_name in contents]
    # The search for steps has a progress bar of its own.
    for model_name, text_name in pairs if prepare == AUTO else tracked(pairs, "scoring"):
        model, text = loaded[model_name], contents[text_name]
        adapts = adaptive and model.can_adapt
        rows, is_chosen = _rows(model, text, (model_name, text_name), prepare=prepare, adaptive=adapts)
        results.append(charge_choice(rows[-1]) if is_chosen else rows[-1])
        if prepare:
            gains.append(gain_table(rows, chosen=is_chosen))
    return Outcome(results, gains, table_cautions(results))


def _rows(
    model: LanguageModel, text: str, names: tuple[str, str], *, prepare: str, adaptive: bool
) -> tuple[list[PerplexityResult], bool]:
    """Results step by step, the last with all steps; and whether the steps were chosen on this text."""
    is_chosen = prepare == AUTO
    steps = best_steps(model, text, adaptive=adaptive, track=tracked) if is_chosen else _split(prepare)
    model_name, text_name = names
    rows = evaluate_step_by_step(model, text, name=text_name, model_name=model_name, steps=steps, adaptive=adaptive)
    return rows, is_chosen


def _split(steps: str) -> tuple[str, ...]:
    return tuple(step.strip() for step in steps.split(",") if step.strip())
