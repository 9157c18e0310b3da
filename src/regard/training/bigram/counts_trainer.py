"""The counts trainer of the neural bigram model: the text enters only through its bigram counts.

The loss of a bigram model depends on a text only through how often each token follows each other one. Training on that
matrix, all of it at every step, costs the same for a text of any length, has no noise of sampling, and allows steps
that know the curvature (L-BFGS).

Regularisation and length of the run are set beforehand (`LEARNT`, `FIXED`). With `validation` counts, training keeps
the network that predicts those best and ends once they have stopped gaining.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, sparray

from regard.arrays.namespace import threads_for
from regard.display import short_repr
from regard.errors import ShapeError, ValueRangeError
from regard.models.bigram import ActivationName, BigramNetwork, check_activation, rename_parameters
from regard.shapes import Bool, Float
from regard.training.bigram.objective import ROWS, BigramObjective, Decay, growth, mean_nats
from regard.training.bigram.start import (
    VectorUse,
    check_use,
    predict_from_vectors,
    prepare_vectors,
    random_start,
    require_vectors,
    spectral_start,
)
from regard.training.lbfgs import Iterate, minimise


class Recipe(NamedTuple):
    """What was found to suit a use of vectors, on a tenth, for validation, of the lines of Penn Treebank."""

    decay: Decay
    max_iterations: int


# W₁ stays close to the identity: learnt vectors can say it all
LEARNT = Recipe(Decay(vectors=5.0, w1=1e4, w2=10.0), 100)
FIXED = Recipe(Decay(vectors=1.0, w1=0.1, w2=4.0), 250)


def choose_recipe(use: VectorUse, *, has_vectors: bool) -> Recipe:
    """The recipe for given vectors that stay as they are, or for vectors that learn, with given ones or without."""
    return FIXED if has_vectors and use == "fixed" else LEARNT


@dataclass(frozen=True)
class CountsConfig:
    """Size of the network, strength of its regularisation, and when to stop.

    `width` is that of learnt vectors, by default as many as hidden units; given ones that stay as they are bring their
    own. Decay and number of iterations come from the recipe unless they are set.
    """

    hidden: int = 200
    width: int | None = None
    activation: ActivationName = "tanh"
    vectors: VectorUse = "tuned"
    decay: Decay | None = None
    max_iterations: int | None = None
    memory: int = 8
    check_every: int = 5
    patience: int = 4
    seed: int = 0

    def __post_init__(self) -> None:
        check_activation(self.activation)
        check_use(self.vectors)
        for name in ("hidden", "width", "max_iterations", "memory", "check_every", "patience"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueRangeError(f"{name} must be at least 1; got {value}")


@dataclass(frozen=True)
class CountsStep:
    """How training stands: what is minimised, per token, and the cross-entropy of validation counts where measured."""

    iteration: int
    objective_nats: float
    validation_nats: float | None = None


@short_repr
@dataclass(frozen=True)
class CountsTraining:
    """The trained network, its history, and the iteration that it is from.

    `uses_vectors` is False where given vectors say nothing of what is learnt, so that they were left out.
    """

    network: BigramNetwork
    history: tuple[CountsStep, ...]
    iteration: int
    config: CountsConfig
    uses_vectors: bool


def train_on_counts(
    counts: np.ndarray | sparray,
    *,
    config: CountsConfig,
    vectors: Float[np.ndarray, "context width"] | None = None,
    is_given: Bool[np.ndarray, " context"] | None = None,
    validation: np.ndarray | sparray | None = None,
    on_step: Callable[[CountsStep], None] = lambda step: None,
) -> CountsTraining:
    """A network fitted to counts[c, v], how often token v followed context c.

    `vectors` has a row for each context, of which `is_given` tells whether it means something (all, by default). They
    stay as they are, or say towards what learnt ones are pulled (`vector_centres`). The first contexts are the tokens.
    """
    matrix = as_counts(counts)
    checked = None if validation is None else as_counts(validation, shape=matrix.shape)
    recipe = choose_recipe(config.vectors, has_vectors=vectors is not None)
    max_iterations = config.max_iterations or recipe.max_iterations
    with threads_for(float(ROWS * config.hidden * matrix.shape[1])):
        start, learns, centres = _start(matrix, config, vectors, is_given)
        objective = BigramObjective(matrix, start, learns=learns, centres=centres, decay=config.decay or recipe.decay)
        watch = _Watch(objective, checked, config, on_step)
        point = objective.coordinates(start)
        last = minimise(objective, point, max_iterations=max_iterations, memory=config.memory, go_on=watch)
    best = watch.best or last
    network = rename_parameters(objective.network(best.point), config.activation)
    uses_vectors = not learns.all() or bool(centres.vectors.any() or centres.w2.any())
    return CountsTraining(network, tuple(watch.history), best.iteration, config, uses_vectors)


def as_counts(counts: np.ndarray | sparray, *, shape: tuple[int, ...] | None = None) -> csr_array:
    """The counts as a sparse matrix, checked."""
    matrix = csr_array(counts, copy=True)  # type: ignore[arg-type]
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    if shape is not None and matrix.shape != shape:
        raise ShapeError(f"validation counts must have the shape of the others, {shape}; got {matrix.shape}")
    if not np.isfinite(matrix.data).all() or (matrix.data < 0).any():
        raise ValueRangeError("counts must be finite and not negative")
    if matrix.nnz == 0:
        raise ValueRangeError(f"there is no bigram to learn from: all counts of the {matrix.shape} matrix are zero")
    return matrix


def _start(
    counts: csr_array,
    config: CountsConfig,
    vectors: Float[np.ndarray, "context width"] | None,
    is_given: Bool[np.ndarray, " context"] | None,
) -> tuple[BigramNetwork, Bool[np.ndarray, " context"], BigramNetwork]:
    """The network to start from, which of its vectors learn, and where those are pulled."""
    rng, n_contexts = np.random.default_rng(config.seed), counts.shape[0]
    if vectors is not None and config.vectors == "fixed":
        filled, learns = prepare_vectors(vectors, is_given, rng, n_contexts=n_contexts, use=config.vectors)
        network = random_start(filled, counts.sum(axis=0), rng, hidden=config.hidden)
        return network, learns, replace(network, w1=np.zeros_like(network.w1), w2=np.zeros_like(network.w2))
    network = spectral_start(counts, rng, hidden=config.hidden, width=config.width or config.hidden)
    if vectors is None:
        is_given, vectors = np.zeros(n_contexts, bool), np.zeros((n_contexts, 1))
    given = require_vectors(vectors, is_given, n_contexts=n_contexts)
    centres = _centres(network, counts, vectors, given)
    is_read = (counts.sum(axis=1) > 0)[:, None]
    network = replace(network, vectors=np.where(is_read, network.vectors, centres.vectors))
    return network, np.ones(n_contexts, bool), centres


def _centres(
    start: BigramNetwork,
    counts: csr_array,
    given: Float[np.ndarray, "context width"],
    is_given: Bool[np.ndarray, " context"],
) -> BigramNetwork:
    """The point that vectors and output weights are pulled to: what given vectors predict of it, else zero."""
    vectors, w2 = np.zeros_like(start.vectors), np.zeros_like(start.w2)
    by_context, by_token = (growth(counts.sum(axis=axis).astype(np.float64), LEARNT.decay.power) for axis in (1, 0))
    of_vectors = predict_from_vectors(given[is_given], start.vectors[is_given], by_context[is_given])
    if of_vectors is not None:
        vectors[is_given] = of_vectors
    tokens = np.flatnonzero(is_given[: counts.shape[1]])
    of_w2 = predict_from_vectors(given[tokens], start.w2.T[tokens], by_token[tokens])
    if of_w2 is not None:
        w2[:, tokens] = of_w2.T
    return replace(start, vectors=vectors, w2=w2)


class _Watch:
    """Sees every iterate: keeps the history and, with validation counts, the best iterate and whether to go on."""

    def __init__(
        self,
        objective: BigramObjective,
        validation: csr_array | None,
        config: CountsConfig,
        on_step: Callable[[CountsStep], None],
    ) -> None:
        self._objective, self._validation, self._config, self._on_step = objective, validation, config, on_step
        self._best_nats = np.inf
        self.best: Iterate | None = None
        self.history: list[CountsStep] = []

    def __call__(self, iterate: Iterate) -> bool:
        nats = None
        if self._validation is not None and iterate.iteration % self._config.check_every == 0:
            nats = mean_nats(self._objective.network(iterate.point), self._validation)
            if nats < self._best_nats:
                self._best_nats, self.best = nats, iterate
        self.history.append(CountsStep(iterate.iteration, iterate.value / self._objective.n_tokens, nats))
        self._on_step(self.history[-1])
        waited = iterate.iteration - self.best.iteration if self.best else 0
        return waited < self._config.patience * self._config.check_every
