"""What `regard classify` says about texts that are unlike those its model was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regard.models.classifier.familiarity import Familiarity

MAX_WARNINGS = 3
MARKS = {
    "short": "is_short",
    "long": "is_long",
    "unknown": "has_many_unknown",
    "pairs": "has_many_unknown_pairs",
}
"""What the table's column says, and the field that it stands for."""
HOW_MEASURED = "measured on texts held out from training and on their endings; other subjects may be told worse"

NOTHING_MEASURED = "this model is too old to say whether a text is like the training texts; train it again for that"
NO_PAIRS_MEASURED = "this model is too old to say how many unknown word pairs are usual; train it again for that"


def unusual_marks(found: Sequence[Familiarity]) -> list[str]:
    """In a word or two what is unusual about each text; an empty list where nothing is."""
    marks = [", ".join(name for name, field in MARKS.items() if getattr(each, field)) for each in found]
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


def print_missing(found: Sequence[Familiarity] | None) -> None:
    """What a model of an older version does not know of the texts, in a line."""
    if found is None:
        print(f"\n{NOTHING_MEASURED}")
    elif any(each.unknown_pair_share is not None and not each.has_measured_pairs for each in found):
        print(f"\n{NO_PAIRS_MEASURED}")
