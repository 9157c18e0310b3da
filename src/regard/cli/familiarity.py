"""What `regard classify` says about texts that are unlike those its model was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regard.models.familiarity import Familiarity

MAX_WARNINGS = 3
HOW_MEASURED = "measured on texts held out from training and on their endings; other subjects may be told worse"


def familiarity_record(found: Familiarity) -> dict[str, Any]:
    """The fields of one text, for programs."""
    return {
        "n_words": found.n_words,
        "unknown_share": found.unknown_share,
        "expected_accuracy": found.expected_accuracy,
        "warnings": list(found.warnings),
    }


def unusual_marks(found: Sequence[Familiarity]) -> list[str]:
    """In a word or two what is unusual about each text; an empty list where nothing is."""
    marks = [
        ", ".join(
            name
            for name, is_so in (("short", each.is_short), ("long", each.is_long), ("unknown", each.has_many_unknown))
            if is_so
        )
        for each in found
    ]
    return marks if any(marks) else []


def print_warnings(found: Sequence[Familiarity]) -> None:
    """A line for each of the first texts that are unusual, and how many more there are."""
    warned = [(i, warning) for i, each in enumerate(found, start=1) for warning in each.warnings]
    if not warned:
        return
    print()
    for i, warning in warned[:MAX_WARNINGS]:
        print(f"text {i} is unlike the training texts: {warning}")
    more = len(warned) - MAX_WARNINGS
    if more > 0:
        print(f"{more:,} more text{' is' if more == 1 else 's are'} unlike them: --json tells of each")
    if any(each.is_measured for each in found):
        print(HOW_MEASURED)
