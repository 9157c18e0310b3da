"""Rows of text and label as they stand in a source, and the checks that make labelled texts of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.errors import InputFileError
from regard.records import LabelledTexts

SPELLED_OUT = {"neg": "negative", "pos": "positive"}
"""Names that mean the same, so that a model of one source can be measured on another."""
FEW_LABELS = 20
"""More than so many, and more than one in five texts, are no labels but measurements, or the wrong column."""

_TEXTS = "text review sentence content comment tweet body message phrase snippet document description"
_LABELS = "label sentiment class category target polarity rating stars score"
TEXT_COLUMNS, LABEL_COLUMNS = _TEXTS.split(" "), _LABELS.split(" ")
SPLIT_COLUMNS = ("split", "partition", "subset")
"""What columns are usually called; where several are there, the first counts."""


@dataclass(frozen=True)
class LabelledRows:
    """Texts, the name of each one's label, and which part of the source it belongs to, if the source has parts."""

    name: str
    texts: list[str]
    labels: list[str]
    parts: list[str] | None = None

    def part(self, wanted: Callable[[str], bool]) -> LabelledRows:
        """The rows of those parts that are wanted."""
        assert self.parts is not None
        kept = [i for i, part in enumerate(self.parts) if wanted(part)]
        return LabelledRows(self.name, [self.texts[i] for i in kept], [self.labels[i] for i in kept])

    def encoded(self, labels: Sequence[str] | None = None) -> LabelledTexts:
        """The texts with their labels' places among `labels`: those that occur, in order, unless given."""
        labels = ordered(set(self.labels)) if labels is None else tuple(labels)
        places = {label: place for place, label in enumerate(labels)}
        label_ids = np.array([places[label] for label in self.labels], dtype=np.int64)
        return LabelledTexts(tuple(self.texts), label_ids, labels)


def checked_rows(
    name: str,
    texts: Sequence[Any],
    labels: Sequence[Any],
    *,
    place: Callable[[int], str],
    parts: Sequence[Any] | None = None,
    label_names: dict[str, str] | None = None,
) -> LabelledRows:
    """Rows without gaps: each has a text with something in it, and a label. `place` says where row i stands."""
    if not texts:
        raise InputFileError(f"{name} has no texts; expected rows of text and label")
    for i, text in enumerate(texts):
        if not (text is None or isinstance(text, str)):
            raise InputFileError(f"{place(i)}: expected a text; got {text!r:.60}")
    empty = [i for i, text in enumerate(texts) if not text or text.isspace()]
    if empty:
        raise InputFileError(_gaps(name, "is empty", "are empty", empty, len(texts), place))
    named = _named(labels, place)
    missing = [i for i, label in enumerate(named) if not label]
    if missing:
        raise InputFileError(_gaps(name, "has no label", "have no label", missing, len(texts), place))
    names = SPELLED_OUT | (label_names or {})
    spelled = [names.get(label, label) for label in named]
    _require_few(name, spelled)
    return LabelledRows(name, list(texts), spelled, None if parts is None else [str(part) for part in parts])


def ordered(labels: set[str]) -> tuple[str, ...]:
    """Labels in their order: by size if all are numbers, else by the alphabet.

    >>> ordered({"10", "9", "-1"}), ordered({"positive", "negative"})
    (('-1', '9', '10'), ('negative', 'positive'))
    """
    try:
        return tuple(sorted(labels, key=lambda label: (float(label), label)))
    except ValueError:
        return tuple(sorted(labels))


def label_name(value: Any) -> str:
    """A label as a word: whole numbers without decimals; nothing where there is none.

    >>> [label_name(value) for value in (" pos ", 1, 1.0, 0.5, True, None)]
    ['pos', '1', '1', '0.5', 'true', '']
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return "" if math.isnan(value) else str(int(value)) if value.is_integer() else str(value)
    return str(value).strip()


def _named(labels: Sequence[Any], place: Callable[[int], str]) -> list[str]:
    for i, label in enumerate(labels):
        if isinstance(label, list | dict):
            raise InputFileError(f"{place(i)}: expected one label, a word or a number; got {label!r:.60}")
    return [label_name(label) for label in labels]


def _gaps(name: str, one: str, many: str, gaps: list[int], n: int, place: Callable[[int], str]) -> str:
    what = f"{len(gaps):,} of {n:,} texts {one if len(gaps) == 1 else many}"
    return f"{name}: {what}, the first at {place(gaps[0])}; leave such rows out"


def _require_few(name: str, labels: list[str]) -> None:
    n_labels = len(set(labels))
    if n_labels > max(FEW_LABELS, len(labels) / 5):
        shown = ", ".join(repr(label[:30]) for label in list(dict.fromkeys(labels))[:4])
        raise InputFileError(
            f"{name} has {n_labels:,} different labels in {len(labels):,} texts ({shown}, …); labels are few: choose "
            "another column with --label-column, or make classes of the numbers"
        )
