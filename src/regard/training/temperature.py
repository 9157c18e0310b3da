"""How much to trust each part, and how sure to be: fitted on texts that were held out from training.

    logits = Σ_parts s_part · part(text) + bias

With one part and no bias this is temperature scaling, s = 1/T. Whatever is said about held-out texts is least wrong, in
nats, with these factors. For texts shorter than those of training they are fitted on endings of the held-out ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from regard.models.classifier.averaging import AveragingClassifier, LengthFactors
from regard.shapes import Float, Int
from regard.text.bags.word_bags import WordBags
from regard.training.held_out_endings import Endings, cut_endings, ending_lengths


def fitted_factors(
    parts: Sequence[Float[np.ndarray, "batch label"]], label_ids: Int[np.ndarray, " batch"]
) -> list[float]:
    """The positive factor of each part for which the mean of −ln p(true label) is least.

    A weak wish to leave parts as they are, (ln s)²/2 against the nats of all texts, keeps factors finite where every
    one of a few texts is told right; among a thousand texts it is not felt.

    >>> sure = np.array([[4.0, 0.0]] * 4000)
    >>> [factor] = fitted_factors([sure], np.array([0, 0, 0, 1] * 1000))  # right in 3 of 4: 4 s = ln 3
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


def factors_by_length(
    classifier: AveragingClassifier, held: WordBags, label_ids: Int[np.ndarray, " batch"], *, shortest: float
) -> LengthFactors:
    """The classifier's factors, and by endings of held-out texts others for fewer than `shortest` known words.

    Each length starts from the factors of whole texts, so that where endings are few it stays with them.
    """
    knots = {float(shortest): classifier.factors.full}
    for n_words in ending_lengths(shortest):
        endings = cut_endings(held, n_words)
        if len(endings.text):
            n_known = max(1.0, float(classifier.n_known(endings.bags).mean()))
            knots.setdefault(n_known, factors_of_endings(classifier, endings, label_ids))
    lengths = sorted(length for length in knots if length <= shortest)
    return LengthFactors(tuple(lengths), tuple(knots[length] for length in lengths))


def factors_of_endings(
    classifier: AveragingClassifier, endings: Endings, label_ids: Int[np.ndarray, " batch"]
) -> tuple[float, float, float]:
    """The factor of each part with which these endings are told best; rare words are corrected as n-grams count."""
    of_words, of_ngrams, _ = classifier.factors.full
    words, ngrams, rare_words = classifier.part_logits(endings.bags)
    parts = [of_words * words, *([] if classifier.ngrams_part is None else [of_ngrams * (ngrams + rare_words)])]
    found = [*fitted_factors(parts, label_ids[endings.text]), 0.0]
    return of_words * found[0], of_ngrams * found[1], of_ngrams * found[1]
