"""Which characters of a changed text came from which characters of the original.

    before    I t     ' s · O K        cuts 0 1 2 2 5 6 7
    after     i t  ·  ' s · o k        cuts 0 1 2 3 6 7 8
              ≠ =  ≠  =     ≠ ≠        a space was put in between t and '

Both texts are cut into as many segments; segment k of the one became segment k of the other. Where nothing has
changed, a segment may be long; what has changed is cut as finely as the change allows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from regard.shapes import Bool, Int

Edit = tuple[int, int, str]
"""Characters start to end of a text become these."""


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
