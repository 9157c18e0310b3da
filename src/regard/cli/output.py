"""What commands print and write: tables for people, plain text for pipes, JSON for programs, files that are whole."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any

from regard.display import GAP, Cell, align_table, format_cell, join_cells
from regard.errors import OutputFileError, RegardError
from regard.files import is_one_of, open_output, require_writable
from regard.progress import Progress, show_progress

LONGEST_WORD = 20
"""Longer words, as formulas and checksums are, may be broken; no number is as long."""


def fit_table(rows: Sequence[Sequence[str]], is_text: Sequence[bool], width: int) -> list[str]:
    """The lines of a table, whose first row is its heading, of at most `width` characters each.

    >>> print(*fit_table([["key", "what"], ["3", "the sea is deep"]], [False, True], 14), sep="\\n")
    key  what
      3  the sea
         is deep
    """
    columns = list(zip(*rows, strict=True))
    sets_left = [left and not _is_aligned_right(column) for left, column in zip(is_text, columns, strict=True)]
    cells = [[cell.strip() for cell in column] for column in columns]
    widths = fit_widths(cells, width - len(GAP) * (len(cells) - 1))
    heading, *body = zip(*cells, strict=True)
    if widths is None:
        return _list_rows(heading, body, width)
    lines: list[str] = []
    for row in (heading, *body):
        parts = [_wrap(cell, space) for cell, space in zip(row, widths, strict=True)]
        lines += [join_cells(line, widths, sets_left) for line in zip_longest(*parts, fillvalue="")]
    return lines


def fit_facts(facts: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Lines of at most `width` characters: each name on the left, and the rest of a long fact below its beginning.

    >>> print(*fit_facts([("why", "the sea is deep"), ("verdict", "holds")], 17), sep="\\n")
    why      the sea
             is deep
    verdict  holds
    """
    longest_name = max((len(name) for name, _ in facts), default=0)
    space = min(longest_name, max(width // 2 - len(GAP), 1))
    lines: list[str] = []
    for name, fact in facts:
        parts = _wrap(name, space), _wrap(fact, max(width - space - len(GAP), 1))
        lines += [join_cells(line, (space, 0), (True, True)) for line in zip_longest(*parts, fillvalue="")]
    return lines


def fit_text(text: str, width: int, *, indent: str = GAP) -> list[str]:
    """Lines of at most `width` characters, all but the first of them indented.

    >>> fit_text("attention: any keys", 12)
    ['attention:', '  any keys']
    """
    if len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)


def fit_widths(columns: Sequence[Sequence[str]], available: int) -> list[int] | None:
    """A width for each column, all together at most `available`, the widest narrowed most; None where none will do."""
    widths = [max(map(len, column)) for column in columns]
    least = [
        max(min(len(word), LONGEST_WORD) for cell in column for word in cell.split() or [""]) for column in columns
    ]
    if sum(least) > available:
        return None
    while sum(widths) > available:
        widest = max((i for i in range(len(widths)) if widths[i] > least[i]), key=lambda i: widths[i])
        widths[widest] -= 1
    return widths


def _is_aligned_right(column: Sequence[str]) -> bool:
    """Whether the cells are already aligned to the right, as numbers with their units are."""
    return len(set(map(len, column))) == 1 and any(cell.startswith(" ") for cell in column)


def _list_rows(heading: Sequence[str], body: Sequence[Sequence[str]], width: int) -> list[str]:
    """Each row as facts named by the heading, with an empty line between rows."""
    lines: list[str] = []
    for row in body:
        lines += [""] if lines else []
        lines += fit_facts(list(zip(heading, row, strict=True)), width)
    return lines


def _wrap(cell: str, width: int) -> list[str]:
    if len(cell) <= width:
        return [cell]
    breaks_words = any(len(word) > LONGEST_WORD for word in cell.split())
    return textwrap.wrap(cell, width, break_long_words=breaks_words, break_on_hyphens=False)


class Stopped(Exception):
    """A command that was interrupted and says what it has kept; ends with exit code 130."""


def print_json(record: dict[str, Any]) -> None:
    """One JSON object; arrays become lists, and what JSON has no number for (∞) becomes null."""
    print(json.dumps(jsonable(record), ensure_ascii=False, allow_nan=False))


def jsonable(value: Any) -> Any:
    """The value with lists, dicts and plain numbers in place of arrays and records."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: jsonable(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {name: jsonable(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if hasattr(value, "tolist"):
        return jsonable(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, Path) else value


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, digits: int = 6) -> None:
    """A table with a heading: on a terminal drawn, or wrapped where that is too narrow; never cut in a pipe."""
    cells = [[format_cell(cell, digits=digits) for cell in row] for row in rows]
    is_text = [all(isinstance(row[i], str | bool) for row in rows) for i in range(len(columns))]
    whole = [list(columns), *cells]
    lines, width = align_table(whole, is_text), line_width()
    length = max(map(len, lines))
    if sys.stdout.isatty() and length + 2 * len(columns) <= width:  # a drawn table has a margin around each cell
        _print_boxed(columns, cells, is_text)
        return
    for line in lines if length <= width else fit_table(whole, is_text, width):
        print(line)


def print_facts(facts: dict[str, Cell]) -> None:
    """One fact a line: its name, then what it is; on a terminal that is too narrow, the rest of it below."""
    for line in fit_facts([(name, format_cell(fact)) for name, fact in facts.items()], line_width()):
        print(line)


def print_training(facts: dict[str, Any], *, as_json: bool) -> None:
    """What came of a training run."""
    if as_json:
        print_json(facts)
        return
    warnings = facts.pop("warnings", [])
    print_facts({name.replace("_", " "): fact for name, fact in facts.items()})
    for warning in warnings:
        print(f"be wary: {warning}")


def print_note(line: str) -> None:
    """A line for the user on standard error, beside what is printed."""
    print(f"regard: {line}", file=sys.stderr)


def line_width() -> int:
    """How many characters a line of output may have: as many as the terminal shows, and in a pipe any number."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize


def vector(numbers: Sequence[float], *, most: int | None = None) -> str:
    """Numbers in a row; where there are more than `most`, their beginning and how many there are."""
    if most is None or len(numbers) <= most:
        return " ".join(map(format_cell, numbers))
    return f"{' '.join(map(format_cell, numbers[:most]))} … ({len(numbers)} numbers)"


def align_right(column: list[str]) -> list[str]:
    """The cells of a column, its heading among them, padded so that they end below each other."""
    width = max(map(len, column))
    return [cell.rjust(width) for cell in column]


def _print_boxed(columns: Sequence[str], cells: Sequence[Sequence[str]], is_text: Sequence[bool]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, left in zip(columns, is_text, strict=True):
        table.add_column(name, justify="left" if left else "right", no_wrap=True)
    for row in cells:
        table.add_row(*row)
    Console(markup=False, highlight=False).print(table)


def progress_bar() -> AbstractContextManager[Progress]:
    """A bar on the terminal that shows what is being done and how far it is; nothing in a pipe."""
    return show_progress()


def show_activity(what: str) -> AbstractContextManager[Any]:
    """A sign of life on the terminal while something takes its time; nothing in a pipe."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(what)


def require_outputs(
    *outputs: Path | None, inputs: Iterable[str | Path | None] = (), model_folder: Path | None = None
) -> None:
    """Refuse, before any work is done, output files that cannot be written, are also read, or are named twice.

    `inputs` are files, folders or names of corpora, as they were typed; None or an empty text stands for what was not
    given. A model is written to `model_folder`, which is for its own files alone.
    """
    paths = [path for path in outputs if path is not None]
    if not paths:
        return
    read = [*_standard_input(), *(path for each in inputs if each for path in input_files(str(each)))]
    for path in paths:
        require_writable(path)
        if is_one_of(path, read):
            raise OutputFileError(f"cannot write {path}: this command reads it; choose another name")
        if model_folder is not None and path.resolve().is_relative_to(model_folder.resolve()):
            raise OutputFileError(f"cannot write {path}: {model_folder} is for the model alone; choose another place")
    names = [os.path.realpath(path) for path in paths if path.is_file() or not path.exists()]
    for path in paths:
        if names.count(os.path.realpath(path)) > 1:
            raise OutputFileError(f"cannot write {path}: two results would have that name; choose another for one")


def input_files(name: str) -> list[Path]:
    """The files or folders that something typed may stand for: a path, an array in a file (FILE:NAME), a corpus."""
    from regard.text.corpora.corpus import find_local_corpus

    paths = [Path(name), Path(name.rpartition(":")[0] or name)]
    with suppress(RegardError, OSError):  # no folder of corpora; or numbers, which are too long for a name
        corpus = find_local_corpus(name)
        if corpus is not None and corpus.path is not None:
            paths.append(corpus.path)
    return [path for path in paths if os.path.exists(path)]


def _standard_input() -> list[Path]:
    """The file that the standard input comes from, if it is one."""
    path = Path("/dev/stdin")
    return [path] if path.is_file() else []


def save_array(array: Any, path: Path | None) -> None:
    """Write one array to a `.npy`, if a name for it was given."""
    if path is not None:
        import numpy as np

        with open_output(path) as file:
            np.save(file, array)


def save_arrays(arrays: dict[str, Any], path: Path) -> None:
    """Write those arrays that there are to a `.npz`."""
    import numpy as np

    with open_output(path) as file:
        np.savez(file, **{name: array for name, array in arrays.items() if array is not None})
