"""How commands show a classifier's answer with the words that decided: in colour, with marks in a pipe, as JSON."""

from __future__ import annotations

import os
import sys
from typing import Any

from regard.cli.output import jsonable
from regard.records import Decision, ExplainedText
from regard.report import explanation


def has_colours() -> bool:
    """Whether what is printed goes to a terminal whose user wants colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_explanation(explained: ExplainedText, *, threshold: float = explanation.THRESHOLD) -> None:
    """The text with each word's share in the answer, and the words above the threshold."""
    print_words(explained, threshold=threshold)
    print_reasons(explained)


def print_reasons(explained: ExplainedText, *, top: int = 10) -> None:
    """The words that decided, and what all shares add up to."""
    print(f"decided by ({explained.attribution.method}): {explanation.name_deciding_words(explained, max_words=top)}")
    print(explanation.sum_line(explained))


def print_words(explained: ExplainedText, *, threshold: float = explanation.THRESHOLD) -> None:
    """The text with its words coloured by their share, or marked where there are no colours."""
    if not has_colours():
        print(explanation.to_plain_text(explained, threshold=threshold))
        return
    from rich.console import Console

    Console(highlight=False, color_system="256").print(explanation.to_rich(explained, threshold=threshold))


def decision_json(decision: Decision, *, top: int = 10) -> dict[str, Any]:
    """A classifier's answer to a text as every command prints it; with the words' shares where it is explained.

    `top` is how many different words `decided_by` lists; `words` has all of them, in the order of the text.
    """
    found: dict[str, Any] = {
        "place": decision.place,
        "text": decision.text,
        "label": decision.label,
        "probability": decision.probability,
        "probabilities": decision.probabilities,
        "true_label": decision.true_label,
    }
    return found | _explanation_json(decision, top) if isinstance(decision, ExplainedText) else found


def _explanation_json(explained: ExplainedText, top: int) -> dict[str, Any]:
    return {
        "against": explained.against,
        "method": explained.attribution.method,
        "log_odds": explained.log_odds,
        "baseline": explained.baseline,
        "remainder": explained.remainder,
        "words": _words_json(explained),
        "decided_by": [word._asdict() for word in explanation.rank_words(explained)[:top]],
        "findings": jsonable(explained.findings),
    }


def _words_json(explained: ExplainedText) -> list[dict[str, Any]]:
    found, errors = explained.attribution, explained.standard_errors
    words = [
        {"word": found.text[start:end], "start": start, "end": end, "share": share}
        for start, end, share in zip(found.starts.tolist(), found.ends.tolist(), explained.shares.tolist(), strict=True)
    ]
    if errors is None:
        return words
    return [word | {"standard_error": error} for word, error in zip(words, errors.tolist(), strict=True)]
