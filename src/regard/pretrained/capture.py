"""Capture the attention of a running model: queries, keys, values and weights of every head, layer by layer.

Models of the `transformers` library ask for an attention function by name. Ours, `attend`, computes softmax(QKᵀ·scale)V
as their eager one does and hands what it has to a watcher. It can also put other keys or values in place of the
model's, noisy or quantised ones, which shows what they do to the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn

from regard.shapes import Float, Int

NAME = "regard"
"""What our attention function is called among those of transformers."""
KEY_MODULES = ("k_norm", "k_proj")
"""The last part of an attention module that keys go through before rotary positions, in different families."""


@dataclass(frozen=True)
class LayerAttention:
    """The attention of one layer in one forward pass; a key head serves n_heads / n_key_heads query heads."""

    layer: int
    module: nn.Module
    queries: Float[Tensor, "batch head query width"]
    keys: Float[Tensor, "batch key_head key width"]
    values: Float[Tensor, "batch key_head key width"]
    unrotated: Float[Tensor, "batch key_head key width"] | None
    """Keys as they were before rotary positions; None where the family has no place to see them."""
    mask: Tensor | None
    """Added to the logits: 0 where a query may read a key, a very large negative number where not."""
    scale: float
    weights: Float[Tensor, "batch head query key"]
    outputs: Float[Tensor, "batch head query width"]

    def outputs_with(self, keys: Float[Tensor, "batch key_head key width"]) -> Float[Tensor, "batch head query width"]:
        """What the heads would return if these were the keys: exact, without another forward pass."""
        weights = attention_weights(self.queries, keys, mask=self.mask, scale=self.scale)
        return weights @ repeat_heads(self.values, self.queries.shape[1])


Watch: TypeAlias = Callable[[LayerAttention], None]
Change: TypeAlias = Callable[[int, Tensor], Tensor]
"""From a layer's number and its keys (or values), by batch, key_head, key and width, to those to use instead."""


@dataclass
class _Pass:
    """What is wanted of one forward pass, and how far it is."""

    watch: Watch | None
    change_keys: Change | None
    change_unrotated: Change | None
    change_values: Change | None
    layer: int = 0
    unrotated: dict[int, Tensor] = field(default_factory=dict)
    """Keys before rotary positions, by the identity of the attention module that they belong to."""


_current: ContextVar[_Pass | None] = ContextVar("current", default=None)


@contextmanager
def watch_pass(
    model: Any,
    watch: Watch | None = None,
    *,
    change_keys: Change | None = None,
    change_unrotated: Change | None = None,
    change_values: Change | None = None,
) -> Iterator[None]:
    """For the one forward pass in the block, `watch` sees the attention of each layer; the others replace keys, values.

    `change_unrotated` replaces keys before rotary positions, `change_keys` after them.
    """
    state = _Pass(watch, change_keys, change_unrotated, change_values)
    implementation = model.config._attn_implementation
    token = _current.set(state)
    model.set_attn_implementation(NAME)
    with ExitStack() as hooks:
        for module in model.modules():
            projection = key_module(module)
            if projection is not None:
                hooks.enter_context(_remove_hook(projection.register_forward_hook(_unrotated_hook(module, state))))
        try:
            yield
        finally:
            model.set_attn_implementation(implementation)
            _current.reset(token)


def key_module(attention: nn.Module) -> nn.Module | None:
    """The part of an attention module whose output is the keys before rotary positions, if it has one."""
    found = (getattr(attention, name, None) for name in KEY_MODULES)
    return next((each for each in found if isinstance(each, nn.Module)), None)


@contextmanager
def _remove_hook(handle: Any) -> Iterator[None]:
    try:
        yield
    finally:
        handle.remove()


def _unrotated_hook(attention: nn.Module, state: _Pass) -> Callable[[nn.Module, Any, Tensor], Tensor | None]:
    """Notes the keys that come out of a projection, and replaces them where that is wanted."""

    def hook(_: nn.Module, __: Any, output: Tensor) -> Tensor | None:
        width = getattr(attention, "head_dim", None)
        if width is None or output.numel() % width:
            return None
        keys = output.reshape(*output.shape[:2], -1, width).transpose(1, 2)
        if state.change_unrotated is None:
            state.unrotated[id(attention)] = keys
            return None
        changed = state.change_unrotated(state.layer, keys)
        state.unrotated[id(attention)] = changed
        return changed.transpose(1, 2).reshape(output.shape)

    return hook


def register() -> None:
    """Make `attend` known to transformers, with the masks that its eager attention takes."""
    from transformers import AttentionInterface
    from transformers.masking_utils import AttentionMaskInterface, eager_mask

    AttentionInterface.register(NAME, attend)
    AttentionMaskInterface.register(NAME, eager_mask)


def attend(
    module: nn.Module,
    query: Float[Tensor, "batch head query width"],
    key: Float[Tensor, "batch key_head key width"],
    value: Float[Tensor, "batch key_head key width"],
    attention_mask: Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    **_: Any,
) -> tuple[Float[Tensor, "batch query head width"], Float[Tensor, "batch head query key"]]:
    """Attention as the model's own eager function computes it in inference; transformers names the arguments."""
    state = _current.get() or _Pass(None, None, None, None)
    if state.change_keys is not None:
        key = state.change_keys(state.layer, key)
    if state.change_values is not None:
        value = state.change_values(state.layer, value)
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    mask = None if attention_mask is None else attention_mask[..., : key.shape[-2]]
    weights = attention_weights(query, key, mask=mask, scale=scale)
    outputs = weights @ repeat_heads(value, query.shape[1])
    if state.watch is not None:
        unrotated = state.unrotated.get(id(module))
        state.watch(LayerAttention(state.layer, module, query, key, value, unrotated, mask, scale, weights, outputs))
    state.layer += 1
    return outputs.transpose(1, 2).contiguous(), weights


def attention_weights(
    queries: Float[Tensor, "batch head query width"],
    keys: Float[Tensor, "batch key_head key width"],
    *,
    mask: Tensor | None,
    scale: float,
) -> Float[Tensor, "batch head query key"]:
    """softmax(QKᵀ·scale + mask) over the keys."""
    logits = queries @ repeat_heads(keys, queries.shape[1]).transpose(-1, -2) * scale
    return torch.softmax(logits if mask is None else logits + mask, dim=-1)


def repeat_heads(
    shared: Float[Tensor, "batch key_head key width"], n_heads: int
) -> Float[Tensor, "batch head key width"]:
    """Each key head's rows once for every query head that it serves."""
    return shared if shared.shape[1] == n_heads else shared.repeat_interleave(n_heads // shared.shape[1], dim=1)


@dataclass(frozen=True)
class Rotary:
    """Rotary positions: each pair of channels (c, c + width/2) is turned by an angle in proportion to the position."""

    module: nn.Module
    """Gives cosines and sines for positions, as families derived from Llama have it."""

    def rotate(
        self, keys: Float[Tensor, "batch key_head key width"], positions: Int[Tensor, " key"]
    ) -> Float[Tensor, "batch key_head key width"]:
        """Keys at these positions, turned."""
        cos, sin = self._angles(keys, positions)
        turned, rest = keys[..., : cos.shape[-1]], keys[..., cos.shape[-1] :]
        return torch.cat([turned * cos + _quarter_turn(turned) * sin, rest], dim=-1)

    def unrotate(
        self, keys: Float[Tensor, "batch key_head key width"], positions: Int[Tensor, " key"]
    ) -> Float[Tensor, "batch key_head key width"]:
        """What `rotate` would turn into these keys; some families also stretch them, hence the division."""
        cos, sin = self._angles(keys, positions)
        turned, rest = keys[..., : cos.shape[-1]], keys[..., cos.shape[-1] :]
        return torch.cat([(turned * cos - _quarter_turn(turned) * sin) / (cos**2 + sin**2), rest], dim=-1)

    def _angles(self, keys: Tensor, positions: Int[Tensor, " key"]) -> tuple[Tensor, Tensor]:
        with torch.no_grad():
            cos, sin = self.module(keys, positions[None])
        return cos[:, None], sin[:, None]


def _quarter_turn(keys: Float[Tensor, "*axes width"]) -> Float[Tensor, "*axes width"]:
    """Each pair (a, b) of channels as (−b, a)."""
    first, second = keys.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)


@dataclass(frozen=True)
class Structure:
    """What a model's attention looks like: its modules in order, their sizes, and how keys get their positions."""

    modules: tuple[nn.Module, ...]
    n_heads: int
    n_key_heads: int
    head_width: int
    is_causal: bool
    rotary: Rotary | None
    has_unrotated: bool


def find_structure(model: Any) -> Structure | None:
    """Let the model read three tokens, and see which modules attend, if any, and how positions reach their keys."""
    seen: list[LayerAttention] = []
    ids = torch.arange(3)[None] % model.config.vocab_size
    with torch.no_grad(), watch_pass(model, seen.append):
        model(input_ids=ids, attention_mask=torch.ones_like(ids))
    if not seen:
        return None
    last, rotary = seen[-1], _find_rotary(model, seen[-1])
    return Structure(
        modules=tuple(layer.module for layer in seen),
        n_heads=last.queries.shape[1],
        n_key_heads=last.keys.shape[1],
        head_width=last.queries.shape[-1],
        is_causal=bool((last.weights[0, :, 0, 1:] == 0).all()),
        rotary=rotary,
        has_unrotated=rotary is not None or not rotary_modules(model),
    )


def rotary_modules(model: Any) -> list[nn.Module]:
    """The modules of a model that give the angles of rotary positions."""
    return [module for module in model.modules() if "Rotary" in type(module).__name__]


def _find_rotary(model: Any, attention: LayerAttention) -> Rotary | None:
    """The rotary positions of a model, if turning its keys by them gives the keys that attention was called with."""
    if attention.unrotated is None:
        return None
    positions = torch.arange(attention.keys.shape[-2])
    for module in rotary_modules(model):
        rotary = Rotary(module)
        try:
            turned = rotary.rotate(attention.unrotated, positions)
        except (TypeError, ValueError, RuntimeError):  # a family whose rotary module takes something else
            continue
        if torch.allclose(turned, attention.keys, atol=1e-5):
            return rotary
    return None
