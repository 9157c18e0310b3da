"""Which labelled texts a classifier is trained and measured on: a source's own parts, two sources, or one cut in two.

Labelled texts are given as the name of a corpus or a path, as pairs of text and label, or as `LabelledTexts`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from regard.errors import ArgumentError, ValueRangeError
from regard.records import LabelledTexts
from regard.text.labelled.source import Splits, read_labelled, read_splits, read_test_texts
from regard.text.labelled.split import align_labels, class_counts, split_texts

LabelledSource: TypeAlias = str | Path | LabelledTexts | Iterable[tuple[str, str]]
DEFAULT_SHARE = 0.1
"""Set aside to measure on, where a source has no test part and nothing was said."""
GIVEN_NAME = "the texts"
"""What results call texts that were passed as such."""


@dataclass(frozen=True)
class DataParts:
    """What to learn from, and what to measure on, if anything, with the same labels."""

    name: str
    train: LabelledTexts
    test: LabelledTexts | None
    test_name: str


def split_data(
    data: LabelledSource,
    test: float | int | LabelledSource | None = None,
    *,
    text_column: str | None = None,
    label_column: str | None = None,
) -> DataParts:
    """Labelled texts to learn from and to measure on.

    `test` None is the source's own test part, else a tenth; a fraction is of what there is to learn from, and leaves
    the source's own test part alone; 0 is none; or other labelled texts.
    """
    columns = {"text_column": text_column, "label_column": label_column}
    name, splits = source_name(data), find_splits(data, **columns)
    if test is None and splits.test is not None:
        return DataParts(name, splits.train, splits.test, f"test part of {name}")
    share = DEFAULT_SHARE if test is None else test
    if not isinstance(share, int | float):
        other = align_labels(_measured_part(share, columns), splits.train.labels, name=source_name(share), whose=name)
        return DataParts(name, splits.train, other, source_name(share))
    if not 0 <= share < 1:
        raise ValueRangeError(f"test must be a fraction from 0 to below 1, or labelled texts; got {share:g}")
    if share == 0:
        return DataParts(name, splits.train, None, "none")
    train, part = split_texts(splits.train, share=share)
    return DataParts(name, train, part, f"{share:g} of {name}")


def own_parts(data: LabelledSource, *, text_column: str | None = None, label_column: str | None = None) -> DataParts:
    """The data in its own parts; where it has none, all of it is one part, unlike in training."""
    splits = find_splits(data, text_column=text_column, label_column=label_column)
    name = source_name(data)
    return DataParts(name, splits.train, splits.test, f"test part of {name}")


def find_splits(data: LabelledSource, *, text_column: str | None = None, label_column: str | None = None) -> Splits:
    """What to learn from, and what the source sets aside to measure on."""
    if isinstance(data, str | Path):
        return read_splits(str(data), text_column=text_column, label_column=label_column)
    return Splits(find_labelled(data))


def find_labelled(
    data: LabelledSource, *, text_column: str | None = None, label_column: str | None = None
) -> LabelledTexts:
    """All labelled texts of a source; pairs of text and label become `LabelledTexts`.

    >>> find_labelled([("good", "yes"), ("bad", "no")]).labels
    ('no', 'yes')

    Raises ArgumentError for what is neither a name, a path nor pairs.
    """
    if isinstance(data, LabelledTexts):
        return data
    if isinstance(data, str | Path):
        return read_labelled(str(data), text_column=text_column, label_column=label_column)
    pairs = list(data)
    for number, pair in enumerate(pairs):
        if not (isinstance(pair, tuple | list) and len(pair) == 2 and all(isinstance(each, str) for each in pair)):
            raise ArgumentError(f"expected pairs of text and label, both str; entry {number} is {pair!r:.60}")
    labels = tuple(sorted({label for _, label in pairs}))
    places = {label: i for i, label in enumerate(labels)}
    label_ids = np.array([places[label] for _, label in pairs], dtype=np.int64)
    return LabelledTexts(tuple(text for text, _ in pairs), label_ids, labels)


def source_name(data: LabelledSource) -> str:
    """What results and messages call labelled texts."""
    return str(data) if isinstance(data, str | Path) else GIVEN_NAME


def _measured_part(data: LabelledSource, columns: dict[str, str | None]) -> LabelledTexts:
    """What a source sets aside to measure on; all of it where it sets nothing aside."""
    return read_test_texts(str(data), **columns) if isinstance(data, str | Path) else find_labelled(data)


def class_facts(parts: DataParts) -> dict[str, Any]:
    """How many texts each class has, to learn from and to measure on."""
    test = {} if parts.test is None else {"test_classes": class_counts(parts.test)}
    return {"classes": class_counts(parts.train), **test}
