"""From a text to a neural bigram model: words, vectors, one of two trainers, and counts beside the network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from regard.errors import NothingScoredError, ValueRangeError
from regard.models.background import background_of
from regard.models.bigram import BesideCounts, BigramModel, contexts_of
from regard.models.bigram_network import ActivationName, BigramNetwork, next_log_probs
from regard.models.kneser_ney import KneserNey
from regard.models.marks import with_marks
from regard.models.protocol import Background
from regard.shapes import Bool, Float, Int
from regard.text.bigram_counts import count_bigrams
from regard.text.tokenisers import fit_tokeniser
from regard.text.tokens import Tokeniser
from regard.text.vectors import WordVectors
from regard.training.bigram_counts import RECIPES, CountsConfig, CountsStep, train_on_counts
from regard.training.bigram_sgd import Examples, SgdCheckpoint, SgdConfig, sgd_checkpoints, sgd_start
from regard.training.bigram_start import VectorUse
from regard.training.bigram_trust import fit_trust, groups

HELD_OUT_SHARE = 10
"""One line in ten is kept where something is to be chosen by text that was not trained on."""
MOST_TOKENS = 20_000
"""Each step costs as much as the vocabulary squared; beyond this it is hours."""

OnStep: TypeAlias = Callable[[CountsStep], None]


@dataclass(frozen=True)
class BigramConfig:
    """What to train. Sizes that are None are those that go well with the trainer.

    `vocabulary` is for words; `width` is that of learnt vectors, and given ones are cut to it; `vectors` says whether
    given ones learn. `beside_counts` mixes the network with Kneser–Ney, which guards it where there is little text;
    `stop_early` keeps one line in ten, and the network that predicts those best.
    """

    unit: Literal["char", "byte", "word", "course"] = "word"
    vocabulary: int | None = None
    trainer: Literal["counts", "sgd"] = "counts"
    hidden: int | None = None
    width: int | None = None
    activation: ActivationName | None = None
    vectors: VectorUse = "tuned"
    iterations: int | None = None
    beside_counts: bool = False
    stop_early: bool = False
    seed: int = 0

    def for_counts(self) -> CountsConfig:
        """The settings of the counts trainer."""
        chosen = {"hidden": self.hidden, "activation": self.activation, "max_iterations": self.iterations}
        return CountsConfig(
            **{name: value for name, value in chosen.items() if value is not None},  # type: ignore[arg-type]
            width=self.width,
            vectors=self.vectors,
            seed=self.seed,
        )

    def for_sgd(self) -> SgdConfig:
        """The settings of stochastic gradient descent."""
        chosen = {
            "hidden": self.hidden,
            "width": self.width,
            "activation": self.activation,
            "iterations": self.iterations,
        }
        return SgdConfig(
            **{name: value for name, value in chosen.items() if value is not None},  # type: ignore[arg-type]
            vectors=self.vectors,
            seed=self.seed,
        )


@dataclass(frozen=True)
class BigramTask:
    """A text as a bigram model sees it: ids, and the vectors that its words start with, if there are any."""

    config: BigramConfig
    tokeniser: Tokeniser
    ids: Int[np.ndarray, " position"]
    background: Background
    start_vectors: Float[np.ndarray, "context width"] | None = None
    is_given: Bool[np.ndarray, " context"] | None = field(default=None)

    @property
    def vocab(self) -> int:
        """How many tokens there are; contexts are one more."""
        return len(self.tokeniser.vocabulary)

    @property
    def n_iterations(self) -> int:
        """How many there will be, at most."""
        if self.config.trainer == "sgd":
            return self.config.for_sgd().iterations
        use = "learnt" if self.start_vectors is None else self.config.vectors
        return self.config.iterations or RECIPES[use].max_iterations

    def counts(self, chosen: Bool[np.ndarray, " position"] | None = None) -> csr_array:
        """How often each token follows each context; of whole lines that are chosen, or of all."""
        ids = self.ids if chosen is None else self.ids[chosen]
        return count_bigrams(ids, vocab_size=self.vocab, line_end=self.tokeniser.line_end).matrix

    def examples(self) -> Examples:
        """The same as pairs, in the order of the text."""
        return Examples(contexts_of(self.ids, self.tokeniser), self.ids, self.vocab + 1, self.vocab)

    def is_held_out(self) -> Bool[np.ndarray, " position"]:
        """True on every tenth line; without lines, on the last tenth of the text."""
        if self.tokeniser.line_end is None:
            return np.arange(len(self.ids)) >= len(self.ids) * (HELD_OUT_SHARE - 1) // HELD_OUT_SHARE
        line = np.cumsum(np.append(0, self.ids[:-1] == self.tokeniser.line_end))
        return line % HELD_OUT_SHARE == HELD_OUT_SHARE - 1


def bigram_task(text: str, config: BigramConfig, *, vectors: WordVectors | None = None) -> BigramTask:
    """Everything that training needs of a text."""
    if not text:
        raise NothingScoredError("there is nothing to learn from: the training text is empty")
    tokeniser = fit_tokeniser(text, unit=config.unit, vocabulary=config.vocabulary)
    if len(tokeniser.vocabulary) > MOST_TOKENS:
        raise ValueRangeError(
            f"a bigram network for {len(tokeniser.vocabulary):,} tokens would take hours; "
            f"choose a vocabulary of at most {MOST_TOKENS:,}"
        )
    tokens = tokeniser.encode(text)
    background = background_of(text, tokens, tokeniser, training=asdict(config))
    start, is_given = (None, None) if vectors is None else _vectors_for(tokeniser, vectors, config.width)
    return BigramTask(config, tokeniser, tokens.ids, background, start, is_given)


def _vectors_for(
    tokeniser: Tokeniser, vectors: WordVectors, width: int | None
) -> tuple[Float[np.ndarray, "context width"], Bool[np.ndarray, " context"]]:
    """A row for each token and the start mark; words are also looked for in lower case.

    Of vectors wider than `width`, the principal components of those found, which lose the least.
    """
    words = list(tokeniser.vocabulary)
    found = [word if word in vectors else word.lower() for word in words]
    matrix, is_found = vectors.matrix_for([*found, ""])
    if not is_found.any():
        raise ValueRangeError(
            f"none of the {len(words):,} tokens has a vector in the file; is it for another language?"
        )
    matrix = matrix.astype(np.float64)
    if width is not None and width < matrix.shape[1]:
        matrix[is_found] -= matrix[is_found].mean(axis=0)
        matrix = matrix @ np.linalg.svd(matrix[is_found], full_matrices=False)[2][:width].T
    return matrix, is_found


def train_by_counts(task: BigramTask, *, on_step: OnStep = lambda step: None) -> BigramModel:
    """The model whose network is fitted to the counts of the text."""
    if task.config.stop_early:
        held_out = task.is_held_out()
        network = _network(task, task.counts(~held_out), task.counts(held_out), on_step)
    else:
        network = _network(task, task.counts(), None, on_step)
    return _finished(task, network, on_step)


def train_by_sgd(task: BigramTask, start: SgdCheckpoint | None = None) -> Iterator[tuple[SgdCheckpoint, BigramModel]]:
    """Each checkpoint of the run, and the model as it is then; from `start` on, where one is given."""
    config, examples = task.config.for_sgd(), task.examples()
    if start is None:
        start = sgd_start(examples, config=config, vectors=task.start_vectors, is_given=task.is_given)
    for checkpoint in sgd_checkpoints(examples, start, config=config):
        yield checkpoint, BigramModel(checkpoint.network, task.background)


def _network(task: BigramTask, counts: csr_array, held_out: csr_array | None, on_step: OnStep) -> BigramNetwork:
    trained = train_on_counts(
        counts,
        config=task.config.for_counts(),
        vectors=task.start_vectors,
        is_given=task.is_given,
        held_out=held_out,
        on_step=on_step,
    )
    return trained.network


def _finished(task: BigramTask, network: BigramNetwork, on_step: OnStep) -> BigramModel:
    """The model with this network, alone or beside counts."""
    if not task.config.beside_counts:
        return BigramModel(network, task.background)
    held_out = task.is_held_out()
    counts = task.counts(~held_out)
    other = _network(task, counts, None, on_step)  # the trust must be found on lines that its network has not seen
    trust = fit_trust(
        task.counts(held_out),
        by_network=_probabilities(other),
        by_counts=np.exp(_all_contexts(_kneser_ney(task, ~held_out))),
        group=groups(counts),
    )
    beside = BesideCounts(_kneser_ney(task, np.ones(len(task.ids), bool)), trust[groups(task.counts())])
    return BigramModel(network, task.background, beside)


def _kneser_ney(task: BigramTask, chosen: Bool[np.ndarray, " position"]) -> KneserNey:
    """Kneser–Ney of the chosen lines, each opened by the start mark; a text without lines is opened by one."""
    ids, mark = task.ids[chosen], task.vocab
    marked = np.append(mark, ids) if task.tokeniser.line_end is None else with_marks(ids, task.tokeniser)[0]
    return KneserNey.fit(marked, vocab_size=task.vocab, order=2, start_id=mark)


def _all_contexts(model: KneserNey) -> Float[np.ndarray, "context vocab"]:
    contexts = np.arange(model.counts.n_symbols)
    return model.next_log_probs_of([np.array([context]) for context in contexts])


def _probabilities(network: BigramNetwork) -> Float[np.ndarray, "context vocab"]:
    return np.exp(next_log_probs(network).astype(np.float64))
