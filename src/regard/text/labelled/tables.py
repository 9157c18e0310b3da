"""Tables in files, whatever their format: CSV or TSV, JSON lines, Parquet.

A table is opened by its first line or its schema alone, so that the columns can be chosen before any of them is read.
Each row knows where it begins, so that a message can say where something is wrong.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from regard.errors import InputFileError, MissingExtraError
from regard.text.corpora.reader import read_chunks

DELIMITERS = (",", ";", "\t", "|")


class Columns(NamedTuple):
    """Some columns of a table, and the line (or the row, where there are no lines) that each row begins in."""

    values: list[list[Any]]
    numbers: list[int]


@dataclass(frozen=True)
class Table:
    """A table that can be read: its columns by name, and a function that reads some of them, by their places."""

    path: Path
    columns: tuple[str, ...]
    read: Callable[[list[int]], Columns]
    unit: str = "line"

    def place(self, number: int) -> str:
        """What messages call a row."""
        return f"{self.path}, {self.unit} {number}"


def is_table(path: Path) -> bool:
    """True for a file whose name ends as a table's does."""
    return _ending(path) in FORMATS


def open_table(path: Path) -> Table:
    """The table in a file; its format is that of the name's ending."""
    ending = _ending(path)
    if ending not in FORMATS:
        raise InputFileError(f"{path}: expected labelled texts in a folder or in a file {', '.join(FORMATS)}")
    return FORMATS[ending](path)


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a text file without their ends, plain or gzip, never the whole at once."""
    rest = ""
    for piece in read_chunks(path):
        *whole, rest = (rest + piece).split("\n")
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
    """Columns of a file with delimiters, quoted where needed; a row may go over several lines.

    Tabs hardly occur in texts, so that many files with tabs quote nothing and have quotes that mean themselves: these
    are read as they stand if every line has its columns.
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
        found.numbers.append(number)
        for values, place in zip(found.values, wanted, strict=True):
            values.append(row[place])
    return found


def _read_quoted_rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Each row after the first, and the line it begins in; empty lines are passed over."""
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
    """Columns of a file with tabs, a row a line; None where a line has more or fewer of them."""
    found = Columns([[] for _ in wanted], [])
    for number, line in enumerate(read_lines(path), start=1):
        row = line.split("\t")
        if number == 1 or not line:
            continue
        if len(row) != n_columns:
            return None
        found.numbers.append(number)
        for values, place in zip(found.values, wanted, strict=True):
            values.append(_unquote(row[place]))
    return found


def _unquote(field: str) -> str:
    """What is quoted as a whole, without its quotes.

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
            found.numbers.append(number)
            for values, place in zip(found.values, wanted, strict=True):
                values.append(row.get(columns[place]))
        return found

    return Table(path, columns, read)


def _read_json_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The object of each line; empty lines are passed over."""
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
    try:
        import polars
    except ImportError:
        raise MissingExtraError(
            f"{path} is a Parquet table, which needs polars: pip install 'regard[models]'"
        ) from None

    def attempt(read: Callable[[], Any]) -> Any:
        try:
            return read()
        except (polars.exceptions.PolarsError, OSError) as error:
            raise InputFileError(f"{path} cannot be read as a Parquet table: {str(error).splitlines()[0]}") from error

    columns = tuple(attempt(lambda: polars.read_parquet_schema(path)))

    def read(wanted: list[int]) -> Columns:
        names = [columns[place] for place in wanted]
        table = attempt(lambda: polars.read_parquet(path, columns=list(dict.fromkeys(names))))
        return Columns([table[name].to_list() for name in names], list(range(1, len(table) + 1)))

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
"""How each format is opened; all but Parquet may be packed (.gz)."""
