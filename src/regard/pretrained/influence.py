"""How much what a head returns matters: to what the model says, by one backward pass, and to the loss by itself.

What the model says of a text is a point y: the distributions of the next token (decoders), or the embedding of the
text, the mean of the last layer made to length one (encoders). For a small change of y, the damage is quadratic:

    decoders   KL(p‖p′) ≈ ½ E (∇ log p(t) · Δ)²   with t drawn from the model itself, summed over positions
    encoders   1 − cos(y, y′) ≈ ½ E (u · Δy)²      with u a random direction orthogonal to y

Both are half the mean square of one derivative, that of a random score of the text: one backward pass gives it for
every head, and half the square of gradient times change is an estimate of the damage without bias.

`direct_effects` says what a head does for the loss by itself. A decoder adds what every head returns to one running
sum, of which the last layer norm and the unembedding make the predictions. Along this direct path, a head's
contribution is replaced by its mean over the text, everything else stays, and the loss is computed again:

    effect = mean over tokens of  loss(x − c_t + mean c) − loss(x),      c_t = o_t W_O

Effects through later layers are left out. Positive: the head helps. Families that scale what a head returns before it
is added have no such path, and encoders without a language-model head no such loss.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from regard.pretrained.capture import Change, LayerAttention, watch_pass
from regard.pretrained.load import Pretrained
from regard.pretrained.profile import equal_length_batches
from regard.progress import Progress, silent, track
from regard.shapes import Float, Int


@dataclass(frozen=True)
class LayerInfluence:
    """The attention of one layer, and the gradient of a random score of each text with respect to its parts."""

    attention: LayerAttention
    stored_keys: Float[Tensor, "batch key_head key width"]
    """Keys before rotary positions where the model has them."""
    output_gradient: Float[Tensor, "batch head query width"]
    key_gradient: Float[Tensor, "batch key_head key width"]
    """With respect to the stored keys."""
    value_gradient: Float[Tensor, "batch key_head key width"]


def influences(
    pretrained: Pretrained, blocks: list[list[int]], *, seed: int = 0, progress: Progress = silent
) -> Iterator[list[LayerInfluence]]:
    """For each batch of blocks, all layers with their gradients, by a forward and a backward pass."""
    generator = torch.Generator().manual_seed(seed)
    for ids in track(list(equal_length_batches(blocks)), progress=progress, message="reading and going back"):
        yield _influence(pretrained, ids, generator)


def _influence(
    pretrained: Pretrained, ids: Int[Tensor, "batch position"], generator: torch.Generator
) -> list[LayerInfluence]:
    layers: list[LayerAttention] = []
    keys_as = "change_unrotated" if pretrained.rotary else "change_keys"
    changes: dict[str, Change] = {keys_as: _require_gradient, "change_values": _require_gradient}
    model = pretrained.model
    with _constant_weights(model), torch.enable_grad(), watch_pass(model, layers.append, **changes):
        output = model(input_ids=ids, attention_mask=torch.ones_like(ids))
        score = random_score(pretrained, output, generator)
    stored = [layer.unrotated if pretrained.rotary else layer.keys for layer in layers]
    wanted = [*(layer.outputs for layer in layers), *stored, *(layer.values for layer in layers)]
    found = torch.autograd.grad(score, wanted)
    n = len(layers)
    return [
        LayerInfluence(_detach(layer), keys.detach(), found[i], found[n + i], found[2 * n + i])  # type: ignore[union-attr]
        for i, (layer, keys) in enumerate(zip(layers, stored, strict=True))
    ]


@contextmanager
def _constant_weights(model: nn.Module) -> Iterator[None]:
    """The model with weights that ask for no gradient, so that a backward pass keeps no inputs for theirs."""
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    for parameter in trained:
        parameter.requires_grad_(False)
    try:
        yield
    finally:
        for parameter in trained:
            parameter.requires_grad_(True)


def _require_gradient(_: int, numbers: Tensor) -> Tensor:
    """Keys or values as they are; those of the first layer depend on none before them, and begin the path."""
    return numbers if numbers.requires_grad else numbers.requires_grad_()


def _detach(layer: LayerAttention) -> LayerAttention:
    tensors = {name: each.detach() for name, each in vars(layer).items() if isinstance(each, Tensor)}
    return LayerAttention(**{**vars(layer), **tensors})


def random_score(pretrained: Pretrained, output: Any, generator: torch.Generator) -> Float[Tensor, ""]:
    """The sum over texts of log p of tokens that the model draws, or of a random direction times the embedding."""
    if has_predictions(pretrained):
        log_probs = torch.log_softmax(output.logits, dim=-1)
        flat = log_probs.detach().exp().flatten(0, 1)
        drawn = torch.multinomial(flat, 1, generator=generator).view(*log_probs.shape[:2], 1)
        return log_probs.gather(-1, drawn).sum()
    embedding = embed(output)
    direction = torch.randn(embedding.shape, generator=generator)
    fixed = embedding.detach()
    direction -= (direction * fixed).sum(-1, keepdim=True) * fixed
    return (direction * embedding).sum()


def has_predictions(pretrained: Pretrained) -> bool:
    """Whether the model predicts tokens; else it is judged by its embeddings."""
    return pretrained.is_decoder and pretrained.model.get_output_embeddings() is not None


def embed(output: Any) -> Float[Tensor, "batch hidden"]:
    """The embedding of each text: the mean of its last hidden states, of length one."""
    return normalize(output.last_hidden_state.mean(1), dim=-1)


def damage_name(pretrained: Pretrained) -> str:
    """What damage is measured in."""
    return "KL, nats a token" if has_predictions(pretrained) else "1 − cosine of the embedding"


def count_scored(pretrained: Pretrained, ids_shape: tuple[int, ...]) -> int:
    """Over how many things the damage is averaged: tokens, or texts."""
    return ids_shape[0] * ids_shape[1] if has_predictions(pretrained) else ids_shape[0]


def measure_damage(
    pretrained: Pretrained, blocks: list[list[int]], changes: dict[str, Change], *, progress: Progress = silent
) -> float:
    """The mean damage that these changes of keys or values do, by forward passes with and without them.

    `changes` are arguments of `watch_pass`: change_keys, change_unrotated, change_values.
    """
    total, count = 0.0, 0
    for ids in track(list(equal_length_batches(blocks)), progress=progress, message="measuring"):
        with torch.no_grad():
            own = pretrained.model(input_ids=ids, attention_mask=torch.ones_like(ids))
            with watch_pass(pretrained.model, None, **changes):
                other = pretrained.model(input_ids=ids, attention_mask=torch.ones_like(ids))
            total += float(_damages(pretrained, own, other).sum())
        count += count_scored(pretrained, tuple(ids.shape))
    return total / count


def _damages(pretrained: Pretrained, own: Any, other: Any) -> Float[Tensor, "*text"]:
    if has_predictions(pretrained):
        before, after = (torch.log_softmax(each.logits.double(), dim=-1) for each in (own, other))
        return (before.exp() * (before - after)).sum(-1)
    return 1 - (embed(own).double() * embed(other).double()).sum(-1)


FAMILIES = ("gpt2", "llama", "mistral", "qwen2", "qwen3")
"""Families whose heads are added to the residual stream as they are; with the last norm a part of the base model."""
MAX_OPERATIONS = 2e11
"""Multiplications for all heads together, some seconds: bounds the number of tokens."""
MAX_TOKENS = 1024


def has_direct_path(pretrained: Pretrained) -> bool:
    """Whether the direct effect of the model's heads is defined."""
    model = pretrained.model
    is_known = model.config.model_type in FAMILIES and pretrained.is_decoder
    return bool(is_known and model.get_output_embeddings() is not None)


def direct_effects(pretrained: Pretrained, blocks: list[list[int]]) -> Float[Tensor, "layer head"] | None:
    """The direct effect of every head on the loss, in nats a token; None where the model has no such path or loss.

    As many tokens of the first blocks are used as MAX_OPERATIONS allows.
    """
    if not has_direct_path(pretrained):
        return None
    ids = _some_tokens(pretrained, blocks)
    outputs, residual = _contributions(pretrained, ids)
    targets = ids[0, 1:]
    residual = residual[:, :-1]
    loss = _loss(pretrained, residual, targets)
    effects = torch.zeros(pretrained.n_layers, pretrained.n_heads, dtype=torch.float64)
    for layer, heads in enumerate(outputs):
        weight = pretrained.attentions[layer].output_weight.detach()
        by_head = weight.reshape(len(weight), pretrained.n_heads, pretrained.head_width)
        for head in range(pretrained.n_heads):
            added = heads[:, head] @ by_head[:, head].T
            replaced = residual - added[:, :-1] + added.mean(1, keepdim=True)
            effects[layer, head] = _loss(pretrained, replaced, targets) - loss
    return effects


def _some_tokens(pretrained: Pretrained, blocks: list[list[int]]) -> Int[Tensor, "1 position"]:
    """The beginning of the longest block."""
    embedding = pretrained.model.get_output_embeddings().weight
    n_heads = pretrained.n_layers * pretrained.n_heads
    limit = max(16, min(MAX_TOKENS, int(MAX_OPERATIONS / embedding.numel() / n_heads)))
    return torch.tensor([max(blocks, key=len)[:limit]])


def _contributions(
    pretrained: Pretrained, ids: Int[Tensor, "1 position"]
) -> tuple[list[Float[Tensor, "1 head position width"]], Float[Tensor, "1 position hidden"]]:
    """What each layer's heads return, and the residual before the last norm."""
    outputs: list[Tensor] = []
    residuals: list[Tensor] = []

    def look(attention: LayerAttention) -> None:
        outputs.append(attention.outputs)

    hook = last_norm(pretrained.model).register_forward_pre_hook(lambda _, given: residuals.append(given[0]))
    try:
        with torch.no_grad(), watch_pass(pretrained.model, look):
            pretrained.model(input_ids=ids, attention_mask=torch.ones_like(ids))
    finally:
        hook.remove()
    return outputs, residuals[0]


def last_norm(model: Any) -> nn.Module:
    """The norm after the last layer: the last one that belongs to the base model itself."""
    norms = [module for module in model.base_model.children() if "norm" in type(module).__name__.lower()]
    return norms[-1]


def _loss(
    pretrained: Pretrained, residual: Float[Tensor, "1 position hidden"], targets: Int[Tensor, " position"]
) -> Float[Tensor, ""]:
    """Nats per token of the predictions that such a residual makes."""
    with torch.no_grad():
        logits = pretrained.model.get_output_embeddings()(last_norm(pretrained.model)(residual))[0]
    return nn.functional.cross_entropy(logits.double(), targets)
