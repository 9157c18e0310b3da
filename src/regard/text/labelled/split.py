"""A part of labelled texts set aside, chosen by the texts themselves: the same whatever their order."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from regard.errors import InputFileError, ValueRangeError
from regard.records import LabelledTexts
from regard.shapes import Int

UNBALANCED = 1.5
"""A class with so many times its fair share of the texts is told of."""
FEW_TEXTS = 10


def class_counts(data: LabelledTexts) -> dict[str, int]:
    """How many texts have each label.

    >>> class_counts(LabelledTexts(("fine", "bad", "good"), np.array([1, 0, 1]), ("negative", "positive")))
    {'negative': 1, 'positive': 2}
    """
    counts = np.bincount(data.label_ids, minlength=len(data.labels))
    return dict(zip(data.labels, counts.tolist(), strict=True))


def majority_share(data: LabelledTexts) -> float:
    """The accuracy of whoever always gives the commonest label: what any classifier is to be compared with."""
    return max(class_counts(data).values()) / len(data)


def imbalance(data: LabelledTexts) -> list[str]:
    """What to be wary of in the classes' sizes, in words; nothing where there is nothing."""
    counts = class_counts(data)
    most = max(counts, key=lambda label: counts[label])
    few = [label for label, count in counts.items() if count < FEW_TEXTS]
    notes = []
    if counts[most] > UNBALANCED * len(data) / len(counts):
        notes.append(
            f"the classes are unbalanced: {100 * counts[most] / len(data):.1f} % of the texts are {most!r}, and always "
            "saying so would be right as often; compare the accuracy with that"
        )
    if few:
        shown = ", ".join(f"{label!r} {counts[label]}" for label in few[:5])
        notes.append(f"{len(few)} of {len(counts)} classes have fewer than {FEW_TEXTS} texts: {shown}")
    return notes


def require_classes(data: LabelledTexts, *, name: str) -> LabelledTexts:
    """The same texts, once it is sure that there is more than one class among them."""
    counts = {label: count for label, count in class_counts(data).items() if count}
    if len(counts) < 2:
        found = ", ".join(f"{label!r} ({count:,} texts)" for label, count in counts.items()) or "none"
        raise InputFileError(f"{name} has one class only, {found}; a classifier is trained on two or more")
    return data


def with_labels(data: LabelledTexts, labels: Sequence[str], *, name: str, whose: str) -> LabelledTexts:
    """The same texts with label ids that are places in `labels`, which are those of `whose`; an error where one is not.

    >>> found = with_labels(LabelledTexts(("fine",), np.array([0]), ("b",)), ("a", "b"), name="x", whose="the model")
    >>> found.label_ids
    array([1])
    """
    counts = class_counts(data)
    strange = [label for label in data.labels if counts[label] and label not in labels]
    if strange:
        shown = ", ".join(repr(label) for label in strange[:5])
        known = ", ".join(map(repr, list(labels)[:12]))
        raise InputFileError(f"{name} has labels that {whose} does not have: {shown}; {whose} has {known}")
    places = np.array([labels.index(label) if label in labels else -1 for label in data.labels], dtype=np.int64)
    return LabelledTexts(data.texts, places[data.label_ids], tuple(labels))


def held_out(data: LabelledTexts, *, share: float, seed: int = 0) -> tuple[LabelledTexts, LabelledTexts]:
    """Two parts: what remains, and about `share` of each class, those whose hashes are lowest.

    A text that occurs twice has one hash, so that both go to the same part, but for one at the very edge.
    """
    if not 0 < share < 1:
        raise ValueRangeError(f"the share to set aside is between 0 and 1; got {share:g}")
    keys = _hashes(data.texts, seed)
    is_out = np.zeros(len(data), dtype=bool)
    for label in range(len(data.labels)):
        members = np.flatnonzero(data.label_ids == label)
        lowest = members[np.argsort(keys[members], kind="stable")]
        is_out[lowest[: round(share * len(members))]] = True
    if is_out.all() or not is_out.any():
        raise ValueRangeError(f"{len(data)} texts cannot be cut so that {share:g} of each class is set aside")
    return _taken(data, np.flatnonzero(~is_out)), _taken(data, np.flatnonzero(is_out))


def _taken(data: LabelledTexts, places: Int[np.ndarray, " some"]) -> LabelledTexts:
    return LabelledTexts(tuple(data.texts[i] for i in places.tolist()), data.label_ids[places], data.labels)


def _hashes(texts: tuple[str, ...], seed: int) -> Int[np.ndarray, " batch"]:
    salt = seed.to_bytes(8, "little")
    digests = [
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, salt=salt).digest() for text in texts
    ]
    return np.frombuffer(b"".join(digests), dtype="<i8")
