"""What the networks share: a torch module that reads ids and carries a state, seen as a language model.

ids       s  T  o  ·  b          s: the start id, as if a line had just ended
predicts  T  o  ·  b  e          every id is predicted from all ids before it
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from regard.display import one_line, short
from regard.errors import CheckpointError, ValueRangeError
from regard.models.background import Background
from regard.models.base import POSITIONS_AT_ONCE, LanguageModel, select_log_probs
from regard.shapes import Float, Int
from regard.text.tokenise.tokens import Tokeniser


@dataclass(frozen=True)
class BatchShare:
    """The rows of a batch that this process reads, and how many there are in all."""

    own: slice
    n_rows: int


BATCH_SHARE: ContextVar[BatchShare | None] = ContextVar("BATCH_SHARE", default=None)
"""What is dropped at random is drawn for the whole batch, so that processes drop together what one alone would drop."""


@dataclass(frozen=True)
class DynamicConfig:
    """How fast a network learns from the text it scores, and how many ids at a time."""

    rate: float = 6e-4
    piece: int = 64
    floor: float = 1e-3

    def __post_init__(self) -> None:
        if not (self.rate >= 0 and self.piece >= 1 and self.floor > 0):
            raise ValueRangeError(
                "dynamic evaluation needs a rate of 0 or more, a piece of 1 or more ids and a floor above 0; "
                f"got {self.rate}, {self.piece} and {self.floor}"
            )


def dynamic_log_probs(
    model: NetworkModel, ids: Int[np.ndarray, " position"], config: DynamicConfig
) -> Iterator[Float[np.ndarray, "position vocab"]]:
    """ln p of every id at each position, piece by piece; the model itself does not change."""
    network, place = deepcopy(model.network), 0
    steps = [Steps(parameter, config) for parameter in network.parameters()]
    given, wanted = (torch.from_numpy(x.astype(np.int64)) for x in (previous_ids(ids, model.tokeniser), ids))
    for logits in model.logits_along(network, given, size=config.piece):
        yield log_softmax(logits.detach())
        network.zero_grad()
        cross_entropy(logits, wanted[place : place + len(logits)]).backward()
        place += len(logits)
        with torch.no_grad():
            for step in steps:
                step.take()


@dataclass
class Steps:
    """One parameter on its way, with the mean square of its gradients so far."""

    parameter: torch.nn.Parameter
    config: DynamicConfig
    squares: Tensor | None = field(default=None, init=False)
    n_taken: int = field(default=0, init=False)

    def take(self) -> None:
        """θ ← θ − rate·g / (r + floor)."""
        gradient, config = self.parameter.grad, self.config
        self.n_taken += 1
        if gradient is None:
            return
        if gradient.is_sparse:
            self.parameter.add_(gradient, alpha=-config.rate / config.floor)
            return
        if self.squares is None:
            self.squares = torch.zeros_like(gradient)
        self.squares.addcmul_(gradient, gradient)
        scale = self.squares.div(self.n_taken).sqrt_().add_(config.floor)
        self.parameter.addcdiv_(gradient, scale, value=-config.rate)


State: TypeAlias = tuple[Tensor, ...]
"""What a network keeps of the ids it has read; the first axis of every tensor is the batch."""


class Network(torch.nn.Module, ABC):
    """Reads ids, carries a state, says what comes next."""

    vocab: int

    @abstractmethod
    def forward(
        self, ids: Int[Tensor, "batch position"], state: State | None = None
    ) -> tuple[Float[Tensor, "batch position vocab"], State]:
        """The logits of what follows each id, and the state to read on with; None: nothing was read before."""


def start_id(tokeniser: Tokeniser) -> int:
    """The id that stands before a text: the end of a line, or the unknown id where no text had one."""
    if tokeniser.line_end is not None:
        return tokeniser.line_end
    line_break = tokeniser.encode("\n").ids
    return int(line_break[0]) if len(line_break) else 0


def previous_ids(ids: Int[np.ndarray, " position"], tokeniser: Tokeniser) -> Int[np.ndarray, " position"]:
    """The id that precedes each id."""
    return np.concatenate([[start_id(tokeniser)], ids[:-1]]) if len(ids) else ids


@dataclass(frozen=True, repr=False)
class NetworkModel(LanguageModel):
    """A language model whose predictions are a network's."""

    network: Network
    background: Background

    def __post_init__(self) -> None:
        n_tokens = len(self.background.tokeniser.vocabulary)
        if self.network.vocab != n_tokens:
            raise CheckpointError(
                f"the network predicts {self.network.vocab} tokens and its tokeniser has {n_tokens}; "
                "they do not belong together"
            )
        self.network.eval()

    @property
    def can_adapt(self) -> bool:
        """Every network can: by dynamic evaluation."""
        return True

    def next_log_probs_along(self, ids: Int[np.ndarray, " position"]) -> Iterator[Float[np.ndarray, "position vocab"]]:
        """ln p(every id | all ids before) at each position, piece by piece."""
        given, state = torch.from_numpy(previous_ids(ids, self.tokeniser).astype(np.int64)), None
        for piece in given.split(POSITIONS_AT_ONCE) if len(given) else ():
            with torch.inference_mode():
                logits, state = self.network(piece[None], state)
            yield log_softmax(logits[0])

    def token_log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """ln p(idᵢ | all ids before it) for each i."""
        return select_log_probs(self.next_log_probs_along(ids), ids)

    def adaptive_log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """ln p(idᵢ | all before) by a copy of the network that takes a small training step after each piece of text."""
        return select_log_probs(self.adaptive_next_log_probs_along(ids), ids)

    def adaptive_next_log_probs_along(
        self, ids: Int[np.ndarray, " position"], *, settings: Mapping[str, Any] | None = None
    ) -> Iterator[Float[np.ndarray, "position vocab"]]:
        """ln p of every id by that copy, piece by piece; `settings` are those of a `DynamicConfig`."""
        return dynamic_log_probs(self, ids, DynamicConfig(**(settings or {})))

    def logits_along(
        self, network: Network, given: Int[Tensor, " position"], *, size: int
    ) -> Iterator[Float[Tensor, "position vocab"]]:
        """What follows each id by `network`, which may change between pieces of at most `size` ids; for gradients."""
        state: State | None = None
        for piece in given.split(size) if len(given) else ():
            logits, after = network(piece[None], state)
            state = tuple(part.detach() for part in after)
            yield logits[0]

    def arrays(self) -> dict[str, np.ndarray]:
        """The parameters and buffers of the network, by name."""
        return {name: value.detach().cpu().numpy() for name, value in self.network.state_dict().items()}


def log_softmax(logits: Float[Tensor, "position vocab"]) -> Float[np.ndarray, "position vocab"]:
    """In float64, so that probabilities sum to one to the last digit."""
    return torch.log_softmax(logits.double(), dim=-1).numpy()


AGAIN = "train the model again"
AnyConfig = TypeVar("AnyConfig")
AnyNetwork = TypeVar("AnyNetwork", bound=Network)


def restore_network(
    config: Callable[..., AnyConfig],
    make: Callable[[AnyConfig], AnyNetwork],
    settings: dict[str, Any],
    arrays: dict[str, np.ndarray],
    *,
    name: str,
) -> AnyNetwork:
    """The network that was saved, in the precision of its arrays; CheckpointError where settings and arrays disagree.

    Its sizes are compared with those of the arrays before memory is taken for it: a setting of a billion, in a file
    that somebody has changed, would take all there is.
    """
    most = sum(array.size for array in arrays.values())
    for key, value in settings.items():
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if is_whole and (value > most or (key == "layers" and value > len(arrays))):
            raise CheckpointError(f"the model's {key} is {short(value)}, more than its file has numbers for; {AGAIN}")
    try:
        chosen = config(**settings)
        with torch.device("meta"):  # shapes without numbers
            _require_shapes(make(chosen), arrays)
        network = make(chosen)
    except (TypeError, ValueRangeError, RuntimeError) as error:
        raise CheckpointError(f"these are no settings of a {name}: {one_line(str(error))}; train it again") from error
    if any(array.dtype == np.float64 for array in arrays.values()):
        network = network.double()
    load_arrays(network, arrays)
    return network


def load_arrays(network: Network, arrays: dict[str, np.ndarray]) -> None:
    """Give a network the numbers of a saved one; CheckpointError where names or shapes differ."""
    _require_shapes(network, arrays)
    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in arrays.items()})


def _require_shapes(network: Network, arrays: dict[str, np.ndarray]) -> None:
    wanted = {name: tuple(value.shape) for name, value in network.state_dict().items()}
    found: dict[str, Any] = {name: array.shape for name, array in arrays.items()}
    if wanted != found:
        name = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))[0]
        raise CheckpointError(
            f"the model's {name!r} should have shape {wanted.get(name)}, the file has {found.get(name)}; {AGAIN}"
        )
