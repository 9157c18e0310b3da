"""A digest of a training text: hashes of windows of it, enough to recognise the text but not to read it.

Case and runs of white space do not count, so that a text that was wrapped anew or put into lower case is still
recognised. Every stretch of at least window + stride − 1 such characters that both texts share is found:

    training text     |------w1------|        |------w3------|         a hash at every `stride`-th character
                              |------w2------|
    scored text       every window of it is looked up
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regard.shapes import Bool, Int, UInt
from regard.text.tokenise.layout import WHITE_SPACE

WINDOW = 32
STRIDE = 16
MAX_HASHES = 2_000_000  # 16 MB; a longer text gets a wider stride
_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that multiplication loses no bit
_IS_SPACE = np.zeros(ord(max(WHITE_SPACE)) + 2, bool)  # the last entry stands for all codes beyond
_IS_SPACE[[ord(c) for c in WHITE_SPACE]] = True


@dataclass(frozen=True)
class TextDigest:
    """The size and checksum of a training text, and hashes of windows of it."""

    n_characters: int
    sha256: str
    stride: int
    hashes: UInt[np.ndarray, " window"]

    def __post_init__(self) -> None:
        whole = all(type(number) is int and number > 0 for number in (self.n_characters + 1, self.stride))
        if not whole or not isinstance(self.sha256, str) or self.hashes.ndim != 1 or self.hashes.dtype != np.uint64:
            raise ValueError("the digest of the training text is not of our form")

    def mark_seen(self, text: str) -> Bool[np.ndarray, " character"]:
        """True for each character of `text` that lies in a window of the training text."""
        codes, places = _normalise(text)
        found = self._has(window_hashes(codes))
        # A window covers WINDOW characters from its start: count the starts before and after.
        edges = np.zeros(len(codes) + 1, np.int64)
        np.add.at(edges, np.flatnonzero(found), 1)
        np.add.at(edges, np.flatnonzero(found) + WINDOW, -1)
        is_seen = np.zeros(len(text), bool)
        is_seen[places[np.cumsum(edges[:-1]) > 0]] = True
        return is_seen

    def _has(self, hashes: UInt[np.ndarray, " window"]) -> Bool[np.ndarray, " window"]:
        """As `np.isin`, which would sort all hashes of the training text for each text that is asked about."""
        ours = self._sorted_hashes
        if len(ours) == 0:
            return np.zeros(len(hashes), bool)
        return ours[np.minimum(np.searchsorted(ours, hashes), len(ours) - 1)] == hashes

    @cached_property
    def _sorted_hashes(self) -> UInt[np.ndarray, " window"]:
        return np.sort(self.hashes)


def digest(text: str | Iterable[str]) -> TextDigest:
    """Make the digest of a training text, given whole or in pieces that end after white space."""
    growing = GrowingDigest()
    for _ in growing.follow([text] if isinstance(text, str) else text):
        pass
    return growing.finish()


class GrowingDigest:
    """The digest of a text that is read for something else, piece by piece."""

    def __init__(self) -> None:
        self._checksum, self._n_characters, self._last = hashlib.sha256(), 0, ""
        self._hashes, self._stride = np.zeros(0, np.uint64), STRIDE
        self._waiting, self._n_before = self._hashes, 0
        """Codes whose windows are not complete yet, and how many there were before them."""

    def follow(self, pieces: Iterable[str]) -> Iterator[str]:
        """Hand the pieces of a text on, which end after white space, and take each in."""
        for piece in pieces:
            self._add(piece)
            yield piece

    def _add(self, piece: str) -> None:
        self._checksum.update(piece.encode("utf-8", "surrogatepass"))
        self._n_characters += len(piece)
        last = self._last
        codes, places = _normalise(last + piece)  # whether a space is the first of its run, the piece alone cannot tell
        codes = np.concatenate([self._waiting, codes[places >= len(last)]])
        hashes = window_hashes(codes[-self._n_before % self._stride :], stride=self._stride)
        self._hashes = np.concatenate([self._hashes, hashes])
        while len(self._hashes) > MAX_HASHES:
            self._hashes, self._stride = self._hashes[::2], 2 * self._stride
        n_windows = max(len(codes) - WINDOW + 1, 0)
        self._waiting, self._n_before = codes[n_windows:], self._n_before + n_windows
        self._last = piece[-1:] or last

    def finish(self) -> TextDigest:
        """The digest of all that came."""
        return TextDigest(self._n_characters, self._checksum.hexdigest(), self._stride, np.unique(self._hashes))


def window_hashes(codes: UInt[np.ndarray, " character"], *, stride: int = 1) -> UInt[np.ndarray, " window"]:
    """One 64-bit hash for each window of WINDOW codes, h = mix(Σⱼ codeⱼ·baseʲ); for every `stride`-th of them."""
    n = len(codes) - WINDOW + 1
    if n <= 0:
        return np.zeros(0, np.uint64)
    total, power = np.zeros(-(-n // stride), np.uint64), np.uint64(1)
    with np.errstate(over="ignore"):  # arithmetic modulo 2⁶⁴ is what is wanted
        for j in range(WINDOW):
            total += codes[j : j + n : stride] * power
            power *= _BASE
        # Low bits of a polynomial depend on low bits of the codes alone; fold the high ones in.
        return (total ^ (total >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)


def _normalise(text: str) -> tuple[UInt[np.ndarray, " character"], Int[np.ndarray, " character"]]:
    """Codes of the text in lower case, with one space for each run of white space, and the place of each."""
    lower = text.lower()
    if len(lower) != len(text):  # a few letters have two characters in lower case; they stay as they are
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    codes = np.frombuffer(lower.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    is_space = _IS_SPACE[np.minimum(codes, len(_IS_SPACE) - 1)]
    keep = ~is_space
    keep[1:] |= ~is_space[:-1]  # the first of each run stands for all of it
    codes[is_space] = 32
    places = np.flatnonzero(keep)
    return codes[places], places
