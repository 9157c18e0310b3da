"""What parts C to F of the tour learn from: texts, and models that more than one question asks about.

A quick tour takes what every Python carries; a whole one takes the course's texts where they can be had, and says what
it took instead where they cannot. Models are trained once in a process for each setting.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from typing import Protocol, TypeVar, runtime_checkable

from regard.errors import CorpusError, InputFileError, MissingExtraError
from regard.files import sha256
from regard.models.bigram import BigramModel
from regard.progress import Progress, part, silent
from regard.studies.tour.evidence import Config, Origin
from regard.studies.training import bigram, network
from regard.studies.training.glove import GLOVE, find_vectors, train_glove
from regard.studies.training.run import TextParts, TrainingResult, split_text
from regard.text.corpora.corpus import find_corpus
from regard.text.normalise.prepare import prepare
from regard.text.vectors.word_vectors import WordVectors
from regard.training.bigram.train import BigramConfig

EMBEDDED = "python-manual"
WORD_STEPS = ("fold-unicode", "join-lines", "split-lines", "split-words", "lower", "squeeze-spaces")
"""What makes a text of words, in lower case and a sentence a line, out of any text."""
QUICK_WORDS, QUICK_CHARACTERS = 200_000, 150_000
"""Characters of the manual that a quick tour learns from."""
QUICK_ITERATIONS, QUICK_STEPS = 6000, 150
"""How long a quick tour trains the network of words by small steps, and that of characters."""
CHECKPOINTS = 12
"""How often the validation text is scored while the network of characters learns: points of its curve."""
WORD_TEXTS = ("ptb/train", "ptb/valid")
CHARACTER_TEXTS = ("tinyshakespeare", "shakespeare")


Made = TypeVar("Made")
Made_co = TypeVar("Made_co", covariant=True)


@runtime_checkable
class Making(Protocol[Made_co]):
    """Makes something for a config, or gives what was made before."""

    def __call__(self, config: Config, progress: Progress = silent) -> Made_co:
        """The thing."""


@dataclass(frozen=True)
class Material:
    """A text to learn from and one to measure on, and what the reader should know of them."""

    parts: TextParts
    name: str
    notes: tuple[str, ...] = ()

    @property
    def measured(self) -> str:
        """The text to measure on."""
        assert self.parts.valid is not None  # every material has one
        return self.parts.valid

    def origin(self, seed: int) -> Origin:
        """The stamp of numbers that are measured on it."""
        return Origin(seed, self.name, sha256(self.measured))


def first_available(names: tuple[str, ...], progress: Progress = silent) -> str | None:
    """The first of these corpora that can be had; None where none can."""
    for name in names:
        try:
            find_corpus(name, progress=progress).text  # noqa: B018  it may be found but not readable
        except (CorpusError, InputFileError, MissingExtraError):
            continue
        return name
    return None


def _replacement_note(wanted: str, taken: str) -> str:
    return f"{wanted} cannot be found or fetched here; {taken} is used instead."


def manual(n_characters: int | None) -> tuple[str, str]:
    """The beginning of Python's manual, or all of it, and its name."""
    text = find_corpus(EMBEDDED).text
    if n_characters is None:
        return text, EMBEDDED
    return text[:n_characters], f"{EMBEDDED}, first {n_characters:,} characters"


@lru_cache(maxsize=2)
def word_material(config: Config) -> Material:
    """Words, a sentence a line: the Penn Treebank, or the manual, whose last tenth is measured on."""
    if not config.quick and all(first_available((name,)) for name in WORD_TEXTS):
        return Material(split_text(WORD_TEXTS[0], valid=WORD_TEXTS[1]), WORD_TEXTS[1])
    text, name = manual(QUICK_WORDS if config.quick else None)
    words = prepare(text.translate(str.maketrans("", "", '"*`')), WORD_STEPS).text
    note = (
        f"The text is Python's manual, {name}, in words; a whole tour learns from the Penn Treebank."
        if config.quick
        else _replacement_note("The Penn Treebank", "Python's manual")
    )
    return Material(split_text(words, valid=0.1), f"{name}, last tenth, in words", (note,))


@lru_cache(maxsize=2)
def character_material(config: Config) -> Material:
    """Characters: Shakespeare, or the manual, whose last tenth is measured on."""
    found = None if config.quick else first_available(CHARACTER_TEXTS)
    if found is not None:
        return Material(split_text(found, valid=0.1, at_line_ends=False), f"{found}, last tenth")
    text, name = manual(QUICK_CHARACTERS if config.quick else None)
    note = (
        f"The text is Python's manual, {name}; a whole tour learns from Shakespeare."
        if config.quick
        else _replacement_note("Shakespeare", "Python's manual")
    )
    return Material(split_text(text, valid=0.1, at_line_ends=False), f"{name}, last tenth", (note,))


def memoise(make: Callable[[Config, Progress], Made]) -> Making[Made]:
    """Compute something once for each config; only the first caller sees its progress."""
    kept: dict[Config, Made] = {}

    @wraps(make)
    def get(config: Config, progress: Progress = silent) -> Made:
        if config not in kept:
            kept[config] = make(config, progress)
        return kept[config]

    return get


@dataclass(frozen=True)
class TrainedWords:
    """The bigram network by small steps, and the one found from counts, on the same words."""

    by_steps: TrainingResult[BigramModel]
    by_counts: TrainingResult[BigramModel]
    vectors: str
    notes: tuple[str, ...]


@memoise
def train_words(config: Config, progress: Progress) -> TrainedWords:
    """Train both networks of part C."""
    material = word_material(config)
    vectors, name, notes = word_vectors(config, part(progress, 0.0, 0.2))
    size = 1000 if config.quick else 2000
    small = BigramConfig(
        vocabulary=size,
        trainer="sgd",
        vectors="fixed",
        iterations=QUICK_ITERATIONS if config.quick else None,
        checkpoint_every=max(QUICK_ITERATIONS // 8, 1) if config.quick else None,
        seed=config.seed,
    )
    by_steps = bigram.run(material.parts, small, vectors=vectors, progress=part(progress, 0.2, 0.6))
    counts = BigramConfig(vocabulary=size, iterations=30 if config.quick else None, seed=config.seed)
    by_counts = bigram.run(material.parts, counts, progress=part(progress, 0.6, 1.0))
    return TrainedWords(by_steps, by_counts, name, notes)


def word_vectors(config: Config, progress: Progress) -> tuple[WordVectors, str, tuple[str, ...]]:
    """GloVe's vectors; in a quick tour, or where they are not available, vectors trained on the text itself."""
    if not config.quick:
        try:
            return find_vectors(GLOVE), "GloVe", ()
        except (CorpusError, InputFileError, MissingExtraError):
            pass
    text = word_material(config).parts.train
    made = train_glove(text, vocabulary=1000, width=50, n_sweeps=4, seed=config.seed, progress=progress)
    reason = "The word vectors" if config.quick else "GloVe's vectors cannot be found here; the word vectors"
    return (
        made,
        "GloVe's method on the training text",
        (f"{reason} were made from the training text by GloVe's method.",),
    )


@memoise
def train_characters(config: Config, progress: Progress) -> network.NetworkResult:
    """Train the network of part D."""
    network.require_torch()
    return network.run(character_material(config).parts, character_settings(config), progress=progress)


def character_settings(config: Config) -> network.NetworkSettings:
    """A recurrent network and few steps for a quick tour, else a Transformer and its own number of steps.

    Steps and not minutes, and one thread, so that two runs end in the same network.
    """
    chosen = network.NetworkSettings("transformer", preset="small")
    if config.quick:
        chosen = network.NetworkSettings("recurrent", preset="course", steps=QUICK_STEPS)
    return replace(chosen, threads=1, seed=config.seed, checkpoints=CHECKPOINTS)


def digest_settings(*settings: object) -> str:
    """A digest of everything that numbers depend on: settings and digests of texts, in their order."""
    return sha256("\n".join(map(repr, settings)))


def word_fingerprint(config: Config) -> str:
    """Of the words that part C learns from, the vectors it begins with, and how long it trains."""
    parts = word_material(config).parts
    vectors = "made from the text" if config.quick else sha256(" ".join(word_vectors(config, silent)[0].words))
    return digest_settings(config, sha256(parts.train), sha256(parts.valid or ""), vectors, QUICK_ITERATIONS)


def character_fingerprint(config: Config) -> str:
    """Of the characters that part D learns from, and of its network."""
    parts = character_material(config).parts
    return digest_settings(config, sha256(parts.train), sha256(parts.valid or ""), character_settings(config))
