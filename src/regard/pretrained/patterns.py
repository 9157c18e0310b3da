"""The attention pattern of every head on the beginning of a text, small enough to be shown: its largest weights."""

from __future__ import annotations

import numpy as np
import torch

from regard.display import visible
from regard.pretrained.capture import LayerAttention, watch_pass
from regard.pretrained.load import Pretrained
from regard.records import HeadPatterns

MAX_TOKENS = 512
MAX_PLACES = 24
"""So many of the largest weights of each query are kept."""
MAX_ENTRIES = 1_000_000
"""Weights of all heads together; with more heads, fewer for each query."""


def capture_patterns(pretrained: Pretrained, block: list[int]) -> HeadPatterns:
    """The largest weights of every query in every head, over the first MAX_TOKENS of a block."""
    ids = torch.tensor([block[:MAX_TOKENS]])
    n = ids.shape[1]
    n_rows = pretrained.n_layers * pretrained.n_heads * n
    places = max(1, min(MAX_PLACES, n, MAX_ENTRIES // n_rows))
    keys, levels, covered = [], [], []

    def look(attention: LayerAttention) -> None:
        largest = attention.weights[0].topk(places, dim=-1)
        keys.append(largest.indices.numpy().astype(np.uint16))
        # equal steps of the square root: small weights are seen, and one is still one
        levels.append(torch.round(255 * largest.values.sqrt()).numpy().astype(np.uint8))
        covered.append(float(largest.values.sum(-1).mean()))

    with torch.no_grad(), watch_pass(pretrained.model, look):
        pretrained.model(input_ids=ids, attention_mask=torch.ones_like(ids))
    tokens = [visible(token) for token in pretrained.tokenizer.convert_ids_to_tokens(ids[0].tolist())]
    return HeadPatterns(tuple(tokens), np.stack(keys), np.stack(levels), sum(covered) / len(covered))
