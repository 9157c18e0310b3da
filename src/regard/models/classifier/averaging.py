"""A classifier that reads averages: of the words of a text, and of its n-grams; prediction needs NumPy and SciPy alone.

    logits = words' part · s_w(n) + n-grams' part · s_n(n) + rare words' part · s_r(n) + bias      any may be missing
    ln p   = log_softmax(logits)

The factors s were fitted on validation texts, and so were made to say as much as they know: they hold the
temperature, and the trust in each part. In a text with fewer known words n than those of training, they are smaller,
as endings of validation texts have shown. The rare words' part corrects the n-grams' numbers of words that few training
texts had by what vectors say of them; it counts in such short texts alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from scipy.special import log_softmax

from regard.models.classifier.base import Classifier, Words
from regard.models.classifier.familiarity import Familiarity, MeasuredAccuracy
from regard.models.classifier.ngrams import NgramAverage
from regard.models.classifier.words import WordAverage
from regard.models.folder import under
from regard.shapes import Bool, Float, Int
from regard.text.word_bags import WordBags, ngram_hashes, text_batches, word_bags, word_spans


@dataclass(frozen=True)
class LengthFactors:
    """At each of the ascending lengths, in known words, a factor for each part."""

    lengths: tuple[float, ...]
    factors: tuple[tuple[float, ...], ...]

    @classmethod
    def constant(cls, *factors: float) -> LengthFactors:
        """These factors, whatever the length."""
        return cls((1.0,), (factors,))

    @property
    def full(self) -> tuple[float, ...]:
        """The factors of texts as long as those of training."""
        return self.factors[-1]

    def at(self, n_known: Int[np.ndarray, " batch"]) -> Float[np.ndarray, "batch part"]:
        """The factors of texts with this many known words each.

        >>> LengthFactors((4.0, 16.0), ((0.0,), (1.0,))).at(np.array([0, 8, 99]))
        array([[0. ],
               [0.5],
               [1. ]])
        """
        place, knots = np.log(np.maximum(n_known, 1)), np.log(self.lengths)
        columns = [np.interp(place, knots, column) for column in zip(*self.factors, strict=True)]
        return np.stack(columns, axis=1)


PARTS = ("words", "n-grams", "rare words")


@dataclass(frozen=True, eq=False, repr=False)
class AveragingClassifier(Classifier):
    """Its parts, how much each counts in a text of which length, and the bias of each label."""

    kind: ClassVar[str] = "averaging"

    labels: tuple[str, ...]
    words_part: WordAverage | None
    ngrams_part: NgramAverage | None
    factors: LengthFactors
    """Of the words' part, of the n-grams' part and of the rare words' part."""
    bias: Float[np.ndarray, " label"]
    notes: dict[str, Any] = field(default_factory=dict)
    measured: MeasuredAccuracy | None = None
    """What answers about texts of each kind were worth; older models do not know."""
    rare_words_part: NgramAverage | None = None

    def log_probs(self, texts: Sequence[str]) -> Float[np.ndarray, "batch label"]:
        """ln p(label | text) for each text, in nats; an empty text gets what the classifier says of nothing."""
        parts = [self.log_probs_of_bags(word_bags(part)) for part in text_batches(texts)]
        return np.concatenate([np.empty((0, len(self.labels))), *parts])

    def log_probs_of_bags(self, bags: WordBags) -> Float[np.ndarray, "batch label"]:
        """ln p(label | text) of texts whose words are found already."""
        return log_softmax(self.logits(bags), axis=1)

    def familiarity(
        self, texts: Sequence[str], log_probs: Float[np.ndarray, "batch label"]
    ) -> tuple[Familiarity, ...] | None:
        """How each text, with the answer that it got, compares with those of training."""
        if self.measured is None:
            return None
        confidence = np.exp(log_probs.max(axis=1))
        found: list[Familiarity] = []
        for part in text_batches(texts):
            bags = word_bags(part)
            here = slice(len(found), len(found) + len(bags))
            shares, pair_shares = self.unknown_shares(bags), self.unknown_pair_shares(bags)
            n_words = np.diff(bags.offsets)
            found.extend(self.measured.describe(n_words, shares, confidence[here], unknown_pairs=pair_shares))
        return tuple(found)

    def unknown_shares(self, bags: WordBags) -> Float[np.ndarray, " batch"]:
        """The share of unknown words of each text; of no words, 0."""
        n_words = np.diff(bags.offsets)
        return np.where(n_words > 0, 1 - self.n_known(bags) / np.maximum(n_words, 1), 0.0)

    def unknown_pair_shares(self, bags: WordBags) -> Float[np.ndarray, " batch"] | None:
        """The share of each text's pairs of known words without a number in the n-grams' table; 0 without pairs.

        The table holds what at least two training texts have (`min_texts`). Now and then an unknown pair shares its row
        with a known n-gram and passes for known: of IMDb's table 6 % are filled. None where no pairs are read.
        """
        if self.ngrams_part is None or 2 not in self.ngrams_part.orders:
            return None
        text = np.repeat(np.arange(len(bags)), np.diff(bags.offsets))
        first = np.flatnonzero(text[1:] == text[:-1])
        is_known = self.is_known(bags)
        is_counted = is_known[first] & is_known[first + 1]
        is_unknown = is_counted & ~self.ngrams_part.has_number(ngram_hashes(bags, 2)[0])
        n_pairs, n_unknown = (np.bincount(text[first], each, len(bags)) for each in (is_counted, is_unknown))
        return n_unknown / np.maximum(n_pairs, 1)

    def log_probs_of_parts(self, text: str, kept: Bool[np.ndarray, "batch word"]) -> Float[np.ndarray, "batch label"]:
        """ln p(label | the text with only some of its words kept), for each choice of words.

        Parts count as they do in the whole text, so that what changes is what the words say, not how long the text is.
        """
        whole = word_bags([text])
        bags = WordBags(
            np.broadcast_to(whole.hashes, kept.shape)[kept], np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
        )
        return log_softmax(self.logits(bags, n_known=np.repeat(self.n_known(whole), len(kept))), axis=1)

    def logits(
        self, bags: WordBags, *, n_known: Int[np.ndarray, " batch"] | None = None
    ) -> Float[np.ndarray, "batch label"]:
        """Both parts, each times its factor, and the bias; `n_known`: as though texts had this many known words."""
        factors = self.factors.at(self.n_known(bags) if n_known is None else n_known)
        said = self.part_logits(bags, is_corrected=factors[:, 2] != 0)
        return self.bias + np.einsum("bp,pbl->bl", factors, said)

    def part_logits(
        self, bags: WordBags, *, is_corrected: Bool[np.ndarray, " batch"] | None = None
    ) -> Float[np.ndarray, "part batch label"]:
        """What each part says, before any factor; zeros for one that is missing.

        Rare words are read in all texts, or in those that are to be corrected alone, as most need not be.
        """
        found = np.zeros((len(PARTS), len(bags), len(self.labels)))
        if self.words_part is not None:
            found[0] = self.words_part.logits(bags)
        if self.ngrams_part is not None:
            found[1] = by_label(self.ngrams_part.scores(bags))
        if self.rare_words_part is not None:
            chosen = np.ones(len(bags), bool) if is_corrected is None else is_corrected
            found[2, chosen] = by_label(self.rare_words_part.scores(_choose(bags, chosen)))
        return found

    def is_known(self, bags: WordBags) -> Bool[np.ndarray, " word"]:
        """Which words the training texts had: those with a row in the words' part, else those with a number."""
        if self.words_part is not None:
            return self.words_part.is_known(bags.hashes)
        return np.zeros(len(bags.hashes), bool) if self.ngrams_part is None else self.ngrams_part.is_known(bags)

    def n_known(self, bags: WordBags) -> Int[np.ndarray, " batch"]:
        """How many known words each text has."""
        return np.diff(np.concatenate([[0], np.cumsum(self.is_known(bags))])[bags.offsets])

    def words(self, text: str) -> Words:
        """The words that it reads in a text; known are those that the training texts had."""
        starts, ends = word_spans(text)
        return Words(text, starts, ends, self.is_known(word_bags([text])))

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
        shares, [factors] = np.zeros((len(bags.hashes), len(self.labels))), self.factors.at(self.n_known(bags))
        if self.words_part is not None:
            shares += factors[0] * self.words_part.gradient_shares(bags)
        if self.ngrams_part is not None:
            shares += factors[1] * by_label(self.ngrams_part.shares(bags))
        if self.rare_words_part is not None:
            shares += factors[2] * by_label(self.rare_words_part.shares(bags))
        return shares

    def config(self) -> dict[str, Any]:
        """The settings that, with `arrays`, make this classifier again."""
        words, ngrams = self.words_part, self.ngrams_part
        return {
            "lengths": list(self.factors.lengths),
            "factors": [list(each) for each in self.factors.factors],
            "activation": None if words is None else words.activation,
            "orders": None if ngrams is None else list(ngrams.orders),
            **({} if self.measured is None else {"measured": self.measured.config()}),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The learnt numbers, by name."""
        found = {"bias": self.bias}
        for prefix, part in (
            ("words.", self.words_part),
            ("ngrams.", self.ngrams_part),
            ("rare_words.", self.rare_words_part),
            ("measured.", self.measured),
        ):
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
        rare_words = under("rare_words.", arrays)
        measured = config.get("measured")
        return cls(
            labels,
            words,
            ngrams,
            _restore_factors(config),
            arrays["bias"],
            notes,
            None if measured is None else MeasuredAccuracy.restore(measured, under("measured.", arrays)),
            NgramAverage(**rare_words, orders=(1,)) if rare_words else None,
        )


def _choose(bags: WordBags, chosen: Bool[np.ndarray, " batch"]) -> WordBags:
    """Only these texts."""
    counts = np.diff(bags.offsets)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts[chosen])])
    return WordBags(bags.hashes[np.repeat(chosen, counts)], offsets)


def _restore_factors(config: dict[str, Any]) -> LengthFactors:
    """The factors by length; a folder without lengths, of an older version, has one pair for all of them."""
    if "lengths" not in config:
        return LengthFactors.constant(*config["factors"], 0.0)
    return LengthFactors(tuple(config["lengths"]), tuple(tuple(each) for each in config["factors"]))


def by_label(scores: Float[np.ndarray, "batch number"]) -> Float[np.ndarray, "batch label"]:
    """Scores of labels; where there is one number, it is the log-odds of the second label of two.

    >>> by_label(np.array([[3.0]]))
    array([[-1.5,  1.5]])
    """
    return np.concatenate([-scores / 2, scores / 2], axis=1) if scores.shape[1] == 1 else scores
