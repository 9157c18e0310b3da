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
from regard.shapes import Bool, Int
from regard.text.normalise.steps import (
    Edit,
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
class Alignment:
    """Segment k, characters before[k] to before[k+1], became characters after[k] to after[k+1]."""

    before: Int[np.ndarray, " cut"]
    after: Int[np.ndarray, " cut"]
    is_same: Bool[np.ndarray, " segment"]


def align_to_itself(text: str) -> Alignment:
    """The alignment of a text with itself."""
    return apply_edits(text, [])[1]


def apply_edits(text: str, edits: Iterable[Edit]) -> tuple[str, Alignment]:
    """Apply edits, which stand in the order of the text and do not overlap; return the new text and its alignment.

    >>> apply_edits("It's", [(0, 1, "i"), (2, 2, " ")])
    ("it 's", Alignment(before=array([0, 1, 2, 2, 4]), after=array([0, 1, 2, 3, 5]), is_same=array([False, ...
    """
    pieces: list[str] = []
    ends: list[int] = []
    is_same: list[bool] = []
    place = 0
    for start, end, new in edits:
        if start > place:
            pieces.append(text[place:start])
            ends.append(start)
            is_same.append(True)
        pieces.append(new)
        ends.append(end)
        is_same.append(False)
        place = end
    if place < len(text):
        pieces.append(text[place:])
        ends.append(len(text))
        is_same.append(True)
    after = np.cumsum([0, *map(len, pieces)])
    return "".join(pieces), Alignment(np.array([0, *ends]), after, np.array(is_same, bool))


def compose(first: Alignment, second: Alignment) -> Alignment:
    """Combine two changes, one after the other, into one: from the text before the first to that after the second.

    A cut in the text between them stays where both allow it: at a bound, or within what has not changed.
    """
    cuts = np.union1d(first.after, second.before)
    old = _images(first.after, first.before, first.is_same, cuts)
    new = _images(second.before, second.after, second.is_same, cuts)
    keep = old.is_allowed & new.is_allowed
    # What the first change deleted at a cut and what the second inserted there lie between its left and right image.
    before = np.stack([old.left[keep], old.right[keep]], axis=1).ravel()
    after = np.stack([new.left[keep], new.right[keep]], axis=1).ravel()
    is_same = np.stack([np.zeros(keep.sum(), bool), (old.is_same & new.is_same)[keep]], axis=1).ravel()
    return _merge_segments(before, after, is_same[:-1])


@dataclass(frozen=True)
class _Images:
    """Where cuts lie in the other text; left and right differ where something was put in or taken out."""

    left: Int[np.ndarray, " cut"]
    right: Int[np.ndarray, " cut"]
    is_allowed: Bool[np.ndarray, " cut"]
    is_same: Bool[np.ndarray, " cut"]  # whether the characters right of the cut have stayed as they are


def _images(
    source: Int[np.ndarray, " bound"],
    target: Int[np.ndarray, " bound"],
    is_same: Bool[np.ndarray, " segment"],
    cuts: Int[np.ndarray, " cut"],
) -> _Images:
    first = np.searchsorted(source, cuts, side="left")
    last = np.searchsorted(source, cuts, side="right") - 1
    is_bound = source[last] == cuts
    same_after = np.append(is_same, False)[last]
    right = target[last] + cuts - source[last]
    left = np.where(is_bound, target[np.minimum(first, len(source) - 1)], right)
    return _Images(left, right, is_bound | same_after, same_after)


def _merge_segments(
    before: Int[np.ndarray, " cut"], after: Int[np.ndarray, " cut"], is_same: Bool[np.ndarray, " segment"]
) -> Alignment:
    """Leave out segments that are empty on both sides, and merge unchanged neighbours."""
    is_empty = (np.diff(before) == 0) & (np.diff(after) == 0)
    segments = np.flatnonzero(~is_empty)
    same = is_same[segments]
    joins = np.zeros(len(segments), bool)
    joins[1:] = same[1:] & same[:-1]
    starts = segments[~joins]
    cuts = np.append(starts, len(before) - 1)
    return Alignment(before[cuts], after[cuts], is_same[starts])


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
