"""A cache for `model.generate` that stores keys (and values) in the bits of a plan, really packed.

    planes   one row for each bit of each channel, eight tokens to a byte: Σ bits rows in all
    tail     the codes of fewer than eight tokens that are yet to be packed, a byte each

Keys come rotated to their positions; where the plan was made before rotary positions they are turned back, stored, and
turned again when they are read. Positions are counted from the first token of the cache: texts in one batch are of
equal length, without padding before them.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import Cache, DynamicLayer

from regard.errors import CheckpointError
from regard.pretrained.bits import BitPlan, ChannelGrids
from regard.pretrained.capture import Rotary, rotary_modules
from regard.pretrained.quantise import Grid
from regard.shapes import Float, Int, UInt

TOKENS_PER_BYTE = 8


class PackedChannels:
    """Codes of all channels of a layer, in as many bits as each has; grows by tokens."""

    def __init__(self, grid: Grid, bits: Int[Tensor, "key_head width"]) -> None:
        self.grid, self.bits = grid, bits
        flat = bits.flatten()
        self.channel = torch.repeat_interleave(torch.arange(len(flat)), flat)
        """To which channel each plane belongs."""
        self.place = torch.cat([torch.arange(n) for n in flat.tolist()])
        """Which of its bits it holds."""
        self.planes: UInt[Tensor, "batch plane byte"] | None = None
        self.tail: UInt[Tensor, "batch channel token"] | None = None

    def append(self, numbers: Float[Tensor, "batch key_head key width"]) -> None:
        """Store numbers of further tokens."""
        codes = self.grid.codes(numbers.transpose(-1, -2)).flatten(1, 2).to(torch.uint8)
        waiting = codes if self.tail is None else torch.cat([self.tail, codes], dim=-1)
        n_packed = waiting.shape[-1] // TOKENS_PER_BYTE * TOKENS_PER_BYTE
        packed = self._pack(waiting[..., :n_packed])
        self.planes = packed if self.planes is None else torch.cat([self.planes, packed], dim=-1)
        self.tail = waiting[..., n_packed:].clone()

    def read(self) -> Float[Tensor, "batch key_head key width"]:
        """The numbers of all tokens, as they are read back."""
        assert self.planes is not None
        assert self.tail is not None
        codes = torch.cat([self._unpack(self.planes), self.tail.float()], dim=-1)
        restored = self.grid.restore(codes.unflatten(1, tuple(self.bits.shape)))
        return restored.transpose(-1, -2)

    def select(self, texts: Int[Tensor, " text"]) -> None:
        """Keep these texts of the batch, in this order."""
        assert self.planes is not None
        assert self.tail is not None
        self.planes, self.tail = self.planes[texts], self.tail[texts]

    @property
    def n_tokens(self) -> int:
        """How many tokens are stored."""
        if self.planes is None or self.tail is None:
            return 0
        return self.planes.shape[-1] * TOKENS_PER_BYTE + self.tail.shape[-1]

    @property
    def n_bytes(self) -> int:
        """How many bytes the codes take."""
        return sum(each.numel() for each in (self.planes, self.tail) if each is not None)

    def _pack(self, codes: UInt[Tensor, "batch channel token"]) -> UInt[Tensor, "batch plane byte"]:
        planes = (codes[:, self.channel] >> self.place[:, None].to(torch.uint8)) & 1
        eights = planes.unflatten(-1, (-1, TOKENS_PER_BYTE)) if planes.shape[-1] else planes[..., None]
        return (eights << torch.arange(TOKENS_PER_BYTE, dtype=torch.uint8)).sum(-1).to(torch.uint8)

    def _unpack(self, planes: UInt[Tensor, "batch plane byte"]) -> Float[Tensor, "batch channel token"]:
        ones = (planes[..., None] >> torch.arange(TOKENS_PER_BYTE, dtype=torch.uint8)) & 1
        sized = ones.flatten(-2).float() * 2.0 ** self.place[:, None]
        codes = torch.zeros(sized.shape[0], self.bits.numel(), sized.shape[-1])
        return codes.index_add_(1, self.channel, sized)


class PackedLayer(DynamicLayer):
    """The cache of one layer, as transformers asks for it."""

    is_croppable = False

    def __init__(self, plan: BitPlan, layer: int, rotary: Rotary | None) -> None:
        super().__init__()
        self.plan, self.layer, self.rotary = plan, layer, rotary
        self.reset()

    def reset(self) -> None:
        """Forget all tokens."""
        self.packed_keys = _pack_channels(self.plan.keys, self.layer)
        self.packed_values = None if self.plan.values is None else _pack_channels(self.plan.values, self.layer)
        self.values = None

    def update(self, key_states: Tensor, value_states: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
        """Store keys and values of further tokens; all keys and values, as they are read back."""
        start = self.packed_keys.n_tokens
        if self.rotary is not None:
            positions = torch.arange(start, start + key_states.shape[-2])
            key_states = self.rotary.unrotate(key_states, positions)
        self.packed_keys.append(key_states)
        keys = self.packed_keys.read()
        if self.rotary is not None:
            keys = self.rotary.rotate(keys, torch.arange(keys.shape[-2]))
        return keys, self._update_values(value_states)

    def _update_values(self, value_states: Tensor) -> Tensor:
        if self.packed_values is not None:
            self.packed_values.append(value_states)
            return self.packed_values.read()
        self.values = value_states if self.values is None else torch.cat([self.values, value_states], dim=-2)
        return self.values

    def get_seq_length(self) -> int:
        """How many tokens are stored."""
        return self.packed_keys.n_tokens

    def reorder_cache(self, beam_idx: Tensor) -> None:
        """Keep these texts of the batch, in this order, as beam search asks for it."""
        self.batch_select_indices(beam_idx)

    def batch_select_indices(self, indices: Tensor) -> None:
        """Keep these texts of the batch, in this order."""
        if not self.get_seq_length():
            return
        self.packed_keys.select(indices)
        if self.packed_values is not None:
            self.packed_values.select(indices)
        elif self.values is not None:
            self.values = self.values[indices]

    def batch_repeat_interleave(self, repeats: int) -> None:
        """Each text of the batch this many times."""
        if self.get_seq_length():
            assert self.packed_keys.tail is not None
            self.batch_select_indices(torch.arange(len(self.packed_keys.tail)).repeat_interleave(repeats))

    @property
    def n_bytes(self) -> int:
        """How many bytes the stored keys and values take."""
        if self.packed_values is not None:
            return self.packed_keys.n_bytes + self.packed_values.n_bytes
        return self.packed_keys.n_bytes + (0 if self.values is None else self.values.nbytes)


class PackedCache(Cache):
    """What `model.generate(..., past_key_values=PackedCache(model, plan))` stores keys and values in."""

    def __init__(self, model: Any, plan: BitPlan) -> None:
        n_layers = len(plan.keys.bits)
        if model.config.num_hidden_layers != n_layers:
            raise CheckpointError(
                f"this plan is for {plan.model}, with {n_layers} layers; the model has {model.config.num_hidden_layers}"
            )
        rotary = Rotary(rotary_modules(model)[0]) if plan.before_rotary else None
        super().__init__(layers=[PackedLayer(plan, layer, rotary) for layer in range(n_layers)])

    @property
    def n_bytes(self) -> int:
        """How many bytes the stored keys and values take."""
        return sum(layer.n_bytes for layer in self.layers)


def _pack_channels(grids: ChannelGrids, layer: int) -> PackedChannels:
    return PackedChannels(grids.grid(layer), grids.bits[layer])
