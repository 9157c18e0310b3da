"""A text as the rules about mistakes read it: its words, what the classifier thinks of each, and of the text's parts.

What a classifier thinks of a word is what it says of a text of this one word, less what it says of no word at all:

    score(word, label) = logit(label | word) − logit(label | nothing)        logits sum to zero over labels

One call for all distinct words of the data, so that thousands of texts can be read in seconds. Nothing here knows the
true labels: what is found in a text is found in the same way whether the answer was right or wrong.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regard.evaluation.attribution import centre_logits
from regard.models.classifier.base import Classifier
from regard.shapes import Bool, Float, Int

WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
TAG = re.compile(r"<[^<>]{1,40}>")
SENTENCE_END = re.compile(r"[.!?]+(?=[\s\"')\]]|$)|\n+")
STRONG = 0.9
"""A word is strong if it sways the classifier more than this share of all words of the data does, as they occur."""
MIN_STRENGTH = 1e-6  # where most words do not matter at all, those are not strong
EXTREMES = (0.1, 0.9)
"""A text is short or long if it is among the shortest or longest tenth."""
PRAISE = ("excellent", "wonderful", "great", "superb", "good")
BLAME = ("terrible", "awful", "boring", "dull", "bad")
MIN_SPREAD = 1.0
"""Nats between praise and blame, on average over these words, for labels to be those of praise and blame."""
MAX_AT_ONCE = 20_000
"""Texts that a classifier is asked about at once."""


@dataclass(frozen=True)
class Lexicon:
    """What a classifier thinks of single words, and how often the data has them."""

    ids: dict[str, int]
    counts: Int[np.ndarray, " vocab"]
    scores: Float[np.ndarray, "vocab label"]
    is_known: Bool[np.ndarray, " vocab"]
    strength: float
    """The spread of scores over labels from which on a word is strong."""
    leanings: tuple[int, ...]
    """Of each label: 1 for the one that words of praise speak for, −1 for the one that words of blame do, else 0."""


@dataclass(frozen=True)
class Review:
    """One text and the answer to it. Scores speak for the answer if positive, for the runner-up if negative."""

    text: str
    lexicon: Lexicon
    answer: int
    runner_up: int
    first_half: float
    """The log-odds of the answer against the runner-up, from the first half of the text alone; nats."""
    last_third: float
    length_limits: tuple[float, float]

    @cached_property
    def plain(self) -> str:
        """The text in lower case, with blanks in the place of tags, each character in its place."""
        return plain_text(self.text)

    @cached_property
    def n_words(self) -> int:
        """How many words the text has, as people count them."""
        return n_words(self.text)

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Start and end of each word, in characters."""
        return [match.span() for match in WORD.finditer(self.plain)]

    @cached_property
    def words(self) -> list[str]:
        """The words."""
        return WORD.findall(self.plain)

    @cached_property
    def word_ids(self) -> Int[np.ndarray, " word"]:
        """Their places in the lexicon."""
        return np.array([self.lexicon.ids[word] for word in self.words], dtype=np.int64)

    @cached_property
    def scores(self) -> Float[np.ndarray, " word"]:
        """How far each word alone moves the log-odds of the answer against the runner-up."""
        rows = self.lexicon.scores[self.word_ids]
        return rows[:, self.answer] - rows[:, self.runner_up]

    @property
    def leaning(self) -> int:
        """1 if the answer praises, −1 if it dismisses, 0 if it does neither."""
        return self.lexicon.leanings[self.answer]

    @cached_property
    def is_strong(self) -> Bool[np.ndarray, " word"]:
        """Which words sway the classifier much."""
        return np.abs(self.scores) >= self.lexicon.strength

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Start and end of each sentence, in characters."""
        ends = [match.end() for match in SENTENCE_END.finditer(self.plain)]
        return list(zip([0, *ends], [*ends, len(self.plain)], strict=True))

    def words_between(self, start: int, end: int) -> tuple[int, int]:
        """The first word that begins at or after `start`, and the first at or after `end`."""
        return bisect_left(self.spans, (start, -1)), bisect_left(self.spans, (end, -1))


def read_reviews(
    classifier: Classifier,
    texts: Sequence[str],
    log_probs: Float[np.ndarray, "batch label"],
    *,
    lexicon: Lexicon | None = None,
    limits: tuple[float, float] | None = None,
) -> Iterator[Review]:
    """Every text with the answer to it, one by one: 25,000 of them at once would not fit into memory.

    `lexicon` and `limits` (of length) come from these texts, or are handed in where they are part of more.
    """
    lexicon = lexicon or read_words(classifier, texts)
    order = np.argsort(-log_probs, axis=1, kind="stable")[:, :2]
    halves = log_odds_against(classifier, [cut_part(text, 0.0, 1 / 2) for text in texts], order)
    thirds = log_odds_against(classifier, [cut_part(text, 2 / 3, 1.0) for text in texts], order)
    limits = limits or length_limits(texts)
    for text, (answer, runner_up), half, third in zip(
        texts, order.tolist(), halves.tolist(), thirds.tolist(), strict=True
    ):
        yield Review(text, lexicon, answer, runner_up, half, third, limits)


def read_words(classifier: Classifier, texts: Sequence[str]) -> Lexicon:
    """What the classifier thinks of every word of these texts."""
    counted = Counter[str]()
    for text in texts:
        counted.update(WORD.findall(plain_text(text)))
    words, counts = list(counted), np.array(list(counted.values()), dtype=np.int64)
    scores = _word_scores(classifier, words)
    spread = scores.max(axis=1) - scores.min(axis=1) if words else np.zeros(0)
    return Lexicon(
        ids={word: place for place, word in enumerate(words)},
        counts=counts,
        scores=scores,
        is_known=_find_known(classifier, words),
        strength=max(_quantile(spread, counts, STRONG), MIN_STRENGTH),
        leanings=label_leanings(classifier),
    )


def label_leanings(classifier: Classifier) -> tuple[int, ...]:
    """Which label is that of praise (1) and which that of blame (−1), by what the classifier says of such words.

    All are 0 where it hardly tells them apart, as a classifier of topics does not.
    """
    praise, blame = (_word_scores(classifier, words).mean(axis=0) for words in (PRAISE, BLAME))
    sides = praise - blame
    if sides.max() - sides.min() < MIN_SPREAD:
        return (0,) * len(sides)
    return tuple(int(i == sides.argmax()) - int(i == sides.argmin()) for i in range(len(sides)))


def n_words(text: str) -> int:
    """How many words a text has, as people count them: by the white space between."""
    return len(text.split())


def plain_text(text: str) -> str:
    """The text in lower case, with blanks in the place of tags and plain apostrophes, each character in its place.

    >>> plain_text("So<br />GOOD")
    'so      good'
    """
    lower = text.lower().replace("’", "'")
    # A few letters have a lower case of two characters, which would shift all places after them.
    kept = lower if len(lower) == len(text) else "".join(map(_lower, text))
    return TAG.sub(lambda tag: " " * len(tag.group()), kept) if "<" in kept else kept


def cut_part(text: str, start: float, end: float) -> str:
    """A share of a text's characters, cut between words.

    >>> cut_part("one two three four", 0.0, 0.5), cut_part("one two three four", 0.5, 1.0)
    ('one two three', 'four')
    """
    first, last = (_cut(text, round(share * len(text))) for share in (start, end))
    return text[first:last].strip()


def log_odds_against(
    classifier: Classifier, texts: Sequence[str], order: Int[np.ndarray, "batch 2"]
) -> Float[np.ndarray, " batch"]:
    """ln p(answer) − ln p(runner-up) of each text."""
    log_probs = _ask_in_pieces(classifier, texts)
    rows = np.arange(len(texts))
    return log_probs[rows, order[:, 0]] - log_probs[rows, order[:, 1]]


def length_limits(texts: Sequence[str]) -> tuple[float, float]:
    """Numbers of words: a text with fewer than the first is short, one with more than the second is long."""
    lengths = [n_words(text) for text in texts] or [0]
    low, high = np.quantile(lengths, EXTREMES).tolist()
    return low, high


def _lower(character: str) -> str:
    lower = character.lower()
    return lower if len(lower) == 1 else character


def _cut(text: str, place: int) -> int:
    """The end of the word that `place` is in."""
    if place <= 0:
        return 0
    space = text.find(" ", place - 1)
    return len(text) if space < 0 else space


def _ask_in_pieces(classifier: Classifier, texts: Sequence[str]) -> Float[np.ndarray, "batch label"]:
    pieces = [classifier.log_probs(texts[i : i + MAX_AT_ONCE]) for i in range(0, len(texts), MAX_AT_ONCE)]
    return np.concatenate(pieces).astype(np.float64)


def _word_scores(classifier: Classifier, words: Sequence[str]) -> Float[np.ndarray, "word label"]:
    """What the classifier says of each word alone, less what it says of none."""
    scores = centre_logits(_ask_in_pieces(classifier, ["", *words]))
    return scores[1:] - scores[0]


def _find_known(classifier: Classifier, words: Sequence[str]) -> Bool[np.ndarray, " vocab"]:
    """Which words the classifier knows: all that it reads where such a word stands."""
    read = classifier.words(" ".join(words))
    lengths = np.array([len(word) + 1 for word in words], dtype=np.int64)
    owners = np.searchsorted(np.cumsum(lengths), read.starts, side="right")
    unknown = np.bincount(owners[~read.is_known], minlength=len(words))
    return unknown[: len(words)] == 0


def _quantile(values: Float[np.ndarray, " vocab"], counts: Int[np.ndarray, " vocab"], share: float) -> float:
    """The value that this share of all occurrences stays below."""
    if not len(values):
        return float("inf")
    order = np.argsort(values)
    below = np.cumsum(counts[order])
    return float(values[order][np.searchsorted(below, share * below[-1])])
