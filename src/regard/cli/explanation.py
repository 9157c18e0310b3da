"""How commands show a classifier's answer with the words that decided: in colour, with marks in a pipe, as JSON."""

from __future__ import annotations

import os
import sys
from typing import Any

from regard.cli.output import jsonable
from regard.records import ExplainedText
from regard.report import attributed_text


def has_colours() -> bool:
    """Whether what is printed goes to a terminal whose user wants colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_explained(explained: ExplainedText, *, threshold: float = attributed_text.THRESHOLD) -> None:
    """The text with each word's share in the answer, and the words above the threshold."""
    print_words(explained, threshold=threshold)
    decided = attributed_text.list_of(explained, threshold=threshold)
    print(f"{explained.answer} against {explained.against}, nats: {decided or 'no word says anything'}")


def print_words(explained: ExplainedText, *, threshold: float = attributed_text.THRESHOLD) -> None:
    """The text with its words coloured by their share, or marked where there are no colours."""
    if not has_colours():
        print(attributed_text.for_pipe(explained, threshold=threshold))
        return
    from rich.console import Console

    Console(highlight=False, color_system="256").print(attributed_text.for_terminal(explained, threshold=threshold))


def explained_json(explained: ExplainedText) -> dict[str, Any]:
    """The answer with every word's share, as plain numbers and words."""
    found = explained.attribution
    words = [
        {"word": found.text[start:end], "start": start, "end": end, "share": share}
        for start, end, share in zip(
            found.starts.tolist(), found.ends.tolist(), explained.contrast.tolist(), strict=True
        )
    ]
    return {
        "place": explained.place,
        "text": explained.text,
        "answer": explained.answer,
        "probability": explained.probability,
        "against": explained.against,
        "against_probability": explained.against_probability,
        "truth": explained.truth,
        "method": found.method,
        "words": words,
        "findings": jsonable(explained.findings),
    }
