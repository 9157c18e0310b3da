"""How `regard perplexity` shows its results: tables and warnings, or a list of JSON rows."""

from __future__ import annotations

import json
import math
from typing import Any

from regard.cli.output import Cell, jsonable, print_table
from regard.cli.perplexity_run import Outcome
from regard.display import percent
from regard.records import PerplexityResult, StudyTable

UNITS = {"2": ("bits", math.log(2)), "e": ("nats", 1.0), "10": ("digits", math.log(10))}
"""What information is counted in, and how many nats one such unit has."""


def print_rows(outcome: Outcome) -> None:
    """A JSON list with one object for each model and text; warnings about the whole table are in every row."""
    rows = [
        _row_json(result, outcome, outcome.gains[place] if outcome.gains else None)
        for place, result in enumerate(outcome.results)
    ]
    print(json.dumps(jsonable(rows), ensure_ascii=False, allow_nan=False))


def _row_json(result: PerplexityResult, outcome: Outcome, gains: StudyTable | None) -> dict[str, Any]:
    cautions = (*result.cautions, *outcome.cautions)
    return {
        "model": result.model,
        "text": result.text,
        "unit": result.unit,
        "adaptive": result.adaptive,
        "prepare": list(result.prepare),
        "tokens": result.tokens,
        "line_ends": result.line_ends,
        "characters": result.characters,
        "bytes": result.bytes,
        "unknown_share": result.unknown_share,
        "perplexity": result.perplexity,
        "perplexity_known": result.perplexity_known,
        "perplexity_by_base": result.perplexity_by_base,
        "nats": result.nats,
        "token_nats": result.token_nats,
        "spelling_nats": result.spelling_nats,
        "restoration_nats": result.restoration_nats,
        "choice_nats": result.choice_nats,
        "nats_per_character": result.nats_per_character,
        "bits_per_character": result.bits_per_character,
        "bits_per_byte": result.bits_per_byte,
        "warnings": [caution.message for caution in cautions],
        "evidence": [{"kind": caution.kind, **caution.evidence} for caution in cautions],
        "steps": None if gains is None else gains.records(),
    }


def print_report(outcome: Outcome, *, base: str) -> None:
    """The table, where the costs come from, what preparation gained, and what to be wary of."""
    _print_results(outcome.results, base=base)
    _print_costs(outcome.results, base=base)
    for table in outcome.gains:
        _print_gains(table)
    first = outcome.results[0]
    powers = " = ".join(f"{b}^{math.log(first.perplexity) / nats:.4f}" for b, (_, nats) in UNITS.items())
    print(f"\nPerplexity has no base: {powers} = {first.perplexity:.4f} ({first.model} on {first.text}).")
    _print_cautions(outcome)


def _print_results(results: list[PerplexityResult], *, base: str) -> None:
    unit, nats = UNITS[base]
    columns = ["model", "text", "tokens", "unknown", "perplexity", "known only", f"{unit}/char", f"{unit}/byte"]
    shows_mode = any(result.adaptive for result in results)
    rows: list[list[Cell]] = []
    for result in results:
        mode: list[Cell] = ["adaptive" if result.adaptive else "static"] if shows_mode else []
        rows.append(
            [
                result.model,
                result.text,
                *mode,
                f"{result.tokens:,} {result.unit}s",
                percent(result.unknown_share, decimals=1),
                f"{result.perplexity:.5g} per {result.unit}",
                "-" if result.perplexity_known is None else f"{result.perplexity_known:.5g}",
                f"{result.nats_per_character / nats:.4f}",
                f"{result.nats / result.bytes / nats:.4f}",
            ]
        )
    print_table([*columns[:2], *(["mode"] if shows_mode else []), *columns[2:]], rows)


def _print_costs(results: list[PerplexityResult], *, base: str) -> None:
    """Where the costs come from, unless all of them are the tokens'."""
    unit, nats = UNITS[base]
    parts = {
        "tokens": [result.token_nats for result in results],
        "spelling": [result.spelling_nats for result in results],
        "restoring": [result.restoration_nats for result in results],
        "choosing": [result.choice_nats for result in results],
    }
    shown = {name: costs for name, costs in parts.items() if any(costs)}
    if len(shown) == 1:
        return
    print(f"\nOf which, in {unit} per character of the text as it is:")
    rows: list[list[Cell]] = [
        [result.model, result.text, *(f"{costs[i] / nats / result.characters:.4f}" for costs in shown.values())]
        for i, result in enumerate(results)
    ]
    print_table(["model", "text", *shown], rows)


def _print_gains(table: StudyTable) -> None:
    print(f"\n{table.title}:")
    headings = {"restored_bits": "restored", "bits_per_character": "bits/char"}
    rows: list[list[Cell]] = [
        [
            step,
            tokens,
            percent(unknown, decimals=1),
            f"{perplexity:.5g}",
            *(f"{bits:+.4f}".lstrip("+") for bits in costs),
        ]
        for step, tokens, unknown, perplexity, *costs in table.rows
    ]
    print_table([headings.get(name, name) for name in table.columns], rows)
    for note in table.notes:
        print(f"- {note}")


def _print_cautions(outcome: Outcome) -> None:
    lines = [f"- {caution.message}" for caution in outcome.cautions]
    for result in outcome.results:
        lines += [f"- {result.model} on {result.text}: {warning}" for warning in result.warnings]
    if lines:
        print("\nBe wary:")
        print("\n".join(lines))
