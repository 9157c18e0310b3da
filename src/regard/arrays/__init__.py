"""Attention itself, in the array library of its arguments: NumPy or PyTorch."""

from __future__ import annotations

from regard.arrays.attention import attend, attention_weights
from regard.arrays.multi_head import MultiHead, multi_head
from regard.arrays.softmax import log_sum_exp, masked_softmax
from regard.arrays.subspace import Recovery, extract, principal_angles, projector, recover
from regard.arrays.summary import Top, effective_count, entropy, is_copying, top

__all__ = [
    "MultiHead",
    "Recovery",
    "Top",
    "attend",
    "attention_weights",
    "effective_count",
    "entropy",
    "extract",
    "is_copying",
    "log_sum_exp",
    "masked_softmax",
    "multi_head",
    "principal_angles",
    "projector",
    "recover",
    "top",
]
