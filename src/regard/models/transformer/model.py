"""The Transformer character model: a network that reads windows, seen as a language model of texts of any length.

A text is read in windows of `context` ids. The first window predicts at all of its places, every later one starts
`stride` ids further on and predicts at its last `stride` places, so that each id is predicted once, and all but the
first ones from at least context − stride ids. With context 4 and stride 2:

    ids         s  0  1  2  3  4  5  6  7        s: the start id, before the text
    window 0    s  0  1  2                       predicts  0 1 2 3
    window 1          1  2  3  4                 predicts          4 5
    window 2                3  4  5  6           predicts              6 7

Whoever reads id by id (`TransformerReader`) goes by the same windows: scoring and sampling agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from regard.errors import CheckpointError, ValueRangeError
from regard.models.base import Background, ForeignFiles
from regard.models.network import Network, NetworkModel, before, load_arrays, log_softmax, start_id
from regard.models.transformer.network import TransformerConfig, TransformerNetwork
from regard.models.transformer.reader import TransformerReader
from regard.shapes import Float, Int

IDS_AT_ONCE = 2048
"""As many windows are read together as have about this many ids; with more, a layer's numbers outgrow the cache."""


@dataclass(frozen=True, repr=False)
class TransformerModel(NetworkModel):
    """A language model whose predictions are a Transformer's."""

    kind: ClassVar[str] = "transformer"
    network: TransformerNetwork

    def next_log_probs_along(self, ids: Int[np.ndarray, " position"]) -> Iterator[Float[np.ndarray, "position vocab"]]:
        """ln p(every id | the ids before it in its window) at each position, piece by piece."""
        given = torch.from_numpy(before(ids, self.tokeniser).astype(np.int64))
        for windows, n_predicted in scoring_windows(given, self.network.config):
            with torch.inference_mode():
                logits, _ = self.network(windows)
            yield log_softmax(logits[:, -n_predicted:].flatten(0, 1))

    def logits_along(
        self, network: Network, given: Int[Tensor, " position"], *, size: int
    ) -> Iterator[Float[Tensor, "position vocab"]]:
        """What follows each id by `network`, window by window; of a first window, at most `size` ids at a time."""
        for windows, n_predicted in scoring_windows(given, self.network.config):
            for window in windows:
                for end in range(len(window) - n_predicted, len(window), size):
                    read = window[: end + size]
                    yield network(read[None])[0][0, end:]

    def reader(self) -> TransformerReader:
        """A reader that has read nothing yet."""
        return TransformerReader(self.network, start_id=start_id(self.tokeniser))

    def config(self) -> dict[str, Any]:
        """The sizes of the network."""
        return asdict(self.network.config)

    @classmethod
    def restore(cls, config: dict[str, Any], arrays: dict[str, np.ndarray], background: Background) -> TransformerModel:
        """The model that `config` and `arrays` came from, in the precision of the arrays."""
        try:
            network = TransformerNetwork(TransformerConfig(**config))
        except (TypeError, ValueRangeError) as error:
            raise CheckpointError(f"these are no settings of a Transformer: {error}; train it again") from error
        is_double = any(array.dtype == np.float64 for array in arrays.values())
        network = network.double() if is_double else network
        load_arrays(network, arrays)
        return cls(network, background)

    def for_other_tools(self) -> ForeignFiles:
        """What makes the folder one that Hugging Face's libraries open."""
        from regard.models.transformer.llama_folder import llama_files

        return llama_files(self.network.config, self.tokeniser)


def scoring_windows(
    given: Int[Tensor, " position"], config: TransformerConfig
) -> Iterator[tuple[Int[Tensor, "batch position"], int]]:
    """Windows that are read together, and how many places at the end of each predict something.

    >>> config = TransformerConfig(vocab=9, context=4, stride=2)
    >>> [(windows.tolist(), n) for windows, n in scoring_windows(torch.arange(7), config)]
    [([[0, 1, 2, 3]], 4), ([[2, 3, 4, 5]], 2), ([[4, 5, 6]], 1)]
    """
    context, stride = config.context, config.stride
    if len(given):
        yield given[None, :context], min(context, len(given))
    later = given[stride:]
    n_whole = max(0, (len(later) - context) // stride + 1)
    if n_whole:
        for windows in later.unfold(0, context, stride).split(max(1, IDS_AT_ONCE // context)):
            yield windows, stride
    rest = later[n_whole * stride :]
    if len(rest) > context - stride:
        yield rest[None], len(rest) - (context - stride)
