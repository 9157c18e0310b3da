"""Tables in files of several formats: CSV or TSV, JSON lines, Parquet.

Opening a table reads only its first line or its schema, so that columns can be chosen before any of them is read. The
line in which each row begins is read with it, so that a message can say where something is wrong.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from regard.errors import InputFileError
from regard.text.corpora.reader import read_chunks
from regard.text.parquet import read_column_names, read_columns

DELIMITERS = (",", ";", "\t", "|")
MAX_CHARACTERS = 1 << 30
"""All of a table's texts are held at once; a small packed file may unpack to more than any memory."""
MAX_LINE = 1 << 24
MAX_ROWS = 20_000_000
"""A row of a few characters takes 130 bytes of memory, so that characters alone say too little."""


class Columns(NamedTuple):
    """Some columns of a table, and the line (or the row, where there are no lines) that each row begins in."""

    values: list[list[Any]]
    numbers: list[int]


@dataclass(frozen=True)
class Table:
    """An open table: the names of its columns, and a function that reads the columns at given places."""

    path: Path
    columns: tuple[str, ...]
    read: Callable[[list[int]], Columns]
    unit: str = "line"

    def place(self, number: int) -> str:
        """What messages call the row that begins in this line."""
        return f"{self.path}, {self.unit} {number}"


def is_table(path: Path) -> bool:
    """True for a file whose name has the ending of a table."""
    return _ending(path) in FORMATS


def open_table(path: Path) -> Table:
    """Open the table in a file; the ending of its name gives the format."""
    ending = _ending(path)
    if ending not in FORMATS:
        raise InputFileError(f"{path}: expected labelled texts in a folder or in a file {', '.join(FORMATS)}")
    return FORMATS[ending](path)


def read_lines(path: Path) -> Iterator[str]:
    """Read the lines of a text file, plain or gzip, without line ends; the file is never in memory as a whole."""
    rest, n_characters = "", 0
    for piece in read_chunks(path):
        *whole, rest = (rest + piece).split("\n")
        n_characters += len(piece)
        if n_characters > MAX_CHARACTERS or len(rest) > MAX_LINE:
            what = f"a line of {MAX_LINE:,}" if len(rest) > MAX_LINE else f"{MAX_CHARACTERS:,}"
            raise InputFileError(f"{path} holds more than {what} characters, the most that is read; split the file")
        yield from whole
    if rest:
        yield rest


def _ending(path: Path) -> str:
    return path.with_suffix("").suffix.lower() if path.suffix.lower() == ".gz" else path.suffix.lower()


def _open_delimited(path: Path) -> Table:
    heading = next((line for line in read_lines(path)), "")
    delimiter = max(DELIMITERS, key=heading.count)
    columns = tuple(name.strip() for name in next(csv.reader([heading], delimiter=delimiter), []))
    return Table(path, columns, lambda wanted: _read_delimited(path, delimiter, len(columns), wanted))


def _read_delimited(path: Path, delimiter: str, n_columns: int, wanted: list[int]) -> Columns:
    """Read columns of a file with delimiters; fields may be quoted, and a row may go over several lines.

    Many files with tabs quote nothing, since texts hardly hold tabs, and a quote in them is just a quote. If every
    line has the right number of columns, such a file is read without regard to quotes.
    """
    if delimiter == "\t":
        plain = _read_plain_rows(path, n_columns, wanted)
        if plain is not None:
            return plain
    found = Columns([[] for _ in wanted], [])
    for number, row in _read_quoted_rows(path, delimiter):
        if len(row) != n_columns:
            raise InputFileError(
                f"{path}, line {number}: expected {n_columns} columns as in the first line; got {len(row)}"
            )
        _add_row(found, path, number, (row[place] for place in wanted))
    return found


def _add_row(found: Columns, path: Path, number: int, row: Iterable[Any]) -> None:
    """Add a row to the columns; InputFileError where there are too many to be held."""
    if len(found.numbers) >= MAX_ROWS:
        raise InputFileError(f"{path} has more than {MAX_ROWS:,} rows, the most that are read; split the file")
    found.numbers.append(number)
    for values, value in zip(found.values, row, strict=True):
        values.append(value)


def _read_quoted_rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Read each row after the first, with the line it begins in; empty lines are skipped."""
    before = csv.field_size_limit(sys.maxsize)  # by default a text of over 131,072 characters is refused
    reader = csv.reader((f"{line}\n" for line in read_lines(path)), delimiter=delimiter, strict=True)
    number = 1
    try:
        for row in reader:
            if number > 1 and row:
                yield number, row
            number = reader.line_num + 1
    except csv.Error as error:
        raise InputFileError(f"{path}, line {number}: {error}; is a quote left open, or not doubled?") from error
    finally:
        csv.field_size_limit(before)


def _read_plain_rows(path: Path, n_columns: int, wanted: list[int]) -> Columns | None:
    """Read columns of a file with tabs, one row a line; None if a line has more or fewer columns."""
    found = Columns([[] for _ in wanted], [])
    for number, line in enumerate(read_lines(path), start=1):
        row = line.split("\t")
        if number == 1 or not line:
            continue
        if len(row) != n_columns:
            return None
        _add_row(found, path, number, (_unquote(row[place]) for place in wanted))
    return found


def _unquote(field: str) -> str:
    """Remove the quotes around a field that is quoted as a whole.

    >>> _unquote('"a ""b"" c"'), _unquote('"a" b "c"')
    ('a "b" c', '"a" b "c"')
    """
    if len(field) < 2 or field[0] != '"' or field[-1] != '"':
        return field
    inner = field[1:-1]
    return field if '"' in inner.replace('""', "") else inner.replace('""', '"')


def _open_json(path: Path) -> Table:
    rows = _read_json_rows(path)
    first = next(rows, None)
    if first is None:
        raise InputFileError(f"{path} is empty; expected one JSON object a line")
    columns = tuple(first[1])

    def read(wanted: list[int]) -> Columns:
        found = Columns([[] for _ in wanted], [])
        for number, row in _read_json_rows(path):
            _add_row(found, path, number, (row.get(columns[place]) for place in wanted))
        return found

    return Table(path, columns, read)


def _read_json_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the object of each line, with the number of the line; empty lines are skipped."""
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:  # no JSON, too many digits or too deep
            raise InputFileError(f"{path}, line {number}: expected one JSON object a line; {error}") from error
        if not isinstance(row, dict):
            raise InputFileError(f"{path}, line {number}: expected a JSON object; got {line.strip()[:60]!r}")
        yield number, row


def _open_parquet(path: Path) -> Table:
    columns = read_column_names(path)

    def read(wanted: list[int]) -> Columns:
        names = [columns[place] for place in wanted]
        values = read_columns(path, list(dict.fromkeys(names)), max_rows=MAX_ROWS, max_bytes=MAX_CHARACTERS)
        return Columns([values[name] for name in names], list(range(1, len(next(iter(values.values()), [])) + 1)))

    return Table(path, columns, read, unit="row")


Opener: TypeAlias = Callable[[Path], Table]
FORMATS: dict[str, Opener] = {
    ".csv": _open_delimited,
    ".tsv": _open_delimited,
    ".tab": _open_delimited,
    ".jsonl": _open_json,
    ".ndjson": _open_json,
    ".parquet": _open_parquet,
}
"""The function that opens each format; all but Parquet may be packed (.gz)."""
