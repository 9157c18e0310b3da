"""A part of labelled texts set aside, chosen by the texts themselves: the same whatever their order."""

from __future__ import annotations

import hashlib

import numpy as np

from regard.errors import ValueRangeError
from regard.records import LabelledTexts
from regard.shapes import Int


def held_out(data: LabelledTexts, *, share: float, seed: int = 0) -> tuple[LabelledTexts, LabelledTexts]:
    """Two parts: what remains, and about `share` of each class, those whose hashes are lowest.

    A text that occurs twice has one hash, so that both go to the same part, but for one at the very edge.
    """
    if not 0 < share < 1:
        raise ValueRangeError(f"the share to set aside is between 0 and 1; got {share:g}")
    keys = _hashes(data.texts, seed)
    is_out = np.zeros(len(data), dtype=bool)
    for label in range(len(data.labels)):
        members = np.flatnonzero(data.label_ids == label)
        lowest = members[np.argsort(keys[members], kind="stable")]
        is_out[lowest[: round(share * len(members))]] = True
    if is_out.all() or not is_out.any():
        raise ValueRangeError(f"{len(data)} texts cannot be cut so that {share:g} of each class is set aside")
    return _taken(data, np.flatnonzero(~is_out)), _taken(data, np.flatnonzero(is_out))


def _taken(data: LabelledTexts, places: Int[np.ndarray, " some"]) -> LabelledTexts:
    return LabelledTexts(tuple(data.texts[i] for i in places.tolist()), data.label_ids[places], data.labels)


def _hashes(texts: tuple[str, ...], seed: int) -> Int[np.ndarray, " batch"]:
    salt = seed.to_bytes(8, "little")
    digests = [
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, salt=salt).digest() for text in texts
    ]
    return np.frombuffer(b"".join(digests), dtype="<i8")
