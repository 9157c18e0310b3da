"""Characters and bytes as tokens: nothing of a text is lost.

text        n    é         ·
characters  [n]  [é]      [·]       one token each
bytes       [n]  [C3][A9] [·]       the first byte covers the character, the others an empty span after it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from regard.errors import VocabularyError
from regard.shapes import Int
from regard.text.tokenise.tokens import UNKNOWN, Tokens, check_vocabulary, is_storable

REPLACEMENT = "\ufffd"  # what Unicode writes for a character that cannot be told


class CharacterTokeniser:
    """A token for each character; those that the training text does not have are unknown.

    >>> tokeniser = CharacterTokeniser.fit("abba")
    >>> tokeniser.vocabulary, tokeniser.encode("cab").ids
    (('<unk>', 'a', 'b'), array([0, 1, 2]))
    """

    kind = "characters"
    unit = "character"
    is_lossless = True

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._vocabulary = check_vocabulary(vocabulary, marks=(UNKNOWN,), is_entry=lambda entry: len(entry) == 1)
        codes = np.array([ord(c) for c in self._vocabulary[1:]], np.int64)
        self._ids = np.zeros(codes.max(initial=0) + 2, np.int64)  # the last entry stands for all codes beyond
        self._ids[codes] = np.arange(1, len(codes) + 1)

    @classmethod
    def fit(cls, text: str) -> CharacterTokeniser:
        """Every character of the text, in order; halves of surrogate pairs are no characters and stay unknown."""
        return cls((UNKNOWN, *sorted(filter(is_storable, set(text)))))

    @property
    def vocabulary(self) -> Sequence[str]:
        """The unknown mark, then the characters in order."""
        return self._vocabulary

    @property
    def unknown(self) -> int | None:
        """The id of every character that the training text does not have."""
        return 0

    @property
    def line_end(self) -> int | None:
        """None: a text is one long sequence."""
        return None

    def encode(self, text: str) -> Tokens:
        """One id for each character."""
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        ids = self._ids[np.minimum(codes, len(self._ids) - 1)]
        return Tokens(ids, np.arange(len(ids)), np.arange(1, len(ids) + 1))

    def stream(self, chunks: Iterable[str]) -> Iterator[Int[np.ndarray, " position"]]:
        """The ids of a text that comes in chunks."""
        return (self.encode(chunk).ids for chunk in chunks)

    def decode(self, ids: Int[np.ndarray, " position"]) -> str:
        """The characters; U+FFFD for an unknown one."""
        spelled = (REPLACEMENT, *self._vocabulary[1:])
        return "".join([spelled[i] for i in check_ids(ids, len(spelled))])

    def pieces(self, text: str, tokens: Tokens) -> list[str]:
        """The characters themselves."""
        return covered_texts(text, tokens)

    def settings(self) -> dict[str, Any]:
        """The kind and the vocabulary."""
        return {"kind": self.kind, "vocabulary": list(self._vocabulary)}


class ByteTokeniser:
    """A token for each byte of the text in UTF-8; every text can be written with them.

    >>> ByteTokeniser().encode("né").ids
    array([110, 195, 169])
    """

    kind = "bytes"
    unit = "byte"
    is_lossless = True

    @classmethod
    def fit(cls, text: str) -> ByteTokeniser:
        """A tokeniser of bytes, which does not depend on the text."""
        return cls()

    @property
    def vocabulary(self) -> Sequence[str]:
        """ASCII characters as they are, other bytes by their number: <0xC3>."""
        return _BYTE_NAMES

    @property
    def unknown(self) -> int | None:
        """None: there is no other byte."""
        return None

    @property
    def line_end(self) -> int | None:
        """None: a text is one long sequence."""
        return None

    def encode(self, text: str) -> Tokens:
        """One id for each byte; half a surrogate pair has the three bytes that its number would have in UTF-8."""
        ids = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8).astype(np.int64)
        is_first = (ids & 0xC0) != 0x80
        ends = np.cumsum(is_first)
        return Tokens(ids, ends - is_first, ends)

    def stream(self, chunks: Iterable[str]) -> Iterator[Int[np.ndarray, " position"]]:
        """The ids of a text that comes in chunks."""
        return (self.encode(chunk).ids for chunk in chunks)

    def decode(self, ids: Int[np.ndarray, " position"]) -> str:
        """The text of these bytes; U+FFFD for bytes that are no UTF-8, which a model may well draw."""
        raw = bytes(check_ids(ids, len(_BYTE_NAMES)))
        try:
            return raw.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            return raw.decode("utf-8", "replace")

    def pieces(self, text: str, tokens: Tokens) -> list[str]:
        """A character at its first byte, nothing at the others."""
        return covered_texts(text, tokens)

    def settings(self) -> dict[str, Any]:
        """The kind; there is nothing else to say."""
        return {"kind": self.kind}


_BYTE_NAMES = tuple(chr(i) if i < 128 else f"<0x{i:02X}>" for i in range(256))


def covered_texts(text: str, tokens: Tokens) -> list[str]:
    """The characters that each token covers."""
    return [text[start:end] for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)]


def check_ids(ids: Int[np.ndarray, " position"], size: int) -> list[int]:
    """Return the ids as a list; VocabularyError where one is outside a vocabulary of this size."""
    outside = ids[(ids < 0) | (ids >= size)]
    if len(outside):
        raise VocabularyError(f"ids must be between 0 and {size - 1}, the vocabulary's last; got {outside[0]}")
    return ids.tolist()
