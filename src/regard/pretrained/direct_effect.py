"""What a head does for the loss by itself: the loss if its contribution to the last residual were its mean.

A decoder adds what every head returns to one running sum, of which the last layer norm and the unembedding make the
predictions. Along this direct path, a head's contribution is replaced by its mean over the text, everything else
stays, and the loss is computed anew:

    effect = mean over tokens of  loss(x − c_t + mean c) − loss(x),      c_t = o_t W_O

Effects through later layers are left out. Positive: the head helps. Families that scale what a head returns before it
is added have no such path, and encoders without a language-model head no such loss.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from regard.pretrained.capture import LayerAttention, watch_pass
from regard.pretrained.load import Pretrained
from regard.shapes import Float, Int

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
