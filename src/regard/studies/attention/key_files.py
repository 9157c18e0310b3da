"""Keys from a file: an array of them, or a small TOML that describes keys, noise and values; what that noise does.

[keys]
mean = "orthonormal"      # or nested lists, or a file of an array, relative to this one
count = 10                # for orthonormal keys
width = 12                # for orthonormal keys; as many as keys, if left out
scale = 1.0               # a factor for all of them

[noise]                   # variances; the parts add up
isotropic = 0.01                         # a number for all keys, or a list with one for each
radial = { variance = 0.5, key = 0 }     # in the length of one key alone
diagonal = [0.1, 0.2]                    # for each coordinate
low_rank = { factor = [[1.0], [2.0]] }   # F of F Fᵀ, one row a coordinate
full = "covariance.npy"                  # a matrix
shared = [[[0.1, 0.0], [0.0, 0.1]]]      # common to all keys: factor × key × width

[values]
rows = "orthonormal"      # or nested lists, or a file
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from regard.errors import InputFileError, RegardError
from regard.noise import Covariance, GaussianKeys, Moments, diagonal, full, isotropic, low_rank, output_law, radial
from regard.shapes import Bool, Float
from regard.studies.attention.array_files import (
    as_numbers,
    as_rows,
    is_description,
    parse_nested_lists,
    read_array,
    read_rows,
    unreadable,
)

# Each kind of noise: what its numbers are called, and what makes it.
PARTS: dict[str, tuple[str, Callable[..., Covariance]]] = {
    "isotropic": ("variance", isotropic),
    "radial": ("variance", radial),
    "diagonal": ("variance", diagonal),
    "low_rank": ("factor", low_rank),
    "full": ("matrix", full),
}
MAX_SCALE = 1e100  # squares of longer keys overflow
MAX_NUMBERS = 10_000_000  # in all orthonormal keys together: 80 MB
FIELDS = {
    "keys": ("mean", "count", "width", "scale"),
    "noise": (*PARTS, "shared"),
    "values": ("rows",),
}


@dataclass(frozen=True)
class KeyFile:
    """Keys with their noise, and the values that come with them if the file names any."""

    keys: GaussianKeys
    is_noisy: bool
    values: Float[np.ndarray, "key value_width"] | None = None


def read_keys(source: str) -> KeyFile:
    """The keys in a `.toml`, or in an array file, which knows no noise."""
    if not is_description(source):
        return KeyFile(GaussianKeys(read_rows(source), isotropic(0.0)), is_noisy=False)
    path = Path(source)
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:  # tomllib's own error is a ValueError, and so are bytes not UTF-8
        raise InputFileError(f"{path}: not TOML: {error}") from error
    except RecursionError as error:
        raise InputFileError(f"{path}: lists or tables are nested too deeply; write them flatter") from error
    return _read_tables(tables, path)


def _read_tables(tables: dict[str, Any], path: Path) -> KeyFile:
    _require_known(tables, FIELDS, f"{path}: the file")
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise InputFileError(f"{path}: {name} must be a table, [{name}]; got {table!r}")
        _require_known(table, FIELDS[name], f"{path}: [{name}]")
    if "keys" not in tables:
        raise InputFileError(f"{path}: there is no [keys] table to say what the keys are")
    mean = _mean(tables["keys"], path)
    noise = tables.get("noise", {})
    shared = _numbers(noise["shared"], path, "[noise] shared") if "shared" in noise else None
    try:
        keys = GaussianKeys(mean, _covariance(noise, path), shared)
    except InputFileError:
        raise
    except RegardError as error:
        raise InputFileError(f"{path}: {error}") from error
    return KeyFile(keys, is_noisy=bool(noise), values=_values(tables.get("values"), path, n_keys=len(mean)))


def _mean(table: dict[str, Any], path: Path) -> Float[np.ndarray, "key width"]:
    given = table.get("mean", "orthonormal")
    scale = table.get("scale", 1.0)
    if not isinstance(scale, int | float) or isinstance(scale, bool) or not abs(scale) <= MAX_SCALE:
        raise InputFileError(f"{path}: [keys] scale must be a number up to {MAX_SCALE:g}; got {scale!r}")
    if given == "orthonormal":
        return scale * _orthonormal(table, path)
    for name in ("count", "width"):
        if name in table:
            raise InputFileError(f"{path}: [keys] {name} is for orthonormal keys; these have their shape from mean")
    return scale * as_rows(_numbers(given, path, "[keys] mean"), f"{path}: [keys] mean")


def _orthonormal(table: dict[str, Any], path: Path) -> Float[np.ndarray, "key width"]:
    if "count" not in table:
        raise InputFileError(f"{path}: [keys] count must say how many orthonormal keys there are")
    count = _require_whole(table["count"], f"{path}: [keys] count")
    width = _require_whole(table.get("width", count), f"{path}: [keys] width")
    if not 1 <= count <= width:
        raise InputFileError(
            f"{path}: [keys] needs 1 ≤ count ≤ width for orthonormal keys; got count {count}, width {width}"
        )
    if count * width > MAX_NUMBERS:
        raise InputFileError(
            f"{path}: [keys] count times width may be {MAX_NUMBERS:,}; got count {count:,}, width {width:,}"
        )
    return np.eye(count, width)


def _covariance(noise: Mapping[str, Any], path: Path) -> Covariance:
    total = Covariance(()) if noise else isotropic(0.0)
    for kind in (kind for kind in PARTS if kind in noise):
        several = isinstance(noise[kind], list) and any(isinstance(item, dict) for item in noise[kind])
        for given in noise[kind] if several else [noise[kind]]:
            total += _part(kind, given, path)
    return total if total.parts else isotropic(0.0)


def _part(kind: str, given: Any, path: Path) -> Covariance:
    """One part of the noise: its numbers alone, or a table with the numbers and the key they are for."""
    word, make = PARTS[kind]
    place = f"[noise] {kind}"
    table = given if isinstance(given, dict) else {word: given}
    _require_known(table, (word, "key"), f"{path}: {place}")
    if word not in table:
        raise InputFileError(f"{path}: {place} needs {word}, as in {{ {word} = …, key = 0 }}")
    key = _require_whole(table["key"], f"{path}: {place} key") if "key" in table else None
    numbers = _numbers(table[word], path, place)
    try:
        return make(numbers, key=key)
    except RegardError as error:
        raise InputFileError(f"{path}: {place}: {error}") from error


def _values(table: dict[str, Any] | None, path: Path, *, n_keys: int) -> Float[np.ndarray, "key value_width"] | None:
    if table is None:
        return None
    given = table.get("rows", "orthonormal")
    if given == "orthonormal":
        return np.eye(n_keys)
    rows = as_rows(_numbers(given, path, "[values] rows"), f"{path}: [values] rows")
    if len(rows) != n_keys:
        raise InputFileError(f"{path}: [values] needs one row for each of the {n_keys} keys; got {len(rows)}")
    return rows


def _numbers(given: object, path: Path, place: str) -> Float[np.ndarray, " ..."]:
    """Numbers written out, or the name of a file that holds them."""
    place = f"{path}: {place}"
    if not isinstance(given, str):
        return as_numbers(parse_nested_lists(given, place), place)
    try:
        return read_array(given, folder=path.parent)
    except InputFileError as error:
        raise InputFileError(f"{place}: {error}") from error


def _require_whole(number: object, place: str) -> int:
    if isinstance(number, int) and not isinstance(number, bool):
        return number
    raise InputFileError(f"{place} must be a whole number; got {number!r}")


def _require_known(table: Mapping[str, Any], known: Mapping[str, Any] | tuple[str, ...], place: str) -> None:
    for name in table:
        if name not in known:
            raise InputFileError(f"{place} has no {name!r}; it knows {', '.join(known)}")


@dataclass(frozen=True, eq=False)
class NoiseEffect:
    """The exact law of a query's weights under noise; `wanted_mean` and `wanted_sd` are of all wanted keys together."""

    weight_mean: Float[np.ndarray, " key"]
    weight_sd: Float[np.ndarray, " key"]
    wanted_mean: float
    wanted_sd: float
    method: str
    method_error: float


def noise_effect(
    keys: GaussianKeys, query: Float[np.ndarray, " width"], wanted: Bool[np.ndarray, " key"], *, seed: int = 0
) -> NoiseEffect:
    """The law of each weight, and of the weight on all `wanted` keys together, when the keys are noisy."""
    # With 1 for wanted keys and 0 for others as values, the output is the weight on the wanted keys.
    law = output_law(keys, wanted.astype(np.float64)[:, None], query, seed=seed)
    return NoiseEffect(
        weight_mean=law.heads[0].weight_mean,
        weight_sd=weight_sd(law.heads[0]),
        wanted_mean=float(law.mean[0]),
        wanted_sd=float(np.sqrt(max(law.variance, 0.0))),
        method=law.method,
        method_error=law.error,
    )


def weight_sd(moments: Moments) -> Float[np.ndarray, " key"]:
    """Standard deviation of each weight."""
    return np.sqrt(moments.weight_variance)
