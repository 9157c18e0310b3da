"""Queries with the least expected squared error when keys are noisy.

Several starts are compared: pull, push, half-way and opposed designs, for all heads together and with the wanted keys
shared out among them; L-BFGS walks down from the best (see `objective`). Nothing is random: the same input gives the
same queries.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from regard.arrays.namespace import float64_array, real_number, whole_number
from regard.design.inputs import check_keys
from regard.design.squared_error import Objective, Queries, Watch, ignore_step
from regard.display import short_repr
from regard.errors import LibraryError, ShapeError, ValueRangeError
from regard.noise.keys import GaussianKeys
from regard.noise.law import OutputLaw, output_law
from regard.shapes import Float

# Logits of a head's own wanted keys, of the other heads' and of all others, for a start of size one.
FAMILIES = {"pull": (1.0, 0.0, 0.0), "push": (0.0, -1.0, -1.0), "both": (0.5, -0.5, -0.5), "opposed": (1.0, -1.0, 0.0)}
SIZES = (2.0, 6.0, 16.0)
N_DESCENTS = 2
ROUGHLY = 1e-6


@dataclass(frozen=True)
class Start:
    """One starting design: its error, and what the descent from it came to where it was followed."""

    name: str
    error: float
    descended: float | None


@short_repr
@dataclass(frozen=True)
class RobustDesign:
    """The queries found, the exact law of their output, and what each start came to."""

    queries: Queries
    law: OutputLaw
    mean_squared_error: float
    starts: tuple[Start, ...]


MAX_HEADS = 100
MAX_VALUE = 1e100
"""The squares of larger ones, and what the search multiplies them with, leave float64."""
MIN_BOUND, MAX_BOUND = 1e-100, 1e9
"""The square of a smaller bound is 0 in floating point; a query of that length reads all keys alike anyway."""


def robust(
    keys: GaussianKeys,
    values: Float[np.ndarray, "key value_width"],
    target: Float[np.ndarray, " value_width"],
    *,
    heads: int = 1,
    bound: float = 60.0,
    watch: Watch = ignore_step,
) -> RobustDesign:
    """The query, or `heads` queries whose outputs are averaged, that come closest to the target on average.

    `bound` limits each query's length: without noise in the other keys the best length would be infinite. `watch` is
    called with every design that is tried and its error, good to 2e-6; what it raises ends the search. That takes a
    second or so; for several heads and much noise in the lengths of many keys some twenty.

    >>> from regard.noise import isotropic, radial
    >>> keys = GaussianKeys(np.eye(4), isotropic(1e-4) + radial(0.5, key=0))
    >>> found = robust(keys, np.eye(4), np.array([0.5, 0.5, 0.0, 0.0]))
    >>> found.mean_squared_error < 0.003       # a single pull query cannot get below 0.097
    True
    """
    values, target = float64_array(values, name="values"), float64_array(target, name="the target")
    _check_arguments(keys, values, target, heads, bound)
    objective = Objective(keys, values, target, bound, watch)
    starts = starting_designs(keys, wanted_weights(values, target), heads)
    errors = [objective.error(queries) for _, queries in starts]
    nearest = np.argsort(errors, kind="stable")[:N_DESCENTS]
    followed = {int(i): objective.descend(starts[i][1], tolerance=ROUGHLY) for i in nearest}
    best, _ = objective.descend(min(followed.values(), key=lambda found: found[1])[0])
    best = _level_equal_logits(keys, best)
    law = output_law(keys, values, best)
    tried_starts = tuple(
        Start(name, errors[i], followed[i][1] if i in followed else None) for i, (name, _) in enumerate(starts)
    )
    return RobustDesign(best, law, law.mean_squared_error(target), tried_starts)


def wanted_weights(
    values: Float[np.ndarray, "key value_width"], target: Float[np.ndarray, " value_width"]
) -> Float[np.ndarray, " key"]:
    """Weights that mix the values into the target, as nearly as weights can."""
    stiff = 1e3 * max(1.0, float(np.abs(values).max()))  # makes them sum to one
    weights, _ = nnls(np.vstack([values.T, np.full(len(values), stiff)]), np.append(target, stiff))
    total = float(weights.sum())  # 0 where every value points away from a target that is very far
    return weights / total if total > 0 else np.full(len(values), 1 / len(values))


def starting_designs(keys: GaussianKeys, weights: Float[np.ndarray, " key"], heads: int) -> list[tuple[str, Queries]]:
    """Named designs for the wanted keys: every head takes all of them, or they are shared out."""
    wanted = np.flatnonzero(weights > 1e-6 * weights.max())
    dual = np.linalg.pinv(keys.mean)
    shares = {"together": [wanted] * heads}
    if heads > 1:
        shares["shared out"] = [wanted[h % len(wanted) :: heads] for h in range(heads)]
    found = []
    for sharing, parts in shares.items():
        for family, (own, others, rest) in FAMILIES.items():
            if family == "opposed" and sharing == "together":
                continue  # no other head has wanted keys of its own: the same as pull
            for size in SIZES:
                logits = np.full((heads, keys.n_keys), size * rest)
                logits[:, wanted] = size * others
                for head, part in enumerate(parts):
                    logits[head, part] = size * own
                if sharing == "together":  # identical heads would stay identical
                    logits *= 1 + 0.1 * np.arange(heads)[:, None]
                found.append((f"{family} {size:g} {sharing}", logits @ dual.T))
    return found


def _level_equal_logits(keys: GaussianKeys, queries: Queries) -> Queries:
    """Make logit means equal that agree to 1e-6, so that keys with equal roles have equal weights to the last digit."""
    means = queries @ keys.mean.T
    unit = 1e-6 * max(float(np.abs(means).max()), 1e-300)
    tidy = np.empty_like(means)
    for row, out in zip(means, tidy, strict=True):
        _, group = np.unique(np.round(row / unit), return_inverse=True)
        out[:] = (np.bincount(group, row) / np.bincount(group))[group]
    return queries + (tidy - means) @ np.linalg.pinv(keys.mean).T


def _check_arguments(
    keys: GaussianKeys,
    values: Float[np.ndarray, "key value_width"],
    target: Float[np.ndarray, " value_width"],
    heads: int,
    bound: float,
) -> None:
    if not isinstance(keys.mean, np.ndarray):
        raise LibraryError("robust works on NumPy arrays; give keys.mean and the covariances as NumPy arrays")
    check_keys(keys.mean)
    if not (np.isfinite(values).all() and np.isfinite(target).all()):
        raise ValueRangeError("values and target must be finite; there is NaN or infinity")
    if max(np.abs(values).max(initial=0.0), np.abs(target).max(initial=0.0)) > MAX_VALUE:
        raise ValueRangeError(f"values and target must be at most {MAX_VALUE:g}; make them smaller")
    if values.ndim != 2 or values.shape[0] != keys.n_keys:
        raise ShapeError(f"each key needs one value row; got {keys.n_keys} keys and values of shape {values.shape}")
    if target.shape != values.shape[1:]:
        raise ShapeError(f"the target needs the values' width {values.shape[1]}; got shape {target.shape}")
    if not 1 <= whole_number(heads, name="heads") <= MAX_HEADS:
        raise ValueRangeError(f"at least one head is needed, and at most {MAX_HEADS}; got {heads}")
    if not MIN_BOUND <= real_number(bound, name="bound") <= MAX_BOUND:
        raise ValueRangeError(f"the bound on a query's length must be from {MIN_BOUND:g} to {MAX_BOUND:g}; got {bound}")
    if keys.shared is not None:
        raise ValueRangeError("robust design needs independent keys; these share noise")
