"""Each word's share in a classifier's decision.

A classifier's logits are fixed only up to a number that all labels have in common. Here they are those that sum to
zero over labels, logit(l) = ln p(l) − mean over labels of ln p: with two labels, half the log-odds and its negative.
The `baseline` of every share is the text with all its words taken out. Shares are complete where

    logits of the baseline + Σ_words shares = logits of the text

and the methods differ in what a share is:

    exact                 what the word adds, where logits are a sum over words; complete
    integrated-gradients  the gradient by the word's numbers, gathered while the numbers of all words grow together
                          from nothing to their size; complete. Where logits are a sum, it is that sum
    shapley               what the word adds when it joins some of the others, on average over all orders in which
                          words may come (`shapley`); complete, but sampled where there are many words
    leave-one-out         how the answer changes without this word; it does not add up: of two words that say the
                          same, neither is missed

docs/decisions/0018 says why integrated gradients are the default.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from regard.errors import MethodError
from regard.models.classifier.base import Classifier, Words
from regard.records import Attribution, ExplainedText
from regard.shapes import Bool, Float, Int

Value = Callable[[Bool[np.ndarray, "batch word"]], Float[np.ndarray, "batch label"]]
"""v of several choices of words at once."""
MAX_EXACT_WORDS = 11
"""Up to this many words all 2ⁿ choices are asked for, 2,048 of them; from there on orders are sampled."""
N_PAIRS = 16
"""Sampled orders come in pairs, each with its reverse: a word that is early in one is late in the other."""
ORDERS_AT_ONCE = 1 << 20
"""Words times choices of them that are asked for at once."""


def shapley_values(value: Value, n_words: int) -> Float[np.ndarray, "word label"]:
    """Shares from all 2ⁿ choices of words: Σ over choices without i of |S|! (n − |S| − 1)!/n! · (v(S + i) − v(S))."""
    choices = np.arange(1 << n_words)
    kept = choices[:, None] >> np.arange(n_words) & 1 == 1
    values, sizes = _evaluate_in_pieces(value, kept), kept.sum(axis=1)
    weights = np.array([1 / (n_words * math.comb(n_words - 1, size)) for size in range(n_words)])
    return np.array(
        [
            weights[sizes[without]] @ (values[without | 1 << i] - values[without])
            for i in range(n_words)
            for without in [choices[~kept[:, i]]]
        ]
    ).reshape(n_words, values.shape[1])


def sample_shapley_values(
    value: Value, n_words: int, rng: np.random.Generator, *, n_pairs: int = N_PAIRS
) -> Float[np.ndarray, "sample word label"]:
    """Estimates of the shares, one from each pair of orders; their mean is the best one."""
    return np.stack([_mean_changes(value, _pair_of_orders(rng, n_words)) for _ in range(n_pairs)])


def _pair_of_orders(rng: np.random.Generator, n_words: int) -> Int[np.ndarray, "2 word"]:
    order = rng.permutation(n_words)
    return np.stack([order, order[::-1]])


def _mean_changes(value: Value, orders: Iterable[Int[np.ndarray, " word"]]) -> Float[np.ndarray, "word label"]:
    """The mean, over these orders, of what each word changes when it joins those before it."""
    return np.mean([_changes_along(value, order) for order in orders], axis=0)


def _changes_along(value: Value, order: Int[np.ndarray, " word"]) -> Float[np.ndarray, "word label"]:
    n_words = len(order)
    kept = np.argsort(order) < np.arange(n_words + 1)[:, None]  # row k keeps the first k words of the order
    changes = np.diff(_evaluate_in_pieces(value, kept), axis=0)
    shares = np.empty_like(changes)
    shares[order] = changes
    return shares


def _evaluate_in_pieces(value: Value, kept: Bool[np.ndarray, "batch word"]) -> Float[np.ndarray, "batch label"]:
    at_once = max(1, ORDERS_AT_ONCE // max(1, kept.shape[1]))
    return np.concatenate([value(kept[first : first + at_once]) for first in range(0, len(kept), at_once)])


PIECE = 1 << 22
"""Words times choices of them that are asked for at once: of 3,000 words, 1,398 of the 3,000 texts without one."""


def attribution(classifier: Classifier, text: str, *, method: str | None = None, seed: int = 0) -> Attribution:
    """What each word of a text did to the logit of each label; without a method, the first of DEFAULTS that there is.

    `seed` starts the sampling of orders where the method is shapley and the text has more than 11 words.
    Raises MethodError for a method that is unknown, or that this classifier does not offer.
    """
    if method is not None and method not in METHODS:
        raise MethodError(f"there is no method {method!r} of attribution; choose from {', '.join(METHODS)}")
    words = classifier.words(text)
    all_or_none = np.repeat([[True], [False]], len(words), axis=1)
    logits, baseline = centre_logits(classifier.log_probs_of_parts(text, all_or_none))
    for name in [method] if method else DEFAULTS:
        samples = METHODS[name](classifier, words, seed)
        if samples is not None:
            samples = samples - samples.mean(axis=-1, keepdims=True)
            return Attribution(
                text=text,
                starts=words.starts,
                ends=words.ends,
                shares=samples.mean(axis=0),
                logits=logits,
                baseline=baseline,
                method=name,
                samples=samples if len(samples) > 1 else None,
            )
    raise MethodError(f"this classifier ({classifier.kind}) offers no attribution by {method}; try shapley")


def explain(
    classifier: Classifier,
    text: str,
    *,
    truth: int | None = None,
    method: str | None = None,
    seed: int = 0,
    shares: Attribution | None = None,
) -> ExplainedText:
    """The answer to one text, with each word's share in it; `seed` is for methods that sample.

    `shares` are what `attribution` has found for this text already, perhaps in another process.
    """
    log_probs = classifier.log_probs([text])[0]
    label, against = answer_and_runner_up(log_probs, truth)
    found = attribution(classifier, text, method=method, seed=seed) if shares is None else shares
    return ExplainedText(
        text=text,
        label=classifier.labels[label],
        probabilities=dict(zip(classifier.labels, np.exp(log_probs).tolist(), strict=True)),
        true_label=None if truth is None else classifier.labels[truth],
        against=classifier.labels[against],
        log_odds=float(contrast(found.logits, label, against=against)),
        baseline=float(contrast(found.baseline, label, against=against)),
        shares=contrast(found.shares, label, against=against),
        standard_errors=standard_errors(found.samples, label, against=against),
        attribution=found,
    )


def contrast(shares: Float[np.ndarray, "*axes label"], label: int, *, against: int) -> Float[np.ndarray, "*axes"]:
    """What moves logits, as what moves the log-odds of one label against another: ln p(label) − ln p(against), nats."""
    return np.asarray(shares[..., label] - shares[..., against])


def standard_errors(
    samples: Float[np.ndarray, "sample word label"] | None, label: int, *, against: int
) -> Float[np.ndarray, " word"] | None:
    """The standard error of each word's share in the log-odds, where shares are the mean of samples."""
    if samples is None:
        return None
    return contrast(samples, label, against=against).std(axis=0, ddof=1) / math.sqrt(len(samples))


def answer_and_runner_up(log_probs: Float[np.ndarray, " label"], truth: int | None = None) -> tuple[int, int]:
    """The likeliest label, and the one to set it against: the true one if that is another, else the second likeliest.

    >>> answer_and_runner_up(np.log([0.5, 0.2, 0.3]))
    (0, 2)
    >>> answer_and_runner_up(np.log([0.5, 0.2, 0.3]), truth=1)
    (0, 1)
    """
    answer, runner_up = np.argsort(-log_probs, kind="stable")[:2].tolist()
    return answer, runner_up if truth is None or truth == answer else truth


def centre_logits(log_probs: Float[np.ndarray, "batch label"]) -> Float[np.ndarray, "batch label"]:
    """Logits that differ from these by one number a row, and sum to zero over labels."""
    return log_probs - log_probs.mean(axis=1, keepdims=True)


Samples = Float[np.ndarray, "sample word label"]
"""Estimates of the shares, of which the mean is taken; one where the method does not sample."""
Method = Callable[[Classifier, Words, int], Samples | None]


def exact(classifier: Classifier, words: Words, seed: int) -> Samples | None:
    """What each word adds, as the classifier says itself."""
    shares = classifier.exact_shares(words.text)
    return None if shares is None else shares[None]


def integrated_gradients(classifier: Classifier, words: Words, seed: int) -> Samples | None:
    """Gradients gathered on the way from no words to the text, as the classifier says itself."""
    shares = classifier.gradient_shares(words.text)
    return None if shares is None else shares[None]


def shapley(classifier: Classifier, words: Words, seed: int) -> Samples:
    """What a word changes when it joins others, over all choices of them, or over sampled orders where there are many.

    A word whose absence changes nothing in any choice gets 0.
    """

    def value(kept: Bool[np.ndarray, "batch word"]) -> Float[np.ndarray, "batch label"]:
        return centre_logits(classifier.log_probs_of_parts(words.text, kept))

    if len(words) <= MAX_EXACT_WORDS:
        return shapley_values(value, len(words))[None]
    return sample_shapley_values(value, len(words), np.random.default_rng(seed))


def leave_one_out(classifier: Classifier, words: Words, seed: int) -> Samples:
    """What is missing when a word is left out, for all words in one batch, or in pieces where the text is long."""
    (logits,) = centre_logits(classifier.log_probs([words.text]))
    shares = np.empty((len(words), len(logits)))
    at_once = max(1, PIECE // max(1, len(words)))
    for first in range(0, len(words), at_once):
        left_out = np.arange(first, min(first + at_once, len(words)))
        kept = np.arange(len(words)) != left_out[:, None]
        shares[left_out] = logits - centre_logits(classifier.log_probs_of_parts(words.text, kept))
    return shares[None]


METHODS: dict[str, Method] = {
    "exact": exact,
    "integrated-gradients": integrated_gradients,
    "shapley": shapley,
    "leave-one-out": leave_one_out,
}
DEFAULTS = ("exact", "integrated-gradients", "shapley")
"""The first of these that a classifier offers; all of them are complete."""
