"""From a text to a neural bigram model: words, vectors, one of two trainers, and counts beside the network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from regard.errors import NothingScoredError, ValueRangeError
from regard.models.background import Background, digest, make_background, make_background_from_counts
from regard.models.bigram import (
    ActivationName,
    BesideCounts,
    BigramModel,
    BigramNetwork,
    context_ids_before,
    next_log_probs,
)
from regard.models.ngram.kneser_ney import KneserNey
from regard.records import ALONE, Workers
from regard.shapes import Bool, Float, Int
from regard.text.bigram_counts import add_unknown_pairs, count_stream, count_text, replace_new_tokens
from regard.text.tokenise.tokenisers import UNITS, AnyTokeniser, fit_tokeniser
from regard.text.tokenise.tokens import Tokeniser, count_words
from regard.text.tokenise.words import WordTokeniser
from regard.text.vectors.word_vectors import WordVectors
from regard.training.bigram.choice import (
    MAX_SEARCHED,
    MIN_VALIDATION,
    FormChoice,
    choose_form,
    fit_trust,
    group_contexts,
    make_constant,
    refuse_choice,
)
from regard.training.bigram.counts_trainer import (
    CountsConfig,
    CountsStep,
    CountsTraining,
    choose_recipe,
    train_on_counts,
)
from regard.training.bigram.sgd import Examples, SgdCheckpoint, SgdConfig, run_sgd, start_sgd
from regard.training.bigram.start import VectorUse

Chunks: TypeAlias = Callable[[], Iterator[str]]
"""A text in pieces that end after white space, from its beginning at every call."""
VALIDATION_EVERY = 10
"""One line in ten is for validation where something is to be chosen by text that was not trained on."""
DEFAULT_VOCABULARY = 2000
"""Words, the marks included, where no number is asked for."""
MAX_TOKENS = 20_000
"""Each step costs as much as the vocabulary squared; beyond this it is hours."""

TOKENS_PER_LINE = 100
"""What stands for a line where there are none."""

OnStep: TypeAlias = Callable[[CountsStep], None]


MAX_SIZE = 10_000
"""Hidden units, or numbers of a vector: beyond this, memory is asked for that few machines have."""


@dataclass(frozen=True)
class BigramConfig:
    """What to train. Sizes that are None are those that go well with the trainer.

    `vocabulary` is for words: without a number, the 2,000 most frequent of those seen at least twice. `width` is that
    of learnt vectors, and given ones are cut to it; `vectors` says whether given ones stay as they are. Without
    `iterations`, the counts trainer chooses how many (`bigram_choice`). `beside_counts` mixes the network with
    Kneser–Ney; `stop_early` keeps one line in ten, and the network that predicts those best. Stochastic gradient
    descent measures validation text every `checkpoint_every` iterations (None: 5,000).
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
    checkpoint_every: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("hidden", "width"):
            size = getattr(self, name)
            if size is not None and not 1 <= size <= MAX_SIZE:
                raise ValueRangeError(f"{name} must be from 1 to {MAX_SIZE:,}; got {size:,}")

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
            "checkpoint_every": self.checkpoint_every,
        }
        return SgdConfig(
            **{name: value for name, value in chosen.items() if value is not None},  # type: ignore[arg-type]
            vectors=self.vectors,
            seed=self.seed,
        )


@dataclass(frozen=True)
class BigramTask:
    """A text as a bigram model sees it: counts, and the vectors that its words start with, if there are any.

    The text itself, `chunks`, is read again where lines are wanted for validation, or small steps want every pair.
    """

    config: BigramConfig
    tokeniser: AnyTokeniser
    chunks: Chunks
    counts: csr_array
    background: Background
    start_vectors: Float[np.ndarray, "context width"] | None = None
    is_given: Bool[np.ndarray, " context"] | None = None

    @property
    def vocab(self) -> int:
        """How many tokens there are; contexts are one more."""
        return len(self.tokeniser.vocabulary)

    @property
    def n_iterations(self) -> int:
        """How many there will be, at most."""
        if self.config.trainer == "sgd":
            return self.config.for_sgd().iterations
        recipe = choose_recipe(self.config.vectors, has_vectors=self.start_vectors is not None)
        return self.config.iterations or recipe.max_iterations

    def examples(self) -> Examples:
        """Every pair of the text, in its order."""
        ids = np.concatenate(list(self.tokeniser.stream(self.chunks())))
        return Examples(context_ids_before(ids, self.tokeniser), ids, self.vocab + 1, self.vocab)

    def with_unknown(self, counts: csr_array) -> csr_array:
        """Counts to train on: words seen once are counted a second time, as unknown."""
        return add_unknown_pairs(counts, unknown=self.tokeniser.unknown, line_end=self.tokeniser.line_end)

    def mark_unseen(self, counts: csr_array, *, trained: csr_array) -> csr_array:
        """Counts for validation in which words that the counts `trained` do not have are unknown."""
        unknown, line_end = self.tokeniser.unknown, self.tokeniser.line_end
        return replace_new_tokens(counts, trained=trained, unknown=unknown, line_end=line_end)

    def split_validation(self) -> tuple[csr_array, csr_array]:
        """Counts of nine lines in ten, to learn from, and of the tenth, to validate on."""
        ids, line_end = self.tokeniser.stream(self.chunks()), self.tokeniser.line_end
        chosen = EveryTenthLine(line_end)
        validation = count_stream(ids, vocab_size=self.vocab, line_end=line_end, chosen=chosen).matrix
        train = csr_array(self.counts - validation)
        train.eliminate_zeros()
        return train, validation


class EveryTenthLine:
    """Chooses the ids of every tenth line of a text that comes in parts; without lines, of every tenth stretch."""

    def __init__(self, line_end: int | None) -> None:
        self._line_end = line_end
        self._n_before = 0

    def __call__(self, ids: Int[np.ndarray, " position"]) -> Bool[np.ndarray, " position"]:
        """True for each id that is chosen."""
        if self._line_end is None:
            line = (self._n_before + np.arange(len(ids))) // TOKENS_PER_LINE
            self._n_before += len(ids)
        else:
            is_end = ids == self._line_end
            line = self._n_before + np.cumsum(is_end) - is_end
            self._n_before += int(is_end.sum())
        return line % VALIDATION_EVERY == VALIDATION_EVERY - 1


def bigram_task(
    text: str | Chunks, config: BigramConfig, *, vectors: WordVectors | None = None, workers: Workers = ALONE
) -> BigramTask:
    """All that training needs of a text, which is a string, or a function that gives its pieces at each call."""
    chunks: Chunks = (lambda: iter([text])) if isinstance(text, str) else text
    tokeniser, background = _tokeniser_and_background(chunks, config)
    if len(tokeniser.vocabulary) > MAX_TOKENS:
        raise ValueRangeError(
            f"a bigram network for {len(tokeniser.vocabulary):,} tokens would take hours; "
            f"choose a vocabulary of at most {MAX_TOKENS:,}"
        )
    counts = count_text(chunks(), tokeniser, workers=workers).matrix
    if counts.nnz == 0:
        raise NothingScoredError("there is nothing to learn from: the training text is empty")
    start, is_given = (None, None) if vectors is None else _vectors_for(tokeniser, vectors, config.width)
    return BigramTask(config, tokeniser, chunks, counts, background, start, is_given)


def _tokeniser_and_background(chunks: Chunks, config: BigramConfig) -> tuple[AnyTokeniser, Background]:
    notes = {"training": asdict(config)}
    family = UNITS[config.unit]
    if issubclass(family, WordTokeniser):
        words = count_words(chunks())
        by_words = family.fit_counts(words, size=config.vocabulary)
        if config.vocabulary is None and len(by_words.vocabulary) > DEFAULT_VOCABULARY:
            by_words = family.fit_counts(words, size=DEFAULT_VOCABULARY)
        return by_words, make_background_from_counts(words, digest(chunks()), by_words, **notes)
    text = "".join(chunks())
    tokeniser = fit_tokeniser(text, unit=config.unit, vocabulary=config.vocabulary)
    return tokeniser, make_background(text, tokeniser.encode(text), tokeniser, **notes)


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


def search_form(task: BigramTask) -> FormChoice:
    """What to train on the whole text, chosen on a tenth of its lines where that is worth its time."""
    is_set = task.config.iterations is not None or task.config.stop_early
    if is_set or task.counts.sum() > MAX_SEARCHED:
        return FormChoice()
    train, validation = task.split_validation()
    if validation.sum() < MIN_VALIDATION:
        return refuse_choice(int(validation.sum()))
    trained = train_network(task, train, validation=validation, patience=task.n_iterations)
    return choose_form(trained, task.with_unknown(train), task.mark_unseen(validation, trained=train))


def train_by_counts(
    task: BigramTask, *, choice: FormChoice | None = None, on_step: OnStep = lambda step: None
) -> BigramModel:
    """The model whose network is fitted to the counts of the text; `choice` says how, else it is made first."""
    choice = search_form(task) if choice is None else choice
    counts, validation = task.split_validation() if task.config.stop_early else (task.counts, None)
    fit = partial(train_network, task, max_iterations=choice.iterations, on_step=on_step)
    trained = fit(counts, validation=validation)
    background = _add_notes(task, choice, trained)
    if choice.form != "network":
        return BigramModel(make_constant(trained.network, task.with_unknown(counts), choice.form), background)
    if not task.config.beside_counts:
        return BigramModel(trained.network, background)
    return BigramModel(trained.network, background, _fit_beside_counts(task, lambda train: fit(train).network))


def _add_notes(task: BigramTask, choice: FormChoice, trained: CountsTraining) -> Background:
    """The background of the task, with the choices made and notes on them."""
    notes = [choice.note] if choice.note else []
    if task.start_vectors is not None and not trained.uses_vectors:
        notes.append("the vectors did not help: they say nothing of how words are used here, and were left out")
    chosen = {"form": choice.form, "iterations": trained.iteration, "notes": notes}
    return replace(task.background, notes={**task.background.notes, "chosen": chosen})


def train_network(
    task: BigramTask,
    counts: csr_array,
    *,
    validation: csr_array | None = None,
    max_iterations: int | None = None,
    patience: int | None = None,
    on_step: OnStep = lambda step: None,
) -> CountsTraining:
    """The network of the task, fitted to counts of all its text or of a part.

    With counts of further text for `validation`, the network that predicts those best.
    """
    config = task.config.for_counts()
    config = replace(
        config, max_iterations=max_iterations or config.max_iterations, patience=patience or config.patience
    )
    return train_on_counts(
        task.with_unknown(counts),
        config=config,
        vectors=task.start_vectors,
        is_given=task.is_given,
        validation=None if validation is None else task.mark_unseen(validation, trained=counts),
        on_step=on_step,
    )


def train_by_sgd(task: BigramTask, start: SgdCheckpoint | None = None) -> Iterator[tuple[SgdCheckpoint, BigramModel]]:
    """Each checkpoint of the run, and the model as it is then; from `start` on, where one is given."""
    config, examples = task.config.for_sgd(), _add_unknown(task)
    if start is None:
        start = start_sgd(examples, config=config, vectors=task.start_vectors, is_given=task.is_given)
    for checkpoint in run_sgd(examples, start, config=config):
        yield checkpoint, BigramModel(checkpoint.network, task.background)


def _add_unknown(task: BigramTask) -> Examples:
    """Every pair of the text; those with a word that was seen once come again, as pairs of the unknown word."""
    examples, further = task.examples(), csr_array(task.with_unknown(task.counts) - task.counts).tocoo()
    times = further.data.astype(np.int64)
    contexts, targets = np.repeat(further.row, times), np.repeat(further.col, times)
    return replace(
        examples,
        contexts=np.append(examples.contexts, contexts.astype(np.int64)),
        targets=np.append(examples.targets, targets.astype(np.int64)),
    )


def _fit_beside_counts(task: BigramTask, fit: Callable[[csr_array], BigramNetwork]) -> BesideCounts:
    """Kneser–Ney of the whole text; the trust is found on lines that neither it nor a second network has seen."""
    part, rest = task.split_validation()
    train, validation = task.with_unknown(part), task.mark_unseen(rest, trained=part)
    trust = fit_trust(
        validation,
        by_network=np.exp(next_log_probs(fit(part)).astype(np.float64)),
        by_counts=_all_contexts(KneserNey.of_bigrams(train)),
        group=group_contexts(train),
    )
    counts = task.with_unknown(task.counts)
    return BesideCounts(KneserNey.of_bigrams(counts), trust[group_contexts(counts)])


def _all_contexts(model: KneserNey) -> Float[np.ndarray, "context vocab"]:
    """Probabilities after every context."""
    return np.exp(model.next_log_probs_of([np.array([context]) for context in range(model.counts.n_symbols)]))
