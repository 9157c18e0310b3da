"""A decoder-only Transformer in the shape of Llama, under the names that Hugging Face gives to its parts.

    x ← embedding of the ids
    every layer:   x ← x + attention(norm(x))        rotary positions, each position reads itself and those before it
                   x ← x + W_down (silu(W_gate h) ∘ W_up h),   h = norm(x)
    logits ← W_head norm(x)

Because the names are the same, `state_dict` is what `LlamaForCausalLM` reads, with nothing to convert. Queries, keys
and values have biases: from them, and rotary positions, `look_back` makes heads that know where to look.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import Embedding, Linear, Module, ModuleList, Parameter
from torch.nn.functional import dropout, linear, scaled_dot_product_attention, silu
from torch.nn.utils import skip_init

from regard.errors import ShapeError, ValueRangeError
from regard.models.network import BATCH_SHARE, Network, State
from regard.shapes import Float, Int


class RootMeanSquareNorm(Function):
    """y = w ∘ x/r with r = √(mean x² + ε): every row brought to the same length, then stretched by w."""

    @staticmethod
    def forward(
        ctx: Any, x: Float[Tensor, "*batch width"], weight: Float[Tensor, " width"], eps: float
    ) -> Float[Tensor, "*batch width"]:
        """The normed rows."""
        inverse = torch.linalg.vector_norm(x, dim=-1, keepdim=True).square_().div_(x.shape[-1]).add_(eps).rsqrt_()
        ctx.save_for_backward(x, weight, inverse)
        return (x * inverse).mul_(weight)

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(
        ctx: Any, gradient: Float[Tensor, "*batch width"]
    ) -> tuple[Float[Tensor, "*batch width"], Float[Tensor, " width"], None]:
        """∂x = (w∘g)/r − x·⟨w∘g, x⟩/(width·r³), ∂w = Σ g∘x/r: the sums share the product g∘x."""
        x, weight, inverse = ctx.saved_tensors
        product = gradient * x
        along = (product @ weight).unsqueeze(-1).mul_(inverse.pow(3)).div_(-x.shape[-1])
        to_weight = inverse.flatten() @ product.flatten(0, -2)
        return (gradient * weight).mul_(inverse).addcmul_(x, along), to_weight, None


class Rotation(Function):
    """Each pair of numbers (i, i + half) of a head turned by an angle: (a, b) → (a cos − b sin, b cos + a sin).

    `cos` and `sin` have the axes of x, or axes of length 1, and half of its width.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """The turned pairs."""
        ctx.save_for_backward(cos, sin)
        return rotate(x, cos, sin)

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        """Turned back: the transpose of a rotation is its inverse."""
        cos, sin = ctx.saved_tensors
        return rotate(gradient, cos, -sin), None, None


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """The pairs of x turned; the result lies in memory as x does."""
    half = x.shape[-1] // 2
    out = x * torch.cat([cos, cos], dim=-1)
    out[..., :half].addcmul_(x[..., half:], sin, value=-1)
    out[..., half:].addcmul_(x[..., :half], sin)
    return out


EPSILON = 1e-6
"""Added to a mean square before its root is divided by."""


@dataclass(frozen=True)
class TransformerConfig:
    """The sizes of a Transformer: `hidden` units in each gated layer, ids in windows of `context`.

    `theta` sets the longest wave of the rotary positions, about 2π·theta characters. Texts are scored, and written, in
    windows that move on by `stride`; `regard.models.transformer.model` draws them.
    """

    vocab: int
    width: int = 128
    layers: int = 4
    heads: int = 4
    hidden: int = 344
    context: int = 64
    theta: float = 100.0
    dropout: float = 0.0
    stride: int = 32

    def __post_init__(self) -> None:
        for name in ("vocab", "width", "layers", "heads", "hidden", "context", "stride"):
            if getattr(self, name) < 1:
                raise ValueRangeError(f"{name} must be at least 1; got {getattr(self, name)}")
        if self.width % (2 * self.heads):
            raise ValueRangeError(
                f"width must be a multiple of twice the heads, so that each head has an even number of coordinates; "
                f"got width {self.width} and {self.heads} heads"
            )
        if self.stride > self.context:
            raise ValueRangeError(f"the stride must not exceed the context, {self.context}; got {self.stride}")
        if not 1 < self.theta < float("inf") or not 0 <= self.dropout < 1:
            raise ValueRangeError(f"expected theta above 1, dropout in [0, 1); got {self.theta} and {self.dropout}")

    @property
    def head_width(self) -> int:
        """How many numbers a head has for a query, a key, a value."""
        return self.width // self.heads


class TransformerNetwork(Network):
    """Reads at most `context` ids; its state is the keys and values of all layers, (k₁, v₁, k₂, v₂, …)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config, self.vocab = config, config.vocab
        self.model = Decoder(config)
        self.lm_head = _linear(config.width, config.vocab)

    def forward(
        self, ids: Int[Tensor, "batch position"], state: State | None = None
    ) -> tuple[Float[Tensor, "batch position vocab"], State]:
        """The logits of what follows each id, and the keys and values of all ids so far."""
        x, state = self.model(ids, state)
        return self.lm_head(x), state


class Decoder(Module):
    """Ids to vectors."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embed_tokens = skip_init(Embedding, config.vocab, config.width)
        self.layers = ModuleList(Layer(config) for _ in range(config.layers))
        self.norm = Norm(config.width)
        angles = torch.arange(config.context)[:, None].float() * rotary_frequencies(config)
        self.register_buffer("cos", angles.cos()[:, None], persistent=False)
        self.register_buffer("sin", angles.sin()[:, None], persistent=False)
        torch.nn.init.zeros_(self.embed_tokens.weight)

    def forward(
        self, ids: Int[Tensor, "batch position"], state: State | None
    ) -> tuple[Float[Tensor, "batch position width"], State]:
        """A vector for each id, and the keys and values of every layer."""
        past = state or ()
        n_past = past[0].shape[2] if past else 0
        if n_past + ids.shape[1] > self.config.context:
            raise ShapeError(
                f"the network reads at most {self.config.context} ids at once; "
                f"got {ids.shape[1]} after {n_past} that it has read already"
            )
        here = slice(n_past, n_past + ids.shape[1])
        cos, sin, keep = self.cos[here], self.sin[here], []
        x = drop(self.embed_tokens(ids), self.config.dropout, self.training)
        for i, layer in enumerate(self.layers):
            x, keys, values = layer(x, cos, sin, past[2 * i : 2 * i + 2])
            keep += [keys, values]
        return self.norm(x), tuple(keep)


def drop(
    x: Float[Tensor, "batch position width"], share: float, is_training: bool
) -> Float[Tensor, "batch position width"]:
    """In training, some entries zero and the others larger; processes drop together what one alone would drop."""
    batch = BATCH_SHARE.get()
    if not is_training or share == 0 or batch is None or batch.n_rows == len(x):
        return dropout(x, share, is_training)
    whole = torch.ones(batch.n_rows, *x.shape[1:], dtype=x.dtype, requires_grad=True)  # drawn from just as x would be
    return x * dropout(whole, share).detach()[batch.own]


class Layer(Module):
    """Attention, then a gated layer; each reads the normed sum of all before it and adds to it."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.dropout = config.dropout
        self.input_layernorm = Norm(config.width)
        self.self_attn = Attention(config)
        self.post_attention_layernorm = Norm(config.width)
        self.mlp = GatedLayer(config)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, past: State) -> tuple[Tensor, Tensor, Tensor]:
        """The new sum, and the keys and values so far."""
        read, keys, values = self.self_attn(self.input_layernorm(x), cos, sin, past)
        x = x + drop(read, self.dropout, self.training)
        worked_out = self.mlp(self.post_attention_layernorm(x))
        return x + drop(worked_out, self.dropout, self.training), keys, values


class Attention(Module):
    """softmax(q kᵀ/√head_width) v in every head, with q and k turned by their positions."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.heads = config.heads
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            setattr(self, name, _linear(config.width, config.width, bias=True))

    def forward(
        self,
        x: Float[Tensor, "batch position width"],
        cos: Float[Tensor, "position 1 half"],
        sin: Float[Tensor, "position 1 half"],
        past: State,
    ) -> tuple[Float[Tensor, "batch position width"], Tensor, Tensor]:
        """What the heads read, and the keys and values so far, [batch head position head_width]."""
        queries_keys, values = self.project(x)
        queries, keys = Rotation.apply(queries_keys, cos, sin).transpose(1, 2).chunk(2, dim=1)
        values = values.transpose(1, 2)
        if not past:
            read = scaled_dot_product_attention(queries, keys, values, is_causal=True)
        else:
            keys, values = torch.cat([past[0], keys], dim=2), torch.cat([past[1], values], dim=2)
            n_queries, n_keys = queries.shape[2], keys.shape[2]
            allowed = torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)
            read = scaled_dot_product_attention(queries, keys, values, attn_mask=allowed)
        return self.o_proj(read.transpose(1, 2).flatten(2)), keys, values

    def project(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Queries and keys together, values: [batch position head head_width]; in one product, which is faster."""
        parts = (self.q_proj, self.k_proj, self.v_proj)
        weight, bias = torch.cat([part.weight for part in parts]), torch.cat([part.bias for part in parts])
        heads = linear(x, weight, bias).unflatten(-1, (3 * self.heads, -1))
        queries_keys, values = heads.split([2 * self.heads, self.heads], dim=2)
        return queries_keys, values


class GatedLayer(Module):
    """W_down (silu(W_gate x) ∘ W_up x)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.gate_proj = _linear(config.width, config.hidden)
        self.up_proj = _linear(config.width, config.hidden)
        self.down_proj = _linear(config.hidden, config.width)

    def forward(self, x: Float[Tensor, "batch position width"]) -> Float[Tensor, "batch position width"]:
        """What the hidden units make of each vector."""
        return self.down_proj(silu(self.gate_proj(x)) * self.up_proj(x))


class Norm(Module):
    """w ∘ x / √(mean x² + ε)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = Parameter(torch.ones(width))

    def forward(self, x: Float[Tensor, "batch position width"]) -> Float[Tensor, "batch position width"]:
        """Bring each vector to length √width, then stretch it by w."""
        return RootMeanSquareNorm.apply(x, self.weight, EPSILON)


def rotary_frequencies(config: TransformerConfig) -> Float[Tensor, " half"]:
    """θ_f = theta^(−2f/head_width): the angle by which each pair of numbers turns from one position to the next."""
    pairs = torch.arange(0, config.head_width, 2).float()
    return 1.0 / config.theta ** (pairs / config.head_width)


def _linear(n_in: int, n_out: int, *, bias: bool = False) -> Linear:
    """A linear map with zeros for numbers: those that count come from `look_back` or from a file."""
    layer = skip_init(Linear, n_in, n_out, bias=bias)
    for parameter in layer.parameters():
        torch.nn.init.zeros_(parameter)
    return layer
