"""Each word's share in a classifier's decision.

A classifier's logits are fixed only up to a number that all labels have in common. Here they are those that sum to
zero over labels, logit(l) = ln p(l) − mean over labels of ln p: with two labels, half the log-odds and its negative.
In every method

    Σ_words shares + rest = logits of the text

and the methods differ in what a share is:

    exact                 what the word adds, where logits are a sum over words; `rest` is the bias
    leave-one-out         logits of the text − logits of the text without this word; `rest` is whatever that leaves
    integrated-gradients  the gradient by the word's numbers, gathered as they grow from nothing to their size;
                          `rest` are the logits of an empty text, and what the steps of the integral miss
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from regard.errors import MethodError
from regard.models.classifier import Classifier, Words
from regard.records import Attribution
from regard.shapes import Float

PIECE = 1 << 22
"""Words times choices of them that are asked for at once: of 3,000 words, 1,398 of the 3,000 texts without one."""
STEPS = 64
"""Of the integral. The midpoint rule errs by about 1/STEPS² of the network's curvature."""


def attribution(classifier: Classifier, text: str, *, method: str | None = None) -> Attribution:
    """What each word of a text did to the logit of each label; without a method, exact where that can be had.

    Raises MethodError for a method that is unknown, or that this classifier does not offer.
    """
    if method is not None and method not in METHODS:
        raise MethodError(f"there is no method {method!r} of attribution; choose from {', '.join(METHODS)}")
    words, logits = classifier.words(text), centred(classifier.log_probs([text]))[0]
    for name in [method] if method else DEFAULTS:
        shares = METHODS[name](classifier, words, logits)
        if shares is not None:
            shares = centred(shares)
            return Attribution(text, words.starts, words.ends, shares, logits - shares.sum(axis=0), name)
    raise MethodError(f"this classifier ({classifier.kind}) offers no attribution by {method}; try leave-one-out")


def contrast(found: Attribution, label: int, *, against: int) -> Float[np.ndarray, " word"]:
    """How far each word moves the log-odds of one label against another, in nats: ln p(label) − ln p(against)."""
    return found.shares[:, label] - found.shares[:, against]


def answer_and_runner_up(log_probs: Float[np.ndarray, " label"], truth: int | None = None) -> tuple[int, int]:
    """The likeliest label, and the one to set it against: the true one if that is another, else the second likeliest.

    >>> answer_and_runner_up(np.log([0.5, 0.2, 0.3]))
    (0, 2)
    >>> answer_and_runner_up(np.log([0.5, 0.2, 0.3]), truth=1)
    (0, 1)
    """
    answer, runner_up = np.argsort(-log_probs, kind="stable")[:2].tolist()
    return answer, runner_up if truth is None or truth == answer else truth


def centred(log_probs: Float[np.ndarray, "batch label"]) -> Float[np.ndarray, "batch label"]:
    """The same up to one number a row, so that rows sum to zero."""
    return log_probs - log_probs.mean(axis=1, keepdims=True)


def exact(
    classifier: Classifier, words: Words, logits: Float[np.ndarray, " label"]
) -> Float[np.ndarray, "word label"] | None:
    """What each word adds, as the classifier says itself."""
    return classifier.exact_shares(words.text)


def leave_one_out(
    classifier: Classifier, words: Words, logits: Float[np.ndarray, " label"]
) -> Float[np.ndarray, "word label"]:
    """What is missing when a word is left out, for all words in one batch, or in pieces where the text is long."""
    shares = np.empty((len(words), len(logits)))
    at_once = max(1, PIECE // max(1, len(words)))
    for first in range(0, len(words), at_once):
        left_out = np.arange(first, min(first + at_once, len(words)))
        kept = np.arange(len(words)) != left_out[:, None]
        shares[left_out] = logits - centred(classifier.log_probs_of_parts(words.text, kept))
    return shares


def integrated_gradients(
    classifier: Classifier, words: Words, logits: Float[np.ndarray, " label"]
) -> Float[np.ndarray, "word label"] | None:
    """Gradients gathered on the way from no words to the text, as the classifier says itself."""
    return classifier.gradient_shares(words.text, steps=STEPS)


Method = Callable[[Classifier, Words, Float[np.ndarray, " label"]], Float[np.ndarray, "word label"] | None]
METHODS: dict[str, Method] = {
    "exact": exact,
    "leave-one-out": leave_one_out,
    "integrated-gradients": integrated_gradients,
}
DEFAULTS = ("exact", "leave-one-out")
