"""The smallest network that learns, and a run's task made with it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor

from regard.models.network import Network, NetworkModel, State
from regard.training.network.batches import StreamBatches
from regard.training.network.run import NetworkTask
from regard.training.network.schedule import ScheduleConfig
from regard.training.network.validation import NetworkText, encode_training_text
from tests.support.texts import VERSE

torch.set_num_threads(1)  # for a second one such small networks only wait


@dataclass(frozen=True)
class TinyConfig:
    vocab: int
    width: int = 8
    dropout: float = 0.0
    is_sparse: bool = False


class TinyNetwork(Network):
    """Embedding, GRU, linear layer; the embedding's gradient may be sparse."""

    def __init__(self, config: TinyConfig) -> None:
        super().__init__()
        self.vocab, self.config = config.vocab, config
        self.embedding = torch.nn.Embedding(config.vocab, config.width, sparse=config.is_sparse)
        self.cell = torch.nn.GRU(config.width, config.width, batch_first=True)
        self.dropout = torch.nn.Dropout(config.dropout)
        self.output = torch.nn.Linear(config.width, config.vocab)

    def sparse_parameters(self) -> list[Tensor]:
        return [self.embedding.weight] if self.config.is_sparse else []

    def forward(self, ids: Tensor, state: State | None = None) -> tuple[Tensor, State]:
        carried = None if state is None else state[0].transpose(0, 1).contiguous()
        hidden, carried = self.cell(self.embedding(ids), carried)
        return self.output(self.dropout(hidden)), (carried.transpose(0, 1),)


@dataclass(frozen=True)
class TinyModel(NetworkModel):
    """Just enough of a model to be saved."""

    kind = "tiny"

    def config(self) -> dict[str, Any]:
        return asdict(self.network.config)

    def reader(self) -> Any:
        raise NotImplementedError

    @classmethod
    def restore(cls, config: Any, arrays: Any, background: Any) -> Any:
        raise NotImplementedError


def tiny_task(
    text: str | NetworkText = VERSE, *, n_rows: int = 4, length: int = 16, config: Any = None, **schedule: Any
) -> NetworkTask:
    """A task of a few steps."""
    seen = encode_training_text(text, unit="char") if isinstance(text, str) else text
    how = ScheduleConfig(**({"learning_rate": 0.02, "checkpoints": 3} | schedule))
    settings = TinyConfig(seen.vocab, **(config or {}))
    torch.manual_seed(how.seed)
    return NetworkTask(
        network=TinyNetwork(settings),
        config=settings,
        schedule=how,
        batches=StreamBatches(seen.learn, start_id=seen.start_id, n_rows=n_rows, length=length, seed=how.seed),
        background=seen.background,
        validation=seen.validation,
        start_id=seen.start_id,
        as_model=lambda network: TinyModel(network, seen.background),
        characters_per_id=seen.characters_per_id,
    )
