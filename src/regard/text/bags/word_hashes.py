"""Words as 64-bit numbers: the definition, and the same for many words at once.

    h ← number of bytes
    h ← (h ⊕ chunk)·A,  h ← h ⊕ (h ≫ 32)       for each 8 bytes, little-endian, the last filled up with zeros
    h ← h·B,            h ← h ⊕ (h ≫ 32)

modulo 2⁶⁴. Of a word longer than 64 bytes only the first 64 and the length count: time is bounded, whatever the text.
Among a million different words, two share a number with probability 3·10⁻⁸.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regard.shapes import Int, UInt
from regard.text.word_bytes import plain_bytes

LONGEST_HASHED = 64
_CHUNK = 8
_A, _B = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93  # odd, so that multiplication loses nothing
_64_BITS = (1 << 64) - 1
_KEPT = np.array([(1 << 8 * n) - 1 for n in range(_CHUNK + 1)], np.uint64)


def word_hash(word: str) -> int:
    """The number of one word, byte by byte.

    >>> word_hash("Film") == word_hash("film") != word_hash("films")
    True
    """
    content = plain_bytes(word)
    h = len(content)
    for start in range(0, min(len(content), LONGEST_HASHED), _CHUNK):
        chunk = sum(byte << 8 * i for i, byte in enumerate(content[start : start + _CHUNK]))
        h = (h ^ chunk) * _A & _64_BITS
        h ^= h >> 32
    h = h * _B & _64_BITS
    return h ^ h >> 32


def word_hashes(words: Sequence[str]) -> UInt[np.ndarray, " word"]:
    """The numbers of many words, such as a vocabulary; each string is one word, whatever is in it."""
    parts = [plain_bytes(word) for word in words]
    lengths = np.array([len(part) for part in parts], np.int64)
    ends = np.cumsum(lengths)
    return hashes_of_bytes(b"".join([*parts, bytes(2 * _CHUNK)]), ends - lengths, lengths)


def hashes_of_bytes(
    content: bytes, starts: Int[np.ndarray, " word"], lengths: Int[np.ndarray, " word"]
) -> UInt[np.ndarray, " word"]:
    """The numbers of the words content[start : start + length]; 16 further bytes must follow the last of them."""
    chunks = np.frombuffer(content, "<u8", count=len(content) // _CHUNK)
    h = lengths.astype(np.uint64)
    _absorb(h, _loaded(chunks, starts) & _KEPT[np.minimum(lengths, _CHUNK)])
    longer = np.flatnonzero(lengths > _CHUNK)
    for done in range(_CHUNK, LONGEST_HASHED, _CHUNK):
        if not len(longer):
            break
        left = lengths[longer] - done
        part = h[longer]
        _absorb(part, _loaded(chunks, starts[longer] + done) & _KEPT[np.minimum(left, _CHUNK)])
        h[longer] = part
        longer = longer[left > _CHUNK]
    h *= np.uint64(_B)
    h ^= h >> np.uint64(32)
    return h


def _absorb(h: UInt[np.ndarray, " word"], chunk: UInt[np.ndarray, " word"]) -> None:
    h ^= chunk
    h *= np.uint64(_A)
    h ^= h >> np.uint64(32)


def _loaded(chunks: UInt[np.ndarray, " entry"], starts: Int[np.ndarray, " word"]) -> UInt[np.ndarray, " word"]:
    """The eight bytes from any place on, out of the two aligned chunks that hold them."""
    place = starts >> 3
    shift = (starts.astype(np.uint64) & np.uint64(7)) << np.uint64(3)
    # A shift by 64 has no defined result, so that the second chunk moves by one bit and then by 63 - shift.
    return (chunks[place] >> shift) | ((chunks[place + 1] << np.uint64(1)) << (np.uint64(63) - shift))
