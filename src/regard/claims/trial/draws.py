"""Random instances of a setting: several sizes, many draws at once, special values among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from regard.claims.meaning.laws import LAWS
from regard.claims.meaning.resolved import Definition, FreeScalar
from regard.claims.meaning.setting import Setting, SymbolSpec
from regard.claims.trial.evaluate import World
from regard.claims.trial.numbers import FLOATS, Arithmetic, Value


@dataclass(frozen=True, eq=False)
class Batch:
    """Draws of one size: raw numbers of each given symbol on a leading axis, and where named indices point."""

    setting: Setting
    sizes: Mapping[str, int]
    marked: Mapping[str, int]
    raw: Mapping[str, np.ndarray]

    def __len__(self) -> int:
        return len(next(iter(self.raw.values())))

    def only(self, draws: Any) -> Batch:
        """Some of the draws."""
        return replace(self, raw={name: array[draws] for name, array in self.raw.items()})

    def having(self, **raw: np.ndarray) -> Batch:
        """With some raw numbers set to others."""
        return replace(self, raw={**self.raw, **raw})


@lru_cache(maxsize=256)
def draw_batch(setting: Setting, row: int, n_draws: int, seed: int = 0) -> Batch:
    """Draws for the row-th sizes of a setting; the same every time."""
    rng = np.random.default_rng([seed, row, n_draws])
    sizes = setting.sizes[row]
    raw = {
        key: np.stack([LAWS[spec.law].raw(rng, shape, place) for place in range(n_draws)])
        for key, spec, shape in _drawn(setting, sizes)
        if spec.law is not None
    }
    return Batch(setting, sizes, _marked(setting, sizes, rng if row else None), raw)


def _drawn(setting: Setting, sizes: Mapping[str, int]) -> Iterable[tuple[str, SymbolSpec, tuple[int, ...]]]:
    """What is drawn: one array a symbol, or one for all orthonormal symbols of a group."""
    groups = set()
    for spec in setting.symbols:
        if spec.law == "orthonormal":
            key = spec.group or spec.name
            if key not in groups:
                yield key, spec, (2, _size(sizes, spec.shape[0]))
            groups.add(key)
        elif spec.law is not None:
            yield spec.name, spec, member_shape(spec, sizes)


def member_shape(spec: SymbolSpec, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of a symbol, a family with its members first."""
    shape = tuple(_size(sizes, size) for size in spec.shape)
    return shape if spec.over is None else (sizes[spec.over], *shape)


def _size(sizes: Mapping[str, int], size: int | str) -> int:
    return size if isinstance(size, int) else sizes[size]


def _marked(setting: Setting, sizes: Mapping[str, int], rng: np.random.Generator | None) -> dict[str, int]:
    """Named indices at different places: the first ones, or any."""
    if not setting.marked:
        return {}
    n = sizes[setting.counts]
    places = np.arange(n) if rng is None else rng.permutation(n)
    return {name: int(place) for name, place in zip(setting.marked, places, strict=False)}


def with_scalars(batch: Batch, scalars: Mapping[str, FreeScalar], seed: int = 0) -> Batch:
    """The batch with a positive number for each letter that the claim has left free."""
    rng = np.random.default_rng([seed, len(batch), 7])
    law = LAWS["positive"]
    raw = {name: np.stack([law.raw(rng, (1, 1), place) for place in range(len(batch))]) for name in sorted(scalars)}
    return batch.having(**raw)


def build_world(
    batch: Batch,
    *,
    definitions: Mapping[str, Definition],
    families: frozenset[str],
    numbers: Arithmetic = FLOATS,
    moments: Any = None,
) -> World:
    """The world of a batch in one arithmetic; definitions of the claim come before the setting's laws."""
    given: dict[str, Value] = {}
    used: dict[str, int] = {}
    for spec in batch.setting.symbols:
        if spec.law is None or spec.name in definitions:
            continue
        if spec.law == "orthonormal":
            given[spec.name] = _columns(batch, spec, numbers, used)
        else:
            given[spec.name] = LAWS[spec.law].value(numbers.from_floats(batch.raw[spec.name]), numbers)
    for name in batch.raw:  # letters that the claim has left free
        if name not in given and name not in used and name not in definitions:
            given[name] = numbers.from_floats(batch.raw[name])
    return World(numbers, batch.sizes, given, definitions, families, batch.marked, moments)


def _columns(batch: Batch, spec: SymbolSpec, numbers: Arithmetic, used: dict[str, int]) -> Value:
    """The next columns of the group's orthogonal matrix: as the members of a family, or as a matrix."""
    key = spec.group or spec.name
    matrix = LAWS["orthonormal"].value(numbers.from_floats(batch.raw[key]), numbers)
    n = batch.sizes[spec.over] if spec.over is not None else _size(batch.sizes, spec.shape[1])
    start = used.get(key, 0)
    used[key] = start + n
    columns = matrix[..., start : start + n]
    return columns.swapaxes(-1, -2)[..., None] if spec.over is not None else columns
