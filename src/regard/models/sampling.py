"""How the next token is drawn from what a model says of it.

p ∝ p^(1/temperature)                         below 1 the likely become likelier, above 1 the unlikely do
then only:   the top_k likeliest
             the fewest that hold top_p of the probability
             those at least min_p times as likely as the likeliest
repetition_penalty: ln p − ln(penalty) for every token among those drawn or read lately; 1 is off
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from regard.errors import ValueRangeError
from regard.shapes import Float

RECENT = 64
"""How far back a repetition counts as one."""


@dataclass(frozen=True)
class Sampling:
    """How to draw; without settings, exactly as the model says."""

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    repetition_penalty: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.temperature < math.inf:
            raise ValueRangeError(f"temperature must be above 0; got {self.temperature}")
        if self.top_k is not None and self.top_k < 1:
            raise ValueRangeError(f"top_k must be at least 1; got {self.top_k}")
        for name in ("top_p", "min_p"):
            value = getattr(self, name)
            if value is not None and not 0 < value <= 1:
                raise ValueRangeError(f"{name} must be above 0 and at most 1; got {value}")
        if not 1 <= self.repetition_penalty < math.inf:
            raise ValueRangeError(f"repetition_penalty must be 1 (off) or more; got {self.repetition_penalty}")


def draw(
    rng: np.random.Generator,
    log_probs: Float[np.ndarray, " vocab"],
    how: Sampling,
    *,
    never: int | None = None,
    recent: Collection[int] = (),
) -> int:
    """One id; `never` is left out, `recent` ids are penalised."""
    return int(rng.choice(len(log_probs), p=shape_probs(log_probs, how, never=never, recent=recent)))


def shape_probs(
    log_probs: Float[np.ndarray, " vocab"], how: Sampling, *, never: int | None = None, recent: Collection[int] = ()
) -> Float[np.ndarray, " vocab"]:
    """The probabilities that are drawn from.

    >>> shape_probs(np.log([0.5, 0.3, 0.2]), Sampling(top_k=2)).round(3)
    array([0.625, 0.375, 0.   ])
    """
    logits = np.array(log_probs, np.float64)
    if never is not None:
        logits[never] = -np.inf
    if how.repetition_penalty > 1:
        logits[list(set(recent))] -= math.log(how.repetition_penalty)
    with np.errstate(over="ignore"):  # at a tiny temperature all but the likeliest go to −∞, as they should
        weights = np.exp((logits - logits.max()) / how.temperature)
    weights[~find_allowed(weights, how)] = 0.0
    return weights / weights.sum()


def find_allowed(weights: Float[np.ndarray, " vocab"], how: Sampling) -> np.ndarray:
    """True for each id that may be drawn; among equals, those of lower id first."""
    order = np.argsort(-weights, kind="stable")
    falling = weights[order] / weights.sum()
    place_is_kept = np.ones(len(weights), bool)
    if how.top_k is not None:
        place_is_kept[how.top_k :] = False
    if how.top_p is not None:  # the one that reaches the share is still among them
        place_is_kept[1:] &= np.cumsum(falling)[:-1] < how.top_p
    if how.min_p is not None:
        place_is_kept &= falling >= how.min_p * falling[0]
    is_kept = np.zeros(len(weights), bool)
    is_kept[order] = place_is_kept
    return is_kept
