"""Words by regular expressions, one text at a time: what the passes over bytes must agree with."""

import re

from regard.text.word_bags import plain_bytes

_TAG = re.compile(rb"<[a-z/][^<>]{0,57}>")
_WORD = re.compile(rb"(?:[a-z0-9\x80-\xff]|(?<=[a-z0-9\x80-\xff])'(?=[a-z0-9\x80-\xff]))+|[!-/:-@\[-`{-~]")


def words_of(text: str) -> list[bytes]:
    """The words of a text, as the bytes that are hashed."""
    return _WORD.findall(_TAG.sub(lambda tag: b" " * len(tag[0]), plain_bytes(text)))


def hash_of(word: bytes) -> int:
    """The hash of a word as the head of `word_hashes` gives it, through the integers of Python."""
    h = len(word)
    padded = word[:64] + bytes(-len(word[:64]) % 8)
    for i in range(0, len(padded), 8):
        h = (h ^ int.from_bytes(padded[i : i + 8], "little")) * 0x9E3779B97F4A7C15 % 2**64
        h ^= h >> 32
    h = h * 0xD6E8FEB86659FD93 % 2**64
    return h ^ h >> 32
