"""What is measured of one trained model: its quality on text it has not seen, and what it costs.

Models that cut a text into different tokens can only be compared on what they share, its characters:

    bits per character  =  tokens + spelling of unknown words + restoring what tokens leave out

The characters themselves are grouped by the words that they stand in, equally for every model: `familiar` words,
which the training text has at least twice, and all others, `rare` words. Each word has the white space after it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from regard.errors import ArgumentError
from regard.evaluation import accuracy, perplexity
from regard.models.base import LanguageModel
from regard.models.checkpoint import load
from regard.models.classifier.base import Classifier
from regard.models.sampling import stream
from regard.records import ClassificationResult, PerplexityResult
from regard.shapes import Bool
from regard.studies.training.data import LabelledSource, find_splits, source_name
from regard.text.corpora.corpus import TextSource, find_text
from regard.text.labelled.split import align_labels
from regard.text.tokenise.tokens import known_tokens
from regard.text.tokenise.words import WordTokeniser

MIN_SECONDS = 0.05
"""What is timed is repeated for at least this long: shorter times are mostly chance."""
SCORED_FOR_SPEED = 20_000
"""Characters that are scored, again, to see how long it takes."""

CLOCK_SECONDS = 1e-9
"""Seconds that the processor's clock can tell apart."""


@dataclass(frozen=True)
class TextSplit:
    """A text in two: what is learnt from, and what is measured on."""

    train: str
    measured: str

    @cached_property
    def is_rare(self) -> Bool[np.ndarray, " character"]:
        """True for each measured character of a word that the training text has once or never."""
        tokeniser = WordTokeniser.fit(self.train)
        tokens = tokeniser.encode(self.measured)
        return np.repeat(~known_tokens(tokens, tokeniser), tokens.ends - tokens.starts)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the training text."""
        return frozenset(self.train.split())

    def new_share(self, text: str) -> float | None:
        """How many of the words of `text` the training text does not have; None where there is no word."""
        words = text.split()
        return sum(word not in self.words for word in words) / len(words) if words else None


@dataclass(frozen=True)
class ModelRow:
    """One row: names end in their unit; bits without one are per character of the measured text.

    `token_bits`, `spelling_bits` and `restoration_bits` sum to `bits_per_character`; `familiar_bits` and `rare_bits`
    are per character of such words. `parameters` counts every number in the model's arrays. `invented_share` is that of
    drawn words which the training text does not have. Seconds are the processor's, of all threads together.
    """

    model: str
    unit: str
    tokens: int
    tokens_per_1000_characters: float
    vocabulary: int
    unknown_share: float
    parameters: int
    training_seconds: float
    perplexity: float
    bits_per_character: float
    token_bits: float
    spelling_bits: float
    restoration_bits: float
    familiar_bits: float | None
    rare_bits: float | None
    scoring_characters_per_second: float
    sampling_characters_per_second: float
    invented_share: float | None
    seen_share: float
    sample: str


def measure(
    model: LanguageModel, halves: TextSplit, *, name: str, training_seconds: float, n_drawn: int, seed: int
) -> ModelRow:
    """Everything about one model, once it has been trained for this many seconds."""
    result = perplexity.evaluate(model, halves.measured, name="the measured text", model_name=name)
    bits = result.characters * math.log(2)
    sample, sampling_speed = draw_sample(model, n_characters=n_drawn, rng=np.random.default_rng(seed))
    return ModelRow(
        model=name,
        unit=result.unit,
        tokens=result.tokens,
        tokens_per_1000_characters=1000 * result.tokens / result.characters,
        vocabulary=len(model.tokeniser.vocabulary),
        unknown_share=result.unknown_share,
        parameters=sum(array.size for array in model.arrays().values()),
        training_seconds=training_seconds,
        perplexity=result.perplexity,
        bits_per_character=result.bits_per_character,
        token_bits=result.token_nats / bits,
        spelling_bits=result.spelling_nats / bits,
        restoration_bits=result.restoration_nats / bits,
        familiar_bits=mean_bits(result, ~halves.is_rare),
        rare_bits=mean_bits(result, halves.is_rare),
        scoring_characters_per_second=measure_scoring_speed(model, halves.measured[:SCORED_FOR_SPEED]),
        sampling_characters_per_second=sampling_speed,
        invented_share=halves.new_share(drop_last_word(sample)),
        seen_share=seen_share(result),
        sample=sample,
    )


def mean_bits(result: PerplexityResult, chosen: Bool[np.ndarray, " character"]) -> float | None:
    """The mean cost of the chosen characters; None where there are none."""
    return float(result.surprise.nats[chosen].mean()) / math.log(2) if chosen.any() else None


def seen_share(result: PerplexityResult) -> float:
    """How much of the measured text stands in the training text too, in stretches worth a warning."""
    return next((c.evidence["seen_share"] for c in result.cautions if c.kind == "seen"), 0.0)


def measure_scoring_speed(model: LanguageModel, text: str) -> float:
    """Characters scored in a second."""
    n_times, start = 0, time.process_time()
    while (seconds := time.process_time() - start) < MIN_SECONDS:
        model.score(text)
        n_times += 1
    return n_times * len(text) / seconds


def draw_sample(model: LanguageModel, *, n_characters: int, rng: np.random.Generator) -> tuple[str, float]:
    """A text of at least this many characters, drawn just as the model says; and characters drawn in a second."""
    pieces = stream(model, rng, length=4 * n_characters, prompt="\n")  # no character has more than four bytes
    text = next(pieces)  # what is set up once is not timed
    n_before, start = len(text), time.process_time()
    while len(text) < n_characters and (piece := next(pieces, None)) is not None:
        text += piece
    return text, (len(text) - n_before) / max(time.process_time() - start, CLOCK_SECONDS)


def drop_last_word(sample: str) -> str:
    """A drawn text without its last word, of which there might have been more.

    >>> drop_last_word("to be or no")
    'to be or'
    """
    return " ".join(sample.split()[:-1])


def evaluate(
    model: LanguageModel | Classifier | Path | str,
    data: TextSource | LabelledSource,
    *,
    name: str | None = None,
    steps: Sequence[str] = (),
    adaptive: bool = False,
) -> PerplexityResult | ClassificationResult:
    """How well a model, or the model in a folder, does on `data`.

    A language model takes a text: a corpus name, a path, or a text with a line break in it; `name` is what the result
    calls it, `steps` prepare it (see `regard perplexity --help`), and an `adaptive` model learns as it reads. A
    classifier takes labelled texts: a name, a path, or pairs of text and label; of a source with a test part, that
    part is measured.

    >>> from regard.studies.training.ngram import train_ngram
    >>> evaluate(train_ngram("to be or not to be\\n" * 9, order=2), "to be\\n").tokens
    6
    """
    ready = load(model) if isinstance(model, str | Path) else model
    if isinstance(ready, Classifier):
        if steps or adaptive or name is not None:
            raise ArgumentError("name, steps and adaptive are for language models; this is a classifier")
        return evaluate_classifier(ready, data)  # type: ignore[arg-type]  # refuses what has no labels
    if not isinstance(ready, LanguageModel):
        raise ArgumentError(f"expected a model or the folder of one; got {type(ready).__name__}")
    corpus = find_text(data)  # type: ignore[arg-type]  # refuses what is no text
    return perplexity.evaluate(ready, corpus.text, name=name or corpus.name, steps=steps, adaptive=adaptive)


def evaluate_classifier(classifier: Classifier, data: LabelledSource) -> ClassificationResult:
    """Accuracy with its error, the cost of true labels, and how honest the probabilities are."""
    splits = find_splits(data)
    texts = splits.train if splits.test is None else splits.test
    known = align_labels(texts, classifier.labels, name=source_name(data), whose="the classifier")
    return accuracy.evaluate(classifier.log_probs(known.texts), known.label_ids, labels=known.labels)
