"""Random instances of a setting: several sizes, many draws at once, special values among them.

A law draws raw numbers, which are floats and count as exact. What it makes of them is worked out in the arithmetic at
hand, so that orthonormal keys are orthonormal to fifty digits where fifty are asked for.

    normal         any real numbers; besides normal ones: small whole numbers, zeros, equal, one-hot, large, small
    orthonormal    columns of an orthogonal matrix, a product of two reflections; sometimes unit vectors
    positive       numbers above 0; count: whole numbers above 1; probabilities: each between 0 and 1
    distribution   entries above 0 that sum to one; one-hot; sometimes with zeros
    permutation    a matrix of zeros with one 1 in every row and column
    projection     an orthogonal projector, of any rank; onto spaces that often have something in common
    symmetric      a symmetric matrix; definite: one whose eigenvalues are positive; semidefinite: of any rank, too
    noise          standard normal, drawn anew in every sample: never special
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from regard.claims.meaning.setting import Setting, SymbolSpec
from regard.claims.meaning.shapes import Dim, known_size
from regard.claims.meaning.terms import Definition, FreeScalar
from regard.claims.trial.arithmetic.numbers import FLOATS, Arithmetic, CannotEvaluate, Value
from regard.claims.trial.tree_evaluation import World

MAX_ENTRIES = 4096
"""Of one symbol; larger sizes stand in a claim only, and would fill the memory."""
GENERIC_DRAWS = 3
"""So many first draws of a batch have nothing special about them."""


@dataclass(frozen=True)
class Law:
    """`raw(rng, shape, place)` draws for the place-th instance of a batch; `value` makes the law true of it."""

    raw: Callable[[np.random.Generator, tuple[int, ...], int], np.ndarray]
    value: Callable[[Value, Arithmetic], Value]


def _normal(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    kind = "normal" if place < GENERIC_DRAWS else _KINDS[int(rng.integers(len(_KINDS)))]
    return _SPECIAL[kind](rng, shape)


def _one_hot(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    array = np.zeros(shape)
    array.flat[int(rng.integers(array.size))] = 1.0
    return array


def _with_zeros(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return rng.standard_normal(shape) * (rng.random(shape) < 0.5)


_SPECIAL: dict[str, Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]] = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "whole": lambda rng, shape: rng.integers(-2, 3, shape).astype(float),
    "zeros": _with_zeros,
    "equal": lambda rng, shape: np.full(shape, float(rng.integers(-2, 3))),
    "one-hot": _one_hot,
    "large": lambda rng, shape: 30.0 * rng.standard_normal(shape),
    "huge": lambda rng, shape: 1e6 * rng.standard_normal(shape),
    "small": lambda rng, shape: 1e-4 * rng.standard_normal(shape),
}

_KINDS = ("normal", "normal", "whole", "whole", "zeros", "equal", "one-hot", "large", "huge", "small")


def _reflections(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    """Two vectors to reflect at; the same one twice gives the identity."""
    width = shape[-1]
    vectors = rng.standard_normal((2, width))
    if place >= GENERIC_DRAWS and rng.random() < 0.4:
        vectors[1] = vectors[0]
    return np.round(vectors, 3) + 0.0005  # never zero


def _orthogonal(raw: Value, numbers: Arithmetic) -> Value:
    """(I − 2 w₁w₁ᵀ/w₁ᵀw₁)(I − 2 w₂w₂ᵀ/w₂ᵀw₂)."""
    width = raw.shape[-1]
    eye = numbers.from_floats(np.eye(width))
    two = numbers.number(2)
    first, second = raw[..., 0, :, None], raw[..., 1, :, None]
    with np.errstate(invalid="ignore", divide="ignore"):  # a search for instances may try w = 0, which gives none
        left, right = (eye - two * (w @ w.swapaxes(-1, -2)) / (w.swapaxes(-1, -2) @ w) for w in (first, second))
        return left @ right


def _positive(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    if place >= GENERIC_DRAWS and rng.random() < 0.6:
        return rng.choice([0.5, 1.0, 2.0, 3.0, 10.0, 0.01], shape)
    return np.exp(rng.uniform(-1.5, 1.5, shape))


def _distribution(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    if place % 2:
        return _one_hot(rng, shape)
    weights = rng.exponential(size=shape) + 1e-3
    if place >= GENERIC_DRAWS and weights.size > 2 and rng.random() < 0.5:
        weights.flat[int(rng.integers(weights.size))] = 0.0
    return weights


def _probabilities(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    if place >= GENERIC_DRAWS and rng.random() < 0.5:
        return rng.choice([0.5, 0.25, 1.0, 0.125, 1e-6], shape)
    return rng.uniform(0.02, 1.0, shape)


def _as_is(raw: Value, numbers: Arithmetic) -> Value:
    return raw


def _normalise(raw: Value, numbers: Arithmetic) -> Value:
    return raw / raw.sum(axis=(-2, -1), keepdims=True)


def _symmetrise(raw: Value, numbers: Arithmetic) -> Value:
    return (raw + raw.swapaxes(-1, -2)) / numbers.number(2)


def _definite(raw: Value, numbers: Arithmetic) -> Value:
    """A matrix times its transpose, and a little of the identity."""
    eye = numbers.from_floats(np.eye(raw.shape[-1]))
    return raw @ raw.swapaxes(-1, -2) + eye / numbers.number(8)


def _any_columns(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    """A matrix, often with columns of zeros, so that times its transpose it has a low rank."""
    drawn = _normal(rng, shape, place)
    rank = shape[-1] if place == 0 or rng.random() < 0.4 else int(rng.integers(1, shape[-1] + 1))
    drawn[..., rank:] = 0.0
    return drawn


def _permuted_rows(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    """The rows of the identity in any order; now and then as they were."""
    return np.eye(shape[-1])[rng.permutation(shape[-1])] if place % 4 != 3 else np.eye(shape[-1])


def _spanning_columns(rng: np.random.Generator, shape: tuple[int, ...], place: int) -> np.ndarray:
    """Columns that span a space of any dimension: unit vectors, sums of two of them, or any; the others are zero."""
    size = shape[-1]
    rank = int(rng.integers(1, size)) if place < GENERIC_DRAWS and size > 1 else int(rng.integers(0, size + 1))
    columns = np.zeros(shape)
    for column in range(rank):
        kind = 2 if place < GENERIC_DRAWS else int(rng.integers(3))
        columns[:, column] = rng.standard_normal(size).round(2) if kind == 2 else np.eye(size)[int(rng.integers(size))]
        if kind == 1:
            columns[int(rng.integers(size)), column] = 1.0
    return columns


LAWS = {
    "normal": Law(_normal, _as_is),
    "orthonormal": Law(_reflections, _orthogonal),
    "positive": Law(_positive, _as_is),
    "count": Law(lambda rng, shape, place: rng.integers(2, 12, shape).astype(float), _as_is),
    "probabilities": Law(_probabilities, _as_is),
    "distribution": Law(_distribution, _normalise),
    "one-hot": Law(lambda rng, shape, place: _one_hot(rng, shape), _as_is),
    "noise": Law(lambda rng, shape, place: rng.standard_normal(shape), _as_is),
    "symmetric": Law(_normal, _symmetrise),
    "definite": Law(_normal, _definite),
    "semidefinite": Law(_any_columns, lambda raw, numbers: raw @ raw.swapaxes(-1, -2)),
    "permutation": Law(_permuted_rows, _as_is),
    "projection": Law(_spanning_columns, lambda raw, numbers: numbers.projector(raw)),
}


@dataclass(frozen=True, eq=False)
class DrawBatch:
    """Draws of one size: raw numbers of each given symbol on a leading axis, and where named indices point.

    `fine` holds raw numbers with more digits than a float has, for draws on which an equation must hold exactly.
    """

    setting: Setting
    sizes: Mapping[str, int]
    marked: Mapping[str, int]
    raw: Mapping[str, np.ndarray]
    fine: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(next(iter(self.raw.values())))

    def n_places(self, size: Dim) -> int:
        """How many places an index has; 8 of a distribution over 8 outcomes."""
        return _size(self.sizes, known_size(size))

    def only(self, draws: Any) -> DrawBatch:
        """Some of the draws."""
        fine = {name: array[draws] for name, array in self.fine.items()}
        return replace(self, raw={name: array[draws] for name, array in self.raw.items()}, fine=fine)

    def having(self, **raw: np.ndarray) -> DrawBatch:
        """With some raw numbers set to others."""
        fine = {name: array for name, array in self.fine.items() if name not in raw}
        return replace(self, raw={**self.raw, **raw}, fine=fine)

    def having_fine(self, fine: Mapping[str, np.ndarray]) -> DrawBatch:
        """With some raw numbers set to decimals, and to the floats nearest to them."""
        raw = {name: np.asarray(array, dtype=float) for name, array in fine.items()}
        return replace(self, raw={**self.raw, **raw}, fine=dict(fine))

    def numbers_of(self, name: str, numbers: Arithmetic) -> Value:
        """The raw numbers of a symbol in an arithmetic, with all the digits that there are."""
        return self.fine[name] if name in self.fine and numbers.is_exact else numbers.from_floats(self.raw[name])


@lru_cache(maxsize=256)
def draw_batch(setting: Setting, row: int, n_draws: int, seed: int = 0) -> DrawBatch:
    """Draws for the row-th sizes of a setting; the same every time."""
    rng = np.random.default_rng([seed, row, n_draws])
    sizes = setting.sizes[row]
    raw = {
        key: np.stack([LAWS[spec.law].raw(rng, shape, place) for place in range(n_draws)])
        for key, spec, shape in _list_draws(setting, sizes)
        if spec.law is not None
    }
    return DrawBatch(setting, sizes, _place_named_indices(setting, sizes, rng if row else None), raw)


def _list_draws(setting: Setting, sizes: Mapping[str, int]) -> Iterable[tuple[str, SymbolSpec, tuple[int, ...]]]:
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
    """The shape of a symbol, a family with its members first.

    Raises: CannotEvaluate where the claim itself asks for more entries than can be tried.
    """
    shape = tuple(_size(sizes, size) for size in spec.shape)
    shape = shape if spec.over is None else (sizes[spec.over], *shape)
    if math.prod(shape) > MAX_ENTRIES:
        written = " × ".join(str(size) for size in shape if size != 1)
        raise CannotEvaluate(f"{spec.name} would have {written} entries; up to {MAX_ENTRIES} can be tried")
    return shape


def _size(sizes: Mapping[str, int], size: Dim) -> int:
    return size if isinstance(size, int) else sizes[str(size)]


def _place_named_indices(setting: Setting, sizes: Mapping[str, int], rng: np.random.Generator | None) -> dict[str, int]:
    """Named indices at different places: the first ones, or any."""
    if not setting.marked:
        return {}
    n = sizes[setting.counts]
    places = np.arange(n) if rng is None else rng.permutation(n)
    return {name: int(place) for name, place in zip(setting.marked, places, strict=False)}


def with_scalars(batch: DrawBatch, scalars: Mapping[str, FreeScalar], seed: int = 0) -> DrawBatch:
    """The batch with a positive number for each letter that the claim has left free."""
    rng = np.random.default_rng([seed, len(batch), 7])
    law = LAWS["positive"]
    raw = {name: np.stack([law.raw(rng, (1, 1), place) for place in range(len(batch))]) for name in sorted(scalars)}
    return batch.having(**raw)


def build_world(
    batch: DrawBatch,
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
            given[spec.name] = LAWS[spec.law].value(batch.numbers_of(spec.name, numbers), numbers)
    for name in batch.raw:  # letters that the claim has left free
        if name not in given and name not in used and name not in definitions:
            given[name] = batch.numbers_of(name, numbers)
    return World(numbers, batch.sizes, given, definitions, families, batch.marked, moments)


def _columns(batch: DrawBatch, spec: SymbolSpec, numbers: Arithmetic, used: dict[str, int]) -> Value:
    """The next columns of the group's orthogonal matrix: as the members of a family, or as a matrix."""
    key = spec.group or spec.name
    matrix = LAWS["orthonormal"].value(batch.numbers_of(key, numbers), numbers)
    n = batch.sizes[spec.over] if spec.over is not None else _size(batch.sizes, spec.shape[1])
    start = used.get(key, 0)
    used[key] = start + n
    columns = matrix[..., start : start + n]
    return columns.swapaxes(-1, -2)[..., None] if spec.over is not None else columns
