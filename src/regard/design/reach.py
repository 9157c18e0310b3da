"""What no query can reach, and the proof.

A query gives logits s = Kq, so a tie between keys is a tie between logits: where two mixes of keys are one
point, Σ aᵢkᵢ = Σ bᵢkᵢ, the weights α of every query have Σ aᵢ ln αᵢ = Σ bᵢ ln αᵢ. Hence weights are

    reached exactly      if all are positive and ln α ∈ col(K) + span(1);
    reached in limit     if the keys that have weight are those on a face of the hull of all keys, and there
                         ln α ∈ col(K) + span(1);
    out of reach         otherwise, and some tie of the keys is the proof.

The best known case is a single key: one that is a mix l of others never has more weight than 1/(1 + e^H(l)).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, SupportsIndex

import numpy as np
from scipy.special import expit

from regard.arrays.namespace import real_number
from regard.arrays.summary import entropy
from regard.design.hull import (
    is_rounding,
    maximum_entropy,
    relative_to_mean,
    separate_from_rest,
    smallest_face,
    solve_least_norm,
    solve_least_norm_shifted,
)
from regard.design.inputs import check_index, check_keys, check_weights
from regard.display import short_repr
from regard.errors import UnreachableError, ValueRangeError
from regard.shapes import Array, Bool, Float, Int


@short_repr
@dataclass(frozen=True, eq=False)
class HullBound:
    """The largest weight that any query gives to a key inside the hull of the others.

    `combination` is the most even mix of the others that equals the key, `entropy_nats` its entropy H, and
    `bound` = 1/(1 + e^H) is the exact supremum. `query` attains it; it is None where the bound is only
    approached, by ever longer queries, because the key lies on the rim of the hull.
    """

    index: int
    combination: Float[np.ndarray, " key"]
    entropy_nats: float
    bound: float
    query: Float[np.ndarray, " width"] | None

    def __str__(self) -> str:
        others = np.flatnonzero(self.combination)
        place = f"equals key {others[0]}" if len(others) == 1 else f"lies in the hull of {_name_keys(others)}"
        return f"key {self.index} {place}: no query gives it more weight than {self.bound:.4g}"


@short_repr
@dataclass(frozen=True, eq=False)
class Tie:
    """Two mixes of the keys that are one point: left @ keys = right @ keys.

    Every query gives both the same mean log-weight; the wanted weights differ by `violation` there (infinite
    where the right mix uses a key that was to have no weight).
    """

    left: Float[np.ndarray, " key"]
    right: Float[np.ndarray, " key"]
    violation: float

    def __str__(self) -> str:
        tied = (
            f"{_name_mix(self.left)} equals {_name_mix(self.right)}, so every query gives both the same mean log-weight"
        )
        if np.isinf(self.violation):
            return f"{tied}; but a key on the right was to have no weight"
        return f"{tied}; but in the wanted weights these differ by {self.violation:.4g} nats"


@short_repr
@dataclass(frozen=True, eq=False)
class Reach:
    """Whether a query gives these weights, and why.

    `query` gives the weights exactly, or, in the limit, query + C·direction approaches them as C grows. Out of
    reach both are None, `certificate` is the proof, and `nearest` the closest weights that are reached or
    approached: those of least relative entropy KL(weights ‖ nearest), which have the same mean key Σ wᵢkᵢ.
    `residual_nats` is the largest entry of what ln weights, on their support, have outside col(K) + span(1).
    """

    kind: Literal["exact", "limit", "unreachable"]
    weights: Float[np.ndarray, " key"]
    reason: str
    residual_nats: float
    nearest: Float[np.ndarray, " key"]
    query: Float[np.ndarray, " width"] | None = None
    direction: Float[np.ndarray, " width"] | None = None
    certificate: HullBound | Tie | None = None


def hull_bound(keys: Array, index: SupportsIndex) -> HullBound | None:
    """The most weight any query gives to key `index`, or None if it can have weight as near to 1 as wanted.

    If k_j = Σ lᵢkᵢ with l ≥ 0, Σ lᵢ = 1, then α_j ≤ Π αᵢ^lᵢ ≤ (1 − α_j) e^−H(l), so α_j ≤ 1/(1 + e^H(l)).
    The l of largest entropy gives the tightest such bound, and by duality the exact supremum.

    >>> bound = hull_bound(np.array([[0.0], [1.0], [0.5]]), 2)
    >>> round(bound.bound, 6), bound.combination
    (0.333333, array([0.5, 0.5, 0. ]))
    """
    rows = check_keys(keys)
    place = check_index(index, n_keys=len(rows))
    return _hull_bound(rows, place)


def _hull_bound(keys: Float[np.ndarray, "key width"], index: int) -> HullBound | None:
    alone = np.arange(len(keys)) == index
    if alone.all() or separate_from_rest(keys, alone).direction is not None:
        return None
    points = relative_to_mean(keys, alone.astype(float))
    used = ~alone
    used[used] = smallest_face(points[used])
    if not used.any():  # outside the hull after all, by less than `separate` resolves
        return None
    combination = np.zeros(len(keys))
    combination[used], query = maximum_entropy(points[used])
    evenness = float(entropy(combination))
    return HullBound(
        index=index,
        combination=combination,
        entropy_nats=evenness,
        bound=float(expit(-evenness)),
        query=query if (used | alone).all() else None,
    )


def reachability(keys: Array, weights: Array, *, tolerance: float = 1e-9) -> Reach:
    """Whether some query gives these weights: exactly, in the limit of ever longer queries, or not at all.

    `tolerance` is the misfit of ln weights, relative to their size, that still counts as exact.

    >>> keys = np.array([[0.0], [1.0], [2.0]])
    >>> reachability(keys, np.array([0.25, 0.25, 0.5])).kind
    'unreachable'
    >>> reachability(keys, np.array([1.0, 2.0, 4.0]) / 7).kind
    'exact'
    >>> reachability(keys, np.array([0.0, 0.0, 1.0])).kind
    'limit'
    """
    rows = check_keys(keys)
    wanted = check_weights(weights, n_keys=len(rows))
    if not 0 <= real_number(tolerance, name="tolerance") <= 1:
        raise ValueRangeError(f"tolerance must lie between 0 and 1; got {tolerance}")
    support = wanted > 0
    logs = np.log(wanted[support])
    query, residual = solve_least_norm_shifted(rows[support], logs)
    misfit = float(np.abs(residual).max())
    if not is_rounding(residual, logs, tolerance=tolerance):
        return _describe_unreachable(rows, wanted, misfit, _tie_of_residual(residual, support))
    if support.all():
        reason = "a query gives exactly these weights"
        return Reach("exact", wanted, reason, misfit, wanted, query)
    separation = separate_from_rest(rows, support)
    if separation.direction is None:
        assert separation.mix is not None
        return _describe_unreachable(rows, wanted, misfit, _tie_of_mix(rows, support, separation.mix))
    reason = f"the hull has a face with {_name_keys(np.flatnonzero(support))} alone: longer queries come ever closer"
    return Reach("limit", wanted, reason, misfit, wanted, query, separation.direction)


def require_reachable(keys: Float[np.ndarray, "key width"], weights: Float[np.ndarray, " key"]) -> None:
    """Raises UnreachableError, with the certificate, if no query comes as near to the weights as wanted."""
    reach = reachability(keys, weights)
    if reach.kind == "unreachable":
        raise UnreachableError(reach.reason, certificate=reach.certificate)


def _describe_unreachable(
    keys: Float[np.ndarray, "key width"], wanted: Float[np.ndarray, " key"], misfit: float, tie: Tie
) -> Reach:
    nearest = _nearest_reachable(keys, wanted)
    certificate: HullBound | Tie | None = None
    if np.count_nonzero(wanted) == 1:
        certificate = _hull_bound(keys, int(np.argmax(wanted)))
    certificate = certificate or tie
    distance = np.abs(nearest - wanted).sum() / 2
    reason = (
        f"{certificate}; the nearest weights within reach are {_list_weights(nearest)}, "
        f"at total variation distance {distance:.4g}"
    )
    return Reach("unreachable", wanted, reason, misfit, nearest, certificate=certificate)


def _nearest_reachable(
    keys: Float[np.ndarray, "key width"], wanted: Float[np.ndarray, " key"]
) -> Float[np.ndarray, " key"]:
    """The reachable weights with the same mean key: of all weights with that mean they are the most even."""
    points = relative_to_mean(keys, wanted)
    support = wanted > 0
    # The keys of the smallest face around the wanted mean take part; that is every key if all are wanted.
    used = support if support.all() else support | smallest_face(points)
    nearest = np.zeros(len(keys))
    nearest[used], _ = maximum_entropy(points[used])
    return nearest


def _tie_of_residual(residual: Float[np.ndarray, " pair"], support: Bool[np.ndarray, " key"]) -> Tie:
    """The residual r of ln w is itself the tie: Σ rᵢkᵢ = 0 and Σ rᵢ = 0, but Σ rᵢ ln wᵢ = |r|² > 0."""
    mass = np.clip(residual, 0, None).sum()
    left, right = np.zeros(len(support)), np.zeros(len(support))
    left[support] = np.clip(residual, 0, None) / mass
    right[support] = np.clip(-residual, 0, None) / mass
    return Tie(left, right, float(residual @ residual / mass))


def _tie_of_mix(
    keys: Float[np.ndarray, "key width"],
    support: Bool[np.ndarray, " key"],
    mix: Float[np.ndarray, " pair"],
) -> Tie:
    """A mix of unwanted keys that lies in the flat of the wanted ones, as a tie with positive amounts only.

    Σ mixᵢkᵢ = Σ cᵢkᵢ over wanted keys with Σ cᵢ = 1; negative cᵢ change sides, then both sides are scaled to 1.
    """
    seen = relative_to_mean(keys, support / np.count_nonzero(support))
    inner, _ = solve_least_norm(seen[support].T, mix @ seen[~support])
    shares = inner + (1 - inner.sum()) / len(inner)
    left, right = np.zeros(len(keys)), np.zeros(len(keys))
    left[support] = np.clip(shares, 0, None)
    right[support], right[~support] = np.clip(-shares, 0, None), mix
    return Tie(left / left.sum(), right / right.sum(), np.inf)


def _name_keys(indices: Int[np.ndarray, " _"]) -> str:
    """'key 3', 'keys 0 and 2', 'keys 0, 1 and 2', or '40 keys (0, 1, 2, …)'."""
    names = [str(index) for index in indices]
    if len(names) == 1:
        return f"key {names[0]}"
    if len(names) > 6:
        return f"{len(names)} keys ({', '.join(names[:3])}, …)"
    return f"keys {', '.join(names[:-1])} and {names[-1]}"


def _name_mix(shares: Float[np.ndarray, " key"]) -> str:
    used = np.flatnonzero(shares)
    return f"{'a mix of ' if len(used) > 1 else ''}{_name_keys(used)}"


def _list_weights(weights: Float[np.ndarray, " key"]) -> str:
    shown = ", ".join(f"{weight:.4g}" for weight in weights[:6])
    return f"({shown}{', …' if len(weights) > 6 else ''})"
