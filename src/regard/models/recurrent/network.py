"""Recurrent networks: a state that is carried from character to character, and vectors of what was just read.

    g = vectors of the last 2, 3, … n ids, summed          nothing where `contexts` is below 2
    h, state = GRU or LSTM([embedding(id) ; g], state)     layers, width
    logits = W [h ; g] + b

The context vectors g know what usually follows a few characters, which a network without them must work out in its
state; the state is left with what reaches further back. That lets a small network predict as well as a much larger one.

An n-gram gets a vector where the training text has it often enough. Its key writes the ids as digits, the latest first
and each one more than its id, so that no digit of an n-gram is 0 and keys of different lengths differ:

    key(… c b a) = (a+1) + (b+1)·B + (c+1)·B² + …        B = vocab + 1, the largest digit being vocab

    ids              3    0    3    0       vocab 4, B = 5
    digits           4    1    4    1
    keys, length 2   –   21    9   21       1 + 4·5, 4 + 1·5, 1 + 4·5
          length 3   –    –  109   46       9 + 4·25, 21 + 1·25

Row 0 of the table, with key 0, stands for "too rare" and "nothing read there": it is fixed at zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
import torch
from torch import Tensor

from regard.errors import ValueRangeError
from regard.models.background import Background
from regard.models.network import BATCH_SHARE, Network, NetworkModel, State, restore_network, start_id
from regard.models.recurrent.reader import ReaderWeights, RecurrentReader
from regard.shapes import Float, Int

NOTHING = -1
"""Stands for an id where none was read yet; its digit is 0."""
KEY_BITS = 63
START_SD = 0.02


def longest_context(vocab: int, contexts: int) -> int:
    """The longest n-gram up to `contexts` whose key fits into a 64-bit integer.

    >>> longest_context(66, 6), longest_context(256, 12), longest_context(20_000, 6)
    (6, 7, 4)
    """
    base, length = vocab + 1, 0
    while length < contexts and base ** (length + 1) < 2**KEY_BITS:
        length += 1
    return length


def context_keys(
    ids: Int[np.ndarray, " position"], *, vocab: int, contexts: int, least: int = 2, most: int | None = None
) -> Int[np.ndarray, " context"]:
    """The sorted keys of the 2- to `contexts`-grams that a text has at least `least` times, after a 0.

    Where there are more than `most`, those that the text has most often.

    >>> context_keys(np.array([3, 0, 3, 0]), vocab=4, contexts=3)
    array([ 0, 21])
    """
    digits, base = ids.astype(np.int64) + 1, vocab + 1
    keys, counts, found = digits, [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for earlier in range(1, longest_context(vocab, contexts)):
        keys = keys[1:]
        keys = keys + digits[: len(keys)] * base**earlier
        distinct, n_seen = np.unique(keys, return_counts=True)
        found.append(distinct[n_seen >= least])
        counts.append(n_seen[n_seen >= least])
    every, often = np.concatenate(found), np.argsort(-np.concatenate(counts), kind="stable")
    return np.concatenate([[0], np.sort(every[often[:most]])])


class ContextEmbedding(torch.nn.Module):
    """The sum of the vectors of all n-grams, n = 2 … length, that end at each position."""

    keys: Tensor

    def __init__(self, keys: Int[np.ndarray, " context"], *, vocab: int, length: int, width: int) -> None:
        super().__init__()
        self.length, self._base = longest_context(vocab, length), vocab + 1
        self.register_buffer("keys", torch.from_numpy(np.ascontiguousarray(keys, np.int64)))
        # one table for all lengths, summed in one go; its gradient holds only the rows that were read
        self.table = torch.nn.EmbeddingBag(len(keys), width, mode="sum", sparse=True, padding_idx=0)
        with torch.no_grad():
            self.table.weight.normal_(std=START_SD)[0] = 0

    def no_history(self, n_rows: int) -> Int[Tensor, "batch earlier"]:
        """What was read before where nothing was: the `earlier` argument at the start."""
        return torch.full((n_rows, self.length - 1), NOTHING)

    def forward(
        self, ids: Int[Tensor, "batch position"], earlier: Int[Tensor, "batch earlier"]
    ) -> tuple[Float[Tensor, "batch position width"], Int[Tensor, "batch earlier"]]:
        """The vector at each id, and the last length − 1 ids to read on with."""
        together = torch.cat([earlier, ids], dim=1)
        rows = self.rows(together, n_positions=ids.shape[1])
        vectors = self.table(rows.flatten(0, 1)).unflatten(0, ids.shape)
        return vectors, together[:, together.shape[1] - earlier.shape[1] :]

    def rows(self, ids: Int[Tensor, "batch together"], *, n_positions: int) -> Int[Tensor, "batch position context"]:
        """The row of each n-gram that ends at one of the last positions; 0 for those without a vector."""
        keys = self._keys(ids + 1, n_positions)
        places = torch.searchsorted(self.keys, keys, right=True) - 1  # key 0 comes first, so there is always one
        return torch.where(self.keys[places] == keys, places, 0)

    def _keys(self, digits: Int[Tensor, "batch together"], n_positions: int) -> Int[Tensor, "batch position context"]:
        first = self.length - 1
        key, keys = digits[:, first:], []
        for n_before in range(1, self.length):
            digit = digits[:, first - n_before : first - n_before + n_positions]
            # without an id there the n-gram would have the key of a shorter one
            key = torch.where(digit > 0, key + digit * self._base**n_before, 0)
            keys.append(key)
        return torch.stack(keys, dim=2)


LEVELS = 256


class Dropout(torch.nn.Module):
    """In training each entry is 0 with probability `share`, in steps of 1/256; the others grow to make up for it.

    The mean of every entry stays what it is. On a processor torch's own dropout draws a number for each entry, which
    takes four to five times as long; beside a small recurrent layer that is felt.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.n_dropped = round(LEVELS * share)

    def forward(self, x: Float[Tensor, "*axes"]) -> Float[Tensor, "*axes"]:
        """The entries with some of them dropped; in evaluation all as they are."""
        if not self.training or self.n_dropped == 0:
            return x
        batch = BATCH_SHARE.get()
        drawn = random_bytes(x.shape) if batch is None else random_bytes((batch.n_rows, *x.shape[1:]))[batch.own]
        is_kept = drawn >= self.n_dropped
        return x * is_kept.to(x.dtype).mul_(LEVELS / (LEVELS - self.n_dropped))


def random_bytes(shape: tuple[int, ...]) -> Tensor:
    """A random byte for each entry, from torch's common generator."""
    n_bytes = math.prod(shape)
    words = torch.randint(-(2**63), 2**63 - 1, (-(-n_bytes // 8),))
    return words.view(torch.uint8)[:n_bytes].view(shape)


CELLS = {"gru": torch.nn.GRU, "lstm": torch.nn.LSTM}
KEYS = "contexts.keys"
"""The name under which a model keeps its n-grams."""


@dataclass(frozen=True)
class RecurrentConfig:
    """The shape of a recurrent network.

    `contexts` is the longest n-gram that has a vector of its own, 0 or 1 for none. `dropout` acts on what each layer
    puts out, `context_dropout` on the context vectors.
    """

    vocab: int
    cell: Literal["gru", "lstm"] = "lstm"
    width: int = 384
    layers: int = 1
    embedding: int = 128
    dropout: float = 0.0
    contexts: int = 0
    context_width: int = 128
    context_dropout: float = 0.0

    def __post_init__(self) -> None:
        if self.cell not in CELLS:
            raise ValueRangeError(f"the cell must be one of {', '.join(CELLS)}; got {self.cell!r}")
        for name in ("vocab", "width", "layers", "embedding", "context_width"):
            if getattr(self, name) < 1:
                raise ValueRangeError(f"{name} must be at least 1; got {getattr(self, name)}")
        if self.contexts < 0:
            raise ValueRangeError(f"contexts must be 0 (none) or more; got {self.contexts}")
        for name in ("dropout", "context_dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueRangeError(f"{name} must lie in [0, 1); got {getattr(self, name)}")


class RecurrentNetwork(Network):
    """Embedding, GRU or LSTM, linear layer; with `keys` of n-grams, their vectors beside the first and the last.

    The state is (earlier ids, h) or (earlier ids, h, c), each with the batch first; without contexts no ids.
    """

    def __init__(self, config: RecurrentConfig, keys: Int[np.ndarray, " context"] | None = None) -> None:
        super().__init__()
        self.config, self.vocab = config, config.vocab
        beside = config.context_width if config.contexts > 1 else 0
        self.embedding = torch.nn.Embedding(config.vocab, config.embedding)
        self.contexts = _contexts(config, keys)
        self.cell = CELLS[config.cell](
            config.embedding + beside,
            config.width,
            config.layers,
            batch_first=True,
            dropout=config.dropout if config.layers > 1 else 0.0,
        )
        self.output = torch.nn.Linear(config.width + beside, config.vocab)
        self.dropout = Dropout(config.dropout)
        self.context_dropout = Dropout(config.context_dropout)

    def sparse_parameters(self) -> Iterator[torch.nn.Parameter]:
        """The table of context vectors, of which a step moves only the rows that were read."""
        return iter(()) if self.contexts is None else self.contexts.parameters()

    def forward(
        self, ids: Int[Tensor, "batch position"], state: State | None = None
    ) -> tuple[Float[Tensor, "batch position vocab"], State]:
        """The logits of what follows each id, and the state to read on with."""
        inputs = self.embedding(ids)
        if self.contexts is None:
            hidden, carried = self._run_cell(inputs, state)
            return self.output(self.dropout(hidden)), carried
        earlier, before = (self.contexts.no_history(len(ids)), None) if state is None else (state[0], state[1:])
        context, last = self.contexts(ids, earlier)
        context = self.context_dropout(context)
        hidden, carried = self._run_cell(torch.cat([inputs, context], dim=2), before)
        return self.output(torch.cat([self.dropout(hidden), context], dim=2)), (last, *carried)

    def _run_cell(
        self, inputs: Float[Tensor, "batch position width"], carried: State | None
    ) -> tuple[Float[Tensor, "batch position hidden"], State]:
        """What the layers put out, and their state; torch wants the layer first in a state, we the batch."""
        given = None if carried is None else tuple(part.transpose(0, 1).contiguous() for part in carried)
        is_lstm = self.config.cell == "lstm"
        hidden, after = self.cell(inputs, given if given is None or is_lstm else given[0])
        return hidden, tuple(part.transpose(0, 1) for part in (after if is_lstm else (after,)))


def _contexts(config: RecurrentConfig, keys: Int[np.ndarray, " context"] | None) -> ContextEmbedding | None:
    """The context vectors of a network, if it has any."""
    if config.contexts < 2:
        return None
    if keys is None:
        raise ValueRangeError(f"a network with contexts up to {config.contexts} needs the keys of its n-grams")
    return ContextEmbedding(keys, vocab=config.vocab, length=config.contexts, width=config.context_width)


@dataclass(frozen=True, repr=False)
class RecurrentModel(NetworkModel):
    """A language model whose predictions are a recurrent network's; the network must not be trained further."""

    kind: ClassVar[str] = "recurrent"
    network: RecurrentNetwork
    background: Background

    @cached_property
    def _weights(self) -> ReaderWeights:
        config, contexts = self.network.config, self.network.contexts
        n_contexts = 0 if contexts is None else contexts.length
        return ReaderWeights.of(self.arrays(), cell=config.cell, layers=config.layers, n_contexts=n_contexts)

    def reader(self) -> RecurrentReader:
        """A reader that has read nothing yet."""
        return RecurrentReader(self._weights, start=start_id(self.tokeniser))

    def config(self) -> dict[str, Any]:
        """The shape of the network."""
        return asdict(self.network.config)

    @classmethod
    def restore(cls, config: dict[str, Any], arrays: dict[str, np.ndarray], background: Background) -> RecurrentModel:
        """The model that `config` and `arrays` came from, in the precision of the arrays."""
        network = restore_network(
            RecurrentConfig,
            lambda chosen: RecurrentNetwork(chosen, arrays.get(KEYS)),
            config,
            arrays,
            name="recurrent network",
        )
        return cls(network, background)
