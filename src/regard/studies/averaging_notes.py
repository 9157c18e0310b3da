"""What a comparison of averaging classifiers says, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regard.studies.averaging import Config

CLEAR = 0.05
"""Differences that chance would make more often than so are not told as such."""


def notes(rows: Sequence[dict[str, Any]], config: Config, *, has_vectors: bool) -> tuple[str, ...]:
    """One sentence a question, the best, and what was left out."""
    usual, *others = rows
    questions = dict.fromkeys(row["question"] for row in others)
    found = [_on_question(question, [row for row in others if row["question"] == question]) for question in questions]
    best = max(rows, key=lambda row: row["accuracy"])
    found.append(
        f"best: {best['variant']}, {100 * best['accuracy']:.2f} % right, {best['cpu_seconds']:.1f} s of the processor; "
        f"classic {100 * usual['accuracy']:.2f} %, {usual['cpu_seconds']:.1f} s"
    )
    if len(others) > 1:
        found.append(
            f"{len(others)} comparisons were made: with a threshold of {CLEAR:g}, one in twenty comes out by chance"
        )
    if not has_vectors:
        found.append("no word vectors were given, so that fixed and fine-tuned ones are not compared")
    if config.seeds > 1:
        found.append(
            f"accuracies are means over {config.seeds} seeds; what is paired, and p, are those of the first seed"
        )
    return tuple(found)


def _on_question(question: str, rows: Sequence[dict[str, Any]]) -> str:
    """How each answer to a question compares with the usual classifier."""
    return f"{question}: " + "; ".join(_difference(row) for row in rows)


def _difference(row: dict[str, Any]) -> str:
    points = 100 * row["difference"]
    amount = f"{row['variant']} {points:+.2f} points (± {100 * row['difference_error']:.2f}, p {row['p_value']:.2g})"
    return amount if row["p_value"] < CLEAR else f"{amount}, no clear difference"
