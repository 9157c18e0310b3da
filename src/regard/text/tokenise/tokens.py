"""What a tokeniser is (`Tokeniser`), its vocabulary, what it returns (`Tokens`), and two that lose nothing of a text.

text        T h e   c a t \\n
words       [The·  ][cat  ][</s>]      a word and the space after it
starts      0       4      7
ends        4       7      8           each span ends where the next begins; the last at the end of the text

text        n    é         ·
characters  [n]  [é]      [·]          one token each
bytes       [n]  [C3][A9] [·]          the first byte covers the character, the others an empty span after it
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from regard.errors import ValueRangeError, VocabularyError
from regard.shapes import Bool, Int
from regard.text.tokenise.layout import blocks, whole_words

UNKNOWN = "<unk>"
LINE_END = "</s>"
LINE_START = "<s>"


@dataclass(frozen=True)
class Tokens:
    """Ids with the characters they cover: token i stands for text[starts[i]:ends[i]]."""

    ids: Int[np.ndarray, " position"]
    starts: Int[np.ndarray, " position"]
    ends: Int[np.ndarray, " position"]

    def __len__(self) -> int:
        return len(self.ids)


@runtime_checkable
class Tokeniser(Protocol):
    """Text to ids and back.

    Ids 0 … len(vocabulary) − 1 can be predicted. `unknown` is the id of everything that is not in the vocabulary,
    None where there is no such thing (bytes). `line_end` is the id after which a new line, with a fresh context,
    begins; None where a text is one long sequence. A context before the first token of a line is written with the id
    `len(vocabulary)`, the start mark, which is never predicted.
    """

    kind: str
    unit: str
    is_lossless: bool

    @property
    def vocabulary(self) -> Sequence[str]:
        """What each id stands for, as text."""
        ...

    @property
    def unknown(self) -> int | None:
        """The id of everything that is not in the vocabulary."""
        ...

    @property
    def line_end(self) -> int | None:
        """The id after which a new context begins."""
        ...

    def encode(self, text: str) -> Tokens:
        """The ids of a text, and the characters they cover."""
        ...

    def decode(self, ids: Int[np.ndarray, " position"]) -> str:
        """The plainest text that these ids stand for."""
        ...

    def pieces(self, text: str, tokens: Tokens) -> list[str]:
        """The text that each token stands for; for an unknown token, its word as it is in the text.

        Joined they are what the tokens alone tell of the text. Where that differs from the text (case, digits,
        spaces), an honest cost of the text has to add the difference.
        """
        ...

    def settings(self) -> dict[str, Any]:
        """Everything needed to make this tokeniser again, as plain JSON."""
        ...


def known_tokens(tokens: Tokens, tokeniser: Tokeniser) -> Bool[np.ndarray, " position"]:
    """True where a token is in the vocabulary."""
    return np.ones(len(tokens), bool) if tokeniser.unknown is None else tokens.ids != tokeniser.unknown


MARKS = (UNKNOWN, LINE_END)


@dataclass(frozen=True)
class WordCounts:
    """How often each word was seen."""

    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """All words, each as often as it was seen."""
        return sum(self.counts.values())

    def merge_by(self, form: Callable[[str], str]) -> WordCounts:
        """Change every word to another form; words that become equal are counted together."""
        counts: Counter[str] = Counter()
        for word, count in self.counts.items():
            counts[form(word)] += count
        return WordCounts(counts)


def count_words(chunks: Iterable[str]) -> WordCounts:
    """Count the words of a text that comes in chunks, which may be cut within words.

    >>> count_words(["to be or n", "ot to be"]).counts["be"]
    2
    """
    counts: Counter[str] = Counter()
    for chunk in whole_words(chunks):
        for block in blocks(chunk):
            counts.update(block.split())
    return WordCounts(counts)


def merge(parts: Iterable[WordCounts]) -> WordCounts:
    """Add the counts of several texts."""
    together: Counter[str] = Counter()
    for part in parts:
        together.update(part.counts)
    return WordCounts(together)


def most_frequent(counts: WordCounts, *, size: int | None = None) -> tuple[str, ...]:
    """The marks <unk> and </s>, then the most frequent words, together `size` tokens.

    Without a size, every word that was seen at least twice: those seen once then teach a model what it is like to
    meet an unknown word. Words of equal count stand in the order in which they were first seen.

    >>> most_frequent(count_words(["to be or not to be"]), size=4)
    ('<unk>', '</s>', 'to', 'be')
    """
    if size is not None and size < len(MARKS):
        raise ValueRangeError(f"a vocabulary needs size 2 or more, for its marks {' and '.join(MARKS)}; got {size}")
    seen = {word: n for word, n in counts.counts.items() if word not in MARKS and is_storable(word)}
    words = sorted(seen, key=lambda word: -seen[word])
    chosen = [word for word in words if seen[word] >= 2] if size is None else words[: size - len(MARKS)]
    return (*MARKS, *chosen)


def is_storable(text: str) -> bool:
    """False where there is half a surrogate pair: it is no character, and no file can hold it."""
    return text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text)


def check_vocabulary(vocabulary: Any, *, marks: tuple[str, ...], is_entry: Callable[[str], bool]) -> tuple[str, ...]:
    """The vocabulary as a tuple; VocabularyError unless distinct entries of the right form follow these marks."""
    if not isinstance(vocabulary, list | tuple) or not all(isinstance(word, str) for word in vocabulary):
        raise VocabularyError(f"a vocabulary is a list of words; got {_shorten(vocabulary)}")
    if tuple(vocabulary[: len(marks)]) != marks:
        raise VocabularyError(
            f"a vocabulary begins with {', '.join(marks)}; this one begins with {_shorten(vocabulary[: len(marks)])}"
        )
    entries = vocabulary[len(marks) :]
    for place, entry in enumerate(entries, start=len(marks)):
        if not is_entry(entry) or not is_storable(entry):
            raise VocabularyError(f"entry {place} of the vocabulary cannot be a token: {_shorten(entry)}")
    if len(set(vocabulary)) < len(vocabulary):
        twice = next(word for word, count in Counter(vocabulary).items() if count > 1)
        raise VocabularyError(f"each word stands once in a vocabulary; {_shorten(twice)} stands there twice")
    return tuple(vocabulary)


def _shorten(value: Any) -> str:
    shown = ascii(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


REPLACEMENT = "\ufffd"  # what Unicode writes for a character that cannot be decoded


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
