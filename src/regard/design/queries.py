"""Queries that copy one key's value, average some, or mix them in given shares.

Every design is q = base + C·direction. The base gives the wanted keys their logits ln w relative to each other;
the direction holds them level and every other key lower; C is the least scale that meets the wanted error. The
families differ in the direction, and so in what disturbs them:

    dual     every gap exactly 1 and the query shortest: C eⱼ through the dual basis, at the best common shift;
             where the keys are too dependent for that, as margin
    margin   every gap at least 1 and the query shortest: much shorter than dual for nearly dependent keys
    pull     towards the wanted keys: a mix of them alone, C Σ kᵢ for orthonormal keys
    push     away from the others, wanted logits held at 0: noise g in a wanted key's length does (1 + g)·0 = 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, SupportsIndex, TypeAlias

import numpy as np

from regard.arrays.softmax import log_sum_exp, masked_softmax
from regard.design.hull import (
    TOLERANCE,
    is_rounding,
    relative_to_mean,
    remove_span,
    separate,
    separate_from_rest,
    solve_least_norm,
    solve_least_norm_shifted,
)
from regard.design.inputs import check_error, check_index, check_keys, check_subset, check_weights
from regard.design.reach import require_reachable
from regard.design.scales import smallest_scale
from regard.display import short, short_repr
from regard.errors import MethodError, ValueRangeError
from regard.shapes import Array, Bool, Float

Family: TypeAlias = Literal["dual", "margin", "pull", "push"]


@short_repr
@dataclass(frozen=True, eq=False)
class QueryDesign:
    """A query, and what it really does to the keys it was made for.

    `weights` are softmax(keys @ query), computed afresh; `error` is their total variation distance ½ Σ |α − w|
    from the `wanted` ones, of which `leak` lies on keys that were to have none (the rest is rounding). `scale`
    is C in base + C·direction, `norm` the length of the query. `exact` says that the wanted weights themselves
    are reached, to rounding; otherwise they are approached as the scale grows.
    """

    query: Float[np.ndarray, " width"]
    family: Family
    scale: float
    wanted: Float[np.ndarray, " key"]
    weights: Float[np.ndarray, " key"]
    error: float
    leak: float
    norm: float
    exact: bool
    note: str


def copy(keys: Array, index: SupportsIndex, *, error: float = 0.01, family: Family = "dual") -> QueryDesign:
    """A query that reads key `index` with weight 1 − error; UnreachableError, with the bound, if none can.

    >>> design = copy(np.eye(3), 0, error=0.01, family="pull")
    >>> design.query.round(4), design.weights.round(4)
    (array([5.2883, 0.    , 0.    ]), array([0.99 , 0.005, 0.005]))
    """
    rows = check_keys(keys)
    wanted = np.zeros(len(rows))
    wanted[check_index(index, n_keys=len(rows))] = 1.0
    return _design(rows, wanted, error=error, family=family)


def average(
    keys: Array,
    subset: Iterable[SupportsIndex],
    *,
    error: float = 0.01,
    family: Family = "dual",
) -> QueryDesign:
    """A query that reads the keys of `subset` equally, with no more than `error` of the weight elsewhere.

    >>> average(np.eye(4), [0, 1], family="push").query.round(4)
    array([ 0.    ,  0.    , -4.5951, -4.5951])
    """
    rows = check_keys(keys)
    places = check_subset(subset, n_keys=len(rows))
    wanted = np.zeros(len(rows))
    wanted[places] = 1 / len(places)
    return _design(rows, wanted, error=error, family=family)


def mix(keys: Array, weights: Array, *, error: float = 0.01, family: Family = "dual") -> QueryDesign:
    """A query that reads the keys with these weights: exactly if all are positive, else to within `error`.

    `error` is what keys of weight zero may keep, never a licence among the others: weights that no query
    approaches as closely as one likes raise UnreachableError.

    >>> mix(np.eye(2), np.array([0.8, 0.2])).query.round(4)
    array([ 0.6931, -0.6931])
    """
    rows = check_keys(keys)
    wanted = check_weights(weights, n_keys=len(rows))
    return _design(rows, wanted, error=error, family=family)


def check_family(family: str) -> None:
    """Raises ValueRangeError if there is no such family of queries."""
    if not isinstance(family, str) or family not in DIRECTIONS:
        raise ValueRangeError(f"family must be one of {', '.join(DIRECTIONS)}; got {short(family)}")


def _design(
    keys: Float[np.ndarray, "key width"], wanted: Float[np.ndarray, " key"], *, error: float, family: Family
) -> QueryDesign:
    error = check_error(error)
    check_family(family)
    support = wanted > 0
    try:
        base = _base_query(keys, wanted, family=family)
        direction = np.zeros_like(base) if support.all() else DIRECTIONS[family](keys, support)
        scale = _find_scale(keys, support, base, direction, error=error)
    except MethodError:
        require_reachable(keys, wanted)  # if no family can do it, that is the thing to say
        raise
    return _describe(keys, base + scale * direction, wanted, family=family, scale=scale, asked=error)


def _base_query(
    keys: Float[np.ndarray, "key width"], wanted: Float[np.ndarray, " key"], *, family: Family
) -> Float[np.ndarray, " width"]:
    """The shortest query with logits ln w on the support, at any shift; for pull and push at mean 0.

    The dual query also has equal logits on all the other keys, where the keys allow it.
    """
    support = wanted > 0
    logs = np.log(wanted[support])
    if np.ptp(logs) == 0:
        return np.zeros(keys.shape[1])
    logs -= logs.mean()
    if family == "dual":
        levels = np.zeros(len(keys))
        levels[support] = logs
        base, missing = solve_least_norm_shifted(keys, levels)
        if is_rounding(missing, levels):
            return base
    solve = solve_least_norm if family in {"pull", "push"} and not support.all() else solve_least_norm_shifted
    base, missing = solve(keys[support], logs)
    if not is_rounding(missing, logs):
        raise MethodError("no query gives the wanted keys these weights at mean logit 0; use family='dual'")
    return base


def _find_scale(
    keys: Float[np.ndarray, "key width"],
    support: Bool[np.ndarray, " key"],
    base: Float[np.ndarray, " width"],
    direction: Float[np.ndarray, " width"],
    *,
    error: float,
) -> float:
    """The least C at which base + C·direction leaves no more than `error` outside the support."""
    # Logits as seen from the wanted keys: a part common to all keys would only bring rounding.
    seen = relative_to_mean(keys, support / np.count_nonzero(support))
    logits, levels = seen @ base, seen @ direction
    offsets = logits[~support] - log_sum_exp(logits[support])
    return smallest_scale(offsets, -levels[~support], error=error)


def _dual_direction(
    keys: Float[np.ndarray, "key width"], support: Bool[np.ndarray, " key"], *, equal_gaps: bool = True
) -> Float[np.ndarray, " width"]:
    direction = separate_from_rest(keys, support, equal_gaps=equal_gaps).direction
    if direction is None:
        raise MethodError("no query gives all wanted keys larger logits than the others; choose other keys")
    return direction


def _margin_direction(
    keys: Float[np.ndarray, "key width"], support: Bool[np.ndarray, " key"]
) -> Float[np.ndarray, " width"]:
    return _dual_direction(keys, support, equal_gaps=False)


def _pull_direction(
    keys: Float[np.ndarray, "key width"], support: Bool[np.ndarray, " key"]
) -> Float[np.ndarray, " width"]:
    """The mix of wanted keys whose logit is 1 on each of them; the others must stay below."""
    level = np.ones(np.count_nonzero(support))
    direction, missing = solve_least_norm(keys[support], level)
    if not is_rounding(missing, level):
        raise MethodError("no mix of the wanted keys has the same logit on all of them; use family='dual'")
    levels = np.where(support, -np.inf, keys @ direction)
    rival = int(np.argmax(levels))
    if levels[rival] > 1 - TOLERANCE:
        raise MethodError(
            f"a query that pulls towards the wanted keys pulls key {rival} as strongly: "
            f"its logit is {levels[rival]:.4g}, that of each wanted key is 1; use family='dual'"
        )
    return direction


def _push_direction(
    keys: Float[np.ndarray, "key width"], support: Bool[np.ndarray, " key"]
) -> Float[np.ndarray, " width"]:
    """A direction orthogonal to the wanted keys, along which every other key has logit −1 or less."""
    others = keys[~support]
    size = float(np.linalg.norm(others, axis=1).max())
    direction = separate(-remove_span(others, keys[support]), size=size).direction
    if direction is None:
        raise MethodError(
            "no query holds the wanted logits at 0 and lowers all others: orthogonal to the wanted keys, "
            "the others surround the origin; use family='dual'"
        )
    return direction


DIRECTIONS: dict[
    str,
    Callable[
        [Float[np.ndarray, "key width"], Bool[np.ndarray, " key"]],
        Float[np.ndarray, " width"],
    ],
] = {"dual": _dual_direction, "margin": _margin_direction, "pull": _pull_direction, "push": _push_direction}


def _describe(
    keys: Float[np.ndarray, "key width"],
    query: Float[np.ndarray, " width"],
    wanted: Float[np.ndarray, " key"],
    *,
    family: Family,
    scale: float,
    asked: float,
) -> QueryDesign:
    logits = keys @ query
    weights = masked_softmax(logits)
    leak = float(weights[wanted == 0].sum())
    # The excess alone: in 1 − α a leak below 1e-16 is lost.
    error = float(np.clip(weights - wanted, 0, None).sum())
    note = _explain(logits, wanted, family=family)
    exact = bool((wanted > 0).all())
    if error > (1e-9 if exact else 1.01 * asked):
        note += f"; rounding of these logits brings the error to {error:.3g}"
    return QueryDesign(
        query=query,
        family=family,
        scale=scale,
        wanted=wanted,
        weights=weights,
        error=error,
        leak=leak,
        norm=float(np.linalg.norm(query)),
        exact=exact,
        note=note,
    )


def _explain(logits: Float[np.ndarray, " key"], wanted: Float[np.ndarray, " key"], *, family: Family) -> str:
    """What this family did here, for a reader who does not know the formulas."""
    support = wanted > 0
    if support.all():
        return "every key is wanted, so the weights are reached exactly; all families agree"
    if np.ptp(logits) == 0:
        return "equal weights already meet the wanted error, so the query is zero"
    gaps = logits[support].mean() - logits[~support]
    if np.ptp(gaps) <= 1e-3 * gaps.max():
        gap = f"all other logits lie {gaps.min():.4g} lower"
    else:
        gap = f"the other logits lie {gaps.min():.4g} to {gaps.max():.4g} lower"
        gap += "; no query makes these gaps equal" if family == "dual" else ""
    if family == "push" and np.ptp(wanted[support]) == 0:
        return f"{gap}; the wanted logits are 0, so noise in the length of the wanted keys changes nothing"
    return gap
