"""The classes of labelled texts, and the two ways to split such texts into training and validation or test.

By hash    `split_texts`: of each class the texts with the lowest hashes. What is split off depends on the texts alone,
           not on their order, so that it is the same in every run; it makes the test part of a source that has none.
By stretch `split_stretches`: of each class a stretch in the middle. Neighbours are often about one film or product and
           stay together; a classifier takes its validation texts so, and its folds (`stretch_folds`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from regard.errors import InputFileError, ValueRangeError
from regard.records import LabelledTexts
from regard.shapes import Int

UNBALANCED = 1.5
"""A class with more than this many times its fair share of the texts gets a note."""
FEW_TEXTS = 10
"""A class with fewer texts gets a note."""


def class_counts(data: LabelledTexts) -> dict[str, int]:
    """How many texts have each label.

    >>> class_counts(LabelledTexts(("fine", "bad", "good"), np.array([1, 0, 1]), ("negative", "positive")))
    {'negative': 1, 'positive': 2}
    """
    counts = np.bincount(data.label_ids, minlength=len(data.labels))
    return dict(zip(data.labels, counts.tolist(), strict=True))


def majority_share(data: LabelledTexts) -> float:
    """The share of the commonest label: the accuracy of always answering it, which any classifier has to beat."""
    return max(class_counts(data).values()) / len(data)


def class_notes(data: LabelledTexts) -> list[str]:
    """Sentences about classes that are much larger than the others or very small; an empty list where none is."""
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
    """Return the data; raise InputFileError unless texts of at least two classes are in it."""
    counts = {label: count for label, count in class_counts(data).items() if count}
    if len(counts) < 2:
        found = ", ".join(f"{label!r} ({count:,} texts)" for label, count in counts.items()) or "none"
        raise InputFileError(f"{name} has one class only, {found}; a classifier is trained on two or more")
    return data


def align_labels(data: LabelledTexts, labels: Sequence[str], *, name: str, whose: str) -> LabelledTexts:
    """Renumber the labels of the texts as they are numbered in `labels`, which are those of `whose`.

    Raises InputFileError where a text has a label that is not among them.

    >>> found = align_labels(LabelledTexts(("fine",), np.array([0]), ("b",)), ("a", "b"), name="x", whose="the model")
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


def split_texts(data: LabelledTexts, *, share: float, seed: int = 0) -> tuple[LabelledTexts, LabelledTexts]:
    """Split into two parts: the second has about `share` of each class, the texts with the lowest hashes.

    A text that occurs twice has one hash, so that both copies go to the same part, but for one at the very edge.
    """
    if not 0 < share < 1:
        raise ValueRangeError(f"the share to split off must be between 0 and 1; got {share:g}")
    keys = _hash_texts(data.texts, seed)
    is_second = np.zeros(len(data), dtype=bool)
    for label in range(len(data.labels)):
        members = np.flatnonzero(data.label_ids == label)
        lowest = members[np.argsort(keys[members], kind="stable")]
        is_second[lowest[: round(share * len(members))]] = True
    if is_second.all() or not is_second.any():
        raise ValueRangeError(f"{len(data)} texts are too few to split off {share:g} of each class")
    return _choose(data, np.flatnonzero(~is_second)), _choose(data, np.flatnonzero(is_second))


def split_stretches(
    label_ids: Int[np.ndarray, " batch"], *, share: float
) -> tuple[Int[np.ndarray, " train"], Int[np.ndarray, " validation"]]:
    """Split texts, given by their label ids, into places for training and for validation: of each label the middle.

    >>> split_stretches(np.array([0, 0, 0, 0, 1, 1, 1, 1]), share=0.25)
    (array([0, 1, 3, 4, 5, 7]), array([2, 6]))
    """
    n_folds = max(2, round(1 / share))
    is_validation = stretch_folds(label_ids, n_folds) == n_folds // 2
    if not is_validation.any():  # fewer texts of each label than folds
        is_validation[::n_folds] = True
    return np.flatnonzero(~is_validation), np.flatnonzero(is_validation)


def stretch_folds(label_ids: Int[np.ndarray, " batch"], n_folds: int) -> Int[np.ndarray, " batch"]:
    """The fold of each text: the texts of each label, in their order, are cut into `n_folds` stretches.

    Neighbours in a collection are often about one thing, a film or a product. They go to the same fold, as the texts
    to be classified will be about other things.

    >>> stretch_folds(np.array([0, 0, 1, 1, 0, 0]), 2)
    array([0, 0, 0, 1, 1, 1])
    """
    folds = np.empty(len(label_ids), np.int64)
    for label in np.unique(label_ids):
        members = np.flatnonzero(label_ids == label)
        folds[members] = np.arange(len(members)) * n_folds // len(members)
    return folds


def _choose(data: LabelledTexts, places: Int[np.ndarray, " some"]) -> LabelledTexts:
    return LabelledTexts(tuple(data.texts[i] for i in places.tolist()), data.label_ids[places], data.labels)


def _hash_texts(texts: tuple[str, ...], seed: int) -> Int[np.ndarray, " batch"]:
    salt = seed.to_bytes(8, "little")
    digests = [
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, salt=salt).digest() for text in texts
    ]
    return np.frombuffer(b"".join(digests), dtype="<i8")
