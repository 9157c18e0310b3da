"""What the answers of a new classifier are worth, measured on validation texts, shortened and with words hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from regard.models.classifier.averaging import AveragingClassifier, LengthFactors
from regard.models.classifier.familiarity import (
    CONFIDENCES,
    PAIR_SHARES,
    UNKNOWN_SHARES,
    MeasuredAccuracy,
    MeasuredPairs,
)
from regard.shapes import Bool, Float, Int
from regard.text.word_bags import WordBags

MIN_ENDING_WORDS = 4


class Endings(NamedTuple):
    """The last words of some texts, and which texts these are."""

    bags: WordBags
    text: Int[np.ndarray, " ending"]


def ending_lengths(longest: float) -> list[int]:
    """The powers of two from 4 words on that are below `longest`.

    >>> ending_lengths(40.0), ending_lengths(4.0)
    ([4, 8, 16, 32], [])
    """
    lengths = [MIN_ENDING_WORDS]
    while lengths[-1] < longest:
        lengths.append(2 * lengths[-1])
    return lengths[:-1]


def cut_endings(bags: WordBags, n_words: int) -> Endings:
    """The last words of each text, this many of them, where it has more.

    >>> cut_endings(WordBags(np.arange(6, dtype=np.uint64), np.array([0, 2, 6])), 2)
    Endings(bags=WordBags(hashes=array([4, 5], dtype=uint64), offsets=array([0, 2])), text=array([1]))
    """
    text = np.flatnonzero(np.diff(bags.offsets) > n_words)
    places = (bags.offsets[text + 1] - n_words)[:, None] + np.arange(n_words)
    return Endings(WordBags(bags.hashes[places.ravel()], np.arange(len(text) + 1) * n_words), text)


def hide_words(bags: WordBags, share: float, rng: np.random.Generator) -> WordBags:
    """The texts with about this share of their words replaced by words that nobody knows."""
    strange = rng.integers(0, 1 << 64, len(bags.hashes), dtype=np.uint64)
    return WordBags(np.where(rng.random(len(bags.hashes)) < share, strange, bags.hashes), bags.offsets)


def fit_factors(parts: Sequence[Float[np.ndarray, "batch label"]], label_ids: Int[np.ndarray, " batch"]) -> list[float]:
    """The positive factor of each part for which the mean of −ln p(true label) is least.

    A weak wish to leave parts as they are, (ln s)²/2 against the nats of all texts, keeps factors finite where every
    one of a few texts is labelled right; among a thousand texts it is not felt.

    >>> sure = np.array([[4.0, 0.0]] * 4000)
    >>> [factor] = fit_factors([sure], np.array([0, 0, 0, 1] * 1000))  # right in 3 of 4: 4 s = ln 3
    >>> round(4 * factor, 2), round(float(np.log(3)), 2)
    (1.1, 1.1)
    """
    stacked = np.stack(parts).astype(np.float64)
    n, places = len(label_ids), np.arange(len(label_ids))

    def objective(logs: np.ndarray) -> tuple[float, np.ndarray]:
        factors = np.exp(logs)
        logits = np.tensordot(factors, stacked, axes=1)
        wrong = softmax(logits, axis=1)
        wrong[places, label_ids] -= 1
        nats = -log_softmax(logits, axis=1)[places, label_ids].mean()
        slopes = (stacked * wrong).sum(axis=(1, 2)) / n * factors
        return float(nats + logs @ logs / (2 * n)), slopes + logs / n

    found = minimize(objective, np.zeros(len(parts)), jac=True, method="L-BFGS-B")
    return [float(factor) for factor in np.exp(found.x)]


def fit_length_factors(
    classifier: AveragingClassifier, validation: WordBags, label_ids: Int[np.ndarray, " batch"], *, shortest: float
) -> LengthFactors:
    """The classifier's factors, and by endings of validation texts others for fewer than `shortest` known words.

    Each length starts from the factors of whole texts, so that where endings are few it stays with them.
    """
    knots = {float(shortest): classifier.factors.full}
    for n_words in ending_lengths(shortest):
        endings = cut_endings(validation, n_words)
        if len(endings.text):
            n_known = max(1.0, float(classifier.n_known(endings.bags).mean()))
            knots.setdefault(n_known, fit_ending_factors(classifier, endings, label_ids))
    lengths = sorted(length for length in knots if length <= shortest)
    return LengthFactors(tuple(lengths), tuple(knots[length] for length in lengths))


def fit_ending_factors(
    classifier: AveragingClassifier, endings: Endings, label_ids: Int[np.ndarray, " batch"]
) -> tuple[float, float, float]:
    """The factor of each part with which endings are predicted best; rare words are corrected as n-grams count."""
    of_words, of_ngrams, _ = classifier.factors.full
    words, ngrams, rare_words = classifier.part_logits(endings.bags)
    parts = [of_words * words, *([] if classifier.ngrams_part is None else [of_ngrams * (ngrams + rare_words)])]
    found = [*fit_factors(parts, label_ids[endings.text]), 0.0]
    return of_words * found[0], of_ngrams * found[1], of_ngrams * found[1]


HIDDEN_SHARES = (0.0, 0.1, 0.25, 0.5)
TAIL_SHARE = 0.01
"""A text is as usual as the training texts without this share of them at either end."""


def measure_accuracy(
    classifier: AveragingClassifier,
    texts: WordBags,
    validation: WordBags,
    label_ids: Int[np.ndarray, " batch"],
    *,
    seed: int,
) -> MeasuredAccuracy:
    """How often the classifier is right about validation texts, their endings, and both with words hidden.

    `texts` are all those of training; `label_ids` belong to those for `validation`.
    """
    least, most = np.quantile(np.diff(texts.offsets), [TAIL_SHARE, 1 - TAIL_SHARE])
    unknown = classifier.unknown_shares(validation)
    lengths = tuple(ending_lengths(least))
    shape = (len(lengths) + 1, len(UNKNOWN_SHARES) + 1, len(CONFIDENCES) + 1)
    answers, right, claimed = (np.zeros(shape) for _ in range(3))
    usual_unknown = float(np.quantile(unknown, 1 - TAIL_SHARE))
    found = MeasuredAccuracy((int(least), int(most)), usual_unknown, lengths, answers, right, claimed)
    for endings in vary_texts(validation, lengths, np.random.default_rng([seed, 1])):
        count_answers(found, classifier, endings, label_ids)
    return replace(found, pairs=measure_pairs(found, classifier, validation, label_ids))


def measure_pairs(
    found: MeasuredAccuracy, classifier: AveragingClassifier, validation: WordBags, label_ids: Int[np.ndarray, " batch"]
) -> MeasuredPairs | None:
    """Accuracy on validation texts and their endings by the share of unknown pairs; None where there are no pairs.

    No word is hidden here, so that it is the pairs that differ, not the words.
    """
    n_lengths = len(found.answers)
    lengths, shares = [np.empty(0, np.int64)], [np.empty(0)]
    tables = [np.zeros((n_lengths, len(PAIR_SHARES) + 1)) for _ in range(3)]
    for bags, text in cut_all_endings(validation, found.ending_words):
        share = classifier.unknown_pair_shares(bags)
        if share is None:
            return None
        confidence, is_right = check_answers(classifier, bags, label_ids[text])
        length, _, _ = found.classes(np.diff(bags.offsets), share, confidence)
        places = length, np.searchsorted(PAIR_SHARES, share, side="right")
        for table, amounts in zip(tables, (np.ones_like(share), is_right, confidence), strict=True):
            np.add.at(table, places, amounts)
        lengths.append(length)
        shares.append(share)
    usual = usual_shares(np.concatenate(lengths), np.concatenate(shares), n_lengths=n_lengths)
    return MeasuredPairs(usual, *tables)


def usual_shares(
    lengths: Int[np.ndarray, " batch"], shares: Float[np.ndarray, " batch"], *, n_lengths: int
) -> Float[np.ndarray, " length"]:
    """What all but a hundredth of the texts of each length stay below; 1 where there are none."""
    usual = np.ones(n_lengths)
    for length in np.unique(lengths):
        usual[length] = np.quantile(shares[lengths == length], 1 - TAIL_SHARE)
    return usual


def cut_all_endings(validation: WordBags, lengths: tuple[int, ...]) -> Iterator[Endings]:
    """The last words of the texts that have more, for each length, and then the texts themselves."""
    for endings in (
        *(cut_endings(validation, n_words) for n_words in lengths),
        Endings(validation, np.arange(len(validation))),
    ):
        if len(endings.text):
            yield endings


def vary_texts(validation: WordBags, lengths: tuple[int, ...], rng: np.random.Generator) -> Iterator[Endings]:
    """The texts and their endings, each with several shares of their words hidden."""
    for endings in cut_all_endings(validation, lengths):
        for share in HIDDEN_SHARES:
            yield Endings(hide_words(endings.bags, share, rng), endings.text)


def count_answers(
    found: MeasuredAccuracy, classifier: AveragingClassifier, endings: Endings, label_ids: Int[np.ndarray, " batch"]
) -> None:
    """Count what the classifier says of these texts."""
    confidence, is_right = check_answers(classifier, endings.bags, label_ids[endings.text])
    shares = classifier.unknown_shares(endings.bags)
    places = found.classes(np.diff(endings.bags.offsets), shares, confidence)
    for table, amounts in ((found.answers, 1.0), (found.right, is_right), (found.claimed, confidence)):
        np.add.at(table, places, amounts)


def check_answers(
    classifier: AveragingClassifier, bags: WordBags, label_ids: Int[np.ndarray, " batch"]
) -> tuple[Float[np.ndarray, " batch"], Bool[np.ndarray, " batch"]]:
    """How sure the classifier is of each answer, and whether it is right."""
    probs = np.exp(classifier.log_probs_of_bags(bags))
    return probs.max(axis=1), probs.argmax(axis=1) == label_ids
