"""Labelled texts as a folder of files: a subfolder for each label, in it a file for each text.

aclImdb/train/neg/0_3.txt    aclImdb/train/pos/…    aclImdb/test/…      parts, and labels in each
mail/ham/0001.txt            mail/spam/…                                labels alone
data/train.csv               data/test.csv                              parts as tables
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from regard.errors import InputFileError
from regard.text.labelled_rows import LabelledRows, checked_rows

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
"""What parts of a source are called."""
UNLABELLED = ("unsup",)


class _File(NamedTuple):
    path: Path
    label: str
    part: str


def read_folder(folder: Path) -> LabelledRows:
    """All texts in a folder, by part and label, in the order of their names."""
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
        raise InputFileError(_nothing_in(folder))
    return checked_rows(
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
    """The text of a small file; `read_text` of the reader takes four times as long for each of 50,000."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        byte = f"byte 0x{data[error.start]:02x} at offset {error.start}"
        raise InputFileError(f"{path} is not UTF-8: {byte}; save it as UTF-8") from None


def _nothing_in(folder: Path) -> str:
    names = [child.name for child in sorted(folder.iterdir())][:6]
    found = ", ".join(names) + (", …" if len(names) == 6 else "") if names else "nothing"
    return f"{folder}: expected a subfolder of text files for each label, as in pos/ and neg/; found {found}"
