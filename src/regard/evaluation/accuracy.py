"""How well a classifier does: accuracy, nats, confusion, calibration, and accuracy by what texts have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from regard.errors import NothingScoredError, ShapeError, ValueRangeError
from regard.records import ClassificationResult, GroupAccuracy
from regard.shapes import Bool, Float, Int


@dataclass(frozen=True)
class PairedAnswers:
    """How the second classifier differs from the first; `p_value` is that of McNemar's exact test, on two sides."""

    only_first: int
    only_second: int
    difference: float
    standard_error: float
    p_value: float


def compare_paired(first: Bool[np.ndarray, " batch"], second: Bool[np.ndarray, " batch"]) -> PairedAnswers:
    """What sets two classifiers apart, from whether each is right on each text.

    >>> compare_paired(np.array([True, True, False, False]), np.array([True, False, True, True])).difference
    0.25
    """
    n = len(first)
    if n == 0:
        raise NothingScoredError("there is no text that both have classified; is the data empty?")
    b, c = int((first & ~second).sum()), int((~first & second).sum())
    spread = math.sqrt(b + c - (b - c) ** 2 / n) / n
    return PairedAnswers(b, c, (c - b) / n, spread, _two_sided(min(b, c), b + c))


def _two_sided(fewer: int, n_coins: int) -> float:
    """P(heads ≤ fewer or heads ≥ n − fewer) of n fair coins."""
    from scipy.stats import binom

    return min(1.0, 2 * float(binom.cdf(fewer, n_coins, 0.5)))


BINS = 15
NORMAL_95 = 1.959964
CONFIDENCES = (0.0, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Where groups of answers by their probability begin."""
LENGTHS = (0, 10, 20, 30, 50, 100, 200, 300, 500)
"""Groups of texts by their number of words: more than this, and up to the next."""
COUNTS = ((0, 0), (1, 1), (2, 3), (4, math.inf))
"""Groups of texts by how often something occurs in them: from, to."""


def evaluate(
    log_probs: Float[np.ndarray, "batch label"], label_ids: Int[np.ndarray, " batch"], *, labels: tuple[str, ...] = ()
) -> ClassificationResult:
    """Accuracy with its standard error √(a(1 − a)/n), mean −ln p(true), confusion counts, calibration.

    The expected calibration error takes answers by their probability c = max p, in 15 bins of equal width:

        ECE = Σ_bins n_bin / n · |accuracy_bin − mean c_bin|
    """
    _require_labels(log_probs, label_ids)
    n, n_labels = log_probs.shape
    answers = log_probs.argmax(axis=1)
    is_right = answers == label_ids
    reliability = group_by_reliability(log_probs, label_ids)
    accuracy = float(is_right.mean())
    return ClassificationResult(
        labels=labels or tuple(map(str, range(n_labels))),
        n=n,
        accuracy=accuracy,
        standard_error=math.sqrt(accuracy * (1 - accuracy) / n),
        nats=float(-log_probs[np.arange(n), label_ids].mean(dtype=np.float64)),
        calibration_error=sum(each.n / n * abs(each.accuracy - each.confidence) for each in reliability),
        confusion=np.bincount(label_ids * n_labels + answers, minlength=n_labels**2).reshape(n_labels, n_labels),
        reliability=reliability,
    )


def group_by_reliability(
    log_probs: Float[np.ndarray, "batch label"], label_ids: Int[np.ndarray, " batch"], *, n_bins: int = BINS
) -> tuple[GroupAccuracy, ...]:
    """Answers by their probability, in bins of equal width (k/n, (k + 1)/n]; empty bins are left out."""
    confidences = _confidences(log_probs)
    places = np.clip(np.ceil(confidences * n_bins) - 1, 0, n_bins - 1).astype(int)
    names = [f"{k / n_bins:.2f}–{(k + 1) / n_bins:.2f}" for k in range(n_bins)]
    return group_accuracies(log_probs, label_ids, places, names=names)


def group_by_confidence(
    log_probs: Float[np.ndarray, "batch label"], label_ids: Int[np.ndarray, " batch"]
) -> tuple[GroupAccuracy, ...]:
    """Answers by their probability, in steps that become finer towards one."""
    places = np.searchsorted(CONFIDENCES, _confidences(log_probs), side="right") - 1
    ends = [*CONFIDENCES[1:], 1.0]
    names = [f"{low:g}–{high:g}" if low else f"up to {high:g}" for low, high in zip(CONFIDENCES, ends, strict=True)]
    return group_accuracies(log_probs, label_ids, places, names=names)


def group_by_length(
    log_probs: Float[np.ndarray, "batch label"],
    label_ids: Int[np.ndarray, " batch"],
    n_words: Int[np.ndarray, " batch"],
) -> tuple[GroupAccuracy, ...]:
    """Texts by their number of words."""
    places = np.searchsorted(LENGTHS[1:], n_words, side="left")
    names = [f"{low + 1}–{high}" for low, high in pairwise(LENGTHS)]
    names[0] = f"up to {LENGTHS[1]}"
    return group_accuracies(log_probs, label_ids, places, names=[*names, f"over {LENGTHS[-1]}"])


def group_by_count(
    log_probs: Float[np.ndarray, "batch label"], label_ids: Int[np.ndarray, " batch"], counts: Int[np.ndarray, " batch"]
) -> tuple[GroupAccuracy, ...]:
    """Texts by how often something occurs in them: never, once, two or three times, more often."""
    places = np.searchsorted([high for _, high in COUNTS], counts, side="left")
    names = [f"{low:g}" if low == high else f"{low:g}–{high:g}" for low, high in COUNTS[:-1]]
    return group_accuracies(log_probs, label_ids, places, names=[*names, f"{COUNTS[-1][0]:g} or more"])


def group_accuracies(
    log_probs: Float[np.ndarray, "batch label"],
    label_ids: Int[np.ndarray, " batch"],
    places: Int[np.ndarray, " batch"],
    *,
    names: Sequence[str],
) -> tuple[GroupAccuracy, ...]:
    """The accuracy of each group that has texts: text i belongs to group names[places[i]]."""
    _require_labels(log_probs, label_ids)
    is_right = log_probs.argmax(axis=1) == label_ids
    confidences = _confidences(log_probs)
    members = [(name, places == place) for place, name in enumerate(names)]
    return tuple(_group(name, is_right[where], confidences[where]) for name, where in members if where.any())


def evaluate_without(
    log_probs: Float[np.ndarray, "batch label"],
    label_ids: Int[np.ndarray, " batch"],
    *,
    is_seen: Bool[np.ndarray, " batch"],
    labels: tuple[str, ...] = (),
) -> ClassificationResult | None:
    """Evaluate without some texts, such as those that also occur in training; None if that leaves nothing."""
    if is_seen.all():
        return None
    return evaluate(log_probs[~is_seen], label_ids[~is_seen], labels=labels)


def wilson(n_right: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; unlike a ± √(a(1 − a)/n), it does not shrink to a point at 0 and 1.

    >>> [round(end, 3) for end in wilson(10, 10)]
    [0.722, 1.0]
    """
    share, spread = n_right / n, NORMAL_95**2 / n
    centre = (share + spread / 2) / (1 + spread)
    half = math.sqrt(spread * share * (1 - share) + spread**2 / 4) / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)


def _group(name: str, is_right: Bool[np.ndarray, " batch"], confidences: Float[np.ndarray, " batch"]) -> GroupAccuracy:
    n, accuracy = len(is_right), float(is_right.mean())
    low, high = wilson(int(is_right.sum()), n)
    confidence = float(confidences.mean(dtype=np.float64))
    return GroupAccuracy(name, n, accuracy, math.sqrt(accuracy * (1 - accuracy) / n), low, high, confidence)


def _confidences(log_probs: Float[np.ndarray, "batch label"]) -> Float[np.ndarray, " batch"]:
    # Rounding may take a certain answer past one.
    return np.minimum(np.exp(log_probs.max(axis=1).astype(np.float64)), 1.0)


def _require_labels(log_probs: Float[np.ndarray, "batch label"], label_ids: Int[np.ndarray, " text"]) -> None:
    if len(log_probs) != len(label_ids):
        raise ShapeError(f"each text needs one label; got {len(log_probs)} texts and {len(label_ids)} labels")
    if len(label_ids) == 0:
        raise NothingScoredError("no text was classified; is the data empty?")
    if label_ids.min() < 0 or label_ids.max() >= log_probs.shape[1]:
        raise ValueRangeError(
            f"labels are places from 0 to {log_probs.shape[1] - 1}; got {label_ids.min()} to {label_ids.max()}"
        )
