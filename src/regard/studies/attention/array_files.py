"""Arrays from files: `.npy`, `.npz` and `.json`, with an error that names file and place for everything else.

    keys.npy            the array in it
    arrays.npz:keys     one array of several; a file with a single one needs no name
    arrays.json:keys    likewise, for an object of names; or nested lists alone

Nothing is ever unpickled: a pickle may run any code.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from regard.errors import InputFileError
from regard.shapes import Bool, Float

MAX_MEMBER_BYTES = 1 << 30
"""Of one array in an archive, unpacked: 134 million numbers."""
NAMED = re.compile(r"(.+?\.(?:npy|npz|json))(?::(.*))?", re.IGNORECASE)
MAX_AXES = 3  # a matrix for each key


def read_array(source: str, *, folder: Path | None = None) -> Float[np.ndarray, " ..."]:
    """The finite numbers in a file, as float64; a relative path starts at `folder`."""
    return as_numbers(_load(source, folder), source)


def read_rows(source: str, *, n_rows: int | None = None) -> Float[np.ndarray, "row width"]:
    """An array of rows: as many as there are keys, where that is known, and at least one."""
    rows = as_rows(read_array(source), source)
    if n_rows is not None and len(rows) != n_rows:
        raise InputFileError(f"{source}: expected one row for each of the {n_rows} keys; got {len(rows)}")
    return rows


def is_description(source: str) -> bool:
    """Whether a file describes keys and noise (see `key_file`) rather than holding an array."""
    return source.lower().endswith(".toml")


def read_queries(source: str) -> Float[np.ndarray, "query width"]:
    """One query a row; a single one may come without the axis of rows."""
    array = read_array(source)
    return as_rows(array[None] if array.ndim == 1 else array, source)


def read_mask(source: str) -> Bool[np.ndarray, " ..."]:
    """True or false, also written as 1 and 0."""
    array = _load(source, None)
    if array.dtype.kind not in "biuf" or not np.isin(array, (0, 1)).all():
        raise InputFileError(f"{source}: a mask holds true and false, or 1 and 0, and nothing else")
    return array.astype(bool)


def as_rows(array: Float[np.ndarray, " ..."], place: str) -> Float[np.ndarray, "row width"]:
    """The array itself, if it has rows and columns; InputFileError if not."""
    if array.ndim != 2 or 0 in array.shape:
        raise InputFileError(f"{place}: expected rows of numbers, at least one; got shape {array.shape}")
    return array


def as_numbers(array: np.ndarray, place: str) -> Float[np.ndarray, " ..."]:
    """The array as float64, if all of it are finite real numbers."""
    if array.dtype.kind not in "fiu":
        raise InputFileError(f"{place}: expected real numbers; got dtype {array.dtype}")
    numbers = array.astype(np.float64)
    bad = np.argwhere(~np.isfinite(numbers))
    if len(bad):
        index = ", ".join(map(str, bad[0]))
        raise InputFileError(f"{place}: every number must be finite; entry [{index}] is {numbers[tuple(bad[0])]}")
    return numbers


def parse_nested_lists(data: object, place: str) -> np.ndarray:
    """Lists of lists of numbers (or of true and false) as an array; an error names the entry that does not fit."""
    try:
        n_axes = len(_nested_shape(data, place))
    except RecursionError:
        n_axes = sys.maxsize
    if n_axes > MAX_AXES:
        raise InputFileError(f"{place}: the lists are nested deeper than the {MAX_AXES} axes an array here may have")
    array = np.asarray(data)
    if array.dtype.kind not in "biuf":
        raise InputFileError(f"{place}: a number is too large for float64")
    return array


def _nested_shape(data: object, place: str) -> tuple[int, ...]:
    if isinstance(data, bool | int | float):
        return ()
    if not isinstance(data, list):
        raise InputFileError(f"{place}: expected a number or a list of them; got {_show(data)}")
    shapes = [_nested_shape(item, f"{place}[{i}]") for i, item in enumerate(data)]
    for i, shape in enumerate(shapes):
        if shape != shapes[0]:
            raise InputFileError(
                f"{place}[{i}]: expected {_describe(shapes[0])} as in the first entry; got {_describe(shape)}"
            )
    return (len(data), *(shapes[0] if shapes else ()))


def _describe(shape: tuple[int, ...]) -> str:
    return f"{shape[0]} entries" if len(shape) == 1 else f"shape {shape}" if shape else "a number"


def _show(data: object) -> str:
    text = json.dumps(data, default=str)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _load(source: str, folder: Path | None) -> np.ndarray:
    """What the file holds, not yet known to be numbers."""
    match = NAMED.fullmatch(source)
    if match is None:
        raise InputFileError(f"{source}: arrays are read from .npy, .npz[:NAME] and .json[:NAME], keys also from .toml")
    path = Path(match[1]) if folder is None else folder / match[1]
    try:
        return READERS[path.suffix.lower()](path, match[2])
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: OSError) -> InputFileError:
    """One line for a file that is missing, a folder, or not ours to read."""
    return InputFileError(f"cannot read {path}: {error.strerror or error}")


def _read_numpy(path: Path, name: str | None) -> np.ndarray:
    try:
        with path.open("rb") as file:  # np.load leaves a damaged archive open
            loaded = np.load(file, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                return _refuse_name(loaded, path, name)
            with loaded:
                require_small_members(loaded.zip, path)
                return np.asarray(_member(loaded, path, name))  # bytes, where the member is no array
    except (InputFileError, OSError):
        raise
    except Exception as error:  # of many kinds: the zip reader, zlib and the parser of headers each have their own
        raise InputFileError(f"{path}: not a sound NumPy file: {_reason(error)}") from error


def require_small_members(archive: zipfile.ZipFile, path: Path) -> None:
    """Raise InputFileError where a packed array would fill the memory; no reader unpacks more than its header says."""
    for member in archive.infolist():
        if member.file_size > MAX_MEMBER_BYTES:
            size, most = f"{member.file_size:,} bytes", f"{MAX_MEMBER_BYTES:,}"
            raise InputFileError(f"{path}: {member.filename} unpacks to {size}; at most {most} are read")


def _reason(error: BaseException) -> str:
    # NumPy's advice here is to allow pickles, which is the last thing to do with a file one was given.
    if "allow_pickle" in str(error):
        return "it is pickled or holds Python objects, which are never loaded; save plain numbers"
    return str(error) or type(error).__name__


def _read_json(path: Path, name: str | None) -> np.ndarray:
    try:
        data = json.loads(path.read_bytes())
    except ValueError as error:
        raise InputFileError(f"{path}: not JSON: {error}") from error
    except RecursionError as error:
        raise InputFileError(f"{path}: lists or tables are nested too deeply; write them flatter") from error
    chosen = _member(data, path, name) if isinstance(data, dict) else _refuse_name(data, path, name)
    return parse_nested_lists(chosen, f"{path}:{name}" if name else str(path))


def _refuse_name(data: Any, path: Path, name: str | None) -> Any:
    if name is not None:
        raise InputFileError(f"{path}: holds one array without a name; leave out ':{name}'")
    return data


def _member(members: Mapping[str, Any], path: Path, name: str | None) -> Any:
    names = ", ".join(members) or "nothing"
    if name is None and len(members) != 1:
        raise InputFileError(f"{path}: holds {names}; choose one, as in {path.name}:NAME")
    if name is not None and name not in members:
        raise InputFileError(f"{path}: holds no {name!r}; it holds {names}")
    return members[next(iter(members)) if name is None else name]


READERS: dict[str, Callable[[Path, str | None], np.ndarray]] = {
    ".npy": _read_numpy,
    ".npz": _read_numpy,
    ".json": _read_json,
}
