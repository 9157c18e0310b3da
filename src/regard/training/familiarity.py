"""What the answers of a new classifier are worth: it is asked about held-out texts, shortened and with words hidden."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from regard.models.averaging import AveragingClassifier
from regard.models.familiarity import CONFIDENCES, UNKNOWN_SHARES, MeasuredAccuracy
from regard.shapes import Int
from regard.text.word_bags import WordBags
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
    unknown = unknown_shares(classifier, held)
    lengths = tuple(ending_lengths(least))
    shape = (len(lengths) + 1, len(UNKNOWN_SHARES) + 1, len(CONFIDENCES) + 1)
    found = MeasuredAccuracy(
        (int(least), int(most)), float(np.quantile(unknown, 1 - UNUSUAL)), lengths, *(np.zeros(shape) for _ in range(3))
    )
    for endings in changed_texts(held, lengths, np.random.default_rng([seed, 1])):
        add_answers(found, classifier, endings, label_ids)
    return found


def changed_texts(held: WordBags, lengths: tuple[int, ...], rng: np.random.Generator) -> Iterator[Endings]:
    """The texts and their endings, each with several shares of their words hidden."""
    whole = Endings(held, np.arange(len(held)))
    for endings in (*(cut_endings(held, n_words) for n_words in lengths), whole):
        for share in HIDDEN_SHARES if len(endings.text) else ():
            yield Endings(hide_words(endings.bags, share, rng), endings.text)


def add_answers(
    found: MeasuredAccuracy, classifier: AveragingClassifier, endings: Endings, label_ids: Int[np.ndarray, " batch"]
) -> None:
    """Count what the classifier says of these texts."""
    probs = np.exp(classifier.log_probs_of_bags(endings.bags))
    confidence, is_right = probs.max(axis=1), probs.argmax(axis=1) == label_ids[endings.text]
    places = found.classes(np.diff(endings.bags.offsets), unknown_shares(classifier, endings.bags), confidence)
    for table, amounts in ((found.answers, 1.0), (found.right, is_right), (found.claimed, confidence)):
        np.add.at(table, places, amounts)


def unknown_shares(classifier: AveragingClassifier, bags: WordBags) -> np.ndarray:
    """The share of unknown words of each text; of no words, 0."""
    n_words = np.diff(bags.offsets)
    return np.where(n_words > 0, 1 - classifier.n_known(bags) / np.maximum(n_words, 1), 0.0)
