"""What chapter 7 asks of the package: models on passages, in units that can be compared, and what to be wary of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from regard.errors import NothingScoredError
from regard.evaluation.cautions import table_cautions
from regard.evaluation.perplexity import evaluate, evaluate_step_by_step, gain_table
from regard.lab import inputs
from regard.lab.chapters.perplexity.models import MODELS, TEXTS, train_models
from regard.lab.jobs import JobProgress
from regard.lab.server.api import Question
from regard.models.base import LanguageModel
from regard.records import Caution, PerplexityResult
from regard.report.heat import cut_spans
from regard.text.normalise.prepare import STEPS

MAX_CHARACTERS = 4_000
"""Of a passage: five models score this many twice in about a second."""
PASSAGES = {"a": "passage A", "b": "passage B"}
RESULT_FIELDS = (
    "model", "unit", "tokens", "line_ends", "unknown_share", "perplexity", "perplexity_known", "characters",
    "bits_per_character", "bits_per_byte",
)  # fmt: skip


@dataclass(frozen=True)
class CompareInput:
    """Two passages, one of which may be empty; what is compared on them, and for which of them each step is shown."""

    text: str = inputs.choice(*TEXTS)
    models: tuple[str, ...] = inputs.some_of(*MODELS)
    a: str = inputs.text(least=0, most=MAX_CHARACTERS)
    b: str = inputs.text(least=0, most=MAX_CHARACTERS)
    steps: tuple[str, ...] = inputs.some_of(*STEPS)
    gains: str = inputs.choice(*MODELS)
    on: str = inputs.choice(*PASSAGES.values())

    @property
    def passages(self) -> dict[str, str]:
        """The passages in which something is written, by name."""
        texts = {name: getattr(self, field) for field, name in PASSAGES.items()}
        return {name: passage for name, passage in texts.items() if passage.strip()}


@dataclass(frozen=True, eq=False)
class Comparison:
    """A result for each model and passage, prepared and as it is; and what to be wary of in the table as a whole."""

    results: tuple[PerplexityResult, ...]
    unprepared: tuple[PerplexityResult, ...]
    cautions: tuple[Caution, ...]


def answer(now: CompareInput, progress: JobProgress) -> dict[str, Any]:
    """Everything that the page shows; models that are not kept yet are trained first."""
    models = train_models(now.text, progress)
    progress(None, "scoring the passages")
    found = compare(models, now, progress)
    return {
        "rows": [result_row(result, before) for result, before in zip(found.results, found.unprepared, strict=True)],
        "warnings": warning_lines(found),
        "maps": [surprise_spans(result) for result in found.results],
        "gains": step_gains(models, now),
    }


QUESTIONS = {"compare": Question(CompareInput, answer, is_long=True)}


def compare(models: Mapping[str, LanguageModel], now: CompareInput, progress: JobProgress) -> Comparison:
    """Every model on every passage.

    Raises NothingScoredError where preparation leaves nothing of a passage.
    """
    results, unprepared = [], []
    for passage, words in now.passages.items():
        for name in now.models:
            progress(None, f"{name} reads {passage}")
            plain = evaluate(models[name], words, name=passage, model_name=name)
            unprepared.append(plain)
            if now.steps:
                plain = evaluate(models[name], words, name=passage, model_name=name, steps=now.steps)
            results.append(plain)
    return Comparison(tuple(results), tuple(unprepared), tuple(table_cautions(results)) if results else ())


def result_row(result: PerplexityResult, before: PerplexityResult) -> dict[str, Any]:
    """The figures of one model on one passage; `gained` is what preparation has saved, in bits per character."""
    row = {name: _finite(getattr(result, name)) for name in RESULT_FIELDS}
    gained = before.bits_per_character - result.bits_per_character if result.prepare else None
    return {"passage": result.text, **row, "gained": gained}


def surprise_spans(result: PerplexityResult) -> dict[str, Any]:
    """The passage cut where the cost changes: how long each part is, and what a character of it cost in bits."""
    spans = [(len(span.text), round(span.bits, 2)) for span in cut_spans(result.surprise)]
    return {"passage": result.text, "model": result.model, "text": result.surprise.text, "spans": spans}


def step_gains(models: Mapping[str, LanguageModel], now: CompareInput) -> list[dict[str, Any]]:
    """What each step gained in turn, for one model on one passage; nothing where that cannot be scored."""
    if now.on not in now.passages or not now.steps:
        return []
    try:
        table = gain_table(
            evaluate_step_by_step(
                models[now.gains], now.passages[now.on], name=now.on, model_name=now.gains, steps=now.steps
            )
        )
    except NothingScoredError:
        return []
    return [dict(zip(table.columns, map(_finite, row), strict=True)) for row in table.rows]


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def warning_lines(found: Comparison) -> list[str]:
    """What to be wary of, one sentence each; steps are named as in the chapter."""
    lines = [caution.message for caution in found.cautions]
    lines += [f"{result.model} on {result.text}: {line}" for result in found.results for line in result.warnings]
    return [line.replace("--prepare ", "the step ") for line in lines]
