"""Texts as bags of words and n-grams, each a hash, found by passes over bytes without a loop over words.

bags = word_bags(texts)                    the hash of each word, texts one after another
pairs, offsets = ngram_hashes(bags, 2)     of each two neighbours within a text
buckets(pairs, bits=20)                    rows of a table with 2²⁰ rows

The hash of a word has 64 bits:

    h ← number of bytes
    h ← (h ⊕ chunk)·A,  h ← h ⊕ (h ≫ 32)       for each 8 bytes, little-endian, the last filled up with zeros
    h ← h·B,            h ← h ⊕ (h ≫ 32)

modulo 2⁶⁴. Of a word longer than 64 bytes only the first 64 and the length count: time is bounded, whatever the text.
Among a million different words, two share a number with probability 3·10⁻⁸.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from regard.errors import ValueRangeError
from regard.shapes import Float, Int, UInt

MAX_TAG_BYTES = 60
"""Bytes from < to >, both counted; a longer stretch is no tag but a text that uses the two marks."""

_BETWEEN, _WORD, _MARK, _APOSTROPHE, _OPEN, _CLOSE, _TEXT_END = range(7)
_SEPARATOR = b"\xff"  # in UTF-8 no byte is 0xFF, so that no text can hold it
_PADDING = 16  # whole 8-byte loads may begin at any byte of a text
_PLAIN_MARKS = {
    "'": "‘’´\x91\x92",
    '"': "“”„«»\x84\x93\x94",
    "-": "–—\x96\x97",
    ".": "…\x85",
    " ": "\xa0",
    "σ": "ς",  # which of the two str.lower writes depends on what follows, so that a word alone could read otherwise
}


def _kinds() -> bytes:
    kinds = bytearray([_BETWEEN] * 33 + [_MARK] * 94 + [_BETWEEN] + [_WORD] * 128)
    for byte in b"abcdefghijklmnopqrstuvwxyz0123456789":
        kinds[byte] = _WORD
    for byte, kind in zip(b"'<>\xff", (_APOSTROPHE, _OPEN, _CLOSE, _TEXT_END), strict=True):
        kinds[byte] = kind
    return bytes(kinds)


_KINDS = _kinds()


@dataclass(frozen=True)
class WordBytes:
    """Word i is the bytes content[starts[i]:ends[i]]; text t has the words from offsets[t] up to offsets[t + 1].

    `content` has room for loads of eight bytes at every place of a word.
    """

    content: bytes
    starts: Int[np.ndarray, " word"]
    ends: Int[np.ndarray, " word"]
    offsets: Int[np.ndarray, " bound"]


def plain_bytes(text: str) -> bytes:
    """The text as it is read: lower case, plain quotes and dashes, UTF-8 (a lone surrogate as three bytes).

    >>> plain_bytes("Don’t — É")
    b"don't - \\xc3\\xa9"
    """
    if text.isascii():
        return text.encode().lower()  # many times quicker than str.lower, and the same where all is ASCII
    text = text.lower()
    for plain, typographic in _PLAIN_MARKS.items():
        for character in typographic:  # 20 replacements take a hundredth of the time of one str.translate
            text = text.replace(character, plain)
    return text.encode("utf-8", "surrogatepass")


def word_bytes(texts: Sequence[str]) -> WordBytes:
    """The places of the texts' words, in the bytes of all texts."""
    parts = [plain_bytes(text) for text in texts]
    content = b"".join((_SEPARATOR, _SEPARATOR.join(parts), _SEPARATOR * _PADDING))
    kinds = _classify_bytes(content)
    is_word, is_mark = kinds == _WORD, kinds == _MARK
    begins, stops = is_mark.copy(), is_mark
    begins[1:] |= is_word[1:] & ~is_word[:-1]
    stops[:-1] |= is_word[:-1] & ~is_word[1:]
    starts, ends = np.flatnonzero(begins), np.flatnonzero(stops) + 1
    text_ends = np.cumsum([0, *(len(part) + 1 for part in parts)])
    return WordBytes(content, starts, ends, np.searchsorted(starts, text_ends))


def _classify_bytes(content: bytes) -> UInt[np.ndarray, " character"]:
    """Say of each byte whether it is between words, part of a word, or a word of its own."""
    kinds = np.frombuffer(bytearray(content.translate(_KINDS)), np.uint8)
    special = np.flatnonzero(kinds >= _APOSTROPHE)
    kind = kinds[special]
    apostrophes = special[kind == _APOSTROPHE]
    is_inside = (kinds[apostrophes - 1] == _WORD) & (kinds[apostrophes + 1] == _WORD)
    kinds[apostrophes] = np.where(is_inside, _WORD, _MARK)
    angles, kind = special[kind > _APOSTROPHE], kind[kind > _APOSTROPHE]
    kinds[angles] = np.where(kind == _TEXT_END, _BETWEEN, _MARK)
    kinds[_inside_tags(content, angles, kind)] = _BETWEEN
    return kinds


def _inside_tags(
    content: bytes, angles: Int[np.ndarray, " entry"], kind: UInt[np.ndarray, " entry"]
) -> Int[np.ndarray, " character"]:
    """The places of all bytes of tags: < and a letter or /, then > before any other < or end of a text."""
    first = np.frombuffer(content, np.uint8)[angles[:-1] + 1]
    is_tag = (kind[:-1] == _OPEN) & (kind[1:] == _CLOSE) & (angles[1:] - angles[:-1] < MAX_TAG_BYTES)
    is_tag &= ((first >= ord("a")) & (first <= ord("z"))) | (first == ord("/"))
    opens, lengths = angles[:-1][is_tag], (angles[1:] - angles[:-1])[is_tag] + 1
    before = np.cumsum(lengths) - lengths
    return np.repeat(opens - before, lengths) + np.arange(lengths.sum())


def word_spans(text: str) -> tuple[Int[np.ndarray, " word"], Int[np.ndarray, " word"]]:
    """Starts and ends of the words that `word_bags` reads, so that word i is text[starts[i]:ends[i]].

    >>> word_spans("Don't!")
    (array([0, 5]), array([5, 6]))
    """
    words = word_bytes([text])
    content = np.frombuffer(words.content, np.uint8)
    is_first_byte = (content & 0xC0) != 0x80
    is_first_byte[0] = False  # the separator before the text
    # Character of the lower-case text that each byte belongs to; an end is the character of its last byte, plus one.
    character = np.cumsum(is_first_byte) - 1
    source = _sources(text)
    return source[character[words.starts]], source[character[words.ends - 1]] + 1


def _sources(text: str) -> Int[np.ndarray, " character"]:
    """The character that each character of the lower-case text came from; İ becomes two."""
    if len(text.lower()) == len(text):
        return np.arange(len(text))
    return np.repeat(np.arange(len(text)), [len(c.lower()) for c in text])


MAX_HASHED_BYTES = 64
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
    for start in range(0, min(len(content), MAX_HASHED_BYTES), _CHUNK):
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
    _absorb(h, _load_chunks(chunks, starts) & _KEPT[np.minimum(lengths, _CHUNK)])
    longer = np.flatnonzero(lengths > _CHUNK)
    for done in range(_CHUNK, MAX_HASHED_BYTES, _CHUNK):
        if not len(longer):
            break
        left = lengths[longer] - done
        part = h[longer]
        _absorb(part, _load_chunks(chunks, starts[longer] + done) & _KEPT[np.minimum(left, _CHUNK)])
        h[longer] = part
        longer = longer[left > _CHUNK]
    h *= np.uint64(_B)
    h ^= h >> np.uint64(32)
    return h


def _absorb(h: UInt[np.ndarray, " word"], chunk: UInt[np.ndarray, " word"]) -> None:
    h ^= chunk
    h *= np.uint64(_A)
    h ^= h >> np.uint64(32)


def _load_chunks(chunks: UInt[np.ndarray, " entry"], starts: Int[np.ndarray, " word"]) -> UInt[np.ndarray, " word"]:
    """Load the eight bytes from each place on out of the two aligned chunks that hold them."""
    place = starts >> 3
    shift = (starts.astype(np.uint64) & np.uint64(7)) << np.uint64(3)
    # A shift by 64 has no defined result, so that the second chunk moves by one bit and then by 63 - shift.
    return (chunks[place] >> shift) | ((chunks[place + 1] << np.uint64(1)) << (np.uint64(63) - shift))


_NARROW = 16
_Table = Float[np.ndarray, "vocab width"] | Int[np.ndarray, "vocab width"]


def bag_sums(
    table: _Table,
    ids: Int[np.ndarray, " word"],
    offsets: Int[np.ndarray, " bound"],
    *,
    weights: Float[np.ndarray, " word"] | None = None,
) -> Float[np.ndarray, "batch width"]:
    """The sum of the rows ids[offsets[b]:offsets[b + 1]] of each bag b, each times its weight; 0 for an empty bag.

    The offsets run from 0 to len(ids). Sums are float32, or float64 for a table of float64.

    >>> bag_sums(np.array([[1.0], [10.0]]), np.array([0, 1, 1]), np.array([0, 3, 3]))
    array([[21.],
           [ 0.]])
    """
    sum_up = _gather_sums if table.shape[1] <= _NARROW else _product_sums
    return sum_up(table, ids, offsets, weights, np.promote_types(np.float32, table.dtype))


def _gather_sums(
    table: _Table,
    ids: Int[np.ndarray, " word"],
    offsets: Int[np.ndarray, " bound"],
    weights: Float[np.ndarray, " word"] | None,
    dtype: np.dtype,
) -> Float[np.ndarray, "batch width"]:
    rows = table.take(ids, axis=0).astype(dtype, copy=False)
    if weights is not None:
        rows *= weights[:, None]
    sums = np.zeros((len(offsets) - 1, table.shape[1]), dtype)
    filled = np.flatnonzero(np.diff(offsets))  # reduceat gives an empty stretch the row that follows it
    if len(filled):
        sums[filled] = np.add.reduceat(rows, offsets[filled])
    return sums


def _product_sums(
    table: _Table,
    ids: Int[np.ndarray, " word"],
    offsets: Int[np.ndarray, " bound"],
    weights: Float[np.ndarray, " word"] | None,
    dtype: np.dtype,
) -> Float[np.ndarray, "batch width"]:
    factors = np.ones(len(ids), dtype) if weights is None else weights.astype(dtype, copy=False)
    bags = csr_array((factors, ids, offsets), shape=(len(offsets) - 1, len(table)))
    return bags @ table.astype(dtype, copy=False)


_CHARACTERS_AT_ONCE = 1 << 19
_NEXT_WORD = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True)
class WordBags:
    """The words of some texts: those of text t are hashes[offsets[t]:offsets[t + 1]], in their order."""

    hashes: UInt[np.ndarray, " word"]
    offsets: Int[np.ndarray, " bound"]

    def __len__(self) -> int:
        return len(self.offsets) - 1


def word_bags(texts: Sequence[str]) -> WordBags:
    """The hash of each word of each text.

    >>> bags = word_bags(["Good. Good!", "", "<br />good"])
    >>> bags.offsets, bool(bags.hashes[0] == bags.hashes[2] == bags.hashes[4])
    (array([0, 4, 4, 5]), True)
    """
    parts = [_hash_batch(part) for part in text_batches(texts)]
    counts = [np.diff(part.offsets) for part in parts]
    hashes = np.concatenate([np.empty(0, np.uint64), *(part.hashes for part in parts)])
    return WordBags(hashes, np.cumsum(np.concatenate([np.zeros(1, np.int64), *counts])))


def ngram_hashes(bags: WordBags, n: int) -> tuple[UInt[np.ndarray, " ngram"], Int[np.ndarray, " bound"]]:
    """The hash of each n words in a row of the same text, and where each text's begin.

    hash(w₁ … wₙ) = hash(w₁ … wₙ₋₁)·C + hash(wₙ)  modulo 2⁶⁴
    """
    if n < 1:
        raise ValueRangeError(f"an n-gram has at least one word; got n = {n}")
    hashes = bags.hashes
    for more in range(1, n):
        hashes = hashes[: len(hashes) - 1] * _NEXT_WORD + bags.hashes[more:]
    counts = np.maximum(np.diff(bags.offsets) - (n - 1), 0)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    starts = np.repeat(bags.offsets[:-1] - offsets[:-1], counts) + np.arange(offsets[-1])
    return hashes[starts], offsets


def buckets(hashes: UInt[np.ndarray, " ngram"], bits: int) -> Int[np.ndarray, " ngram"]:
    """The row of each hash in a table of 2^bits rows: its top bits."""
    if not 1 <= bits <= 31:
        raise ValueRangeError(f"bits must be from 1 to 31, for a table of 2 to 2³¹ rows; got {bits}")
    return (hashes >> np.uint64(64 - bits)).astype(np.int32)


def text_batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Group the texts into batches of half a million characters: few calls, and each stays in the processor's cache."""
    begin = n_characters = 0
    for i, text in enumerate(texts):
        n_characters += len(text)
        if n_characters >= _CHARACTERS_AT_ONCE:
            yield texts[begin : i + 1]
            begin, n_characters = i + 1, 0
    if begin < len(texts):
        yield texts[begin:]


def _hash_batch(texts: Sequence[str]) -> WordBags:
    words = word_bytes(texts)
    return WordBags(hashes_of_bytes(words.content, words.starts, words.ends - words.starts), words.offsets)
