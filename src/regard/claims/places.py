"""Members and entries of values, by their places counted from 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from regard.claims.trial.numbers import CannotEvaluate, Value


def pick(value: Value, axis: int, place: int) -> Value:
    """A member of a family."""
    if not 0 <= place < value.shape[axis]:
        raise CannotEvaluate(f"there is no member {place + 1} of {value.shape[axis]}")
    return np.take(value, place, axis=axis)


def entry(value: Value, places: list[int]) -> Value:
    """An entry of a vector or matrix, as a number; all of it where no place is given."""
    if not places:
        return value
    return value[(Ellipsis, *_entry_slices(value, places))]


def _entry_slices(value: Value, places: list[int]) -> tuple[slice, slice]:
    """Where an entry stands: row and column of a matrix, the one place of a vector."""
    rows, columns = value.shape[-2:]
    row, column = places if len(places) == 2 else (places[0], 0) if columns == 1 else (0, places[0])
    if not (0 <= row < rows and 0 <= column < columns):
        wanted = ", ".join(str(place + 1) for place in places)
        raise CannotEvaluate(f"there is no entry {wanted} in a value of shape ({rows}, {columns})")
    return slice(row, row + 1), slice(column, column + 1)


def part_of(whole: Value, places: list[int], *, is_family: bool) -> tuple[Any, ...]:
    """Where the part of a symbol is that some indices pick."""
    member: tuple[Any, ...] = (Ellipsis,)
    if is_family:
        member, places = (Ellipsis, places[0]), places[1:]
        pick(whole, -3, member[1])
    return (*member, *(_entry_slices(whole, places) if places else (slice(None), slice(None))))
