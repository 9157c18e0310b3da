"""Preparing a text: steps that make it look like the one a model was trained on, aligned with the original.

    original   I t ’ s · 1 , 2 5 0
    prepared   i t · ' s · D G D G D G D G
    segments   I→i  t  →·  ’→'  s·  1→DG  ,→  2→DG  5→DG  0→DG

Every step is a list of edits, so that each character of the prepared text can be traced to the original, and the cost
of what the steps have erased can be counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from regard.errors import ValueRangeError
from regard.shapes import Int
from regard.text.normalise.alignment import Edit, align_to_itself, apply_edits, compose
from regard.text.normalise.steps import (
    digits,
    digits_n,
    drop_punctuation,
    fold_unicode,
    join_lines,
    lower,
    split_lines,
    split_words,
    squeeze_spaces,
)


@dataclass(frozen=True)
class Prepared:
    """A prepared text: its segment k, text[text_bounds[k]:text_bounds[k+1]], comes from segment k of the original."""

    original: str
    text: str
    original_bounds: Int[np.ndarray, " cut"]
    text_bounds: Int[np.ndarray, " cut"]
    steps: tuple[str, ...]

    def segments(self) -> Iterator[tuple[str, str]]:
        """Each segment of the original, with what it has become."""
        old, new = self.original_bounds.tolist(), self.text_bounds.tolist()
        for k in range(len(old) - 1):
            yield self.original[old[k] : old[k + 1]], self.text[new[k] : new[k + 1]]

    def original_places(self, places: Int[np.ndarray, " cut"]) -> Int[np.ndarray, " cut"]:
        """Where places between characters of the prepared text lie in the original.

        Within a segment that has changed its length, a place is the segment's end; so spans that tile the prepared
        text tile the original.
        """
        old, new = self.original_bounds, self.text_bounds
        k = np.searchsorted(new, places, side="right") - 1
        end = np.minimum(k + 1, len(new) - 1)
        is_even = np.diff(old, append=old[-1])[k] == np.diff(new, append=new[-1])[k]
        inside = np.where(is_even, old[k] + places - new[k], old[end])
        return np.where(places == new[k], old[k], inside)


class Step(NamedTuple):
    """What a step does to a text, and one line of help."""

    edits: Callable[[str], Iterable[Edit]]
    help: str


STEPS = {
    "fold-unicode": Step(fold_unicode, "accents off; typographic quotes, dashes, ligatures to ASCII"),
    "join-lines": Step(join_lines, "a line break within a paragraph becomes a space"),
    "split-lines": Step(split_lines, "each sentence on a line of its own"),
    "split-words": Step(split_words, "punctuation and the endings n't, 's stand apart, as in the Penn Treebank"),
    "drop-punctuation": Step(drop_punctuation, "punctuation that stands apart vanishes; $ & # ' stay"),
    "lower": Step(lower, "lower case"),
    "digits": Step(digits, "digits of words without letters become DG: 1,250 to DGDGDGDG"),
    "digits-n": Step(digits_n, "numbers in words without letters become N: 1,250 to N"),
    "squeeze-spaces": Step(squeeze_spaces, "one space for several, none at the ends of lines"),
}
"""Every step by name, in an order in which they go well together: sentences are found while there are capitals."""


def prepare(text: str, steps: Sequence[str]) -> Prepared:
    """Prepare a text by these steps, one after another, and align it with the original.

    A step is repeated until it finds nothing more to do, so that asking for it twice changes nothing.

    >>> prepare("It’s 1,250.", ["fold-unicode", "split-words", "lower", "digits-n"]).text
    "it 's N ."
    """
    for name in steps:
        if name not in STEPS:
            raise ValueRangeError(f"there is no preparation step {name!r}; choose from {', '.join(STEPS)}")
    alignment, prepared = align_to_itself(text), text
    for name in steps:
        while edits := list(STEPS[name].edits(prepared)):
            prepared, change = apply_edits(prepared, edits)
            alignment = compose(alignment, change)
    return Prepared(text, prepared, alignment.before, alignment.after, tuple(steps))
