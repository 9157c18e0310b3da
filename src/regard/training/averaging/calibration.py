"""What the answers of a new classifier are worth: it is asked about held-out texts, shortened and with words hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from regard.models.classifier.averaging import AveragingClassifier
from regard.models.classifier.familiarity import (
    CONFIDENCES,
    PAIR_SHARES,
    UNKNOWN_SHARES,
    MeasuredAccuracy,
    MeasuredPairs,
)
from regard.shapes import Bool, Float, Int
from regard.text.bags.word_bags import WordBags
from regard.training.held_out_endings import Endings, cut_endings, ending_lengths, hide_words

HIDDEN_SHARES = (0.0, 0.1, 0.25, 0.5)
UNUSUAL = 0.01
"""A text is as usual as the training texts without this share of them at either end."""


def measure_accuracy(
    classifier: AveragingClassifier,
    texts: WordBags,
    held: WordBags,
    label_ids: Int[np.ndarray, " batch"],
    *,
    seed: int,
) -> MeasuredAccuracy:
    """How often the classifier is right about held-out texts, their endings, and both with words hidden.

    `texts` are all those of training; `label_ids` belong to those that were `held` out.
    """
    least, most = np.quantile(np.diff(texts.offsets), [UNUSUAL, 1 - UNUSUAL])
    unknown = classifier.unknown_shares(held)
    lengths = tuple(ending_lengths(least))
    shape = (len(lengths) + 1, len(UNKNOWN_SHARES) + 1, len(CONFIDENCES) + 1)
    answers, right, claimed = (np.zeros(shape) for _ in range(3))
    usual_unknown = float(np.quantile(unknown, 1 - UNUSUAL))
    found = MeasuredAccuracy((int(least), int(most)), usual_unknown, lengths, answers, right, claimed)
    for endings in changed_texts(held, lengths, np.random.default_rng([seed, 1])):
        add_answers(found, classifier, endings, label_ids)
    return replace(found, pairs=measure_pairs(found, classifier, held, label_ids))


def measure_pairs(
    found: MeasuredAccuracy, classifier: AveragingClassifier, held: WordBags, label_ids: Int[np.ndarray, " batch"]
) -> MeasuredPairs | None:
    """What answers about held-out texts and their endings are worth, by the share of unknown pairs; None without pairs.

    No word is hidden here, so that it is the pairs that differ, not the words.
    """
    n_lengths = len(found.answers)
    lengths, shares = [np.empty(0, np.int64)], [np.empty(0)]
    tables = [np.zeros((n_lengths, len(PAIR_SHARES) + 1)) for _ in range(3)]
    for bags, text in whole_and_endings(held, found.ending_words):
        share = classifier.unknown_pair_shares(bags)
        if share is None:
            return None
        confidence, is_right = answers_about(classifier, bags, label_ids[text])
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
        usual[length] = np.quantile(shares[lengths == length], 1 - UNUSUAL)
    return usual


def whole_and_endings(held: WordBags, lengths: tuple[int, ...]) -> Iterator[Endings]:
    """The last words of the texts that have more, for each length, and then the texts themselves."""
    for endings in (*(cut_endings(held, n_words) for n_words in lengths), Endings(held, np.arange(len(held)))):
        if len(endings.text):
            yield endings


def changed_texts(held: WordBags, lengths: tuple[int, ...], rng: np.random.Generator) -> Iterator[Endings]:
    """The texts and their endings, each with several shares of their words hidden."""
    for endings in whole_and_endings(held, lengths):
        for share in HIDDEN_SHARES:
            yield Endings(hide_words(endings.bags, share, rng), endings.text)


def add_answers(
    found: MeasuredAccuracy, classifier: AveragingClassifier, endings: Endings, label_ids: Int[np.ndarray, " batch"]
) -> None:
    """Count what the classifier says of these texts."""
    confidence, is_right = answers_about(classifier, endings.bags, label_ids[endings.text])
    shares = classifier.unknown_shares(endings.bags)
    places = found.classes(np.diff(endings.bags.offsets), shares, confidence)
    for table, amounts in ((found.answers, 1.0), (found.right, is_right), (found.claimed, confidence)):
        np.add.at(table, places, amounts)


def answers_about(
    classifier: AveragingClassifier, bags: WordBags, label_ids: Int[np.ndarray, " batch"]
) -> tuple[Float[np.ndarray, " batch"], Bool[np.ndarray, " batch"]]:
    """How sure the classifier is of each answer, and whether it is right."""
    probs = np.exp(classifier.log_probs_of_bags(bags))
    return probs.max(axis=1), probs.argmax(axis=1) == label_ids
