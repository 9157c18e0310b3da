"""A Transformer that reads id by id: the keys and values of what it has read are kept.

    context 4, stride 2        ids so far        the window         taken in anew
                               s                 s                  s
                               s 0               s 0                0
                               s 0 1 2           s 0 1 2            2
                               s 0 1 2 3         1 2 3              1 2 3      the window is full: it moves on by 2
                               s 0 1 2 3 4       1 2 3 4            4

These are the windows by which texts are scored. The arithmetic is NumPy's: for one id at a time, what PyTorch does
around each operation would take longer than the operation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from regard.models.transformer.network import EPSILON, Layer, TransformerNetwork
from regard.shapes import Float


@dataclass(frozen=True)
class LayerNumbers:
    """The numbers of a layer, each matrix as [in out]; `keys` and `values` are those of the window so far."""

    attention_norm: Float[np.ndarray, " width"]
    projections: Float[np.ndarray, "width projected"]
    projection_biases: Float[np.ndarray, " projected"]
    output: Float[np.ndarray, "width width"]
    output_bias: Float[np.ndarray, " width"]
    gated_norm: Float[np.ndarray, " width"]
    gate: Float[np.ndarray, "width hidden"]
    up: Float[np.ndarray, "width hidden"]
    down: Float[np.ndarray, "hidden width"]
    keys: Float[np.ndarray, "head position head_width"]
    values: Float[np.ndarray, "head position head_width"]

    @classmethod
    def of(cls, layer: Layer, *, context: int) -> LayerNumbers:
        """Those of a layer, and room for the keys and values of `context` ids."""
        read, gated = layer.self_attn, layer.mlp
        parts = (read.q_proj, read.k_proj, read.v_proj)
        projections = np.concatenate([_numbers(part.weight) for part in parts])
        room = (read.heads, context, projections.shape[1] // read.heads)
        return cls(
            attention_norm=_numbers(layer.input_layernorm.weight),
            projections=_columns(projections),
            projection_biases=np.concatenate([_numbers(part.bias) for part in parts]),
            output=_columns(_numbers(read.o_proj.weight)),
            output_bias=_numbers(read.o_proj.bias),
            gated_norm=_numbers(layer.post_attention_layernorm.weight),
            gate=_columns(_numbers(gated.gate_proj.weight)),
            up=_columns(_numbers(gated.up_proj.weight)),
            down=_columns(_numbers(gated.down_proj.weight)),
            keys=np.empty(room, projections.dtype),
            values=np.empty(room, projections.dtype),
        )


class TransformerReader:
    """Reads ids one by one; those not yet taken in are, all at once, when it is asked what comes next."""

    def __init__(self, network: TransformerNetwork, *, start_id: int) -> None:
        config = self._config = network.config
        self._embedding = _numbers(network.model.embed_tokens.weight)
        self._layers = [LayerNumbers.of(layer, context=config.context) for layer in network.model.layers]
        self._norm, self._head = _numbers(network.model.norm.weight), _numbers(network.lm_head.weight).T
        cos, sin = (_numbers(table)[:, 0] for table in (network.model.cos, network.model.sin))
        self._cos, self._sin = np.concatenate([cos, cos], -1), np.concatenate([-sin, sin], -1)
        self._window, self._n_taken_in = [start_id], 0
        self._log_probs = np.empty(0)

    def read(self, token: int) -> None:
        """Take in one more id."""
        self._window.append(token)

    def next_log_probs(self) -> Float[np.ndarray, " vocab"]:
        """How likely each id is to come next, in nats."""
        n_over = len(self._window) - self._config.context
        if n_over > 0:
            n_moves = -(-n_over // self._config.stride)
            del self._window[: n_moves * self._config.stride]
            self._n_taken_in = 0
        if self._n_taken_in < len(self._window):
            self._take_in(np.array(self._window[self._n_taken_in :]))
        return self._log_probs.copy()

    def _take_in(self, ids: np.ndarray) -> None:
        """Work out the keys and values of the next ids of the window, and what follows the last of them."""
        here = slice(self._n_taken_in, self._n_taken_in + len(ids))
        x = self._embedding[ids]
        for layer in self._layers:
            x = x + self._attention(layer, normalise(x, layer.attention_norm), here)
            h = normalise(x, layer.gated_norm)
            gate = h @ layer.gate
            x += (gate / (1 + np.exp(-gate)) * (h @ layer.up)) @ layer.down
        logits = (normalise(x[-1:], self._norm) @ self._head)[0].astype(np.float64)
        logits -= logits.max()
        self._log_probs = logits - np.log(np.exp(logits).sum())
        self._n_taken_in = here.stop

    def _attention(self, layer: LayerNumbers, x: Float[np.ndarray, "position width"], here: slice) -> np.ndarray:
        """What the heads read at the places `here`, from all places up to each."""
        heads, width = self._config.heads, self._config.head_width
        projected = (x @ layer.projections + layer.projection_biases).reshape(len(x), 3, heads, width)
        queries, keys, values = projected.transpose(1, 2, 0, 3)
        layer.keys[:, here] = self._rotate(keys, here)
        layer.values[:, here] = values
        logits = self._rotate(queries, here) @ layer.keys[:, : here.stop].mT
        logits *= 1 / np.sqrt(np.array(width, logits.dtype))
        if len(x) > 1:
            is_ahead = np.arange(here.stop) > np.arange(here.start, here.stop)[:, None]
            logits[:, is_ahead] = -np.inf
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        read = weights @ layer.values[:, : here.stop] / weights.sum(axis=-1, keepdims=True)
        return read.transpose(1, 0, 2).reshape(len(x), -1) @ layer.output + layer.output_bias

    def _rotate(self, x: Float[np.ndarray, "head position head_width"], here: slice) -> np.ndarray:
        """Queries or keys turned by their positions."""
        half = x.shape[-1] // 2
        swapped = np.concatenate([x[..., half:], x[..., :half]], axis=-1)
        return x * self._cos[here] + swapped * self._sin[here]


def normalise(x: Float[np.ndarray, "position width"], weight: Float[np.ndarray, " width"]) -> np.ndarray:
    """w ∘ x / √(mean x² + ε)."""
    return x * (weight / np.sqrt(np.vecdot(x, x)[:, None] / x.shape[-1] + np.array(EPSILON, x.dtype)))


def _columns(matrix: np.ndarray) -> np.ndarray:
    """[out in] as [in out], laid out so in memory too: a vector times it is then faster."""
    return np.ascontiguousarray(matrix.T)


def _numbers(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().numpy()
