"""Rows of text and label, checked for gaps, and a reader that makes such rows from a folder of text files.

In a folder, each label is a subfolder and each text a file in it:

aclImdb/train/neg/0_3.txt    aclImdb/train/pos/…    aclImdb/test/…      parts, and labels in each
mail/ham/0001.txt            mail/spam/…                                labels alone
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from regard.errors import InputFileError
from regard.records import LabelledTexts

LABEL_SYNONYMS = {"neg": "negative", "pos": "positive"}
"""Short names of labels and what they become, so that a model of one source can be measured on another."""
MAX_LABELS = 20
"""More labels than this, and than a fifth of the texts, mean measurements or the wrong column."""

_TEXTS = "text review sentence content comment tweet body message phrase snippet document description"
_LABELS = "label sentiment class category target polarity rating stars score"
TEXT_COLUMNS, LABEL_COLUMNS = _TEXTS.split(" "), _LABELS.split(" ")
SPLIT_COLUMNS = ("split", "partition", "subset")
"""Usual names of columns; where a table has several, the first of these counts."""


@dataclass(frozen=True)
class LabelledRows:
    """Texts, the name of each text's label, and the part each belongs to (train, test), if the source has parts."""

    name: str
    texts: list[str]
    labels: list[str]
    parts: list[str] | None = None

    def part(self, wanted: Callable[[str], bool]) -> LabelledRows:
        """The rows of the parts for which `wanted` is true."""
        assert self.parts is not None
        kept = [i for i, part in enumerate(self.parts) if wanted(part)]
        return LabelledRows(self.name, [self.texts[i] for i in kept], [self.labels[i] for i in kept])

    def encode(self, labels: Sequence[str] | None = None) -> LabelledTexts:
        """Number the labels by their places in `labels`; by default, in the sorted labels that occur."""
        labels = sort_labels(set(self.labels)) if labels is None else tuple(labels)
        places = {label: place for place, label in enumerate(labels)}
        label_ids = np.array([places[label] for label in self.labels], dtype=np.int64)
        return LabelledTexts(tuple(self.texts), label_ids, labels)


def check_rows(
    name: str,
    texts: Sequence[Any],
    labels: Sequence[Any],
    *,
    place: Callable[[int], str],
    parts: Sequence[Any] | None = None,
    label_names: dict[str, str] | None = None,
) -> LabelledRows:
    """Make rows of texts and labels; raise InputFileError where a text is empty or has no label.

    `place` gives the words with which a message says where row i stands.
    """
    if not texts:
        raise InputFileError(f"{name} has no texts; expected rows of text and label")
    for i, text in enumerate(texts):
        if not (text is None or isinstance(text, str)):
            raise InputFileError(f"{place(i)}: expected a text; got {text!r:.60}")
    empty = [i for i, text in enumerate(texts) if not text or text.isspace()]
    if empty:
        raise InputFileError(_describe_gaps(name, "is empty", "are empty", empty, len(texts), place))
    named = _name_labels(labels, place)
    missing = [i for i, label in enumerate(named) if not label]
    if missing:
        raise InputFileError(_describe_gaps(name, "has no label", "have no label", missing, len(texts), place))
    names = LABEL_SYNONYMS | (label_names or {})
    spelled = [names.get(label, label) for label in named]
    _require_few_labels(name, spelled)
    return LabelledRows(name, list(texts), spelled, None if parts is None else [str(part) for part in parts])


def sort_labels(labels: set[str]) -> tuple[str, ...]:
    """Sort labels: by size if all are numbers, else by the alphabet.

    >>> sort_labels({"10", "9", "-1"}), sort_labels({"positive", "negative"})
    (('-1', '9', '10'), ('negative', 'positive'))
    """
    try:
        return tuple(sorted(labels, key=lambda label: (float(label), label)))
    except ValueError:
        return tuple(sorted(labels))


def label_name(value: Any) -> str:
    """A label as text: whole numbers without decimals, the empty string for a missing label.

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


def _name_labels(labels: Sequence[Any], place: Callable[[int], str]) -> list[str]:
    for i, label in enumerate(labels):
        if isinstance(label, list | dict):
            raise InputFileError(f"{place(i)}: expected one label, a word or a number; got {label!r:.60}")
    return [label_name(label) for label in labels]


def _describe_gaps(name: str, one: str, many: str, gaps: list[int], n: int, place: Callable[[int], str]) -> str:
    what = f"{len(gaps):,} of {n:,} texts {one if len(gaps) == 1 else many}"
    return f"{name}: {what}, the first at {place(gaps[0])}; leave such rows out"


def _require_few_labels(name: str, labels: list[str]) -> None:
    n_labels = len(set(labels))
    if n_labels > max(MAX_LABELS, len(labels) / 5):
        shown = ", ".join(repr(label[:30]) for label in list(dict.fromkeys(labels))[:4])
        raise InputFileError(
            f"{name} has {n_labels:,} different labels in {len(labels):,} texts ({shown}, …); a classifier needs "
            "several texts for each label: choose another column with --label-column, or make classes of the numbers"
        )


PARTS = {
    "train": "train",
    "training": "train",
    "test": "test",
    "testing": "test",
    "valid": "valid",
    "validation": "valid",
    "val": "valid",
    "dev": "valid",
}
"""Usual names of the parts of a source, and the part that each means."""
UNLABELLED = ("unsup",)


class _File(NamedTuple):
    path: Path
    label: str
    part: str


def read_folder(folder: Path) -> LabelledRows:
    """Read all texts in a folder, by part and label, in the order of their file names."""
    parts = {child: PARTS[child.name.lower()] for child in _subfolders(folder) if child.name.lower() in PARTS}
    if not parts:
        parts = {folder: ""}
    files = [
        _File(path, label.name, part)
        for place, part in parts.items()
        for label in _subfolders(place)
        if label.name not in UNLABELLED
        for path in _files(label)
    ]
    if not files:
        raise InputFileError(_describe_folder(folder))
    return check_rows(
        str(folder),
        [_content(file.path) for file in files],
        [file.label for file in files],
        place=lambda i: str(files[i].path),
        parts=[file.part for file in files] if any(file.part for file in files) else None,
    )


def _subfolders(folder: Path) -> list[Path]:
    return sorted(child for child in folder.iterdir() if child.is_dir() and not child.name.startswith("."))


def _files(folder: Path) -> list[Path]:
    return sorted(child for child in folder.iterdir() if not child.name.startswith(".") and child.is_file())


def _content(path: Path) -> str:
    """Read a small file of text; `corpora.reader.read_text` takes four times as long for each of 50,000 files."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        byte = f"byte 0x{data[error.start]:02x} at offset {error.start}"
        raise InputFileError(f"{path} is not UTF-8: {byte}; save it as UTF-8") from None


def _describe_folder(folder: Path) -> str:
    names = [child.name for child in sorted(folder.iterdir())][:6]
    found = ", ".join(names) + (", …" if len(names) == 6 else "") if names else "nothing"
    return f"{folder}: expected a subfolder of text files for each label, as in pos/ and neg/; found {found}"
