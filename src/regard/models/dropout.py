"""Dropout whose random numbers cost little: one byte for each entry, eight of them from one draw."""

from __future__ import annotations

import torch
from torch import Tensor

from regard.shapes import Float

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
        is_kept = random_bytes(x) >= self.n_dropped
        return x * is_kept.to(x.dtype).mul_(LEVELS / (LEVELS - self.n_dropped))


def random_bytes(like: Tensor) -> Tensor:
    """A random byte for each entry, from torch's common generator."""
    n_words = -(-like.numel() // 8)
    words = torch.randint(-(2**63), 2**63 - 1, (n_words,))
    return words.view(torch.uint8)[: like.numel()].view(like.shape)
