"""A classifier that reads averages: of the words of a text, and of its n-grams; prediction needs NumPy and SciPy alone.

    logits = words' part · s_w + n-grams' part · s_n + bias          either part may be missing
    ln p   = log_softmax(logits)

The factors s were fitted on texts held out from training, and so were made to say as much as they know: they hold the
temperature, and the trust in each part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from scipy.special import log_softmax

from regard.models.checkpoint import under
from regard.models.classifier import Classifier, Words
from regard.models.ngram_average import NgramAverage
from regard.models.word_average import WordAverage
from regard.shapes import Bool, Float
from regard.text.word_bags import WordBags, text_batches, word_bags
from regard.text.word_spans import word_spans


@dataclass(frozen=True, eq=False)
class AveragingClassifier(Classifier):
    """One part or two, how much each counts, and the bias of each label."""

    kind: ClassVar[str] = "averaging"

    labels: tuple[str, ...]
    words_part: WordAverage | None
    ngrams_part: NgramAverage | None
    factors: tuple[float, float]
    """Of the words' part and of the n-grams' part."""
    bias: Float[np.ndarray, " label"]
    notes: dict[str, Any] = field(default_factory=dict)

    def log_probs(self, texts: Sequence[str]) -> Float[np.ndarray, "batch label"]:
        """ln p(label | text) for each text, in nats; an empty text gets what the classifier says of nothing."""
        parts = [self._of_bags(word_bags(part)) for part in text_batches(texts)]
        return np.concatenate([np.empty((0, len(self.labels))), *parts])

    def log_probs_of_parts(self, text: str, kept: Bool[np.ndarray, "batch word"]) -> Float[np.ndarray, "batch label"]:
        """ln p(label | the text with only some of its words kept), for each choice of words."""
        hashes = np.broadcast_to(word_bags([text]).hashes, kept.shape)[kept]
        return self._of_bags(WordBags(hashes, np.concatenate([[0], np.cumsum(kept.sum(axis=1))])))

    def _of_bags(self, bags: WordBags) -> Float[np.ndarray, "batch label"]:
        return log_softmax(self.logits(bags).astype(np.float64), axis=1)

    def logits(self, bags: WordBags) -> Float[np.ndarray, "batch label"]:
        """Both parts, each times its factor, and the bias."""
        logits = np.repeat(self.bias[None], len(bags), axis=0)
        if self.words_part is not None:
            logits = logits + self.factors[0] * self.words_part.logits(bags)
        if self.ngrams_part is not None:
            logits = logits + self.factors[1] * by_label(self.ngrams_part.scores(bags))
        return logits

    def words(self, text: str) -> Words:
        """The words that it reads in a text; known are those that have numbers of their own."""
        starts, ends = word_spans(text)
        bags = word_bags([text])
        is_known = np.zeros(len(starts), bool)
        if self.words_part is not None:
            is_known |= self.words_part.is_known(bags.hashes)
        if self.ngrams_part is not None:
            is_known |= self.ngrams_part.is_known(bags)
        return Words(text, starts, ends, is_known)

    def exact_shares(self, text: str) -> Float[np.ndarray, "word label"] | None:
        """What each word adds to the logit of each label; None where hidden layers or a learnt query are between."""
        if self.words_part is not None and not self.words_part.is_linear:
            return None
        return self.gradient_shares(text)

    def gradient_shares(self, text: str) -> Float[np.ndarray, "word label"] | None:
        """What each word adds to the logits by integrated gradients; the n-grams' part is a sum, hence exact.

        An n-gram's number is divided in equal parts among its words, which is what Shapley's rule gives it.
        """
        bags = word_bags([text])
        shares = np.zeros((len(bags.hashes), len(self.labels)))
        if self.words_part is not None:
            shares += self.factors[0] * self.words_part.gradient_shares(bags)
        if self.ngrams_part is not None:
            shares += self.factors[1] * by_label(self.ngrams_part.shares(bags))
        return shares

    def config(self) -> dict[str, Any]:
        """The settings that, with `arrays`, make this classifier again."""
        words, ngrams = self.words_part, self.ngrams_part
        return {
            "factors": list(self.factors),
            "activation": None if words is None else words.activation,
            "orders": None if ngrams is None else list(ngrams.orders),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The learnt numbers, by name."""
        found = {"bias": self.bias}
        for prefix, part in (("words.", self.words_part), ("ngrams.", self.ngrams_part)):
            if part is not None:
                found |= {prefix + name: array for name, array in part.arrays().items()}
        return found

    @classmethod
    def restore(
        cls, config: dict[str, Any], arrays: dict[str, np.ndarray], *, labels: tuple[str, ...], notes: dict[str, Any]
    ) -> AveragingClassifier:
        """The classifier that `config` and `arrays` came from."""
        words = ngrams = None
        if config["activation"] is not None:
            words = WordAverage.restore(under("words.", arrays), activation=config["activation"])
        if config["orders"] is not None:
            ngrams = NgramAverage(**under("ngrams.", arrays), orders=tuple(config["orders"]))
        first, second = config["factors"]
        return cls(labels, words, ngrams, (first, second), arrays["bias"], notes)


def by_label(scores: Float[np.ndarray, "batch number"]) -> Float[np.ndarray, "batch label"]:
    """Scores of labels; where there is one number, it is the log-odds of the second label of two.

    >>> by_label(np.array([[3.0]]))
    array([[-1.5,  1.5]])
    """
    return np.concatenate([-scores / 2, scores / 2], axis=1) if scores.shape[1] == 1 else scores
