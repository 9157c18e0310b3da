"""Dynamic evaluation: a network that goes on learning from the text it scores.

The text is cut into pieces. Each is scored first, then a copy of the network takes one step on it, and the next piece
is scored by the network as it is then; what a character costs depends only on what came before its piece:

    θ ← θ − rate·g / (r + floor)            g: gradient of the piece's mean surprise
                                            r: root mean square of all g so far, for each number of its own

as in Krause, Kahembwe, Murray and Renals (2018), where r is measured on the training text beforehand. Measured on the
way it does as well, and nothing but the network is needed. A table of which a piece reads only a few rows (its gradient
is sparse) has nearly nothing but zeros to average: r is left out there.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from regard.errors import ValueRangeError
from regard.models.network import NetworkModel, before, log_softmax
from regard.shapes import Float, Int


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
    given, wanted = (torch.from_numpy(x.astype(np.int64)) for x in (before(ids, model.tokeniser), ids))
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
