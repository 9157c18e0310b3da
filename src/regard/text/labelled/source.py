"""Labelled texts by name or path, whatever they are kept in.

movie-snippets    the sign of each rating is the label; the 37 of 10,605 that are neither for nor against are left out
imdb              imdb.parquet in REGARD_DATA; imdb/train and imdb/test are its parts
FILE              .csv, .tsv, .jsonl (these also as .gz) or .parquet: a column of texts, a column of labels, and
                  perhaps a column `split` that says which part a row belongs to
FOLDER            a subfolder for each label, perhaps within train/ and test/; or tables train.csv and test.csv

Parts are those called train, test or validation, by any of their usual names (`PARTS`). Where there is no test part,
the validation part is what a classifier is measured on; else it is learnt from, like train.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from regard.errors import CorpusError, InputFileError
from regard.records import LabelledTexts
from regard.text.corpora.corpus import Corpus, find_corpus
from regard.text.labelled.rows import (
    LABEL_COLUMNS,
    PARTS,
    SPLIT_COLUMNS,
    TEXT_COLUMNS,
    UNLABELLED,
    LabelledRows,
    check_rows,
    read_folder,
)
from regard.text.labelled.split import align_labels, require_classes, split_texts
from regard.text.labelled.tables import FORMATS, Table, open_table

DEFAULT = "movie-snippets"
TEST_SHARE = 0.2
"""Of a rated corpus, which has no parts of its own, this share is split off by hash: always the same test part."""
LABEL_NAMES = {"imdb.parquet": {"0": "negative", "1": "positive"}}
"""What numbers mean as labels, in files known by name."""


@dataclass(frozen=True)
class Splits:
    """Texts to learn from and, if the source has such a part, texts to measure on; both with the same labels."""

    train: LabelledTexts
    test: LabelledTexts | None = None


def read_labelled(
    name_or_path: str, *, split: str | None = None, text_column: str | None = None, label_column: str | None = None
) -> LabelledTexts:
    """Read the texts of a source with their labels; with `split`, only its part train or test.

    Raises InputFileError where a column of texts or labels is missing, a line is broken, a text is empty or has no
    label; the message says what was found.
    """
    if split is None:
        return _read_rows(name_or_path, text_column, label_column).encode()
    splits = read_splits(name_or_path, text_column=text_column, label_column=label_column)
    parts = {"train": splits.train, "test": splits.test}
    part = parts.get(PARTS.get(split, split))
    if part is None:
        raise CorpusError(f"{name_or_path} has no part {split!r}; it has {_quote_names(n for n in parts if parts[n])}")
    return part


def read_splits(name_or_path: str, *, text_column: str | None = None, label_column: str | None = None) -> Splits:
    """Read a source in its two parts: texts to learn from, and texts to measure on where it has such a part."""
    rows = _read_rows(name_or_path, text_column, label_column)
    if rows.parts is None:
        data = require_classes(rows.encode(), name=rows.name)
        return Splits(*split_texts(data, share=TEST_SHARE)) if _is_rated(name_or_path) else Splits(data)
    return _split_by_part(rows)


def read_test_texts(
    name_or_path: str, *, text_column: str | None = None, label_column: str | None = None
) -> LabelledTexts:
    """Read the texts of a source that a classifier is measured on: its test part, or all of it where it has none."""
    rows = _read_rows(name_or_path, text_column, label_column)
    if rows.parts is None and not _is_rated(name_or_path):
        return rows.encode()
    splits = read_splits(name_or_path, text_column=text_column, label_column=label_column)
    return splits.train if splits.test is None else splits.test


def has_labels(path: Path) -> bool:
    """Whether a table has a column with a usual name for labels."""
    return any(name.lower() in LABEL_COLUMNS for name in open_table(path).columns)


def read_column(path: Path, *, text_column: str | None = None) -> tuple[str, ...]:
    """Read the texts of a table, with labels or without. Empty ones stay, for each row is to get an answer."""
    table = open_table(path)
    place = _find_column(table, text_column, TEXT_COLUMNS, "texts", "--text-column")
    (texts,), numbers = table.read([place])
    for number, text in zip(numbers, texts, strict=True):
        if not (text is None or isinstance(text, str)):
            raise InputFileError(f"{table.place(number)}: expected a text; got {text!r:.60}")
    return tuple(text or "" for text in texts)


def _split_by_part(rows: LabelledRows) -> Splits:
    """Split rows into training and test by the part that each names."""
    assert rows.parts is not None
    strange = sorted({part for part in rows.parts if part.lower() not in (*PARTS, *UNLABELLED)})
    if strange:
        raise InputFileError(
            f"{rows.name}: expected the parts train, test or valid; found {_quote_names(strange)} as well"
        )
    known = {PARTS[part.lower()] for part in rows.parts if part.lower() in PARTS}
    measured = "test" if "test" in known else "valid" if known > {"valid"} else None
    learnt = known - {measured}
    train = rows.part(lambda part: PARTS.get(part.lower()) in learnt).encode()
    require_classes(train, name=f"{rows.name}, train")
    if measured is None:
        return Splits(train)
    test = rows.part(lambda part: PARTS.get(part.lower()) == measured).encode()
    return Splits(train, align_labels(test, train.labels, name=f"{rows.name}, {measured}", whose="train"))


def _read_rows(name: str, text_column: str | None, label_column: str | None) -> LabelledRows:
    path = Path(name)
    if path.is_dir():
        tables = _tables_in(path)
        if tables:
            return _join_tables(
                [_read_table(open_table(file), text_column, label_column) for file in tables], tables, path
            )
        return read_folder(path)
    corpus = find_corpus(name)
    if corpus.kind == "rated":
        return _label_by_sign(corpus)
    if corpus.path is None or (corpus.source is not None and not _is_labelled_file(corpus.path)):
        raise CorpusError(f"{name} has no labels; {DEFAULT} and imdb have, or give a folder or {', '.join(FORMATS)}")
    rows = _read_table(open_table(corpus.path), text_column, label_column)
    wanted = None if corpus.source is None or name == "imdb" else corpus.source.rows
    return rows if wanted is None or rows.parts is None else rows.part(lambda part: part == wanted)


def _is_rated(name: str) -> bool:
    return not Path(name).exists() and find_corpus(name).kind == "rated"


def _is_labelled_file(path: Path) -> bool:
    return path.name in LABEL_NAMES


def _label_by_sign(corpus: Corpus) -> LabelledRows:
    """Label each rated text by the sign of its rating; texts rated zero are left out."""
    rated = [each for each in corpus.rated if each.rating != 0]
    labels = ["positive" if each.rating > 0 else "negative" for each in rated]
    texts = [each.text for each in rated]
    return check_rows(corpus.name, texts, labels, place=lambda i: f"{corpus.name}, {rated[i].identifier}")


def _read_table(table: Table, text_column: str | None, label_column: str | None) -> LabelledRows:
    text = _find_column(table, text_column, TEXT_COLUMNS, "texts", "--text-column")
    label = _find_column(table, label_column, LABEL_COLUMNS, "labels", "--label-column")
    wanted = [text, label]
    split = next((i for i, name in enumerate(table.columns) if name.lower() in SPLIT_COLUMNS), None)
    if split is not None and split not in wanted:
        wanted.append(split)
    (texts, labels, *parts), numbers = table.read(wanted)
    return check_rows(
        str(table.path),
        texts,
        labels,
        place=lambda i: table.place(numbers[i]),
        parts=parts[0] if parts else None,
        label_names=LABEL_NAMES.get(table.path.name),
    )


def _find_column(table: Table, chosen: str | None, usual: list[str], what: str, option: str) -> int:
    """Find the place of the column of texts or labels: the one chosen, or the first with a usual name."""
    names = [name.lower() for name in table.columns]
    if chosen is not None and chosen in table.columns:
        return table.columns.index(chosen)
    if chosen is None:
        for name in usual:
            if name in names:
                return names.index(name)
    missing = (
        f"no column {chosen!r}" if chosen is not None else f"no column that is named as {what} are ({usual[0]}, …)"
    )
    raise InputFileError(
        f"{table.path} has {missing}; the columns that its first line names are "
        f"{_quote_names(table.columns)}; choose one of them with {option}"
    )


def _tables_in(folder: Path) -> list[Path]:
    """The tables of a folder that have the name of a part: train.csv, test.csv."""
    found = sorted(child for child in folder.iterdir() if child.is_file())
    return [child for child in found if child.name.split(".")[0].lower() in PARTS and _has_format(child)]


def _has_format(path: Path) -> bool:
    return any(path.name.lower().removesuffix(".gz").endswith(ending) for ending in FORMATS)


def _join_tables(tables: list[LabelledRows], paths: list[Path], folder: Path) -> LabelledRows:
    return LabelledRows(
        str(folder),
        [text for rows in tables for text in rows.texts],
        [label for rows in tables for label in rows.labels],
        [path.name.split(".")[0].lower() for rows, path in zip(tables, paths, strict=True) for _ in rows.texts],
    )


def _quote_names(names: object) -> str:
    return ", ".join(repr(str(name)[:40]) for name in list(names)[:12])  # type: ignore[call-overload]
