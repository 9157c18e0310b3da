"""From several models of a text to a mixture of them, in one call, measured beside its members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from regard.errors import ValueRangeError
from regard.evaluation.perplexity import evaluate
from regard.models.base import LanguageModel
from regard.models.checkpoint import load_model
from regard.models.folder_writer import ModelFolder, save
from regard.models.mixture.model import MixtureModel
from regard.progress import Progress, show_progress, silent
from regard.studies.training.run import (
    Stopwatch,
    TextParts,
    TrainingResult,
    measure_validation,
    open_folder,
    split_text,
)
from regard.text.corpora.corpus import TextSource, find_text
from regard.training import mixture as training
from regard.training.mixture import MixtureConfig

PER_CHARACTER = "valid_nats_per_character"
ADAPTIVE = "adaptive_valid_nats_per_character"


def train_mixture(
    models: Sequence[LanguageModel | Path | str],
    text: TextSource,
    config: MixtureConfig | None = None,
    *,
    form: Literal["geometric", "linear"] = "geometric",
    gate: Literal["features", "fixed"] = "features",
    adaptive: bool = True,
    fit_on: TextSource | None = None,
    out: Path | str | None = None,
    force: bool = False,
    progress: Progress | bool = True,
) -> MixtureModel:
    """Mix models over the same alphabet, given as models or folders; with `out`, also write the mixture there.

    `text` is what the models were trained on: a corpus name, a path, or a text with a line break in it. The weights
    are fitted on what networks keep back of it, or on `fit_on`, which no model has learnt from.
    """
    if len(models) < 2:
        raise ValueRangeError(f"a mixture needs two models or more; got {len(models)}")
    config = config or MixtureConfig(form=form, gate=gate, adaptive=adaptive)
    with show_progress(progress) as report, open_folder(out, kind="mixture", force=force) as place:
        members = [load_model(each) if isinstance(each, str | Path) else each for each in models]
        other = None if fit_on is None else find_text(fit_on).text
        return run(members, split_text(text, valid=0), config, fit_on=other, place=place, progress=report).model


def run(
    members: Sequence[LanguageModel],
    parts: TextParts,
    config: MixtureConfig,
    *,
    names: Sequence[str] = (),
    fit_on: str | None = None,
    place: ModelFolder | None = None,
    progress: Progress = silent,
) -> TrainingResult[MixtureModel]:
    """Fit the weights, save the mixture, measure it and each member; `names` are what members are called."""
    watch = Stopwatch()
    progress(None, "fitting the weights")
    mixture = training.train_mixture(members, parts.train, config, fit_on=fit_on)
    if place is not None:
        save(mixture, place)
    seconds = watch.seconds()
    progress(None, "measuring")
    facts = {**asdict(config), **seconds, **measure_validation(mixture, parts)}
    names = names or [member.kind for member in members]
    facts |= measure_adaptive(mixture, parts) | {"members": measure_members(names, members, mixture, parts)}
    return TrainingResult(mixture, facts)


def measure_members(
    names: Sequence[str], members: Sequence[LanguageModel], mixture: MixtureModel, parts: TextParts
) -> list[dict[str, Any]]:
    """Each member: its mean weight where the gate was fitted, and what it reaches alone."""
    weights = mixture.background.notes["mean_weights"]
    return [
        {"model": name, "kind": member.kind, "mean_weight": weight, **_measure_alone(member, parts)}
        for name, member, weight in zip(names, members, weights, strict=True)
    ]


def _measure_alone(member: LanguageModel, parts: TextParts) -> dict[str, float]:
    found = measure_validation(member, parts)
    return {PER_CHARACTER: found[PER_CHARACTER]} if found else {}


def measure_adaptive(mixture: MixtureModel, parts: TextParts) -> dict[str, Any]:
    """What the adaptive part reaches, and how its members learn; nothing where there is none."""
    if mixture.adaptive is None:
        return {}
    facts: dict[str, Any] = {"adaptive_settings": list(mixture.adaptive.settings)}
    if parts.valid is not None:
        facts[ADAPTIVE] = evaluate(mixture, parts.valid, name=parts.valid_name, adaptive=True).nats_per_character
    return facts
