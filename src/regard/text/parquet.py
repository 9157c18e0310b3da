"""Tables in Parquet files, read by polars in a process of its own.

Sizes stand in many places of a Parquet file: in its footer, before each page, inside packed pages. Where one is forged,
polars may ask for memory that no machine has, and Rust then ends the whole process, which no Python code can
prevent. So another process reads the file and sends what it has read, a line of JSON for some rows; if it dies, the
file is refused in one line, and its caller goes on.

    read_columns → python -I -c … → polars → {"rows": {"text": ["a good film", …], "label": [1, …]}}
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from regard.errors import InputFileError, MissingExtraError

MAX_MEMORY = 8 << 30
"""Bytes of addresses that the process may have, where the system knows such a limit: Windows does not."""
MAX_CPU_SECONDS = 600
MAX_THREADS = 4
MAX_ROWS = 20_000_000
MAX_BYTES = 1 << 30
ROWS_AT_ONCE = 10_000
_START = "import sys; sys.path[:] = sys.argv[2:]; from regard.text.parquet import main; main(sys.argv[1])"


def read_column_names(path: Path) -> tuple[str, ...]:
    """Read the names of a table's columns."""
    (answer,) = _ask(path, {"path": str(path)})
    return tuple(answer["columns"])


def read_columns(
    path: Path, names: list[str], *, max_rows: int = MAX_ROWS, max_bytes: int = MAX_BYTES
) -> dict[str, list[Any]]:
    """Read columns of texts, numbers or truth values; a missing value is None.

    A table with more rows, or more bytes of text in these columns, is refused: packed, a text that is repeated takes
    hardly any room.
    """
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for answer in _ask(path, {"path": str(path), "names": names, "max_rows": max_rows, "max_bytes": max_bytes}):
        if "size" in answer:
            n_rows, n_bytes = answer["size"]
            raise InputFileError(
                f"{path} holds {n_rows:,} rows and {n_bytes:,} bytes of text; at most {max_rows:,} and {max_bytes:,} "
                "are read; split the file"
            )
        for name, values in answer["rows"].items():
            columns[name].extend(values)
    return columns


def require_polars(path: Path) -> None:
    """Raise MissingExtraError where polars is not installed."""
    with contextlib.suppress(ValueError):  # what find_spec raises for a module that is barred
        if importlib.util.find_spec("polars") is not None:
            return
    raise MissingExtraError(f"{path} is a Parquet table, which needs polars: pip install 'regard[models]'")


def _ask(path: Path, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What the other process answers, line by line; InputFileError where it refuses the file, or dies of it."""
    require_polars(path)
    # -I and our own sys.path: what is imported there is what would be imported here, nothing from the working folder.
    command = [sys.executable, "-I", "-c", _START, json.dumps(request), *sys.path]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with _kill_at_exit(subprocess.Popen(command, **pipes)) as process:  # type: ignore[call-overload]
        assert process.stdout is not None
        for line in process.stdout:
            if not line.endswith(b"\n"):
                break  # it died while it wrote
            answer = json.loads(line)
            if "refused" in answer:
                raise InputFileError(f"{path} cannot be read as a Parquet table: {answer['refused']}")
            yield answer
        if process.wait() != 0:
            raise InputFileError(
                f"{path} cannot be read as a Parquet table: what reads it ended with {_name_end(process.returncode)}; "
                f"the file is damaged, or needs more than {MAX_MEMORY >> 30} GiB of memory"
            )


@contextlib.contextmanager
def _kill_at_exit(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Let no process live on that nobody listens to: after Ctrl-C, say."""
    with process:
        try:
            yield process
        finally:
            process.kill()


def _name_end(code: int) -> str:
    """A signal's name, or the code with which a process ended.

    >>> _name_end(-6), _name_end(3)
    ('SIGABRT', 'code 3')
    """
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"code {code}"


def main(request: str) -> None:
    """What the other process does: print an answer to each part of a request, a line of JSON each."""
    import os

    _limit_itself()
    os.environ["POLARS_MAX_THREADS"] = str(min(MAX_THREADS, os.cpu_count() or 1))
    import polars

    try:
        for answer in _answers(polars, **json.loads(request)):
            print(json.dumps(answer), flush=True)
    except (polars.exceptions.PolarsError, OSError, polars.exceptions.PanicException) as error:
        # A panic of Rust code is no Exception.
        print(json.dumps({"refused": (str(error).splitlines() or ["no reason is given"])[0]}), flush=True)


def _limit_itself() -> None:
    """Bound memory and time, and leave no core file behind, where the system can."""
    try:
        import resource
    except ImportError:
        return
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_CPU: MAX_CPU_SECONDS, resource.RLIMIT_AS: MAX_MEMORY}
    for kind, limit in limits.items():
        _, hard = resource.getrlimit(kind)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def _answers(
    polars: Any, path: str, names: list[str] | None = None, max_rows: int = 0, max_bytes: int = 0
) -> Iterator[dict[str, Any]]:
    """The names of all columns; where some are named, the rows of these."""
    schema = polars.read_parquet_schema(path)
    if names is None:
        yield {"columns": list(schema)}
        return
    for name in names:
        if name not in schema:
            yield {"refused": f"it has no column {name!r}, but {', '.join(map(repr, schema))}"}
            return
        if not _is_plain(polars, schema[name]):
            yield {"refused": f"expected texts, numbers or truth values in column {name!r}; got {schema[name]}"}
            return
    table = polars.scan_parquet(path).select(_as_plain(polars, name, schema[name]) for name in names)
    n_rows, n_bytes = _measure(polars, table, max_rows)
    if n_rows > max_rows or n_bytes > max_bytes:
        yield {"size": [n_rows, n_bytes]}
        return
    for rows in table.collect().iter_slices(ROWS_AT_ONCE):
        yield {"rows": rows.to_dict(as_series=False)}


def _is_plain(polars: Any, kind: Any) -> bool:
    texts = (polars.String, polars.Categorical, polars.Enum)
    return bool(kind.is_numeric()) or kind in (*texts, polars.Boolean, polars.Null)


def _as_plain(polars: Any, name: str, kind: Any) -> Any:
    """A column as JSON can say it: decimals and the names of categories become texts."""
    column = polars.selectors.by_name(name)  # polars.col would take a name such as ^.*$ for a pattern
    as_text = kind.is_decimal() or kind in (polars.Categorical, polars.Enum)
    return column.cast(polars.String) if as_text else column


def _measure(polars: Any, table: Any, max_rows: int) -> tuple[int, int]:
    """How many rows a table has, and how many bytes its texts, which are not looked at where the rows are too many."""
    n_rows = table.select(polars.len()).collect().item()
    if n_rows > max_rows:
        return n_rows, 0
    sizes = table.select(polars.col(polars.String).str.len_bytes().sum()).collect()
    return n_rows, sum(sizes.row(0)) if sizes.width else 0
