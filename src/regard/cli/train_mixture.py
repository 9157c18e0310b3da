"""What `regard train mixture` does: load the members, fit the gates, save, measure all of them side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from regard.cli.output import Cell, at_work, print_json, print_table
from regard.cli.text_input import find_text, reading
from regard.cli.training_text import Stopwatch, TextParts, measured, read_parts, report
from regard.evaluation.perplexity import evaluate
from regard.models.base import LanguageModel
from regard.models.checkpoint import load_model, save
from regard.models.folder_writer import ModelFolder
from regard.models.mixture.model import MixtureModel
from regard.training.mixture import MixtureConfig, train_mixture

PER_CHARACTER = "valid_nats_per_character"
ADAPTIVE = "adaptive_valid_nats_per_character"


def run(
    models: Sequence[str], text: str, place: ModelFolder, config: MixtureConfig, *, valid: str, fit_on: str | None
) -> dict[str, Any]:
    """Fit and save the mixture of the models in these folders; what came of it, and of each member."""
    with reading(text, valid, *filter(None, [fit_on])):
        members = [load_model(name) for name in models]
        parts = read_parts(text, valid, at_line_ends=members[0].tokeniser.unit == "word")
        held_out = None if fit_on is None else find_text(fit_on).text
    watch = Stopwatch()
    with at_work("fitting the weights"):
        mixture = train_mixture(members, parts.train, config, fit_on=held_out)
        save(mixture, place)
    facts = {"out": str(place.shown), **asdict(config), **watch.seconds(), **measured(mixture, parts)}
    return facts | _adaptive(mixture, parts) | {"members": _members(models, members, mixture, parts)}


def _members(
    names: Sequence[str], members: Sequence[LanguageModel], mixture: MixtureModel, parts: TextParts
) -> list[dict[str, Any]]:
    """Each member: its mean weight where the gate was fitted, and what it reaches alone."""
    weights = mixture.background.notes["mean_weights"]
    return [
        {"model": name, "kind": member.kind, "mean_weight": weight, **_alone(member, parts)}
        for name, member, weight in zip(names, members, weights, strict=True)
    ]


def _alone(member: LanguageModel, parts: TextParts) -> dict[str, float]:
    found = measured(member, parts)
    return {PER_CHARACTER: found[PER_CHARACTER]} if found else {}


def _adaptive(mixture: MixtureModel, parts: TextParts) -> dict[str, Any]:
    """What the adaptive part reaches, and how its members learn; nothing where there is none."""
    if mixture.adaptive is None:
        return {}
    facts: dict[str, Any] = {"adaptive_settings": list(mixture.adaptive.settings)}
    if parts.valid is not None:
        with at_work("measuring, learning on the way"):
            facts[ADAPTIVE] = evaluate(mixture, parts.valid, name=parts.valid_name, adaptive=True).nats_per_character
    return facts


def print_outcome(facts: dict[str, Any], *, as_json: bool) -> None:
    """The members beside the mixture; then the adaptive figure, apart."""
    if as_json:
        print_json(facts)
        return
    facts = dict(facts)
    members, adaptive = facts.pop("members"), facts.pop(ADAPTIVE, None)
    facts.pop("adaptive_settings", None)
    if PER_CHARACTER in facts:
        rows: list[list[Cell]] = [[m["model"], m["mean_weight"], m[PER_CHARACTER]] for m in members]
        rows.append(["the mixture", sum(m["mean_weight"] for m in members), facts[PER_CHARACTER]])
        print_table(["model", "mean weight", "nats per character of held-out text"], rows, digits=5)
    else:
        print_table(["model", "mean weight"], [[m["model"], m["mean_weight"]] for m in members], digits=5)
    print()
    report(facts, as_json=False)
    if adaptive is not None:
        print(
            f"\nadaptive: {adaptive:.5g} nats per character, by members that learn from the text as they score it; "
            "not to be compared with the figures above"
        )
