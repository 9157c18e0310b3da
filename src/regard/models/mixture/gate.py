"""The gate of a mixture: how much each member counts at a context, and how their distributions become one.

    x: features of the context, W: the gate's matrix [feature member]

    linear       p(v | c) = Σₘ wₘ(c)·pₘ(v | c)              w = softmax(x W)
    geometric    p(v | c) ∝ Πₘ pₘ(v | c)^wₘ(c)              w = x W, of any sign and sum

Both are distributions whatever the gate. In the linear form members vote; in the geometric one each can veto, and
weights that sum to more or less than one make the whole surer or less sure than its members are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
from scipy.optimize import minimize

from regard.arrays import masked_softmax
from regard.arrays.namespace import threads_for
from regard.display import short_repr
from regard.models.ngram.context_mixing import fit_gate
from regard.models.ngram.predictions import Predictions
from regard.shapes import Float, Int

MIN_LOG_PROB = -100.0
"""Nats. Below e⁻¹⁰⁰ one unlikely id is like another; what is impossible would make weights of it meaningless."""


def floor_log_probs(log_probs: Float[np.ndarray, "position vocab"]) -> Float[np.ndarray, "position vocab"]:
    """ln p, not below what counts."""
    return np.maximum(log_probs, MIN_LOG_PROB)


def context_features(predictions: Sequence[Predictions]) -> Float[np.ndarray, "position feature"]:
    """All features of a context, at the positions of some predictions.

    >>> even = Predictions.plain(np.log([[0.5, 0.5]]))
    >>> context_features([even, even]).round(3)
    array([[ 1.   ,  0.693, -0.693,  0.693, -0.693, -0.693]])
    """
    every = [floor_log_probs(prediction.log_probs) for prediction in predictions]
    probs = [np.exp(log_probs) for log_probs in every]
    columns = [np.ones(len(every[0]))]
    for log_probs, p in zip(every, probs, strict=True):
        columns += [-np.vecdot(p, log_probs), log_probs.max(axis=1)]
    columns += [np.log(np.maximum(np.vecdot(p, q), np.exp(MIN_LOG_PROB))) for p, q in combinations(probs, 2)]
    return np.concatenate([np.stack(columns, axis=1), *(prediction.familiarity for prediction in predictions)], axis=1)


def no_features(predictions: Sequence[Predictions]) -> Float[np.ndarray, "position feature"]:
    """A constant feature alone, which makes the weights equal at every position."""
    return np.ones((len(predictions[0]), 1))


FEATURES = {"features": context_features, "fixed": no_features}
"""What each kind of gate looks at."""


Form: TypeAlias = Literal["geometric", "linear"]
FORMS = ("geometric", "linear")
RIDGE, FEATURE_RIDGE = 5.0, 2000.0
"""Strength of the pull towards equal weights, in nats of the whole text that a geometric gate is fitted on: small for
weights as such, strong for what features change of them, for texts differ in that."""
ITERATIONS = 60
MAX_NUMBERS = 1 << 25
"""How many log-probabilities are kept to fit a geometric gate, a quarter of a gigabyte; of more, evenly spaced ones."""


@short_repr
@dataclass(frozen=True)
class MixtureGate:
    """The weights of members as a function of features, and the form in which they are used."""

    form: Form
    matrix: Float[np.ndarray, "feature member"]

    def weights(self, features: Float[np.ndarray, "position feature"]) -> Float[np.ndarray, "position member"]:
        """How much each member counts; in the linear form each row sums to one."""
        # position by position: a product of matrices would round a position's numbers by what stands around it
        scores = np.einsum("pf,fm->pm", features, self.matrix)
        return masked_softmax(scores) if self.form == "linear" else scores

    def mix(
        self, members: list[Float[np.ndarray, "position vocab"]], weights: Float[np.ndarray, "position member"]
    ) -> Float[np.ndarray, "position vocab"]:
        """ln p of the mixture."""
        parts = zip(weights.T[:, :, None], members, strict=True)
        if self.form == "linear":
            with np.errstate(divide="ignore"):
                return np.log(sum(weight * np.exp(log_probs) for weight, log_probs in parts))
        return normalise(sum(weight * floor_log_probs(log_probs) for weight, log_probs in parts))


def normalise(scores: Float[np.ndarray, "position vocab"]) -> Float[np.ndarray, "position vocab"]:
    """ln p of p ∝ exp(score)."""
    scores = scores - scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def fit_mixture_gate(
    form: Form,
    features: Float[np.ndarray, "position feature"],
    members: Float[np.ndarray, "member position vocab"],
    ids: Int[np.ndarray, " position"],
) -> MixtureGate:
    """The gate under which validation ids are most likely; the first feature must be 1."""
    if form == "linear":
        probs = np.exp(members[:, np.arange(len(ids)), ids].T)
        return MixtureGate("linear", fit_gate(features, probs).matrix)
    mean, scale = features.mean(axis=0), features.std(axis=0)
    is_constant = scale < 1e-9
    mean, scale = np.where(is_constant, 0.0, mean), np.where(is_constant, 1.0, scale)
    matrix = _likeliest((features - mean) / scale, members, ids) / scale[:, None]
    matrix[0] -= mean @ matrix  # the first feature is 1: it takes up what centring the others took away
    return MixtureGate("geometric", matrix)


def _likeliest(
    features: Float[np.ndarray, "position feature"],
    members: Float[np.ndarray, "member position vocab"],
    ids: Int[np.ndarray, " position"],
) -> Float[np.ndarray, "feature member"]:
    """Minimise the surprise, with a pull towards equal weights that sum to one; a convex problem."""
    equal = np.zeros((features.shape[1], len(members)))
    equal[0] = 1 / len(members)
    pull = np.full((features.shape[1], 1), FEATURE_RIDGE / len(ids))
    pull[0] = RIDGE / len(ids)

    def objective(flat: Float[np.ndarray, " number"]) -> tuple[float, Float[np.ndarray, " number"]]:
        matrix = flat.reshape(equal.shape)
        surprise, gradient = mean_surprise(matrix, features, members, ids)
        off = matrix - equal
        return surprise + float((pull * off * off).sum()) / 2, (gradient + pull * off).ravel()

    with threads_for(float(features.size * len(members))):
        found = minimize(objective, equal.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS})
    return found.x.reshape(equal.shape)


def mean_surprise(
    matrix: Float[np.ndarray, "feature member"],
    features: Float[np.ndarray, "position feature"],
    members: Float[np.ndarray, "member position vocab"],
    ids: Int[np.ndarray, " position"],
) -> tuple[float, Float[np.ndarray, "feature member"]]:
    """Mean −ln p of the geometric mixture, and its gradient mean x·(E[ln pₘ] − ln pₘ(id)), E over the mixture."""
    weights, places = features @ matrix, np.arange(len(ids))
    log_probs = normalise(sum(w[:, None] * member for w, member in zip(weights.T, members, strict=True)))
    probs = np.exp(log_probs)
    off = np.stack([np.vecdot(probs, member) - member[places, ids] for member in members], axis=1)
    return -float(log_probs[places, ids].mean()), features.T @ off / len(ids)
