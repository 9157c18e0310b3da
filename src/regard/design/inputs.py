"""What every design asks of its arguments, and says when it does not get it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from regard.arrays.namespace import float64_array, quiet, real_number, whole_number
from regard.display import one_line, short
from regard.errors import DTypeError, ShapeError, ValueRangeError
from regard.shapes import Array, Float

SUM_TOLERANCE = 1e-6  # weights stored as float32 still count as summing to one
MAX_LENGTH = 1e150  # the square of a key must stay inside float64


def check_keys(keys: Array) -> Float[np.ndarray, "key width"]:
    """The keys as float64 rows; an error names the first row that cannot be used."""
    rows = float64_array(keys, name="keys")
    if rows.ndim != 2 or 0 in rows.shape:
        raise ShapeError(f"keys must be one row a key, at least one row and column; got shape {rows.shape}")
    finite = np.isfinite(rows).all(axis=1)
    if not finite.all():
        raise ValueRangeError(f"keys must be finite; key {np.flatnonzero(~finite)[0]} has NaN or infinity")
    size = float(np.abs(rows).max())
    if size > MAX_LENGTH or 0 < size < 1 / MAX_LENGTH:
        raise ValueRangeError(f"the largest key entry is {size:.3g}, whose square leaves float64; rescale the keys")
    return rows


def check_index(index: Any, *, n_keys: int) -> int:
    """The index of one of the keys, counted from 0."""
    try:
        place = whole_number(index, name="a key's index")
    except DTypeError:
        came = one_line(repr(index), max_length=60)
        raise DTypeError(f"a key's index must be an integer; got {came}; for a mask use np.flatnonzero(mask)") from None
    if not 0 <= place < n_keys:
        raise ValueRangeError(f"there is no key {place}; keys are numbered from 0 to {n_keys - 1}")
    return place


def check_subset(subset: Iterable[Any], *, n_keys: int) -> list[int]:
    """The indices of distinct keys, at least one, in rising order."""
    if not isinstance(subset, Iterable) or np.ndim(np.asarray(subset, dtype=object)) == 0:
        raise DTypeError(f"the subset must list the keys to average, such as [0, 1]; got {short(subset)}")
    places = [check_index(index, n_keys=n_keys) for index in subset]
    if not places:
        raise ValueRangeError("the subset is empty; name at least one key to average")
    place, times = Counter(places).most_common(1)[0]
    if times > 1:
        raise ValueRangeError(f"key {place} is named {times} times; for unequal weights use mix")
    return sorted(places)


def check_weights(weights: Array, *, n_keys: int) -> Float[np.ndarray, " key"]:
    """One weight a key, none negative, scaled to sum to one exactly."""
    row = float64_array(weights, name="weights")
    if row.shape != (n_keys,):
        raise ShapeError(f"expected one weight for each of the {n_keys} keys; got shape {row.shape}")
    wrong = ~(np.isfinite(row) & (row >= 0))
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise ValueRangeError(f"weights must be finite and not negative; weight {place} is {row[place]}")
    with quiet():
        total = float(row.sum())
    if abs(total - 1) > SUM_TOLERANCE:
        raise ValueRangeError(f"weights must sum to 1; got {total:.9g}; divide them by their sum")
    return row / total


def check_error(error: float) -> float:
    """A share of the weight strictly between 0 and 1."""
    if not 0 < real_number(error, name="error") < 1:
        raise ValueRangeError(
            f"error must lie strictly between 0 and 1; got {error}: a softmax gives every key some weight"
        )
    return float(error)
