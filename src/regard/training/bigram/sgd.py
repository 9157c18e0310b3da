"""The course's trainer of the neural bigram model: stochastic gradient descent on small batches.

Batches of 50 examples drawn with replacement, a step of 0.3 along the batch's mean gradient, halved every 20,000
iterations, 40,000 iterations in all, a checkpoint every 5,000. A checkpoint holds everything that the rest of the run
depends on, the generator's state included: a run that goes on from one ends in the very same bits.

A run is kept as files beside its model, so that it can go on where it stopped, with the same settings and text, for as
many iterations as are asked for:

training.json          iteration, settings, checksum of the training text, the generator's state, the history
training.safetensors   the loss of every batch so far, and which vectors learn; the network itself is the model's
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.arrays.namespace import threads_for
from regard.display import short_repr
from regard.errors import CheckpointError, ShapeError, ValueRangeError, VocabularyError
from regard.models.bigram import (
    ACTIVATIONS,
    PARAMETERS,
    ActivationName,
    BigramModel,
    BigramNetwork,
    check_activation,
    rename_parameters,
)
from regard.models.checkpoint import restore_language_model
from regard.models.folder import MODEL_FILES, json_bytes, parse_tensors, tensor_bytes
from regard.models.folder_writer import START_OVER, read_run_files
from regard.records import TrainingStep
from regard.shapes import Bool, Float, Int
from regard.training.bigram.start import VectorUse, check_use, prepare_vectors, random_start

if TYPE_CHECKING:
    from regard.training.bigram.train import BigramTask


SETTINGS, TENSORS = "training.json", "training.safetensors"


def state_files(checkpoint: SgdCheckpoint, task: BigramTask, history: list[TrainingStep]) -> dict[str, bytes]:
    """The two files, by name."""
    settings = {
        "iteration": checkpoint.iteration,
        "config": asdict(task.config),
        "text_sha256": task.background.digest.sha256,
        "generator_state": checkpoint.generator_state,
        "history": [asdict(step) for step in history],
    }
    tensors = {"losses": checkpoint.losses, "learns": checkpoint.learns}
    return {SETTINGS: json_bytes(settings), TENSORS: tensor_bytes(tensors)}


def read_state(folder: Path, task: BigramTask) -> tuple[SgdCheckpoint, list[TrainingStep]] | None:
    """Where the run for `folder` stands, and its history; None where there is none.

    CheckpointError where it is of another text or setting.
    """
    found = read_run_files(folder, (*MODEL_FILES, SETTINGS, TENSORS))
    if found is None:
        return None
    model, settings = restore_language_model(found), found.json(SETTINGS)
    tensors = parse_tensors(found.need(TENSORS), folder / TENSORS)
    if not isinstance(model, BigramModel):
        raise CheckpointError(f"{folder} holds a model of kind {model.kind!r}; expected a bigram model to go on with")
    if settings.get("text_sha256") != task.background.digest.sha256:
        raise CheckpointError(f"{folder} was begun on another text; {START_OVER}")
    for name, value in asdict(task.config).items():
        # More iterations may be asked for: the length of a step does not depend on how many are to come.
        if name != "iterations" and settings["config"].get(name) != value:
            raise CheckpointError(
                f"{folder} was begun with {name} {settings['config'].get(name)}, now {value} is asked for; "
                f"use the same, or {START_OVER}"
            )
    history = [TrainingStep(**step) for step in settings["history"]]
    state = settings["generator_state"]
    return SgdCheckpoint(settings["iteration"], model.network, tensors["learns"], tensors["losses"], state), history


@dataclass(frozen=True)
class SgdConfig:
    """The course's recipe. Learnt vectors have `width` numbers; given ones bring their own, and learn if tuned."""

    hidden: int = 50
    width: int = 50
    activation: ActivationName = "sigmoid"
    vectors: VectorUse = "fixed"
    batch: int = 50
    step: float = 0.3
    halve_every: int = 20_000
    iterations: int = 40_000
    checkpoint_every: int = 5_000
    seed: int = 0

    def __post_init__(self) -> None:
        check_activation(self.activation)
        check_use(self.vectors)
        for name in ("hidden", "width", "batch", "halve_every", "iterations", "checkpoint_every"):
            if getattr(self, name) < 1:
                raise ValueRangeError(f"{name} must be at least 1; got {getattr(self, name)}")
        if not 0 < self.step < np.inf:
            raise ValueRangeError(f"the step must be a positive number; got {self.step}")

    def step_at(self, iteration: int) -> float:
        """The length of the step of iteration 0, 1, …: halved every `halve_every`."""
        return self.step * 0.5 ** (iteration // self.halve_every)


@dataclass(frozen=True)
class Examples:
    """Pairs of a context and the token that followed it, and how many different ones there are of each."""

    contexts: Int[np.ndarray, " position"]
    targets: Int[np.ndarray, " position"]
    n_contexts: int
    vocab: int

    def __post_init__(self) -> None:
        if not len(self.contexts) == len(self.targets) > 0:
            sizes = f"{len(self.contexts)} contexts and {len(self.targets)} targets"
            raise ShapeError(f"each context needs one target, and there must be at least one pair; got {sizes}")
        for name, ids, size in (("contexts", self.contexts, self.n_contexts), ("targets", self.targets, self.vocab)):
            if ids.min() < 0 or ids.max() >= size:
                raise VocabularyError(f"{name} must be ids from 0 to {size - 1}; got {ids.min()} to {ids.max()}")


@short_repr
@dataclass(frozen=True)
class SgdCheckpoint:
    """A run after `iteration` iterations: all that the rest of it depends on, beside examples and config.

    `losses[i]` is the mean cross-entropy of batch i before its step, in nats. `generator_state` is that of the bit
    generator, made of plain numbers and words. `learns` tells which vectors do.
    """

    iteration: int
    network: BigramNetwork
    learns: Bool[np.ndarray, " context"]
    losses: Float[np.ndarray, " iteration"]
    generator_state: dict[str, Any]


def start_sgd(
    examples: Examples,
    *,
    config: SgdConfig,
    vectors: Float[np.ndarray, "context width"] | None = None,
    is_given: Bool[np.ndarray, " context"] | None = None,
) -> SgdCheckpoint:
    """Iteration 0: random weights, the tokens' own frequencies, the given vectors and random ones where none are."""
    rng = np.random.default_rng(config.seed)
    if vectors is None:
        vectors, is_given = np.zeros((examples.n_contexts, config.width)), np.zeros(examples.n_contexts, bool)
    filled, learns = prepare_vectors(vectors, is_given, rng, n_contexts=examples.n_contexts, use=config.vectors)
    n_written = np.bincount(examples.targets, minlength=examples.vocab)
    network = rename_parameters(random_start(filled, n_written, rng, hidden=config.hidden), config.activation)
    return SgdCheckpoint(0, network, learns, np.zeros(0, np.float32), dict(rng.bit_generator.state))


def run_sgd(examples: Examples, start: SgdCheckpoint, *, config: SgdConfig) -> Iterator[SgdCheckpoint]:
    """Every checkpoint of the run that goes on from `start`; the last one holds the trained network."""
    network, losses = _copy(start.network), list(start.losses)
    rng = np.random.default_rng()
    rng.bit_generator.state = start.generator_state
    for iteration in range(start.iteration, config.iterations):
        drawn = rng.integers(0, len(examples.targets), size=config.batch)
        contexts, targets = examples.contexts[drawn], examples.targets[drawn]
        with threads_for(float(config.batch * network.w2.size)):
            losses.append(descend(network, contexts, targets, step=config.step_at(iteration), learns=start.learns))
        done = iteration + 1
        if done % config.checkpoint_every == 0 or done == config.iterations:
            state = dict(rng.bit_generator.state)
            yield SgdCheckpoint(done, _copy(network), start.learns, np.array(losses, np.float32), state)


def descend(
    network: BigramNetwork,
    contexts: Int[np.ndarray, " batch"],
    targets: Int[np.ndarray, " batch"],
    *,
    step: float,
    learns: Bool[np.ndarray, " context"],
) -> float:
    """The batch's mean cross-entropy; the network's arrays then move one step along its gradient, in place.

    `forward` and `backward` of the model with fewer passes over the vocabulary: with e the exponentials of a row and s
    their sum, δ = ŷ − y = (e − s·y)/s, and the factor step/(s·batch) goes to the few hidden units.
    """
    x, each = network.vectors[contexts], np.arange(len(targets))
    value, derivative = ACTIVATIONS[network.activation]
    hidden = value(x @ network.w1 + network.b1)
    delta = hidden @ network.w2
    delta += network.b2
    delta -= delta.max(axis=1, keepdims=True)
    predicted = delta[each, targets]
    np.exp(delta, out=delta)
    total = delta.sum(axis=1)
    delta[each, targets] -= total
    factor = (step / len(targets) / total).astype(delta.dtype)
    dz = (delta @ network.w2.T) * derivative(hidden) * factor[:, None]
    moved = dz @ network.w1.T * learns[contexts][:, None]
    network.w2[...] -= (hidden * factor[:, None]).T @ delta
    network.b2[...] -= factor @ delta
    network.w1[...] -= x.T @ dz
    network.b1[...] -= dz.sum(axis=0)
    if moved.any():  # only the vectors that were read change; one that was read twice moves twice
        np.subtract.at(network.vectors, contexts, moved)
    return float((np.log(total) - predicted).mean())


def _copy(network: BigramNetwork) -> BigramNetwork:
    """A network that shares no array with this one."""
    return replace(network, **{name: getattr(network, name).copy() for name in PARAMETERS})
