"""A run of training an averaging classifier as files, so that it can go on where it stopped.

training.json          settings, checksum of the texts, and the rounds so far
training.safetensors   the network as it is now and after its best round, and the optimiser's moments

Both change at once, after each round, in a folder of their own inside the one that the classifier is to be written to;
they are gone once it is. The n-grams' part is not in them: it is found again in seconds, always the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from regard.errors import CheckpointError
from regard.models.classifier.averaging import AveragingClassifier
from regard.models.classifier.network import AveragingNetwork
from regard.models.folder import FORMAT, json_bytes, parse_tensors, tensor_bytes, under
from regard.models.folder_writer import START_OVER, ModelFolder, read_run_files
from regard.records import LabelledTexts
from regard.shapes import Bool, Float, Int
from regard.training.averaging.config import AveragingConfig
from regard.training.network.processes import Processes

ALONE = Processes()


class WordTexts(NamedTuple):
    """Known words of texts one after another, as rows of the table; for each text its label, and what is known already.

    `base_logits` are logits from elsewhere, to which the network adds its own: what the n-grams say, or zeros.
    """

    rows: Int[np.ndarray, " word"]
    offsets: Int[np.ndarray, " bound"]
    label_ids: Int[np.ndarray, " batch"]
    base_logits: Float[np.ndarray, "batch label"]

    def select(self, texts: Int[np.ndarray, " batch"]) -> WordTexts:
        """These texts, in this order."""
        places, offsets = find_places(self.offsets, texts)
        return WordTexts(self.rows[places], offsets, self.label_ids[texts], self.base_logits[texts])

    def drop_words(self, is_kept: Bool[np.ndarray, " word"]) -> WordTexts:
        """Only some of the words of each text."""
        offsets = np.concatenate([[0], np.cumsum(is_kept)])[self.offsets]
        return WordTexts(self.rows[is_kept], offsets, self.label_ids, self.base_logits)


def find_places(
    offsets: Int[np.ndarray, " bound"], texts: Int[np.ndarray, " batch"]
) -> tuple[Int[np.ndarray, " word"], Int[np.ndarray, " chosen"]]:
    """The places of the words of these texts, and where each text's begin among them.

    >>> find_places(np.array([0, 2, 5]), np.array([1, 0]))
    (array([2, 3, 4, 0, 1]), array([0, 3, 5]))
    """
    counts = np.diff(offsets)[texts]
    found = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    return np.repeat(offsets[texts] - found[:-1], counts) + np.arange(found[-1]), found


@dataclass(frozen=True)
class Round:
    """How training stands after a round: mean loss in training, loss and accuracy on the validation texts."""

    epoch: int
    train_nats: float
    valid_nats: float
    valid_accuracy: float


@dataclass
class TrainingState:
    """The rounds so far, and the network after the best of them."""

    rounds: list[Round] = field(default_factory=list)
    best: dict[str, Tensor] = field(default_factory=dict)

    @property
    def best_round(self) -> Round:
        """The one after which validation texts cost least."""
        return min(self.rounds, key=lambda each: each.valid_nats)

    def is_over(self, config: AveragingConfig) -> bool:
        """Whether all rounds are done, or the last ones brought nothing."""
        done = len(self.rounds)
        return done >= config.epochs or (done > 0 and done - self.best_round.epoch >= config.patience)


def make_optimiser(network: AveragingNetwork, config: AveragingConfig) -> torch.optim.Optimizer:
    """Adam for all that learns, with a rate of its own for the vectors; those that are to stay do not take part."""
    network.vectors.requires_grad_(config.fine_tune)
    others = [parameter for name, parameter in network.named_parameters() if name != "vectors"]
    groups = [{"params": others, "lr": config.learning_rate, "rate": config.learning_rate}]
    if config.fine_tune:
        groups.append({"params": [network.vectors], "lr": config.vector_rate, "rate": config.vector_rate})
    return torch.optim.Adam(groups, fused=True)


def learn(
    network: AveragingNetwork,
    optimiser: torch.optim.Optimizer,
    train: WordTexts,
    valid: WordTexts,
    config: AveragingConfig,
    *,
    state: TrainingState | None = None,
    on_round: Callable[[Round], None] | None = None,
    save_state: Callable[[TrainingState, AveragingNetwork, torch.optim.Optimizer], None] | None = None,
    processes: Processes = ALONE,
) -> TrainingState:
    """Train until it is over, leaving the network as it was after its best round.

    Several `processes` share the texts of each batch, and take the same steps as one that had them all.
    Every round draws from generators of its own, made of seed and round: a run that goes on after any of them ends in
    the same bits.
    """
    state = state or TrainingState()
    while not state.is_over(config):
        epoch = len(state.rounds) + 1
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed * 100_003 + epoch)
            train_nats = train_round(network, optimiser, train, config, epoch, processes)
        state.rounds.append(Round(epoch, train_nats, *measure(network, valid)))
        if state.best_round.epoch == epoch:
            state.best = {name: tensor.detach().clone() for name, tensor in network.state_dict().items()}
        if save_state is not None:
            save_state(state, network, optimiser)
        if on_round is not None:
            on_round(state.rounds[-1])
    network.load_state_dict(state.best)
    return state


def train_round(
    network: AveragingNetwork,
    optimiser: torch.optim.Optimizer,
    texts: WordTexts,
    config: AveragingConfig,
    epoch: int,
    processes: Processes = ALONE,
) -> float:
    """Each text once, in a new order; rates fall along a straight line that reaches zero after the last round."""
    rng = np.random.default_rng([config.seed, epoch])
    network.train()
    order, losses = rng.permutation(len(texts.label_ids)), []
    n_batches = -(-len(order) // config.batch_size)
    for i, batch in enumerate(draw_batches(texts, order, config, rng)):
        left = 1 - (epoch - 1 + i / n_batches) / config.epochs
        for group in optimiser.param_groups:
            group["lr"] = group["rate"] * left
        optimiser.zero_grad()
        losses.append(add_gradients(network, batch, processes))
        optimiser.step()
    return float(np.mean(losses))


def add_gradients(network: AveragingNetwork, batch: WordTexts, processes: Processes) -> float:
    """Add the gradients of a batch's mean loss to the network, whichever process reads which texts; return the loss."""
    if processes.size == 1:
        loss = loss_of(network, batch)
        loss.backward()
        return loss.item()
    n_texts = len(batch.label_ids)
    network.dropout.n_rows, network.dropout.own = n_texts, processes.share(n_texts)
    own = batch.select(np.arange(n_texts)[network.dropout.own])
    loss = loss_of(network, own, reduction="sum") / n_texts
    network.dropout.n_rows = None
    loss.backward()
    total = loss.detach().clone()
    processes.sum_in_place([*(p.grad for p in network.parameters() if p.grad is not None), total])
    return total.item()


def draw_batches(
    texts: WordTexts, order: Int[np.ndarray, " batch"], config: AveragingConfig, rng: np.random.Generator
) -> Iterator[WordTexts]:
    """The texts in this order, this many at a time, each with some of its words left out."""
    for first in range(0, len(order), config.batch_size):
        some = texts.select(order[first : first + config.batch_size])
        if config.word_dropout:
            some = some.drop_words(rng.random(len(some.rows), np.float32) >= config.word_dropout)
        yield some


def logits_of(network: AveragingNetwork, texts: WordTexts) -> Float[Tensor, "batch label"]:
    """The logits of each text: the base logits plus what the network adds to them."""
    rows, offsets = (torch.from_numpy(np.ascontiguousarray(part, np.int64)) for part in texts[:2])
    return network(rows, offsets) + torch.from_numpy(texts.base_logits)


def loss_of(network: AveragingNetwork, texts: WordTexts, *, reduction: str = "mean") -> Tensor:
    """Mean (or sum) of −ln p(true label)."""
    labels = torch.from_numpy(texts.label_ids)
    return torch.nn.functional.cross_entropy(logits_of(network, texts), labels, reduction=reduction)


def measure(network: AveragingNetwork, texts: WordTexts) -> tuple[float, float]:
    """Mean of −ln p(true label), and accuracy, with nothing left out."""
    network.eval()
    with torch.no_grad():
        answers = logits_of(network, texts).argmax(dim=1).numpy()
        return loss_of(network, texts).item(), float((answers == texts.label_ids).mean())


SETTINGS, TENSORS = "training.json", "training.safetensors"


def data_digest(data: LabelledTexts) -> str:
    """A checksum of texts, labels and their order."""
    digest = hashlib.sha256(json.dumps(data.labels).encode())
    digest.update(np.ascontiguousarray(data.label_ids, np.int64).tobytes())
    for text in data.texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()


def write_state(
    place: ModelFolder,
    state: TrainingState,
    network: AveragingNetwork,
    optimiser: torch.optim.Optimizer,
    *,
    config: AveragingConfig,
    data_sha256: str,
) -> None:
    """Write where the run stands."""
    settings = {
        "config": asdict(config),
        "data_sha256": data_sha256,
        "rounds": [asdict(each) for each in state.rounds],
    }
    tensors = {f"now.{name}": tensor for name, tensor in network.state_dict().items()}
    tensors |= {f"best.{name}": tensor for name, tensor in state.best.items()}
    for number, moments in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{number}.{name}": tensor for name, tensor in moments.items()}
    arrays = {name: tensor.detach().numpy() for name, tensor in tensors.items()}
    place.keep_apart()  # it is no classifier yet
    ours = {"format": FORMAT, "kind": AveragingClassifier.kind}
    files = {SETTINGS: json_bytes(settings), TENSORS: tensor_bytes(arrays)}
    place.save({"regard": ours}, files, is_complete=False)


def read_state(
    folder: Path | None,
    network: AveragingNetwork,
    optimiser: torch.optim.Optimizer,
    *,
    config: AveragingConfig,
    data_sha256: str,
) -> TrainingState:
    """Put network and optimiser where the run stands that is to go on; where there is none, at the start."""
    found = None if folder is None else read_run_files(folder, (SETTINGS, TENSORS))
    if folder is None or found is None:
        return TrainingState()
    saved = found.json(SETTINGS)
    _require_same(folder, saved, config, data_sha256)
    tensors = parse_tensors(found.need(TENSORS), folder / TENSORS)
    try:
        rounds = [Round(**each) for each in saved["rounds"]]
        network.load_state_dict(_to_tensors(under("now.", tensors)))
        _restore(optimiser, under("optimiser.", tensors))
    except (KeyError, TypeError, RuntimeError) as error:
        raise CheckpointError(f"{folder} is damaged ({error}); {START_OVER}") from error
    return TrainingState(rounds, _to_tensors(under("best.", tensors)))


def _require_same(folder: Path, saved: dict[str, Any], config: AveragingConfig, data_sha256: str) -> None:
    if saved.get("data_sha256") != data_sha256:
        raise CheckpointError(f"{folder} was begun on other texts; {START_OVER}")
    begun = saved.get("config") or {}
    for name, value in asdict(config).items():
        if begun.get(name) != value:
            raise CheckpointError(
                f"{folder} was begun with {name} {begun.get(name)}, now {value} is asked for; "
                f"use the same, or {START_OVER}"
            )


def _restore(optimiser: torch.optim.Optimizer, arrays: dict[str, np.ndarray]) -> None:
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in _to_tensors(arrays).items():
        place, moment = name.split(".", 1)
        state.setdefault(int(place), {})[moment] = tensor
    optimiser.load_state_dict({**optimiser.state_dict(), "state": state})


def _to_tensors(arrays: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
