"""What chapter 5 asks: neighbours, next words and sentences of its word model, and whether derivatives are right."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from regard.errors import VocabularyError
from regard.lab import inputs
from regard.lab.chapters.words.gradients import MISTAKES, check_derivatives, draw_network
from regard.lab.chapters.words.models import HIDDEN, Settings, WordModel, word_model
from regard.lab.jobs import JobProgress
from regard.lab.server.api import Question
from regard.lab.texts import EMBEDDED, OFFERED
from regard.models.bigram import ActivationName
from regard.models.sampling import Sampling, stream
from regard.text.tokenise.tokens import LINE_END, UNKNOWN
from regard.text.vectors.word_vectors import WordVectors
from regard.training.bigram.gradient_check import TOLERANCES

MARKS = {LINE_END: "end of line", UNKNOWN: "a rarer word"}
N_NEAREST, N_SENTENCES, MAX_SENTENCE_WORDS, MAX_WORD = 10, 5, 40, 40
FIRST_WORDS = {EMBEDDED: "list", "shakespeare": "king", "tinyshakespeare": "king", "ptb/train": "monday"}
"""The word that is shown where none is asked for."""
MAX_SEED = 999_999


@dataclass(frozen=True)
class TrainInput:
    """Which model."""

    text: str = inputs.choice(*OFFERED)
    hidden: int = inputs.choice(*HIDDEN)
    seed: int = inputs.whole_number(0, 99)

    @property
    def settings(self) -> Settings:
        """The settings of the model."""
        return Settings(self.text, self.hidden, self.seed)


@dataclass(frozen=True)
class ShowInput(TrainInput):
    """Which model, and what is asked of it; an empty word stands for one that suits the text."""

    word: str = inputs.text(least=0, most=MAX_WORD)
    temperature: float = inputs.number(0.1, 2)
    draw: int = inputs.whole_number(0, MAX_SEED)


@dataclass(frozen=True)
class DerivativesInput:
    """A small random network, what its hidden units compute, and a mistake that is made on purpose."""

    network: int = inputs.whole_number(0, MAX_SEED)
    activation: str = inputs.choice("sigmoid", "tanh")
    mistake: str = inputs.choice(*MISTAKES)


def show(now: ShowInput, progress: JobProgress) -> dict[str, Any]:
    """What the model of these settings has learnt; it is trained first where none is kept."""
    found = word_model(now.settings, progress)
    word = now.word.strip().lower() or FIRST_WORDS[found.text]
    sentences = draw_sentences(found, temperature=now.temperature, seed=now.draw)
    return {**training_facts(found), **word_facts(found, word), "sentences": sentences}


def train_again(now: TrainInput, progress: JobProgress) -> dict[str, Any]:
    """Train the model again while the visitor watches; the saved one stays until the new one is complete."""
    return training_facts(word_model(now.settings, progress, anew=True))


def derivatives(now: DerivativesInput) -> dict[str, Any]:
    """How far each derivative is from what was measured, by two methods, relative to the largest of its kind."""
    gaps = check_derivatives(
        draw_network(now.network, activation=cast("ActivationName", now.activation)), mistake=now.mistake
    )
    rows = [
        {
            "parameter": gap.parameter,
            "entries": gap.n_entries,
            "largest": gap.largest,
            "gaps": gap.gaps,
            "holds": gap.holds,
        }
        for gap in gaps
    ]
    return {"rows": rows, "tolerances": TOLERANCES}


QUESTIONS = {
    "show": Question(ShowInput, show, is_long=True),
    "train": Question(TrainInput, train_again, is_long=True),
    "derivatives": Question(DerivativesInput, derivatives),
}


def training_facts(found: WordModel) -> dict[str, Any]:
    """How training went, and how well the model and plain counts predict text that was not learnt from."""
    return {
        "curve": found.curve,
        "validation_nats": math.log(found.perplexity),
        "perplexity": found.perplexity,
        "counts_perplexity": found.counts_perplexity,
        "n_words": len(found.words),
        "note": found.note,
    }


def word_facts(found: WordModel, word: str) -> dict[str, Any]:
    """The neighbours of a word and what follows it; where the model does not know it, a sentence and a word to try."""
    try:
        near, following = nearest_words(found, word), next_words(found, word)
    except VocabularyError as error:
        return {"word": word, "unknown": str(error), "nearest": [], "next": []}
    return {
        "word": word,
        "unknown": "",
        "nearest": [{"word": name, "value": value} for name, value in near],
        "next": [{"word": name, "mark": MARKS.get(name, ""), "value": value} for name, value in following],
    }


def nearest_words(found: WordModel, word: str) -> list[tuple[str, float]]:
    """The words whose learnt vectors point most nearly where this one's does, and the cosines."""
    _require_known(found, word)
    rows = [found.model.tokeniser.encode(each).ids[0] for each in found.words]
    return WordVectors(found.words, found.model.network.vectors[rows]).nearest(word, N_NEAREST)


def next_words(found: WordModel, word: str) -> list[tuple[str, float]]:
    """The likeliest words after this one, and their probabilities."""
    _require_known(found, word)
    context = found.model.tokeniser.encode(word).ids[:1]
    probabilities = np.exp(found.model.after(context)[0])
    best = np.argsort(-probabilities, kind="stable")[:N_NEAREST]
    return [(found.model.tokeniser.vocabulary[place], float(probabilities[place])) for place in best]


def draw_sentences(found: WordModel, *, temperature: float, seed: int) -> list[str]:
    """Some sentences, each drawn word by word from the start of a line to its end."""
    lines = []
    for rng in np.random.default_rng(seed).spawn(N_SENTENCES):
        pieces = stream(found.model, rng, length=MAX_SENTENCE_WORDS, how=Sampling(temperature))
        text = "".join(pieces)
        line, end, _ = text.partition("\n")
        lines.append(line.strip() + ("" if end else " …"))
    return lines


def _require_known(found: WordModel, word: str) -> None:
    if word not in found.words:
        near = difflib.get_close_matches(word, found.words, n=1, cutoff=0.0)
        raise VocabularyError(
            f"“{word}” is not among the {len(found.words):,} words that the model knows; try “{near[0]}”"
        )
